//! A network that remembers its answers.

use std::collections::HashMap;
use std::fmt;
use std::mem::size_of;

use crate::game::GameState;
use crate::sync::Mutex;

use super::{Answers, Network, NetworkError, Question};

/// A network whose answers are remembered by the keys of the positions, whole keys, so that no
/// answer is that of another position.
///
/// Of use where a search forgets positions and finds them again, or where several engines share the
/// network behind an [`Arc`](std::sync::Arc). An engine alone asks about a position once as long as
/// it has memory for it.
///
/// An answer is that of the key: a network that looks at more of a position than its key tells is
/// asked about the first position of each key alone.
pub struct Cached<G: GameState, N> {
    network: N,
    /// The most bytes of a generation.
    most: usize,
    generations: Mutex<Generations<G::Key>>,
}

/// What is remembered. When the young generation has its part of the memory it becomes the old one,
/// and what was old and was not asked for meanwhile is forgotten.
struct Generations<K> {
    young: HashMap<K, Box<[f32]>>,
    old: HashMap<K, Box<[f32]>>,
    /// Bytes of the young one.
    bytes: usize,
}

impl<G: GameState, N> Cached<G, N> {
    /// Remembers the answers of `network` in at most about `bytes` bytes. What keys own themselves
    /// is not counted.
    pub fn new(network: N, bytes: usize) -> Self {
        let (young, old) = (HashMap::new(), HashMap::new());
        let generations = Mutex::new(Generations { young, old, bytes: 0 });
        Self { network, most: bytes / 2, generations }
    }

    /// The network itself.
    pub fn network(&self) -> &N {
        &self.network
    }

    /// The number of positions whose answers are remembered.
    pub fn positions(&self) -> usize {
        let generations = self.generations.lock();
        generations.young.len() + generations.old.len()
    }
}

impl<K: std::hash::Hash + Eq> Generations<K> {
    /// The scores and the policy of a position, if they are known. What was old is young again.
    fn find(&mut self, key: &K, most: usize) -> Option<&[f32]> {
        if let Some((key, answer)) = self.old.remove_entry(key) {
            self.add(key, answer, most);
        }
        self.young.get(key).map(|answer| &**answer)
    }

    /// Remembers an answer, if there is room for it at all.
    fn add(&mut self, key: K, answer: Box<[f32]>, most: usize) {
        // A table is at least 7/16 full, but for a small one.
        let of_slot = (size_of::<(K, Box<[f32]>)>() + 1) * 16 / 7;
        let bytes = of_slot + size_of_val(&*answer) + 2 * size_of::<usize>();
        if self.bytes + bytes > most {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.clear();
            self.bytes = 0;
        }
        if bytes <= most && self.young.insert(key, answer).is_none() {
            self.bytes += bytes;
        }
    }
}

impl<G: GameState, N: Network<G>> Network<G> for Cached<G, N> {
    fn evaluate(
        &self,
        questions: &[Question<'_, G>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        let keys: Vec<G::Key> = questions.iter().map(|question| question.state.key()).collect();
        let mut missing = Vec::new();
        let mut generations = self.generations.lock();
        for (number, (key, question)) in keys.iter().zip(questions).enumerate() {
            let known = generations.find(key, self.most);
            match known.filter(|answer| answer.len() == G::PLAYERS + question.moves.len()) {
                Some(answer) => {
                    let (scores, policy) = answer.split_at(G::PLAYERS);
                    answers.scores(number, scores);
                    answers.policy(number).copy_from_slice(policy);
                }
                None => missing.push(number),
            }
        }
        drop(generations);
        let known = questions.len() - missing.len();
        if missing.is_empty() {
            answers.set_cached(known);
            return Ok(());
        }
        let asked: Vec<_> = missing.iter().map(|&number| questions[number]).collect();
        let mut found = Answers::of(&asked);
        self.network.evaluate(&asked, &mut found)?;
        answers.set_cached(known + found.cached());
        let mut keys: Vec<_> = keys.into_iter().map(Some).collect();
        let mut generations = self.generations.lock();
        for (place, number) in missing.into_iter().enumerate() {
            let (scores, policy) = (found.scores_of(place), found.policy_of(place));
            answers.scores(number, scores);
            answers.policy(number).copy_from_slice(policy);
            // What is no answer ends the search, and is not to end the next one.
            let is_answer = scores.iter().chain(policy).all(|number| number.is_finite());
            if let Some(key) = keys[number].take().filter(|_| is_answer) {
                generations.add(key, [scores, policy].concat().into(), self.most);
            }
        }
        Ok(())
    }

    fn batch(&self) -> usize {
        self.network.batch()
    }

    fn calls(&self) -> usize {
        self.network.calls()
    }
}

impl<G: GameState, N> fmt::Debug for Cached<G, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cached").field("positions", &self.positions()).finish_non_exhaustive()
    }
}
