//! `playtree solve`: finds out for certain what a position is worth, and shows it.

mod strategy;
mod walk;

use std::io::{BufRead, Write};
use std::time::Duration;

use clap::Args;
use playtree::solver::{RootMoves, Solution};
use playtree::{Budget, StopToken};
use playtree_session::engine::SolverEngine;
use playtree_session::settings::SolverSettings;
use playtree_session::{Game, Report, Root};

use crate::error::{CliError, Refusal, session_error};
use crate::games::{self, GameArgs};
use crate::interrupt;
use crate::options::{AimName, MethodName, RootMovesName, values};
use crate::output;
use crate::player::Record;
use crate::progress::{self, Line};
use crate::saved::Files;

use self::strategy::Format;

/// Find out for certain what a position is worth with best play.
///
/// Who wins, by how much, how soon, and by which moves. The search goes on until it knows, a limit
/// is reached or Ctrl-C is pressed, and then shows what is known.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    game: GameArgs,
    /// How much to find out: who wins, also by how many points, or also in how many plies.
    #[arg(long, value_name = "AIM", default_value = "distance")]
    aim: AimName,
    /// What to find out of the moves: one that is best, all that are best, or what each is worth.
    #[arg(long, value_name = "MOVES", default_value = "best")]
    moves: RootMovesName,
    /// How the solver proves points [default: what suits the game].
    #[arg(long, value_name = "METHOD")]
    method: Option<MethodName>,
    /// Stop after this time, such as 250ms, 1.5s or 2m [default: never].
    #[arg(long, value_name = "TIME", value_parser = values::duration, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Stop when N positions have been searched [default: never].
    #[arg(long, value_name = "N", value_parser = values::whole, allow_hyphen_values = true)]
    nodes: Option<u64>,
    /// Worker threads, at most the logical cores [default: the logical cores].
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    threads: Option<usize>,
    /// The most memory of the table, such as 1GiB; a full table costs time only [default: 256MiB].
    #[arg(long, value_name = "SIZE", value_parser = values::size, allow_hyphen_values = true)]
    memory: Option<usize>,
    /// Moves to show, best first.
    #[arg(long, value_name = "N", default_value = "10", value_parser = values::count)]
    #[arg(conflicts_with_all = ["json", "strategy", "walk"], allow_hyphen_values = true)]
    top: usize,
    /// Print one JSON object instead of the text.
    #[arg(long)]
    json: bool,
    /// Print the winner's strategy: a reply to every answer, to the end of the game or PLIES plies
    /// deep.
    #[arg(long, value_name = "PLIES", num_args = 0..=1, value_parser = values::plies)]
    #[arg(conflicts_with_all = ["walk", "moves"], allow_negative_numbers = true)]
    strategy: Option<Option<u32>>,
    /// How the strategy is printed.
    #[arg(long, value_name = "FORMAT", requires = "strategy", conflicts_with = "json")]
    strategy_format: Option<Format>,
    /// Whose strategy, or the solver's side in --walk, 1 or 2 [default: the winner, or the side to
    /// move in a draw].
    #[arg(long, value_name = "N", value_parser = player, allow_hyphen_values = true)]
    player: Option<usize>,
    /// Play the position out: moves are read from stdin, and the solver answers.
    #[arg(long, conflicts_with_all = ["json", "moves"])]
    walk: bool,
    #[command(flatten)]
    files: Files,
}

/// What stands below the options.
const EXAMPLES: &str = "\
Examples:
  playtree solve tictactoe
  playtree solve connect4 --position 44444412 --time 1m
  playtree solve nim --position 3,4,5 --strategy";

/// A player as a person counts.
fn player(text: &str) -> Result<usize, Refusal> {
    match text.parse::<usize>() {
        Ok(number @ 1..=playtree::game::MAX_PLAYERS) => Ok(number - 1),
        _ => Err(Refusal::value("the number of a player, such as 1 or 2", text)),
    }
}

/// Solves the position and writes what was found.
pub(crate) fn run(
    args: &SolveArgs,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let (game, record) = args.game.open()?;
    let state = record.last();
    games::expect_unfinished(state)?;
    if let Some(found) = args.player.filter(|&player| player >= game.players()) {
        let (most, found) = (game.players(), found + 1);
        let error = format!("expected a player from 1 to {most}, found '{found}'");
        return Err(CliError::at("--player", error));
    }
    if args.player.is_some() && args.strategy.is_none() && !args.walk {
        let error = "expected --strategy or --walk beside it, found neither";
        return Err(CliError::at("--player", error));
    }
    args.files.check()?;
    let mut solver = game.solver(&args.settings()).map_err(session_error)?;
    args.files.load(|file| solver.load(file, state))?;
    let stop = interrupt::stop_token()?;
    let task = Task { args, game, record: &record, stop: &stop };
    let done = if args.walk {
        walk::run(&task, &mut *solver, input, out)
    } else if let Some(plies) = args.strategy {
        strategy::run(&task, plies, &mut *solver, out)
    } else {
        task.solve(&mut *solver).map(Some)
    }?;
    let options = args.files.options();
    let saved = args.files.save(|file| solver.save(file, state, &options));
    // What was found is shown, whatever became of the facts.
    if let Some(report) = done {
        if args.json {
            output::write_found_json(out, game, state, &report, None)?;
        } else {
            output::write_found(out, game, state, &report, args.top)?;
        }
    }
    saved
}

/// What is to be solved.
struct Task<'a> {
    args: &'a SolveArgs,
    game: Game,
    record: &'a Record,
    stop: &'a StopToken,
}

impl Task<'_> {
    /// Solves the position, and meanwhile shows how far it has come.
    fn solve(&self, solver: &mut dyn SolverEngine) -> Result<Report, CliError> {
        if let Some(mut line) = Line::new() {
            let name = self.game.name();
            let show = move |report: &Report| {
                let Report::Solver(so_far) = report else { return };
                line.show(so_far.elapsed, || {
                    format!(
                        "solving {name}: {} so far, {} of this step, {} nodes, {} s",
                        so_far.limits,
                        output::percent(so_far.question_share),
                        output::grouped(so_far.nodes),
                        so_far.elapsed.as_secs(),
                    )
                });
            };
            solver.on_report(progress::REFRESH, Box::new(show));
        }
        let game = self.record.as_played();
        solver.think(game, &self.args.budget(self.stop), &Root::new()).map_err(session_error)?;
        let solved = solver.wait();
        // The line is gone when this returns.
        solver.rest();
        solved.map_err(session_error)
    }
}

/// The answer of the solver.
fn solution(report: &Report) -> &Solution<String> {
    match report {
        Report::Solver(solution) => solution,
        _ => unreachable!("a solver says it"),
    }
}

impl SolveArgs {
    /// The settings of the solver.
    fn settings(&self) -> SolverSettings {
        // A strategy has a use for one move only.
        let moves = if self.strategy.is_some() { RootMoves::One } else { self.moves.into() };
        SolverSettings {
            aim: Some(self.aim.into()),
            root_moves: Some(moves),
            method: self.method.map(Into::into),
            threads: self.threads,
            memory_limit: self.memory,
            ..SolverSettings::default()
        }
    }

    /// The budget of a search.
    fn budget(&self, stop: &StopToken) -> Budget {
        let mut budget = Budget::until(stop);
        if let Some(time) = self.time {
            budget = budget.and_time(time);
        }
        if let Some(limit) = self.nodes {
            budget = budget.and_nodes(limit);
        }
        budget
    }
}
