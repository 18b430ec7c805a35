//! Phase 2, expansion: new nodes, new edges, and where a simulation has come to.

use crate::error::SearchError;
use crate::game::{GameState, Outcome};
use crate::laws::{check_moves, checked_mover};
use crate::mcts::config::Expansion;
use crate::mcts::tree::node::{Edge, Loaded, NodeId};
use crate::mcts::tree::table::KeyHash;
use crate::mcts::tree::update::{self, End, Narrowed};
use crate::mcts::tree::value::{Bounds, Value, to_fixed, to_score};
use crate::mcts::tree::{Allotment, Tree};
use crate::prefetch::prefetch;

use super::{Place, Round};

/// Branches of a position that numbers of positions are for. With more of them each gets less, and
/// the numbers are larger by that factor.
const BRANCHES: u32 = 8;

/// Branches that make no number larger any more.
const MOST_BRANCHES: u32 = 128;

/// Plies to an end that is foreseen, at most: what a game says may be anything.
const FARTHEST: u32 = 1_000_000;

/// Scales `number`, which holds for up to [`BRANCHES`] branches, in proportion to `branches`; more
/// than [`MOST_BRANCHES`] count no more.
#[inline]
fn spread(number: u64, branches: u32) -> u64 {
    let branches = branches.clamp(BRANCHES, MOST_BRANCHES);
    number.saturating_mul(branches.into()) / u64::from(BRANCHES)
}

impl<G: GameState> Round<G> {
    /// Gives the node of a step its edges. False if there is no memory for them.
    #[cold]
    pub(super) fn expand(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        allotment: &mut Allotment,
    ) -> Result<bool, SearchError> {
        self.list_moves(at)?;
        if self.knowledge.network.is_some() {
            // Below the root the branches come with the [answer](Self::ask).
            debug_assert_eq!(at, 0);
            return self.expand_root_asking(tree, allotment);
        }
        if self.rules.select.urgency.is_some() {
            self.knowledge.sort(&self.states[at], &mut self.moves);
        }
        self.find_ends(tree, at)?;
        Ok(self.give_edges(tree, at, &[], allotment))
    }

    /// Lists the moves of the position of a step.
    #[inline]
    pub(super) fn list_moves(&mut self, at: usize) -> Result<(), SearchError> {
        let state = &self.states[at];
        self.moves.clear();
        state.moves(&mut self.moves);
        check_moves(state, &self.moves)
    }

    /// Compares what a loaded table says of the position of a step with the game: the moves of
    /// another game would be applied to positions in which they are not legal.
    ///
    /// # Errors
    /// If the moves or the side to move are others.
    #[cold]
    pub(super) fn check_loaded(&mut self, tree: &Tree<G>, at: usize) -> Result<(), SearchError> {
        let (state, node) = (&self.states[at], tree.node(self.steps[at].node));
        let Some(range) = node.edge_range() else { return Ok(()) };
        self.moves.clear();
        state.moves(&mut self.moves);
        check_moves(state, &self.moves)?;
        // SAFETY: the node is the root, or was found in this round, at whose end the worker's pin
        // is renewed.
        let loaded = unsafe { tree.moves(range) };
        let same = loaded == self.moves
            || loaded.len() == self.moves.len() && self.moves.iter().all(|mv| loaded.contains(mv));
        if !same || checked_mover(state)? != node.mover() {
            return Err(SearchError::ForeignTable { plies: state.plies() });
        }
        if let Some(priors) = tree.priors(range).filter(|_| node.is_unchecked()) {
            self.ask_for_priors(tree, at, (loaded, priors))?;
        }
        node.set_loaded(Loaded::Checked);
        Ok(())
    }

    /// Compares the position that a step has reached by an edge with the one of the node there,
    /// which comes from a file. Another key is no fault by itself: a key may tell how long nothing
    /// was captured, say, where the key before it did not.
    ///
    /// # Errors
    /// If the position has another key, and other moves or another side to move.
    pub(super) fn check_link(&mut self, tree: &Tree<G>, at: usize) -> Result<(), SearchError> {
        let (state, id) = (&self.states[at], self.steps[at].node);
        if !tree.has_table() {
            return Ok(());
        }
        // SAFETY: there is a table, and the node was found in this round, at whose end the worker's
        // pin is renewed.
        let is_it = unsafe { tree.key(id) } == &state.key();
        if is_it { Ok(()) } else { self.check_loaded(tree, at) }
    }

