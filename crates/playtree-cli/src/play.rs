//! `playtree play`: a person plays against an engine in the terminal.

mod board;
mod command;
mod ending;
mod session;

use std::io::{BufRead, Write};
use std::time::Duration;

use clap::{Args, ValueEnum};
use playtree_session::Game;

use self::board::{Specs, Table};
use self::session::{Rules, Session};
use crate::error::CliError;
use crate::games::{self, GameArgs};
use crate::interrupt::Interrupt;
use crate::lines::Lines;
use crate::options::{ManagerOptions, WrittenClock, clock, values};
use crate::paint::Paint;
use crate::player::{AtCtrlC, Clocks, Seat};
use crate::spec::{self, PlayerSpec};

/// Play a game against an engine in the terminal.
///
/// Type a move as the game writes it, or a command: hint, undo, redo, go, flip, moves, board,
/// save FILE, load FILE, resign, new, help or quit. --position "$(cat FILE)" begins with a saved
/// game.
///
/// Ctrl-C makes the engine move at once while it thinks, and ends the program while you do.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Your side: the player who begins the game, or the other one.
    #[arg(long, value_name = "SIDE", default_value = "first")]
    side: SideName,
    /// The engine, written as for 'playtree match': mcts, alphabeta or random with settings, or a
    /// program.
    #[arg(long, value_name = "SPEC", default_value = "mcts")]
    engine: String,
    /// Time of each move of the engine, and of a hint, if the engine's own text has no limit.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = values::duration)]
    #[arg(allow_hyphen_values = true)]
    time: Duration,
    /// Play on a clock, the same for each side: 5m (sudden death), 5m+3s (Fischer), 10m+3x30s or
    /// 3x30s (byo-yomi), 5m/40 (forty moves to go, again and again), 10s/move. The side that uses
    /// it up has lost.
    #[arg(long, value_name = "CLOCK", value_parser = clock::parse_written)]
    #[arg(allow_hyphen_values = true, conflicts_with = "time")]
    clock: Option<WrittenClock>,
    #[command(flatten)]
    manager: ManagerOptions,
    /// Let the engine, mcts or alphabeta, think in your time too.
    #[arg(long)]
    ponder: bool,
    /// Worker threads of the engine, at most the logical cores [default: the logical cores].
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    threads: Option<usize>,
    /// Seed of the engine; each game after the first has another.
    #[arg(long, value_name = "S", default_value = "0", value_parser = values::seed)]
    #[arg(allow_hyphen_values = true)]
    seed: u64,
}

/// What stands below the options.
const EXAMPLES: &str = "\
Examples:
  playtree play connect4
  playtree play othello --side second --engine alphabeta:depth=4
  playtree play hex --position 7: --clock 5m --ponder";

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SideName {
    /// Player 1, who begins.
    #[value(alias = "1")]
    First,
    /// Player 2.
    #[value(alias = "2")]
    Second,
}

/// Plays until the person has enough, or the input ends.
pub(crate) fn run(
    args: &PlayArgs,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> Result<(), CliError> {
    games::find(&args.game.game)?;
    let engine = spec::parse(ENGINE, &args.engine)?;
    if args.clock.is_some() {
        engine.expect_no_time(ENGINE)?;
    }
    if args.ponder && !matches!(engine.player, PlayerSpec::Mcts(_) | PlayerSpec::AlphaBeta(_)) {
        let error = format!("expected mcts or alphabeta as the engine, found '{engine}'");
        return Err(CliError::at("--ponder", error));
    }
    // Hints come from a searcher such as the engine, if that is one.
    let adviser = match &engine.player {
        PlayerSpec::Mcts(_) | PlayerSpec::AlphaBeta(_) => engine.clone(),
        PlayerSpec::Random | PlayerSpec::Program { .. } => spec::parse(ENGINE, "mcts")?,
    };
    let specs = Specs { engine, adviser };
    let interrupt = Interrupt::listen()?;
    let lines = Lines::read(input)?;
    let (game, before) = args.game.open()?;
    games::expect_two_players(game)?;
    games::expect_going_on(before.outcome())?;
    let stop = AtCtrlC::Moves(interrupt.clone());
    let mut table = Table::new(before, &specs, args.seat(game, &stop));
    // An engine that is not there is an error now, and no surprise in the middle of a game.
    table.make_engine().map_err(|failure| failure.at(ENGINE))?;
    let rules = Rules {
        info: game.info(),
        engine: specs.engine.to_string(),
        clock: args.clock.as_ref().map(|written| written.clock),
        manager: args.manager.manager(),
        ponders: args.ponder,
    };
    let person = args.side as usize;
    Session::new(&mut table, rules, person, Paint::of_stdout(), out).play(&lines, &interrupt)
}

/// The option whose value is the engine.
const ENGINE: &str = "--engine";

impl PlayArgs {
    /// What the engine learns of the game.
    fn seat<'a>(&self, game: Game, stop: &'a AtCtrlC) -> Seat<'a> {
        let manager = self.manager.manager();
        let clock = self.clock.as_ref().map(|written| written.clock);
        Seat {
            game,
            usual_start: self.game.is_usual_start(),
            seed: self.seed,
            time: self.time,
            clocks: clock.map(|clock| Clocks { own: clock, other: clock, manager }),
            threads: self.threads,
            stop,
            maker: &crate::Here,
        }
    }
}
