//! What is wrong in a spec, and where.

use std::fmt;
use std::ops::Range;

use crate::suggest;

/// A part of a spec that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SpecError {
    /// The whole spec.
    text: String,
    /// The wrong part, in bytes.
    at: Range<usize>,
    expected: String,
    /// A phrase: what was there, in quotes, or that there was nothing.
    found: String,
}

impl SpecError {
    /// The part `at` of `text` is not what was expected.
    pub(super) fn new(
        text: &str,
        at: Range<usize>,
        expected: impl Into<String>,
        found: impl fmt::Display,
    ) -> Self {
        let found = match found.to_string().as_str() {
            "" => "nothing".to_owned(),
            found => format!("'{found}'"),
        };
        Self::phrased(text, at, expected, found)
    }

    /// As [`new`](Self::new), of what can be one of `names` alone.
    pub(super) fn mistyped<'a>(
        text: &str,
        at: Range<usize>,
        expected: impl Into<String>,
        found: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let hint = suggest::hint(found, names);
        let mut error = Self::new(text, at, expected, found);
        error.found.push_str(&hint);
        error
    }

    /// As [`new`](Self::new), where `found` is a phrase already.
    pub(super) fn phrased(
        text: &str,
        at: Range<usize>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self { text: text.to_owned(), at, expected: expected.into(), found: found.into() }
    }

    /// The same in the text without its first bytes.
    pub(super) fn without_beginning(mut self, bytes: usize) -> Self {
        self.text.drain(..bytes.min(self.text.len()));
        self.at = self.at.start.saturating_sub(bytes)..self.at.end.saturating_sub(bytes);
        self
    }

    /// The spec, and below it a caret under each character of the wrong part; at least one.
    pub(crate) fn picture(&self) -> String {
        // Each character that would leave the line is shown as a blank, so that the carets stay
        // where they belong.
        let line: String =
            self.text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let before = self.text[..self.at.start].chars().count();
        let length = self.text[self.at.clone()].trim_end().chars().count().max(1);
        format!("  {line}\n  {}{}", " ".repeat(before), "^".repeat(length))
    }
}

impl fmt::Display for SpecError {
    /// One line; characters are counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, at, expected, found } = self;
        let character = text[..at.start].chars().count() + 1;
        write!(f, "expected {expected}, found {found} (character {character})")
    }
}
