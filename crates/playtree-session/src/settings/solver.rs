//! The settings of the solver.

use playtree::solver::{Aim, Method, RootMoves};
use playtree::{Solvable, Solver, SolverBuilder};

use super::set;

/// The settings of the solver: each is what the setter of that name says of [`SolverBuilder`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is a setter of the builder, by its name")]
pub struct SolverSettings {
    pub threads: Option<usize>,
    pub oversubscribe: Option<bool>,
    /// In bytes.
    pub memory_limit: Option<usize>,
    pub method: Option<Method>,
    pub aim: Option<Aim>,
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
