//! Stopping a searcher that visits one position after the other: alpha-beta and the solver.

use crate::budget::{Budget, Leader, StopReason};
use crate::clock::nanos;
use crate::sync::{AtomicU32, AtomicU64, Ordering};

use super::{Interval, Known, Padded, Rules, Stop};

/// The positions that the workers of one search have visited, and what stops them.
#[derive(Debug)]
pub struct Positions {
    pub(crate) stop: Stop,
    /// As far as the workers have added theirs.
    visited: Padded<AtomicU64>,
    /// Iterations that the lead has completed: the depth of the last one.
    depth: AtomicU32,
    rules: Rules,
}

impl Positions {
    /// Starts the clock.
    pub(crate) fn start(budget: &Budget) -> Self {
        Self {
            stop: Stop::start(budget),
            visited: Padded(AtomicU64::new(0)),
            depth: AtomicU32::new(0),
            rules: Rules::new(budget),
        }
    }

    /// Positions visited so far, as far as the workers have added theirs.
    pub(crate) fn visited(&self) -> u64 {
        self.visited.0.load(Ordering::Relaxed)
    }

    /// The depth of the last iteration that the lead has completed.
    pub(crate) fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Why the search has ended, if it has.
    pub(crate) fn reason(&self) -> StopReason {
        self.stop.reason().unwrap_or(StopReason::Running)
    }

    /// Adds the positions that a worker has visited since its last call, and looks at every limit.
    /// Returns how many it may visit until the next one.
    fn add(&self, visited: u64) -> u64 {
        let total = self.visited.0.fetch_add(visited, Ordering::Relaxed) + visited;
        if !self.stop.check(total) && self.rules.is_due(total, self.stop.clock()) {
            self.end_if(self.rules.ask_due(|known| self.measure(known), |_, _| {}));
        }
        self.left(total).max(1)
    }

    /// Positions that one worker may visit until a limit or a rule has to be looked at.
    fn left(&self, visited: u64) -> u64 {
        // Its share of those of all.
        let until_cut = self.rules.left_until_cut(visited) / self.stop.workers().max(1) as u64;
        self.stop.nodes_left(visited).min(until_cut)
    }

    fn measure(&self, known: &mut Known) {
        let visited = self.visited();
        known.progress.nodes = visited;
        known.set_now(visited, self.stop.elapsed());
    }

    fn ask_all(&self) {
        if !self.rules.is_empty() && !self.stop.is_stopped() {
            self.end_if(self.rules.ask_all(|known| self.measure(known)));
        }
    }

    fn end_if(&self, reason: Option<StopReason>) {
        if let Some(reason) = reason {
            self.stop.stop(reason);
        }
    }

    /// Sets how many moves the root has. Before the search.
    pub(crate) fn set_root(&self, moves: usize) {
        self.rules.note(|known| {
            known.progress.root_moves = u32::try_from(moves).unwrap_or(u32::MAX);
            // No count of visits speaks for any move, but there is another one.
            known.progress.second = (moves > 1).then(Leader::default);
        });
        self.ask_all();
    }

    /// Notes that the lead has found another best move, or another value for it.
    pub(crate) fn best_is(&self, win_rate: f64, has_changed: bool) {
        self.rules.note(|known| {
            if has_changed {
                known.best_has_changed(self.visited(), self.stop.elapsed());
            }
            known.progress.best.win_rate = Some(win_rate);
            known.progress.best_is_highest = true;
        });
    }

    /// Notes that the value of the best move has fallen, and that it may not be the best any more.
    pub(crate) fn best_is_in_doubt(&self) {
        self.rules.note(|known| known.progress.best_is_highest = false);
    }

    /// Notes that the lead has completed an iteration, and asks the rules.
    pub(crate) fn completed(&self, depth: u32) {
        self.depth.store(depth, Ordering::Relaxed);
        self.rules.note(|known| known.progress.depth = depth);
        self.ask_all();
    }
}

/// A worker's own view of the search: counts its positions, and looks at the limits now and then.
#[derive(Debug)]
pub(crate) struct Pace<'a> {
    positions: &'a Positions,
    /// Positions visited by this worker.
    visited: u64,
    /// Those that were added to the positions of all.
    added: u64,
    /// At which it looks next.
    next: u64,
    interval: Interval,
}

impl<'a> Pace<'a> {
    pub(crate) fn new(positions: &'a Positions) -> Self {
        let interval = Interval::new(Self::is_timed(positions));
        let first = u64::from(interval.length()).min(positions.left(positions.visited()));
        Self { positions, visited: 0, added: 0, next: first.max(1), interval }
    }

    fn is_timed(positions: &Positions) -> bool {
        positions.stop.is_timed() || positions.rules.is_timed()
    }

    /// Positions visited by this worker.
    pub(crate) fn visited(&self) -> u64 {
        self.visited
    }

    /// Counts a position, and looks at the limits if it is time.
    #[inline]
    pub(crate) fn count(&mut self) {
        self.visited += 1;
        if self.visited >= self.next {
            self.look();
        }
    }

    #[cold]
    fn look(&mut self) {
        let left = self.add();
        self.positions.stop.take_turn();
        if Self::is_timed(self.positions) {
            self.interval.end(nanos(self.positions.stop.elapsed()));
        }
        self.next = self.visited + u64::from(self.interval.length()).min(left);
    }

    /// Adds the positions visited to those of all, and looks at every limit. Returns how many it
    /// may visit until the next look.
    pub(crate) fn add(&mut self) -> u64 {
        let visited = self.visited - std::mem::replace(&mut self.added, self.visited);
        self.positions.add(visited)
    }
}
