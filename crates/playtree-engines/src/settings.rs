//! The settings of the searchers as plain data. What is not given stays at the library's default.
//!
//! As JSON a searcher with two settings is `{"mcts": {"threads": 2, "warm_up": 4}}`; a setting
//! that there is not, or one out of its range, is an error.

use serde::{Deserialize, Serialize};

pub use playtree_searches::settings::{AlphaBetaSettings, MctsSettings, SolverSettings};

/// A searcher with its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "there are few, and none is moved in a loop")]
pub enum Settings {
    /// The Monte Carlo search.
    Mcts(MctsSettings),
    /// The alpha-beta search.
    AlphaBeta(AlphaBetaSettings),
    /// The solver.
    Solver(SolverSettings),
}

/// The Monte Carlo search.
impl Default for Settings {
    fn default() -> Self {
        Self::Mcts(MctsSettings::default())
    }
}

impl From<MctsSettings> for Settings {
    fn from(settings: MctsSettings) -> Self {
        Self::Mcts(settings)
    }
}

impl From<AlphaBetaSettings> for Settings {
    fn from(settings: AlphaBetaSettings) -> Self {
        Self::AlphaBeta(settings)
    }
}

impl From<SolverSettings> for Settings {
    fn from(settings: SolverSettings) -> Self {
        Self::Solver(settings)
    }
}
