//! Phase 3 with a network: no rollouts, but questions, and what becomes of the answers.
//!
//! A simulation that comes to a node without branches lists its moves, and the node waits for the
//! answer: **its branches are published with their priors when that has come**, so that no worker
//! ever sees a node that is half made. Until then no other simulation goes on there; those that
//! come to it are given back. A position that the end of the game proves, one move ahead, is not
//! asked about.

use std::ops::Range;

use crate::error::SearchError;
use crate::evaluate::Question;
use crate::game::{GameState, Outcome};
use crate::mcts::claims::Pace;
use crate::mcts::round::leaf::Replies;
use crate::mcts::round::{Place, Round};
use crate::mcts::tree::node::NodeId;
use crate::mcts::tree::update::{self, End, Narrowed};
use crate::mcts::tree::value::{Bounds, ONE};
use crate::mcts::tree::{Allotment, Tree};
use crate::sync::{AtomicU32, Ordering};

/// The questions of a round.
#[derive(Clone, Debug)]
pub(crate) struct Questions<G: GameState> {
    list: Vec<Entry>,
    /// The moves of all of them, those of the first one first.
    moves: Vec<G::Move>,
    /// Which of its moves end the game, now or as is foreseen.
    ends: Vec<End>,
    /// The most moves of a question so far, and the most of them that end the game.
    widest: (usize, usize),
    /// The most questions.
    most: usize,
}

/// A question.
#[derive(Clone, Debug)]
struct Entry {
    /// The step that has come to the position.
    at: usize,
    /// Its part of all moves and of all ends.
    moves: Range<usize>,
    ends: Range<usize>,
    /// Whether its node waits for the answer.
    waits: bool,
}

impl<G: GameState> Default for Questions<G> {
    fn default() -> Self {
        let (list, moves, ends) = (Vec::new(), Vec::new(), Vec::new());
        Self { list, moves, ends, widest: (0, 0), most: usize::MAX }
    }
}

impl<G: GameState> Questions<G> {
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.moves.clear();
        self.ends.clear();
    }

    /// From now on there are at most this number.
    pub(super) fn set_most(&mut self, most: usize) {
        self.most = most;
    }

    /// How many more there may be.
    pub(super) fn left(&self) -> usize {
        self.most - self.len()
    }

    /// The number of moves of all of them.
    pub(super) fn moves(&self) -> usize {
        self.moves.len()
    }

    /// What a question takes with its answer, at most, by those so far.
    pub(crate) fn bytes_of_each(&self) -> usize {
        let (moves, ends) = self.widest;
        let of_move = size_of::<G::Move>() + Replies::BYTES_OF_MOVE;
        let asked = size_of::<Entry>() + size_of::<Question<'_, G>>();
        let of_ends = ends * size_of::<End>();
        asked + moves * of_move + of_ends + Replies::bytes_of_position(G::PLAYERS)
    }

    /// Takes a question over, with its moves.
    fn add(&mut self, at: usize, moves: &mut Vec<G::Move>, ends: &[End], waits: bool) {
        let (first_move, first_end) = (self.moves.len(), self.ends.len());
        self.widest = (self.widest.0.max(moves.len()), self.widest.1.max(ends.len()));
        self.moves.append(moves);
        self.ends.extend_from_slice(ends);
        let (moves, ends) = (first_move..self.moves.len(), first_end..self.ends.len());
        self.list.push(Entry { at, moves, ends, waits });
    }

    /// Some of the questions, as a network is asked them; `states` has the position of each step.
    pub(crate) fn of<'a>(&'a self, range: Range<usize>, states: &'a [G]) -> Vec<Question<'a, G>> {
        let question = |entry: &'a Entry| Question {
            state: &states[entry.at],
            moves: &self.moves[entry.moves.clone()],
        };
        self.list[range].iter().map(question).collect()
    }
}

