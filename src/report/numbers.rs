//! Numbers as a person reads them.

use std::time::Duration;

/// `1234567` as `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share of 1 as a percentage with one digit after the point: `0.5` as `50.0 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A number of bytes with a binary unit, such as `64.0 MiB`.
#[must_use]
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.2} GiB", bytes as f64 / 1_073_741_824.0),
    }
}

/// `1 worker`, `2 workers`.
pub(crate) fn workers(workers: usize) -> String {
    match workers {
        1 => "1 worker".to_owned(),
        more => format!("{more} workers"),
    }
}

/// `count` divided by the seconds; 0 if no time has passed.
pub(crate) fn per_second(count: u64, elapsed: Duration) -> f64 {
    let seconds = elapsed.as_secs_f64();
    if seconds > 0.0 { count as f64 / seconds } else { 0.0 }
}

/// `1,719 nodes in 0.004 s (457,744/s)`.
pub(crate) fn speed(count: u64, what: &str, elapsed: Duration) -> String {
    let rate = grouped(per_second(count, elapsed) as u64);
    format!("{} {what} in {:.3} s ({rate}/s)", grouped(count), elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(bytes(64 << 20), "64.0 MiB");
        assert_eq!(percent(0.5), "50.0 %");
        assert_eq!(
            speed(1_500, "nodes", Duration::from_millis(500)),
            "1,500 nodes in 0.500 s (3,000/s)"
        );
        assert_eq!(per_second(7, Duration::ZERO), 0.0);
    }
}
