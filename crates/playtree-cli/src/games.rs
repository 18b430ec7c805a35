//! `playtree games`, and how every command finds its game.

mod about;

use std::io::Write;

use clap::Args;
use playtree::dynamic::AnyMove;
use playtree::games::{self, GAMES, GameError, GameInfo};
use playtree::{GameState, Outcome};
use playtree_session::{Game, Position, foreign};
use serde::Serialize;

use crate::error::CliError;
use crate::output;
use crate::player::Record;
use crate::suggest;

/// List the games with their notation, or all there is to know of one.
#[derive(Args, Debug)]
pub(crate) struct GamesArgs {
    /// One game: also which searchers and settings work for it, an example and commands to try.
    #[arg(value_name = "GAME")]
    game: Option<String>,
    /// Print JSON instead of the text: an array, or an object for one game.
    #[arg(long)]
    json: bool,
}

/// The position that a command is about.
#[derive(Args, Debug)]
pub(crate) struct GameArgs {
    /// The game, as 'playtree games' lists it.
    #[arg(value_name = "GAME")]
    pub(crate) game: String,
    /// The position in the game's notation, "moves" and moves from the start, or both: what was
    /// played before counts for repetitions [default: the start].
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
}

impl GameArgs {
    /// Whether the game begins where its rules say, whatever was played from there.
    pub(crate) fn is_usual_start(&self) -> bool {
        self.position.as_deref().is_none_or(is_of_usual_start)
    }
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
    if let Some(name) = &args.game {
        return about::write(find(name)?, args.json, out);
    }
    let entries: Vec<Entry> = GAMES.iter().map(Entry::from).collect();
    if args.json {
        return output::write_json(out, &entries);
    }
    for game in &entries {
        game.write(out)?;
        writeln!(out)?;
    }
    Ok(writeln!(out, "'playtree games GAME' tells more of one game, with an example.")?)
}

impl Entry {
    /// Writes the game for people.
    fn write(&self, out: &mut impl Write) -> Result<(), CliError> {
        writeln!(out, "{}", self.name)?;
        output::write_wrapped(out, &format!("  rules    {}", self.rules), 11)?;
        output::write_wrapped(out, &format!("  position {}", self.position), 11)?;
        output::write_wrapped(out, &format!("  move     {}", self.moves), 11)?;
        // The longest of them fills the line.
        let start = if self.start.is_empty() { "(empty)" } else { self.start };
        Ok(writeln!(out, "  start    {start}")?)
    }
}

/// The game of this name.
pub(crate) fn find(name: &str) -> Result<&'static GameInfo, CliError> {
    games::find(name).map_err(|error| {
        let names = GAMES.iter().map(|info| info.name);
        CliError::usage(format_args!("{error}{}", suggest::hint(name, names)))
    })
}

/// The names of the games that `has` something, in the order of the alphabet.
fn names(has: impl Fn(Game) -> bool) -> String {
    let has = |info: &&GameInfo| Game::open(info.name, None).is_ok_and(|(game, _)| has(game));
    let mut names: Vec<&str> = GAMES.iter().filter(has).map(|info| info.name).collect();
    names.sort_unstable();
    names.join(", ")
}

/// The names of the games that have an evaluation.
pub(crate) fn with_evaluation() -> String {
    names(Game::has_evaluation)
}

/// The names of the games whose moves have codes.
pub(crate) fn with_move_codes() -> String {
    names(Game::has_move_codes)
}

/// The option that holds the text of a game.
const POSITION: &str = "--position";

/// What stands before the moves in the text of a position with the game before it.
const MOVES: &str = "moves";

/// The text of a position without the moves that follow it, `None` for the start of the game, and
/// the moves.
pub(crate) fn split_moves(text: &str) -> (Option<String>, Vec<String>) {
    let mut words = text.split_whitespace();
    let position: Vec<&str> = words.by_ref().take_while(|word| *word != MOVES).collect();
    let moves: Vec<String> = words.map(str::to_owned).collect();
    if moves.is_empty() && position.len() == text.split_whitespace().count() {
        // As it was written: blanks may mean something.
        return (Some(text.to_owned()), moves);
    }
    ((!position.is_empty()).then(|| position.join(" ")), moves)
}

