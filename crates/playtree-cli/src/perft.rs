//! `playtree perft`: counts the lines of play, to check the rules against known figures.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use playtree::GameState;
use playtree::dynamic::AnyMove;
use playtree_session::{Game, Position};
use serde::Serialize;

use crate::error::{CliError, session_error};
use crate::games::{self, GameArgs};
use crate::options::values;
use crate::output::{self, Align, Table};
use crate::progress::{self, Notes};

/// Count the lines of 1 to D plies from a position.
///
/// A line that ends the game before depth D does not count at depth D.
#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The greatest depth, in plies, at least 1.
    #[arg(long, value_name = "D", value_parser = values::small, allow_hyphen_values = true)]
    depth: u32,
    /// Also show how many lines of depth D begin with each move.
    #[arg(long)]
    divide: bool,
    /// Print one JSON object instead of the table.
    #[arg(long)]
    json: bool,
}

/// Counts and writes the counts.
pub(crate) fn run(args: &PerftArgs, out: &mut impl Write) -> Result<(), CliError> {
    let (game, record) = args.game.open()?;
    let state = record.last();
    games::expect_unfinished(state)?;
    let (what, notes) = (format!("counting {}", game.name()), Notes::default());
    let counts = progress::with_notes(&what, None, &notes, || {
        let depths = 1..=args.depth;
        Ok::<Counts, CliError>(Counts {
            game: game.name(),
            position: state.position_text(),
            counts: depths
                .map(|depth| count(game, state, depth, &notes))
                .collect::<Result<_, _>>()?,
            divide: args.divide.then(|| divide(game, state, args.depth, &notes)).transpose()?,
        })
    })?;
    if args.json { output::write_json(out, &counts) } else { write_text(out, &counts) }
}

/// The JSON form.
#[derive(Serialize)]
struct Counts {
    game: &'static str,
    position: String,
    counts: Vec<Depth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Branch>>,
}

#[derive(Serialize)]
struct Depth {
    depth: u32,
    count: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Branch {
    #[serde(rename = "move")]
    mv: String,
    count: u64,
}

fn count(game: Game, state: &Position, depth: u32, notes: &Notes) -> Result<Depth, CliError> {
    notes.set(format!("depth {depth}"));
    let start = Instant::now();
    let count = game.perft(state, depth).map_err(session_error)?;
    Ok(Depth { depth, count, seconds: start.elapsed().as_secs_f64() })
}

fn divide(
    game: Game,
    state: &Position,
    depth: u32,
    notes: &Notes,
) -> Result<Vec<Branch>, CliError> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let branch = |(number, mv): (usize, &AnyMove)| {
        notes.set(format!("move {number} of {}", moves.len()));
        let count = game.perft(&state.apply(mv), depth - 1).map_err(session_error)?;
        Ok(Branch { mv: state.move_text(mv), count })
    };
    (1..).zip(&moves).map(branch).collect()
}

fn write_text(out: &mut impl Write, counts: &Counts) -> Result<(), CliError> {
    let mut table =
        Table::new(&[("depth", Align::Right), ("count", Align::Right), ("seconds", Align::Right)]);
    for line in &counts.counts {
        let seconds = format!("{:.3}", line.seconds);
        table.row([line.depth.to_string(), line.count.to_string(), seconds]);
    }
    output::write_table(out, table)?;
    if let Some(branches) = &counts.divide {
        writeln!(out)?;
        let mut table = Table::new(&[("move", Align::Left), ("count", Align::Right)]);
        for branch in branches {
            table.row([branch.mv.clone(), branch.count.to_string()]);
        }
        output::write_table(out, table)?;
    }
    Ok(())
}
