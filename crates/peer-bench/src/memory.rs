//! Peak memory of a search, each in a process of its own.

use clap::Args;

use crate::child::{Job, Subject};
use crate::engine::Entry;
use crate::games::{self, GameName};
use crate::table::Table;
use crate::{Failure, status};

/// What `memory` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct MemoryArgs {
    /// The games; Connect Four, Othello and Hex if none is given.
    pub(crate) games: Vec<GameName>,
    /// Simulations of the search.
    #[arg(long, default_value_t = 1_000_000)]
    pub(crate) simulations: u64,
    /// Worker threads (one where an engine has no more).
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// The exploration constant of every engine that has one, on the scale of win rates: a
    /// smaller one makes deeper trees, which cost more.
    #[arg(long, default_value_t = 1.0)]
    pub(crate) exploration: f64,
    /// Leaves every engine its own default constant instead.
    #[arg(long, conflicts_with = "exploration")]
    pub(crate) own_defaults: bool,
    /// Leaves an engine out.
    #[arg(long, value_delimiter = ',', value_parser = Entry::compared())]
    pub(crate) without: Vec<Entry>,
}

/// Prints the growth of the resident size at its peak, one row per engine.
pub(crate) fn run(args: &MemoryArgs) -> Result<(), Failure> {
    let default = [GameName::Connect4, GameName::Othello, GameName::Hex];
    let games = games::or_default(&args.games, &default);
    println!("## Memory\n");
    println!(
        "Growth of the resident size at its peak over {} simulations from the start, \
         {} worker(s), MB.\n",
        args.simulations, args.threads
    );
    let headings = games.iter().map(|game| game.title());
    let mut table = Table::new(["engine"].into_iter().chain(headings));
    for entry in Entry::ALL.into_iter().filter(|entry| !args.without.contains(entry)) {
        let mut row = vec![entry.label().to_owned()];
        for &game in &games {
            eprintln!("memory: {} {}", game.name(), entry.name());
            let job = Job {
                game,
                subject: Subject::Engine(entry),
                threads: args.threads.min(entry.most_threads()),
                simulations: args.simulations,
                exploration: (!args.own_defaults).then_some(args.exploration),
                seed: 1,
            };
            let sample = job.run()?;
            let solved = if sample.simulations < args.simulations { " (solved)" } else { "" };
            row.push(format!("{:.0}{solved}", sample.growth_bytes as f64 / status::MEGABYTE));
        }
        table.row(row);
    }
    println!("{table}");
    Ok(())
}
