//! Every searcher for tic-tac-toe, Connect Four, Gomoku to 15x15 and Nim.
//!
//! To compile them is most of the time that a program with all games takes to build. This crate and
//! `playtree-engines-boards` are halves of it, which two cores build side by side.

use playtree::games::{ConnectFour, Gomoku, MisereNim, NormalNim, TicTacToe};
use playtree_engines::{Kind, Position, kind_of};

/// What can be done with the game of this position, if it is one of them.
#[must_use]
pub fn kind(position: &Position) -> Option<&'static dyn Kind> {
    let kinds = [
        kind_of::<TicTacToe>,
        kind_of::<ConnectFour>,
        kind_of::<Gomoku>,
        kind_of::<NormalNim>,
        kind_of::<MisereNim>,
    ];
    kinds.iter().find_map(|kind| kind(position))
}
