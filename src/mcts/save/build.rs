//! A tree built from records: of one table, or of two that are merged.

use crate::game::GameState;
use crate::mcts::tree::halving::HALVED_FROM;
use crate::mcts::tree::node::{EdgeStats, Loaded, Node, NodeId};
use crate::mcts::tree::update::{self, Narrowed};
use crate::mcts::tree::value::{Bounds, Value};
use crate::mcts::tree::{Allotment, Tree};
use crate::save::LoadError;
use crate::sync::Ordering;

use super::census::Choice;
use super::records::{Branches, Child, EdgeRecord, NodeRecord};

/// A tree under construction. No worker sees it before it is complete.
pub(super) struct Builder<G: GameState> {
    tree: Tree<G>,
    allotment: Allotment,
    choice: Choice,
    /// The nodes of the source that is being added, by its numbers, as [`Child::word`].
    numbers: Vec<u32>,
    /// Nodes of the sources before.
    others: Vec<u32>,
    /// Whether the positions of this source may be known from another.
    merging: bool,
    /// Whether branches to positions lose what is proven of them, as the engine proves
    /// nothing upwards.
    forget_proofs: bool,
    /// Whether a branch may know more than the position it leads to.
    pub(super) thinned: bool,
    pub(super) left_out: u64,
    unsettled: u32,
}

/// Nodes made until the memory limit is looked at again.
const BETWEEN_LOOKS: u32 = 256;

impl<G: GameState> Builder<G> {
    /// Builds in `tree`, which is empty.
    pub(super) fn new(tree: Tree<G>, choice: Choice) -> Self {
        Self {
            tree,
            allotment: Allotment::default(),
            choice,
            numbers: Vec::new(),
            others: Vec::new(),
            merging: false,
            forget_proofs: false,
            thinned: false,
            left_out: 0,
            unsettled: 0,
        }
    }

    /// Begins a source, saved with or without proofs.
    pub(super) fn begin(&mut self, proofs: bool) {
        self.merging = !self.numbers.is_empty();
        self.others.append(&mut self.numbers);
        // Two counts of less than 2^31 visits fit into one of 32 bits.
        for at in 0..self.others.len() {
            self.keep_in_range(self.others[at]);
        }
        self.forget_proofs = proofs && !self.tree.proofs();
    }

    /// Halves the counts of a node that has too many visits, as a search does. A file may hold up
    /// to 2^32 - 1.
    fn keep_in_range(&self, number: u32) {
        if let Child::Known(id) = Child::from_word(number) {
            let node = self.tree.node(NodeId(id));
            if node.visits() >= HALVED_FROM {
                update::refresh(&self.tree, (NodeId(id), node), Narrowed::NOTHING);
            }
        }
    }

    /// Adds a position of the source.
    pub(super) fn node(&mut self, record: &NodeRecord, key: G::Key) -> Result<(), LoadError> {
        let number = self.numbers.len();
        let mover = usize::from(record.mover);
        let chosen = self.choice.admits(record.visits, record.branches);
        let added = match chosen {
            true => self.tree.find_or_add_key(key, mover, record.ply, &mut self.allotment),
            false => None,
        };
        let Some((id, new)) = added else {
            self.left_out += 1;
            self.numbers.push(Child::Unknown { distance: record.distance }.word());
            return Ok(());
        };
        self.numbers.push(Child::Known(id.0).word());
        let node = self.tree.node(id);
        let place = || format!("position {number}");
        if !new && !self.merging {
            return Err(LoadError::content(place(), "a key of its own", "one seen before"));
        }
        if node.mover() != mover {
            return Err(conflict(place(), format!("side {} to move", node.mover()), mover));
        }
        expect_room(place, node, u64::from(record.own))?;
        node.set_loaded(Loaded::Unchecked);
        let (own, planes) = (record.own, &record.planes);
        update::apply_own(&self.tree, id, node, own, record.own_score, planes);
        if own > 0 {
            // Halved, if it has to be, with its branches.
            update::refresh_mean(&self.tree, node);
        }
        // What is proven comes with the branches; until then only the distance is known.
        self.add_distance(node, record.distance);
        self.unsettled += 1;
        if self.unsettled == BETWEEN_LOOKS {
            self.unsettled = 0;
            self.tree.settle(&mut self.allotment);
        }
        Ok(())
    }

    /// The distance of a proof, beside one that another source has found.
    fn add_distance(&self, node: &Node, distance: u32) {
        let known = node.distance();
        let both = known > 0 && distance > 0;
        let distance = match node.value().bounds() {
            Bounds::Win if both => known.min(distance),
            _ => known.max(distance),
        };
        node.set_distance(distance);
    }

