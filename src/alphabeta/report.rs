//! What an alpha-beta search has found: plain data, each field with its unit and point of view.

mod forms;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::budget::StopReason;
use crate::proven::Proven;
use crate::report::per_second;

use super::Score;

/// The result of one [`AlphaBeta`](crate::AlphaBeta) search.
///
/// Scores are those of the side to move **at the root**, also for each move. If only some moves
/// were searched ([`Options::only`](crate::alphabeta::Options::only)), scores and proofs of
/// the root are those of the best of them.
///
/// Displayed and serialized it is as [`report`](crate::report) says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report<M> {
    /// The move to play.
    pub best_move: M,
    /// What the root is worth for its side to move, at [`depth`](Self::depth): at 0, before an
    /// iteration was completed, what the evaluation says of the root as it is.
    pub score: Score,
    /// The root's proven value for its side to move, if there is a proof. The same as
    /// [`Score::proven`] of `score`.
    pub proven: Option<Proven>,
    /// The expected score of the root's side to move, in `[0, 1]`: exact if proven, else what
    /// [`Evaluate::win_rate`](crate::Evaluate::win_rate) makes of the score. If nothing was
    /// searched that is the [value](Self::score) of the root as it is, as
    /// [`Report::win_rate`](crate::mcts::Report#structfield.win_rate) says of all searchers.
    pub win_rate: f64,
    /// The best line, from the best move on.
    pub pv: Vec<M>,
    /// Plies to which the root was searched: of the last iteration that was completed.
    pub depth: u32,
    /// The most plies below the root that the search has looked at.
    pub selective_depth: u32,
    /// Positions searched by all workers, the same one counted as often as it was met.
    pub nodes: u64,
    /// From the call of the search to its report.
    pub elapsed: Duration,
    /// Worker threads used: fewer than the searcher may use where the system had no thread left.
    pub workers: usize,
    /// Why the search ended.
    pub stop_reason: StopReason,
    /// Every legal move of the root, or every one that was to be searched, best first.
    pub moves: Vec<MoveReport<M>>,
    /// Split points at which other workers were invited to help.
    pub splits: u64,
    /// Of those, the ones that were cut off while others still searched there.
    pub aborted_splits: u64,
    /// Positions searched below moves that a cut-off at a split point then made needless.
    pub wasted_nodes: u64,
    /// Time in which workers had nothing to do, all of them together.
    pub idle: Duration,
    /// Full size of the table of bounds, in bytes; 0 without one. It takes less while it grows.
    pub table_bytes: u64,
    /// Entries of that table at full size, one for a position each.
    pub table_entries: u64,
    /// The share of its entries that are in use, from 0 to 1, measured on a sample.
    pub table_used: f64,
}

impl<M> Report<M> {
    /// The reply to the best move that is expected, if one was seen.
    #[must_use]
    pub fn expected_reply(&self) -> Option<&M> {
        self.pv.get(1)
    }

    /// Positions searched per second, all workers together.
    #[must_use]
    pub fn nodes_per_second(&self) -> f64 {
        per_second(self.nodes, self.elapsed)
    }

    /// The moves that are known to be exactly as good as the best one, it included. All of those
    /// that are so, if [`random_choice`](crate::AlphaBetaBuilder::random_choice) was on and an
    /// iteration was completed; else usually the best one alone, as the search does not ask how
    /// much worse another one is.
    pub fn best_moves(&self) -> impl Iterator<Item = &M> {
        let best = |mv: &&MoveReport<M>| {
            mv.bound == ScoreBound::Exact && mv.score.is_some_and(|score| score.equals(self.score))
        };
        self.moves.iter().filter(best).map(|mv| &mv.mv)
    }
}

/// What an alpha-beta search has found about one move of the root.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// What the move is worth for the root's side to move, or a limit of that, as
    /// [`bound`](Self::bound) says; `None` if it was not searched.
    pub score: Option<Score>,
    /// What the score says.
    pub bound: ScoreBound,
    /// Plies to which the root was searched when this was found, this move included.
    pub depth: u32,
    /// Positions searched below this move in that iteration, by the worker that had the move.
    pub nodes: u64,
    /// This move and the best answers, as far as they are known: this move alone unless the score
    /// is exact.
    pub pv: Vec<M>,
}

impl<M> MoveReport<M> {
    /// The proven value of this move for the root's side to move, if there is a proof: a limit of a
    /// score is none.
    #[must_use]
    pub fn proven(&self) -> Option<Proven> {
        self.score.filter(|_| self.bound == ScoreBound::Exact).and_then(Score::proven)
    }
}

/// What the score of a move says. An alpha-beta search finds out how good the best move is, and of
/// the others only that they are no better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreBound {
    /// The move is worth that.
    Exact,
    /// The move is worth at most that.
    AtMost,
    /// The move is worth at least that: the search ended before it was known better.
    AtLeast,
}

impl ScoreBound {
    /// `exact`, `at_most` or `at_least`, as the command line prints it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ScoreBound::Exact => "exact",
            ScoreBound::AtMost => "at_most",
            ScoreBound::AtLeast => "at_least",
        }
    }
}
