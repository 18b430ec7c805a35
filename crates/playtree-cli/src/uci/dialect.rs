//! Where UCI and UCCI differ.

use crate::protocols::Variation;

/// Which of the two is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Uci,
    Ucci,
}

/// What a won game is worth in UCCI, less a point for each ply until then.
const UCCI_MATE: i64 = 10_000;

impl Dialect {
    /// What ends an introduction.
    pub(super) fn ok(self) -> &'static str {
        match self {
            Self::Uci => "uciok",
            Self::Ucci => "ucciok",
        }
    }

    /// What is said in place of a move where there is none.
    pub(super) fn no_move(self) -> &'static str {
        match self {
            Self::Uci => "bestmove (none)",
            Self::Ucci => "nobestmove",
        }
    }

    /// The score of a line of play, with its word.
    pub(super) fn score(self, variation: &Variation) -> String {
        let mate = variation.moves_to_mate();
        match (self, mate) {
            (Self::Uci, Some(moves)) => format!("score mate {moves}"),
            (Self::Uci, None) => format!("score cp {}", variation.centipawns()),
            (Self::Ucci, Some(moves)) => {
                let plies = variation.proven.and_then(playtree::Proven::plies).unwrap_or(0);
                format!("score {}", moves.signum() * (UCCI_MATE - i64::from(plies)))
            }
            (Self::Ucci, None) => format!("score {}", variation.centipawns()),
        }
    }
}
