//! Networks: what they are asked, what a search makes of the answers, and what ends one.

#![cfg(feature = "games")]

use playtree::evaluate::{Answers, Network, NetworkError, Question};
use playtree::games::TicTacToe;
use playtree::{Budget, Mcts, Notation};

/// Knows that the middle is a good move, and nothing else.
struct Middle;

impl Network<TicTacToe> for Middle {
    fn evaluate(
        &self,
        questions: &[Question<'_, TicTacToe>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        for (number, question) in questions.iter().enumerate() {
            answers.value(number, 0.5);
            for (logit, mv) in answers.policy(number).iter_mut().zip(question.moves) {
                *logit = if question.state.move_text(mv) == "5" { 2.0 } else { 0.0 };
            }
        }
        Ok(())
    }
}

#[test]
fn a_prior_leads_the_search() {
    let mut mcts = Mcts::builder().threads(1).network(Middle).build().unwrap();
    let report = mcts.search(&TicTacToe::new(), &Budget::simulations(50)).unwrap();
    mcts.audit().unwrap();
    assert_eq!(TicTacToe::new().move_text(&report.best_move), "5");
}
