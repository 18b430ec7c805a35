//! `playtree gtp`: a player of ours as a program that speaks the Go Text Protocol.

mod session;

use std::fmt::Debug;
use std::io::{BufRead, Write};
use std::time::Duration;

use clap::Args;
use playtree::games::{GameInfo, GameVisitor};
use playtree::{Notation, Solvable, StopToken};

use self::session::{After, Session};
use crate::error::CliError;
use crate::games;
use crate::options::values;
use crate::spec::{self, Spec};

/// Play a game over the Go Text Protocol (version 2), for programs that show a board or hold
/// matches: a command a line on stdin; black is the first player, a vertex is a move as the
/// game writes it.
#[derive(Args, Debug)]
pub(crate) struct GtpArgs {
    /// The game, as `playtree games` lists it.
    #[arg(value_name = "GAME")]
    game: String,
    /// Who plays, written as for `playtree match`.
    #[arg(value_name = "SPEC", default_value = "mcts")]
    player: String,
    /// Time of each move, for a player whose own text has no limit; time_settings changes it.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = values::duration)]
    #[arg(allow_hyphen_values = true)]
    time: Duration,
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
    let mut settings = Settings { info, spec, time: args.time, seed: args.seed };
    // Another size of the board is another start, and may be another type.
    let mut start = info.start.to_owned();
    loop {
        let serve = Serve { settings: &mut settings, input, out };
        match games::visit(info, Some(&start), serve)? {
            After::Quit => return Ok(()),
            After::Resize(size) => start = size,
        }
    }
}

/// What lasts from one size of the board to the next.
#[derive(Debug)]
struct Settings {
    info: &'static GameInfo,
    spec: Spec,
    time: Duration,
    /// Of the next game.
    seed: u64,
}

struct Serve<'a, R, W> {
    settings: &'a mut Settings,
    input: &'a mut R,
    out: &'a mut W,
}

impl<R: BufRead, W: Write> GameVisitor for Serve<'_, R, W> {
    type Output = Result<After, CliError>;

    fn visit<G: Notation + Solvable + Debug + 'static>(self, start: G) -> Self::Output {
        let Self { settings, input, out } = self;
        // Ctrl-C ends the program: there is nobody to be told more.
        let stop = StopToken::new();
        let mut session = Session::new(start, settings, &stop);
        for line in input.lines() {
            let (answer, after) = session.answer(&line?)?;
            out.write_all(answer.as_bytes())?;
            out.flush()?;
            if let Some(after) = after {
                return Ok(after);
            }
        }
        Ok(After::Quit)
    }
}
