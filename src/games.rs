//! The reference games.

mod bits;
pub mod connect4;
pub mod hex;
pub mod nim;
pub mod othello;
pub mod tictactoe;

pub use connect4::ConnectFour;
pub use hex::{Hex, LargeHex};
pub use nim::{MisereNim, NormalNim};
pub use othello::Othello;
pub use tictactoe::TicTacToe;
