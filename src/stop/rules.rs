//! Asking the rules of a budget whether to stop.
//!
//! One of the workers that find that a rule is due asks it. A rule is due every few hundred
//! simulations or positions, or as its last hint said ([`Schedule`]).

use std::time::Duration;

use crate::budget::{Budget, Progress, Schedule, StopReason};
use crate::clock::{NEVER, nanos};
use crate::sync::{AtomicU64, Mutex, Ordering};

use super::SearchClock;

/// The rules of one search, shared by its workers. All atomics are `Relaxed`: a worker that reads
/// an old one looks a little later.
#[derive(Debug)]
pub(crate) struct Rules {
    is_empty: bool,
    /// Work done at which the first rule is due; `NEVER` without rules.
    due: AtomicU64,
    /// Nanoseconds of the search at which the first rule is due.
    due_time: AtomicU64,
    /// Work done at which a rule has to be asked, because it said so.
    cut: AtomicU64,
    asked: Mutex<Asked>,
}

/// What only the worker that asks needs.
#[derive(Debug)]
struct Asked {
    schedule: Schedule,
    known: Known,
}

/// What the searcher knows of itself, for the rules.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) progress: Progress,
    /// The number of the best move, where moves have numbers.
    best: Option<u32>,
    /// When the best move has last changed: work done and time.
    best_since: (u64, Duration),
}

impl Known {
    /// Sets how much was done, and when.
    pub(crate) fn set_now(&mut self, done: u64, elapsed: Duration) {
        let Self { progress, best_since, .. } = self;
        progress.simulations = done;
        progress.elapsed = elapsed;
        progress.unchanged_simulations = done.saturating_sub(best_since.0);
        progress.unchanged_time = elapsed.saturating_sub(best_since.1);
    }

    /// Sets the number of the best move, with `done` work done and at this time.
    pub(crate) fn set_best(&mut self, number: u32, done: u64, elapsed: Duration) {
        if self.best.replace(number) != Some(number) {
            self.best_has_changed(done, elapsed);
        }
    }

    /// Notes that the best move has changed, with `done` work done and at this time.
    pub(crate) fn best_has_changed(&mut self, done: u64, elapsed: Duration) {
        self.best_since = (done, elapsed);
    }
}

impl Rules {
    /// The rules of this budget, all of them due at once.
    pub(crate) fn new(budget: &Budget) -> Self {
        let schedule = Schedule::new(budget);
        let is_empty = schedule.is_empty();
        let known =
            Known { progress: Progress::of(budget), best: None, best_since: (0, Duration::ZERO) };
        Self {
            is_empty,
            due: AtomicU64::new(if is_empty { NEVER } else { 0 }),
            due_time: AtomicU64::new(NEVER),
            cut: AtomicU64::new(NEVER),
            asked: Mutex::new(Asked { schedule, known }),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Whether a rule is to be asked with `done` work done.
    #[inline]
    pub(crate) fn is_due(&self, done: u64, clock: &SearchClock) -> bool {
        let due_time = self.due_time.load(Ordering::Relaxed);
        done >= self.due.load(Ordering::Relaxed)
            || (due_time != NEVER && nanos(clock.elapsed()) >= due_time)
    }

    /// Whether a rule is due at some time.
    pub(crate) fn is_timed(&self) -> bool {
        self.due_time.load(Ordering::Relaxed) != NEVER
    }

    /// Work that may be done before a rule has to be asked, with `done` work done.
    #[inline]
    pub(crate) fn left_until_cut(&self, done: u64) -> u64 {
        match self.cut.load(Ordering::Relaxed) {
            NEVER => NEVER,
            cut => cut.saturating_sub(done),
        }
    }

    /// Changes what is known.
    pub(crate) fn note(&self, change: impl FnOnce(&mut Known)) {
        change(&mut self.asked.lock().known);
    }

    /// Asks the rules that are due, unless another worker does so already; `measure` brings what is
    /// known up to date, and `follow` gets that and the time at which a rule is due, if the search
    /// goes on.
    pub(crate) fn ask_due(
        &self,
        measure: impl FnOnce(&mut Known),
        follow: impl FnOnce(&Progress, u64),
    ) -> Option<StopReason> {
        self.ask(&mut *self.asked.try_lock()?, false, measure, follow)
    }

    /// Asks all rules.
    pub(crate) fn ask_all(&self, measure: impl FnOnce(&mut Known)) -> Option<StopReason> {
        self.ask(&mut self.asked.lock(), true, measure, |_, _| {})
    }

    fn ask(
        &self,
        asked: &mut Asked,
        all: bool,
        measure: impl FnOnce(&mut Known),
        follow: impl FnOnce(&Progress, u64),
    ) -> Option<StopReason> {
        let Asked { schedule, known } = asked;
        measure(known);
        let progress = &known.progress;
        let reason = schedule.ask(progress, all);
        if reason.is_some() {
            return reason;
        }
        let due_time = schedule.due_time();
        self.due.store(schedule.due(), Ordering::Relaxed);
        self.due_time.store(due_time, Ordering::Relaxed);
        self.cut.store(schedule.cut(), Ordering::Relaxed);
        follow(progress, due_time);
        None
    }
}
