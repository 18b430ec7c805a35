//! How often ranks exchange, and how many positions: by what it costs.

use std::time::Duration;

use super::Settings;

/// The work of an exchange on a rank is at most this part of the time between two of them.
const MOST_WORK: u32 = 100;

/// The longest time between two exchanges, as a multiple of the shortest. Where that is not enough
/// fewer positions are exchanged.
const LONGEST: u32 = 10;

/// The fewest positions, if the settings do not say fewer.
const FEWEST_LINES: usize = 32;

/// The time between two exchanges and their positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    settings: Settings,
    pub(super) interval: Duration,
    pub(super) lines: usize,
}

impl Pace {
    pub(super) fn new(settings: Settings) -> Self {
        Self { settings, interval: settings.interval, lines: settings.lines }
    }

    /// Notes what an exchange has cost this rank.
    pub(super) fn note(&mut self, work: Duration) {
        let shortest = self.settings.interval;
        let longest = shortest * LONGEST;
        let wanted = work * MOST_WORK;
        if wanted > longest {
            let fewest = FEWEST_LINES.min(self.settings.lines);
            self.lines = (self.lines / 2).max(fewest);
        } else if wanted < longest / 4 {
            self.lines = (self.lines * 2).min(self.settings.lines);
        }
        // Half of the way: one slow exchange among many is the system's.
        self.interval = (self.interval + wanted.clamp(shortest, longest)) / 2;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Pace;
    use crate::Settings;

    #[test]
    fn what_costs_more_is_done_less_often_and_with_fewer_positions() {
        let settings =
            Settings { lines: 512, interval: Duration::from_millis(20), ..Settings::default() };
        let mut pace = Pace::new(settings);
        for _ in 0..20 {
            pace.note(Duration::from_micros(100));
        }
        assert_eq!((pace.interval, pace.lines), (Duration::from_millis(20), 512));
        for _ in 0..20 {
            pace.note(Duration::from_millis(1));
        }
        assert!(pace.interval > Duration::from_millis(99) && pace.lines == 512, "{pace:?}");
        for _ in 0..20 {
            pace.note(Duration::from_millis(9));
        }
        assert!(pace.interval > Duration::from_millis(199) && pace.lines == 32, "{pace:?}");
        for _ in 0..20 {
            pace.note(Duration::from_micros(300));
        }
        assert_eq!(pace.lines, 512);
    }
}
