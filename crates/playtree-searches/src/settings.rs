//! The settings of the searchers as plain data. What is not given stays at the library's default.

mod alphabeta;
mod mcts;
mod network;
mod solver;

pub use alphabeta::AlphaBetaSettings;
pub use mcts::MctsSettings;
pub use solver::SolverSettings;

/// Calls each setter whose value is given.
macro_rules! set {
    ($builder:ident, $settings:ident: $($name:ident),+ $(,)?) => {
        $(if let Some(value) = $settings.$name { $builder = $builder.$name(value); })+
    };
}

use set;
