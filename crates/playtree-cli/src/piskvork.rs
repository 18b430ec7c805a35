//! `playtree piskvork`: a searcher of ours as a brain of Piskvork and Gomocup.

mod board;
mod session;

use std::io::{BufRead, Write};

use clap::Args;

use self::session::Piskvork;
use crate::error::CliError;
use crate::games;
use crate::protocols::{Events, PlayerArgs, Table, serve};

/// Play Gomoku over the protocol of Piskvork and Gomocup.
///
/// Boards to 20x20, freestyle and exactly five. What INFO says of the time takes the place of
/// --time.
#[derive(Args, Debug)]
pub(crate) struct PiskvorkArgs {
    #[command(flatten)]
    player: PlayerArgs,
}

/// Answers commands until `END`, or until there are no more and the last search has ended.
pub(crate) fn run(
    args: &PiskvorkArgs,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> Result<(), CliError> {
    if games::find(&args.player.player).is_ok() {
        let error = "expected a player such as mcts, found a game: it is always Gomoku here";
        return Err(CliError::at("SPEC", error));
    }
    let (game, record) = games::start(games::find("gomoku")?)?;
    let events = Events::listen(input, None)?;
    let table = Table::new(game, record.last().clone(), &args.player, events.bell())?;
    serve(&mut Piskvork::new(table), &events, out)
}
