//! How often ranks exchange, and how many positions: by what it costs.
//!
//! What is known of the first positions soon is worth more than what is known of many positions
//! late (docs/measurements/cluster.md). So exchanges keep to the shortest time between two of them
//! as long as that leaves [`FEWEST_LINES`], and take the positions that are cheap enough.

use std::time::Duration;

use super::Settings;

/// The work of an exchange on a rank is at most this part of the time between two of them.
const MOST_WORK: u32 = 100;

/// The longest time between two exchanges, as a multiple of the shortest.
const LONGEST: u32 = 20;

/// The fewest positions, if the settings do not say fewer; with them it begins.
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
        let lines = FEWEST_LINES.min(settings.lines);
        Self { settings, interval: settings.interval, lines }
    }

    /// Notes what an exchange has cost this rank.
    ///
    /// Half of the way to what that says: one slow exchange among many is the system's.
    pub(super) fn note(&mut self, work: Duration) {
        let Settings { interval: shortest, lines: most, .. } = self.settings;
        let wanted = work * MOST_WORK;
        let cheap = self.lines as f64 * shortest.as_secs_f64() / wanted.as_secs_f64();
        let lines = (cheap as usize).clamp(FEWEST_LINES.min(most), most);
        // Rounded towards where it goes, so that it gets there.
        self.lines = (self.lines + lines + usize::from(lines > self.lines)) / 2;
        self.interval = (self.interval + wanted.clamp(shortest, shortest * LONGEST)) / 2;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Pace;
    use crate::Settings;

    const SHORTEST: Duration = Duration::from_millis(10);

    /// The pace after exchanges that have taken this time for a position.
    fn after(exchanges: usize, each: Duration, pace: &mut Pace) {
        for _ in 0..exchanges {
            pace.note(each * pace.lines as u32);
        }
    }

    #[test]
    fn what_costs_more_is_done_with_fewer_positions_and_then_less_often() {
        let settings = Settings { lines: 512, interval: SHORTEST, ..Settings::default() };
        let mut pace = Pace::new(settings);
        assert_eq!((pace.interval, pace.lines), (SHORTEST, 32));
        after(20, Duration::ZERO, &mut pace);
        assert_eq!((pace.interval, pace.lines), (SHORTEST, 512), "all that it may");
        after(20, Duration::from_micros(1), &mut pace);
        assert!(pace.lines.abs_diff(100) <= 1, "{pace:?}");
        assert!(pace.interval.abs_diff(SHORTEST) < SHORTEST / 50, "{pace:?}");
        after(20, Duration::from_micros(10), &mut pace);
        assert!(pace.lines.abs_diff(32) <= 1, "{pace:?}");
        assert!(pace.interval.abs_diff(SHORTEST * 32 / 10) < SHORTEST / 5, "{pace:?}");
        after(20, Duration::from_millis(1), &mut pace);
        assert!(pace.interval > SHORTEST * 19, "{pace:?}");
        after(20, Duration::from_nanos(500), &mut pace);
        assert!(pace.lines.abs_diff(200) <= 1 && pace.interval < SHORTEST * 11 / 10, "{pace:?}");
    }

    #[test]
    fn settings_may_say_fewer_positions() {
        let mut pace = Pace::new(Settings { lines: 4, ..Settings::default() });
        after(9, Duration::from_millis(9), &mut pace);
        assert_eq!(pace.lines, 4);
    }
}
