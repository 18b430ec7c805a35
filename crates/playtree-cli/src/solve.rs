//! `playtree solve`: finds out for certain what a position is worth, and shows it.

mod json;
mod strategy;
mod text;
mod walk;

use std::fmt::Debug;
use std::io::{BufRead, Write};
use std::time::Duration;

use clap::Args;
use playtree::games::{GameInfo, GameVisitor};
use playtree::{Budget, Notation, RootMoves, Saveable, Solution, Solvable, Solver, StopToken};

use crate::error::CliError;
use crate::games::{self, GameArgs};
use crate::interrupt;
use crate::options::{AimName, MethodName, RootMovesName, config_error, values};
use crate::output;
use crate::progress::{self, Line};
use crate::saved::FactsFiles;

use self::strategy::Format;

/// Find out for certain what a position is worth with best play.
///
/// Who wins, by how much, how soon, and by which moves. The search goes on until it knows, a limit
/// is reached or Ctrl-C is pressed, and then shows what is known.
#[derive(Args, Debug)]
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
    #[arg(conflicts_with_all = ["json", "strategy", "walk"])]
    top: usize,
    /// Print one JSON object instead of the text.
    #[arg(long)]
    json: bool,
    /// Print the winner's strategy: a reply to every answer, to the end of the game or PLIES plies
    /// deep.
    #[arg(long, value_name = "PLIES", num_args = 0..=1, value_parser = values::plies)]
    #[arg(conflicts_with_all = ["walk", "moves"])]
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
    files: FactsFiles,
}

/// A player as a person counts.
fn player(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(number @ 1..=playtree::MAX_PLAYERS) => Ok(number - 1),
        _ => Err(format!("expected the number of a player, such as 1 or 2, found '{text}'")),
    }
}

/// Solves the position and writes what was found.
pub(crate) fn run(
    args: &SolveArgs,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let info = games::find(&args.game.game)?;
    games::visit(info, args.game.position.as_deref(), Solve { args, info, input, out })
}

struct Solve<'a, R, W> {
    args: &'a SolveArgs,
    info: &'static GameInfo,
    input: R,
    out: &'a mut W,
}

impl<R: BufRead + Send + 'static, W: Write> GameVisitor for Solve<'_, R, W> {
    type Output = Result<(), CliError>;

    fn visit<G: Notation + Saveable + Solvable + Debug + 'static>(self, state: G) -> Self::Output {
        let Self { args, info, input, out } = self;
        games::expect_unfinished(&state)?;
        if let Some(found) = args.player.filter(|&player| player >= G::PLAYERS) {
            let (most, found) = (G::PLAYERS, found + 1);
            let error = format!("expected a player from 1 to {most}, found '{found}'");
            return Err(CliError::at("--player", error));
        }
        if args.player.is_some() && args.strategy.is_none() && !args.walk {
            let error = "expected --strategy or --walk beside it, found neither";
            return Err(CliError::at("--player", error));
        }
        args.files.check()?;
        let mut solver = args.solver::<G>(info)?;
        args.files.load(&mut solver, info, &state)?;
        let stop = interrupt::stop_token()?;
        if args.walk {
            walk::run(args, info, &mut solver, &state, &stop, input, out)?;
            return args.files.save(&solver, info, &state);
        }
        if let Some(plies) = args.strategy {
            strategy::run(args, info, plies, &mut solver, &state, &stop, out)?;
            return args.files.save(&solver, info, &state);
        }
        let solution = solve(&mut solver, info, &state, &args.budget(&stop))?;
        let saved = args.files.save(&solver, info, &state);
        // What was found is shown, whatever became of the facts.
        if args.json {
            output::write_json(out, &json::Solved::new(info, &state, &solution))?;
        } else {
            text::write(out, info, &state, &solution, args.top)?;
        }
        saved
    }
}

impl SolveArgs {
    /// # Errors
    /// If the game cannot be solved, or a number is out of range.
    fn solver<G: Solvable>(&self, info: &GameInfo) -> Result<Solver<G>, CliError> {
        if !G::SETTLED_BY_KEY {
            return Err(CliError::usage(format_args!(
                "expected a game in which no position comes again, found {}",
                info.name
            )));
        }
        // A strategy has a use for one move only.
        let moves = if self.strategy.is_some() { RootMoves::One } else { self.moves.into() };
        let mut builder = Solver::builder().aim(self.aim.into()).root_moves(moves);
        if let Some(method) = self.method {
            builder = builder.method(method.into());
        }
        if let Some(threads) = self.threads {
            builder = builder.threads(threads);
        }
        if let Some(bytes) = self.memory {
            builder = builder.memory_limit(bytes);
        }
        builder.build().map_err(|error| config_error(&error))
    }

    /// The budget of a search.
    fn budget(&self, stop: &StopToken) -> Budget {
        self.budget_after(stop, Duration::ZERO, 0)
    }

    /// The budget of a search after another one that has taken `elapsed` and `nodes` nodes.
    fn budget_after(&self, stop: &StopToken, elapsed: Duration, nodes: u64) -> Budget {
        let mut budget = Budget::until(stop);
        if let Some(time) = self.time {
            budget = budget.and_time(time.saturating_sub(elapsed));
        }
        if let Some(limit) = self.nodes {
            budget = budget.and_nodes(limit.saturating_sub(nodes));
        }
        budget
    }
}

/// Solves `state`, and meanwhile shows how far it has come.
fn solve<G: Notation + Solvable>(
    solver: &mut Solver<G>,
    info: &GameInfo,
    state: &G,
    budget: &Budget,
) -> Result<Solution<G::Move>, CliError> {
    let mut line = Line::new();
    let solution = solver.solve_watched(state, budget, progress::REFRESH, |progress| {
        line.show(progress.elapsed, || {
            format!(
                "solving {}: {} so far, {} of this step, {} nodes, {} s",
                info.name,
                progress.limits,
                output::percent(progress.share),
                output::grouped(progress.nodes),
                progress.elapsed.as_secs(),
            )
        });
    });
    drop(line);
    solution.map_err(CliError::usage)
}
