//! How long a large table takes to save and to load: positions of Connect Four.
//!
//! `cargo run --release --example table_speed [POSITIONS [FOLDER]]`; ten million positions
//! take some GB of memory.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use playtree::games::ConnectFour;
use playtree::mcts::Expansion;
use playtree::{Budget, GameTag, Mcts, save};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let positions: u64 = arguments.next().map_or(Ok(200_000), |text| text.parse())?;
    let folder = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("playtree-speed-{}.table", std::process::id()));
    let tag = GameTag::new("connect4", 1);
    // A position at each visit, and a wide tree: many positions in little time.
    let builder = Mcts::<ConnectFour>::builder()
        .expansion(Expansion::OnePerSimulation { from_visit: 1 })
        .selection(playtree::mcts::Selection::Ucb1 { exploration: 4.0 });
    let mut mcts = builder.clone().build()?;
    let report = mcts.search(&ConnectFour::new(), &Budget::nodes(positions))?;
    println!("{} positions, {} MB in memory", report.nodes, report.bytes >> 20);

    let packings: &[bool] = if cfg!(feature = "compression") { &[false, true] } else { &[false] };
    for &compress in packings {
        let begin = Instant::now();
        let info = mcts.save(&path, &tag, &save::Options::default().compress(compress))?;
        let saved = begin.elapsed().as_secs_f64();
        let mut other = builder.clone().build()?;
        let begin = Instant::now();
        other.load(&path, &tag)?;
        let loaded = begin.elapsed().as_secs_f64();
        println!(
            "compressed {compress}: saved in {saved:.2} s, loaded in {loaded:.2} s, file {} MB",
            info.file_bytes >> 20
        );
    }
    std::fs::remove_file(path)?;
    Ok(())
}
