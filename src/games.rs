//! The reference games.

mod bits;
pub mod connect4;
pub mod othello;

pub use connect4::ConnectFour;
pub use othello::Othello;