    /// As [`check_loaded`](Self::check_loaded) for the root, before a search.
    pub(crate) fn check_loaded_root(
        &mut self,
        tree: &Tree<G>,
        root: NodeId,
        state: &G,
    ) -> Result<(), SearchError> {
        if tree.node(root).is_unchecked() {
            self.start(tree, root, state, 0);
            self.check_loaded(tree, 0)?;
        }
        Ok(())
    }

    /// Gives the root an edge for each of these moves; there is at least one. False if there is no
    /// memory for them.
    pub(crate) fn expand_root_with(
        &mut self,
        tree: &Tree<G>,
        root: NodeId,
        state: &G,
        moves: &[G::Move],
        allotment: &mut Allotment,
    ) -> Result<bool, SearchError> {
        self.start(tree, root, state, 0);
        let priors = self.priors_at_root(moves)?;
        self.moves.clear();
        self.moves.extend_from_slice(moves);
        self.find_ends(tree, 0)?;
        Ok(self.give_edges(tree, 0, &priors, allotment))
    }

    /// Finds out which of `self.moves` of the node of a step end the game, now or as is
    /// [foreseen](GameState::foreseen).
    #[inline]
    pub(super) fn find_ends(&mut self, tree: &Tree<G>, at: usize) -> Result<(), SearchError> {
        let state = &self.states[at];
        self.ends.clear();
        if tree.proofs() {
            // Moves that end the game are known from the start, not when their turn comes: a
            // win is then never missed (decisive moves, Teytaud and Teytaud 2010).
            let viewer = tree.node(self.steps[at].node).mover();
            let may_end = state.may_end();
            for (branch, mv) in (0..).zip(&self.moves).filter(|(_, mv)| may_end(mv)) {
                let after = state.apply(mv);
                let (bounds, plies) = match after.outcome() {
                    Some(end) if !end.is_of::<G>() => {
                        return Err(SearchError::of_outcome(end, &after));
                    }
                    Some(end) => (Bounds::of_score(end.score(viewer)), 0),
                    None => {
                        let Some(end) = after.foreseen() else { continue };
                        let own = Bounds::of_score(end.score());
                        let same_side = checked_mover(&after)? == viewer;
                        let plies = end.plies().unwrap_or(0).clamp(1, FARTHEST);
                        (if same_side { own } else { own.flip() }, plies)
                    }
                };
                self.ends.push(End { branch, bounds, plies });
            }
        }
        Ok(())
    }

    /// Gives the node of a step an edge for each of `self.moves`, which may have `priors`. Some of
    /// the edges end the game, as found before. False if there is no memory for them.
    #[inline]
    pub(super) fn give_edges(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        priors: &[u32],
        allotment: &mut Allotment,
    ) -> bool {
        let id = self.steps[at].node;
        let node = tree.node(id);
        let room = tree.expand(id, &mut self.moves, (priors, &self.ends), allotment);
        if room && !self.ends.is_empty() {
            let (holder, waited) = update::hold(node);
            self.counts.contended += u64::from(waited);
            let mut narrowed = Narrowed::NOTHING;
            update::add_ends(tree, node, &self.ends, &mut narrowed);
            update::refresh(tree, (id, node), narrowed);
            update::release(tree, id, node, holder);
        }
        room
    }

    /// The most plies below the root at which a position becomes a node. A simulation that makes
    /// one of every position goes down as far as it makes some: no further than a rollout, or in a
    /// game without an end it would go on for ever.
    pub(super) fn deepest_node(&self) -> u32 {
        match self.rules.expansion {
            Expansion::Everything => self.rules.rollout_limit,
            _ => u32::MAX,
        }
    }

