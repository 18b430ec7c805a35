//! Endgames for other searches: a solver that answers in far less than a millisecond or not at all.

use std::mem;
use std::sync::Arc;

use crate::budget::Budget;
use crate::oracle::Oracle;
use crate::solvable::{Limits, Solvable, Worth};
use crate::stop::Positions;
use crate::sync::Mutex;

use super::builder::{Aim, RootMoves, Settings};
use super::facts::{Fact, Facts};
use super::frame::Frame;
use super::numbers::{limits_of, place_of};
use super::root::Plan;
use super::worker::{Shared, Worker};

/// An oracle with a table of `bytes`; `None` if there is no memory for it.
pub(crate) fn endgames<G: Solvable + 'static>(bytes: usize) -> Option<Arc<dyn Oracle<G>>> {
    Some(Arc::new(Endgames::<G>::new(bytes)?))
}

/// A table of facts that is asked where the game says that the end is near
/// ([`Solvable::is_endgame`]).
struct Endgames<G: Solvable> {
    facts: Facts,
    /// The lists of moves of the workers that have asked before: to make them takes longer than
    /// many an answer.
    rooms: Mutex<Vec<Vec<Frame<G>>>>,
}

/// The most positions of one answer: a fraction of a millisecond.
const MOST_NODES: u64 = 2_000;

impl<G: Solvable> Endgames<G> {
    fn new(bytes: usize) -> Option<Self> {
        Some(Self { facts: Facts::new(bytes)?, rooms: Mutex::new(Vec::new()) })
    }

    fn solve(&self, state: &G) -> Option<Worth> {
        let settings = Settings {
            method: G::METHOD,
            aim: Aim::Winner,
            root_moves: RootMoves::One,
            memory_limit: self.facts.bytes(),
        };
        let positions = Positions::start(&Budget::nodes(MOST_NODES));
        let shared = Shared::new(&self.facts, &positions, settings.method, 1);
        let mut plan = Plan::new(state, Vec::new(), settings).ok()?;
        let mut worker = Worker::new(&shared);
        worker.take_room(self.rooms.lock().pop().unwrap_or_default());
        let worth = plan.settle(&mut worker);
        self.rooms.lock().push(mem::take(&mut worker.frames));
        worth
    }
}

impl<G: Solvable> Oracle<G> for Endgames<G> {
    fn worth(&self, state: &G) -> Option<Worth> {
        if !G::SETTLED_BY_KEY || !state.is_endgame() || state.outcome().is_some() {
            return None;
        }
        let place = place_of(state);
        let ((mut least, mut most), mut effort) = (limits_of(state), 0);
        if let Some(fact) = self.facts.get(place) {
            (least, most) = (least.max(fact.least), most.min(fact.most));
            effort = fact.effort;
        }
        // What has cost that much, and is not known, is not asked again.
        let given_up = MOST_NODES.ilog2() as u8;
        let known = Limits { least: Worth::of(least), most: Worth::of(most) }.decided();
        if known.is_some() || effort >= given_up {
            return known;
        }
        let found = self.solve(state);
        if found.is_none() {
            self.facts.put(place, Fact { least, most, mv: None, effort: given_up });
        }
        found
    }

    fn forget(&self) {
        self.facts.clear();
    }
}
