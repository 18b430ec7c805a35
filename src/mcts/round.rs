//! One round: a number of simulations that go down the tree together.
//!
//! A round of one simulation is the textbook's: selection, expansion, rollout, backup. A
//! round of many is the same, level by level: at each node the simulations are divided
//! among the branches, all rollouts follow, and then each node is updated once, the deepest
//! first. So the top of the tree is locked once per round and not once per simulation, and
//! the memory of a level is fetched while the one before is worked on.
//!
//! The steps of a round form a tree, stored in the order of levels: the children of a step
//! lie side by side, behind it.

use std::panic::{self, AssertUnwindSafe};

use crate::error::SearchError;
use crate::game::{GameState, Outcome};
use crate::lock::{Holder, ReadGuard, WriteGuard};
use crate::rng::Rng;
use crate::sync::Ordering;

use super::arena::LARGEST_REQUEST;
use super::backup::{self, EdgeResult, EdgeUpdate};
use super::config::{Expansion, InFlight, LockPolicy};
use super::control::Pace;
use super::defer::{Content, Letter};
use super::node::{Access, Edge, Node, NodeId};
use super::planes::PlaneLayout;
use super::select::{Picker, Rules};
use super::tree::{Allotment, Tree};
use super::value::{Bounds, ONE, Value, to_fixed, to_score};

/// The settings of the engine that a round needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundRules {
    pub(crate) select: Rules,
    pub(crate) expansion: Expansion,
    pub(crate) lock_policy: LockPolicy,
    pub(crate) layout: PlaneLayout,
    pub(crate) rollout_limit: u32,
}

/// What happened to the simulations of a worker.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Simulations that came back, dropped ones included.
    pub(crate) simulations: u64,
    /// Simulations whose update was dropped on the way.
    pub(crate) dropped: u64,
    /// Updates left to the holder of a lock.
    pub(crate) deferred: u64,
    /// Times a lock was found busy.
    pub(crate) contended: u64,
}

/// Where a step has led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Not looked at yet.
    Unknown,
    /// A node whose branches the simulations take.
    Inner,
    /// A node from which they are rolled out.
    Own,
    /// A position that is no node, from which they are rolled out.
    Leaf,
    /// The end of the game, or a proven position: `value` holds it.
    Known,
    /// A position that is already on the path: `sum` holds the repetition value.
    Repetition,
}

/// Some simulations of a round passing from one position to the next.
#[derive(Clone, Copy, Debug)]
struct Step {
    place: Place,
    /// The path so far has met a node at another ply than the one it was made at.
    off_ply: bool,
    /// The step before; itself for the root.
    parent: u32,
    /// The edge taken, in the arena. Unused for the root.
    edge: u32,
    /// The node reached, if `place` is `Inner` or `Own`, or a node that is `Known`.
    node: NodeId,
    /// The steps that follow: first and number.
    children: (u32, u32),
    /// Simulations that take this step, and how many of them are marked on the edge.
    visits: u32,
    marked: u32,
    /// Simulations that came back this way.
    returned: u32,
    /// Sum of their scores for the side to move at the parent; for `Own` until its update,
    /// at the node.
    sum: u64,
    /// The value of the position reached, for the side to move at the parent, where there
    /// is more to say than the sum: after the update of a node, or where it is known.
    value: Option<Value>,
    /// Plies to the end, if `value` is exact.
    distance: u32,
    mover: u8,
}

