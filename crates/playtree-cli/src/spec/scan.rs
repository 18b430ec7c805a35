//! The parts of a spec: keys and values with the places where they stand.

use std::fmt;
use std::ops::Range;

use super::SpecError;

/// A key, or a program, and the value behind its equals sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) key: String,
    pub(super) key_at: Range<usize>,
    pub(super) value: Option<String>,
    pub(super) value_at: Range<usize>,
}

impl Item {
    /// From the key to the end of the value.
    pub(super) fn whole(&self) -> Range<usize> {
        self.key_at.start..self.value_at.end.max(self.key_at.end)
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        match &self.value {
            Some(value) => write!(f, "={}", quoted(value)),
            None => Ok(()),
        }
    }
}

/// The text as it may stand in a spec: in quotes if it has to be.
pub(super) fn quoted(text: &str) -> String {
    let bare = !text.is_empty()
        && text.trim() == text
        && !text.chars().any(|c| matches!(c, ',' | '"' | '='));
    if bare {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The items of `text` from the byte `from` on; at least one.
pub(super) fn scan(text: &str, from: usize) -> Result<Vec<Item>, SpecError> {
    let mut at = from;
    let mut items = Vec::new();
    loop {
        let (key, key_at) = word(text, &mut at, &[',', '='])?;
        let mut item = Item { key, value: None, value_at: key_at.end..key_at.end, key_at };
        if text[at..].starts_with('=') {
            at += 1;
            let (value, value_at) = word(text, &mut at, &[','])?;
            item.value = Some(value);
            item.value_at = value_at;
        }
        items.push(item);
        if at == text.len() {
            return Ok(items);
        }
        at += 1;
    }
}

/// A bare or quoted text from `at` up to one of `ends`, which is where `at` is left.
fn word(text: &str, at: &mut usize, ends: &[char]) -> Result<(String, Range<usize>), SpecError> {
    *at += text[*at..].len() - text[*at..].trim_start().len();
    let start = *at;
    if !text[start..].starts_with('"') {
        let length = text[start..].find(ends).unwrap_or(text.len() - start);
        *at += length;
        let bare = text[start..*at].trim_end();
        if let Some(quote) = bare.find('"') {
            let quote = start + quote;
            let expected = "quotes around the whole text or none";
            return Err(SpecError::new(text, quote..quote + 1, expected, "\""));
        }
        return Ok((bare.to_owned(), start..start + bare.len()));
    }
    let mut content = String::new();
    let mut characters = text[start + 1..].char_indices();
    while let Some((offset, c)) = characters.next() {
        match c {
            '"' => {
                let end = start + 1 + offset + 1;
                let rest = &text[end..];
                *at = end + rest.len() - rest.trim_start().len();
                return match text[*at..].chars().next() {
                    Some(found) if !ends.contains(&found) => {
                        let wrong = *at..*at + found.len_utf8();
                        let expected = "a comma after the closing quote";
                        Err(SpecError::new(text, wrong, expected, found))
                    }
                    _ => Ok((content, start..end)),
                };
            }
            '\\' => content.extend(characters.next().map(|(_, escaped)| escaped)),
            other => content.push(other),
        }
    }
    Err(SpecError::new(text, start..text.len(), "a closing quote", &text[start..]))
}