    /// The node of the source's `number`, if it is kept.
    fn id(&self, number: u32) -> Option<NodeId> {
        node_of(&self.numbers, number as usize)
    }

    /// Adds the branches of a position of the source.
    pub(super) fn branches(&mut self, branches: &mut Branches<G::Move>) -> Result<(), LoadError> {
        let Branches { records, moves } = branches;
        let Some(id) = self.id(records.node) else { return Ok(()) };
        let node = self.tree.node(id);
        let number = records.node;
        let place = || format!("position {number}");
        if let Some(range) = node.edge_range() {
            if !self.merging {
                return Err(LoadError::content(place(), "its branches once", "them again"));
            }
            // SAFETY: the node is in use, and no eviction goes on: only this builder has the tree.
            let known = unsafe { self.tree.moves(range) };
            if known != moves {
                let expected = format!("{} branches", range.count());
                let found = format!("{} that are not the same", moves.len());
                return Err(conflict(place(), expected, found));
            }
        } else if !self.tree.expand(id, moves, (&[], &[]), &mut self.allotment) {
            // No memory: the position goes without branches, as in a search.
            self.thinned = true;
            return Ok(());
        }
        let added = records.edges.iter().map(|edge| u64::from(edge.visits)).sum();
        expect_room(place, node, added)?;
        let planes = records.seen.len() / records.edges.len().max(1);
        let Some(range) = node.edge_range() else { return Ok(()) };
        for (i, (index, record)) in range.indices().zip(&records.edges).enumerate() {
            let seen = &records.seen[i * planes..][..planes];
            self.edge(id, index, record, seen)
                .map_err(|found| conflict(place(), found.0, found.1))?;
        }
        self.finish_node(id, node);
        Ok(())
    }

    /// Adds what a branch has seen. If it contradicts what is known: that, and what it says.
    fn edge(
        &self,
        id: NodeId,
        index: u32,
        record: &EdgeRecord,
        seen: &[u32],
    ) -> Result<(), (String, String)> {
        let (node, edge) = (self.tree.node(id), self.tree.edge(index));
        let old = edge.stats();
        let (before, added) = (u64::from(old.visits), u64::from(record.visits));
        let visits = before + added;
        let mut bounds = record.value.bounds();
        if self.forget_proofs && matches!(record.child, Child::Known(_)) {
            bounds = Bounds::Open;
        }
        let known = old.value.bounds();
        let (low, high) = (known.low().max(bounds.low()), known.high().min(bounds.high()));
        if low > high {
            return Err((format!("{known:?} for branch {index}"), format!("{bounds:?}")));
        }
        let mean = |old: u32, new: u32| match visits {
            // Not visited: what is known of the end of the game, or nothing.
            0 => old.max(new),
            _ => mean((before, old), (added, new)),
        };
        // One of the two may not know of the proof.
        let score = mean(old.value.score(), record.value.score());
        let draw = self.tree.draws().draw(node.mover());
        let value = Value::within(Bounds::new(low, high), score, draw);
        edge.set_stats(EdgeStats { visits: visits as u32, value });
        node.add_score(visits * u64::from(value.score()), before * u64::from(old.value.score()));
        node.add_visits(record.visits);
        if let Some(planes) = self.tree.planes() {
            let kept = planes.seen.range(index, 1).iter().zip(planes.totals.range(id.0, 1));
            for ((kept, total), &new) in kept.zip(seen) {
                let was = kept.load(Ordering::Relaxed);
                let now = mean(was, new);
                kept.store(now, Ordering::Relaxed);
                let sum = total.load(Ordering::Relaxed) + visits * u64::from(now)
                    - before * u64::from(was);
                total.store(sum, Ordering::Relaxed);
            }
        }
        let child = match record.child {
            Child::Known(number) => Child::from_word(self.numbers[number as usize]),
            unknown => unknown,
        };
        match child {
            Child::Known(child) => {
                let found = edge.turn_to(None, NodeId(child)).map_or(child, |found| found.0);
                if found != child {
                    let expected = format!("branch {index} to lead to node {found}");
                    return Err((expected, format!("node {child}")));
                }
            }
            Child::Unknown { distance } => {
                if distance > 0 && bounds.is_exact() && edge.child().is_none() {
                    edge.forget_child(distance.max(edge.kept_distance()));
                }
            }
        }
        Ok(())
    }

