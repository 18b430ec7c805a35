//! Why something was not done.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// What kind of mistake it is.
    #[serde(skip, default = "Kind::wrong")]
    pub kind: Kind,
    /// A name that stays the same from version to version.
    pub code: String,
    /// What was expected and what was found.
    pub message: String,
}

/// Kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The request is wrong, here and always.
    Wrong,
    /// There is no such thing.
    Missing,
    /// The game is not in a state for it.
    Unready,
    /// There is no room for it now.
    Full,
    /// It may not be asked from there.
    Forbidden,
}

impl Kind {
    fn wrong() -> Self {
        Self::Wrong
    }

    /// The status that HTTP has for it.
    #[must_use]
    pub fn status(self) -> u16 {
        match self {
            Self::Wrong => 400,
            Self::Missing => 404,
            Self::Unready => 409,
            Self::Full => 429,
            Self::Forbidden => 403,
        }
    }
}

impl Refusal {
    /// A refusal of this kind.
    pub fn new(kind: Kind, code: &str, message: impl Display) -> Self {
        Self { kind, code: code.to_owned(), message: message.to_string() }
    }

    /// Of a request that is wrong.
    pub fn wrong(code: &str, message: impl Display) -> Self {
        Self::new(Kind::Wrong, code, message)
    }
}

impl From<playtree_session::Error> for Refusal {
    fn from(error: playtree_session::Error) -> Self {
        let kind = match error.code() {
            "session.no-move" | "session.no-search" | "search.game-over" => Kind::Unready,
            _ => Kind::Wrong,
        };
        Self::new(kind, error.code(), error)
    }
}
