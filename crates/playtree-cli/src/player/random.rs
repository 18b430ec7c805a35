//! Uniformly random legal moves.

use playtree::game::random_move;
use playtree::{GameState, Rng};

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

impl<G: GameState> Player<G> for Random {
    fn choose(
        &mut self,
        record: &Record<G>,
        _clocks: Option<Clocks>,
    ) -> Result<Answer<G::Move>, Failure> {
        match random_move(record.last(), &mut self.0, &mut Vec::new()) {
            Some(mv) => Ok(Answer::Move(mv, Work::default())),
            None => Err(Failure::Error(CliError::usage("expected a legal move, found none"))),
        }
    }
}
