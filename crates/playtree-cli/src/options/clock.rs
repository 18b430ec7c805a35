//! Game clocks as they are written on the command line.

use std::time::Duration;

use clap::Args;
use playtree::budget::{GameClock, TimeManager};

use super::values;
use crate::error::Refusal;

/// How the time on a clock is divided.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ManagerOptions {
    /// Time that a move costs on the clock beyond its thinking [default: 30ms].
    #[arg(long, value_name = "TIME", value_parser = values::duration, allow_hyphen_values = true)]
    #[arg(requires = "clock")]
    lag: Option<Duration>,
    /// Plies of a usual whole game, by which the clock is divided [default: 60].
    #[arg(long, value_name = "PLIES", value_parser = values::small, allow_hyphen_values = true)]
    #[arg(requires = "clock")]
    expected_plies: Option<u32>,
}

impl ManagerOptions {
    /// The manager that divides the time.
    pub(crate) fn manager(&self) -> TimeManager {
        let mut manager = TimeManager::new();
        if let Some(lag) = self.lag {
            manager = manager.lag(lag);
        }
        if let Some(plies) = self.expected_plies {
            manager = manager.expected_plies(plies);
        }
        manager
    }
}

/// A clock and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenClock {
    pub(crate) text: String,
    pub(crate) clock: GameClock,
}

/// As [`parse`], with the text.
pub(crate) fn parse_written(text: &str) -> Result<WrittenClock, Refusal> {
    Ok(WrittenClock { text: text.to_owned(), clock: parse(text)? })
}

/// A clock: `10s/move`, `5m`, `5m+3s`, `10m+3x30s`, `3x30s`, `5m/40`.
pub(super) fn parse(text: &str) -> Result<GameClock, Refusal> {
    const EXPECTED: &str = "a clock such as 10s/move, 5m, 5m+3s, 10m+3x30s or 5m/40";
    read(text).ok_or_else(|| Refusal::value(EXPECTED, text))
}

fn read(text: &str) -> Option<GameClock> {
    let time = |text: &str| values::duration(text).ok();
    if let Some((first, rest)) = text.split_once('/') {
        let remaining = time(first)?;
        if rest == "move" {
            return Some(GameClock::PerMove { time: remaining });
        }
        let moves = values::small(rest).ok()?;
        return Some(GameClock::MovesToGo {
            remaining,
            moves,
            session_time: remaining,
            session_moves: moves,
        });
    }
    let (main, more) = text.split_once('+').map_or((text, None), |(a, b)| (a, Some(b)));
    let periods = |text: &str| {
        let (periods, period) = text.split_once('x')?;
        Some((values::small(periods).ok()?, time(period)?))
    };
    let by_periods =
        |main, (periods, period)| GameClock::ByoYomi { remaining: main, period, periods };
    match more {
        None => match periods(main) {
            Some(periods) => Some(by_periods(Default::default(), periods)),
            None => Some(GameClock::SuddenDeath { remaining: time(main)? }),
        },
        Some(more) => match periods(more) {
            Some(periods) => Some(by_periods(time(main)?, periods)),
            None => Some(GameClock::Fischer { remaining: time(main)?, increment: time(more)? }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_clock_can_be_written() {
        let s = Duration::from_secs;
        let byo_yomi =
            |remaining, periods, period| GameClock::ByoYomi { remaining, period, periods };
        for (text, clock) in [
            ("10s/move", GameClock::PerMove { time: s(10) }),
            ("5m", GameClock::SuddenDeath { remaining: s(300) }),
            ("5m+3s", GameClock::Fischer { remaining: s(300), increment: s(3) }),
            ("10m+3x30s", byo_yomi(s(600), 3, s(30))),
            ("3x30s", byo_yomi(s(0), 3, s(30))),
            (
                "5m/40",
                GameClock::MovesToGo {
                    remaining: s(300),
                    moves: 40,
                    session_time: s(300),
                    session_moves: 40,
                },
            ),
        ] {
            assert_eq!(parse(text), Ok(clock), "{text}");
        }
    }

    #[test]
    fn what_is_no_clock_is_refused() {
        for text in ["", "5", "5m+", "+3s", "5m+3", "5m+0x3s", "5m/0", "/move", "5m/turn", "x3s"] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with("expected") && error.ends_with(&format!("'{text}'")));
        }
    }
}
