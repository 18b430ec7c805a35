//! `playtree bench`: how fast the search is on this machine, beside the limit that the
//! game's own code sets, and how late its answers come.

mod alphabeta;
mod latency;
mod measure;
mod summary;

use std::io::Write;

use clap::Args;
use indicatif::ProgressBar;
use playtree::games::{GAMES, GameInfo};
use playtree_session::settings::MctsSettings;
use serde::Serialize;

use self::alphabeta::AlphaBetaArgs;
use self::latency::LatencyArgs;
use self::measure::Sample;
use self::summary::GameResult;
use crate::error::{CliError, session_error};
use crate::games;
use crate::options::{EngineOptions, values};
use crate::output;
use crate::progress;
use crate::report::{self, ReportOptions};

/// Measure the search with 1 to N workers, from the start of each game.
///
/// The rollout limit is the speed of the same number of threads that only play random games from
/// the start with the same game code, side by side if the game can. Both are measured by turns, and
/// medians are shown. Proofs are off, so that no search ends early.
///
/// With --latency: the time after a time limit, and after a stop by another thread, until
/// the caller has the report.
///
/// With --alphabeta: the alpha-beta search of some positions to --depth, in each of --modes with
/// each number of --threads, beside one thread. The evaluation is the game's, if it has one.
#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// The games to measure [default: all; with --latency connect4, othello and hex].
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// The greatest number of workers, at most the logical cores unless --oversubscribe is
    /// given; with --latency the number of workers; with --alphabeta every number to measure, such
    /// as 1,2,4 [default: the logical cores; with --latency 2; with --alphabeta 1 to the logical
    /// cores].
    #[arg(long, value_name = "MAX", value_parser = values::threads, allow_hyphen_values = true)]
    #[arg(value_delimiter = ',')]
    threads: Vec<usize>,
    /// Simulations, and rollouts, of each measurement [default: half a second of rollouts, at
    /// most a million].
    #[arg(long, value_name = "N", value_parser = values::whole, allow_hyphen_values = true)]
    simulations: Option<u64>,
    /// Measurements of each kind.
    #[arg(long, value_name = "R", default_value = "5", value_parser = values::small)]
    #[arg(allow_hyphen_values = true)]
    repetitions: u32,
    /// Seed of the first repetition; each one has its own.
    #[arg(long, value_name = "S", default_value = "0", value_parser = values::seed)]
    #[arg(allow_hyphen_values = true)]
    seed: u64,
    /// Print one JSON object instead of the tables.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    report: ReportOptions,
    // Each of these has a heading of its own, which would be that of options below it too.
    #[command(flatten)]
    latency: LatencyArgs,
    #[command(flatten)]
    alphabeta: AlphaBetaArgs,
    #[command(flatten)]
    engine: EngineOptions,
}

impl BenchArgs {
    /// The greatest number of workers that the engine will use.
    fn most_workers(&self) -> usize {
        let cores = cores();
        match self.threads.first().copied() {
            Some(threads) if self.engine.oversubscribe => threads,
            Some(threads) => threads.min(cores),
            None if self.latency.latency => cores.min(2),
            None => cores,
        }
    }
}

/// Logical cores.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What was measured in a game: an element of the JSON form.
trait Measured: Serialize {
    /// Writes a table for people.
    fn write(&self, out: &mut impl Write) -> Result<(), CliError>;
}

/// The JSON form.
#[derive(Serialize)]
struct Results<R> {
    games: Vec<R>,
}

/// Measures the games that `args` name.
pub(crate) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<(), CliError> {
    if args.alphabeta.alphabeta.is_none() && args.threads.len() > 1 {
        let found = args.threads.len();
        let error = format_args!("expected one number without --alphabeta, found {found}");
        return Err(CliError::at("--threads", error));
    }
    if args.report.is_wanted() && (args.latency.latency || args.alphabeta.alphabeta.is_some()) {
        return Err(CliError::usage(
            "--report: expected neither --latency nor --alphabeta beside it, found one",
        ));
    }
    args.report.check()?;
    // Every name is looked up before the first measurement.
    let find = games::find;
    let chosen: Vec<&'static GameInfo> = if !args.games.is_empty() {
        args.games.iter().map(|name| find(name)).collect::<Result<_, _>>()?
    } else if args.latency.latency {
        latency::DEFAULT_GAMES.into_iter().map(find).collect::<Result<_, _>>()?
    } else if args.alphabeta.alphabeta.is_some() {
        return Err(CliError::usage("--alphabeta: expected a GAME, found nothing"));
    } else {
        GAMES.iter().collect()
    };
    if args.latency.latency {
        return latency::run(args, &chosen, out);
    }
    if let Some(settings) = &args.alphabeta.alphabeta {
        return alphabeta::run(args, settings, &chosen, out);
    }
    let steps = u64::from(args.repetitions) * args.most_workers() as u64;
    each_game(args, &chosen, steps, out, |info, bar| measure_game(args, info, bar))
}

/// Measures each game in turn, which takes `steps` steps; a table is written as soon as its
/// game is done.
fn each_game<R: Measured>(
    args: &BenchArgs,
    chosen: &[&'static GameInfo],
    steps: u64,
    out: &mut impl Write,
    measure: impl Fn(&'static GameInfo, &ProgressBar) -> Result<R, CliError>,
) -> Result<(), CliError> {
    let bar = progress::steps(chosen.len() as u64 * steps);
    let mut results = Vec::with_capacity(chosen.len());
    for &info in chosen {
        bar.set_message(info.name);
        let result = measure(info, &bar)?;
        if !args.json {
            bar.suspend(|| {
                result.write(out)?;
                Ok::<(), CliError>(out.flush()?)
            })?;
        }
        results.push(result);
    }
    bar.finish_and_clear();
    let results = Results { games: results };
    if args.json {
        output::write_json(out, &results)?;
    }
    args.report.write(&results, report::bench::page)
}

/// Measures one game.
fn measure_game(
    args: &BenchArgs,
    info: &GameInfo,
    bar: &ProgressBar,
) -> Result<GameResult, CliError> {
    let (game, record) = games::start(info)?;
    let start = record.last();
    let simulations = match args.simulations {
        Some(simulations) => simulations,
        None => measure::default_simulations(game, start).map_err(session_error)?,
    };
    let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); args.most_workers()];
    // Interleaved, so that a slow minute of the machine falls on all of them.
    for repetition in 0..args.repetitions {
        let seed = args.seed.wrapping_add(u64::from(repetition));
        for (workers, samples) in (1..).zip(&mut samples) {
            let settings = MctsSettings {
                threads: Some(workers),
                // That there are cores for the workers, or need not be, is settled already.
                oversubscribe: Some(true),
                seed: Some(seed),
                proofs: Some(false),
                ..args.engine.settings(game)?
            };
            let sample = measure::sample(game, &record, &settings, simulations);
            samples.push(sample.map_err(session_error)?);
            bar.inc(1);
        }
    }
    let position = start.position_text();
    Ok(GameResult::new(game.name(), position, simulations, args.repetitions, &samples))
}
