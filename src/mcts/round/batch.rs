//! A batch: the positions of a round that wait for their evaluation, by any number of threads.

use std::iter::repeat_n;
use std::ops::Range;

use super::leaf::{Knowledge, Replies};
use super::rollout::questions::Questions;
use crate::error::SearchError;
use crate::game::{GameState, Outcome};
use crate::mcts::claims::Pace;
use crate::mcts::learned::Lessons;
use crate::mcts::tree::{Allotment, Tree};
use crate::rng::{Rng, mix};

use super::rollout::Noted;
use super::{MovesSeen, Rollouts, Round, RoundRules};

/// Evaluations of a block, where rollouts are played side by side: enough for that, and so few that
/// all workers get some of a batch.
const BLOCK: usize = 16;

/// The evaluations that a round asks for, in blocks: each is one evaluation, or all those that are
/// made side by side. A block has random numbers of its own, so it does not matter which worker
/// does which block, nor in what order.
pub(crate) struct Batch<G: GameState> {
    rules: RoundRules,
    knowledge: Knowledge<G>,
    /// The position of each step of the round.
    states: Vec<G>,
    /// One entry for each evaluation.
    leaves: Vec<Leaf>,
    /// If rollouts learn: for each evaluation the codes of the last two moves before it.
    last_codes: Vec<[u32; 2]>,
    /// With a network: what it is to be asked, instead of the evaluations.
    questions: Questions<G>,
    seed: u64,
}

/// An evaluation that is asked for.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    /// The step it belongs to.
    at: u32,
    /// The side whose score is wanted.
    viewer: u8,
}

/// What a worker that evaluates has in hand: the results so far, and scratch space.
pub(crate) struct Hands<G: GameState> {
    /// For each evaluation that was done its step and score.
    scores: Vec<(u32, u32)>,
    /// The further planes of each.
    planes: Vec<u64>,
    rollouts: Option<Rollouts<G>>,
    /// The moves seen in the rollouts, if the selection asks for them.
    moves_seen: Option<MovesSeen>,
    /// The rollouts, if rollouts learn.
    lessons: Lessons,
    /// With a network: its replies to the questions of each block, and which these are.
    replies: Vec<(Range<usize>, Replies)>,
}

impl<G: GameState> Default for Hands<G> {
    fn default() -> Self {
        let (scores, planes, replies) = (Vec::new(), Vec::new(), Vec::new());
        let lessons = Lessons::default();
        Self { scores, planes, rollouts: None, moves_seen: None, lessons, replies }
    }
}

impl<G: GameState> Hands<G> {
    /// Moves the results of `other` over to this one.
    pub(crate) fn take_from(&mut self, other: &mut Self) {
        self.scores.append(&mut other.scores);
        self.planes.append(&mut other.planes);
        self.replies.append(&mut other.replies);
        self.lessons.take_from(&mut other.lessons);
        match (&mut self.moves_seen, &mut other.moves_seen) {
            (Some(moves_seen), Some(other)) => moves_seen.take_from(other),
            (moves_seen, other) => *moves_seen = moves_seen.take().or(other.take()),
        }
    }
}

impl<G: GameState> Batch<G> {
    pub(crate) fn new(rules: RoundRules, knowledge: Knowledge<G>) -> Self {
        let questions = Questions::default();
        let (states, leaves, last_codes) = Default::default();
        Self { rules, knowledge, states, leaves, last_codes, questions, seed: 0 }
    }

    /// The number of blocks.
    pub(crate) fn blocks(&self) -> usize {
        let evaluations = match self.knowledge.network {
            Some(_) => self.questions.len(),
            None => self.leaves.len(),
        };
        evaluations.div_ceil(self.block())
    }

    /// The evaluations of a block.
    fn block(&self) -> usize {
        match &self.knowledge.network {
            Some(network) => network.batch(),
            None => self.knowledge.rollouts_at_once().min(BLOCK),
        }
    }

