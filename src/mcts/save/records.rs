//! What is saved of a position and of its branches, and how a tree gives it.
//!
//! Only what does not follow from something else: a position's own rollouts, and what each
//! branch has seen. Visits, scores, means and bounds of positions are worked out again when
//! they are read, so they agree whatever happened between the two looks at a position.

use crate::game::GameState;
use crate::mcts::arena::NO_INDEX;
use crate::mcts::node::NodeId;
use crate::mcts::tree::Tree;
use crate::mcts::value::{ONE, Value};
use crate::sync::Ordering;

/// A position, without its branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeRecord {
    /// All visits: says what the position is worth keeping for.
    pub(super) visits: u32,
    /// Number of branches, for those who want to know what it takes to keep it.
    pub(super) branches: u32,
    /// Rollouts that began here.
    pub(super) own: u32,
    /// Sum of their scores for the side to move, in fixed point.
    pub(super) own_score: u64,
    /// Plies to the end by the proof, if there is one.
    pub(super) distance: u32,
    pub(super) ply: u32,
    pub(super) mover: u8,
    /// Sums of the further planes over the own rollouts.
    pub(super) planes: Vec<u64>,
}

/// A branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EdgeRecord {
    pub(super) visits: u32,
    /// The value last seen through it.
    pub(super) value: Value,
    pub(super) child: Child,
}

/// What a branch leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    /// The position of this number, or the node of this index.
    Known(u32),
    /// No position that is there. If the branch is proven: plies from there to the end, where
    /// they are known.
    Unknown { distance: u32 },
}

impl Child {
    /// One word, as edges have it: the number, or 2^32 - 1 less the distance.
    pub(super) fn word(self) -> u32 {
        match self {
            Child::Known(number) => number,
            Child::Unknown { distance } => u32::MAX - distance.min(u32::MAX - NO_INDEX),
        }
    }

    pub(super) fn from_word(word: u32) -> Self {
        match word {
            ..NO_INDEX => Child::Known(word),
            _ => Child::Unknown { distance: u32::MAX - word },
        }
    }
}

/// The branches of a position.
#[derive(Clone, Debug)]
pub(super) struct Branches<M> {
    /// The position's number.
    pub(super) node: u32,
    pub(super) edges: Vec<EdgeRecord>,
    /// The planes last seen, those of the first branch first.
    pub(super) seen: Vec<u32>,
    /// One for each branch.
    pub(super) moves: Vec<M>,
}

impl<M> Default for Branches<M> {
    fn default() -> Self {
        Self { node: 0, edges: Vec::new(), seen: Vec::new(), moves: Vec::new() }
    }
}

/// Some nodes of a tree, numbered from 0 in the order of their indices.
#[derive(Debug)]
pub(super) struct Numbering {
    /// A bit for each index.
    chosen: Vec<u64>,
    /// How many were chosen before each word of `chosen`.
    before: Vec<u32>,
    /// Nodes that were not chosen.
    pub(super) left_out: u64,
}

impl Numbering {
    /// The nodes with at least `min_visits` visits.
    pub(super) fn new<G: GameState>(tree: &Tree<G>, min_visits: u32) -> Self {
        let mut chosen = vec![0; tree.node_indices().div_ceil(64) as usize];
        let mut left_out = 0;
        tree.for_each_node(|id| match chosen.get_mut(id.0 as usize / 64) {
            Some(word) if tree.node(id).visits() >= min_visits => *word |= 1 << (id.0 % 64),
            _ => left_out += 1,
        });
        let mut count = 0;
        let sum = |word: &u64| {
            let before = count;
            count += word.count_ones();
            before
        };
        let before = chosen.iter().map(sum).collect();
        Self { chosen, before, left_out }
    }

    /// The number of a node, if it was chosen.
    pub(super) fn number(&self, id: NodeId) -> Option<u32> {
        let (at, bit) = (id.0 as usize / 64, id.0 % 64);
        let word = self.chosen.get(at)?;
        let below = (word & ((1 << bit) - 1)).count_ones();
        (word >> bit & 1 == 1).then(|| self.before[at] + below)
    }

    /// The nodes in the order of their numbers.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..).zip(&self.chosen).flat_map(|(at, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                left = left.checked_sub(1 << bit.min(63))?;
                Some(NodeId(at * 64 + bit))
            })
        })
    }
}

