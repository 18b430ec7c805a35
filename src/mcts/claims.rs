//! What the workers of one search share: how much is left to do, and whether to stop.

use crate::budget::{Budget, Clock, StopReason, StopToken, nanos};
use crate::sync::{AtomicU8, AtomicU32, AtomicU64, Mutex, Ordering};

/// The state of one search, shared by its workers.
#[derive(Debug)]
pub struct Control {
    clock: Clock,
    token: Option<StopToken>,
    nodes: Option<u64>,
    /// Simulations that no worker has claimed yet.
    unclaimed: AtomicU64,
    /// Why the search ends: a code of [`REASONS`], `BY_RULE`, or `RUNNING`.
    reason: AtomicU8,
    /// The reason that a rule gave, if the code is `BY_RULE`.
    rule_reason: Mutex<Option<StopReason>>,
    /// Whether somebody wants to know the next two: a rule, or whoever reads meanwhile.
    counts: bool,
    /// The most simulations of an adaptive round.
    longest_round: u32,
    /// Simulations that have come back.
    done: AtomicU64,
    /// The most plies below the root at which one of them has left the tree.
    depth: AtomicU32,
    /// Threads that search.
    workers: AtomicU32,
}

/// What a round has under way at a stop is selected to its end, and backed up. On a busy machine
/// that showed: a stop with one worker took 3 ms with rounds of 2 048 simulations of Othello,
/// and 0.1 ms with 256; on an idle one 0.1 ms with either (medians, `cargo test --test
/// background measure_stop -- --ignored --nocapture`). It costs some 5 % of the speed.
const LONGEST_IN_BACKGROUND: u32 = 512;

const RUNNING: u8 = u8::MAX;
const BY_RULE: u8 = u8::MAX - 1;

const REASONS: [StopReason; 4] =
    [StopReason::Time, StopReason::Nodes, StopReason::Stopped, StopReason::Proven];

impl Control {
    /// Starts the clock.
    pub(crate) fn start(budget: &Budget) -> Self {
        Self {
            clock: Clock::start(budget.time_limit()),
            token: budget.stop_token().cloned(),
            nodes: budget.nodes_limit(),
            unclaimed: AtomicU64::new(budget.simulations_limit().unwrap_or(u64::MAX)),
            reason: AtomicU8::new(RUNNING),
            rule_reason: Mutex::new(None),
            counts: budget.rules().len() > 0 || budget.waits_for_growth(),
            longest_round: u32::MAX,
            done: AtomicU64::new(0),
            depth: AtomicU32::new(0),
            workers: AtomicU32::new(1),
        }
    }

    /// As [`start`](Self::start), for a search in the background: counts the simulations for who
    /// reads meanwhile, and keeps the rounds short for who stops it.
    pub(crate) fn start_in_background(budget: &Budget) -> Self {
        Self { counts: true, longest_round: LONGEST_IN_BACKGROUND, ..Self::start(budget) }
    }

    /// The most simulations of an adaptive round.
    pub(crate) fn longest_round(&self) -> u32 {
        self.longest_round
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Says how many threads search: those planned, and then those that the system had.
    pub(crate) fn set_workers(&self, count: usize) {
        // Relaxed: a report that is read meanwhile may still name those planned.
        self.workers.store(u32::try_from(count).unwrap_or(u32::MAX), Ordering::Relaxed);
    }

    /// Threads that search.
    pub(crate) fn workers(&self) -> usize {
        self.workers.load(Ordering::Relaxed) as usize
    }

    /// Ends the search. The first reason given counts.
    pub(crate) fn stop(&self, reason: StopReason) {
        self.stop_with(REASONS.iter().position(|&r| r == reason).unwrap_or(0) as u8);
    }

    /// Ends the search for the reason of a rule.
    #[cold]
    pub(crate) fn stop_by_rule(&self, reason: StopReason) {
        self.rule_reason.lock().get_or_insert(reason);
        self.stop_with(BY_RULE);
    }

    fn stop_with(&self, code: u8) {
        // Relaxed: nothing but the reason is handed over; the end of the threads orders the
        // rest. A worker that sees it late does one more rollout.
        let relaxed = Ordering::Relaxed;
        let _ = self.reason.compare_exchange(RUNNING, code, relaxed, relaxed);
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.reason.load(Ordering::Relaxed) != RUNNING
    }

    pub(crate) fn reason(&self) -> StopReason {
        let code = self.reason.load(Ordering::Relaxed);
        if code == BY_RULE
            && let Some(reason) = *self.rule_reason.lock()
        {
            return reason;
        }
        // A search that nobody stopped has done all its simulations.
        REASONS.get(usize::from(code)).copied().unwrap_or(StopReason::Simulations)
    }

    /// Looks at all limits that do not count simulations, and stops the search if one is
    /// reached.
    pub(crate) fn check(&self, nodes: u64) -> bool {
        if self.is_stopped() {
            return true;
        }
        if self.token.as_ref().is_some_and(StopToken::is_stopped) {
            self.stop(StopReason::Stopped);
        } else if self.clock.is_over() {
            self.stop(StopReason::Time);
        } else if self.nodes.is_some_and(|limit| nodes >= limit) {
            self.stop(StopReason::Nodes);
        }
        self.is_stopped()
    }

    /// Adds the simulations of a round that has come back, if somebody wants to know.
    #[inline]
    pub(crate) fn came_back(&self, simulations: u64, depth: impl FnOnce() -> u32) {
        if self.counts {
            self.depth.fetch_max(depth(), Ordering::Relaxed);
            // Release: whoever sees the count in `done` sees the visits that it stands for.
            self.done.fetch_add(simulations, Ordering::Release);
        }
    }

    /// Simulations that have come back, at the latest with the round before this one; 0
    /// if nobody wants to know. What is not counted may have been backed up all the same.
    #[inline]
    pub(crate) fn done(&self) -> u64 {
        // Acquire: pairs with the release in `came_back`, so that a rule never sees less
        // visits than simulations done, and what it takes as left is never too little.
        self.done.load(Ordering::Acquire)
    }

    /// The most plies below the root so far; 0 if nobody wants to know.
    pub(crate) fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Claims up to `wanted` simulations; 0 if none are left. That stops nobody: the others
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

    /// Gives back simulations that were claimed and will not be done: anybody may claim them.
    fn give_back(&self, count: u32) {
        self.unclaimed.fetch_add(u64::from(count), Ordering::Relaxed);
    }
}

/// A worker's own view of the search: tells it between rollouts whether to stop, and reads
/// the clock only every few ten microseconds.
#[derive(Debug)]
pub(crate) struct Pace<'a> {
    control: &'a Control,
    /// Calls of `is_over` until the clock is read again.
    left: u32,
    /// Calls between two readings.
    interval: u32,
    /// Time of the last reading, in nanoseconds since the start.
    last: u64,
    /// The last large round: its simulations, and when it began, in nanoseconds.
    round: (u32, u64),
}

