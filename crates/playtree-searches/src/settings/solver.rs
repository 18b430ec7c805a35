//! The settings of the solver.

use playtree::solver::{Aim, Method, RootMoves};
use playtree::{Solvable, Solver, SolverBuilder};
use serde::{Deserialize, Serialize};

use super::set;

/// The settings of the solver: each is what the setter of that name says of [`SolverBuilder`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "each is a setter of the builder, by its name")]
pub struct SolverSettings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oversubscribe: Option<bool>,
    /// In bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aim: Option<Aim>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_moves: Option<RootMoves>,
}

impl SolverSettings {
    /// A builder with these settings.
    pub(crate) fn builder<G: Solvable>(&self) -> SolverBuilder<G> {
        let mut builder = Solver::<G>::builder();
        set!(builder, self: threads, oversubscribe, memory_limit, method, aim, root_moves);
        builder
    }
}