/// The lock of a node during selection.
enum SelectionLock<'a> {
    Alone { _guard: WriteGuard<'a> },
    Shared { _guard: ReadGuard<'a> },
}

/// The working memory of a worker, used again round after round.
pub(crate) struct Round<G: GameState> {
    rules: RoundRules,
    picker: Picker,
    steps: Vec<Step>,
    /// The position of each step; that of its parent where nobody will look at it.
    states: Vec<G>,
    /// Further planes for each step: means if its `value` is set, else sums.
    planes: Vec<u64>,
    moves: Vec<G::Move>,
    /// Branches of a new node that end the game, and how.
    ends: Vec<(u32, Bounds)>,
    pub(crate) counts: Counts,
}

impl<G: GameState> Round<G> {
    pub(crate) fn new(rules: RoundRules) -> Self {
        Self {
            picker: Picker::new(rules.select),
            rules,
            steps: Vec::new(),
            states: Vec::new(),
            planes: Vec::new(),
            moves: Vec::new(),
            ends: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Runs `count` simulations from `root`, fewer if `pace` says that the search is over.
    ///
    /// # Errors
    /// If the game breaks a law. The marks of the simulations are taken back then, also if
    /// the game panics.
    pub(crate) fn run(
        &mut self,
        tree: &Tree<G>,
        root: (NodeId, &G),
        count: u32,
        rng: &mut Rng,
        allotment: &mut Allotment,
        pace: &mut Pace<'_>,
    ) -> Result<(), SearchError> {
        let walk = AssertUnwindSafe(|| {
            self.select(tree, root, count, rng, allotment, pace)?;
            self.roll_out(rng, pace)
        });
        match panic::catch_unwind(walk) {
            Ok(Ok(())) => {
                self.back_up(tree);
                Ok(())
            }
            Ok(Err(error)) => {
                self.take_back_marks(tree);
                Err(error)
            }
            Err(payload) => {
                self.take_back_marks(tree);
                panic::resume_unwind(payload)
            }
        }
    }

    /// Gives the root its edges. False if there is no memory for them.
    ///
    /// # Errors
    /// If the game breaks a law.
    pub(crate) fn expand_root(
        &mut self,
        tree: &Tree<G>,
        root: NodeId,
        state: &G,
        allotment: &mut Allotment,
    ) -> Result<bool, SearchError> {
        self.start(tree, root, state, 0);
        self.expand(tree, 0, allotment)
    }

    /// The first step of a round.
    fn start(&mut self, tree: &Tree<G>, root: NodeId, state: &G, count: u32) {
        self.steps.clear();
        self.states.clear();
        self.planes.clear();
        self.steps.push(Step {
            place: Place::Inner,
            off_ply: false,
            parent: 0,
            edge: 0,
            node: root,
            children: (0, 0),
            visits: count,
            marked: 0,
            returned: 0,
            sum: 0,
            value: None,
            distance: 0,
            mover: tree.node(root).mover.load(Ordering::Relaxed),
        });
        self.planes.resize(self.rules.layout.count(), 0);
        self.states.push(state.clone());
    }

    /// Phases 1 and 2, selection and expansion: from the root to where the rollouts start.
    fn select(
        &mut self,
        tree: &Tree<G>,
        (root, state): (NodeId, &G),
        count: u32,
        rng: &mut Rng,
        allotment: &mut Allotment,
        pace: &mut Pace<'_>,
    ) -> Result<(), SearchError> {
        self.start(tree, root, state, count);
        let mut level = 0..1;
        while !level.is_empty() {
            for at in level.clone() {
                if self.steps[at].place == Place::Inner {
                    self.enter(tree, at);
                }
            }
            for at in level.clone() {
                if self.steps[at].place == Place::Inner {
                    if pace.is_over() {
                        // What is under way does not come back.
                        return Ok(());
                    }
                    self.divide(tree, at, rng, allotment)?;
                }
            }
            level = level.end..self.steps.len();
        }
        Ok(())
    }

    /// Divides the simulations of an inner step among the branches of its node.
    fn divide(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        rng: &mut Rng,
        allotment: &mut Allotment,
    ) -> Result<(), SearchError> {
        let step = self.steps[at];
        let node = tree.node(step.node);
        let value = node.value();
        if value.is_exact() && self.rules.select.proofs && at > 0 {
            self.know_node(tree, at);
            return Ok(());
        }
        let (mut first, mut count) = node.edge_range();
        if count == 0 {
            // A node gets its edges when it is visited with at least one visit behind it.
            let fresh = node.visits() == 0 && self.rules.expansion != Expansion::Everything;
            if (fresh && at > 0) || !self.expand(tree, at, allotment)? {
                self.steps[at].place = Place::Own;
                return Ok(());
            }
            (first, count) = node.edge_range();
        }
        if node.value().is_exact() && self.rules.select.proofs && at > 0 {
            // The expansion itself has found the proof.
            self.know_node(tree, at);
            return Ok(());
        }
        let edges = tree.edges(node);
        debug_assert_eq!(edges.len(), count as usize);
        self.choose(tree, node, edges, first, step.visits, rng);
        let children = self.steps.len();
        let marking = self.rules.select.in_flight != InFlight::Ignore;
        self.steps.extend(self.picker.shares().iter().map(|share| Step {
            place: Place::Unknown,
            parent: at as u32,
            edge: first + share.branch,
            children: (0, 0),
            visits: share.visits,
            marked: if marking { share.visits } else { 0 },
            returned: 0,
            sum: 0,
            value: None,
            ..step
        }));
        self.planes.resize(self.steps.len() * self.rules.layout.count(), 0);
        if self.steps.len() == children {
            // Every branch is proven, so the node is too.
            self.know_node(tree, at);
            return Ok(());
        }
        self.steps[at].children = (children as u32, (self.steps.len() - children) as u32);
        for child in children..self.steps.len() {
            self.arrive(tree, child, allotment)?;
        }
        Ok(())
    }

    /// Chooses the branches for `visits` simulations, and marks them as in flight.
    #[inline]
    fn choose(
        &mut self,
        tree: &Tree<G>,
        node: &Node,
        edges: &[Edge],
        first: u32,
        visits: u32,
        rng: &mut Rng,
    ) {
        let lock = self.lock(node);
        if visits == 1 && self.picker.pick_one(node, edges, rng) {
            self.mark(edges);
            return;
        }
        let squares = tree.planes().zip(self.rules.layout.square_plane(node.mover()));
        let squares = squares.map(|(planes, plane)| {
            (&planes.seen.range(first, edges.len() as u32)[plane..], planes.count)
        });
        self.picker.copy(node, edges, squares);
        drop(lock);
        // The longer work is done on the copy, with the lock free.
        self.picker.divide(visits, rng);
        let _lock = self.lock(node);
        self.mark(edges);
    }

    /// Marks the chosen branches. Under the lock.
    #[inline]
    fn mark(&self, edges: &[Edge]) {
        if self.rules.select.in_flight != InFlight::Ignore {
            for share in self.picker.shares() {
                edges[share.branch as usize].depart(share.visits, self.access());
            }
        }
    }

    /// Locks a node for selection.
    ///
    /// To take the lock alone is one step, and it is freed with a plain store; a shared one
    /// takes two, and each mark one more. So it is shared only where the policy changes marks
    /// without the lock.
    #[inline]
    fn lock<'a>(&mut self, node: &'a Node) -> SelectionLock<'a> {
        let (lock, waited) = match self.access() {
            Access::Alone => {
                let alone = node.lock.write();
                let waited = alone.waited();
                (SelectionLock::Alone { _guard: alone }, waited)
            }
            Access::Shared => {
                let shared = node.lock.read();
                let waited = shared.waited();
                (SelectionLock::Shared { _guard: shared }, waited)
            }
        };
        self.counts.contended += u64::from(waited);
        lock
    }

    /// A step whose node is proven: nothing is searched there again.
    fn know_node(&mut self, tree: &Tree<G>, at: usize) {
        let step = &self.steps[at];
        let node = tree.node(step.node);
        let viewer = self.steps[step.parent as usize].mover;
        let flipped = G::PLAYERS == 2 && viewer != step.mover;
        let value = if flipped { node.value().flip() } else { node.value() };
        self.know(at, value, node.distance.load(Ordering::Relaxed));
    }

    /// A step that leads to a proven value.
    fn know(&mut self, at: usize, value: Value, distance: u32) {
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

    /// Gives the node of a step its edges. False if there is no memory for them.
    #[cold]
    fn expand(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        allotment: &mut Allotment,
    ) -> Result<bool, SearchError> {
        let state = &self.states[at];
        let id = self.steps[at].node;
        let node = tree.node(id);
        self.moves.clear();
        state.moves(&mut self.moves);
        check_moves(state, &self.moves)?;
        self.ends.clear();
        if tree.proofs() {
            // Moves that end the game are known from the start, not when their turn comes: a
            // win is then never missed (decisive moves, Teytaud and Teytaud 2010).
            let viewer = node.mover();
            let end = |mv| state.apply(mv).outcome().map(|end| Bounds::of_score(end.score(viewer)));
            let ends = (0..).zip(self.moves.iter().map(end));
            self.ends.extend(ends.filter_map(|(branch, end)| end.map(|bounds| (branch, bounds))));
        }
        let room = tree.expand(node, &mut self.moves, allotment);
        if room && !self.ends.is_empty() {
            let first = node.edge_range().0;
            let holder = hold(node, &mut self.counts);
            for &(branch, bounds) in &self.ends {
                backup::apply_end(tree, node, first + branch, bounds);
            }
            backup::refresh(node);
            backup::release(tree, id, node, holder);
        }
        Ok(room)
    }

    /// Finds out where a new step has led, and puts its position in `states`.
    fn arrive(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        allotment: &mut Allotment,
    ) -> Result<(), SearchError> {
        let step = self.steps[at];
        debug_assert_eq!(self.states.len(), at);
        let edge = tree.edge(step.edge);
        let from = &self.states[step.parent as usize];
        if let Some(child) = edge.child() {
            prefetch(tree.node(child));
            let state = from.apply(tree.mv(step.edge));
            self.states.push(state);
            self.approach(at, child);
            return Ok(());
        }
        let stats = edge.stats();
        if stats.value.is_exact() {
            // The end of the game, seen before: nothing has to be looked at again.
            self.states.push(from.clone());
            self.know(at, stats.value, 0);
            return Ok(());
        }
        let state = from.apply(tree.mv(step.edge));
        if let Some(outcome) = state.outcome() {
            self.states.push(state);
            self.finish(at, &outcome);
            return Ok(());
        }
        let wanted = match self.rules.expansion {
            Expansion::Everything => true,
            Expansion::Adaptive => stats.visits > 0 || tree.node_count() < Expansion::SMALL_TREE,
            Expansion::OnePerSimulation { from_visit } => stats.visits + 1 >= from_visit,
        };
        let mover = checked_mover(&state)?;
        let child = if wanted { tree.find_or_add(&state, mover, allotment) } else { None };
        self.states.push(state);
        match child {
            Some(child) => {
                let (child, new) = edge.set_child(child);
                if new && stats.visits > 0 {
                    self.inherit(tree, at, child);
                }
                self.approach(at, child);
            }
            None => self.steps[at].place = Place::Leaf,
        }
        Ok(())
    }

    /// The rollouts that an edge has seen before it got a child become the child's own.
    fn inherit(&self, tree: &Tree<G>, at: usize, child: NodeId) {
        if self.rules.layout.count() > 0 {
            return;
        }
        let stats = tree.edge(self.steps[at].edge).stats();
        let node = tree.node(child);
        // Nothing waits for so little: if the lock is busy the child goes without.
        let Some(holder) = node.lock.try_hold() else { return };
        let flipped = G::PLAYERS == 2 && node.mover() != usize::from(self.steps[at].mover);
        let seen = if flipped { stats.value.flip() } else { stats.value };
        let sum = u64::from(stats.visits) * u64::from(seen.score());
        backup::apply_own(tree, child, node, stats.visits, sum, &[]);
        backup::refresh(node);
        backup::release(tree, child, node, holder);
    }

    /// A step that leads to a node, which is not looked at before its memory is there.
    fn approach(&mut self, at: usize, child: NodeId) {
        self.steps[at].place = Place::Inner;
        self.steps[at].node = child;
    }

    /// A step that has reached a node.
    #[inline]
    fn enter(&mut self, tree: &Tree<G>, at: usize) {
        let step = self.steps[at];
        let node = tree.node(step.node);
        prefetch_edges(tree, node);
        let off_ply = step.off_ply || self.states[at].plies() != node.ply.load(Ordering::Relaxed);
        if off_ply && at > 0 && self.is_on_path(step.parent, step.node) {
            let outcome = self.states[at].repetition();
            self.steps[at].place = Place::Repetition;
            self.score(at, &outcome, usize::from(step.mover), step.visits);
            return;
        }
        let step = &mut self.steps[at];
        step.off_ply = off_ply;
        step.mover = node.mover.load(Ordering::Relaxed);
    }

    /// Whether a node lies on the path from the root to the step `at`. Positions come again
    /// only in games with cycles; then a path meets at least one of its nodes at another ply
    /// than the one it was made at, and only then somebody has to look.
    fn is_on_path(&self, mut at: u32, node: NodeId) -> bool {
        loop {
            let step = &self.steps[at as usize];
            if step.node == node {
                return true;
            }
            if at == 0 {
                return false;
            }
            at = step.parent;
        }
    }

    /// A step that has reached the end of the game.
    fn finish(&mut self, at: usize, outcome: &Outcome) {
        let step = &mut self.steps[at];
        let viewer = usize::from(step.mover);
        let score = outcome.score(viewer);
        let bounds = if G::PLAYERS <= 2 { Bounds::of_score(score) } else { Bounds::Open };
        if bounds.is_exact() {
            self.know(at, Value::new(to_fixed(score), bounds), 0);
        } else {
            step.place = Place::Known;
            let visits = step.visits;
            self.score(at, outcome, viewer, visits);
        }
    }

    /// Adds the result of `visits` simulations to a step.
    #[inline]
    fn score(&mut self, at: usize, outcome: &Outcome, viewer: usize, visits: u32) {
        let step = &mut self.steps[at];
        step.returned += visits;
        step.sum += u64::from(visits) * u64::from(to_fixed(outcome.score(viewer)));
        let planes = self.rules.layout.count();
        if planes > 0 {
            let sums = &mut self.planes[at * planes..][..planes];
            for _ in 0..visits {
                self.rules.layout.add_outcome(outcome, viewer, sums);
            }
        }
    }

    /// Phase 3: the rollouts, until the search is over; those not done do not come back.
    fn roll_out(&mut self, rng: &mut Rng, pace: &mut Pace<'_>) -> Result<(), SearchError> {
        for at in 0..self.steps.len() {
            let step = self.steps[at];
            if !matches!(step.place, Place::Leaf | Place::Own) {
                continue;
            }
            // For a leaf `mover` is still the parent's, for a node its own.
            let viewer = usize::from(step.mover);
            for _ in 0..step.visits {
                if pace.is_over() {
                    return Ok(());
                }
                let limit = self.rules.rollout_limit;
                let outcome = rollout(&self.states[at], rng, &mut self.moves, limit, pace)?;
                let Some(outcome) = outcome else { return Ok(()) };
                self.score(at, &outcome, viewer, 1);
            }
        }
        Ok(())
    }

    /// Phase 4, backup: each node that was passed is updated once, the deepest first.
    fn back_up(&mut self, tree: &Tree<G>) {
        for at in (0..self.steps.len()).rev() {
            match self.steps[at].place {
                Place::Inner => {
                    let (first, count) = self.steps[at].children;
                    let children = first as usize..(first + count) as usize;
                    self.steps[at].returned =
                        self.steps[children].iter().map(|child| child.returned).sum();
                }
                Place::Own => self.counts.simulations += u64::from(self.steps[at].returned),
                _ => {
                    self.counts.simulations += u64::from(self.steps[at].returned);
                    continue;
                }
            }
            if self.steps[at].returned > 0 {
                self.update(tree, at);
            } else {
                self.take_back_children(tree, at);
            }
        }
    }

    /// Updates the node of a step, as the lock policy says.
    fn update(&mut self, tree: &Tree<G>, at: usize) {
        let id = self.steps[at].node;
        let node = tree.node(id);
        match self.rules.lock_policy {
            LockPolicy::Block => {
                let alone = node.lock.write();
                self.counts.contended += u64::from(alone.waited());
                self.apply(tree, at, node);
            }
            LockPolicy::Yield => match node.lock.try_write() {
                Some(_alone) => self.apply(tree, at, node),
                None => {
                    self.counts.contended += 1;
                    self.counts.dropped += u64::from(self.steps[at].returned);
                    self.steps[at].returned = 0;
                    self.take_back_children(tree, at);
                }
            },
            LockPolicy::Defer => match node.lock.try_hold() {
                Some(holder) => {
                    self.apply(tree, at, node);
                    backup::release(tree, id, node, holder);
                }
                None => {
                    self.counts.contended += 1;
                    self.defer(tree, at);
                    if let Some(holder) = node.lock.announce() {
                        // Nobody holds the lock any more: the letters are ours to open.
                        backup::open_letters(tree, id, node);
                        backup::release(tree, id, node, holder);
                    }
                }
            },
        }
    }

    /// Changes the node of a step by all that came back. Under the node's write lock.
    fn apply(&mut self, tree: &Tree<G>, at: usize, node: &Node) {
        let step = self.steps[at];
        let planes = self.rules.layout.count();
        let before = node.visits();
        if step.place == Place::Own {
            let sums = &self.planes[at * planes..][..planes];
            backup::apply_own(tree, step.node, node, step.returned, step.sum, sums);
        }
        let (first, count) = step.children;
        for child in first as usize..(first + count) as usize {
            self.take_back(tree, child);
            if let Some(update) = self.edge_update(child) {
                let planes = &self.planes[child * planes..][..planes];
                backup::apply(tree, step.node, node, &update, planes);
            }
        }
        if before.leading_zeros() != node.visits().leading_zeros() && before > 0 {
            backup::catch_up(tree, node, self.rules.layout, G::PLAYERS);
        }
        let value = backup::refresh(node);
        self.show_parent(tree, at, node, value);
    }

    /// What came back through the edge of a step, if anything did.
    fn edge_update(&self, at: usize) -> Option<EdgeUpdate> {
        let step = &self.steps[at];
        (step.returned > 0).then_some(EdgeUpdate {
            edge: step.edge,
            visits: step.returned,
            result: match step.value {
                Some(value) => EdgeResult::Child { value, distance: step.distance },
                None => EdgeResult::Sum(step.sum),
            },
        })
    }

    /// Puts the value of an updated node into its step, as the parent's side to move sees it.
    fn show_parent(&mut self, tree: &Tree<G>, at: usize, node: &Node, value: Value) {
        let viewer = self.steps[self.steps[at].parent as usize].mover;
        let flipped = G::PLAYERS == 2 && viewer != self.steps[at].mover;
        let layout = self.rules.layout;
        let planes = layout.count();
        let mut seen = if flipped { value.flip() } else { value };
        if let Some(kept) = tree.planes() {
            let means = &mut self.planes[at * planes..][..planes];
            let visits = u64::from(node.visits().max(1));
            let totals = kept.totals.range(self.steps[at].node.0, 1);
            for (mean, total) in means.iter_mut().zip(totals) {
                *mean = total.load(Ordering::Relaxed) / visits;
            }
            if flipped {
                layout.flip(value.score(), means);
            }
            if let Some(plane) = layout.score_plane(usize::from(viewer)) {
                seen = Value::new(means[plane] as u32, Bounds::Open);
            }
        }
        let step = &mut self.steps[at];
        step.value = Some(seen);
        step.distance = node.distance.load(Ordering::Relaxed);
    }

    /// Leaves all that came back to the node of a step in the mailbox. Its value is not
    /// known then; the parent gets the sum of the scores.
    fn defer(&mut self, tree: &Tree<G>, at: usize) {
        let step = self.steps[at];
        let planes = self.rules.layout.count();
        let (mut sum, mut sums) = (0, vec![0; planes]);
        let mut letters = Vec::new();
        if step.place == Place::Own {
            sum = step.sum;
            sums.copy_from_slice(&self.planes[at * planes..][..planes]);
            let content = Content::Own { visits: step.returned, sum };
            letters.push(Letter { node: step.node, content, planes: sums.clone().into() });
        }
        let (first, count) = step.children;
        for child in first as usize..(first + count) as usize {
            self.take_back(tree, child);
            let Some(update) = self.edge_update(child) else { continue };
            let times = match update.result {
                EdgeResult::Child { value, .. } => {
                    sum += u64::from(update.visits) * u64::from(value.score());
                    u64::from(update.visits)
                }
                EdgeResult::Sum(of_child) => {
                    sum += of_child;
                    1
                }
            };
            let planes = &self.planes[child * planes..][..planes];
            for (sum, plane) in sums.iter_mut().zip(planes) {
                *sum += times * plane;
            }
            let content = Content::Edge(update);
            letters.push(Letter { node: step.node, content, planes: planes.into() });
        }
        self.counts.deferred += letters.len() as u64;
        tree.mailbox.leave(step.node, letters);
        // From the node's side to move to the parent's.
        let viewer = self.steps[step.parent as usize].mover;
        let returned = u64::from(step.returned);
        if G::PLAYERS == 2 && viewer != step.mover {
            if let [squares] = &mut sums[..] {
                *squares = (returned * u64::from(ONE) + *squares).saturating_sub(2 * sum);
            }
            sum = returned * u64::from(ONE) - sum;
        } else if let Some(plane) = self.rules.layout.score_plane(usize::from(viewer)) {
            sum = sums[plane];
        }
        self.planes[at * planes..][..planes].copy_from_slice(&sums);
        self.steps[at].sum = sum;
        self.steps[at].value = None;
    }

    /// How this policy changes the marks of edges.
    fn access(&self) -> Access {
        match self.rules.lock_policy {
            LockPolicy::Block => Access::Alone,
            LockPolicy::Yield | LockPolicy::Defer => Access::Shared,
        }
    }

    /// Takes back the mark of a step. Under the write lock of its node if the policy asks
    /// for it.
    #[inline]
    fn take_back(&mut self, tree: &Tree<G>, at: usize) {
        let access = self.access();
        let step = &mut self.steps[at];
        if step.marked > 0 {
            tree.edge(step.edge).arrive(step.marked, access);
            step.marked = 0;
        }
    }

    /// Takes back the marks of the steps behind a step, none of which came back.
    #[cold]
    fn take_back_children(&mut self, tree: &Tree<G>, at: usize) {
        let (first, count) = self.steps[at].children;
        let node = tree.node(self.steps[at].node);
        let _alone = (self.access() == Access::Alone).then(|| node.lock.write());
        for child in first as usize..(first + count) as usize {
            self.take_back(tree, child);
        }
    }

    /// Takes back every mark of the round: it will not come back.
    #[cold]
    fn take_back_marks(&mut self, tree: &Tree<G>) {
        for at in 1..self.steps.len() {
            if self.steps[at].marked > 0 {
                let from = self.steps[self.steps[at].parent as usize].node;
                let node = tree.node(from);
                let _alone = (self.access() == Access::Alone).then(|| node.lock.write());
                self.take_back(tree, at);
            }
        }
    }
}

/// Takes the lock of a node in a way that every lock policy allows. Free it with
/// [`backup::release`].
fn hold<'a>(node: &'a Node, counts: &mut Counts) -> Holder<'a> {
    let mut tries = 0;
    loop {
        if let Some(holder) = node.lock.try_hold() {
            return holder;
        }
        counts.contended += u64::from(tries == 0);
        tries += 1;
        // A reader's way in waits for the holder, and leaves at once.
        drop(node.lock.read());
    }
}

