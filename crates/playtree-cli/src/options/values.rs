//! Numbers, durations and sizes as they are written on the command line.

use std::num::{IntErrorKind, ParseIntError};
use std::time::Duration;

use playtree::evaluate::VALUE_LIMIT;
use playtree::mcts::RoundSize;

use crate::error::Refusal;

/// A whole number of at least 1; `1_000_000` is easier to read and allowed.
pub(crate) fn whole(text: &str) -> Result<u64, Refusal> {
    match text.replace('_', "").parse() {
        Ok(number) if number > 0 => Ok(number),
        Err(error) if is_too_large(&error) => {
            Err(Refusal::value(format!("a whole number of at most {}", u64::MAX), text))
        }
        _ => Err(Refusal::value("a whole number of at least 1", text)),
    }
}

fn is_too_large(error: &ParseIntError) -> bool {
    *error.kind() == IntErrorKind::PosOverflow
}

/// A whole number of at least 1 that fits the library's small counters.
pub(crate) fn small(text: &str) -> Result<u32, Refusal> {
    fit(text)
}

/// A number of plies, 0 included.
pub(crate) fn plies(text: &str) -> Result<u32, Refusal> {
    text.parse().map_err(|error| {
        let expected = match is_too_large(&error) {
            true => format!("a number of plies of at most {}", u32::MAX),
            false => "a number of plies, 0 or more".into(),
        };
        Refusal::value(expected, text)
    })
}

/// A seed: any number of 64 bits.
pub(crate) fn seed(text: &str) -> Result<u64, Refusal> {
    text.parse().map_err(|_| Refusal::value(format!("a number from 0 to {}", u64::MAX), text))
}

/// A number of worker threads: more than a process can start is refused here.
pub(crate) fn threads(text: &str) -> Result<usize, Refusal> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err(Refusal::value("a number of threads from 1 to 1024", text)),
    }
}

/// A number of games at the same time; each has a thread.
pub(crate) fn games(text: &str) -> Result<usize, Refusal> {
    match text.parse() {
        Ok(games @ 1..=1024) => Ok(games),
        _ => Err(Refusal::value("a number of games from 1 to 1024", text)),
    }
}

/// A whole number of at least 1 that counts things in memory.
pub(crate) fn count(text: &str) -> Result<usize, Refusal> {
    fit(text)
}

fn fit<T: TryFrom<u64>>(text: &str) -> Result<T, Refusal> {
    T::try_from(whole(text)?)
        .map_err(|_| Refusal::value(format!("a number of at most {}", u32::MAX), text))
}

/// Half the width of a window, in units of an evaluation.
pub(crate) fn aspiration(text: &str) -> Result<i32, Refusal> {
    match text.parse() {
        Ok(width @ 1..=VALUE_LIMIT) => Ok(width),
        _ => Err(Refusal::value(format!("a whole number from 1 to {VALUE_LIMIT}"), text)),
    }
}

/// A finite number.
pub(crate) fn real(text: &str) -> Result<f64, Refusal> {
    match text.parse() {
        Ok(number) if f64::is_finite(number) => Ok(number),
        _ => Err(Refusal::value("a number", text)),
    }
}

/// A temperature: a finite number of at least 0.
pub(crate) fn temperature(text: &str) -> Result<f64, Refusal> {
    match real(text) {
        Ok(temperature) if temperature >= 0.0 => Ok(temperature),
        _ => Err(Refusal::value("a number of at least 0", text)),
    }
}

/// A part of a whole, from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, Refusal> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(Refusal::value("a number from 0 to 1", text)),
    }
}

