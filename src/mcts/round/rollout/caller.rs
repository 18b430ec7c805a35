//! Questions that the caller of a search answers, in place of the network.
//!
//! The questions of a round wait between its selection and its backup, and the round with them. A
//! question that is asked alone, at the root before the search or at what comes from a file, ends
//! what needs its answer with an error, and what needs it is done again when the answer is there.

use crate::error::SearchError;
use crate::evaluate::{Answers, NetworkError, Question};
use crate::game::GameState;
use crate::mcts::round::leaf::Replies;
use crate::mcts::round::{Origin, Round, Supply};
use crate::mcts::tree::{Allotment, Tree};

/// The position that was asked about alone, with the answer if that has come.
#[derive(Debug)]
struct Alone<G: GameState> {
    state: G,
    moves: Vec<G::Move>,
    replies: Option<Replies>,
}

/// The caller of a search who answers its questions.
#[derive(Debug)]
pub(crate) struct Caller<G: GameState>(Option<Alone<G>>);

impl<G: GameState> Default for Caller<G> {
    fn default() -> Self {
        Self(None)
    }
}

impl<G: GameState> Caller<G> {
    /// The answer to a question that is asked alone. `None` if it has not come: then the question
    /// waits for it, in place of any other one.
    pub(super) fn answer_to(&mut self, question: Question<'_, G>) -> Option<Replies> {
        let Question { state, moves } = question;
        let same = |alone: &Alone<G>| alone.moves == moves && alone.state.key() == state.key();
        let known = self.0.take().filter(same).and_then(|alone| alone.replies);
        if known.is_none() {
            self.0 = Some(Alone { state: state.clone(), moves: moves.to_vec(), replies: None });
        }
        known
    }

    /// The position that waits for an answer.
    fn waiting(&mut self) -> Option<&mut Alone<G>> {
        self.0.as_mut().filter(|alone| alone.replies.is_none())
    }

    /// What it is asked.
    fn question(&self) -> Option<Question<'_, G>> {
        let alone = self.0.as_ref().filter(|alone| alone.replies.is_none())?;
        Some(Question { state: &alone.state, moves: &alone.moves })
    }
}

impl<G: GameState> Round<G> {
    /// From now on the caller answers, or the network again.
    pub(crate) fn set_caller(&mut self, answers: bool) {
        self.caller = answers.then(Caller::default);
    }

    /// Whether what has failed last waits for the answer to a question that was asked alone.
    pub(crate) fn waits_for_one(&self) -> bool {
        self.caller.as_ref().is_some_and(|caller| caller.question().is_some())
    }

    /// Phases 1 and 2 of `count` simulations, and what they ask.
    ///
    /// # Errors
    /// If the game breaks a law, or [another question](Self::waits_for_one) has to be answered
    /// before. The marks of the simulations are taken back then, also if the game panics.
    pub(crate) fn set_out_asking(
        &mut self,
        from: Origin<'_, G>,
        count: u32,
        supply: &mut Supply<'_, '_>,
    ) -> Result<(), SearchError> {
        self.attempt(from.tree, |round| {
            round.select(from, count, supply)?;
            round.ask_about_leaves()
        })
    }

    /// What waits for an answer of the caller.
    pub(crate) fn waiting_questions(&self) -> Vec<Question<'_, G>> {
        match self.caller.as_ref().and_then(Caller::question) {
            Some(question) => vec![question],
            None => self.all_questions(),
        }
    }

    /// Whether anything waits for an answer of the caller.
    pub(crate) fn has_questions(&self) -> bool {
        self.questions.len() > 0 || self.waits_for_one()
    }

    /// Takes the answers of the caller to all that waits for them: true if the round can be backed
    /// up now, false if it was a question asked alone.
    ///
    /// # Errors
    /// If there are no answers, or none that are some. The marks of the round are taken back then,
    /// also if `answer` panics.
    pub(crate) fn take_answers(
        &mut self,
        tree: &Tree<G>,
        allotment: &mut Allotment,
        answer: impl FnOnce(&[Question<'_, G>], &mut Answers) -> Result<(), NetworkError>,
    ) -> Result<bool, SearchError> {
        let network = self.knowledge.network.clone().expect("asked only with a network");
        let temperature = self.rules.select.temperature();
        if let Some(alone) = self.caller.as_mut().and_then(Caller::waiting) {
            let question = Question { state: &alone.state, moves: &alone.moves };
            let mut replies = Replies::default();
            network.ask_by(&[question], temperature, &mut replies, answer)?;
            alone.replies = Some(replies);
            return Ok(false);
        }
        self.attempt(tree, |round| {
            let mut replies = std::mem::take(&mut round.replies);
            let all = 0..round.questions.len();
            let questions = round.questions.of(all.clone(), &round.states);
            network.ask_by(&questions, temperature, &mut replies, answer)?;
            drop(questions);
            round.take_replies(tree, all, &replies, allotment);
            round.replies = replies;
            round.drop_questions(tree);
            Ok(true)
        })
    }
}
