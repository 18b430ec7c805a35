//! The clock of a search that may begin to run later than the search was asked for.

use std::time::Duration;

use crate::budget::{Budget, TimeFrom};
use crate::clock::{Clock, NEVER, nanos};
use crate::sync::{AtomicU64, Ordering};

/// The clock by which a search is limited.
#[derive(Debug)]
pub(crate) struct SearchClock {
    /// Runs from the call.
    clock: Clock,
    /// Nanoseconds from the call until the search had its first turn, `NEVER` before; `None` if
    /// they count as well. `Relaxed`: a worker that sees it late takes the search for a little
    /// younger.
    waited: Option<AtomicU64>,
}

impl SearchClock {
    /// Starts with the call of a search.
    pub(super) fn start(budget: &Budget) -> Self {
        let waited = match budget.counts_time_from() {
            TimeFrom::Call => None,
            TimeFrom::FirstTurn => Some(AtomicU64::new(NEVER)),
        };
        Self { clock: Clock::start(budget.time_limit()), waited }
    }

    /// The search has a turn. Only the first call counts.
    pub(super) fn begin(&self) {
        if let Some(waited) = &self.waited
            && waited.load(Ordering::Relaxed) == NEVER
        {
            let now = nanos(self.clock.elapsed()).min(NEVER - 1);
            // Whichever thread was first.
            let _ = waited.compare_exchange(NEVER, now, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// What does not count; `None` if nothing counts yet.
    fn waited(&self) -> Option<Duration> {
        match self.waited.as_ref().map(|waited| waited.load(Ordering::Relaxed)) {
            None => Some(Duration::ZERO),
            Some(NEVER) => None,
            Some(waited) => Some(Duration::from_nanos(waited)),
        }
    }

    /// The time that counts so far; 0 where there is no clock.
    pub(crate) fn elapsed(&self) -> Duration {
        self.waited().map_or(Duration::ZERO, |waited| self.clock.elapsed().saturating_sub(waited))
    }

    /// Whether this much of it has passed, or cannot be waited for.
    pub(crate) fn is_past(&self, time: Duration) -> bool {
        self.waited().is_some_and(|waited| self.clock.is_past(time.saturating_add(waited)))
    }

    /// The time at which it is over; `None` if it never is.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.clock.limit()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.limit().is_some_and(|limit| self.is_past(limit))
    }
}
