//! `playtree-train`: a network that learns a game from nothing.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use playtree::Notation;
use playtree::games::{ConnectFour, OthelloBoard};
use playtree_planes::Planes;
use playtree_train::play::Play;
use playtree_train::state::Row;
use playtree_train::strength::{Opponent, Player, score};
use playtree_train::train::{Event, Limit, Measure, Run, Settings};

/// A game that a network can learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Game {
    /// Seven columns of six
    Connect4,
    /// On six by six
    Othello6,
    /// On eight by eight
    Othello8,
}

/// Learn a game from nothing, by playing against itself
///
/// The network is written to the folder after each iteration (net.onnx), with its curve
/// (curve.svg). Started again with the same settings, it goes on where it was ended.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The game
    game: Game,
    /// The folder of the run
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Minutes to learn, all runs of the folder together
    #[arg(long, value_name = "N", default_value_t = 60.0, value_parser = minutes)]
    minutes: f64,
    /// Iterations to learn, in place of minutes
    #[arg(long, value_name = "N", conflicts_with = "minutes")]
    iterations: Option<usize>,
    /// What all random numbers come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads: they change nothing of what is learned [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Residual blocks of the network
    #[arg(long, value_name = "N", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=64))]
    blocks: u16,
    /// Planes of its trunk
    #[arg(long, value_name = "N", default_value_t = 32)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    channels: u16,
    /// Games of an iteration
    #[arg(long, value_name = "N", default_value_t = 256)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Simulations of each move of these games
    #[arg(long, value_name = "N", default_value_t = 32)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    simulations: u64,
    /// Iterations from one measurement of the strength to the next
    #[arg(long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    measure: u32,
    /// Games against the plain search in a measurement
    #[arg(long, value_name = "N", default_value_t = 40)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    measure_games: u32,
    /// Simulations of the network there
    #[arg(long, value_name = "N", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    measure_simulations: u64,
    /// Simulations of the plain search
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    opponent: u64,
    /// A folder with labelled positions of Connect Four (*.tsv)
    #[arg(long, value_name = "DIR")]
    positions: Option<PathBuf>,
}

fn minutes(text: &str) -> Result<f64, String> {
    let found = text.parse().ok().filter(|minutes| (0.0..=1e6).contains(minutes));
    found.ok_or_else(|| "expected minutes, 0 to 1000000".to_owned())
}

impl Arguments {
    fn settings(&self) -> Settings {
        Settings {
            seed: self.seed,
            blocks: self.blocks.into(),
            channels: self.channels.into(),
            games: self.games as usize,
            play: Play {
                simulations: self.simulations,
                random_moves: if self.game == Game::Connect4 { 20 } else { 10 },
                together: 64,
            },
            batch: 256,
            passes: 4,
            rate: 0.0015,
        }
    }

    fn limit(&self) -> Limit {
        let time = Duration::from_secs_f64(60.0 * self.minutes);
        Limit { iterations: self.iterations, time: self.iterations.is_none().then_some(time) }
    }

    fn measure(&self) -> Measure {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Measure {
            every: self.measure as usize,
            simulations: self.measure_simulations,
            opponent: self.opponent,
            games: self.measure_games as usize,
            threads: self.threads.map_or(cores, usize::from),
        }
    }
}

fn main() -> ExitCode {
    // What candle does is done by the thread that asks for it: its own threads would be one crew
    // for all of them, and spin (docs/measurements/training.md).
    // SAFETY: there is no other thread yet.
    unsafe { std::env::set_var("RAYON_NUM_THREADS", "1") };
    keep_memory();
    let arguments = Arguments::parse();
    let done = match arguments.game {
        Game::Connect4 => learn::<ConnectFour>(&arguments),
        Game::Othello6 => learn::<OthelloBoard<6>>(&arguments),
        Game::Othello8 => learn::<OthelloBoard<8>>(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "playtree-train: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Keeps what is freed: each step of candle takes a few megabytes, and to get them from the system
/// again and again takes a tenth of the time (docs/measurements/training.md).
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep_memory() {
    /// The largest that the allocator takes for itself: half of the room of a thread's heap.
    const LARGEST: i32 = 32 << 20;
    // SAFETY: both only set a number of the allocator's, which may be set at any time.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGEST);
        libc::mallopt(libc::M_TRIM_THRESHOLD, i32::MAX);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn keep_memory() {}

fn learn<G: Planes + Notation + Default>(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.positions.is_some() && arguments.game != Game::Connect4 {
        return Err("expected connect4 with --positions, found another game".into());
    }
    let began = Instant::now();
    let (measure, folder) = (arguments.measure(), &arguments.out);
    let positions = arguments.positions.as_deref();
    let mut run = Run::<G>::open(arguments.settings(), folder, positions)?;
    run.train(arguments.limit(), measure, |event| {
        let line = match event {
            Event::GoesOn(number) => format!("goes on after {number} iterations"),
            Event::Iteration(number, row) => progress(number, row),
        };
        // Whoever does not read on does not end the run.
        let _ = writeln!(io::stdout(), "{line}");
    })?;
    let net = run.net()?;
    let of = |player| -> Result<f64, Box<dyn Error>> {
        let (games, seed) = (100, arguments.seed);
        Ok(100.0 * score::<G>(&net, player, Opponent::Random, games, measure.threads, seed)?)
    };
    let (policy, search) = (of(Player::Policy)?, of(Player::Search(16))?);
    let lines = [
        format!("{policy:.1} % of 100 games against random moves, by the policy alone"),
        format!("{search:.1} % of 100 games against random moves, with 16 simulations"),
        format!(
            "{} iterations, {:.1} minutes; {}",
            run.rows().len(),
            began.elapsed().as_secs_f64() / 60.0,
            folder.join("net.onnx").display()
        ),
    ];
    let _ = writeln!(io::stdout(), "{}", lines.join("\n"));
    Ok(())
}

/// A line of at most 80 columns.
fn progress(number: usize, row: &Row) -> String {
    let seconds = row.seconds as u64;
    let time = format!("{}:{:02}", seconds / 60, seconds % 60);
    let mut line = format!(
        "{number:>4} {time:>7} {:>7} games  loss {:.3} {:.3}",
        row.games, row.policy_loss, row.value_loss
    );
    for (name, share) in
        [("policy", row.policy_keeps), ("search", row.search_keeps), ("score", row.score)]
    {
        if share.is_finite() {
            line += &format!("  {name} {:.1}", 100.0 * share);
        }
    }
    line
}
