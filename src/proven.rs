//! A proven value of a position.

use std::fmt;

use serde::{Serialize, Serializer};

/// A proven, not estimated, value of a two-player position. The point of view is stated by
/// the field that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// As [`as_str`](Proven::as_str) says: without the plies.
impl Serialize for Proven {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
