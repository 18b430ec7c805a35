//! `playtree autotune`: which limits of splitting suit the alpha-beta search of a game on this
//! machine.

mod depth;
mod summary;

use std::io::Write;

use clap::Args;
use playtree::alphabeta::{AutotuneOptions, AutotuneProgress};
use playtree_session::Position;

use self::summary::Summary;
use crate::error::{CliError, session_error};
use crate::games;
use crate::interrupt;
use crate::options::values;
use crate::output;
use crate::positions::PositionOptions;
use crate::progress;
use crate::spec;

/// Find the fastest alpha-beta settings for a game on this machine.
///
/// These are the limits of sharing the work of a position among threads: min-split-depth, and then
/// max-threads-per-split. It takes about a minute, and the machine should have nothing else to do.
/// Ctrl-C ends it and shows what is known.
///
/// Each position is searched with all limits by turns, --repetitions times; what counts is the
/// median of each position, added up. The evaluation is the game's, if it has one. The last line is
/// the player to give to 'playtree match' and 'playtree analyze --engine'.
#[derive(Args, Debug)]
pub(crate) struct AutotuneArgs {
    /// The game, as 'playtree games' lists it.
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    positions: PositionOptions,
    /// The depth of every search, in plies, at least 2 [default: the one that half of the positions
    /// reach if all of them together get two seconds].
    #[arg(long, value_name = "D", value_parser = depth::parse, allow_hyphen_values = true)]
    depth: Option<u32>,
    /// Worker threads, at most the logical cores, and at least 2 [default: the logical cores].
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    threads: Option<usize>,
    /// Settings of the search as for 'playtree match', such as memory=256MiB,no-null-move.
    #[arg(long, value_name = "SETTINGS", default_value = "", hide_default_value = true)]
    settings: String,
    /// Searches of each position with each pair of limits.
    #[arg(long, value_name = "R", default_value = "3", value_parser = values::small)]
    #[arg(allow_hyphen_values = true)]
    repetitions: u32,
    /// Seed of the random plies.
    #[arg(long, value_name = "S", default_value = "0", value_parser = values::seed)]
    #[arg(allow_hyphen_values = true)]
    seed: u64,
    /// Print one JSON object instead of the tables.
    #[arg(long)]
    json: bool,
}

/// Measures the game and writes the limits that suit it.
pub(crate) fn run(args: &AutotuneArgs, out: &mut impl Write) -> Result<(), CliError> {
    let info = games::find(&args.game)?;
    let (spec, settings) = spec::alphabeta("--settings", &args.settings)?;
    if let Some(found) = settings.first_of_effort() {
        let expected = "expected settings other than limits of the search and how threads share it";
        return Err(CliError::at("--settings", format_args!("{expected}, found '{found}'")));
    }
    let source = args.positions.source(args.seed)?;
    let (game, record) = games::start(info)?;
    let positions = source.positions(game, record.last())?;
    let mut settings = settings.settings();
    settings.threads = args.threads;
    let mut engine = game.alphabeta(&settings).map_err(session_error)?;
    if engine.workers() < 2 {
        let found = engine.workers();
        let expected = "expected at least 2 threads and a logical core for each";
        return Err(CliError::at("--threads", format_args!("{expected}, found {found}")));
    }
    let stop = interrupt::stop_token()?;
    let bar = progress::steps(positions.len() as u64);
    let depth = match args.depth {
        Some(depth) => Some(depth),
        None => {
            bar.set_message(format!("{}, which depth", info.name));
            depth::find(&mut *engine, &positions, &stop, &bar)?
        }
    };
    let tuned = match depth {
        Some(depth) => {
            bar.set_message(format!("{} to depth {depth}", info.name));
            let options = AutotuneOptions::new().repetitions(args.repetitions).until(&stop);
            let mut observe = |step: AutotuneProgress| {
                bar.set_length(step.of as u64);
                bar.set_position(step.searches as u64);
            };
            let tuned = engine.autotune(&positions, depth, &options, &mut observe);
            Some(tuned.map_err(session_error)?)
        }
        None => None,
    };
    bar.finish_and_clear();
    let texts = positions.iter().map(Position::position_text).collect();
    let measured = (info.name, texts, depth, engine.workers(), args.repetitions);
    let summary = Summary::new(measured, &spec, tuned.as_ref());
    if args.json { output::write_json(out, &summary) } else { summary.write(out) }
}
