//! The clock of a search.

use std::time::Duration;

use now::{Moment, now, since};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use now::set_host;

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
    /// `None` where there is no clock: then time does not pass, and every limit is over.
    start: Option<Moment>,
    limit: Option<Duration>,
}

impl Clock {
    pub(crate) fn start(limit: Option<Duration>) -> Self {
        Self { start: now(), limit }
    }

    /// The time since the start; 0 where there is no clock.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.map_or(Duration::ZERO, since)
    }

    /// Whether this time has passed since the start, or cannot be waited for.
    pub(crate) fn is_past(&self, time: Duration) -> bool {
        self.start.is_none_or(|start| since(start) >= time)
    }

    /// The time since the start at which it is over; `None` if it never is.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.limit
    }
}

/// The time of the system.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod now {
    use std::time::{Duration, Instant};

    pub(super) type Moment = Instant;

    #[inline]
    pub(super) fn now() -> Option<Moment> {
        Some(Instant::now())
    }

    #[inline]
    pub(super) fn since(start: Moment) -> Duration {
        start.elapsed()
    }
}

/// The time of the host, read as it has said: there is no system.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod now {
    use std::sync::OnceLock;
    use std::time::Duration;

    /// The time since any fixed moment.
    pub(super) type Moment = Duration;

    static HOST: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets where the time is read. False if that was done before.
    pub(crate) fn set_host(clock: fn() -> Duration) -> bool {
        HOST.set(clock).is_ok()
    }

    pub(super) fn now() -> Option<Moment> {
        HOST.get().map(|clock| clock())
    }

    pub(super) fn since(start: Moment) -> Duration {
        now().unwrap_or(start).saturating_sub(start)
    }
}
