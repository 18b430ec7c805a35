//! Text for people and for programs: what was found of a position, tables, JSON.

use std::io::Write;

use playtree::GameState;
use playtree::report::{AsText, Text, Words, wrapped};
use playtree_session::{Game, Position};
use serde::Serialize;
use serde_json::Value;

pub(crate) use playtree::report::{Align, Table, bytes, grouped, percent};

use crate::error::CliError;

/// Columns of a terminal: no line of words is longer.
pub(crate) const WIDTH: usize = 80;

/// What the text of a report calls the options and signals of this command line.
pub(crate) const WORDS: Words =
    Words { stop: "Ctrl-C", yielding: "--lock-policy yield", top: Some("--top") };

/// What was found of a position. The order of the fields is part of the JSON form.
#[derive(Serialize)]
struct Found<'a, R: ?Sized> {
    game: &'static str,
    position: String,
    #[serde(flatten)]
    report: &'a R,
    /// What a program with several processes says of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<Value>,
}

/// Writes the board, and the text of what was found of `state` with the `top` best moves.
pub(crate) fn write_found(
    out: &mut impl Write,
    game: Game,
    state: &Position,
    report: &impl AsText,
    top: usize,
) -> Result<(), CliError> {
    write_board(out, game, state)?;
    Ok(writeln!(out, "{}", Text::new(report).top(top).width(WIDTH).words(WORDS))?)
}

/// Writes what was found of `state` as one JSON object.
pub(crate) fn write_found_json<R: Serialize + ?Sized>(
    out: &mut impl Write,
    game: Game,
    state: &Position,
    report: &R,
    cluster: Option<Value>,
) -> Result<(), CliError> {
    write_json(out, &found(game, state, report, cluster))
}

/// What was found of `state` as one JSON object.
pub(crate) fn found<R: Serialize + ?Sized>(
    game: Game,
    state: &Position,
    report: &R,
    cluster: Option<Value>,
) -> impl Serialize {
    let position = state.position_text();
    Found { game: game.name(), position, report, cluster }
}

/// Writes the game, the side to move and the board.
pub(crate) fn write_board(
    out: &mut impl Write,
    game: Game,
    state: &Position,
) -> Result<(), CliError> {
    writeln!(out, "{}, player {} of {} to move", game.name(), state.mover() + 1, game.players())?;
    Ok(writeln!(out, "{}\n", state.board_text())?)
}

/// Writes a table that fits the terminal.
pub(crate) fn write_table(out: &mut impl Write, table: Table) -> Result<(), CliError> {
    Ok(writeln!(out, "{}", table.width(WIDTH))?)
}

/// Writes a text, broken between words where it does not fit the terminal; every further line
/// begins with `indent` blanks.
pub(crate) fn write_wrapped(
    out: &mut impl Write,
    text: &str,
    indent: usize,
) -> Result<(), CliError> {
    Ok(writeln!(out, "{}", broken(text, indent))?)
}

/// A text as [`write_wrapped`] writes it.
pub(crate) fn broken(text: &str, indent: usize) -> String {
    wrapped(text, WIDTH, indent)
}

/// `1 move`, `1,234 moves`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{} {}", grouped(count), noun(count, what))
}

/// `move` for one of them, `moves` for any other number.
pub(crate) fn noun(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{what}{plural}")
}

/// One JSON value on a line of its own.
pub(crate) fn write_json(out: &mut impl Write, value: &impl Serialize) -> Result<(), CliError> {
    serde_json::to_writer(&mut *out, value).map_err(std::io::Error::from)?;
    Ok(writeln!(out)?)
}
