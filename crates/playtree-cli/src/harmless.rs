//! Text of others on the way to a terminal: programs, files, arguments.
//!
//! Escape codes and the like act on a terminal when they are printed. Here they become what is
//! read: `\u{1b}`.

use std::borrow::Cow;

/// The text with everything escaped that is not meant to be seen: control characters, and those
/// that change the direction or the lines of what follows, or have no width. A tab stays: programs
/// put it between words.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if acts(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

fn acts(c: char) -> bool {
    let directs =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let has_no_width = matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
    (c.is_control() && c != '\t') || directs || has_no_width
}

/// At most `most` characters of a text; the last three are points if the text is longer.
pub(crate) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some(_) => {
            let kept: String = text.chars().take(most.saturating_sub(3)).collect();
            Cow::Owned(kept + "...")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{harmless, shortened};

    #[test]
    fn what_acts_on_a_terminal_is_shown_instead() {
        assert_eq!(harmless("d3\te4 \u{e9}\u{4e2d}"), "d3\te4 \u{e9}\u{4e2d}");
        assert_eq!(harmless("\x1b[2Ja\x07\r\0"), r"\u{1b}[2Ja\u{7}\u{d}\u{0}");
        assert_eq!(harmless("\u{feff}4\u{200b}4"), r"\u{feff}4\u{200b}4");
        assert_eq!(harmless("a\u{202e}b\u{9b}1m"), r"a\u{202e}b\u{9b}1m");
    }

    #[test]
    fn long_texts_end_in_points() {
        assert_eq!(shortened("abcde", 5), "abcde");
        assert_eq!(shortened("\u{e4}bcdef", 5), "\u{e4}b...");
    }
}
