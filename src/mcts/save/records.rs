//! What is saved of a position and of its branches, and how a tree gives it.
//!
//! Only what does not follow from something else: a position's own rollouts, and what each
//! branch has seen. Visits, scores, means and bounds of positions are worked out again when
//! they are read, so they agree whatever happened between the two looks at a position.

use crate::game::GameState;
use crate::mcts::tree::Tree;
use crate::mcts::tree::arena::NO_INDEX;
use crate::mcts::tree::eviction::Saving;
use crate::mcts::tree::node::NodeId;
use crate::mcts::tree::value::{ONE, Value};
use crate::sync::Ordering;

/// A position, without its branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeRecord {
    /// All visits: says what the position is worth keeping for.
    pub(super) visits: u32,
    /// Number of branches: says what it takes to keep it.
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

/// The branches of a position, without their moves.
#[derive(Clone, Debug, Default)]
pub(super) struct BranchRecords {
    /// The position's number.
    pub(super) node: u32,
    pub(super) edges: Vec<EdgeRecord>,
    /// The planes last seen, those of the first branch first.
    pub(super) seen: Vec<u32>,
}

/// The branches of a position.
#[derive(Clone, Debug)]
pub(super) struct Branches<M> {
    pub(super) records: BranchRecords,
    /// One for each branch.
    pub(super) moves: Vec<M>,
}

impl<M> Default for Branches<M> {
    fn default() -> Self {
        Self { records: BranchRecords::default(), moves: Vec::new() }
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
    left_out: u64,
}

impl Numbering {
    /// The nodes of the table with at least `min_visits` visits, and `root`. No node has a number
    /// before [`count`](Self::count).
    fn new<G: GameState>(
        tree: &Tree<G>,
        saving: &Saving<'_>,
        root: Option<NodeId>,
        min_visits: u32,
    ) -> Self {
        let mut chosen = vec![0; saving.words()];
        let mut left_out = 0;
        let mut choose = |id: NodeId, wanted| match chosen.get_mut(id.0 as usize / 64) {
            Some(word) if wanted => *word |= 1 << (id.0 % 64),
            _ => left_out += 1,
        };
        // The visits of a node that is evicted meanwhile are no matter: it will have left.
        tree.for_each_node(|id| choose(id, tree.node(id).visits() >= min_visits));
        if let Some(root) = root {
            choose(root, tree.node(root).visits() >= min_visits);
        }
        let mut numbering = Self { chosen, before: Vec::new(), left_out };
        numbering.count();
        numbering
    }

    /// Gives the chosen nodes their numbers.
    fn count(&mut self) {
        let mut count = 0;
        let sum = |word: &u64| {
            let before = count;
            count += word.count_ones();
            before
        };
        self.before = self.chosen.iter().map(sum).collect();
    }

    /// No longer chosen. Those behind it have the wrong number until the next
    /// [`count`](Self::count).
    fn leave_out(&mut self, id: NodeId) {
        self.chosen[id.0 as usize / 64] &= !(1 << (id.0 % 64));
        self.left_out += 1;
    }

    /// The number of a node, if it was chosen.
    fn number(&self, id: NodeId) -> Option<u32> {
        let (at, bit) = (id.0 as usize / 64, id.0 % 64);
        let word = self.chosen.get(at)?;
        let below = (word & ((1 << bit) - 1)).count_ones();
        (word >> bit & 1 == 1).then(|| self.before[at] + below)
    }

    /// The first chosen node whose index is `from` or more.
    fn next(&self, from: u32) -> Option<NodeId> {
        let at = from as usize / 64;
        let first = self.chosen.get(at)? >> (from % 64) << (from % 64);
        let words = self.chosen.iter().copied().enumerate().skip(at + 1);
        let mut words = std::iter::once((at, first)).chain(words);
        let (at, word) = words.find(|&(_, word)| word != 0)?;
        Some(NodeId(at as u32 * 64 + word.trailing_zeros()))
    }

