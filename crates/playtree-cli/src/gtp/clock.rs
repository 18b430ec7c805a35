//! The clocks of a game as the Go Text Protocol speaks of them.

use std::time::Duration;

use playtree::budget::GameClock;

/// More seconds than any game has.
const MOST_SECONDS: f64 = 1e9;

/// The clock of one side when it is to move, or between its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SideClock {
    /// All moves in this time.
    Absolute { left: Duration },
    /// Main time, then periods, each for one move.
    ByoYomi {
        main: Duration,
        period: Duration,
        /// Of the period under way.
        left: Duration,
        periods: u32,
    },
    /// Main time, then a number of moves in each period; what is left of a period is lost.
    Canadian {
        main: Duration,
        period: Duration,
        moves: u32,
        /// Of the period under way.
        left: Duration,
        /// Moves to be made in it.
        moves_left: u32,
    },
}

impl SideClock {
    /// What `time_settings MAIN PERIOD MOVES` begins a game with; `None` without a limit of time.
    ///
    /// # Errors
    /// If one of them is no number, or there is no time at all.
    pub(super) fn read(main: &str, period: &str, moves: &str) -> Result<Option<Self>, String> {
        let (main, period, moves) = (seconds(main)?, seconds(period)?, whole(moves)?);
        match (main.is_zero(), period.is_zero(), moves) {
            // The protocol says so of the first; of the second GNU Go does.
            (_, false, 0) | (true, true, 0) => Ok(None),
            (true, true, _) => Err("expected some time, found none".into()),
            (false, true, _) => Ok(Some(Self::Absolute { left: main })),
            (_, false, moves) => Ok(Some(Self::canadian(main, period, moves))),
        }
    }

    /// As [`read`](Self::read), of the arguments of `kgs-time_settings`.
    ///
    /// # Errors
    /// If they are none of the four forms.
    pub(super) fn read_kgs(words: &[&str]) -> Result<Option<Self>, String> {
        match *words {
            ["none"] => Ok(None),
            ["absolute", main] => Self::read(main, "0", "0"),
            ["canadian", main, period, moves] => Self::read(main, period, moves),
            ["byoyomi", main, period, periods] => {
                let (main, period, periods) = (seconds(main)?, seconds(period)?, whole(periods)?);
                if period.is_zero() || periods == 0 {
                    return Self::read(&main.as_secs_f64().to_string(), "0", "0");
                }
                Ok(Some(Self::ByoYomi { main, period, left: period, periods }))
            }
            _ => Err("syntax error: expected none, absolute MAIN, byoyomi MAIN PERIOD PERIODS or \
                      canadian MAIN PERIOD MOVES, in seconds"
                .into()),
        }
    }

    fn canadian(main: Duration, period: Duration, moves: u32) -> Self {
        Self::Canadian { main, period, moves, left: period, moves_left: moves }
    }

    /// The clock after `time_left COLOUR TIME MOVES`, where `before` was known.
    ///
    /// # Errors
    /// If one of them is no number.
    pub(super) fn by_client(before: Option<Self>, time: &str, moves: &str) -> Result<Self, String> {
        let (time, stones) = (seconds(time)?, whole(moves)?);
        Ok(match (before, stones) {
            (None | Some(Self::Absolute { .. }), 0) => Self::Absolute { left: time },
            (None | Some(Self::Absolute { .. }), moves) => {
                Self::canadian(Duration::ZERO, time, moves)
            }
            (Some(Self::ByoYomi { period, periods, .. }), 0) => {
                Self::ByoYomi { main: time, period, left: period, periods }
            }
            (Some(Self::ByoYomi { period, .. }), periods) => {
                Self::ByoYomi { main: Duration::ZERO, period, left: time, periods }
            }
            (Some(Self::Canadian { period, moves, .. }), 0) => Self::canadian(time, period, moves),
            (Some(Self::Canadian { period, moves, .. }), moves_left) => {
                Self::Canadian { main: Duration::ZERO, period, moves, left: time, moves_left }
            }
        })
    }

    /// The clock as a time manager knows it, when `spent` of this move is gone already.
    pub(super) fn after_waiting(self, spent: Duration) -> GameClock {
        match self {
            Self::Absolute { left } => {
                GameClock::SuddenDeath { remaining: left.saturating_sub(spent) }
            }
            Self::ByoYomi { main, period, left, periods } => {
                let (main, over) = main_after(main, spent);
                let period = if main.is_zero() { left.saturating_sub(over) } else { period };
                GameClock::ByoYomi { remaining: main, period, periods }
            }
            Self::Canadian { main, period, moves, left, moves_left } => {
                let (main, over) = main_after(main, spent);
                let left = left.saturating_sub(over);
                match (main.is_zero(), moves_left) {
                    // Beyond the main time a move has its part of a period.
                    (false, _) => {
                        let period = period / moves.max(1);
                        GameClock::ByoYomi { remaining: main, period, periods: 1 }
                    }
                    (true, 1) if moves == 1 => {
                        GameClock::ByoYomi { remaining: main, period: left, periods: 1 }
                    }
                    (true, moves_left) => GameClock::MovesToGo {
                        remaining: left,
                        moves: moves_left,
                        session_time: period,
                        session_moves: moves,
                    },
                }
            }
        }
    }

