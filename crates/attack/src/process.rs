//! What the system says of this process: its threads and its memory.

use std::time::{Duration, Instant};

pub(crate) fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, |tasks| tasks.count())
}

/// Waits until there are at most `most` threads, for some seconds; how many there are then, at
/// least `most`.
pub(crate) fn settle_threads(most: usize) -> usize {
    wait_until(|| threads() <= most);
    threads().max(most)
}

/// Resident memory.
pub(crate) fn resident_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Waits until `holds` does, for some seconds at most.
pub(crate) fn wait_until(holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() && begin.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(2));
    }
}
