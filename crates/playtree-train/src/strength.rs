//! What a network is worth: by labelled positions, and in games.

mod labelled;
mod opponents;

pub use labelled::{Labelled, LabelledError};
pub use opponents::{Opponent, Player, score};