/// A duration above 0 with its unit: `250ms`, `1.5s`, `2m`, `1h`.
pub(crate) fn duration(text: &str) -> Result<Duration, Refusal> {
    const UNITS: [(&str, f64); 5] =
        [("us", 1e-6), ("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let seconds = scaled(text, &UNITS);
    let expected = match seconds.map(Duration::try_from_secs_f64) {
        Some(Ok(duration)) if !duration.is_zero() => return Ok(duration),
        Some(Ok(_)) => "a duration above 0",
        // Without a unit it is a number only.
        None => match scaled(text, &[("", 1.0)]) {
            Some(0.0) => "a duration above 0",
            Some(_) => "a duration with its unit",
            None => "a duration",
        },
        Some(Err(_)) => "a duration",
    };
    Err(Refusal::value(format!("{expected} such as 250ms, 1.5s or 2m"), text))
}

/// What passes between two repetitions: a duration, or a number of seconds.
pub(crate) fn interval(text: &str) -> Result<Duration, Refusal> {
    match text.parse().map(Duration::from_secs).or_else(|_| duration(text)) {
        Ok(interval) if interval >= SHORTEST_INTERVAL => Ok(interval),
        _ => Err(Refusal::value("a time of at least 100ms such as 300, 30s or 5m", text)),
    }
}

const SHORTEST_INTERVAL: Duration = Duration::from_millis(100);

/// A size in bytes of at least 1: `64MiB`, `1.5GB`, `4096`.
pub(crate) fn size(text: &str) -> Result<usize, Refusal> {
    const UNITS: [(&str, f64); 8] = [
        ("KiB", 1024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
        ("kB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("B", 1.0),
        ("", 1.0),
    ];
    let expected = match scaled(text, &UNITS) {
        // 2^53 is the largest power of two up to which every whole number is exact.
        Some(bytes) if (1.0..=9_007_199_254_740_992.0).contains(&bytes) => {
            return Ok(bytes as usize);
        }
        Some(bytes) if bytes < 1.0 => "a size of at least 1 byte",
        _ => "a size",
    };
    Err(Refusal::value(format!("{expected} such as 64MiB, 1.5GB or 4096"), text))
}

/// `8` for rounds of eight, `adaptive:64` for rounds that grow to 64.
pub(crate) fn round_size(text: &str) -> Result<RoundSize, Refusal> {
    let size = match text.split_once(':') {
        Some(("adaptive", most)) => small(most).map(|most| RoundSize::Adaptive { most }),
        _ => small(text).map(RoundSize::Fixed),
    };
    size.map_err(|_| Refusal::value("a round size such as 8 or adaptive:128", text))
}

/// A plain decimal number, not below 0, times the unit that follows it.
fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_');
    let (number, unit) = text.split_at(digits.unwrap_or(text.len()));
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim_start())?;
    Some(number.replace('_', "").parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        for (text, millis) in [("1s", 1000), ("250ms", 250), ("1.5s", 1500), ("2m", 120_000)] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        assert_eq!(interval("300"), interval("5m"));
        assert_eq!(interval("0.1s"), Ok(Duration::from_millis(100)));
        for text in ["0", "99ms", "-1", "", "x", "1d"] {
            let expected = "a time of at least 100ms such as 300, 30s or 5m";
            assert_eq!(interval(text), Err(Refusal::value(expected, text)));
        }
        assert_eq!(duration("50us"), Ok(Duration::from_micros(50)));
        let refused = |text, expected: &str| {
            let expected = format!("{expected} such as 250ms, 1.5s or 2m");
            assert_eq!(duration(text), Err(Refusal::value(expected, text)));
        };
        for text in ["0", "0.0", "0s", "0ms", "0.00000001us"] {
            refused(text, "a duration above 0");
        }
        for text in ["1", "1.5", "1_000"] {
            refused(text, "a duration with its unit");
        }
        for text in ["", "s", "-1s", "-0", ".", "1 day", "1.2.3s", "infs", "1e9999s"] {
            refused(text, "a duration");
        }
    }

    #[test]
    fn sizes_have_binary_and_decimal_units() {
        for (text, bytes) in
            [("64MiB", 64 << 20), ("4096", 4096), ("1.5kB", 1500), ("2 GiB", 2 << 30)]
        {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        let refused = |text, expected: &str| {
            let expected = format!("{expected} such as 64MiB, 1.5GB or 4096");
            assert_eq!(size(text), Err(Refusal::value(expected, text)));
        };
        for text in ["0", "0B", "0.0MiB", "0.5"] {
            refused(text, "a size of at least 1 byte");
        }
        for text in ["", "MiB", "-1", "64mib", "99999999GB"] {
            refused(text, "a size");
        }
    }

    #[test]
    fn numbers_start_at_one() {
        assert_eq!(whole("1_000_000"), Ok(1_000_000));
        assert!(whole("0").is_err() && whole("-3").is_err() && whole("x").is_err());
        assert_eq!(small("4294967295"), Ok(u32::MAX));
        assert!(small("4294967296").is_err());
        assert!(share("0.5") == Ok(0.5) && share("1.1").is_err() && share("nan").is_err());
        assert!(real("nan").is_err() && real("inf").is_err());
    }

    #[test]
    fn round_sizes_are_fixed_or_adaptive() {
        assert_eq!(round_size("8"), Ok(RoundSize::Fixed(8)));
        assert_eq!(round_size("adaptive:64"), Ok(RoundSize::Adaptive { most: 64 }));
        assert!(round_size("adaptive").is_err() && round_size("0").is_err());
    }
}
