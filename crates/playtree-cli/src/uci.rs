//! `playtree uci`: a searcher of ours as a program that speaks UCI, or UCCI where the client begins
//! with that word.

mod dialect;
mod go;
mod options;
mod session;

use std::io::{BufRead, Write};

use clap::Args;

use self::session::Uci;
use crate::error::CliError;
use crate::games;
use crate::protocols::{Events, PlayerArgs, Table, serve};

/// Play over UCI, or over UCCI, for programs that show a board.
///
/// The client begins with 'uci' or, for Xiangqi, 'ucci'. Xiangqi is what both are made for; any
/// other game of two players goes over UCI with positions and moves as the game writes them.
#[derive(Args, Debug)]
pub(crate) struct UciArgs {
    /// The game, as 'playtree games' lists it.
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    player: PlayerArgs,
}

/// Answers commands until `quit`, or until there are no more and the last search has ended.
pub(crate) fn run(
    args: &UciArgs,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let (game, record) = games::start(games::find(&args.game)?)?;
    games::expect_two_players(game)?;
    let events = Events::listen(input, None)?;
    let table = Table::new(game, record.last().clone(), &args.player, events.bell())?;
    serve(&mut Uci::new(table), &events, out)
}
