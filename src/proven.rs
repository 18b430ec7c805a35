//! A proven value of a position.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A proven, not estimated, value of a two-player position. The point of view is stated by
/// the field that holds it.
///
/// Serialized it is `{"win": {"plies": 3}}`; in reports it is two fields, `proven` (the
/// [word](Self::as_str)) and `proven_plies`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proven {
    /// A forced win in this many plies by the shortest line known.
    Win {
        /// Plies to the end of the game.
        plies: u32,
    },
    /// A draw with best play.
    Draw,
    /// A loss in this many plies by the longest line known.
    Loss {
        /// Plies to the end of the game.
        plies: u32,
    },
}

impl Proven {
    /// The exact score: 1, 1/2 or 0.
    #[must_use]
    pub fn score(self) -> f64 {
        match self {
            Proven::Win { .. } => 1.0,
            Proven::Draw => 0.5,
            Proven::Loss { .. } => 0.0,
        }
    }

    /// The plies to the end of the game; `None` for a draw.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        match self {
            Proven::Win { plies } | Proven::Loss { plies } => Some(plies),
            Proven::Draw => None,
        }
    }

    /// `win`, `draw` or `loss`, as the command line prints it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Proven::Win { .. } => "win",
            Proven::Draw => "draw",
            Proven::Loss { .. } => "loss",
        }
    }
}

impl fmt::Display for Proven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proven::Win { plies } => write!(f, "win in {plies}"),
            Proven::Draw => f.write_str("draw"),
            Proven::Loss { plies } => write!(f, "loss in {plies}"),
        }
    }
}

/// The serialized form of a proof in a report, beside a field for the plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Word {
    Win,
    Draw,
    Loss,
}

impl Word {
    pub(crate) fn of(proven: Option<Proven>) -> Option<Self> {
        proven.map(|proven| match proven {
            Proven::Win { .. } => Word::Win,
            Proven::Draw => Word::Draw,
            Proven::Loss { .. } => Word::Loss,
        })
    }

    /// The proof of both fields.
    pub(crate) fn with_plies(
        word: Option<Self>,
        plies: Option<u32>,
    ) -> Result<Option<Proven>, String> {
        match (word, plies) {
            (Some(Word::Win), Some(plies)) => Ok(Some(Proven::Win { plies })),
            (Some(Word::Loss), Some(plies)) => Ok(Some(Proven::Loss { plies })),
            (Some(Word::Draw), None) => Ok(Some(Proven::Draw)),
            (None, None) => Ok(None),
            (word, plies) => Err(format!(
                "proven_plies: expected the plies of a win or a loss and else none, found {plies:?} \
                 for {word:?}"
            )),
        }
    }
}
