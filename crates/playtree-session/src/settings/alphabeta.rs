//! The settings of the alpha-beta search.

use playtree::alphabeta::ParallelMode;
use playtree::evaluate::NoEvaluation;
use playtree::games::TicTacToe;
use playtree::{AlphaBeta, AlphaBetaBuilder, ConfigError, Evaluate, Solvable};

use super::set;

/// The settings of the alpha-beta search: each is what the setter of that name says of
/// [`AlphaBetaBuilder`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is a setter of the builder, by its name")]
pub struct AlphaBetaSettings {
    pub threads: Option<usize>,
    pub oversubscribe: Option<bool>,
    pub seed: Option<u64>,
    pub mode: Option<ParallelMode>,
    pub max_root_tasks: Option<usize>,
    pub max_threads_per_split: Option<usize>,
    /// In plies.
    pub min_split_depth: Option<u32>,
    /// `Some(None)` is no table.
    pub table_bytes: Option<Option<usize>>,
    pub pvs: Option<bool>,
    /// Half of the window; `Some(None)` is none.
    pub aspiration: Option<Option<i32>>,
    pub killers: Option<bool>,
    pub history: Option<bool>,
    pub quiescence: Option<bool>,
    pub check_extension: Option<bool>,
    pub null_move: Option<bool>,
    pub reductions: Option<bool>,
    pub random_choice: Option<bool>,
    /// Bytes of the table for [endgames](AlphaBetaBuilder::endgames).
    pub endgames: Option<usize>,
}

impl AlphaBetaSettings {
    /// Refuses what the searcher would refuse.
    ///
    /// # Errors
    /// If a setting is out of its range, or two contradict each other.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.builder::<TicTacToe, _>(NoEvaluation).build().map(drop)
    }

    /// A builder with these settings.
    pub(crate) fn builder<G: Solvable + 'static, E: Evaluate<G>>(
        &self,
        evaluation: E,
    ) -> AlphaBetaBuilder<G, E> {
        let mut builder = AlphaBeta::builder(evaluation);
        set!(builder, self: threads, oversubscribe, seed, mode, max_root_tasks,
            max_threads_per_split, min_split_depth, table_bytes, pvs, aspiration, killers, history,
            quiescence, check_extension, null_move, reductions, random_choice, endgames);
        builder
    }
}
