//! The text of a report: one for all searchers.

use std::fmt;

use crate::budget::StopReason;

use super::table::{Table, wrapped};

/// A report that can be written as text. [`Text`] puts its parts together.
pub trait AsText {
    /// A row for each move, best first.
    fn table(&self) -> Table;

    /// The answer on one line: what to play, and what the position is worth.
    fn answer(&self) -> String;

    /// What the search has taken and what has ended it, on one line.
    fn cost(&self, words: &Words) -> String;
}

/// The words of a text that depend on the program that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// What has stopped a search ([`StopReason::Stopped`]). Default: `the caller`.
    pub stop: &'static str,
    /// The setting by which results get lost. Default: `lock policy yield`.
    pub yielding: &'static str,
    /// The option that sets the number of moves shown, if there is one: it is named where moves are
    /// left out. Default: none.
    pub top: Option<&'static str>,
}

impl Default for Words {
    fn default() -> Self {
        Self { stop: "the caller", yielding: "lock policy yield", top: None }
    }
}

impl Words {
    /// `stopped by proof`.
    pub(crate) fn stopped_by(&self, reason: StopReason) -> String {
        let by = match reason {
            StopReason::Proven => "proof",
            StopReason::Stopped => self.stop,
            StopReason::OnlyMove => "the only move",
            StopReason::Memory => "a memory limit without room for the position",
            StopReason::Settled => "a settled best move",
            StopReason::Exhausted => "a tree that has stopped growing",
            StopReason::CannotBeOvertaken => "a lead that cannot be overtaken",
            StopReason::Running => return "still running".into(),
            other => return format!("stopped by {}", other.as_str().replace('_', " ")),
        };
        format!("stopped by {by}")
    }
}

/// A report as text, displayed without a trailing line feed: its table, its answer and its cost.
///
/// # Examples
/// [On the page of the module](super).
#[derive(Debug)]
#[must_use]
pub struct Text<'a, R> {
    report: &'a R,
    top: Option<usize>,
    width: Option<usize>,
    words: Words,
}

impl<'a, R: AsText> Text<'a, R> {
    /// The text that the report displays itself: all moves, on lines as long as they are.
    pub fn new(report: &'a R) -> Self {
        Self { report, top: None, width: None, words: Words::default() }
    }

    /// The number of moves shown, best first. A line says how many are left out. Default: all.
    pub fn top(mut self, moves: usize) -> Self {
        self.top = Some(moves);
        self
    }

    /// The most characters of a line, such as 80: longer ones are broken between words. Default: no
    /// limit.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = Some(columns);
        self
    }

    /// Other words, for a program with options and signals of its own.
    pub fn words(mut self, words: Words) -> Self {
        self.words = words;
        self
    }
}

impl<R: AsText> fmt::Display for Text<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = self.report.table();
        let all = table.len();
        table.truncate(self.top.unwrap_or(all));
        let more = all - table.len();
        if let Some(width) = self.width {
            table = table.width(width);
        }
        writeln!(f, "{table}")?;
        match self.words.top {
            _ if more == 0 => {}
            Some(option) => writeln!(f, "... and {more} more ({option} {all} shows all)")?,
            None => writeln!(f, "... and {more} more")?,
        }
        let width = self.width.unwrap_or(usize::MAX);
        let [answer, cost] = [self.report.answer(), self.report.cost(&self.words)]
            .map(|line| wrapped(&line, width, 0));
        write!(f, "\n{answer}\n{cost}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Align;
    use super::*;

    struct Found;

    impl AsText for Found {
        fn table(&self) -> Table {
            let mut table = Table::new(&[("move", Align::Left), ("n", Align::Right)]);
            for number in 1..4 {
                table.row([format!("m{number}"), number.to_string()]);
            }
            table
        }

        fn answer(&self) -> String {
            "best move m1".into()
        }

        fn cost(&self, words: &Words) -> String {
            words.stopped_by(StopReason::Stopped)
        }
    }

    #[test]
    fn a_text_is_a_table_an_answer_and_a_cost() {
        let all = Text::new(&Found).to_string();
        let rows = "move  n\nm1    1\nm2    2\nm3    3";
        let lines = "best move m1\nstopped by the caller";
        assert_eq!(all, format!("{rows}\n\n{lines}"));
        assert_eq!(Text::new(&Found).top(9).to_string(), all);
        let two = Text::new(&Found).top(2).to_string();
        assert!(two.contains("m2    2\n... and 1 more\n\nbest"), "{two}");
        let words = Words { stop: "Ctrl-C", top: Some("--top"), ..Words::default() };
        let two = Text::new(&Found).top(2).words(words).width(7).to_string();
        assert!(two.contains("\n... and 1 more (--top 3 shows all)\n"), "{two}");
        assert!(two.ends_with("\n\nbest\nmove m1\nstopped\nby\nCtrl-C"), "{two}");
    }

    #[test]
    fn what_ended_a_search_is_said_in_words() {
        let words = Words::default();
        assert_eq!(words.stopped_by(StopReason::SoftTime), "stopped by soft time");
        assert_eq!(words.stopped_by(StopReason::Proven), "stopped by proof");
        assert_eq!(words.stopped_by(StopReason::Running), "still running");
    }
}
