//! How well an engine keeps what a position is worth, by budget: whether more thinking ever plays
//! worse, and how one setting of the engine compares with another.
//!
//! Every move of the positions has a known exact worth, so that a search of each says more than a
//! game does, in which a hundred moves make one result.

mod by_points;
mod contender;
mod measure;
mod paired;
mod positions;
mod progress;
mod searches;
mod tables;
mod tuning;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use playtree::games::{ConnectFour, Hex, Othello};

use crate::Failure;
use crate::engine::Limit;
use crate::games::GameName;
use crate::parallel::at_a_time;
use contender::Contender;
use positions::made::{Made, Order};
use positions::{Labelled, Measured};
use searches::Plan;

/// What `keeping` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct KeepingArgs {
    /// Connect Four, Othello or Hex.
    game: GameName,
    /// A file of positions and what their moves are worth; may be given several times.
    #[arg(long, value_name = "FILE")]
    positions: Vec<PathBuf>,
    /// Makes this number of random positions and solves them; in Hex on a board of 7x7.
    #[arg(long, value_name = "COUNT")]
    made: Option<usize>,
    /// The fewest and the most random plies of a position that is made; by default 8-20 in Connect
    /// Four, 43-46 in Othello, 22-26 in Hex.
    #[arg(long, value_name = "FEWEST-MOST", requires = "made")]
    plies: Option<Plies>,
    /// The made positions, solved: read from this file if it is there, else written to it.
    #[arg(long, value_name = "FILE", requires = "made")]
    labels: Option<PathBuf>,
    /// Simulations of a search, a row of the table for each.
    #[arg(
        long,
        value_delimiter = ',',
        default_values_t = [1_000, 10_000, 100_000, 1_000_000],
        conflicts_with = "time_ms"
    )]
    budgets: Vec<u64>,
    /// Time of a search instead, in milliseconds.
    #[arg(long, value_delimiter = ',')]
    time_ms: Vec<u64>,
    /// Searches of each position, each with a seed of its own.
    #[arg(long, default_value_t = 5)]
    seeds: usize,
    /// An engine: a name, '=', and its settings, separated by commas, as in
    /// 'eager=exploration=0.8,proofs=off' (see the README), or a peer, as in 'peer=treant:0.7'.
    /// May be given several times; the others are compared with the first one. By default one
    /// engine of this library as it comes.
    #[arg(long = "engine", value_name = "NAME=SETTINGS")]
    engines: Vec<Contender>,
    /// Searches at a time, and positions solved at a time; by default 2 if a search has one
    /// worker, else 1.
    #[arg(long)]
    concurrency: Option<usize>,
    /// Worker threads of a search.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Fixes the positions that are made, and the seeds.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The fewest and the most plies of a position that is made.
#[derive(Clone, Debug)]
struct Plies(RangeInclusive<u32>);

impl FromStr for Plies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = text.split_once('-').and_then(|(fewest, most)| {
            Some(fewest.trim().parse().ok()?..=most.trim().parse().ok()?)
        });
        let range = range.filter(|range| !range.is_empty());
        range.map(Self).ok_or_else(|| format!("expected two numbers like 8-20, found '{text}'"))
    }
}

/// Searches the positions and prints the tables.
pub(crate) fn run(args: &KeepingArgs) -> Result<(), Failure> {
    if args.positions.is_empty() && args.made.is_none() {
        return Err("expected --positions FILE or --made COUNT, found neither".into());
    }
    match args.game {
        GameName::Connect4 => measure(args, &read_and_made::<ConnectFour>(args)?),
        GameName::Othello => measure(args, &read_and_made::<Othello>(args)?),
        GameName::Hex => measure(args, &read_and_made::<Hex>(args)?),
        GameName::Tictactoe => Err("expected connect4, othello or hex, found tictactoe".into()),
    }
}

/// The positions of the files, which are named on standard output.
fn read<G: Measured>(args: &KeepingArgs) -> Result<Vec<Labelled<G>>, Failure> {
    println!("## Keeping what a position is worth: {}\n", args.game.name());
    let mut positions = Vec::new();
    for file in &args.positions {
        let reading = positions::read::<G>(file)?;
        println!("- {} positions of {}", reading.positions.len(), file.display());
        for (reason, count) in &reading.left_out {
            println!("- {count} more left out: {reason}");
        }
        positions.extend(reading.positions);
    }
    if let Some(note) = G::NOTE.filter(|_| !args.positions.is_empty()) {
        println!("- {note}");
    }
    Ok(positions)
}

/// The positions of the files, and those that are to be made.
fn read_and_made<G: Made>(args: &KeepingArgs) -> Result<Vec<Labelled<G>>, Failure> {
    let mut positions = read(args)?;
    if let Some(count) = args.made {
        positions.extend(made(args, count)?);
    }
    Ok(positions)
}

/// The positions that are made, or read where they were made before.
fn made<G: Made>(args: &KeepingArgs, count: usize) -> Result<Vec<Labelled<G>>, Failure> {
    let order = Order {
        count,
        plies: args.plies.as_ref().map_or(G::PLIES, |plies| plies.0.clone()),
        seed: args.seed,
        concurrency: concurrency(args),
    };
    let reading = order.fill(args.labels.as_deref())?;
    let plies = &order.plies;
    println!(
        "- {count} random positions of {} to {} plies, seed {}",
        plies.start(),
        plies.end(),
        args.seed
    );
    for (reason, count) in &reading.left_out {
        println!("- {count} more left out: {reason}");
    }
    Ok(reading.positions)
}

/// Searches at a time.
fn concurrency(args: &KeepingArgs) -> usize {
    at_a_time(args.concurrency, args.threads).max(1)
}

/// The limits of the searches, a row of the table for each.
fn limits(args: &KeepingArgs) -> Vec<Limit> {
    if args.time_ms.is_empty() {
        args.budgets.iter().copied().map(Limit::Simulations).collect()
    } else {
        args.time_ms.iter().map(|time| Limit::Time(Duration::from_millis(*time))).collect()
    }
}

/// Searches these positions and prints a table for each way to count what a move has lost.
fn measure<G: Measured>(args: &KeepingArgs, positions: &[Labelled<G>]) -> Result<(), Failure> {
    let counted: Vec<&Labelled<G>> =
        positions.iter().filter(|position| position.counts_for_any()).collect();
    println!(
        "- {} of these count, {} do not: it makes no difference there which move is played",
        counted.len(),
        positions.len() - counted.len()
    );
    if counted.is_empty() || args.seeds == 0 {
        return Err("there is nothing to search: expected positions that count, and seeds".into());
    }
    let default = [Contender::default()];
    let plan = Plan {
        positions: &counted,
        contenders: if args.engines.is_empty() { &default } else { &args.engines },
        limits: &limits(args),
        seeds: args.seeds,
        seed: args.seed,
        threads: args.threads,
        concurrency: concurrency(args),
    };
    let results = plan.run()?;
    for measure in G::MEASURES {
        tables::print(&plan, &results, *measure);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Plies;

    #[test]
    fn plies_are_a_range() {
        let plies: Plies = "8-20".parse().unwrap();
        assert_eq!(plies.0, 8..=20);
        for wrong in ["8", "20-8", "-", "a-b", ""] {
            let error = wrong.parse::<Plies>().unwrap_err();
            assert!(error.starts_with("expected two numbers like 8-20, found"), "{error}");
        }
    }
}
