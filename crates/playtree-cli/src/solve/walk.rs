//! `playtree solve --walk`: the solver plays one side of the position, a person the other.

use std::io::{BufRead, Write};

use playtree::{GameState, Outcome};
use playtree_session::engine::SolverEngine;
use playtree_session::{Position, Report, Root};

use super::{Task, solution};
use crate::error::{CliError, session_error};
use crate::games::{self, read_move};
use crate::lines::Lines;
use crate::output::{self, write_board};
use crate::progress;

/// What is shown meanwhile.
const SOLVING: &str = "the solver is thinking";

/// What a person may type instead of a move.
const HELP: &str = "a move, moves, board, back or quit";

/// Plays until the game is over, the person has enough, or Ctrl-C.
pub(super) fn run(
    task: &Task<'_>,
    solver: &mut dyn SolverEngine,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> Result<Option<Report>, CliError> {
    let Task { args, game, record, .. } = *task;
    let state = record.last();
    let report = task.solve(solver)?;
    let first = solution(&report);
    let mover = state.mover();
    let is_lost = first.limits.most.points < 0;
    let winner = if is_lost && game.players() == 2 { 1 - mover } else { mover };
    let player = args.player.unwrap_or(winner);
    write_board(out, game, state)?;
    let text = format!(
        "{} for player {}; player {} is the solver, the other one is you: {HELP}",
        first.limits,
        mover + 1,
        player + 1,
    );
    output::write_wrapped(out, &text, 2)?;
    let mut walk = Walk { task, solver, player, line: vec![state.clone()] };
    walk.play(&Lines::read(input)?, out)?;
    Ok(None)
}

struct Walk<'a> {
    task: &'a Task<'a>,
    solver: &'a mut dyn SolverEngine,
    /// Whose moves the solver plays.
    player: usize,
    /// The positions so far, at least one.
    line: Vec<Position>,
}

impl Walk<'_> {
    fn state(&self) -> &Position {
        &self.line[self.line.len() - 1]
    }

    fn play(&mut self, lines: &Lines, out: &mut impl Write) -> Result<(), CliError> {
        loop {
            if !self.answer(out)? {
                return Ok(());
            }
            write!(out, "> ")?;
            out.flush()?;
            // What is typed is not echoed where it does not come from a person.
            let Some(text) = lines.next(self.task.stop)? else { return Ok(writeln!(out)?) };
            if !self.take(text.trim(), out)? {
                return Ok(());
            }
        }
    }

    /// Plays for the solver while it is to move. Returns whether the game goes on.
    fn answer(&mut self, out: &mut impl Write) -> Result<bool, CliError> {
        loop {
            let state = self.state().clone();
            if let Some(outcome) = state.outcome() {
                writeln!(out, "{}", state.board_text())?;
                writeln!(out, "{}", end_text(&outcome))?;
                return Ok(false);
            }
            if state.mover() != self.player {
                return Ok(true);
            }
            let budget = self.task.args.budget(self.task.stop);
            out.flush()?;
            let reply =
                progress::while_running(SOLVING, None, || self.solver.reply(&state, &budget));
            let reply = reply.map_err(session_error)?;
            if self.task.stop.is_stopped() {
                return Ok(false);
            }
            writeln!(out, "player {} plays {} ({})", self.player + 1, reply.mv, reply.limits)?;
            let mv = state.parse_move(&reply.mv).map_err(CliError::usage)?;
            self.line.push(state.apply(&mv));
        }
    }

    /// Takes what the person has typed. Returns whether to go on.
    fn take(&mut self, text: &str, out: &mut impl Write) -> Result<bool, CliError> {
        match text {
            "quit" | "exit" => return Ok(false),
            "board" => write_board(out, self.task.game, self.state())?,
            "moves" => self.write_moves(out)?,
            "back" => {
                let own = |state: &Position| state.mover() != self.player;
                let earlier = self.line[..self.line.len() - 1].iter().rposition(own);
                match earlier {
                    Some(at) => {
                        self.line.truncate(at + 1);
                        write_board(out, self.task.game, self.state())?;
                    }
                    None => writeln!(out, "expected a move to take back, found none")?,
                }
            }
            "" => {}
            _ => match read_move(self.state(), text) {
                Ok(mv) => self.line.push(self.state().apply(&mv)),
                Err(error) => {
                    let error = error.replace(['\n', '\r'], " ");
                    output::write_wrapped(out, &format!("{error} ({HELP})"), 2)?;
                }
            },
        }
        Ok(true)
    }

    /// Lists every move with what is certain of it for the person.
    fn write_moves(&mut self, out: &mut impl Write) -> Result<(), CliError> {
        let state = self.state().clone();
        let budget = self.task.args.budget(self.task.stop);
        let game = playtree_session::Record::new(state);
        let solve = || self.solver.search(&game, &budget, &Root::new());
        let report = progress::while_running(SOLVING, None, solve).map_err(session_error)?;
        let moves: Vec<String> = solution(&report).moves.iter().map(ToString::to_string).collect();
        output::write_wrapped(out, &moves.join(", "), 2)
    }
}

/// Who has won.
fn end_text(outcome: &Outcome) -> String {
    match games::winner(outcome) {
        Some(winner) => format!("player {} wins", winner + 1),
        None => "a draw".into(),
    }
}
