//! The clocks of a game as `level`, `st`, `sd`, `time` and `otim` tell them.

use std::time::Duration;

use crate::protocols::{Allowance, clock};

/// What a move may take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Clocks {
    /// Moves of a session, the time of one, and what each move adds.
    level: Option<(u32, Duration, Duration)>,
    /// Of each move.
    exactly: Option<Duration>,
    depth: Option<u32>,
    /// What is left on the engine's clock, as the client says.
    left: Option<Duration>,
}

/// Seconds, or minutes and seconds with a colon between.
fn minutes(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or((text, "0"));
    let minutes: f64 = minutes.parse().ok()?;
    let seconds: f64 = seconds.parse().ok()?;
    Duration::try_from_secs_f64(60.0 * minutes + seconds).ok()
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

impl Clocks {
    /// Takes a command about the clocks. Whether it was understood; nothing has changed if not.
    pub(super) fn take(&mut self, name: &str, words: &[&str]) -> bool {
        let mut changed = *self;
        let is_known = match (name, words) {
            ("level", [moves, base, increment]) => {
                let level = (|| Some((moves.parse().ok()?, minutes(base)?, seconds(increment)?)))();
                changed = Self { level, depth: self.depth, left: None, exactly: None };
                level.is_some()
            }
            ("st", [time]) => {
                changed.exactly = seconds(time);
                changed.exactly.is_some()
            }
            ("sd", [plies]) => {
                changed.depth = plies.parse().ok().filter(|plies| *plies > 0);
                changed.depth.is_some()
            }
            // In hundredths of a second; a clock may be below zero.
            ("time", [left]) => {
                let left = left.parse::<i64>().ok();
                let left = left.map(|left| u64::try_from(left).unwrap_or(0).min(1 << 40));
                changed.left = left.map(|left| Duration::from_millis(10 * left));
                changed.left.is_some()
            }
            ("otim", [left]) => left.parse::<i64>().is_ok(),
            _ => false,
        };
        if is_known {
            *self = changed;
        }
        is_known
    }

    /// A new game: its clocks are as they were at the beginning.
    pub(super) fn restart(&mut self) {
        *self = Self { level: self.level, exactly: self.exactly, ..Self::default() };
    }

    /// What the engine may take for a move, `made` of its own moves before.
    pub(super) fn allowance(&self, made: u32) -> Allowance {
        let clock =
            self.level.filter(|_| self.exactly.is_none()).map(|(moves, base, increment)| {
                let to_go = if moves > 0 { moves - made % moves } else { 0 };
                clock(self.left.unwrap_or(base), increment, to_go)
            });
        Allowance { time: self.exactly, clock, depth: self.depth, nodes: None }
    }

    /// Takes a move of the engine from its clock, for a client that does not say what is left.
    pub(super) fn after_move(&mut self, spent: Duration) {
        if let (None, Some((_, base, increment))) = (self.left, self.level) {
            self.left = Some(base.saturating_sub(spent) + increment);
        }
    }
}

#[cfg(test)]
mod tests {
    use playtree::budget::GameClock;

    use super::*;

    #[test]
    fn every_form_of_a_clock_is_read() {
        let s = Duration::from_secs;
        let mut clocks = Clocks::default();
        assert!(clocks.take("level", &["40", "5", "0"]) && clocks.take("sd", &["7"]));
        let session = |remaining, moves| GameClock::MovesToGo {
            remaining,
            moves,
            session_time: remaining,
            session_moves: moves,
        };
        assert_eq!(clocks.allowance(0).clock, Some(session(s(300), 40)));
        assert!(clocks.take("time", &["12345"]) && clocks.take("otim", &["-7"]));
        let left = Duration::from_millis(123_450);
        assert_eq!(clocks.allowance(43).clock, Some(session(left, 37)));
        assert!(clocks.take("level", &["0", "0:30", "1.5"]));
        let increment = Duration::from_millis(1500);
        let fischer = GameClock::Fischer { remaining: s(30), increment };
        assert_eq!(clocks.allowance(1).clock, Some(fischer));
        assert!(clocks.take("st", &["2"]));
        let each = clocks.allowance(1);
        assert_eq!((each.time, each.clock, each.depth), (Some(s(2)), None, Some(7)));
        let before = clocks;
        for (name, words) in
            [("level", &["x", "1", "1"][..]), ("st", &["-1"]), ("sd", &["0"]), ("time", &[])]
        {
            assert!(!clocks.take(name, words), "{name}");
        }
        assert_eq!(clocks, before);
    }
}
