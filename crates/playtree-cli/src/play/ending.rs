//! How a game has ended, in words.

use super::board::End;

/// How a game has ended. Players are 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Its rules say so.
    ByRules(End),
    /// This player has given up.
    Resigned(usize),
    /// The clock of this player is used up: by how much.
    OnTime(usize, String),
    /// The engine has claimed a draw.
    ClaimedDraw,
    /// The engine has lost by a fault of its own.
    Failed(String),
}

impl Ending {
    /// What is said to the person of this side.
    pub(super) fn text(&self, person: usize) -> String {
        let (winner, reason) = match self {
            Self::ByRules(End { winner, by_repetition }) => {
                (*winner, if *by_repetition { "by repetition" } else { "" }.to_owned())
            }
            Self::Resigned(loser) if *loser == person => (Some(1 - loser), "you resign".into()),
            Self::Resigned(loser) => (Some(1 - loser), "it resigns".into()),
            Self::OnTime(loser, late) => (Some(1 - loser), format!("on time: {late}")),
            Self::ClaimedDraw => (None, "the engine claims it".into()),
            Self::Failed(fault) => (Some(person), format!("the engine has failed: {fault}")),
        };
        let result = match winner {
            Some(winner) if winner == person => "you win",
            Some(_) => "the engine wins",
            None => "a draw",
        };
        let reason = if reason.is_empty() { reason } else { format!(" ({reason})") };
        format!("the game is over: {result}{reason}")
    }
}

#[cfg(test)]
mod tests {
    use super::{End, Ending};

    #[test]
    fn the_person_is_you() {
        let by_rules = |winner, by_repetition| Ending::ByRules(End { winner, by_repetition });
        for (ending, text) in [
            (by_rules(Some(1), false), "you win"),
            (by_rules(Some(0), false), "the engine wins"),
            (by_rules(None, true), "a draw (by repetition)"),
            (Ending::Resigned(1), "the engine wins (you resign)"),
            (Ending::Resigned(0), "you win (it resigns)"),
            (Ending::OnTime(1, "late".into()), "the engine wins (on time: late)"),
            (Ending::ClaimedDraw, "a draw (the engine claims it)"),
            (Ending::Failed("x".into()), "you win (the engine has failed: x)"),
        ] {
            assert_eq!(ending.text(1), format!("the game is over: {text}"));
        }
    }
}
