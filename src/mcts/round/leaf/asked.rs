//! A network as an engine asks it: each call checked, and its answers in fixed point.

use std::any::type_name;
use std::sync::Arc;

use crate::error::SearchError;
use crate::evaluate::{Answers, Network, NetworkError, Question};
use crate::game::{GameState, Outcome, Scores};
use crate::maths::exp;
use crate::mcts::round::Asked;
use crate::mcts::tree::value::ONE;
use crate::sync::{AtomicUsize, Bell, Ordering};

/// The steps of a score and of a share of a policy: what two answers to one question may differ by
/// is rounded off, nearly always.
const STEPS: f64 = 65_536.0;

/// The least prior: every move is tried some day.
const LEAST_PRIOR: u32 = ONE / STEPS as u32;

/// The most positions of a call.
const LARGEST_BATCH: usize = 4096;

/// By how much the scores of two players may miss a point together, as they are 32-bit numbers.
const TOLERANCE: f32 = 1e-4;

/// A network with what was asked of it once.
pub(crate) struct AskedNetwork<G: GameState> {
    by: Arc<dyn Network<G>>,
    name: &'static str,
    batch: usize,
    turns: Arc<Turns>,
}

/// The calls that may be under way at a time.
#[derive(Debug)]
struct Turns {
    most: usize,
    under_way: AtomicUsize,
    /// Rung when a call has ended.
    bell: Bell,
}

impl<G: GameState> Clone for AskedNetwork<G> {
    fn clone(&self) -> Self {
        let Self { by, name, batch, turns } = self;
        Self { by: Arc::clone(by), name, batch: *batch, turns: Arc::clone(turns) }
    }
}

/// What a network has answered to some questions, and its working memory.
#[derive(Debug, Default)]
pub(crate) struct Replies {
    answers: Answers,
    /// What each position is worth.
    pub(crate) outcomes: Vec<Outcome>,
    /// The priors of all moves, those of the first question first, in fixed point; none if the
    /// selection does not go by them.
    pub(crate) priors: Vec<u32>,
    shares: Vec<f64>,
    pub(crate) asked: Asked,
}

impl Replies {
    /// What they take for each move: its number, and its prior.
    pub(crate) const BYTES_OF_MOVE: usize = size_of::<f32>() + size_of::<u32>();

    /// What they take for each position beside its moves.
    pub(crate) fn bytes_of_position(players: usize) -> usize {
        Answers::bytes_of_position(players) + size_of::<Outcome>()
    }
}

