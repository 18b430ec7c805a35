//! Colours, where stdout is a terminal that wants them.

use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Effects, Style};

/// What a person must not miss.
pub(crate) const STRONG: Style = Style::new().effects(Effects::BOLD);
/// What the engine does.
pub(crate) const ENGINE: Style = AnsiColor::Cyan.on_default();
/// What went wrong.
pub(crate) const WRONG: Style = AnsiColor::Yellow.on_default();
/// What has changed on the board.
const CHANGED: Style = Style::new().effects(Effects::BOLD.insert(Effects::INVERT));

/// Whether texts get colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    is_on: bool,
}

impl Paint {
    /// Colours if stdout is a terminal, `NO_COLOR` is unset and the terminal is not a dumb one.
    pub(crate) fn of_stdout() -> Self {
        let stdout = io::stdout();
        let is_wanted = AutoStream::choice(&stdout) != ColorChoice::Never;
        Self { is_on: stdout.is_terminal() && is_wanted }
    }

    /// The text in this style. Each line has the codes for itself.
    pub(crate) fn text(self, style: Style, text: &str) -> String {
        if !self.is_on {
            return text.to_owned();
        }
        let lines: Vec<String> =
            text.split('\n').map(|line| format!("{style}{line}{style:#}")).collect();
        lines.join("\n")
    }

    /// A board, with the characters marked that are others than before; nothing is marked if the
    /// lines have other lengths than those before.
    pub(crate) fn changes(self, before: &str, board: &str) -> String {
        let lengths =
            |text: &str| -> Vec<usize> { text.lines().map(|line| line.chars().count()).collect() };
        if !self.is_on || lengths(before) != lengths(board) {
            return board.to_owned();
        }
        let mark = |(old, new): (char, char)| match old == new {
            true => new.to_string(),
            false => format!("{CHANGED}{new}{CHANGED:#}"),
        };
        before.chars().zip(board.chars()).map(mark).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Paint, STRONG};

    const ON: Paint = Paint { is_on: true };
    const OFF: Paint = Paint { is_on: false };

    #[test]
    fn a_style_begins_and_ends_on_each_line() {
        assert_eq!(ON.text(STRONG, "a\nb"), "\x1b[1ma\x1b[0m\n\x1b[1mb\x1b[0m");
        assert_eq!(OFF.text(STRONG, "a\nb"), "a\nb");
    }

    #[test]
    fn the_squares_that_changed_are_marked() {
        assert_eq!(ON.changes(". .\n. X", ". O\n. X"), ". \x1b[1m\x1b[7mO\x1b[0m\n. X");
        assert_eq!(ON.changes("1: A B", "1: A"), "1: A");
        assert_eq!(ON.changes("", "X"), "X");
        assert_eq!(OFF.changes(".", "X"), "X");
    }
}
