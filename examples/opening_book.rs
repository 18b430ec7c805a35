//! An opening book: search once, keep what was visited often, and begin with it ever after.
//!
//! The book of Connect Four made here is a saved table without its least visited part. It is
//! loaded in milliseconds, and the first moves of a game are answered from it without a
//! search. Two books, made with different seeds, are then merged into one.
//!
//! `cargo run --release --example opening_book [SIMULATIONS [FOLDER]]`

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use playtree::games::ConnectFour;
use playtree::{Budget, GameState, GameTag, Mcts, Notation, save};

/// A position is worth a line in the book after this share of all visits.
const SHARE: u64 = 2_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let simulations: u64 = arguments.next().map_or(Ok(500_000), |text| text.parse())?;
    let folder = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let tag = GameTag::new("connect4", 1);
    let start = ConnectFour::new();

    // Two searches, each cut down to a book.
    let mut books = Vec::new();
    for seed in [1, 2] {
        let mut mcts = Mcts::builder().seed(seed).build()?;
        let report = mcts.search(&start, &Budget::simulations(simulations))?;
        let path = folder.join(format!("playtree-connect4-{seed}.book"));
        let often = (simulations / SHARE).max(2) as u32;
        let book = mcts.save(&path, &tag, &save::Options::default().min_visits(often))?;
        println!(
            "seed {seed}: {} of {} positions, {} kB",
            book.positions,
            report.nodes,
            book.file_bytes / 1024
        );
        books.push(path);
    }

    // Both together.
    let begin = Instant::now();
    let mut mcts = Mcts::<ConnectFour>::builder().build()?;
    mcts.load(&books[0], &tag)?;
    mcts.merge(&books[1], &tag)?;
    println!("loaded and merged in {:.1} ms", begin.elapsed().as_secs_f64() * 1e3);

    // The line of the book: a budget of no simulations only looks up what is known.
    let mut position = start;
    loop {
        let report = mcts.search(&position, &Budget::simulations(0))?;
        let best = &report.moves[0];
        if best.visits == 0 {
            break;
        }
        println!(
            "{:>2}. {}  {:>4.1} % of {} visits",
            position.plies() + 1,
            position.move_text(&best.mv),
            100.0 * best.win_rate.unwrap_or(0.5),
            best.visits
        );
        position = position.apply(&best.mv);
        if position.outcome().is_some() {
            break;
        }
    }
    println!("out of the book at {}", position.position_text());
    for path in books {
        std::fs::remove_file(path)?;
    }
    Ok(())
}
