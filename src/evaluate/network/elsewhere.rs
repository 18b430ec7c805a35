//! What stands for a network whose questions are answered elsewhere.

use crate::game::GameState;

use super::{Answers, Network, NetworkError, Question};

/// Stands for a network in an engine whose questions the program answers itself: see
/// [`Mcts::begin_asking`](crate::Mcts::begin_asking). Any other search with it ends with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    batch: usize,
}

impl Elsewhere {
    /// A search is to have up to `batch` questions at a time: see [`Network::batch`].
    #[must_use]
    pub fn new(batch: usize) -> Self {
        Self { batch }
    }
}

impl<G: GameState> Network<G> for Elsewhere {
    fn evaluate(
        &self,
        _questions: &[Question<'_, G>],
        _answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        Err(NetworkError::new(AskedHere))
    }

    fn batch(&self) -> usize {
        self.batch
    }
}

/// A search asks where nobody answers.
#[derive(Debug, thiserror::Error)]
#[error(
    "expected a search of `Mcts::begin_asking`, whose questions the program answers, found another \
     one"
)]
struct AskedHere;
