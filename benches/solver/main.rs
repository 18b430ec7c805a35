//! The exact solver beside the published figures of others, as tables.
//!
//! `cargo bench --bench solver -- connect4` compares Connect Four, `... -- connect4 empty` solves
//! its empty board, `... -- othello` that of Othello on six by six; `... -- doudizhu` solves
//! endgames of Dou Dizhu, and `... -- freeing` stops a search that holds a gigabyte. Further words:
//! `threads=2`, `memory=1024` (MiB), `positions=100` (the first ones of each set), or the name of a
//! set.

mod connect4;
mod doudizhu;
mod empty;
mod freeing;

use std::path::PathBuf;

const MIB: usize = 1 << 20;

/// A file beside the repository; `None`, with a message, where it is absent.
fn data(name: &str) -> Option<String> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../shared/data", name].iter().collect();
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        println!("skipped: {} is not there", path.display());
    }
    text
}

/// What the command line asks for.
struct Wishes {
    words: Vec<String>,
}

impl Wishes {
    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|given| given == word)
    }

    /// The number after `name=`.
    fn number(&self, name: &str) -> Option<usize> {
        let given =
            self.words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))?;
        Some(given.parse().unwrap_or_else(|_| panic!("{name}: a number, not `{given}`")))
    }
}

fn main() {
    // Cargo adds `--bench`; under `cargo test` it does not, and there is nothing to time.
    let (options, words): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    if !options.iter().any(|option| option == "--bench") {
        return;
    }
    let wishes = Wishes { words };
    if wishes.words.is_empty() || wishes.has("connect4") {
        connect4::run(&wishes);
    }
    if wishes.words.is_empty() || wishes.has("doudizhu") {
        doudizhu::run(&wishes);
    }
    if wishes.has("othello") {
        empty::othello(&wishes);
    }
    if wishes.has("freeing") {
        freeing::run(&wishes);
    }
}
