//! Prints what each search has found, and how long it took: `name<TAB>milliseconds of the first run,
//! and of the later ones<TAB>found`, the times with spaces between them.

use std::time::{Duration, Instant};

use wasm_check::{NAMES, run};

/// How often each search runs at least, and for how long: a host of WebAssembly still compiles during
/// the first runs, and more of them the shorter they are.
const RUNS: usize = 4;
const AT_LEAST: Duration = Duration::from_millis(500);
/// How often each search runs at most.
const MANY_RUNS: usize = 100;

fn main() {
    for (number, name) in NAMES.iter().enumerate() {
        let mut times = Vec::new();
        let mut found = String::new();
        let started = Instant::now();
        while times.len() < RUNS || (times.len() < MANY_RUNS && started.elapsed() < AT_LEAST) {
            let begun = Instant::now();
            found = run(number);
            times.push(format!("{:.2}", begun.elapsed().as_secs_f64() * 1e3));
        }
        println!("{name}\t{}\t{found}", times.join(" "));
    }
}