/// Aimed at between two readings of the clock.
const BETWEEN_READINGS: u64 = 30_000;

/// Before a deadline no huge page is used for the first time, in nanoseconds: on a virtual machine whose
/// host had to find the memory that took 4.5 ms on average and up to 16, a small page 1 us.
const HASTE: u64 = 20_000_000;

/// The most calls between two readings.
const LONGEST_INTERVAL: u32 = 256;

/// Simulations of a round that is not worth a look at the clock: what it takes to end one is
/// little beside the time between two readings.
const SMALL_ROUND: u32 = 32;

impl<'a> Pace<'a> {
    pub(crate) fn new(control: &'a Control) -> Self {
        Self { control, left: 1, interval: 1, last: 0, round: (0, 0) }
    }

    /// The size of the next round: what is wanted, or less near the deadline. A round takes at
    /// most half of the time left, as long as the one before did by its size: so what is
    /// under way at the deadline, and has to be backed up after it, is small.
    pub(crate) fn fit(&mut self, wanted: u32) -> u32 {
        let clock = &self.control.clock;
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

    /// Whether the deadline is so near, by the last look at the clock, that nothing should be begun for
    /// which the system may take its time.
    pub(crate) fn is_nearly_over(&self) -> bool {
        let limit = self.control.clock.limit();
        limit.is_some_and(|limit| nanos(limit).saturating_sub(self.last) < HASTE)
    }

    /// Gives back simulations of a round that will not be done.
    #[inline]
    pub(crate) fn give_back(&self, count: u32) {
        self.control.give_back(count);
    }

    /// Whether the search is over. Cheap: call it between rollouts.
    #[inline]
    pub(crate) fn is_over(&mut self) -> bool {
        self.is_over_before(1)
    }

    /// As [`is_over`](Self::is_over), but to be called once before so many rollouts.
    #[inline]
    pub(crate) fn is_over_before(&mut self, rollouts: u32) -> bool {
        self.left = self.left.saturating_sub(rollouts);
        if self.left == 0 { self.look() } else { self.control.is_stopped() }
    }

    #[cold]
    fn look(&mut self) -> bool {
        let clock = &self.control.clock;
        if clock.limit().is_some() {
            let now = nanos(clock.elapsed());
            let spent = (now - self.last).max(1);
            // At most doubled, so that a few fast rollouts do not put off the next look far.
            let fitting = (u64::from(self.interval) * BETWEEN_READINGS / spent) as u32;
            self.interval = fitting.clamp(1, (self.interval * 2).min(LONGEST_INTERVAL));
            self.last = now;
        } else {
            self.interval = LONGEST_INTERVAL;
        }
        self.left = self.interval;
        self.control.check(0)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::time::Duration;

    use super::{Control, Pace};
    use crate::budget::Budget;

    #[test]
    fn a_round_far_from_the_deadline_is_as_long_as_wanted() {
        let century = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        for limit in [century, Duration::MAX] {
            let control = Control::start(&Budget::time(limit));
            let mut pace = Pace::new(&control);
            for wanted in [2_048, 2_048, u32::MAX, u32::MAX] {
                assert_eq!(pace.fit(wanted), wanted, "{limit:?}");
            }
        }
    }
}