    /// The clock after a move that has taken `spent`; with no time left where that was too much.
    pub(super) fn after_move(self, spent: Duration) -> Self {
        match self {
            Self::Absolute { left } => Self::Absolute { left: left.saturating_sub(spent) },
            Self::ByoYomi { main, period, left, periods } => {
                let (main, over) = main_after(main, spent);
                let used = match over.checked_sub(left) {
                    None => 0,
                    Some(more) => 1 + more.as_nanos() / period.as_nanos().max(1),
                };
                let used = u32::try_from(used).unwrap_or(u32::MAX);
                let periods = periods.saturating_sub(used).max(1);
                Self::ByoYomi { main, period, left: period, periods }
            }
            Self::Canadian { main, period, moves, left, moves_left } => {
                let (main, over) = main_after(main, spent);
                if !main.is_zero() {
                    return Self::canadian(main, period, moves);
                }
                match moves_left {
                    0 | 1 => Self::canadian(main, period, moves),
                    more => {
                        let left = left.saturating_sub(over);
                        Self::Canadian { main, period, moves, left, moves_left: more - 1 }
                    }
                }
            }
        }
    }
}

/// What is left of the main time, and what was spent beyond it.
fn main_after(main: Duration, spent: Duration) -> (Duration, Duration) {
    (main.saturating_sub(spent), spent.saturating_sub(main))
}

/// A time in seconds: whole ones as the protocol has them, or a decimal number.
fn seconds(text: &str) -> Result<Duration, String> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = text.parse::<f64>().ok().filter(|&number| is_plain && number <= MOST_SECONDS);
    number.map(Duration::from_secs_f64).ok_or_else(|| {
        format!("syntax error: expected a time in seconds, 0 to {MOST_SECONDS}, found '{text}'")
    })
}

fn whole(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| format!("syntax error: expected a number of moves, 0 or more, found '{text}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn settings(text: &str) -> Option<SideClock> {
        let words: Vec<&str> = text.split(' ').collect();
        SideClock::read(words[0], words[1], words[2]).unwrap()
    }

    #[test]
    fn every_form_of_time_settings_is_a_clock_or_none() {
        assert_eq!(settings("300 0 0"), Some(SideClock::Absolute { left: s(300) }));
        assert_eq!(settings("0 30 1"), Some(SideClock::canadian(s(0), s(30), 1)));
        assert_eq!(settings("60 30 5"), Some(SideClock::canadian(s(60), s(30), 5)));
        // A period without moves is no limit.
        assert_eq!([settings("300 30 0"), settings("0 0 0")], [None, None]);
        for wrong in [["-1", "0", "0"], ["1e99", "0", "0"], ["0", "0", "1"], ["nan", "1", "1"]] {
            assert!(SideClock::read(wrong[0], wrong[1], wrong[2]).is_err(), "{wrong:?}");
        }
        let byo_yomi = SideClock::ByoYomi { main: s(9), period: s(5), left: s(5), periods: 3 };
        assert_eq!(SideClock::read_kgs(&["byoyomi", "9", "5", "3"]), Ok(Some(byo_yomi)));
        assert_eq!(SideClock::read_kgs(&["absolute", "9"]).unwrap(), settings("9 0 0"));
        assert_eq!(SideClock::read_kgs(&["canadian", "9", "5", "3"]).unwrap(), settings("9 5 3"));
        assert!(SideClock::read_kgs(&["fischer", "9", "5"]).is_err());
    }

    #[test]
    fn moves_use_the_main_time_up_and_then_the_periods() {
        let byo_yomi =
            |main, left, periods| SideClock::ByoYomi { main, period: s(10), left, periods };
        let clock = byo_yomi(s(5), s(10), 3).after_move(s(6));
        assert_eq!(clock, byo_yomi(s(0), s(10), 3));
        assert_eq!(clock.after_move(s(10)), byo_yomi(s(0), s(10), 2));
        assert_eq!(clock.after_move(s(50)), byo_yomi(s(0), s(10), 1));
        let now = clock.after_waiting(s(4));
        assert_eq!(now, GameClock::ByoYomi { remaining: s(0), period: s(6), periods: 3 });

        let clock = SideClock::canadian(s(5), s(30), 3).after_move(s(15));
        let to_go = |remaining, moves| GameClock::MovesToGo {
            remaining,
            moves,
            session_time: s(30),
            session_moves: 3,
        };
        assert_eq!(clock.after_waiting(s(1)), to_go(s(19), 2));
        // What is left of a period is lost.
        let clock = clock.after_move(s(1)).after_move(s(1));
        assert_eq!(clock.after_waiting(s(0)), to_go(s(30), 3));
        let each = SideClock::canadian(s(0), s(2), 1).after_waiting(s(0));
        assert_eq!(each, GameClock::ByoYomi { remaining: s(0), period: s(2), periods: 1 });
    }

    #[test]
    fn what_a_client_says_of_a_clock_is_believed() {
        let said =
            |before, time: &str, moves: &str| SideClock::by_client(before, time, moves).unwrap();
        assert_eq!(said(settings("300 0 0"), "12", "0"), SideClock::Absolute { left: s(12) });
        assert_eq!(said(None, "12", "0"), SideClock::Absolute { left: s(12) });
        let clock = said(settings("300 30 5"), "12", "2");
        let now = clock.after_waiting(s(2));
        let (session_time, session_moves) = (s(30), 5);
        let expected =
            GameClock::MovesToGo { remaining: s(10), moves: 2, session_time, session_moves };
        assert_eq!(now, expected);
        let kgs = SideClock::read_kgs(&["byoyomi", "9", "5", "3"]).unwrap();
        let expected = SideClock::ByoYomi { main: s(0), period: s(5), left: s(4), periods: 2 };
        assert_eq!(said(kgs, "4", "2"), expected);
        assert!(SideClock::by_client(None, "x", "0").is_err());
    }
}
