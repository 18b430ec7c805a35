//! What an engine has found.

use std::fmt;

use playtree::report::{AsText, Table, Text, Words};
use playtree::solver::Solution;
use playtree::{StopReason, alphabeta, mcts};
use serde::Serialize;

/// The report of a search, whatever the searcher, with moves as texts.
///
/// Displayed it is a text for people; serialized it is the report inside.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Report {
    /// Of the Monte Carlo search.
    Mcts(mcts::Report<String>),
    /// Of the alpha-beta search.
    AlphaBeta(alphabeta::Report<String>),
    /// Of the solver.
    Solver(Solution<String>),
}

impl Report {
    /// The move to play.
    #[must_use]
    pub fn best_move(&self) -> &str {
        match self {
            Self::Mcts(report) => &report.best_move,
            Self::AlphaBeta(report) => &report.best_move,
            Self::Solver(solution) => solution.moves.first().map_or("", |found| &found.mv),
        }
    }

    /// The score that the side to move expects, in [0, 1]; `None` where the solver is not sure.
    #[must_use]
    pub fn win_rate(&self) -> Option<f64> {
        match self {
            Self::Mcts(report) => Some(report.win_rate),
            Self::AlphaBeta(report) => Some(report.win_rate),
            Self::Solver(_) => None,
        }
    }

    /// Why the search ended, or that it goes on.
    #[must_use]
    pub fn stop_reason(&self) -> StopReason {
        match self {
            Self::Mcts(report) => report.stop_reason,
            Self::AlphaBeta(report) => report.stop_reason,
            Self::Solver(solution) => solution.stop_reason,
        }
    }

    fn inner(&self) -> &dyn AsText {
        match self {
            Self::Mcts(report) => report,
            Self::AlphaBeta(report) => report,
            Self::Solver(solution) => solution,
        }
    }
}

impl AsText for Report {
    fn table(&self) -> Table {
        self.inner().table()
    }

    fn answer(&self) -> String {
        self.inner().answer()
    }

    fn cost(&self, words: &Words) -> String {
        self.inner().cost(words)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Text::new(self).fmt(f)
    }
}
