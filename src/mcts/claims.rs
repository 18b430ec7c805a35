//! The simulations of one search: which are left to be claimed, and which have come back.

use std::sync::{Arc, OnceLock};

use crate::budget::{Budget, StopReason};
use crate::clock::nanos;
use crate::stop::{Interval, Stop};
use crate::sync::{AtomicU32, AtomicU64, Ordering};

use super::at_root::AtRoot;

/// The simulations of one search, shared by its workers, and what stops it.
#[derive(Debug)]
pub struct Claims {
    pub(crate) stop: Stop,
    /// Simulations that no worker has claimed yet.
    unclaimed: AtomicU64,
    /// Whether anything reads the next two: a rule, or a report of a search under way.
    counts: bool,
    /// Simulations that have come back.
    done: AtomicU64,
    /// The most plies below the root at which one of them has left the tree.
    depth: AtomicU32,
    /// What is special about the root, if anything.
    at_root: OnceLock<Arc<AtRoot>>,
}

impl Claims {
    /// Starts the clock.
    pub(crate) fn start(budget: &Budget) -> Self {
        Self {
            stop: Stop::start(budget),
            unclaimed: AtomicU64::new(budget.simulations_limit().unwrap_or(u64::MAX)),
            counts: budget.rules().len() > 0 || budget.waits_for_growth(),
            done: AtomicU64::new(0),
            depth: AtomicU32::new(0),
            at_root: OnceLock::new(),
        }
    }

    /// As [`start`](Self::start), for a search in the background: counts the simulations for
    /// reports meanwhile.
    pub(crate) fn start_in_background(budget: &Budget) -> Self {
        Self { counts: true, ..Self::start(budget) }
    }

    /// Sets, before the first simulation, what is special about the root.
    pub(crate) fn set_at_root(&self, at_root: Option<Arc<AtRoot>>) {
        if let Some(at_root) = at_root {
            // A search has one root.
            let _ = self.at_root.set(at_root);
        }
    }

    /// What is special about the root.
    pub(crate) fn at_root(&self) -> Option<&AtRoot> {
        self.at_root.get().map(|at_root| &**at_root)
    }

    /// Why the search has ended. One that nothing has stopped has done all its simulations.
    pub(crate) fn reason(&self) -> StopReason {
        self.stop.reason().unwrap_or(StopReason::Simulations)
    }

    /// Adds the simulations of a round that has come back, if anything reads them.
    #[inline]
    pub(crate) fn came_back(&self, simulations: u64, depth: impl FnOnce() -> u32) {
        if self.counts {
            self.depth.fetch_max(depth(), Ordering::Relaxed);
            // Release: a worker that sees the count in `done` sees the visits that it stands for.
            self.done.fetch_add(simulations, Ordering::Release);
        }
    }

    /// Simulations that have come back, at the latest with the round before this one; 0
    /// if nothing reads them. What is not counted may have been backed up all the same.
    #[inline]
    pub(crate) fn done(&self) -> u64 {
        // Acquire: pairs with the release in `came_back`, so that a rule never sees less
        // visits than simulations done, and what it takes as left is never too little.
        self.done.load(Ordering::Acquire)
    }

    /// The most plies below the root so far; 0 if nothing reads them.
    pub(crate) fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Claims up to `wanted` simulations; 0 if none are left. That stops no worker: the others
    /// still run what they have claimed.
    pub(crate) fn claim(&self, wanted: u32) -> u32 {
        let relaxed = Ordering::Relaxed;
        let claim = |left: u64| left.checked_sub(u64::from(wanted).min(left));
        let before = self
            .unclaimed
            .fetch_update(relaxed, relaxed, claim)
            .expect("never takes more than is there");
        before.min(u64::from(wanted)) as u32
    }

    /// Simulations that are not claimed.
    pub(crate) fn unclaimed(&self) -> u64 {
        self.unclaimed.load(Ordering::Relaxed)
    }

    /// Sets the simulations that are not claimed, where no other worker claims any.
    pub(crate) fn set_unclaimed(&self, count: u64) {
        self.unclaimed.store(count, Ordering::Relaxed);
    }

