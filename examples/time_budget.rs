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
use playtree::report::Text;
use playtree::{Budget, Mcts, Notation};

fn main() -> Result<(), Box<dyn Error>> {
    let position = Hex::parse_position("11: f6 e7 g4")?;
    let budget = Budget::time(Duration::from_millis(300)).and_nodes(1_000_000);
    let mut mcts = Mcts::builder().seed(1).memory_limit(Some(1 << 30)).build()?;

    let called = Instant::now();
    let report = mcts.search(&position, &budget)?;
    let waited = called.elapsed();

    println!("{}\n", position.board_text());
    println!("{}", Text::new(&report.in_notation(&position)).top(8));
    println!("{waited:.1?} from the call to the report");
    Ok(())
}
