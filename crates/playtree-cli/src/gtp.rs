//! `playtree gtp`: a player of ours as a program that speaks the Go Text Protocol.

mod board;
mod clock;
mod command;
mod line;
mod session;
mod sgf;

use std::io::{BufRead, Write};
use std::time::Duration;

use clap::Args;
use playtree::StopToken;
use playtree::budget::TimeManager;
use playtree_session::{Game, Position};

use self::clock::SideClock;
use self::session::{After, Session};
use crate::error::CliError;
use crate::games;
use crate::options::values;
use crate::player::AtCtrlC;
use crate::spec::{self, Spec};

/// Play over the Go Text Protocol, for programs that show a board.
///
/// They may hold matches as well. Version 2 of the protocol: a command a line on stdin. Black is the
/// first player, a vertex is a move as the game writes it.
#[derive(Args, Debug)]
pub(crate) struct GtpArgs {
    /// The game, as 'playtree games' lists it.
    #[arg(value_name = "GAME")]
    game: String,
    /// The player, written as for 'playtree match'.
    #[arg(value_name = "SPEC", default_value = "mcts")]
    player: String,
    /// Time of each move, for a player whose own text has no limit. An accepted time_settings takes
    /// its place, and that of a time in the player's text.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = values::duration)]
    #[arg(allow_hyphen_values = true)]
    time: Duration,
    /// Time that a move costs on a clock of time_settings beyond the player's thinking.
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = values::duration)]
    #[arg(allow_hyphen_values = true)]
    lag: Duration,
    /// Plies of a usual whole game, by which a clock of time_settings is divided.
    #[arg(long, value_name = "PLIES", default_value = "60", value_parser = values::small)]
    #[arg(allow_hyphen_values = true)]
    expected_plies: u32,
    /// Seed of the player; each game after the first has another.
    #[arg(long, value_name = "S", default_value = "0", value_parser = values::seed)]
    #[arg(allow_hyphen_values = true)]
    seed: u64,
}

/// Answers commands until `quit`, or until there are no more.
pub(crate) fn run(
    args: &GtpArgs,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let info = games::find(&args.game)?;
    let spec = spec::parse("SPEC", &args.player)?;
    let manager = TimeManager::new().lag(args.lag).expected_plies(args.expected_plies);
    let (time, seed) = (args.time, args.seed);
    let (game, record) = games::open(info, None)?;
    let mut settings = Settings { game, spec, time, seed, manager, clock: None, clocks: None };
    // Another size of the board is another start.
    let (mut start, mut moves) = (record.last().clone(), Vec::new());
    let mut is_first = true;
    loop {
        match serve(&mut settings, start, &moves, is_first, input, out)? {
            After::Quit => return Ok(()),
            After::Resize { board: (game, other), moves: others } => {
                settings.game = game;
                (start, moves) = (other, others);
            }
        }
        is_first = false;
    }
}

/// What lasts from one size of the board to the next.
#[derive(Debug)]
struct Settings {
    game: Game,
    spec: Spec,
    /// Of each move, for a player without limits, without a clock.
    time: Duration,
    /// Of the next game.
    seed: u64,
    manager: TimeManager,
    /// What each side begins a game with.
    clock: Option<SideClock>,
    /// Of black and white, now.
    clocks: Option<[SideClock; 2]>,
}

/// Answers commands until another board is asked for; `moves` are played before the first one.
fn serve(
    settings: &mut Settings,
    start: Position,
    moves: &[(usize, String)],
    is_first: bool,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<After, CliError> {
    // Ctrl-C ends the program: no client is left that waits for an answer.
    let stop = AtCtrlC::GivesUp(StopToken::new());
    let mut session = Session::new(start, moves, settings, &stop);
    if is_first {
        // A player that cannot be made is an error now, and no surprise in the middle of a
        // game.
        session.player().map_err(|failure| failure.at("SPEC"))?;
    }
    while let Some(line) = line::read(input)? {
        let (answer, after) = session.answer(&line);
        out.write_all(answer.as_bytes())?;
        out.flush()?;
        if let Some(after) = after {
            return Ok(after);
        }
    }
    Ok(After::Quit)
}
