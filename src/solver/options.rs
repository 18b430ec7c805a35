//! The options of one search.

use serde::{Deserialize, Serialize};

/// What one search of a [`Solver`](crate::Solver) may be given besides its position and its budget:
/// nothing yet. The question and the moves that it is about are settings of the solver
/// ([`SolverBuilder::aim`](crate::SolverBuilder::aim) and
/// [`root_moves`](crate::SolverBuilder::root_moves)).
///
/// For generic code: every [`Searcher`](crate::Searcher) has options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
#[must_use]
pub struct Options {}

impl Options {
    /// No option set.
    pub fn new() -> Self {
        Self::default()
    }
}
