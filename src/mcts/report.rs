//! What a Monte Carlo search has found: plain data, each field with its unit and point of view.

mod forms;
mod node;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use node::{BranchReport, NodeReport};

use crate::budget::StopReason;
use crate::proven::Proven;
use crate::report::per_second;

/// The result of one search.
///
/// Win rates are expected scores in `[0, 1]` (1 a win, 1/2 a draw, 0 a loss) of the side
/// to move **at the root**, also for each move. With
/// [`contempt`](crate::MctsBuilder::contempt) a draw counts what that says. If only some moves
/// were searched ([`Options::only`](crate::mcts::Options::only)), win rates and proofs of the
/// root are those of the best of them.
///
/// Displayed and serialized it is as [`report`](crate::report) says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report<M> {
    /// The move to play: by proof where there is one, else the one with most visits; or as the
    /// [temperature](crate::mcts::Options::temperature) says. Which of several equal ones, is
    /// up to the seed.
    pub best_move: M,
    /// The root's win rate, for the side to move there; exact if proven.
    ///
    /// # If nothing was searched
    /// Each searcher answers with what it knows, whatever has stopped it and however soon: a legal
    /// move, and for what the position is worth a proof, or what was found so far, by earlier
    /// searches too. If it knows nothing, nothing looks won or lost: this is 1/2, as are all
    /// [scores](Self::scores), and that of each move is `None`. An
    /// [`AlphaBeta`](crate::AlphaBeta) that has not completed an iteration answers with what its
    /// evaluation says of the root as it is, a [`Solver`](crate::Solver) with all that the game
    /// allows.
    pub win_rate: f64,
    /// The root's expected score for each player, first player first.
    pub scores: Vec<f64>,
    /// The root's proven value for its side to move, if there is a proof.
    pub proven: Option<Proven>,
    /// Simulations of this search, dropped ones included.
    pub simulations: u64,
    /// From the call of the search to its report.
    pub elapsed: Duration,
    /// Nodes in the table, re-used ones included.
    pub nodes: u64,
    /// Memory held by nodes, edges, moves and the table, in bytes.
    pub bytes: u64,
    /// Simulations of this search whose update was dropped (node lock policy `Yield`).
    pub dropped: u64,
    /// Updates handed to the holder of a busy lock (node lock policy `Defer`).
    pub deferred: u64,
    /// Times a node lock was found busy.
    pub contended: u64,
    /// Worker threads used: fewer than the searcher may use where the system had no thread left.
    pub workers: usize,
    /// Why the search ended.
    pub stop_reason: StopReason,
    /// Whether the memory limit has been reached since the engine was made or cleared.
    pub memory_full: bool,
    /// Nodes that this search has evicted to make room for others.
    pub evicted: u64,
    /// Every legal move of the root, or every one that was to be searched, best first.
    pub moves: Vec<MoveReport<M>>,
    /// What a [network](crate::MctsBuilder::network) was asked; `None` without one.
    pub network: Option<NetworkReport>,
}

/// What a search has asked its network, counted when it has ended. In the reports of a search in
/// the background that is under way these are 0; those of [`Steps`](crate::mcts::Steps) have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NetworkReport {
    /// Positions that it was asked about and has answered.
    pub evaluations: u64,
    /// Calls that they were in.
    pub calls: u64,
    /// Those of the positions that were answered from memory, as
    /// [`Cached`](crate::evaluate::Cached) does.
    pub cached: u64,
}

impl NetworkReport {
    /// Positions of a call, on average; 0 without a call.
    #[must_use]
    pub fn mean_batch(&self) -> f64 {
        self.evaluations as f64 / self.calls.max(1) as f64
    }
}

impl<M> Report<M> {
    /// Visits of all moves: what the answer rests on, re-used visits included. So
    /// `visits() - simulations`, about, is what was known before the search: of an earlier one, or
    /// from pondering. A position that was passed more than 2^31 times before it became the root
    /// [has fewer](crate#memory) than it was passed.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.moves.iter().map(|mv| mv.visits).sum()
    }

    /// The reply to the best move that is expected, if one was seen.
    #[must_use]
    pub fn expected_reply(&self) -> Option<&M> {
        self.moves.first()?.pv.get(1)
    }

    /// Simulations per second of this search.
    #[must_use]
    pub fn simulations_per_second(&self) -> f64 {
        per_second(self.simulations, self.elapsed)
    }
}

/// What a search has found about one move of the root.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// Simulations that passed this move, re-used ones included.
    pub visits: u64,
    /// Expected score of the root's side to move after this move, in `[0, 1]`; `None` if
    /// it was never visited and nothing is proven.
    pub win_rate: Option<f64>,
    /// Lower 95 % confidence bound of `win_rate`, in `[0, 1]`: `None` as for
    /// `win_rate`.
    pub lcb: Option<f64>,
    /// The proven value of this move for the root's side to move.
    pub proven: Option<Proven>,
    /// Principal variation: this move and the best answers, as far as the tree reaches. This
    /// move alone if the report was to give fewer
    /// [in detail](crate::mcts::Options::detailed).
    pub pv: Vec<M>,
    /// The share that the policy of a network gives this move, in `[0, 1]`; `None` if the selection
    /// goes by no priors.
    pub prior: Option<f64>,
    /// The share that the search gives this move after the policy of the network and the win rates
    /// found, in `[0, 1]`: what a network is to learn. `None` without
    /// [`Gumbel`](crate::mcts::Gumbel) at the root.
    pub policy: Option<f64>,
}