/// The side to move, if the game has it.
pub(crate) fn checked_mover<G: GameState>(state: &G) -> Result<usize, SearchError> {
    let found = state.mover();
    if found < G::PLAYERS {
        Ok(found)
    } else {
        Err(SearchError::Mover { found, players: G::PLAYERS, plies: state.plies() })
    }
}

/// Whether a position where the game goes on has as many moves as it may have.
pub(crate) fn check_moves<G: GameState>(state: &G, moves: &[G::Move]) -> Result<(), SearchError> {
    match moves.len() {
        0 => Err(SearchError::NoMoves { plies: state.plies() }),
        found if found > LARGEST_REQUEST as usize => {
            Err(SearchError::TooManyMoves { found, plies: state.plies() })
        }
        _ => Ok(()),
    }
}

/// Plays random moves to the end of the game. `None` if the search is over before.
#[inline]
fn rollout<G: GameState>(
    state: &G,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
    limit: u32,
    pace: &mut Pace<'_>,
) -> Result<Option<Outcome>, SearchError> {
    if let Some(outcome) = state.rollout(rng) {
        return Ok(Some(outcome));
    }
    let mut state = state.clone();
    for ply in 1..=limit {
        if let Some(outcome) = state.outcome() {
            return Ok(Some(outcome));
        }
        let Some(mv) = state.random_move(rng, buffer) else {
            return Err(SearchError::NoMoves { plies: state.plies() });
        };
        state.apply_in_place(&mv);
        if ply % PLIES_BETWEEN_LOOKS == 0 && pace.is_over() {
            return Ok(None);
        }
    }
    Ok(Some(state.outcome().unwrap_or_else(|| state.repetition())))
}

/// How often a long rollout looks whether the search is over.
const PLIES_BETWEEN_LOOKS: u32 = 32;

/// Asks for the cache line at `place`, which will be used soon.
#[inline]
fn prefetch<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch reads nothing that the program can see, and any address may be
    // given to it; the instruction is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}

/// Asks for the first cache lines of a node's edges and moves.
#[inline]
fn prefetch_edges<G: GameState>(tree: &Tree<G>, node: &Node) {
    const EDGES_PER_LINE: usize = 64 / size_of::<Edge>();
    const LINES: usize = 4;
    let (first, count) = node.edge_range();
    if count > 0 {
        prefetch(tree.mv(first));
        prefetch(tree.mv(first + count - 1));
    }
    for edge in tree.edges(node).iter().step_by(EDGES_PER_LINE).take(LINES) {
        prefetch(edge);
    }
}