    /// The visit of a branch at which the position that it leads to becomes a node, where there are
    /// this number of `branches`.
    #[inline]
    pub(super) fn node_visit(&self, tree: &Tree<G>, branches: usize) -> u32 {
        match self.rules.expansion {
            Expansion::Everything => 1,
            // A question is dear, and a node is what remembers the answer.
            Expansion::Adaptive if self.knowledge.network.is_some() => {
                tree.eviction.threshold() + 1
            }
            Expansion::OnePerSimulation { from_visit } => from_visit,
            Expansion::Adaptive => {
                let branches = branches as u32;
                let from_visit = if spread(tree.node_count(), branches) < Expansion::SMALL_TREE {
                    1
                } else if self.learns_at_the_branch() {
                    let half = branches.div_ceil(2).clamp(2, Expansion::LATEST_VISIT);
                    // The first group always finds a leaf.
                    half.max(self.plan.together + 1)
                } else {
                    2
                };
                from_visit.max(tree.eviction.threshold() + 1)
            }
        }
    }

    /// Whether a branch without a node learns from a rollout about what a node would, and leaves it
    /// to the node: not where something is known of each position, and not with planes, which
    /// [`adopt_edge_statistics`](Self::adopt_edge_statistics) does not hand on.
    #[inline]
    pub(super) fn learns_at_the_branch(&self) -> bool {
        self.rules.layout.count() == 0 && !self.knowledge.is_of_positions()
    }

    /// Finds out where a new step has led, by this edge and move, and puts its position in
    /// `states`. A position that is to have a node, from this visit of the branch on, is left to
    /// [`link`](Self::link).
    #[inline]
    pub(super) fn resolve(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        (edge, mv): (&Edge, &G::Move),
        from_visit: u32,
    ) {
        debug_assert_eq!(self.states.len(), at);
        if self.history.is_some() && self.comes_again(tree, at, mv) {
            return;
        }
        let step = self.steps[at];
        let from = &self.states[step.parent as usize];
        if let Some(child) = edge.child() {
            prefetch(tree.node(child));
            let state = from.apply(mv);
            self.states.push(state);
            self.approach(at, child);
            return;
        }
        let stats = edge.stats();
        if stats.value.is_exact() {
            // The end of the game, seen before, or a proven position that was evicted:
            // nothing has to be looked at again.
            self.states.push(from.clone());
            self.set_proven(at, stats.value, edge.kept_distance());
            return;
        }
        let state = from.apply(mv);
        if let Some(outcome) = state.outcome() {
            self.states.push(state);
            self.finish(at, &outcome, 0);
            return;
        }
        // The simulations of this round count, as if they came one after the other.
        let wanted = stats.visits + step.visits >= from_visit;
        if wanted && let Some((outcome, plies)) = self.knowledge.solve(&state) {
            self.states.push(state);
            self.finish(at, &outcome, plies);
            return;
        }
        if wanted {
            self.steps[at].place = Place::Unlinked;
            self.steps[at].sum = tree.announce(&state).0;
        } else {
            self.steps[at].place = Place::Leaf;
        }
        self.states.push(state);
    }

    /// Finds or makes the node of an `Unlinked` step. By then the memory that the table will read
    /// has come, as the other steps of the level were looked at in between. None is made where that
    /// would be [too deep](Self::deepest_node).
    pub(super) fn link(
        &mut self,
        tree: &Tree<G>,
        (at, is_deep): (usize, bool),
        allotment: &mut Allotment,
    ) -> Result<(), SearchError> {
        let state = &self.states[at];
        let mover = checked_mover(state)?;
        let hash = KeyHash(std::mem::take(&mut self.steps[at].sum));
        if !tree.has_table() && self.history.is_none() && self.returns(at) {
            self.end_by_repetition(at);
            return Ok(());
        }
        let child = if is_deep { None } else { tree.find_or_add(state, hash, mover, allotment) };
        let Some(child) = child else {
            self.steps[at].place = Place::Leaf;
            return Ok(());
        };
        let edge = tree.edge(self.steps[at].edge);
        let visits = edge.stats().visits;
        let Some((child, new)) = edge.set_child(child) else {
            // Another worker was given an answer of the solver that this one was not.
            self.set_proven(at, edge.stats().value, edge.kept_distance());
            return Ok(());
        };
        if self.knowledge.prior.is_some() {
            self.apply_prior(tree, at, child)?;
        }
        if new && visits > 0 {
            self.adopt_edge_statistics(tree, at, child);
        }
        self.approach(at, child);
        Ok(())
    }