/// A tree as a source of records. Each node is read under its lock, so a search may run
/// meanwhile; but no node may be released.
pub(super) struct TreeSource<'a, G: GameState> {
    pub(super) tree: &'a Tree<G>,
    pub(super) numbering: Numbering,
}

impl<'a, G: GameState> TreeSource<'a, G> {
    pub(super) fn new(tree: &'a Tree<G>, min_visits: u32) -> Self {
        Self { tree, numbering: Numbering::new(tree, min_visits) }
    }

    /// Calls `f` with every position and its key, in the order of their numbers.
    pub(super) fn nodes<E>(
        &self,
        mut f: impl FnMut(&NodeRecord, &G::Key) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut record = NodeRecord::default();
        for id in self.numbering.nodes() {
            self.read(id, &mut record);
            f(&record, self.tree.key(id))?;
        }
        Ok(())
    }

    fn read(&self, id: NodeId, record: &mut NodeRecord) {
        let node = self.tree.node(id);
        let _held = node.lock.read();
        let relaxed = Ordering::Relaxed;
        let (first, branches) = node.edge_range();
        let own = node.own.load(relaxed);
        let most = u64::from(own) * u64::from(ONE);
        let mut own_score = node.score.load(relaxed);
        record.planes.clear();
        if let Some(planes) = self.tree.planes() {
            let totals = planes.totals.range(id.0, 1).iter();
            record.planes.extend(totals.map(|total| total.load(relaxed)));
        }
        for (index, edge) in (first..).zip(self.tree.edges(node)) {
            let stats = edge.stats();
            let visits = u64::from(stats.visits);
            own_score = own_score.saturating_sub(visits * u64::from(stats.value.score()));
            if let Some(planes) = self.tree.planes() {
                for (sum, seen) in record.planes.iter_mut().zip(planes.seen.range(index, 1)) {
                    *sum = sum.saturating_sub(visits * u64::from(seen.load(relaxed)));
                }
            }
        }
        record.planes.iter_mut().for_each(|sum| *sum = (*sum).min(most));
        record.visits = node.visits();
        record.branches = branches;
        record.own = own;
        record.own_score = own_score.min(most);
        record.distance = node.distance.load(relaxed);
        record.ply = node.ply.load(relaxed);
        record.mover = node.mover() as u8;
    }

    /// Calls `f` with the branches of every position that has some, in the order of the
    /// branches' indices: read in this order, they come to lie as they were.
    pub(super) fn branches<E>(
        &self,
        mut f: impl FnMut(&mut Branches<G::Move>) -> Result<(), E>,
    ) -> Result<(), E> {
        let first = |id| self.tree.node(id).edge_range();
        let expanded = (0..).zip(self.numbering.nodes()).filter(|&(_, id)| first(id).1 > 0);
        let mut order: Vec<(u32, u32, NodeId)> =
            expanded.map(|(number, id)| (first(id).0, number, id)).collect();
        order.sort_unstable_by_key(|&(first, ..)| first);
        let mut branches = Branches::default();
        for (first, number, id) in order {
            branches.node = number;
            self.read_branches(first, id, &mut branches);
            f(&mut branches)?;
        }
        Ok(())
    }

    fn read_branches(&self, first: u32, id: NodeId, branches: &mut Branches<G::Move>) {
        let node = self.tree.node(id);
        let edges = self.tree.edges(node);
        let last = first + edges.len() as u32;
        branches.edges.clear();
        branches.seen.clear();
        branches.moves.clear();
        {
            let _held = node.lock.read();
            for (index, edge) in (first..).zip(edges) {
                let stats = edge.stats();
                let child = match edge.child().and_then(|child| self.numbering.number(child)) {
                    Some(number) => Child::Known(number),
                    None if stats.value.is_exact() => {
                        Child::Unknown { distance: self.tree.distance_below(edge) }
                    }
                    None => Child::Unknown { distance: 0 },
                };
                let record = EdgeRecord { visits: stats.visits, value: stats.value, child };
                branches.edges.push(record);
                if let Some(planes) = self.tree.planes() {
                    let seen = planes.seen.range(index, 1).iter();
                    branches.seen.extend(seen.map(|seen| seen.load(Ordering::Relaxed)));
                }
            }
        }
        // Moves do not change, and their `Clone` is the user's: the lock is free by now.
        branches.moves.extend((first..last).map(|index| self.tree.mv(index).clone()));
    }
}