    /// Phase 3 for some blocks of the batch: until it is done or the search is over.
    ///
    /// # Errors
    /// If the game breaks a law.
    pub(crate) fn evaluate(
        &self,
        blocks: Range<usize>,
        hands: &mut Hands<G>,
        pace: &mut Pace<'_>,
    ) -> Result<(), SearchError> {
        if self.knowledge.network.is_some() {
            return self.ask(blocks, hands, pace);
        }
        let RoundRules { layout, draws, rollout_limit, .. } = self.rules;
        let Hands { scores, planes, rollouts, moves_seen, lessons, .. } = hands;
        if let Some(codes) = self.knowledge.codes {
            moves_seen.get_or_insert_with(|| MovesSeen::new(codes));
        }
        let rollouts = rollouts.get_or_insert_with(|| Rollouts::new(&self.knowledge));
        for (number, leaves) in
            self.leaves.chunks(self.block()).enumerate().take(blocks.end).skip(blocks.start)
        {
            let mut rng = Rng::from_seed(mix(self.seed, number as u64));
            let position = |number: usize| &self.states[leaves[number].at as usize];
            let what = (rollout_limit, leaves.len());
            let first = number * self.block();
            let last_codes = |number: usize| self.last_codes[first + number];
            let ended = |number: usize, outcome: &Outcome, noted: Noted<'_>| {
                let Leaf { at, viewer } = leaves[number];
                if let (Some(moves_seen), Some(played)) = (&mut *moves_seen, noted.played) {
                    moves_seen.note(at, outcome, played, draws);
                }
                if let Some(trail) = noted.trail {
                    lessons.note((first + number, at), outcome, &trail.moves, draws);
                }
                let viewer = usize::from(viewer);
                scores.push((at, draws.fixed(outcome, viewer)));
                if layout.count() > 0 {
                    let first = planes.len();
                    planes.resize(first + layout.count(), 0);
                    layout.add_outcome(draws, outcome, viewer, &mut planes[first..]);
                }
            };
            let (knowledge, position) = (&self.knowledge, (position, last_codes));
            if rollouts.play(knowledge, what, position, &mut rng, pace, ended)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl<G: GameState> Batch<G> {
    /// Asks the questions of some blocks, one call for each: which positions are in a call does not
    /// depend on the workers, nor does an answer that depends on them.
    fn ask(
        &self,
        blocks: Range<usize>,
        hands: &mut Hands<G>,
        pace: &mut Pace<'_>,
    ) -> Result<(), SearchError> {
        let Some(network) = &self.knowledge.network else { return Ok(()) };
        for block in blocks {
            let first = block * self.block();
            let range = first..self.questions.len().min(first + self.block());
            if pace.is_over_before(range.len() as u32) {
                break;
            }
            let mut replies = Replies::default();
            let questions = self.questions.of(range.clone(), &self.states);
            network.ask(&questions, self.rules.select.temperature(), &mut replies)?;
            hands.replies.push((range, replies));
        }
        Ok(())
    }
}

/// Puts replies in the order of the questions. Compiled once, not for every game.
fn sort_replies(replies: &mut [(Range<usize>, Replies)]) {
    replies.sort_by_key(|(range, _)| range.start);
}

impl<G: GameState> Round<G> {
    /// Puts the positions that have been selected, and how often each is to be evaluated,
    /// into `batch`. The round has no use for them any more.
    ///
    /// # Errors
    /// If the game breaks a law.
    pub(crate) fn hand_over(&mut self, batch: &mut Batch<G>, seed: u64) -> Result<(), SearchError> {
        if self.knowledge.network.is_some() {
            self.ask_about_leaves()?;
        }
        std::mem::swap(&mut self.states, &mut batch.states);
        batch.seed = seed;
        batch.leaves.clear();
        batch.last_codes.clear();
        if self.knowledge.network.is_some() {
            self.questions.clone_into(&mut batch.questions);
            return Ok(());
        }
        for (at, step) in (0..).zip(&self.steps) {
            if step.place.is_rolled_out() {
                let leaf = Leaf { at, viewer: step.mover };
                batch.leaves.extend(repeat_n(leaf, step.visits as usize));
                if self.knowledge.memory().is_some() {
                    let last = self.last_codes(at as usize);
                    batch.last_codes.extend(repeat_n(last, step.visits as usize));
                }
            }
        }
        Ok(())
    }

    /// Takes what the network has replied, in the order of the questions, whoever has asked which
    /// of them.
    pub(crate) fn take_all_replies(
        &mut self,
        hands: &mut Hands<G>,
        tree: &Tree<G>,
        allotment: &mut Allotment,
    ) {
        sort_replies(&mut hands.replies);
        for (range, replies) in hands.replies.drain(..) {
            self.take_replies(tree, range, &replies, allotment);
        }
        self.drop_questions(tree);
    }

    /// Adds results to the steps they belong to, and leaves the hands empty. The sums are
    /// whole numbers, so the order does not matter.
    pub(crate) fn take_results(&mut self, hands: &mut Hands<G>) {
        let planes = self.rules.layout.count();
        for (number, &(at, score)) in hands.scores.iter().enumerate() {
            let step = &mut self.steps[at as usize];
            step.returned += 1;
            step.sum += u64::from(score);
            let sums = &mut self.planes[at as usize * planes..][..planes];
            for (sum, value) in sums.iter_mut().zip(&hands.planes[number * planes..]) {
                *sum += value;
            }
        }
        if let (Some(moves_seen), Some(seen)) = (&mut self.moves_seen, &mut hands.moves_seen) {
            moves_seen.take_from(seen);
        }
        self.lessons.take_from(&mut hands.lessons);
        hands.scores.clear();
        hands.planes.clear();
    }
}
