//! Phase 1, selection: how the simulations of a round find their way down.

mod own;

use std::ops::Range;

use crate::error::SearchError;
use crate::game::{GameState, Outcome};
use crate::lock::{ReadGuard, WriteGuard};
use crate::mcts::at_root::{self, AtRoot};
use crate::mcts::claims::Pace;
use crate::mcts::config::{Expansion, InFlight};
use crate::mcts::tree::node::{Access, Edge, EdgeRange, Node, NodeId};
use crate::mcts::tree::{Allotment, Tree};
use crate::repetition::Line;
use crate::rng::Rng;

use super::parts::Part;
use super::plan::{RoundPlan, are_many};
use super::{Origin, Place, Round, RoundRules, Step, Supply};

/// A node whose branches are chosen from, and its edges.
#[derive(Clone, Copy, Debug)]
struct Fork<'a> {
    node: &'a Node,
    range: EdgeRange<'a>,
    edges: &'a [Edge],
}

/// The lock of a node during selection.
enum SelectionLock<'a> {
    /// Not taken.
    Free,
    Alone {
        _guard: WriteGuard<'a>,
    },
    Shared {
        _guard: ReadGuard<'a>,
    },
}

impl<G: GameState> Round<G> {
    /// Phases 1 and 2, selection and expansion: from the root to where the rollouts start.
    pub(crate) fn select(
        &mut self,
        Origin { tree, root, state }: Origin<'_, G>,
        count: u32,
        supply: &mut Supply<'_, '_>,
    ) -> Result<(), SearchError> {
        let Supply { rng, allotment, pace } = supply;
        let (rng, allotment, pace) = (&mut **rng, &mut **allotment, &mut **pace);
        self.start(tree, root, state, count);
        // Of the rounds of all engines that search together.
        let team = tree.exchanged.team(tree.node(root).visits());
        let (number, rounds) = team.among_rounds(self.number, tree.rounds() as u32);
        self.plan = self.plan(count, rounds);
        // What the rounds have of each other's branches is not known there.
        let knows_parts = !self.halves_the_root() && self.picker.own().is_none();
        self.plan.in_parts &= knows_parts && !self.gathers;
        self.take_share_of_rounds(count, (number, rounds));
        let (mut level, mut ply) = (0..1, state.plies());
        let (mut depth, deepest) = (0, self.deepest_node());
        while !level.is_empty() {
            for at in level.clone() {
                if self.steps[at].place == Place::Inner {
                    self.enter(tree, at, ply)?;
                    self.merge_duplicates(tree, at, &level);
                }
            }
            for at in level.clone() {
                if self.steps[at].place == Place::Inner {
                    if pace.is_over() {
                        // What is under way does not come back.
                        return Ok(());
                    }
                    self.divide(tree, at, rng, allotment, pace)?;
                }
            }
            level = level.end..self.steps.len();
            ply = ply.wrapping_add(1);
            depth += 1;
            for at in level.clone() {
                match self.steps[at].place {
                    Place::Unlinked => self.link(tree, (at, depth > deepest), allotment)?,
                    Place::Withheld => self.withhold(tree, at, allotment, pace),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Takes this round's part of the simulations of all rounds under way, each with `count` of
    /// them, if they are to know of each other. It is the round with a `number` among `rounds`.
    fn take_share_of_rounds(&mut self, count: u32, (number, rounds): (u32, u32)) {
        if self.plan.in_parts {
            self.parts.begin(count, number, rounds);
        } else {
            self.parts.clear();
        }
    }

    /// The plan of a round of `count` simulations, one of `rounds`: some are rolled out from the
    /// same leaf where they are many and a rollout is all that a leaf has to tell.
    fn plan(&self, count: u32, rounds: u32) -> RoundPlan {
        let RoundRules { round_size, rollouts_per_leaf, ref select, .. } = self.rules;
        let most = if self.learns_at_the_branch() { rollouts_per_leaf } else { 1 };
        RoundPlan::new(round_size, (count, rounds), most, select.in_flight)
    }

    /// Divides the simulations of an inner step among the branches of its node.
    fn divide(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        rng: &mut Rng,
        allotment: &mut Allotment,
        pace: &Pace<'_>,
    ) -> Result<(), SearchError> {
        let node = tree.node(self.steps[at].node);
        let value = node.value();
        if value.is_exact() && self.rules.select.proofs && at > 0 {
            if self.is_doubtful(tree, at) {
                self.doubt(tree, at, allotment, pace);
            } else {
                self.set_node_proven(tree, at);
            }
            return Ok(());
        }
        self.limit_crowding(at, node, pace);
        let step = self.steps[at];
        let known = node.edge_range();
        if node.is_unchecked() {
            self.check_loaded(tree, at)?;
        }
        let mut staying = 0;
        let range = match known {
            Some(range) => range,
            None if self.knowledge.network.is_some() => {
                if !self.ask(tree, at, allotment, pace)? {
                    return Ok(());
                }
                node.edge_range().expect("this worker, or a faster one, has published the edges")
            }
            None => {
                // The first simulations that reach a node are rolled out from it; the next one, be
                // it of the same round, gives it its edges.
                let everything = self.rules.expansion == Expansion::Everything;
                let unplayed = node.visits() <= self.knowledge.prior_visits();
                if at > 0 && unplayed && !everything {
                    staying = self.plan.together.min(step.visits);
                }
                if staying == step.visits || !self.expand(tree, at, allotment)? {
                    self.steps[at].place = Place::Own;
                    return Ok(());
                }
                node.edge_range().expect("this worker, or a faster one, has published the edges")
            }
        };
        if node.value().is_exact() && self.rules.select.proofs && at > 0 {
            // The expansion itself has found the proof.
            self.set_node_proven(tree, at);
            return Ok(());
        }
        let edges = tree.edges(range);
        // SAFETY: the node is the root, or was found in this round, at whose end the worker's pin
        // is renewed.
        let moves = unsafe { tree.moves(range) };
        self.read_later_moves(tree, at, node, (edges, moves), allotment);
        let marking = self.is_marking(tree, node, step.visits);
        let fork = Fork { node, range, edges };
        let cut = if at == 0 && self.halves_the_root() {
            self.halve(fork, step.visits, marking);
            None
        } else if self.picker.own().is_some() {
            self.choose_by_own(tree, at, fork, (step.visits - staying, marking), rng)?;
            None
        } else {
            self.choose(tree, at, fork, step.visits - staying, marking, rng)
        };
        let children = self.steps.len();
        if self.picker.shares().is_empty() {
            // Every branch is proven, so the node is too.
            self.set_node_proven(tree, at);
            return Ok(());
        }
        // All steps before the game is asked anything: should it panic, they tell of the marks.
        self.steps.extend(self.picker.shares().iter().map(|share| Step {
            place: Place::Unknown,
            parent: at as u32,
            edge: range.first() + share.branch,
            children: (0, 0),
            visits: share.visits,
            marked: if marking { share.visits } else { 0 },
            returned: 0,
            sum: 0,
            value: None,
            ..step
        }));
        if let Some(Part { before, behind }) = cut {
            self.parts.add(children, Part { before, behind: 0 });
            self.parts.add(self.steps.len() - 1, Part { before: 0, behind });
        }
        self.planes.resize(self.steps.len() * self.rules.layout.count(), 0);
        let from_visit = self.node_visit(tree, edges.len());
        for child in children..self.steps.len() {
            let branch = (self.steps[child].edge - range.first()) as usize;
            self.resolve(tree, child, (&edges[branch], &moves[branch]), from_visit);
        }
        if staying > 0 {
            self.stay(at, staying);
        }
        self.note_codes(at, range.first(), moves);
        self.steps[at].children = (children as u32, (self.steps.len() - children) as u32);
        Ok(())
    }

    /// Gives back the simulations of a step that would crowd its node. Those of a round do not
    /// learn from each other: many of them would settle by chance what a little-known node is
    /// worth, and look at branches that the first of them would have warned of.
    ///
    /// The nodes before have divided them as if all went on; the next round makes up for it.
    #[inline]
    fn limit_crowding(&mut self, at: usize, node: &Node, pace: &Pace<'_>) {
        if at == 0 {
            return;
        }
        let step = &mut self.steps[at];
        let most = self.plan.passing(node.visits());
        let own = match self.parts.of(at) {
            None => step.visits.min(most),
            Some(part) if part.of_all(step.visits) <= most => step.visits,
            Some(part) => {
                let (part, own) = part.shrink(step.visits, most);
                self.parts.set(at, part);
                own
            }
        };
        if own < step.visits {
            pace.give_back(step.visits - own);
            step.visits = own;
        }
    }

    /// Lets some simulations of a step be rolled out from its node while the others go on.
    fn stay(&mut self, at: usize, visits: u32) {
        let step =
            Step { place: Place::Stay, parent: at as u32, visits, marked: 0, ..self.steps[at] };
        self.steps.push(step);
        self.planes.resize(self.steps.len() * self.rules.layout.count(), 0);
        self.states.push(self.states[at].clone());
        self.stay_in_history();
    }

    /// Whether the branches that `visits` simulations take at a node are marked as in flight.
    ///
    /// Without the marks of a few among many the other workers would choose alike, and each mark is
    /// a write where they read. In long rounds they have [parts](super::parts) of their own
    /// instead. Rounds that are asked about together follow each other, and go by marks.
    #[inline]
    fn is_marking(&self, tree: &Tree<G>, node: &Node, visits: u32) -> bool {
        match self.rules.select.in_flight {
            InFlight::Ignore => false,
            InFlight::VirtualLoss { .. } => true,
            InFlight::Count if self.gathers => true,
            InFlight::Count if self.plan.in_parts => false,
            InFlight::Count => {
                let others = tree.rounds() as u64 - 1;
                are_many(u64::from(visits) * others, node.visits())
            }
        }
    }

    /// Chooses the branches for `visits` simulations that go on from the node of a step, at the
    /// root first those below the floor, and marks them as in flight if that is asked for. What
    /// other rounds have of the first of the branches, before, and of the last one, behind, is
    /// returned if this round has only a part of the step.
    #[inline]
    fn choose(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        Fork { node, range, edges }: Fork<'_>,
        visits: u32,
        marking: bool,
        rng: &mut Rng,
    ) -> Option<Part> {
        let floor = if at == 0 { self.floor } else { None };
        let together = self.plan.together;
        let few = visits <= together && floor.is_none();
        let lock = self.lock(node, few && marking);
        if few && self.picker.pick_one(node, edges, visits, rng) {
            if marking {
                self.mark(edges);
            }
            return None;
        }
        let squares = tree.planes().zip(self.rules.layout.square_plane(node.mover()));
        let squares = squares.map(|(planes, plane)| {
            (&planes.seen.range(range.first(), range.count())[plane..], planes.count)
        });
        let priors = || tree.priors(range).map(|priors| (priors, 1));
        self.picker.copy(node, edges, squares.or_else(priors));
        if at == 0
            && let Some(AtRoot::Priors(priors)) = self.at_root.as_deref()
        {
            self.picker.set_priors(priors);
        }
        // The longer work is done on the copy, with the lock free.
        drop(lock);
        let part = self.parts.of(at);
        let all = part.map_or(visits, |part| part.of_all(visits));
        self.picker.divide(all, together, floor, rng);
        if marking {
            let _lock = self.lock(node, true);
            self.mark(edges);
        }
        part.map(|part| {
            let (before, behind) = self.picker.cut(part.before, visits);
            Part { before, behind }
        })
    }

    /// Whether the branches of the root are chosen by sequential halving.
    #[inline]
    pub(super) fn halves_the_root(&self) -> bool {
        self.at_root.as_deref().is_some_and(|root| root.halving().is_some())
    }

    /// Chooses the branches of the root for `visits` simulations by sequential halving, and marks
    /// them as in flight if that is asked for.
    #[cold]
    fn halve(&mut self, Fork { node, edges, .. }: Fork<'_>, visits: u32, marking: bool) {
        let at_root = self.at_root.clone();
        let Some(halving) = at_root.as_deref().and_then(AtRoot::halving) else { return };
        let lock = self.lock(node, marking);
        let (seen, value) = at_root::look(node, edges);
        drop(lock);
        self.picker.set_shares(&halving.divide(visits, &seen, value));
        if marking {
            let _lock = self.lock(node, true);
            self.mark(edges);
        }
    }

    /// Marks the chosen branches. Under the lock.
    #[inline]
    fn mark(&self, edges: &[Edge]) {
        for share in self.picker.shares() {
            edges[share.branch as usize].mark(share.visits, self.access());
        }
    }

    /// Locks a node for selection, if the policy asks for it, which may end in marks.
    ///
    /// To take the lock alone is one step, and it is freed with a plain store; a shared one takes
    /// two, and each mark one more. So it is shared only where the policy changes marks without the
    /// lock. Where it does not, and there are no marks to be made, it is not taken: it lies in a
    /// cache line that every worker reads on its way, and what is read is whole without it, each
    /// branch one word, if perhaps of another moment than the next one.
    #[inline]
    fn lock<'a>(&mut self, node: &'a Node, marking: bool) -> SelectionLock<'a> {
        let (lock, waited) = match self.access() {
            Access::Alone if !marking => return SelectionLock::Free,
            Access::Alone => {
                let alone = node.lock().write();
                let waited = alone.waited();
                (SelectionLock::Alone { _guard: alone }, waited)
            }
            Access::Shared => {
                let shared = node.lock().read();
                let waited = shared.waited();
                (SelectionLock::Shared { _guard: shared }, waited)
            }
        };
        self.counts.contended += u64::from(waited);
        lock
    }

    /// A step whose node is proven: nothing is searched there again.
    fn set_node_proven(&mut self, tree: &Tree<G>, at: usize) {
        let step = &self.steps[at];
        let node = tree.node(step.node);
        let viewer = self.steps[step.parent as usize].mover;
        let (mover, viewer) = (usize::from(step.mover), usize::from(viewer));
        let value = node.value().seen_by(G::PLAYERS, mover, viewer);
        self.set_proven(at, value, node.distance());
    }

    /// A step that has reached a node, `ply` plies after the start of the game.
    ///
    /// # Errors
    /// If the position says something else. A path on which plies do not count would go round a
    /// cycle for ever: that it has met a node before is looked for only where its plies
    /// [differ](Self::is_on_path).
    #[inline]
    fn enter(&mut self, tree: &Tree<G>, at: usize, ply: u32) -> Result<(), SearchError> {
        let step = self.steps[at];
        let node = tree.node(step.node);
        tree.prefetch_edges(node);
        let found = self.states[at].plies();
        if found != ply {
            return Err(SearchError::Plies { before: ply.wrapping_sub(1), found });
        }
        let off_ply = step.off_ply || ply != node.ply();
        if at > 0
            && let Some(outcome) = self.ended(tree, at, off_ply)
        {
            self.steps[at].place = Place::Repetition;
            self.check_outcome(at, &outcome);
            self.score(at, &outcome, usize::from(step.mover), step.visits);
            return Ok(());
        }
        if node.is_loaded() && at > 0 {
            self.check_link(tree, at)?;
        }
        let step = &mut self.steps[at];
        step.off_ply = off_ply;
        step.mover = node.mover() as u8;
        Ok(())
    }

    /// Lets the simulations of an earlier step of this level that has reached the same node go on
    /// with those of the step `at`: a node is then divided, and later updated, once.
    ///
    /// Where positions come again, steps with a path that has met a node at another ply go alone,
    /// since there what is ahead may depend on the path. Two nodes may want the same place among
    /// those `reached`: then a step may be overlooked, and goes its way alone.
    #[inline]
    fn merge_duplicates(&mut self, tree: &Tree<G>, at: usize, level: &Range<usize>) {
        let step = self.steps[at];
        if step.place != Place::Inner || self.goes_alone(tree, &step) {
            return;
        }
        let place = step.node.0 as usize & (self.reached.len() - 1);
        let other = std::mem::replace(&mut self.reached[place], at as u32) as usize;
        // What an earlier level or round has left there is no step of this one.
        if !(level.start..at).contains(&other) {
            return;
        }
        let before = self.steps[other];
        let viewer = |step: Step| self.steps[step.parent as usize].mover;
        if before.node == step.node
            && before.place == Place::Inner
            && !self.goes_alone(tree, &before)
            && viewer(before) == viewer(step)
        {
            self.steps[at].visits += before.visits;
            self.steps[at].off_ply |= before.off_ply;
            self.parts.join(other, at);
            self.steps[other].place = Place::Joined;
            self.steps[other].sum = at as u64;
        }
    }

    /// Whether what is ahead of a step may depend on its path.
    #[inline]
    fn goes_alone(&self, tree: &Tree<G>, step: &Step) -> bool {
        step.off_ply && (self.history.is_some() || tree.has_cycles())
    }

    /// How the game has ended on the path to the step `at`, which has reached a node: by a
    /// repetition, or because it remembers more than its key tells (how long nothing was captured,
    /// say), and had not ended on the path that made the node. Neither proves anything.
    #[inline]
    fn ended(&self, tree: &Tree<G>, at: usize, off_ply: bool) -> Option<Outcome> {
        let (step, state) = (&self.steps[at], &self.states[at]);
        // With a history every repetition has been found on the way.
        if off_ply && self.history.is_none() && self.is_on_path(tree, step.parent, step.node) {
            tree.note_cycle();
            let line = self.line(step.parent as usize, state);
            return Some(state.repetition(&Line::new(&line, state)));
        }
        state.outcome()
    }

    /// Whether the path to the step `at` has met `node`. Positions come again only in games with
    /// cycles; then a path meets at least one of its nodes at another ply than the one it was made
    /// at, and only then is a look needed.
    fn is_on_path(&self, tree: &Tree<G>, mut at: u32, node: NodeId) -> bool {
        // The root may be a node apart, with a table entry of its own beside it.
        let is_it =
            |at: u32| self.steps[at as usize].node == node || (at == 0 && tree.is_root(node));
        while !is_it(at) {
            if at == 0 {
                return false;
            }
            at = self.steps[at as usize].parent;
        }
        true
    }
}
