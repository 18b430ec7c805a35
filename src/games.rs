//! The reference games.

mod bits;
pub mod connect4;
pub mod hex;
pub mod othello;
pub mod tictactoe;

pub use connect4::ConnectFour;
pub use hex::{Hex, LargeHex};
pub use othello::Othello;
pub use tictactoe::TicTacToe;
