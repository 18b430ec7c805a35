//! The reference games.

mod bits;
pub mod connect4;

pub use connect4::ConnectFour;
