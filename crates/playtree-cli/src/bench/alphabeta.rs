//! `playtree bench --alphabeta`: what more threads, each parallel mode and the limits of splitting
//! do to the alpha-beta search of the same positions to the same depth.

mod measure;
mod summary;

use std::io::Write;

use clap::Args;
use indicatif::ProgressBar;
use playtree::games::GameInfo;
use playtree_session::{Position, settings};

use self::measure::{Sample, Way};
use self::summary::GameResult;
use super::BenchArgs;
use crate::error::CliError;
use crate::games;
use crate::options::{config_error, values};
use crate::positions::{PositionOptions, Source};
use crate::spec::{self, AlphaBetaSettings, ModeName};

/// The options of `--alphabeta`.
#[derive(Args, Debug)]
#[command(next_help_heading = "With --alphabeta")]
#[command(mut_group("PositionOptions", |group| group.requires("alphabeta")))]
pub(crate) struct AlphaBetaArgs {
    /// Measure the alpha-beta search to a fixed depth, with settings as for 'playtree match', such
    /// as --alphabeta=memory=256MiB,no-null-move.
    #[arg(long, value_name = "SETTINGS", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "", requires = "depth")]
    #[arg(conflicts_with_all = ["latency", "simulations", "EngineOptions"])]
    pub(super) alphabeta: Option<String>,
    /// The depth of every search, in plies, at least 1.
    #[arg(long, value_name = "D", value_parser = values::small, allow_hyphen_values = true)]
    #[arg(requires = "alphabeta")]
    depth: Option<u32>,
    #[command(flatten)]
    positions: PositionOptions,
    /// How the threads share the work.
    #[arg(long, value_name = "MODE,...", value_delimiter = ',', requires = "alphabeta")]
    #[arg(default_value = "split,table,root")]
    modes: Vec<ModeName>,
    /// The most threads at a split point, each of these; 1024 is no limit.
    #[arg(long, value_name = "N,...", value_delimiter = ',', requires = "alphabeta")]
    #[arg(value_parser = values::threads, allow_hyphen_values = true)]
    max_threads_per_split: Vec<usize>,
    /// The least depth left at a split point, each of these; 1 is no limit.
    #[arg(long, value_name = "PLIES,...", value_delimiter = ',', requires = "alphabeta")]
    #[arg(value_parser = values::small, allow_hyphen_values = true)]
    min_split_depth: Vec<u32>,
}

/// Measures the chosen games with these settings.
pub(super) fn run(
    args: &BenchArgs,
    settings: &str,
    chosen: &[&'static GameInfo],
    out: &mut impl Write,
) -> Result<(), CliError> {
    let options = &args.alphabeta;
    let (_, settings) = spec::alphabeta("--alphabeta", settings)?;
    let depth = options.depth.ok_or_else(|| CliError::usage("expected --depth, found nothing"))?;
    if chosen.len() != 1 && options.positions.is_file() {
        let found = chosen.len();
        return Err(CliError::at("--positions", format_args!("expected one GAME, found {found}")));
    }
    check_limits(options, &settings)?;
    let ways = ways(args);
    let source = options.positions.source(args.seed)?;
    let steps = u64::from(args.repetitions) * source.len() as u64 * ways.len() as u64;
    super::each_game(args, chosen, steps, out, |info, bar| {
        let bench = Depths { args, settings: &settings, depth, ways: &ways, source: &source };
        bench.measure(info, bar)
    })
}

/// Refuses limits of splitting that no search takes, also where one thread splits nothing.
fn check_limits(options: &AlphaBetaArgs, settings: &AlphaBetaSettings) -> Result<(), CliError> {
    let check = |change: &dyn Fn(&mut settings::AlphaBetaSettings)| {
        let mut settings = settings.settings();
        change(&mut settings);
        settings.check().map_err(|error| config_error(&error))
    };
    for &threads in &options.max_threads_per_split {
        check(&|settings| settings.max_threads_per_split = Some(threads))?;
    }
    for &plies in &options.min_split_depth {
        check(&|settings| settings.min_split_depth = Some(plies))?;
    }
    Ok(())
}

/// Every combination to be measured, one thread first.
fn ways(args: &BenchArgs) -> Vec<Way> {
    let options = &args.alphabeta;
    let mut threads = match &args.threads[..] {
        [] => (1..=super::cores()).collect(),
        given => given.to_vec(),
    };
    threads.sort_unstable();
    threads.dedup();
    // A list of none is that of the settings, or of the library.
    let listed = |list: &[usize]| -> Vec<Option<usize>> {
        if list.is_empty() { vec![None] } else { list.iter().copied().map(Some).collect() }
    };
    let depths: Vec<usize> = options.min_split_depth.iter().map(|&d| d as usize).collect();
    let mut ways = vec![Way::ONE];
    for &mode in &options.modes {
        for &threads in threads.iter().filter(|&&threads| threads > 1) {
            let split = matches!(mode, ModeName::Split);
            for least in if split { listed(&depths) } else { vec![None] } {
                let most = if split { &options.max_threads_per_split[..] } else { &[] };
                for most in listed(most) {
                    let min_split_depth = least.map(|plies| plies as u32);
                    let way = Way { mode, threads, min_split_depth, max_threads_per_split: most };
                    if !ways.contains(&way) {
                        ways.push(way);
                    }
                }
            }
        }
    }
    ways
}

/// The measurements of one game.
struct Depths<'a> {
    args: &'a BenchArgs,
    settings: &'a AlphaBetaSettings,
    depth: u32,
    ways: &'a [Way],
    source: &'a Source,
}

impl Depths<'_> {
    fn measure(self, info: &GameInfo, bar: &ProgressBar) -> Result<GameResult, CliError> {
        let Self { args, settings, depth, ways, source } = self;
        let (game, record) = games::start(info)?;
        let positions = source.positions(game, record.last())?;
        // By position, then by way.
        let mut samples: Vec<Vec<Vec<Sample>>> =
            vec![vec![Vec::new(); ways.len()]; positions.len()];
        for _ in 0..args.repetitions {
            for (position, samples) in positions.iter().zip(&mut samples) {
                // Interleaved, so that a slow minute of the machine falls on all of them.
                for (way, samples) in ways.iter().zip(samples) {
                    samples.push(measure::sample(game, position, settings, *way, depth)?);
                    bar.inc(1);
                }
            }
        }
        let texts = positions.iter().map(Position::position_text).collect();
        Ok(GameResult::new(game.name(), depth, args.repetitions, texts, ways, &samples))
    }
}
