//! `playtree gtp`: a player of ours as a program that speaks the Go Text Protocol.

mod analysis;
mod board;
mod clock;
mod command;
mod letters;
mod session;
mod sgf;
mod stream;

use std::io::{BufRead, Write};
use std::time::Duration;

use clap::Args;
use playtree::StopToken;
use playtree::budget::TimeManager;
use playtree_session::{Game, Position};

use self::clock::SideClock;
use self::letters::Letters;
use self::session::{After, Session};
use crate::error::CliError;
use crate::games;
use crate::player::AtCtrlC;
use crate::protocols::{Event, Events, PlayerArgs};
use crate::spec::{self, Spec};

/// Play over the Go Text Protocol, for programs that show a board.
///
/// They may hold matches as well. Version 2 of the protocol: a command a line on stdin. Black is
/// the first player, a vertex is a move as the game writes it.
#[derive(Args, Debug)]
pub(crate) struct GtpArgs {
    /// The game, as 'playtree games' lists it.
    #[arg(value_name = "GAME")]
    game: String,
    /// Leave out the letter i of columns, as boards for Go do: the ninth one is j.
    #[arg(long)]
    without_i: bool,
    #[command(flatten)]
    player: PlayerArgs,
}

/// Answers commands until `quit`, or until there are no more.
pub(crate) fn run(
    args: &GtpArgs,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let info = games::find(&args.game)?;
    let events = Events::listen(input, Some(b'#'))?;
    let PlayerArgs { ref player, time, seed, .. } = args.player;
    let spec = spec::parse("SPEC", player)?;
    let manager = args.player.manager();
    let (game, record) = games::start(info)?;
    let letters = if args.without_i { Letters::WithoutI } else { Letters::All };
    let mut settings =
        Settings { game, letters, spec, time, seed, manager, clock: None, clocks: None };
    // Another size of the board is another start.
    let (mut start, mut moves) = (record.last().clone(), Vec::new());
    let mut is_first = true;
    loop {
        match serve(&mut settings, start, &moves, is_first, &events, out)? {
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
    letters: Letters,
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
    events: &Events,
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
    let mut next = events.next(None)?;
    loop {
        let line = match next {
            Some(Event::Line(line)) => line,
            Some(Event::Closed) => return Ok(After::Quit),
            Some(Event::Woken) | None => {
                next = events.next(None)?;
                continue;
            }
        };
        let (answer, after) = session.answer(&line);
        out.write_all(answer.as_bytes())?;
        out.flush()?;
        if let Some(after) = after {
            return Ok(after);
        }
        next = match session.stream(events, out)? {
            // It has ended an analysis, and is answered after it.
            Some(event) => Some(event),
            None => events.next(None)?,
        };
    }
}