impl<G: GameState> AskedNetwork<G> {
    pub(crate) fn new<N: Network<G> + 'static>(network: N) -> Self {
        let turns = Turns {
            most: network.calls().max(1),
            under_way: AtomicUsize::new(0),
            bell: Bell::new(),
        };
        Self {
            batch: network.batch().clamp(1, LARGEST_BATCH),
            turns: Arc::new(turns),
            by: Arc::new(network),
            name: type_name::<N>(),
        }
    }

    /// The positions that are best asked about together.
    pub(crate) fn batch(&self) -> usize {
        self.batch
    }

    /// The calls that may be under way at a time.
    pub(crate) fn calls(&self) -> usize {
        self.turns.most
    }

    /// Asks these questions, at least one, in one call. With a `temperature` the replies have priors.
    ///
    /// # Errors
    /// If the network has no answers, or answers what is none.
    pub(crate) fn ask(
        &self,
        questions: &[Question<'_, G>],
        temperature: Option<f64>,
        replies: &mut Replies,
    ) -> Result<(), SearchError> {
        self.ask_by(questions, temperature, replies, |questions, answers| {
            let _turn = self.turns.wait();
            self.by.evaluate(questions, answers)
        })
    }

    /// Why there is no answer of a caller: it has not come yet.
    #[cold]
    pub(crate) fn not_yet(&self) -> SearchError {
        SearchError::Network { network: self.name, error: NetworkError::new("not answered yet") }
    }

    /// As [`ask`](Self::ask), with `evaluate` in place of the network.
    pub(crate) fn ask_by(
        &self,
        questions: &[Question<'_, G>],
        temperature: Option<f64>,
        replies: &mut Replies,
        evaluate: impl FnOnce(&[Question<'_, G>], &mut Answers) -> Result<(), NetworkError>,
    ) -> Result<(), SearchError> {
        let Replies { answers, outcomes, priors, shares, asked } = replies;
        outcomes.clear();
        priors.clear();
        answers.begin(questions);
        let network = self.name;
        evaluate(questions, answers).map_err(|error| SearchError::Network { network, error })?;
        *asked = Asked {
            questions: questions.len() as u64,
            calls: 1,
            cached: answers.cached().min(questions.len()) as u64,
        };
        for (number, question) in questions.iter().enumerate() {
            let Some((scores, policy)) = answers.get(number, question) else {
                // The answers were made to be those to other questions.
                return Err(SearchError::of_network_scores(network, &[], question.state));
            };
            let outcome = outcome::<G>(scores);
            let of_scores = || SearchError::of_network_scores(network, scores, question.state);
            outcomes.push(outcome.ok_or_else(of_scores)?);
            if let Some(temperature) = temperature {
                if let Some(&found) = policy.iter().find(|logit| !logit.is_finite()) {
                    return Err(SearchError::of_network_policy(network, found, question.state));
                }
                share_out(policy, temperature, shares, priors);
            }
        }
        Ok(())
    }
}

/// What scores of a network come to; `None` if they are none.
fn outcome<G: GameState>(scores: &[f32]) -> Option<Outcome> {
    let in_range = scores.iter().all(|score| (-TOLERANCE..=1.0 + TOLERANCE).contains(score));
    let add_up = scores.len() != 2 || (scores[0] + scores[1] - 1.0).abs() <= TOLERANCE;
    if !in_range || !add_up {
        return None;
    }
    let mut rounded = [0.0; crate::game::MAX_PLAYERS];
    for (to, &score) in rounded.iter_mut().zip(scores) {
        *to = (f64::from(score).clamp(0.0, 1.0) * STEPS).round() / STEPS;
    }
    if G::PLAYERS == 2 {
        rounded[1] = 1.0 - rounded[0];
    }
    Scores::new(&rounded[..G::PLAYERS]).ok().map(Outcome::Scores)
}

/// Appends the priors of a policy, in fixed point: the softmax of its numbers divided by the
/// temperature.
fn share_out(policy: &[f32], temperature: f64, shares: &mut Vec<f64>, priors: &mut Vec<u32>) {
    let highest = policy.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    shares.clear();
    shares.extend(policy.iter().map(|&logit| exp(f64::from(logit - highest) / temperature)));
    let sum: f64 = shares.iter().sum();
    priors.extend(shares.iter().map(|share| {
        let steps = (share / sum * STEPS).round() as u32;
        (steps * LEAST_PRIOR).max(LEAST_PRIOR)
    }));
}

impl Turns {
    /// Waits until another call may begin.
    fn wait(&self) -> Turn<'_> {
        let below = |under_way: usize| (under_way < self.most).then_some(under_way + 1);
        loop {
            let ticket = self.bell.ticket();
            // Acquire: pairs with the release in `Turn::drop`.
            let begun = self.under_way.fetch_update(Ordering::Acquire, Ordering::Relaxed, below);
            if begun.is_ok() {
                return Turn(self);
            }
            self.bell.wait(ticket);
        }
    }
}

/// A call under way.
struct Turn<'a>(&'a Turns);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Release);
        if self.0.most < usize::MAX {
            self.0.bell.ring();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST_PRIOR, ONE, share_out};

    fn priors(policy: &[f32], temperature: f64) -> Vec<f64> {
        let mut priors = Vec::new();
        share_out(policy, temperature, &mut Vec::new(), &mut priors);
        priors.into_iter().map(|prior| f64::from(prior) / f64::from(ONE)).collect()
    }

    #[test]
    fn shares_are_those_of_the_softmax() {
        let ln_3 = 3.0f32.ln();
        assert_eq!(priors(&[ln_3, 0.0], 1.0), [0.75, 0.25]);
        assert_eq!(priors(&[7.0 + ln_3, 7.0], 1.0), [0.75, 0.25]);
        // At twice the temperature it is the root of three to one.
        let [high, low] = priors(&[ln_3, 0.0], 2.0)[..] else { panic!() };
        assert!((high / low - 3.0f64.sqrt()).abs() < 1e-3, "{high} {low}");
        assert_eq!(priors(&[0.0; 4], 1.0), [0.25; 4]);
    }

    #[test]
    fn no_move_is_left_out() {
        let least = f64::from(LEAST_PRIOR) / f64::from(ONE);
        assert_eq!(priors(&[1e6, 0.0, f32::MIN], 0.01), [1.0, least, least]);
    }
}