/// In phase 2: which positions are asked about.
impl<G: GameState> Round<G> {
    /// Asks about the node of a step, which has no branches: false. True if it has some now, as the
    /// end of the game proves what it is worth, or another worker was faster.
    ///
    /// One simulation of the step waits for the answer, the others are given back.
    #[cold]
    pub(in crate::mcts::round) fn ask(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        allotment: &mut Allotment,
        pace: &Pace<'_>,
    ) -> Result<bool, SearchError> {
        let node = tree.node(self.steps[at].node);
        let mut waits = false;
        if !node.is_asked() && self.questions.left() > 0 {
            self.list_moves(at)?;
            self.find_ends(tree, at)?;
            if self.ends_prove() && self.give_edges(tree, at, &[], allotment) {
                return Ok(true);
            }
            waits = node.begin_asking();
        }
        if waits && node.edge_range().is_some() {
            node.end_asking();
            return Ok(true);
        }
        if waits {
            self.questions.add(at, &mut self.moves, &self.ends, waits);
        }
        let step = &mut self.steps[at];
        let own = u32::from(waits);
        pace.give_back(step.visits - own);
        (step.visits, step.place) = (own, Place::Own);
        Ok(false)
    }

    /// Whether the moves that end the game, as found last, prove what the position is worth.
    fn ends_prove(&self) -> bool {
        let wins = self.ends.iter().any(|end| end.bounds == Bounds::Win);
        let all_end = self.ends.len() == self.moves.len();
        wins || all_end && self.ends.iter().all(|end| end.bounds.is_exact())
    }

    /// Asks about the positions of the round that are no nodes.
    pub(in crate::mcts::round) fn ask_about_leaves(&mut self) -> Result<(), SearchError> {
        for at in 0..self.steps.len() {
            if self.steps[at].place == Place::Leaf {
                self.list_moves(at)?;
                self.questions.add(at, &mut self.moves, &[], false);
            }
        }
        Ok(())
    }
}

/// In phase 3: the calls, and what is done with the replies.
impl<G: GameState> Round<G> {
    /// All questions of the round.
    pub(super) fn all_questions(&self) -> Vec<Question<'_, G>> {
        self.questions.of(0..self.questions.len(), &self.states)
    }

    /// Asks all questions of the round, in batches, until the search is over.
    pub(super) fn ask_all(
        &mut self,
        tree: &Tree<G>,
        allotment: &mut Allotment,
        pace: &mut Pace<'_>,
    ) -> Result<(), SearchError> {
        self.ask_about_leaves()?;
        let Some(network) = self.knowledge.network.clone() else { return Ok(()) };
        let mut replies = std::mem::take(&mut self.replies);
        let mut first = 0;
        while first < self.questions.len() {
            let range = first..self.questions.len().min(first + network.batch());
            first = range.end;
            if pace.is_over_before(range.len() as u32) {
                break;
            }
            let questions = self.questions.of(range.clone(), &self.states);
            network.ask(&questions, self.rules.select.temperature(), &mut replies)?;
            drop(questions);
            self.take_replies(tree, range, &replies, allotment);
        }
        self.replies = replies;
        self.drop_questions(tree);
        Ok(())
    }

    /// Gives the questions of a range, which were asked in one call, their due.
    pub(in crate::mcts::round) fn take_replies(
        &mut self,
        tree: &Tree<G>,
        range: Range<usize>,
        replies: &Replies,
        allotment: &mut Allotment,
    ) {
        self.counts.asked = self.counts.asked.plus(replies.asked);
        self.take_answers_to(tree, range, (&replies.outcomes, &replies.priors), allotment);
    }

    /// Gives the questions of a range their due: each step its result, each node that waits its
    /// branches. Of the answers those to the questions of the range come first.
    pub(super) fn take_answers_to(
        &mut self,
        tree: &Tree<G>,
        range: Range<usize>,
        (outcomes, mut priors): (&[Outcome], &[u32]),
        allotment: &mut Allotment,
    ) {
        for (number, outcome) in range.zip(outcomes) {
            let Entry { at, moves, ends, waits } = self.questions.list[number].clone();
            // For a leaf `mover` is still the parent's, for a node its own.
            let (viewer, visits) = (usize::from(self.steps[at].mover), self.steps[at].visits);
            self.score(at, outcome, viewer, visits);
            let (own, others) = priors.split_at(moves.len().min(priors.len()));
            priors = others;
            if waits {
                self.moves.clear();
                self.moves.extend_from_slice(&self.questions.moves[moves]);
                self.ends.clear();
                self.ends.extend_from_slice(&self.questions.ends[ends]);
                // Without memory for its branches it will be asked about again.
                self.give_edges(tree, at, own, allotment);
                self.questions.list[number].waits = false;
                tree.node(self.steps[at].node).end_asking();
            }
        }
    }

    /// Drops the questions that have no answer: no node waits for one any more.
    pub(in crate::mcts::round) fn drop_questions(&mut self, tree: &Tree<G>) {
        for entry in &self.questions.list {
            if entry.waits {
                tree.node(self.steps[entry.at].node).end_asking();
            }
        }
        self.questions.clear();
    }
}

