//! `playtree games GAME`: all that a person has to know of one game.

use std::io::Write;

use playtree::GameState;
use playtree::games::GameInfo;
use serde::Serialize;

use super::{Entry, join_moves};
use crate::error::CliError;
use crate::matches::opening;
use crate::output;

/// Moves of the example.
const EXAMPLE_PLIES: u32 = 6;
/// Moves in the example of a command.
const COMMAND_PLIES: usize = 2;

/// A game in the JSON form.
#[derive(Serialize)]
struct About {
    #[serde(flatten)]
    entry: Entry,
    #[serde(flatten)]
    facts: Facts,
}

/// What only the type of a game knows.
#[derive(Serialize)]
struct Facts {
    players: usize,
    evaluation: bool,
    values_at_once: bool,
    move_codes: bool,
    solvable: bool,
    example: Example,
}

/// A position of a random game.
#[derive(Serialize)]
struct Example {
    position: String,
    moves: Vec<String>,
    #[serde(skip)]
    board: String,
}

impl Facts {
    /// What the game says.
    fn of(info: &GameInfo) -> Result<Self, CliError> {
        let (game, start) = super::start(info)?;
        let start = start.last().clone();
        // Shorter where a game is over sooner.
        let lines = (0..=EXAMPLE_PLIES).rev().map(|plies| opening::draw(&start, 1, plies, 0));
        let line = lines.flatten().flatten().next().unwrap_or_default();
        let (mut state, mut moves) = (start, Vec::new());
        for mv in &line {
            moves.push(state.move_text(mv));
            state.apply_in_place(mv);
        }
        let (position, board) = (state.position_text(), state.board_text());
        Ok(Self {
            players: game.players(),
            evaluation: game.has_evaluation(),
            values_at_once: game.values_at_once(),
            move_codes: game.has_move_codes(),
            solvable: game.is_solvable(),
            example: Example { position, moves, board },
        })
    }
}

/// Writes what there is to know of a game.
pub(super) fn write(
    info: &'static GameInfo,
    as_json: bool,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let facts = Facts::of(info)?;
    let entry = Entry::from(info);
    if as_json {
        return output::write_json(out, &About { entry, facts });
    }
    entry.write(out)?;
    let mut line =
        |name: &str, text: &str| output::write_wrapped(out, &format!("  {name:<9}{text}"), 11);
    line("players", &facts.players.to_string())?;
    line("search", &facts.searchers())?;
    line("settings", &facts.settings())?;
    let Example { position, moves, board } = &facts.example;
    let count = output::counted(moves.len() as u64, "move");
    writeln!(out, "\nA position after {count}, {}:\n", moves.join(" "))?;
    writeln!(out, "{board}\n")?;
    let shown = if position.is_empty() { "(empty)" } else { position };
    writeln!(out, "Its text:\n  {shown}\n")?;
    let few = join_moves(None, moves.iter().take(COMMAND_PLIES).cloned());
    writeln!(out, "Try:\n  playtree play {}", info.name)?;
    Ok(writeln!(out, "  playtree analyze {} --time 2s --position \"{few}\"", info.name)?)
}

impl Facts {
    /// Which searchers work.
    fn searchers(&self) -> String {
        let alphabeta = match self.evaluation {
            true => "alphabeta with the evaluation of the game",
            false => "alphabeta without an evaluation (it sees how games end and nothing else)",
        };
        let solver = match self.solvable {
            true => "solve, where few moves are left",
            false => "not solve, as positions can come again",
        };
        format!("mcts; {alphabeta}; {solver}")
    }

    /// Which settings of mcts need more than every game has.
    fn settings(&self) -> String {
        let evaluation = match (self.evaluation, self.values_at_once) {
            (true, false) => "cut-off, prior and first-play-urgency of mcts work",
            (true, true) => "cut-off (by default 0), prior and first-play-urgency of mcts work",
            (false, _) => {
                "cut-off, prior and first-play-urgency of mcts need an evaluation: none here"
            }
        };
        let codes = match self.move_codes {
            true => "selection=grave works",
            false => "selection=grave does not work here",
        };
        format!("{evaluation}; {codes}")
    }
}