    /// Gives back simulations that were claimed and will not be done: any worker may claim them.
    fn give_back(&self, count: u32) {
        self.unclaimed.fetch_add(u64::from(count), Ordering::Relaxed);
    }
}

/// A worker's own view of the search: says between rollouts whether to stop, and reads the clock
/// only every few ten microseconds.
#[derive(Debug)]
pub(crate) struct Pace<'a> {
    claims: &'a Claims,
    /// Rollouts until the next look at the clock.
    left: u32,
    interval: Interval,
    /// The last large round: its simulations, and when it began, in nanoseconds.
    round: (u32, u64),
}

/// Before a deadline no huge page is used for the first time, in nanoseconds: on a virtual machine
/// whose host had to find the memory that took 4.5 ms on average and up to 16, a small page 1 us.
const HASTE: u64 = 20_000_000;

/// Simulations of a round that is not worth a look at the clock: what it takes to end one is
/// little beside the time between two looks.
const SMALL_ROUND: u32 = 32;

impl<'a> Pace<'a> {
    pub(crate) fn new(claims: &'a Claims) -> Self {
        Self { claims, left: 1, interval: Interval::new(true), round: (0, 0) }
    }

    /// The size of the next round: what is wanted, or less near the deadline. A round takes at
    /// most half of the time left, as long as the one before did by its size: so what is
    /// under way at the deadline, and has to be backed up after it, is small.
    pub(crate) fn fit(&mut self, wanted: u32) -> u32 {
        let clock = self.claims.stop.clock();
        let Some(limit) = clock.limit().filter(|_| wanted > SMALL_ROUND) else { return wanted };
        let now = nanos(clock.elapsed());
        let left = nanos(limit).saturating_sub(now);
        let (simulations, begin) = self.round;
        let took = now.saturating_sub(begin).max(1);
        // At the edge of its range this is more than any round is long.
        let fitting = u64::from(simulations).saturating_mul(left / 2) / took;
        let fitting = if simulations == 0 { wanted } else { fitting.min(u64::from(wanted)) as u32 };
        self.round = (fitting.max(SMALL_ROUND), now);
        self.round.0
    }

    /// Whether the deadline is so near, by the last look at the clock, that nothing should be begun
    /// for which the system may take its time.
    pub(crate) fn is_nearly_over(&self) -> bool {
        let limit = self.claims.stop.clock().limit();
        limit.is_some_and(|limit| nanos(limit).saturating_sub(self.interval.last()) < HASTE)
    }

    /// Gives back simulations of a round that will not be done.
    #[inline]
    pub(crate) fn give_back(&self, count: u32) {
        self.claims.give_back(count);
    }

    /// Waits for the turn of this thread, if it has to.
    pub(crate) fn take_turn(&self) {
        self.claims.stop.take_turn();
    }

    /// Whether the search is over. Cheap: call it between rollouts.
    #[inline]
    pub(crate) fn is_over(&mut self) -> bool {
        self.is_over_before(1)
    }

    /// As [`is_over`](Self::is_over), but to be called once before this many rollouts.
    #[inline]
    pub(crate) fn is_over_before(&mut self, rollouts: u32) -> bool {
        self.left = self.left.saturating_sub(rollouts);
        if self.left == 0 { self.look() } else { self.claims.stop.is_stopped() }
    }

    #[cold]
    fn look(&mut self) -> bool {
        let stop = &self.claims.stop;
        self.left = if stop.is_timed() {
            self.interval.end(nanos(stop.elapsed()))
        } else {
            self.interval.end_without_clock()
        };
        stop.check(0)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::time::Duration;

    use super::{Claims, Pace};
    use crate::budget::Budget;

    #[test]
    fn a_round_far_from_the_deadline_is_as_long_as_wanted() {
        let century = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        for limit in [century, Duration::MAX] {
            let claims = Claims::start(&Budget::time(limit));
            let mut pace = Pace::new(&claims);
            for wanted in [2_048, 2_048, u32::MAX, u32::MAX] {
                assert_eq!(pace.fit(wanted), wanted, "{limit:?}");
            }
        }
    }
}
