//! `playtree solve --walk`: the solver plays one side of the position, a person the other.

use std::io::{BufRead, Write};

use playtree::games::GameInfo;
use playtree::solver::SolvedMove;
use playtree::{Notation, Outcome, Solvable, Solver, StopToken};

use super::{SolveArgs, solve};
use crate::error::CliError;
use crate::games;
use crate::lines::Lines;
use crate::output::{self, write_board};
use crate::progress;

/// What is shown meanwhile.
const SOLVING: &str = "the solver is thinking";

/// What a person may type instead of a move.
const HELP: &str = "a move, moves, board, back or quit";

/// Plays until the game is over, the person has enough, or Ctrl-C. Gives the solver back.
pub(super) fn run<G: Notation + Solvable + 'static>(
    args: &SolveArgs,
    info: &'static GameInfo,
    solver: Solver<G>,
    state: &G,
    stop: &StopToken,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> Result<Solver<G>, CliError> {
    let (solver, first) = solve(solver, info, state, &args.budget(stop))?;
    let mover = state.mover();
    let is_lost = first.limits.most.points < 0;
    let winner = if is_lost && G::PLAYERS == 2 { 1 - mover } else { mover };
    let player = args.player.unwrap_or(winner);
    write_board(out, info, state)?;
    let text = format!(
        "{} for player {}; player {} is the solver, the other one is you: {HELP}",
        first.limits,
        mover + 1,
        player + 1,
    );
    output::write_wrapped(out, &text, 2)?;
    let mut walk = Walk { args, info, solver, stop, player, line: vec![state.clone()] };
    walk.play(&Lines::read(input)?, out)?;
    Ok(walk.solver)
}

struct Walk<'a, G: Solvable> {
    args: &'a SolveArgs,
    info: &'static GameInfo,
    solver: Solver<G>,
    stop: &'a StopToken,
    /// Whose moves the solver plays.
    player: usize,
    /// The positions so far, at least one.
    line: Vec<G>,
}

impl<G: Notation + Solvable> Walk<'_, G> {
    fn state(&self) -> &G {
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
            let Some(text) = lines.next(self.stop)? else { return Ok(writeln!(out)?) };
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
                writeln!(out, "{}", end_text::<G>(&outcome))?;
                return Ok(false);
            }
            if state.mover() != self.player {
                return Ok(true);
            }
            let budget = self.args.budget(self.stop);
            out.flush()?;
            let reply =
                progress::while_running(SOLVING, None, || self.solver.reply(&state, &budget));
            let reply = reply.map_err(CliError::usage)?;
            if self.stop.is_stopped() {
                return Ok(false);
            }
            let text = state.move_text(&reply.mv);
            writeln!(out, "player {} plays {text} ({})", self.player + 1, reply.limits)?;
            self.line.push(state.apply(&reply.mv));
        }
    }

    /// Takes what the person has typed. Returns whether to go on.
    fn take(&mut self, text: &str, out: &mut impl Write) -> Result<bool, CliError> {
        match text {
            "quit" | "exit" => return Ok(false),
            "board" => write_board(out, self.info, self.state())?,
            "moves" => self.write_moves(out)?,
            "back" => {
                let own = |state: &G| state.mover() != self.player;
                let earlier = self.line[..self.line.len() - 1].iter().rposition(own);
                match earlier {
                    Some(at) => {
                        self.line.truncate(at + 1);
                        write_board(out, self.info, self.state())?;
                    }
                    None => writeln!(out, "expected a move to take back, found none")?,
                }
            }
            "" => {}
            _ => match self.state().parse_move(text) {
                Ok(mv) => self.line.push(self.state().apply(&mv)),
                Err(error) => {
                    let error = error.to_string().replace(['\n', '\r'], " ");
                    output::write_wrapped(out, &format!("{error} ({HELP})"), 2)?;
                }
            },
        }
        Ok(true)
    }

    /// Lists every move with what is certain of it for the person.
    fn write_moves(&mut self, out: &mut impl Write) -> Result<(), CliError> {
        let state = self.state().clone();
        let budget = self.args.budget(self.stop);
        let solve = || self.solver.solve(&state, &budget);
        let solution = progress::while_running(SOLVING, None, solve).map_err(CliError::usage)?;
        let text = |found: &SolvedMove<G::Move>| found.in_notation(&state).to_string();
        let moves: Vec<String> = solution.moves.iter().map(text).collect();
        output::write_wrapped(out, &moves.join(", "), 2)
    }
}

/// Who has won.
fn end_text<G: Notation>(outcome: &Outcome) -> String {
    match games::winner::<G>(outcome) {
        Some(winner) => format!("player {} wins", winner + 1),
        None if G::PLAYERS == 1 && outcome.score(0) < 0.5 => "player 1 loses".into(),
        None => "a draw".into(),
    }
}