/// The text that [`split_moves`] divides: a position, `None` for the start of the game, and moves.
pub(crate) fn join_moves(
    position: Option<&str>,
    moves: impl IntoIterator<Item = String>,
) -> String {
    let words = position.map(str::to_owned).into_iter().chain([MOVES.to_owned()]).chain(moves);
    words.collect::<Vec<String>>().join(" ")
}

/// Whether the text of a game, which [`split_moves`] divides, begins where the rules say.
pub(crate) fn is_of_usual_start(text: &str) -> bool {
    split_moves(text).0.is_none()
}

/// The start of a game.
///
/// # Errors
/// If this program has no such game.
pub(crate) fn start(info: &GameInfo) -> Result<(Game, Record), CliError> {
    let (game, start) = Game::open(info.name, None).map_err(CliError::usage)?;
    Ok((game, Record::new(start)))
}

/// The game of a text that stands in `place`: a position, and what was played before.
///
/// # Errors
/// If the text is no position, or a move is none.
pub(crate) fn read(info: &GameInfo, text: &str, place: &str) -> Result<(Game, Record), CliError> {
    let (position, moves) = split_moves(text);
    let opened = Game::open(info.name, position.as_deref());
    let (game, start) = opened.map_err(|error| match error {
        GameError::Position(error) => CliError::at(place, error),
        other => CliError::usage(other),
    })?;
    let record = Record::replay(start, &moves);
    Ok((game, record.map_err(|error| CliError::at(place, error))?))
}

impl GameArgs {
    /// The game that is named, at its position.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn open(&self) -> Result<(Game, Record), CliError> {
        let info = find(&self.game)?;
        self.position.as_deref().map_or_else(|| start(info), |text| read(info, text, POSITION))
    }
}

/// A move as the game writes it, in upper or lower case, or as other programs do.
pub(crate) fn read_move(state: &Position, text: &str) -> Result<AnyMove, String> {
    foreign::read_move(state, text).map_err(|error| error.to_string())
}

/// The player that has more than half a point, if there is one.
pub(crate) fn winner(outcome: &Outcome) -> Option<usize> {
    (0..Position::PLAYERS).find(|&player| outcome.score(player) > 0.5)
}

/// Refuses a game that is not one of two players.
pub(crate) fn expect_two_players(game: Game) -> Result<(), CliError> {
    let (name, players) = (game.name(), game.players());
    if players == 2 {
        return Ok(());
    }
    let error = format_args!("expected a game of two players, found {name} with {players}");
    Err(CliError::usage(error))
}

/// Refuses the end of a game.
pub(crate) fn expect_unfinished(state: &Position) -> Result<(), CliError> {
    expect_going_on(state.outcome())
}

/// Refuses a game that has ended like this.
pub(crate) fn expect_going_on(outcome: Option<Outcome>) -> Result<(), CliError> {
    let Some(outcome) = outcome else {
        return Ok(());
    };
    let scores: Vec<String> =
        (0..Position::PLAYERS).map(|player| outcome.score(player).to_string()).collect();
    let error = "expected a position with a side to move, found a finished game";
    Err(CliError::at(POSITION, format_args!("{error} (scores {})", scores.join(" - "))))
}

#[cfg(test)]
mod tests {
    use super::{join_moves, split_moves};

    #[test]
    fn a_text_is_a_position_or_moves_or_both() {
        let split = |text| {
            let (position, moves) = split_moves(text);
            (position, moves.join(","))
        };
        for (position, moves) in [(None, ""), (None, "a"), (Some("7"), ""), (Some("7"), "a,b")] {
            let moves = moves.split(',').filter(|mv| !mv.is_empty()).map(str::to_owned);
            let (position, moves) = (position, moves.collect::<Vec<String>>());
            let text = join_moves(position, moves.clone());
            assert_eq!(split_moves(&text), (position.map(str::to_owned), moves), "{text}");
        }
        assert_eq!(split("7 moves  a b"), (Some("7".into()), "a,b".into()));
        assert_eq!(split("moves a"), (None, "a".into()));
        assert_eq!(split("moves"), (None, String::new()));
        assert_eq!(split("a  b "), (Some("a  b ".into()), String::new()));
        assert_eq!(split(""), (Some(String::new()), String::new()));
    }
}
