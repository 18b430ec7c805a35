//! `playtree games`, and how every command finds its game.

mod about;

use std::io::Write;

use clap::Args;
use playtree::games::{self, GAMES, GameError, GameInfo, GameVisitor, ReferenceGame};
use playtree::{Notation, Outcome};
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
        self.position.as_deref().is_none_or(|text| split_moves(text).0.is_none())
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

/// The names of the games for which `asked` answers yes, in the order of the alphabet.
fn names<V: GameVisitor<Output = bool> + Copy>(asked: V) -> String {
    let has = |info: &&GameInfo| games::with_game(info.name, None, asked) == Ok(true);
    let mut names: Vec<&str> = GAMES.iter().filter(has).map(|info| info.name).collect();
    names.sort_unstable();
    names.join(", ")
}

/// The names of the games that have an evaluation.
pub(crate) fn with_evaluation() -> String {
    #[derive(Clone, Copy)]
    struct HasEvaluation;

    impl GameVisitor for HasEvaluation {
        type Output = bool;

        fn visit<G: ReferenceGame>(self, _: G) -> bool {
            G::evaluation().is_some()
        }
    }
    names(HasEvaluation)
}

/// The names of the games whose moves have codes.
pub(crate) fn with_move_codes() -> String {
    #[derive(Clone, Copy)]
    struct HasMoveCodes;

    impl GameVisitor for HasMoveCodes {
        type Output = bool;

        fn visit<G: ReferenceGame>(self, _: G) -> bool {
            G::move_codes().is_some()
        }
    }
    names(HasMoveCodes)
}

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

/// Work that is done with a position and the game before it.
pub(crate) trait RecordVisitor {
    /// What the visit comes to.
    type Output;

    /// Works with the last position of `record`.
    fn visit<G: ReferenceGame>(self, record: Record<G>) -> Self::Output;
}

/// Plays the moves before it hands on what they lead to.
struct Replayed<'a, V> {
    moves: &'a [String],
    visitor: V,
}

impl<V: RecordVisitor> GameVisitor for Replayed<'_, V> {
    type Output = Result<V::Output, String>;

    fn visit<G: ReferenceGame>(self, start: G) -> Self::Output {
        Ok(self.visitor.visit(Record::replay(start, self.moves)?))
    }
}

/// Hands on the position of a record alone.
struct Last<V>(V);

impl<V: GameVisitor> RecordVisitor for Last<V> {
    type Output = V::Output;

    fn visit<G: ReferenceGame>(self, record: Record<G>) -> Self::Output {
        self.0.visit(record.last().clone())
    }
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
    visit_record(game, position, Last(visitor))
}

/// Hands the position to `visitor`, with the game before it.
pub(crate) fn visit_record<V, T>(
    game: &GameInfo,
    position: Option<&str>,
    visitor: V,
) -> Result<T, CliError>
where
    V: RecordVisitor<Output = Result<T, CliError>>,
{
    let (position, moves) = position.map_or_else(Default::default, split_moves);
    let replayed = Replayed { moves: &moves, visitor };
    let done = games::with_game(game.name, position.as_deref(), replayed);
    let done = done.map_err(|error| match error {
        GameError::Position(error) => CliError::at("--position", error),
        other => CliError::usage(other),
    })?;
    done.map_err(|error| CliError::at("--position", error))?
}

/// A move as the game writes it, in upper or lower case.
pub(crate) fn read_move<G: Notation>(state: &G, text: &str) -> Result<G::Move, String> {
    state
        .parse_move(text)
        // An error quotes what was written.
        .or_else(|error| state.parse_move(&text.to_ascii_lowercase()).map_err(|_| error))
        .map_err(|error| error.to_string())
}

/// The player that has more than half a point, if there is one.
pub(crate) fn winner<G: Notation>(outcome: &Outcome) -> Option<usize> {
    (0..G::PLAYERS).find(|&player| outcome.score(player) > 0.5)
}

/// Refuses a game that is not one of two players.
pub(crate) fn expect_two_players<G: Notation>(info: &GameInfo) -> Result<(), CliError> {
    if G::PLAYERS == 2 {
        return Ok(());
    }
    let (name, players) = (info.name, G::PLAYERS);
    let error = format_args!("expected a game of two players, found {name} with {players}");
    Err(CliError::usage(error))
}

/// Refuses the end of a game.
pub(crate) fn expect_unfinished<G: Notation>(state: &G) -> Result<(), CliError> {
    expect_going_on::<G>(state.outcome())
}

/// Refuses a game that has ended like this.
pub(crate) fn expect_going_on<G: Notation>(outcome: Option<Outcome>) -> Result<(), CliError> {
    let Some(outcome) = outcome else {
        return Ok(());
    };
    let scores: Vec<String> =
        (0..G::PLAYERS).map(|player| outcome.score(player).to_string()).collect();
    let error = "expected a position with a side to move, found a finished game";
    Err(CliError::at("--position", format_args!("{error} (scores {})", scores.join(" - "))))
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
