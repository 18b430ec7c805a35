//! Prints what each search has found, and how long it took: `name<TAB>milliseconds<TAB>found`.

use std::time::Instant;

use wasm_check::{NAMES, run};

fn main() {
    for (number, name) in NAMES.iter().enumerate() {
        let begun = Instant::now();
        let found = run(number);
        println!("{name}\t{:.1}\t{found}", begun.elapsed().as_secs_f64() * 1e3);
    }
}
