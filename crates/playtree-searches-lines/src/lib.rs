//! The searches of tic-tac-toe, Connect Four, Gomoku to 15x15 and Nim.
//!
//! To compile them is most of the time that a program with all games takes to build. This crate and
//! `playtree-searches-boards` are halves of it, which two cores build side by side.

use playtree::games::{ConnectFour, Gomoku, MisereNim, NormalNim, TicTacToe};
use playtree_searches::Searches;

/// Those of tic-tac-toe.
pub static TIC_TAC_TOE: Searches<TicTacToe> = Searches::new();
/// Those of Connect Four.
pub static CONNECT_FOUR: Searches<ConnectFour> = Searches::new();
/// Those of Gomoku and other games of rows, to 15x15.
pub static GOMOKU: Searches<Gomoku> = Searches::new();
/// Those of Nim where who takes the last one wins.
pub static NORMAL_NIM: Searches<NormalNim> = Searches::new();
/// Those of Nim where who takes the last one loses.
pub static MISERE_NIM: Searches<MisereNim> = Searches::new();
