//! A limit on how often something is done.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Lets a number of events a second pass, and a number at once after a pause.
pub(super) struct Rate {
    per_second: f64,
    at_once: f64,
    state: Mutex<(f64, Instant)>,
}

impl Rate {
    pub(super) fn new(per_second: u32, at_once: u32) -> Self {
        let (per_second, at_once) = (f64::from(per_second), f64::from(at_once));
        Self { per_second, at_once, state: Mutex::new((at_once, Instant::now())) }
    }

    /// Whether one more may pass at this moment.
    pub(super) fn passes(&self, now: Instant) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, since) = *state;
        let gained = now.saturating_duration_since(since).as_secs_f64() * self.per_second;
        let left = (left + gained).min(self.at_once);
        let passes = left >= 1.0;
        *state = (if passes { left - 1.0 } else { left }, now.max(since));
        passes
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Rate;

    #[test]
    fn a_burst_passes_and_then_so_many_a_second() {
        let (rate, start) = (Rate::new(10, 3), Instant::now());
        let passed = |at: u64| rate.passes(start + Duration::from_millis(at));
        assert_eq!([0, 0, 0, 0].map(passed), [true, true, true, false]);
        assert_eq!([150, 160, 250].map(passed), [true, false, true]);
        // No more than three are saved up.
        assert_eq!([9000, 9000, 9000, 9000].map(passed), [true, true, true, false]);
    }
}
