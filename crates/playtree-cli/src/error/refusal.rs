//! What a user gave that cannot be used, in parts: options keep their names, so that the same is
//! said of an option of the command line and of a key of a spec.

use std::borrow::Cow;
use std::fmt::{self, Display};

use crate::suggest;

/// What was expected and what was found, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The option or the argument that is to blame, if there is one.
    place: Option<Phrase>,
    pub(crate) expected: Phrase,
    pub(crate) found: Phrase,
}

impl Refusal {
    pub(crate) fn new(expected: impl Into<Phrase>, found: impl Into<Phrase>) -> Self {
        Self { place: None, expected: expected.into(), found: found.into() }
    }

    /// That a text is no value of what was expected.
    pub(crate) fn value(expected: impl Into<Phrase>, found: &str) -> Self {
        Self::new(expected, format!("'{found}'"))
    }

    /// As [`value`](Self::value), of what can be one of `names` alone.
    pub(crate) fn name<'a>(
        expected: impl Into<Phrase>,
        found: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Self::new(expected, format!("'{found}'{}", suggest::hint(found, names)))
    }

    /// The same, with the option or the argument that is to blame.
    pub(crate) fn at(self, place: impl Into<Phrase>) -> Self {
        Self { place: Some(place.into()), ..self }
    }

    /// The options that are named, without their dashes, in their order.
    pub(crate) fn options(&self) -> Vec<&str> {
        let phrases = self.place.iter().chain([&self.expected, &self.found]);
        phrases.flat_map(|phrase| &phrase.0).filter_map(Part::name).collect()
    }

    /// The text with options as the keys of a spec: without dashes.
    pub(crate) fn in_keys(&self) -> String {
        self.text(|name, value| match value {
            Some(value) => format!("{name} {value}"),
            None => name.to_owned(),
        })
    }

    fn text(&self, write: impl Fn(&str, Option<&str>) -> String) -> String {
        let place = self.place.as_ref().map(|place| format!("{}: ", place.text(&write)));
        let (expected, found) = (self.expected.text(&write), self.found.text(&write));
        format!("{}expected {expected}, found {found}", place.unwrap_or_default())
    }
}

/// With options as on the command line.
impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(as_typed))
    }
}

/// A value that is no value of its option.
impl std::error::Error for Refusal {}

/// Words, and options among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Phrase(Vec<Part>);

impl Phrase {
    /// The text with each option, and its value, as `write` writes it.
    pub(crate) fn text(&self, write: impl Fn(&str, Option<&str>) -> String) -> String {
        let part = |part: &Part| match part {
            Part::Words(words) => words.to_string(),
            Part::Option { name, value } => write(name, value.as_deref()),
        };
        self.0.iter().map(part).collect()
    }

    /// These phrases with `between` between them.
    pub(crate) fn join(phrases: impl IntoIterator<Item = Phrase>, between: &'static str) -> Self {
        let mut all = Self::default();
        for phrase in phrases {
            if !all.0.is_empty() {
                all.0.push(Part::words(between));
            }
            all.0.extend(phrase.0);
        }
        all
    }

    /// This phrase and then another one.
    pub(crate) fn and(mut self, next: impl Into<Phrase>) -> Self {
        self.0.extend(next.into().0);
        self
    }
}

impl Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(as_typed))
    }
}

/// An option as on the command line.
fn as_typed(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("--{name} {value}"),
        None => format!("--{name}"),
    }
}

/// A part of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Words without options.
    Words(Cow<'static, str>),
    /// An option, without its dashes, and the value that it has or should have.
    Option { name: Cow<'static, str>, value: Option<String> },
}

impl Part {
    /// Of an option.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Option { name, .. } => Some(name),
            Self::Words(_) => None,
        }
    }

    pub(crate) fn words(words: impl Into<Cow<'static, str>>) -> Self {
        Self::Words(words.into())
    }

    pub(crate) fn option(name: impl Into<Cow<'static, str>>) -> Self {
        Self::Option { name: name.into(), value: None }
    }

    pub(crate) fn set(name: impl Into<Cow<'static, str>>, value: impl Display) -> Self {
        Self::Option { name: name.into(), value: Some(value.to_string()) }
    }
}

impl From<Part> for Phrase {
    fn from(part: Part) -> Self {
        Self(vec![part])
    }
}

impl<const PARTS: usize> From<[Part; PARTS]> for Phrase {
    fn from(parts: [Part; PARTS]) -> Self {
        Self(parts.into())
    }
}

impl From<&'static str> for Phrase {
    fn from(words: &'static str) -> Self {
        Part::words(words).into()
    }
}

impl From<String> for Phrase {
    fn from(words: String) -> Self {
        Part::words(words).into()
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Phrase, Refusal};

    #[test]
    fn options_are_keys_of_a_spec_and_words_stay() {
        let expected =
            [Part::set("selection", "grave"), Part::words(" with --bias, "), Part::option("c")];
        let refusal = Refusal::new(expected, [Part::words("no "), Part::option("selection")]);
        assert_eq!(
            refusal.to_string(),
            "expected --selection grave with --bias, --c, found no --selection"
        );
        assert_eq!(refusal.options(), ["selection", "c", "selection"]);
        let refusal = refusal.at(Part::option("a"));
        assert_eq!(
            refusal.in_keys(),
            "a: expected selection grave with --bias, c, found no selection"
        );
        assert_eq!(refusal.options()[0], "a");
    }

    #[test]
    fn phrases_are_joined() {
        let names = ["a", "b"].map(|name| Phrase::from(Part::option(name)));
        let joined = Phrase::join(names, " or ").and(" beside it");
        assert_eq!(joined.to_string(), "--a or --b beside it");
        let text = Refusal::value(joined, "x, found y").to_string();
        assert_eq!(text, "expected --a or --b beside it, found 'x, found y'");
    }
}
