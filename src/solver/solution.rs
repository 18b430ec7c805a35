//! What a solver has found: plain data, each field with its unit and point of view.

mod forms;

use std::time::Duration;

use crate::budget::StopReason;
use crate::proven::Proven;
use crate::report::per_second;
use crate::solvable::{Limits, Worth};

pub(super) use forms::cost;

/// What is certain of a position: the answer of a [`Solver`](crate::Solver), whole or as far as the
/// budget went. Everything is for the side to move at the root, also of each move.
///
/// Displayed and serialized it is as [`report`](crate::report) says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Solution<M> {
    /// What the position is worth with best play: at least that, and at most that. If nothing was
    /// searched, all that the game says of it ([`Solvable::limits`](crate::Solvable::limits)).
    pub limits: Limits,
    /// Whether everything was found out that was asked for. If not, the limits and moves are as
    /// right as ever, and another search goes on where this one stopped.
    pub is_complete: bool,
    /// Every legal move, best first.
    pub moves: Vec<SolvedMove<M>>,
    /// The share of the last question that the search has asked itself that is done, from 0 to 1,
    /// as if all moves of the first plies took the same time: a rough estimate, and 0 for a
    /// question that proof numbers answer. 1 if the solution is complete.
    pub question_share: f64,
    /// Positions searched, all workers together.
    pub nodes: u64,
    /// From the call of the search to its answer.
    pub elapsed: Duration,
    /// Memory of the table and the workers, in bytes: the most that was held at a time.
    pub peak_bytes: u64,
    /// The share of the table that is in use, from 0 to 1, measured on a sample.
    pub table_used: f64,
    /// Worker threads used: fewer than the searcher may use where the system had no thread left.
    pub workers: usize,
    /// Why the search ended: `Proven` if it is complete.
    pub stop_reason: StopReason,
}

impl<M> Solution<M> {
    /// The points of the position, if they are certain.
    #[must_use]
    pub fn points(&self) -> Option<i32> {
        self.limits.points()
    }

    /// Whether the position is won, drawn or lost, if that is certain, with the plies of the
    /// shortest win or longest loss as far as it is known ([`distance`](Self::distance) says if it
    /// is exact).
    #[must_use]
    pub fn proven(&self) -> Option<Proven> {
        self.limits.proven()
    }

    /// The plies to the end of the game, if the winner hurries and the loser holds out as long as
    /// he can; `None` for a draw, where it is not certain, and where the game does not count them.
    #[must_use]
    pub fn distance(&self) -> Option<u32> {
        self.limits.distance()
    }

    /// Positions searched per second, all workers together.
    #[must_use]
    pub fn nodes_per_second(&self) -> f64 {
        per_second(self.nodes, self.elapsed)
    }

    /// The moves that are known to keep what the position is worth, as far as it is known for
    /// certain: its points, or else its result. All of those that do, if that was [asked
    /// for](crate::solver::RootMoves::Best) and the solution is complete. The quickest win comes
    /// first.
    pub fn best_moves(&self) -> impl Iterator<Item = &M> {
        let least = self.limits.least.points;
        let certain = self.points().is_some();
        // With the result only: every win is as good as another one.
        let least = if certain { least } else { least.signum() };
        let best =
            move |mv: &&SolvedMove<M>| mv.limits.least.points >= least && (certain || least > 0);
        self.moves.iter().filter(best).map(|mv| &mv.mv)
    }
}

/// What is certain about one move of the root, for the side that plays it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolvedMove<M> {
    /// The move.
    pub mv: M,
    /// What the position is worth if it is played, that ply included.
    pub limits: Limits,
}

impl<M> SolvedMove<M> {
    /// The points, if they are certain.
    #[must_use]
    pub fn points(&self) -> Option<i32> {
        self.limits.points()
    }

    /// The worth, if it is certain.
    #[must_use]
    pub fn worth(&self) -> Option<Worth> {
        self.limits.exact()
    }
}
