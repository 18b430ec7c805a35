//! How much a worker does between two looks at the clock.

/// Between two looks at the clock, in nanoseconds.
const NANOS_BETWEEN_LOOKS: u64 = 30_000;

/// The most positions or rollouts between two looks: without a clock, these.
const LONGEST_INTERVAL: u32 = 256;

/// The positions or rollouts of one worker between two looks at the clock, which are to take
/// [`NANOS_BETWEEN_LOOKS`]: the number that the ones before suggest.
#[derive(Debug)]
pub(crate) struct Interval {
    length: u32,
    /// Time of the last look, in nanoseconds since the start of the search.
    last: u64,
}

impl Interval {
    /// The first one: short if the clock counts.
    pub(crate) fn new(is_timed: bool) -> Self {
        Self { length: if is_timed { 1 } else { LONGEST_INTERVAL }, last: 0 }
    }

    /// Positions or rollouts until the next look.
    pub(crate) fn length(&self) -> u32 {
        self.length
    }

    /// Time of the last look, in nanoseconds since the start of the search.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// Ends at a look at the clock, `now`, in nanoseconds since the start of the search. Returns
    /// the length of the next one.
    pub(crate) fn end(&mut self, now: u64) -> u32 {
        let spent = now.saturating_sub(self.last).max(1);
        // At most doubled, so that a few fast rollouts do not put off the next look far.
        let fitting = u64::from(self.length) * NANOS_BETWEEN_LOOKS / spent;
        let longest = (self.length * 2).min(LONGEST_INTERVAL);
        self.length = fitting.clamp(1, u64::from(longest)) as u32;
        self.last = now;
        self.length
    }

    /// As [`end`](Self::end) where the clock does not count.
    pub(crate) fn end_without_clock(&mut self) -> u32 {
        self.length = LONGEST_INTERVAL;
        self.length
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Interval, LONGEST_INTERVAL, NANOS_BETWEEN_LOOKS};

    #[test]
    fn an_interval_comes_to_take_the_time_between_two_looks() {
        for nanos_each in [1, 100, 1_000, 20_000, 10_000_000] {
            let (mut interval, mut now) = (Interval::new(true), 0);
            for _ in 0..20 {
                let before = interval.length();
                now += u64::from(before) * nanos_each;
                assert!(interval.end(now) <= 2 * before);
            }
            let expected = (NANOS_BETWEEN_LOOKS / nanos_each).clamp(1, LONGEST_INTERVAL.into());
            assert_eq!(u64::from(interval.length()), expected);
            assert_eq!(interval.last(), now);
        }
    }
}
