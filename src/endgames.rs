//! Endgames: the solver, asked by the other searchers about positions with few plies left.

use crate::alphabeta::AlphaBetaBuilder;
use crate::evaluate::Evaluate;
use crate::mcts::MctsBuilder;
use crate::oracle::OracleOrder;
use crate::solvable::Solvable;
use crate::solver::endgames;

impl<G: Solvable + 'static> MctsBuilder<G> {
    /// Solves positions with few plies left, where the [game says](Solvable::is_endgame) that they
    /// are, instead of searching them: each becomes a proven win, draw or loss as soon as it would
    /// become a node. The solver has a table of about `bytes`, at least 64, shared by all workers
    /// and not counted by [`memory_limit`](Self::memory_limit). Only for games of two players that
    /// are won, drawn or lost: of points only the sign counts. Needs [`proofs`](Self::proofs).
    /// Default: off.
    ///
    /// The plies of a proof that rests on such a position are an upper limit, and where the game
    /// does not [count](Solvable::COUNTS_PLIES) plies they end at that position.
    ///
    /// What it gains is measured in `docs/measurements/solver.md`.
    pub fn endgames(self, bytes: usize) -> Self {
        self.oracle(OracleOrder::new(bytes, endgames))
    }
}

impl<G: Solvable + 'static, E: Evaluate<G>> AlphaBetaBuilder<G, E> {
    /// Solves positions with few plies left, where the [game says](Solvable::is_endgame) that they
    /// are, instead of searching them to the depth that is left: what the solver answers is proven.
    /// It has a table of about `bytes` bytes, shared by all workers, besides
    /// [`table_bytes`](Self::table_bytes); what it searches is not counted among the nodes. Only
    /// for games that are won, drawn or lost: of points only the sign counts. Default: off.
    ///
    /// The plies of a win or a loss that rests on such an answer are an upper limit. They count to
    /// the solved position where the game [does not count](Solvable::COUNTS_PLIES) them.
    ///
    /// What it gains is measured in `docs/measurements/solver.md`.
    pub fn endgames(self, bytes: usize) -> Self {
        self.oracle(OracleOrder::new(bytes, endgames))
    }
}
