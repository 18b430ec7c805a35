//! Endgames for other searches: a solver that answers in far less than a millisecond or not at all.

use crate::budget::Budget;
use crate::control::Control;
use crate::solvable::{Solvable, Worth};

use super::builder::{Aim, RootMoves, Settings};
use super::facts::Facts;
use super::root::Plan;
use super::worker::{self, Shared};

/// What a search asks about positions with few plies left. Shared by all workers.
pub(crate) trait Oracle<G>: Send + Sync {
    /// What the position is worth for its side to move, if that is found out at once: the points,
    /// and the plies by some line that leads to them. The game goes on there.
    fn worth(&self, state: &G) -> Option<Worth>;

    /// Forgets everything, so that the next search goes as the first one did.
    fn forget(&self);
}

/// A table of facts that is asked where the game says that the end is near
/// ([`Solvable::is_endgame`]).
pub(crate) struct Endgames {
    facts: Facts,
}

/// The most positions of one answer: a fraction of a millisecond.
const MOST_NODES: u64 = 2_000;

impl Endgames {
    /// With a table of so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { facts: Facts::new(bytes) }
    }
}

impl<G: Solvable> Oracle<G> for Endgames {
    fn worth(&self, state: &G) -> Option<Worth> {
        if !G::SETTLED_BY_KEY || !state.is_endgame() {
            return None;
        }
        let settings = Settings {
            method: G::METHOD,
            aim: Aim::Points,
            root_moves: RootMoves::One,
            memory_limit: self.facts.bytes(),
        };
        let control = Control::start(&Budget::nodes(MOST_NODES));
        let shared = Shared::new(&self.facts, &control, settings.method, 1);
        let mut plan = Plan::new(state, Vec::new(), settings);
        worker::run(&shared, |worker| plan.settle(worker))
    }

    fn forget(&self) {
        self.facts.clear();
    }
}
