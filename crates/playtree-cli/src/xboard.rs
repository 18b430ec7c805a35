//! `playtree xboard`: a searcher of ours as an engine of XBoard and WinBoard (CECP, version 2).

mod clocks;
mod session;

use std::io::{BufRead, Write};

use clap::Args;

use self::session::Xboard;
use crate::error::CliError;
use crate::games;
use crate::protocols::{Events, PlayerArgs, Table, serve};

/// Play Xiangqi over the protocol of XBoard and WinBoard.
///
/// As in: xboard -variant xiangqi -fcp "playtree xboard xiangqi"
#[derive(Args, Debug)]
pub(crate) struct XboardArgs {
    /// The game: xiangqi.
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    player: PlayerArgs,
}

/// Answers commands until `quit`, or until there are no more and the last search has ended.
pub(crate) fn run(
    args: &XboardArgs,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let (game, record) = games::start(games::find(&args.game)?)?;
    if game.name() != "xiangqi" {
        let expected = "expected xiangqi, which xboard knows";
        return Err(CliError::at("GAME", format_args!("{expected}, found {}", game.name())));
    }
    let events = Events::listen(input, None)?;
    let table = Table::new(game, record.last().clone(), &args.player, events.bell())?;
    serve(&mut Xboard::new(table), &events, out)
}
