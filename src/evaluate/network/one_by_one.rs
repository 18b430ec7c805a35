//! An evaluation that stands in for a network.

use crate::evaluate::{Evaluate, is_value, list_promises};
use crate::game::GameState;

use super::{Answers, Network, NetworkError, Question};

/// An evaluation as a network, for games of two players: positions are valued one by one, and how
/// [promising](Evaluate::promise) a move looks is its number in the policy.
///
/// What `promise` counts in is up to the evaluation, and a difference of 1 makes a move look 2.7
/// times as good: the [temperature](crate::mcts::Puct::temperature) of the selection makes less of
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneByOne<E>(pub E);

impl<G: GameState, E: Evaluate<G>> Network<G> for OneByOne<E> {
    fn evaluate(
        &self,
        questions: &[Question<'_, G>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        let mut promises = Vec::new();
        for (number, Question { state, moves }) in questions.iter().enumerate() {
            let value = self.0.evaluate(state);
            if !is_value(value) {
                return Err(NetworkError::new(OutOfRange(value)));
            }
            answers.value(number, self.0.win_rate(value) as f32);
            list_promises(&self.0, state, moves, &mut promises);
            for (logit, &promise) in answers.policy(number).iter_mut().zip(&promises) {
                *logit = promise as f32;
            }
        }
        Ok(())
    }

    /// 1: a batch gains nothing.
    fn batch(&self) -> usize {
        1
    }
}

/// A value that an evaluation may not answer.
#[derive(Debug, thiserror::Error)]
#[error(
    "expected a value from -{limit} to {limit}, found {0}",
    limit = crate::evaluate::VALUE_LIMIT
)]
struct OutOfRange(i32);
