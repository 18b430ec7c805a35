//! The answers of a network to some questions, in flat lists that are used again call after call.

use crate::game::GameState;

use super::Question;

/// The answers of a network: of each question a score for every player and a number for every move.
///
/// A search hands them over with a place for each question. A network that asks another one, as a
/// cache does, makes its own with [`of`](Self::of), and reads what is in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    players: usize,
    /// The side to move of each question.
    movers: Vec<u8>,
    /// The scores of all players for each question; not a number until it has an answer.
    scores: Vec<f32>,
    logits: Vec<f32>,
    /// Where the logits of each question end.
    ends: Vec<usize>,
    cached: usize,
}

impl Answers {
    /// A place for the answer to each of these questions: without a value, and with a policy to
    /// which all moves look alike.
    #[must_use]
    pub fn of<G: GameState>(questions: &[Question<'_, G>]) -> Self {
        let mut answers = Self::default();
        answers.begin(questions);
        answers
    }

    /// Makes this what [`of`](Self::of) makes, in the same memory.
    pub fn begin<G: GameState>(&mut self, questions: &[Question<'_, G>]) {
        self.players = G::PLAYERS;
        self.movers.clear();
        self.movers.extend(questions.iter().map(|question| question.state.mover() as u8));
        self.scores.clear();
        self.scores.resize(questions.len() * G::PLAYERS, f32::NAN);
        self.ends.clear();
        let mut end = 0;
        self.ends.extend(questions.iter().map(|question| {
            end += question.moves.len();
            end
        }));
        self.logits.clear();
        self.logits.resize(end, 0.0);
        self.cached = 0;
    }

    /// The number of questions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.movers.len()
    }

    /// Whether there is no question.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.movers.is_empty()
    }

    /// Sets the expected score of the side to move, in `[0, 1]`; in a game of two players that of
    /// the other one as well. With three and more players the others need [`scores`](Self::scores).
    ///
    /// # Panics
    /// If there is no such question.
    pub fn value(&mut self, question: usize, value: f32) {
        let mover = usize::from(self.movers[question]);
        let scores = &mut self.scores[question * self.players..][..self.players];
        if let [first, second] = scores {
            (*first, *second) =
                if mover == 0 { (value, 1.0 - value) } else { (1.0 - value, value) };
        } else if let Some(score) = scores.get_mut(mover) {
            *score = value;
        }
    }

    /// Sets the expected score of each player, first player first, in `[0, 1]`; those of two
    /// players add up to 1.
    ///
    /// # Panics
    /// If there is no such question, or not a score for each player.
    pub fn scores(&mut self, question: usize, scores: &[f32]) {
        let (found, players) = (scores.len(), self.players);
        assert_eq!(found, players, "expected a score for each of {players} players");
        self.scores[question * players..][..players].copy_from_slice(scores);
    }

    /// The policy of a question, to be written: one number for each move, the higher the better.
    /// The search makes shares of them that add up to 1 (softmax). All are 0 at first.
    ///
    /// # Panics
    /// If there is no such question.
    pub fn policy(&mut self, question: usize) -> &mut [f32] {
        let range = self.range(question);
        &mut self.logits[range]
    }

    /// The scores of a question, first player first; not a number where it has no answer yet.
    ///
    /// # Panics
    /// If there is no such question.
    #[must_use]
    pub fn scores_of(&self, question: usize) -> &[f32] {
        &self.scores[question * self.players..][..self.players]
    }

    /// The policy of a question.
    ///
    /// # Panics
    /// If there is no such question.
    #[must_use]
    pub fn policy_of(&self, question: usize) -> &[f32] {
        &self.logits[self.range(question)]
    }

    /// Says that `count` of the questions were answered from memory: the report of the search
    /// counts them apart.
    pub fn set_cached(&mut self, count: usize) {
        self.cached = count;
    }

    /// The number of questions that were answered from memory.
    #[must_use]
    pub fn cached(&self) -> usize {
        self.cached
    }

    /// What the answer to a question takes beside the numbers of its moves.
    pub(crate) fn bytes_of_position(players: usize) -> usize {
        size_of::<u8>() + players * size_of::<f32>() + size_of::<usize>()
    }

    /// The scores and the policy of a question; `None` if it is none of these.
    pub(crate) fn get<G: GameState>(
        &self,
        number: usize,
        question: &Question<'_, G>,
    ) -> Option<(&[f32], &[f32])> {
        let is_there = number < self.len() && self.players == G::PLAYERS;
        let found = is_there.then(|| (self.scores_of(number), self.policy_of(number)));
        found.filter(|(_, policy)| policy.len() == question.moves.len())
    }

    fn range(&self, question: usize) -> std::ops::Range<usize> {
        let first = question.checked_sub(1).map_or(0, |before| self.ends[before]);
        first..self.ends[question]
    }
}