    /// The rollouts that an edge has seen before it got a child become the child's own.
    fn adopt_edge_statistics(&self, tree: &Tree<G>, at: usize, child: NodeId) {
        if self.rules.layout.count() > 0 {
            return;
        }
        let stats = tree.edge(self.steps[at].edge).stats();
        let node = tree.node(child);
        // Nothing waits for so little: if the lock is busy the child goes without.
        let Some(holder) = node.lock().try_hold() else { return };
        // Others were given what the edge has seen, or have given it: to an exchange these rollouts
        // would be new ones.
        if node.exchange_mark() != 0 {
            update::release(tree, child, node, holder);
            return;
        }
        let viewer = usize::from(self.steps[at].mover);
        let seen = stats.value.seen_by(G::PLAYERS, viewer, node.mover());
        let sum = u64::from(stats.visits) * u64::from(seen.score());
        update::apply_own(tree, child, node, stats.visits, sum, &[]);
        update::refresh(tree, (child, node), Narrowed::NOTHING);
        update::release(tree, child, node, holder);
    }

    /// A node without visits begins with what the evaluation says, as if it were the result of some
    /// rollouts of its own (prior knowledge, Gelly and Silver 2007).
    fn apply_prior(&self, tree: &Tree<G>, at: usize, child: NodeId) -> Result<(), SearchError> {
        let node = tree.node(child);
        if node.visits() > 0 {
            return Ok(());
        }
        let prior = self.knowledge.prior(&self.states[at])?;
        let Some((visits, sum)) = prior else { return Ok(()) };
        let Some(holder) = node.lock().try_hold() else { return Ok(()) };
        // Another worker may have been first.
        if node.visits() == 0 {
            update::apply_own(tree, child, node, visits, sum, &[]);
            update::refresh(tree, (child, node), Narrowed::NOTHING);
        }
        update::release(tree, child, node, holder);
        Ok(())
    }

    /// A step that leads to a node, which is not looked at before its memory is there.
    fn approach(&mut self, at: usize, child: NodeId) {
        self.steps[at].place = Place::Inner;
        self.steps[at].node = child;
    }

    /// A step that has reached the end of the game, or a position from which it is known to end
    /// like this in `plies` plies.
    fn finish(&mut self, at: usize, outcome: &Outcome, plies: u32) {
        self.check_outcome(at, outcome);
        let step = &mut self.steps[at];
        let viewer = usize::from(step.mover);
        let score = outcome.score(viewer);
        let bounds = if G::PLAYERS <= 2 { Bounds::of_score(score) } else { Bounds::Open };
        if bounds.is_exact() {
            let score = self.rules.draws.fixed(outcome, viewer);
            self.set_proven(at, Value::new(score, bounds), plies);
        } else {
            step.place = Place::Known;
            let visits = step.visits;
            self.score(at, outcome, viewer, visits);
        }
    }

    /// Notes it as a fault of the round if the outcome of a step is not one of the game.
    #[inline]
    pub(super) fn check_outcome(&mut self, at: usize, outcome: &Outcome) {
        if !outcome.is_of::<G>() {
            self.fault.get_or_insert(SearchError::of_outcome(*outcome, &self.states[at]));
        }
    }

    /// A step that leads to a proven value.
    pub(super) fn set_proven(&mut self, at: usize, value: Value, distance: u32) {
        let step = &mut self.steps[at];
        step.place = Place::Known;
        step.value = Some(value);
        step.distance = distance;
        step.returned = step.visits;
        let planes = self.rules.layout.count();
        if planes > 0 {
            // Only games of up to two players have proofs: the one plane is the square.
            let square = to_fixed(to_score(value.score()).powi(2));
            self.planes[at * planes] = u64::from(square);
        }
    }
}