    /// The nodes in the order of their numbers.
    fn nodes(&self) -> impl Iterator<Item = NodeId> {
        let after = |id: &NodeId| self.next(id.0.checked_add(1)?);
        std::iter::successors(self.next(0), after)
    }
}

/// Nodes that are read under one pin: this takes some tenths of a millisecond, and an eviction
/// waits for its end.
const BATCH: usize = 256;

/// A tree as a source of records, also while a search changes it.
///
/// - **Each position is of one piece**: its own rollouts are read under its lock with all of its
///   branches, and later all branches under its lock again. Visits and scores follow from the two,
///   so they agree, whatever was added between the two looks.
/// - **Nothing read is freed meanwhile**: a batch is read under a pin, and what has
///   [left](Saving::has_left) is skipped. A position that leaves after its first look is in the
///   file without its branches, and no branch that is written later leads to it.
/// - **Positions made since the beginning are not there.** A branch to one keeps what it has
///   seen, as one to a position that was evicted. So branches may know more than the positions
///   that they lead to, or will lead to: [`is_thinned`](Self::is_thinned).
pub(super) struct TreeSource<'a, G: GameState> {
    tree: &'a Tree<G>,
    saving: Saving<'a>,
    numbering: Numbering,
    root: Option<NodeId>,
    /// A branch leads to a position that is not there.
    is_cut: bool,
}

/// How far a pass has come.
#[derive(Debug, Default)]
pub(super) struct Cursor(usize);

/// A position that has branches: the first of them, its number, its node.
type Expanded = (u32, u32, NodeId);

impl<'a, G: GameState> TreeSource<'a, G> {
    /// The positions with at least `min_visits` visits.
    pub(super) fn new(tree: &'a Tree<G>, min_visits: u32) -> Self {
        let saving = tree.save();
        // The root is in the table, where a count beside a search may miss it. It was not evicted
        // before the save began, whatever has become of it since: it was the root until then.
        let root = tree.root_node();
        let numbering = Numbering::new(tree, &saving, root, min_visits);
        Self { tree, saving, numbering, root, is_cut: false }
    }

    /// The root of the search that was under way when the save began.
    pub(super) fn searched_root(&self) -> Option<NodeId> {
        self.root
    }

    /// Whether positions are missing.
    pub(super) fn is_thinned(&self) -> bool {
        self.is_cut || self.numbering.left_out > 0 || self.tree.eviction.evicted() > 0
    }

    /// The number of a node. Under a pin, of the root, or without a search.
    pub(super) fn number(&self, id: NodeId) -> Option<u32> {
        self.numbering.number(id).filter(|_| !self.saving.has_left(id))
    }

    /// Calls `f` with every position and its key, in the order of their numbers. Without a search.
    pub(super) fn nodes<E>(
        &mut self,
        mut f: impl FnMut(&NodeRecord, &G::Key) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut cursor = Cursor::default();
        while self.next_nodes(&mut cursor, |record, key| f(record, key).map(|()| false))? {}
        Ok(())
    }

    /// Calls `f` with the next positions and their keys, in the order of their numbers, until it
    /// says that it has enough, or there were some: it is called under a pin. False at the end;
    /// only then have nodes their numbers.
    pub(super) fn next_nodes<E>(
        &mut self,
        cursor: &mut Cursor,
        mut f: impl FnMut(&NodeRecord, &G::Key) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let mut record = NodeRecord::default();
        let pin = self.saving.pin();
        for _ in 0..BATCH {
            let next = u32::try_from(cursor.0).ok().and_then(|from| self.numbering.next(from));
            let Some(id) = next else {
                drop(pin);
                self.numbering.count();
                return Ok(false);
            };
            cursor.0 = id.0 as usize + 1;
            if self.saving.has_left(id) {
                self.numbering.leave_out(id);
                continue;
            }
            self.read(id, &mut record);
            // SAFETY: the node was in the table and has not left, and is read under a pin.
            if f(&record, unsafe { self.tree.key(id) })? {
                break;
            }
        }
        Ok(true)
    }

