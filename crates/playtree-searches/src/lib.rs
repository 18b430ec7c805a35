//! The searchers of playtree, made from settings.
//!
//! [`Searches`] is the code of a game that is worth optimising. The crates
//! `playtree-searches-lines` and `playtree-searches-boards` compile it for the reference games;
//! `playtree-engines` has all else that is done with a game, and is not optimised.

mod error;
#[cfg(feature = "exchange")]
mod exchanges;
mod measure;
mod searches;
pub mod settings;

pub use error::Error;
#[cfg(feature = "exchange")]
pub use exchanges::{Exchanges, Exchanging};
pub use searches::{Evaluation, Searches};
