//! Reading what a solver has found so far, while it goes on.

use std::fmt;
use std::sync::Arc;

use crate::solvable::Limits;
use crate::sorting::sort_by_number;
use crate::stop::Positions;
use crate::sync::{AtomicU64, Mutex, Ordering};

use super::facts::Facts;
use super::solution::{Solution, SolvedMove};

/// Called with what to read of a search, before its first position is searched.
pub(super) type Show<'a, M> = &'a mut dyn FnMut(Arc<Live<M>>);

/// What a search has found so far, as others may read it. The lead writes here what an answer has
/// shown, some dozens of times in a search and once more for each move.
pub(super) struct Live<M> {
    /// The moves of the root, as the game lists them.
    moves: Vec<M>,
    found: Mutex<Found>,
    /// The bits of the share of the question under way that is done.
    share: AtomicU64,
}

/// What changes as answers come.
pub(super) struct Found {
    pub(super) limits: Limits,
    /// What is certain of each move.
    pub(super) moves: Vec<Limits>,
    pub(super) is_complete: bool,
    /// The most bytes that were held at a time.
    pub(super) peak_bytes: u64,
    /// The table that is searched with.
    facts: Option<Arc<Facts>>,
}

impl<M> Live<M> {
    /// What is known before the search: of the position, and of each of its moves.
    pub(super) fn new(limits: Limits, moves: Vec<M>, of_moves: Vec<Limits>) -> Self {
        let found =
            Found { limits, moves: of_moves, is_complete: false, peak_bytes: 0, facts: None };
        Self { moves, found: Mutex::new(found), share: AtomicU64::new(0) }
    }

    /// Writes down what an answer has shown.
    pub(super) fn write(&self, change: impl FnOnce(&mut Found)) {
        change(&mut self.found.lock());
    }

    /// Sets the table that is searched with.
    pub(super) fn set_facts(&self, facts: Option<Arc<Facts>>) {
        let mut found = self.found.lock();
        let bytes = facts.as_ref().map_or(0, |facts| facts.bytes() as u64);
        found.peak_bytes = found.peak_bytes.max(bytes);
        let before = std::mem::replace(&mut found.facts, facts);
        drop(found);
        // Without the lock: to give a large table back takes the system its time.
        drop(before);
    }

    /// Sets the share of the question under way that is done, from 0 to 1.
    pub(super) fn set_share(&self, share: f64) {
        // Relaxed: a reader that gets an old one shows an estimate of a moment ago.
        self.share.store(share.to_bits(), Ordering::Relaxed);
    }
}

impl<M: Clone> Live<M> {
    /// What the solution would be if the search ended now.
    fn solution(&self, positions: &Positions) -> Solution<M> {
        // Read first: a search that has ended has written down everything before.
        let stop_reason = positions.reason();
        let found = self.found.lock();
        let Found { limits, is_complete, peak_bytes, .. } = *found;
        let of_moves = found.moves.clone();
        // Under the lock, so that the table is given back when the search goes over to another one.
        let table_used = found.facts.as_ref().map_or(0.0, |facts| facts.used());
        drop(found);
        let solved = |(mv, limits): (&M, Limits)| SolvedMove { mv: mv.clone(), limits };
        let mut moves: Vec<_> = self.moves.iter().zip(of_moves).map(solved).collect();
        sort_by_number(&mut moves, |mv| -mv.limits.number());
        let share = f64::from_bits(self.share.load(Ordering::Relaxed));
        Solution {
            limits,
            is_complete,
            moves,
            question_share: if is_complete { 1.0 } else { share },
            nodes: positions.visited(),
            elapsed: positions.stop.elapsed(),
            peak_bytes,
            table_used,
            workers: positions.stop.workers(),
            stop_reason,
        }
    }
}

/// A search under way, as others may read it.
pub struct View<M> {
    live: Arc<Live<M>>,
    positions: Arc<Positions>,
}

impl<M: Clone> View<M> {
    pub(super) fn new(live: Arc<Live<M>>, positions: Arc<Positions>) -> Self {
        Self { live, positions }
    }

    /// The solution so far.
    pub(super) fn solution(&self) -> Solution<M> {
        self.live.solution(&self.positions)
    }
}

impl<M> fmt::Debug for View<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").finish_non_exhaustive()
    }
}
