//! Prints what each search has found, and how long it took: `name<TAB>milliseconds of the first run,
//! and of the later ones<TAB>found`, the times with spaces between them.

use std::time::Instant;

use wasm_check::{NAMES, run};

/// How often each search runs: a host of WebAssembly still compiles during the first run.
const RUNS: usize = 4;

fn main() {
    for (number, name) in NAMES.iter().enumerate() {
        let mut times = Vec::new();
        let mut found = String::new();
        for _ in 0..RUNS {
            let begun = Instant::now();
            found = run(number);
            times.push(format!("{:.2}", begun.elapsed().as_secs_f64() * 1e3));
        }
        println!("{name}\t{}\t{found}", times.join(" "));
    }
}
