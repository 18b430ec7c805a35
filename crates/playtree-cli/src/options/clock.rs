//! Game clocks as they are written on the command line.

use playtree::budget::GameClock;

use super::values;

/// A clock: `10s/move`, `5m`, `5m+3s`, `10m+3x30s`, `3x30s`, `5m/40`.
pub(crate) fn parse(text: &str) -> Result<GameClock, String> {
    read(text).ok_or_else(|| {
        format!("expected a clock such as 10s/move, 5m, 5m+3s, 10m+3x30s or 5m/40, found '{text}'")
    })
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
    use std::time::Duration;

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
            let error = parse(text).unwrap_err();
            assert!(error.starts_with("expected") && error.ends_with(&format!("'{text}'")));
        }
    }
}
