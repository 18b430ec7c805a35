//! How far a long piece of work has come, on standard error.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two lines.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Counts the steps of a piece of work, and prints a line now and then.
#[derive(Debug)]
pub(super) struct Progress {
    /// What is counted, in the plural.
    what: &'static str,
    /// The number of steps.
    total: usize,
    /// Steps done, and when the last line was printed.
    state: Mutex<(usize, Instant)>,
}

impl Progress {
    /// A piece of work of `total` steps.
    pub(super) fn new(what: &'static str, total: usize) -> Self {
        Self { what, total, state: Mutex::new((0, Instant::now())) }
    }

    /// Counts a step.
    pub(super) fn step(&self) {
        let mut state = self.state.lock().expect("nothing panics with the lock");
        state.0 += 1;
        if state.1.elapsed() >= BETWEEN_LINES {
            eprintln!("keeping: {} of {} {}", state.0, self.total, self.what);
            state.1 = Instant::now();
        }
    }
}
