//! From the numbers of a network to the answers of a search.

use playtree::evaluate::{Answers, Question};

use crate::Planes;

/// What a network says of a batch: a value for each position, and a logit for each of the game's
/// moves, position by position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// The expected score of the side to move, for each position.
    pub values: Vec<f32>,
    /// The logits of the moves, for each position as a row.
    pub logits: Vec<f32>,
}

/// A network that gave another number of outputs than it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected} {what} of {positions} positions from the network, found {found}")]
pub struct WrongSize {
    /// Values or logits.
    pub what: &'static str,
    /// The positions that it was asked about.
    pub positions: usize,
    /// The outputs that they have.
    pub expected: usize,
    /// The outputs that there are.
    pub found: usize,
}

/// Answers questions with the outputs for them, which begin at the position numbered `first` of the
/// batch.
///
/// # Errors
/// If there are too few outputs.
pub fn answer<G: Planes>(
    questions: &[Question<'_, G>],
    outputs: &Outputs,
    first: usize,
    answers: &mut Answers,
) -> Result<(), WrongSize> {
    let (positions, moves) = (first + questions.len(), G::FORM.moves);
    let enough = |what, expected, found| {
        if found < expected { Err(WrongSize { what, positions, expected, found }) } else { Ok(()) }
    };
    enough("values", positions, outputs.values.len())?;
    enough("logits", positions * moves, outputs.logits.len())?;
    for (number, question) in questions.iter().enumerate() {
        answers.value(number, outputs.values[first + number]);
        let logits = &outputs.logits[(first + number) * moves..][..moves];
        for (logit, mv) in answers.policy(number).iter_mut().zip(question.moves) {
            *logit = logits[G::move_number(mv)];
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use playtree::evaluate::{Answers, Question};
    use playtree::games::ConnectFour;
    use playtree::{GameState, Notation};

    use super::{Outputs, answer};

    #[test]
    fn each_move_gets_its_logit() {
        // Column 2 is full.
        let state = ConnectFour::parse_position("222222").unwrap();
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let questions = [Question { state: &state, moves: &moves }];
        let logits = (0..14).map(|logit| logit as f32).collect();
        let outputs = Outputs { values: vec![0.25, 0.75], logits };
        let mut answers = Answers::of(&questions);
        answer(&questions, &outputs, 1, &mut answers).unwrap();
        assert_eq!(answers.policy_of(0), [7.0, 9.0, 10.0, 11.0, 12.0, 13.0]);
        assert_eq!(answers.scores_of(0), [0.75, 0.25]);

        let error = answer(&questions, &outputs, 2, &mut answers).unwrap_err();
        assert_eq!(error.to_string(), "expected 3 values of 3 positions from the network, found 2");
    }
}