    /// Works out what follows from the branches of a node.
    fn finish_node(&self, id: NodeId, node: &Node) {
        let (mut low, mut high, mut lost, mut any) = (0, 0, 0, false);
        for edge in self.tree.edges_of(node) {
            let stats = edge.stats();
            let bounds = stats.value.bounds();
            (low, high) = (bounds.low().max(low), bounds.high().max(high));
            lost += if bounds == Bounds::Loss { stats.visits } else { 0 };
            any |= bounds != Bounds::Open;
        }
        if self.tree.proofs() {
            node.set_lost(lost);
            node.set_value(Value::new(node.value().score(), Bounds::new(low, high)));
        }
        // As in a search, a node that nothing is known of has not been looked at.
        if node.visits() > 0 || (self.tree.proofs() && any) {
            update::refresh(&self.tree, (id, node), Narrowed::NOTHING);
        }
    }

    /// The complete tree, and what is left of the blocks it was built from.
    pub(super) fn finish(mut self) -> Built<G> {
        self.tree.settle(&mut self.allotment);
        for at in 0..self.others.len() + self.numbers.len() {
            let of_others = self.others.get(at);
            let number = of_others.or_else(|| self.numbers.get(at - self.others.len()));
            if let Some(Child::Known(id)) = number.copied().map(Child::from_word) {
                // A node without branches has not been looked at.
                self.keep_in_range(id);
                self.repair(NodeId(id));
            }
        }
        Built {
            tree: self.tree,
            allotment: self.allotment,
            numbers: self.numbers,
            others: self.others,
            thinned: self.thinned || self.left_out > 0,
            left_out: self.left_out,
        }
    }

    /// Brings a node in line with those its branches lead to.
    fn repair(&mut self, id: NodeId) {
        if !self.tree.proofs() {
            self.tree.node(id).set_distance(0);
            return;
        }
        let node = self.tree.node(id);
        let mut farthest = 0;
        for edge in self.tree.edges_of(node) {
            let bounds = edge.stats().value.bounds();
            if bounds == Bounds::Open {
                continue;
            }
            let Some(child) = edge.child().map(|child| self.tree.node(child)) else {
                farthest = farthest.max(edge.kept_distance());
                continue;
            };
            let seen = child.value().seen_by(G::PLAYERS, child.mover(), node.mover()).bounds();
            if bounds.low() > seen.low() || bounds.high() < seen.high() {
                // The branch knows more than the position, as if that had been made anew:
                // saved while a search ran, or left without its branches.
                let exact = bounds.is_exact();
                edge.forget_child(if exact { child.distance() } else { 0 });
                self.thinned = true;
            } else if bounds.is_exact() {
                farthest = farthest.max(child.distance());
            }
        }
        if node.value().is_exact() && node.distance() == 0 {
            node.set_distance(farthest.saturating_add(1));
        }
    }
}

/// A complete tree.
pub(super) struct Built<G: GameState> {
    pub(super) tree: Tree<G>,
    pub(super) allotment: Allotment,
    numbers: Vec<u32>,
    others: Vec<u32>,
    pub(super) thinned: bool,
    pub(super) left_out: u64,
}

impl<G: GameState> Built<G> {
    /// The node of a number of the first source.
    pub(super) fn first(&self, number: u32) -> Option<NodeId> {
        let first = if self.others.is_empty() { &self.numbers } else { &self.others };
        node_of(first, number as usize)
    }

    /// The node of a number of the last source.
    pub(super) fn last(&self, number: u32) -> Option<NodeId> {
        node_of(&self.numbers, number as usize)
    }
}

/// The node of a number, if it is there.
fn node_of(numbers: &[u32], number: usize) -> Option<NodeId> {
    match Child::from_word(*numbers.get(number)?) {
        Child::Known(id) => Some(NodeId(id)),
        Child::Unknown { .. } => None,
    }
}

/// The mean of two means, each with its number of visits, not both 0.
fn mean((n, old): (u64, u32), (m, new): (u64, u32)) -> u32 {
    let sum = u128::from(n) * u128::from(old) + u128::from(m) * u128::from(new);
    let count = u128::from(n + m);
    ((sum + count / 2) / count) as u32
}

/// Visits must fit into the node's counter.
fn expect_room(place: impl Fn() -> String, node: &Node, added: u64) -> Result<(), LoadError> {
    let visits = u64::from(node.visits()) + added;
    if visits <= u64::from(u32::MAX) {
        return Ok(());
    }
    Err(LoadError::content(place(), "less than 2^32 visits", visits))
}

fn conflict(place: String, expected: impl Into<String>, found: impl ToString) -> LoadError {
    LoadError::Conflict { place, expected: expected.into(), found: found.to_string() }
}
