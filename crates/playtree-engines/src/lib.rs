//! The searchers of playtree behind objects.
//!
//! This is the generic half of `playtree-session`, whose documentation says how they are used: an
//! [`Engine`] searches a game without its type, and a [`Kind`] is what can be done with a game.
//!
//! All of it is compiled for each game, and none of it is what a search waits for: in a release
//! build it is not optimised, which takes a third from the time of that build. What is worth it
//! lies below, in `playtree-searches`.

pub mod engine;
mod kind;
mod report;
mod root;
pub mod settings;

use playtree::dynamic::AnyState;

pub use engine::Engine;
pub use kind::{Kind, kind};
pub use playtree_searches::Error;
pub use report::Report;
pub use root::Root;

/// A position of a reference game.
pub type Position = AnyState<2>;

/// A game as it has been played.
pub type Record = playtree::game::Record<Position>;
