//! The clock of a search.

use std::time::{Duration, Instant};

/// Not to be reached by a count of simulations or nanoseconds.
pub(crate) const NEVER: u64 = u64::MAX;

/// In nanoseconds; what is beyond their range is as long as it.
pub(crate) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The clock of one search, started when it is made. The only place where the library
/// reads the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Instant,
    limit: Option<Duration>,
}

impl Clock {
    pub(crate) fn start(limit: Option<Duration>) -> Self {
        Self { start: Instant::now(), limit }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The time since the start at which it is over; `None` if it never is.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.limit
    }

    pub(crate) fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.elapsed() >= limit)
    }
}