    fn read(&self, id: NodeId, record: &mut NodeRecord) {
        let node = self.tree.node(id);
        let _held = node.lock().read();
        let relaxed = Ordering::Relaxed;
        let own = node.own();
        let most = u64::from(own) * u64::from(ONE);
        let mut own_score = node.score();
        record.planes.clear();
        if let Some(planes) = self.tree.planes() {
            let totals = planes.totals.range(id.0, 1).iter();
            record.planes.extend(totals.map(|total| total.load(relaxed)));
        }
        let mut branches = 0;
        for (index, edge) in self.tree.indexed_edges(node) {
            branches += 1;
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
        record.distance = node.distance();
        record.ply = node.ply();
        record.mover = node.mover() as u8;
    }

    /// The positions that have branches, in the order of the branches' indices: read in this
    /// order, they come to lie as they were.
    pub(super) fn expanded(&self) -> Vec<Expanded> {
        // Of a node that has left this may be anything, but then nothing will be read of it.
        let place = |(number, id)| Some((self.tree.node(id).edge_range()?.first(), number, id));
        let mut order: Vec<Expanded> =
            (0..).zip(self.numbering.nodes()).filter_map(place).collect();
        order.sort_unstable_by_key(|&(first, ..)| first);
        order
    }

    /// Calls `f` with the branches of every position that has some, in this
    /// [order](Self::expanded). Without a search.
    pub(super) fn branches<E>(
        &mut self,
        mut f: impl FnMut(&mut Branches<G::Move>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (order, mut cursor) = (self.expanded(), Cursor::default());
        while self.next_branches(&order, &mut cursor, |branches| f(branches).map(|()| false))? {}
        Ok(())
    }

    /// Calls `f` with the branches of the next positions, until it says that it has enough, or
    /// there were some: it is called under a pin. False at the end.
    pub(super) fn next_branches<E>(
        &mut self,
        order: &[Expanded],
        cursor: &mut Cursor,
        mut f: impl FnMut(&mut Branches<G::Move>) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let mut branches = Branches::default();
        let _pin = self.saving.pin();
        let rest = &order[cursor.0..];
        for &(_, number, id) in rest.iter().take(BATCH) {
            cursor.0 += 1;
            if self.saving.has_left(id) {
                self.is_cut = true;
                continue;
            }
            branches.records.node = number;
            self.is_cut |= self.read_branches(id, &mut branches);
            if f(&mut branches)? {
                break;
            }
        }
        Ok(cursor.0 < order.len())
    }

    /// Reads the branches of a node. Returns whether one leads to a position that is not there.
    fn read_branches(&self, id: NodeId, branches: &mut Branches<G::Move>) -> bool {
        branches.records.edges.clear();
        branches.records.seen.clear();
        branches.moves.clear();
        let node = self.tree.node(id);
        let Some(range) = node.edge_range() else { return false };
        let mut is_cut = false;
        {
            let _held = node.lock().read();
            for (index, edge) in range.indices().zip(self.tree.edges(range)) {
                let stats = edge.stats();
                let found = edge.child();
                let child = match found.and_then(|child| self.number(child)) {
                    Some(number) => Child::Known(number),
                    None if stats.value.is_exact() => {
                        Child::Unknown { distance: self.tree.distance_below(edge) }
                    }
                    None => Child::Unknown { distance: 0 },
                };
                is_cut |= found.is_some() && matches!(child, Child::Unknown { .. });
                let record = EdgeRecord { visits: stats.visits, value: stats.value, child };
                branches.records.edges.push(record);
                if let Some(planes) = self.tree.planes() {
                    let seen = planes.seen.range(index, 1).iter();
                    branches.records.seen.extend(seen.map(|seen| seen.load(Ordering::Relaxed)));
                }
            }
        }
        // Moves do not change, and their `Clone` is the user's: the lock is free by now.
        // SAFETY: the node has not left, and is read under a pin.
        branches.moves.extend_from_slice(unsafe { self.tree.moves(range) });
        is_cut
    }
}
