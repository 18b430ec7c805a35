//! `playtree perft`: counts the lines of play, to check the rules against known figures.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use playtree::dynamic::AnyMove;
use playtree::{GameState, StopToken};
use playtree_session::{Game, Position};
use serde::Serialize;

use crate::error::{CliError, session_error};
use crate::games::{self, GameArgs};
use crate::interrupt;
use crate::options::values;
use crate::output::{self, Align, Table};
use crate::progress::{self, Notes};

/// Count the lines of 1 to D plies from a position.
///
/// A line that ends the game before depth D does not count at depth D. Ctrl-C ends it and shows the
/// depths that are counted.
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
    let counter = Counter { game, stop: interrupt::stop_token()?, notes: &notes };
    let counts = progress::with_notes(&what, None, &notes, || {
        let mut counts = Vec::new();
        for depth in 1..=args.depth {
            match counter.count(state, depth)? {
                Some(count) => counts.push(count),
                None => break,
            }
        }
        let is_counted = counts.len() as u64 == u64::from(args.depth);
        let is_divided = args.divide && is_counted;
        let divide = if is_divided { counter.divide(state, args.depth)? } else { None };
        Ok::<Counts, CliError>(Counts {
            game: game.name(),
            position: state.position_text(),
            complete: is_counted && args.divide == divide.is_some(),
            counts,
            divide,
        })
    })?;
    if args.json { output::write_json(out, &counts) } else { write_text(out, &counts, args.depth) }
}

/// The JSON form.
#[derive(Serialize)]
struct Counts {
    game: &'static str,
    position: String,
    /// False if Ctrl-C came before all was counted.
    complete: bool,
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

/// About how many lines are counted between two looks at Ctrl-C.
const LINES_BETWEEN_LOOKS: u64 = 1 << 20;

/// What a position with fewer moves is taken to have: the moves after it are more.
const LEAST_WIDTH: u64 = 8;

/// Counts until Ctrl-C.
struct Counter<'a> {
    game: Game,
    stop: StopToken,
    notes: &'a Notes,
}

impl Counter<'_> {
    /// The lines of this depth; `None` if Ctrl-C came before.
    fn count(&self, state: &Position, depth: u32) -> Result<Option<Depth>, CliError> {
        self.notes.set(format!("depth {depth}"));
        let start = Instant::now();
        let count = self.lines(state, depth)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(count.map(|count| Depth { depth, count, seconds }))
    }

    /// The lines of this depth by their first moves; `None` if Ctrl-C came before.
    fn divide(&self, state: &Position, depth: u32) -> Result<Option<Vec<Branch>>, CliError> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let branch = |(number, mv): (usize, &AnyMove)| {
            self.notes.set(format!("move {number} of {}", moves.len()));
            let count = self.lines(&state.apply(mv), depth - 1)?;
            Ok(count.map(|count| Branch { mv: state.move_text(mv), count }))
        };
        (1..).zip(&moves).map(branch).collect()
    }

    /// The game counts a small tree at once; a large one is counted move by move.
    fn lines(&self, state: &Position, depth: u32) -> Result<Option<u64>, CliError> {
        if self.stop.is_stopped() {
            return Ok(None);
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let width = (moves.len() as u64).max(LEAST_WIDTH);
        if width.saturating_pow(depth) <= LINES_BETWEEN_LOOKS || depth == 1 {
            return self.game.perft(state, depth).map(Some).map_err(session_error);
        }
        let mut sum = 0;
        for mv in &moves {
            match self.lines(&state.apply(mv), depth - 1)? {
                Some(count) => sum += count,
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }
}

fn write_text(out: &mut impl Write, counts: &Counts, wanted: u32) -> Result<(), CliError> {
    let mut table =
        Table::new(&[("depth", Align::Right), ("count", Align::Right), ("seconds", Align::Right)]);
    for line in &counts.counts {
        let seconds = format!("{:.3}", line.seconds);
        table.row([line.depth.to_string(), line.count.to_string(), seconds]);
    }
    output::write_table(out, table)?;
    if !counts.complete {
        let depth = counts.counts.len() as u64 + 1;
        let rest = match depth <= u64::from(wanted) {
            true => format!("depth {depth} was counted"),
            false => "the first moves were counted".into(),
        };
        writeln!(out, "\nstopped while {rest}")?;
    }
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
