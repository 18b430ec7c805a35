//! The settings of the alpha-beta search.

use playtree::alphabeta::ParallelMode;
use playtree::evaluate::NoEvaluation;
use playtree::games::TicTacToe;
use playtree::{AlphaBeta, AlphaBetaBuilder, ConfigError, Evaluate, Solvable};
use serde::{Deserialize, Serialize};

use super::set;

/// The settings of the alpha-beta search: each is what the setter of that name says of
/// [`AlphaBetaBuilder`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "each is a setter of the builder, by its name")]
pub struct AlphaBetaSettings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oversubscribe: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<ParallelMode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_root_tasks: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_threads_per_split: Option<usize>,
    /// In plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_split_depth: Option<u32>,
    /// In bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_bytes: Option<usize>,
    /// Whether it has no table, whatever `table_bytes` says.
    pub no_table: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pvs: Option<bool>,
    /// Half of the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aspiration: Option<i32>,
    /// Whether it has no such window, whatever `aspiration` says.
    pub no_aspiration: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub killers: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiescence: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_extension: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub null_move: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reductions: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_choice: Option<bool>,
    /// Bytes of the table for [endgames](AlphaBetaBuilder::endgames).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgames: Option<usize>,
}

impl AlphaBetaSettings {
    /// Refuses what the searcher would refuse.
    ///
    /// # Errors
    /// If a setting is out of its range, or two contradict each other.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.builder::<TicTacToe, _>(NoEvaluation).check()
    }

    /// A builder with these settings.
    pub(crate) fn builder<G: Solvable + 'static, E: Evaluate<G>>(
        &self,
        evaluation: E,
    ) -> AlphaBetaBuilder<G, E> {
        let mut builder = AlphaBeta::builder(evaluation);
        set!(builder, self: threads, oversubscribe, seed, mode, max_root_tasks,
            max_threads_per_split, min_split_depth, pvs, killers, history, quiescence,
            check_extension, null_move, reductions, random_choice, endgames);
        if self.no_table || self.table_bytes.is_some() {
            builder = builder.table_bytes(self.table_bytes.filter(|_| !self.no_table));
        }
        if self.no_aspiration || self.aspiration.is_some() {
            builder = builder.aspiration(self.aspiration.filter(|_| !self.no_aspiration));
        }
        builder
    }
}