/// Outside the batches: at the root before a search, and at what comes from a file.
impl<G: GameState> Round<G> {
    /// Gives the root its branches, one for each of the moves listed last, with what the network
    /// says of them, and the root the value. False if there is no memory for them.
    ///
    /// # Errors
    /// If the network has no answer.
    pub(in crate::mcts::round) fn expand_root_asking(
        &mut self,
        tree: &Tree<G>,
        allotment: &mut Allotment,
    ) -> Result<bool, SearchError> {
        self.find_ends(tree, 0)?;
        if self.ends_prove() {
            return Ok(self.give_edges(tree, 0, &[], allotment));
        }
        let replies = self.ask_alone(0)?;
        self.asked_before = self.asked_before.plus(replies.asked);
        let given = self.give_edges(tree, 0, &replies.priors, allotment);
        let id = self.steps[0].node;
        if given && tree.node(id).visits() == 0 {
            let viewer = tree.node(id).mover();
            self.score(0, &replies.outcomes[0], viewer, 1);
            self.apply_to_root(tree, id);
        }
        Ok(given)
    }

    /// The priors of these moves of the root, as the network sees them among all moves.
    pub(in crate::mcts::round) fn priors_at_root(
        &mut self,
        moves: &[G::Move],
    ) -> Result<Vec<u32>, SearchError> {
        if !self.asks() || self.rules.select.temperature().is_none() {
            return Ok(Vec::new());
        }
        self.list_moves(0)?;
        let replies = self.ask_alone(0)?;
        self.asked_before = self.asked_before.plus(replies.asked);
        let known = |mv: &G::Move| {
            let place = self.moves.iter().position(|known| known == mv);
            place.map_or(1, |place| replies.priors[place])
        };
        Ok(of_one(moves.iter().map(known).collect()))
    }

    /// Asks for the priors of a node of a step that comes from a file, which has none: its moves
    /// were listed last.
    ///
    /// Alone, as the simulation goes on from here: for each position of the file once, when it is
    /// passed first.
    pub(in crate::mcts::round) fn ask_for_priors(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        (loaded, kept): (&[G::Move], &[AtomicU32]),
    ) -> Result<(), SearchError> {
        if !self.asks() || self.rules.select.temperature().is_none() {
            return Ok(());
        }
        debug_assert!(tree.node(self.steps[at].node).is_loaded());
        let replies = self.ask_alone(at)?;
        self.counts.asked = self.counts.asked.plus(replies.asked);
        for (mv, kept) in loaded.iter().zip(kept) {
            if let Some(place) = self.moves.iter().position(|known| known == mv) {
                // Relaxed: another worker that reads it early goes by a prior like all others.
                kept.store(replies.priors[place], Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Asks about the position of a step, whose moves were listed last.
    ///
    /// # Errors
    /// If there is no answer; with a caller who answers, until that one has.
    fn ask_alone(&mut self, at: usize) -> Result<Replies, SearchError> {
        let network = self.knowledge.network.as_ref().expect("asked only with a network");
        let question = Question { state: &self.states[at], moves: &self.moves };
        if let Some(caller) = &mut self.caller {
            return caller.answer_to(question).ok_or_else(|| network.not_yet());
        }
        let mut replies = Replies::default();
        network.ask(&[question], self.rules.select.temperature(), &mut replies)?;
        Ok(replies)
    }

    /// Adds what was found of the root itself to its node.
    fn apply_to_root(&mut self, tree: &Tree<G>, id: NodeId) {
        let node = tree.node(id);
        let (holder, waited) = update::hold(node);
        self.counts.contended += u64::from(waited);
        let step = &self.steps[0];
        let planes = &self.planes[..self.rules.layout.count()];
        update::apply_own(tree, id, node, step.returned, step.sum, planes);
        update::refresh(tree, (id, node), Narrowed::NOTHING);
        update::release(tree, id, node, holder);
    }
}

/// Priors that add up to one again, about.
fn of_one(mut priors: Vec<u32>) -> Vec<u32> {
    let sum: u64 = priors.iter().copied().map(u64::from).sum();
    for prior in &mut priors {
        *prior = ((u64::from(*prior) * u64::from(ONE) / sum.max(1)) as u32).max(1);
    }
    priors
}
