//! What a match between two searchers says: the score with its interval, and when the match may
//! end early.
//!
//! [`MatchScore`] is the result of a match, [`Sprt`] the test that ends it.

mod score;
mod sprt;

pub use score::{Estimate, MatchScore, elo, expected_score};
pub use sprt::{Sprt, Verdict};
