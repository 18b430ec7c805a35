//! The exact solver against values that others have found.

#![cfg(feature = "games")]

mod othello;
mod small;

use std::path::PathBuf;

/// A file beside the repository; `None`, with a message, where it is absent.
fn data(name: &str) -> Option<String> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../shared/data", name].iter().collect();
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        println!("skipped: {} is not there", path.display());
    }
    text
}
