//! A move under a time budget: 300 milliseconds on an 11x11 board of Hex.
//!
//! Budgets combine, and the first limit reached stops the search; the report says which.
//!
//! ```console
//! $ cargo run --release --example time_budget
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

use playtree::games::Hex;
use playtree::{Budget, Mcts, Notation};

fn main() -> Result<(), Box<dyn Error>> {
    let position = Hex::parse_position("11: f6 e7 g4")?;
    let budget = Budget::time(Duration::from_millis(300)).and_nodes(1_000_000);
    let mut mcts = Mcts::builder().seed(1).memory_limit(Some(1 << 30)).build()?;

    let called = Instant::now();
    let report = mcts.search(&position, &budget)?;
    let waited = called.elapsed();

    println!("{}\n", position.board_text());
    println!("move   visits  win rate  at least  line");
    for found in report.moves.iter().take(8) {
        let percent = |rate: Option<f64>| rate.map_or("-".into(), |r| format!("{:.1} %", 100. * r));
        // A move is written as in the position where it is played; in Hex that is any.
        let line: Vec<_> = found.pv.iter().map(|mv| position.move_text(mv)).collect();
        println!(
            "{:4} {:8}  {:>8}  {:>8}  {}",
            position.move_text(&found.mv),
            found.visits,
            percent(found.win_rate),
            percent(found.lcb),
            line.join(" ")
        );
    }
    println!("and {} more\n", report.moves.len().saturating_sub(8));

    println!("play         {}", position.move_text(&report.best_move));
    println!("stopped by   {}, {waited:.1?} after the call", report.stop_reason);
    println!("simulations  {} ({:.0}/s)", report.simulations, report.simulations_per_second());
    println!("nodes        {} in {} kB", report.nodes, report.bytes / 1024);
    println!("workers      {}; a lock was busy {} times", report.workers, report.contended);
    Ok(())
}
