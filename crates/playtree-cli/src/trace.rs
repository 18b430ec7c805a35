//! `playtree trace`: replays games from stdin, so that another implementation of the rules
//! can be compared with ours.

use std::fmt::Display;
use std::io::{BufRead, Read, Write};

use clap::Args;
use playtree::games::GameInfo;
use playtree::{GameState, Outcome};
use playtree_session::{Game, Position};
use serde::Serialize;
use serde_json::Value;
use serde_json::error::Category;

use crate::error::CliError;
use crate::games::{self, read_move};
use crate::lines::BYTE_ORDER_MARK;
use crate::output;
use crate::player::Record;

/// The most bytes of a line, so that one without end does not fill the memory.
const LONGEST_LINE: u64 = 1 << 26;

/// Replay games from stdin, a JSON object a line, and answer each.
///
/// Reads {"position": text or absent, "moves": [text, ...]} and answers {"plies":
/// [{"player": 0, "moves": [legal moves]}, ...], "outcome": null or {"scores": [...]}}.
/// Each answer is a line, sent before the next line is read. Empty lines are skipped. The first
/// other line that cannot be answered ends the run with exit code 2.
#[derive(Args, Debug)]
pub(crate) struct TraceArgs {
    /// The game, as 'playtree games' lists it.
    #[arg(value_name = "GAME")]
    game: String,
}

/// Answers every line of `input` but the empty ones.
pub(crate) fn run(
    args: &TraceArgs,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let info = games::find(&args.game)?;
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        if input.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 > LONGEST_LINE {
            let error = format!("expected at most {LONGEST_LINE} bytes, found more");
            return Err(CliError::at(format_args!("line {number}"), error));
        }
        let text =
            line.strip_prefix(BYTE_ORDER_MARK.as_bytes()).filter(|_| number == 1).unwrap_or(&line);
        if text.trim_ascii().is_empty() {
            continue;
        }
        let answer = answer(info, text)
            .map_err(|error| CliError::at(format_args!("line {number}"), error))?;
        output::write_json(out, &answer)?;
        out.flush()?;
    }
    Ok(())
}

/// A game to replay.
#[derive(Debug, Default)]
struct Request {
    position: Option<String>,
    moves: Vec<String>,
}

impl Request {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is none: what was found.
    fn read(line: &[u8]) -> Result<Self, String> {
        let value = serde_json::from_slice(line).map_err(|error| match error.classify() {
            Category::Eof => "the end of the line before the end of the object".to_owned(),
            _ if error.column() <= 1 => "no JSON".to_owned(),
            _ => format!("no JSON at character {}", error.column()),
        })?;
        let Value::Object(fields) = value else {
            return Err(format!("{} instead of an object", kind_of(&value)));
        };
        let mut request = Self::default();
        let mut has_moves = false;
        for (name, value) in fields {
            match (name.as_str(), value) {
                ("position", Value::Null) => {}
                ("position", Value::String(text)) => request.position = Some(text),
                ("position", other) => {
                    return Err(format!("{} for the position", kind_of(&other)));
                }
                ("moves", Value::Array(moves)) => {
                    has_moves = true;
                    for (number, mv) in (1..).zip(moves) {
                        let Value::String(text) = mv else {
                            return Err(format!("{} for move {number}", kind_of(&mv)));
                        };
                        request.moves.push(text);
                    }
                }
                ("moves", other) => return Err(format!("{} for the moves", kind_of(&other))),
                (name, _) => return Err(format!("the unknown field '{name}'")),
            }
        }
        if has_moves { Ok(request) } else { Err("no moves".into()) }
    }
}

/// What a value is, in words.
fn kind_of(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => format!("{value}"),
        Value::String(_) => "a text".into(),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
    }
}

/// What happened in it.
#[derive(Serialize)]
struct Answer {
    plies: Vec<Ply>,
    outcome: Option<Scores>,
}

/// One position before a move.
#[derive(Serialize)]
struct Ply {
    player: usize,
    moves: Vec<String>,
}

/// The end of the game, first player first.
#[derive(Serialize)]
struct Scores {
    scores: Vec<f64>,
}

/// Replays one line from its position, or from the start if it names none.
fn answer(info: &GameInfo, line: &[u8]) -> Result<Answer, String> {
    let request = Request::read(line).map_err(|found| {
        format!("expected {{\"position\": text or absent, \"moves\": [text, ...]}}, found {found}")
    })?;
    // The game may have a type for each kind of position, so each line finds its own.
    let (position, before) =
        request.position.as_deref().map_or_else(Default::default, games::split_moves);
    let at_position = |error: &dyn Display| format!("position: {error}");
    let (_, start) =
        Game::open(info.name, position.as_deref()).map_err(|error| at_position(&error))?;
    let record = Record::replay(start, &before).map_err(|error| at_position(&error))?;
    replay(record, &request.moves)
}

/// Plays the moves on from the last position of `record`.
fn replay(mut record: Record, moves: &[String]) -> Result<Answer, String> {
    let mut plies = Vec::with_capacity(moves.len());
    for (number, text) in (1..).zip(moves) {
        let complain = |error: &dyn Display| format!("move {number}: {error}");
        if record.outcome().is_some() {
            let error = format!("expected no move in a finished game, found '{text}'");
            return Err(complain(&error));
        }
        let state = record.last();
        plies.push(Ply { player: state.mover(), moves: state.legal_moves() });
        let mv = read_move(state, text).map_err(|error| complain(&error))?;
        record.play(mv);
    }
    Ok(Answer { plies, outcome: record.outcome().map(|outcome| scores(&outcome)) })
}

fn scores(outcome: &Outcome) -> Scores {
    Scores { scores: (0..Position::PLAYERS).map(|player| outcome.score(player)).collect() }
}
