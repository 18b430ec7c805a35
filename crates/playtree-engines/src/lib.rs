//! The searchers of playtree behind objects.
//!
//! This is the generic half of `playtree-session`, whose documentation says how they are used: an
//! [`Engine`] searches a game without its type, and a [`Kind`] is what can be done with a game. The
//! crates `playtree-engines-lines` and `playtree-engines-boards` compile them for the reference
//! games.

pub mod engine;
mod error;
mod kind;
mod measure;
mod report;
mod root;
pub mod settings;

use playtree::dynamic::AnyState;

pub use engine::Engine;
pub use error::Error;
pub use kind::{Kind, kind_of};
pub use report::Report;
pub use root::Root;

/// A position of a reference game.
pub type Position = AnyState<2>;

/// A game as it has been played.
pub type Record = playtree::game::Record<Position>;
