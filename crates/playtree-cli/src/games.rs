//! `playtree games`, and how every command finds its game.

use std::io::Write;

use clap::Args;
use playtree::Notation;
use playtree::games::{self, GAMES, GameError, GameInfo, GameVisitor};
use serde::Serialize;

use crate::error::CliError;
use crate::output;

/// List the games, their rules and their notation.
#[derive(Args, Debug)]
pub(crate) struct GamesArgs {
    /// Print one JSON array instead of the text.
    #[arg(long)]
    json: bool,
}

/// The position that a command is about.
#[derive(Args, Debug)]
pub(crate) struct GameArgs {
    /// The game, as 'playtree games' lists it.
    #[arg(value_name = "GAME")]
    pub(crate) game: String,
    /// The position in the game's notation [default: the start].
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
}

/// One game in the JSON form.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    rules: &'static str,
    start: &'static str,
    position: &'static str,
    moves: &'static str,
}

impl From<&GameInfo> for Entry {
    fn from(info: &GameInfo) -> Self {
        Self {
            name: info.name,
            rules: info.rules,
            start: info.start,
            position: info.position_help,
            moves: info.move_help,
        }
    }
}

/// Writes the list.
pub(crate) fn run(args: &GamesArgs, out: &mut impl Write) -> Result<(), CliError> {
    let entries: Vec<Entry> = GAMES.iter().map(Entry::from).collect();
    if args.json {
        return output::write_json(out, &entries);
    }
    for (number, game) in entries.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", game.name)?;
        output::write_wrapped(out, &format!("  rules    {}", game.rules), 11)?;
        output::write_wrapped(out, &format!("  position {}", game.position), 11)?;
        output::write_wrapped(out, &format!("  move     {}", game.moves), 11)?;
        // The longest of them fills the line.
        let start = if game.start.is_empty() { "(empty)" } else { game.start };
        writeln!(out, "  start    {start}")?;
    }
    Ok(())
}

/// The game of this name.
pub(crate) fn find(name: &str) -> Result<&'static GameInfo, CliError> {
    games::find(name).map_err(CliError::usage)
}

/// Hands the position to `visitor`.
pub(crate) fn visit<V, T>(
    game: &GameInfo,
    position: Option<&str>,
    visitor: V,
) -> Result<T, CliError>
where
    V: GameVisitor<Output = Result<T, CliError>>,
{
    games::with_game(game.name, position, visitor).map_err(|error| match error {
        GameError::Position(error) => CliError::at("--position", error),
        other => CliError::usage(other),
    })?
}

/// Refuses the end of a game.
pub(crate) fn expect_unfinished<G: Notation>(state: &G) -> Result<(), CliError> {
    let Some(outcome) = state.outcome() else {
        return Ok(());
    };
    let scores: Vec<String> =
        (0..G::PLAYERS).map(|player| outcome.score(player).to_string()).collect();
    let error = "expected a position with a side to move, found a finished game";
    Err(CliError::at("--position", format_args!("{error} (scores {})", scores.join(" - "))))
}
