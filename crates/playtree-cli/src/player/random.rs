//! Uniformly random legal moves.

use playtree::Rng;
use playtree::game::random_move;

use super::{Answer, Clocks, Failure, Player, Record, Work};
use crate::error::CliError;

/// A player that knows nothing.
#[derive(Debug)]
pub(super) struct Random(Rng);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(Rng::from_seed(seed))
    }
}

impl Player for Random {
    fn choose(&mut self, record: &Record, _clocks: Option<Clocks>) -> Result<Answer, Failure> {
        match random_move(record.last(), &mut self.0, &mut Vec::new()) {
            Some(mv) => Ok(Answer::Move(mv, Work::default())),
            None => Err(Failure::Error(CliError::usage("expected a legal move, found none"))),
        }
    }
}
