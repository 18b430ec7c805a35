//! Nodes and edges: what the tree remembers of a position and of a branch.
//!
//! What protects a field is said where it stands, in groups as in KataGo's `searchnode.h`. No field
//! is seen outside this file: what reads or writes one is a method, and says in what group it is.
//!
//! All fields are atomics, plain loads and stores on the machines we know. They are used with
//! `Relaxed` but for those that publish something: the lock's acquire and release order them. What
//! a `Relaxed` read outside the lock may see is an older value, and each such place says what that
//! costs.

use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::ops::Range;

use crate::lock::NodeLock;
use crate::sync::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use crate::zeroed::zeroed;

use super::arena::NO_INDEX;
use super::value::Value;

/// The index of a node in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(crate) u32);

/// Whether a node comes from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loaded {
    /// A search has made it.
    No,
    /// It does, and its moves and its side to move were not compared with those of the position.
    Unchecked,
    /// It does, and they are those of the position.
    Checked,
}

/// The edges of an expanded node: where they lie in the arena, with their moves beside them.
///
/// Only [`Node::edge_range`] makes one. So this holds, in the tree of the node:
/// - the edges and moves of the range were written, and what was written is seen;
/// - there is at least one, and all of them lie in one chunk;
/// - the tree was not forgotten since the range was read, and no node was freed by code that has
///   the tree to itself: a range borrows its node, and by that the tree.
///
/// It does not say that the node is still in use. An eviction frees nodes in a tree that is shared,
/// when each worker has been [between two rounds](super::epoch), and no borrow knows of that. The
/// edges may be another node's by then. To read them is no harm to the memory, as an edge can
/// always be read; to read a move that was dropped is. So [`Tree::edges`](super::Tree::edges) asks
/// for a range alone, and [`Tree::moves`](super::Tree::moves) for what is missing here as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeRange<'a> {
    first: u32,
    count: NonZeroU32,
    node: PhantomData<&'a Node>,
}

impl EdgeRange<'_> {
    /// The index of the first edge in the arena.
    #[inline]
    pub(crate) fn first(self) -> u32 {
        self.first
    }

    /// The number of edges, not 0.
    #[inline]
    pub(crate) fn count(self) -> u32 {
        self.count.get()
    }

    /// The indices of the edges in the arena.
    #[inline]
    pub(crate) fn indices(self) -> Range<u32> {
        self.first..self.first + self.count()
    }
}

/// Counters of a node, all of them as they are at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counters {
    pub(crate) visits: u32,
    pub(crate) own: u32,
    pub(crate) lost: u32,
    pub(crate) score: u64,
}

/// The statistics of a position: one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Node {
    // The lock --------------------------------------------------------------------------------
    /// Protects the next two groups, and what the edges of the node say.
    lock: NodeLock,

    // Written under the write lock, read under any lock ---------------------------------------
    /// Score total of the side to move, in fixed point: own rollouts plus, for each edge,
    /// its visits times the value last seen through it. Of a free node: see
    /// [`spare_word`](Self::spare_word).
    score: AtomicU64,
    /// Visits that ended here with a rollout.
    own: AtomicU32,
    /// Visits of edges that are proven losses. The side to move will not go there, so they
    /// are left out of its mean.
    lost: AtomicU32,

    // Written under the write lock, read by any worker at any time, at worst an old one -------
    /// Visits: `own` plus the visits of all edges.
    visits: AtomicU32,
    /// [`Value`]: the mean score of the side to move, and what is proven. One word, so a reader
    /// gets a mean and bounds that belong together.
    value: AtomicU32,
    /// Plies to the end of the game by the proof, if the value is proven.
    distance: AtomicU32,
    /// The evictions that the tree had seen when the node was last updated.
    touched: AtomicU32,
    /// The mark of the [exchange](crate::mcts::exchange) that knows the node; 0: none does.
    exchange: AtomicU8,

    // Written once, before the node can be found ----------------------------------------------
    /// Plies played when the node was made (its generation).
    ply: AtomicU32,
    /// Side to move.
    mover: AtomicU8,
    /// 1 if the node belongs to one search, which knows what was played before its root.
    apart: AtomicU8,

    // Published once, by the worker that is first: release, and acquire where they are read ---
    /// Number of edges (high half) and the first of them in the arena; 0 until the node is
    /// expanded.
    edges: AtomicU64,
    /// Number of the [table](crate::mcts::tree::later_moves) of what its moves are worth as later
    /// ones, plus 1; 0: it has none.
    amaf: AtomicU32,

    // Only ever goes forward, written by any worker, without a lock ---------------------------
    /// 1 once every branch has had its warm-up visits.
    warm: AtomicU8,
    /// Whether it comes from a file, and a search has compared it with its position: see
    /// [`Loaded`].
    loaded: AtomicU8,

    // Owned by the worker that has set it, written without a lock -------------------------------
    /// 1 while a worker asks a network about the position: no other one does.
    asked: AtomicU8,

    // Says what the memory is: written by its one owner; a node in use is published by release,
    // and a free one by the list that it is given to --------------------------------------------
    /// The tree's age when the node was made; 0 if the memory is free.
    age: AtomicU32,
}

// Loom's atomics are larger.
#[cfg(not(loom))]
const _: () = assert!(size_of::<Node>() == 64);

zeroed!(Node {
    lock,
    score,
    own,
    lost,
    visits,
    value,
    distance,
    touched,
    exchange,
    ply,
    mover,
    apart,
    edges,
    amaf,
    warm,
    loaded,
    asked,
    age,
});

/// How a node begins and ends.
impl Node {
    /// Makes this the node of a position not seen before. Only the caller knows the node.
    pub(crate) fn reset(&self, mover: usize, ply: u32, evictions: u32) {
        for (field, to) in [
            (&self.own, 0),
            (&self.lost, 0),
            (&self.visits, 0),
            (&self.value, Value::default().bits()),
            (&self.distance, 0),
            (&self.touched, evictions),
            (&self.ply, ply),
            (&self.amaf, 0),
        ] {
            field.store(to, Ordering::Relaxed);
        }
        self.score.store(0, Ordering::Relaxed);
        self.edges.store(0, Ordering::Relaxed);
        self.mover.store(mover as u8, Ordering::Relaxed);
        self.apart.store(0, Ordering::Relaxed);
        self.exchange.store(0, Ordering::Relaxed);
        self.warm.store(0, Ordering::Relaxed);
        self.loaded.store(Loaded::No as u8, Ordering::Relaxed);
        self.asked.store(0, Ordering::Relaxed);
    }

    /// Makes the node belong to one search. Before an edge leads to it.
    pub(super) fn set_apart(&self) {
        self.apart.store(1, Ordering::Relaxed);
    }

    /// Whether this was made when the tree had this age.
    pub(super) fn is_in_use(&self, age: u32) -> bool {
        // Acquire: pairs with the release in `set_in_use`.
        self.age.load(Ordering::Acquire) == age
    }

    /// Says that the node was made: its header and its key are written.
    ///
    /// # Safety
    /// The key was written if the tree has a table, and what the header says of edges holds.
    pub(super) unsafe fn set_in_use(&self, age: u32) {
        // Release: pairs with the acquire in `is_in_use`, for a reader that walks over all nodes.
        self.age.store(age, Ordering::Release);
    }

    /// Marks the memory as free: the key and the moves are dropped by the caller, and by no other
    /// code.
    pub(super) fn set_free(&self) {
        self.age.store(0, Ordering::Relaxed);
    }

    /// The word that the [list](super::free_lists) of free nodes has in the memory of each of them.
    pub(super) fn spare_word(&self) -> u64 {
        self.score.load(Ordering::Relaxed)
    }

    /// Writes the [`spare_word`](Self::spare_word) of a free node, which only the caller knows.
    pub(super) fn set_spare_word(&self, word: u64) {
        debug_assert_eq!(self.age.load(Ordering::Relaxed), 0, "a node in use has a score there");
        self.score.store(word, Ordering::Relaxed);
    }
}

/// What is read and written as the groups of the fields say: `set_` and `add_` under the write
/// lock, or while no other thread knows the tree or the node.
impl Node {
    #[inline]
    pub(crate) fn lock(&self) -> &NodeLock {
        &self.lock
    }

    /// The score total of the side to move, in fixed point. Under a lock.
    #[inline]
    pub(crate) fn score(&self) -> u64 {
        self.score.load(Ordering::Relaxed)
    }

    /// The score total changes by `plus - minus`.
    #[inline]
    pub(crate) fn add_score(&self, plus: u64, minus: u64) {
        self.score.store(self.score().wrapping_add(plus).wrapping_sub(minus), Ordering::Relaxed);
    }

    /// Visits that ended here with a rollout. Under a lock.
    #[inline]
    pub(crate) fn own(&self) -> u32 {
        self.own.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn add_own(&self, visits: u32) {
        self.own.store(self.own() + visits, Ordering::Relaxed);
    }

    /// Visits of edges that are proven losses. Under a lock.
    #[inline]
    pub(crate) fn lost(&self) -> u32 {
        self.lost.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn add_lost(&self, visits: u32) {
        self.set_lost(self.lost() + visits);
    }

    #[inline]
    pub(crate) fn set_lost(&self, visits: u32) {
        self.lost.store(visits, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn add_visits(&self, visits: u32) {
        self.visits.store(self.visits() + visits, Ordering::Relaxed);
    }

    /// Sets all four at once; a reader of `visits` without the lock sees the old or the new number.
    pub(crate) fn set_counters(&self, Counters { visits, own, lost, score }: Counters) {
        self.score.store(score, Ordering::Relaxed);
        self.own.store(own, Ordering::Relaxed);
        self.set_lost(lost);
        self.visits.store(visits, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn value(&self) -> Value {
        Value::from_bits(self.value.load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn set_value(&self, value: Value) {
        self.value.store(value.bits(), Ordering::Relaxed);
    }

    /// Plies to the end of the game, if the value is proven. A reader without the lock may have the
    /// number of a moment ago beside the value of now: then a line is said to be longer or shorter
    /// than it is.
    #[inline]
    pub(crate) fn distance(&self) -> u32 {
        self.distance.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn set_distance(&self, plies: u32) {
        self.distance.store(plies, Ordering::Relaxed);
    }

    /// Notes that the node is of use still.
    #[inline]
    pub(crate) fn touch(&self, evictions: u32) {
        self.touched.store(evictions, Ordering::Relaxed);
    }

    /// When [`touch`](Self::touch) was last called.
    pub(super) fn touched(&self) -> u32 {
        self.touched.load(Ordering::Relaxed)
    }

    /// The mark of the exchange that knows the node, 0 if none does. It goes with the node: what an
    /// exchange has marked is the same node still.
    pub(crate) fn exchange_mark(&self) -> u8 {
        self.exchange.load(Ordering::Relaxed)
    }

    /// Says which exchange knows the node.
    pub(crate) fn set_exchange_mark(&self, mark: u8) {
        self.exchange.store(mark, Ordering::Relaxed);
    }

    /// Plies played when the node was made.
    #[inline]
    pub(crate) fn ply(&self) -> u32 {
        self.ply.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn mover(&self) -> usize {
        usize::from(self.mover.load(Ordering::Relaxed))
    }

    /// Whether the node belongs to one search, which knows what was played before its root.
    #[inline]
    pub(crate) fn is_apart(&self) -> bool {
        self.apart.load(Ordering::Relaxed) == 1
    }
}

/// What is published once.
impl Node {
    /// The edges; `None` until the node is expanded.
    #[inline]
    pub(crate) fn edge_range(&self) -> Option<EdgeRange<'_>> {
        // Acquire: pairs with the release in `set_edges`, so that a worker that sees the range also
        // sees the content of the edges and moves.
        let word = self.edges.load(Ordering::Acquire);
        let count = NonZeroU32::new((word >> 32) as u32)?;
        Some(EdgeRange { first: word as u32, count, node: PhantomData })
    }

    /// The number of edges; 0 until the node is expanded.
    #[inline]
    pub(crate) fn edge_count(&self) -> u32 {
        self.edge_range().map_or(0, EdgeRange::count)
    }

    /// Publishes the edges, unless another worker has done it already: then false.
    ///
    /// # Safety
    /// The range has at least one edge, all in one chunk. Its edges and moves were written, in the
    /// tree of this node, and no other node is given them while this one is in use.
    pub(super) unsafe fn set_edges(&self, first: u32, count: u32) -> bool {
        let word = u64::from(count) << 32 | u64::from(first);
        self.edges.compare_exchange(0, word, Ordering::Release, Ordering::Relaxed).is_ok()
    }

    /// The number of the node's table of all moves as first, if it has one.
    #[inline]
    pub(super) fn amaf(&self) -> Option<u32> {
        // Acquire: pairs with the release in `set_amaf`, for the zeros in the table.
        self.amaf.load(Ordering::Acquire).checked_sub(1)
    }

    /// Gives the node a table, unless another worker has done it already: then false.
    pub(super) fn set_amaf(&self, table: u32) -> bool {
        self.amaf.compare_exchange(0, table + 1, Ordering::Release, Ordering::Relaxed).is_ok()
    }
}

/// What only ever goes forward. A worker that sees it late does once more what was done.
impl Node {
    /// Whether every branch has had its warm-up visits.
    #[inline]
    pub(crate) fn is_warm(&self) -> bool {
        self.warm.load(Ordering::Relaxed) != 0
    }

    /// Says that every branch has had its warm-up visits.
    #[inline]
    pub(crate) fn set_warm(&self) {
        self.warm.store(1, Ordering::Relaxed);
    }

    /// Whether it comes from a file, where edges may lead to it from anywhere.
    #[inline]
    pub(crate) fn is_loaded(&self) -> bool {
        self.loaded.load(Ordering::Relaxed) != Loaded::No as u8
    }

    /// Whether moves and side to move come from a file and were not compared with the position yet.
    #[inline]
    pub(crate) fn is_unchecked(&self) -> bool {
        self.loaded.load(Ordering::Relaxed) == Loaded::Unchecked as u8
    }

    /// Sets what is known of it as one from a file.
    pub(crate) fn set_loaded(&self, loaded: Loaded) {
        self.loaded.store(loaded as u8, Ordering::Relaxed);
    }
}

/// What one worker has at a time.
impl Node {
    /// Whether a worker asks a network about the position.
    #[inline]
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed) != 0
    }

    /// Says that this worker asks a network about the position; false if another one does.
    pub(crate) fn begin_asking(&self) -> bool {
        // Relaxed: what is found out is published with the edges and under the lock.
        self.asked.swap(1, Ordering::Relaxed) == 0
    }

    /// Says that the question was answered, or will not be: any worker may ask again.
    pub(crate) fn end_asking(&self) {
        self.asked.store(0, Ordering::Relaxed);
    }
}

/// The statistics of a branch at one node.
#[derive(Debug, Default)]
pub(crate) struct Edge {
    // Written under the write lock of the node, read by any worker at any time ----------------
    /// Visits (high half) and the child's [`Value`] as last seen through this edge, from the
    /// point of view of the node's side to move, in one word, so that the two are always read
    /// together.
    stats: AtomicU64,

    // Published by the worker that first reached it, turned to a node apart in one step by the
    // search that makes one, taken away under the write lock ------------------------------------
    /// The index of the child; from [`NO_INDEX`] on there is none.
    child: AtomicU32,

    // Written under the write lock or in one step, as [`Access`] says -------------------------
    /// Simulations that have passed the edge and are not backed up. An edge in use never has the
    /// two highest counts: by them the [lists](super::free_lists) know the ends of free memory.
    in_flight: AtomicU32,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Edge>() == 16);

zeroed!(Edge { stats, child, in_flight });

/// Written in an edge that has no child node. From [`NO_INDEX`] on no node has such an index;
/// a proven edge whose child was evicted says `NO_CHILD` less the child's distance.
const NO_CHILD: u32 = u32::MAX;

/// What an edge says at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeStats {
    pub(crate) visits: u32,
    pub(crate) value: Value,
}

/// Whether the worker that changes an in-flight count has the node's lock alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It has, and so has every other that changes the count: a load and a store will do.
    Alone,
    /// Others may change the count at the same time.
    Shared,
}

/// The words in the memory of an edge, whatever they are used for: by the edge, or by the
/// [lists](super::free_lists) of free edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EdgeWords {
    pub(super) stats: u64,
    pub(super) child: u32,
    pub(super) in_flight: u32,
}

impl Edge {
    pub(crate) fn reset(&self) {
        self.set_words(EdgeWords { stats: 0, child: NO_CHILD, in_flight: 0 });
    }

    /// What the memory says, of an edge that is in use or free.
    pub(super) fn words(&self) -> EdgeWords {
        EdgeWords {
            stats: self.stats.load(Ordering::Relaxed),
            child: self.child.load(Ordering::Relaxed),
            in_flight: self.in_flight.load(Ordering::Relaxed),
        }
    }

    /// Writes into the memory of an edge that no node has, and that only the caller knows.
    pub(super) fn set_words(&self, EdgeWords { stats, child, in_flight }: EdgeWords) {
        self.stats.store(stats, Ordering::Relaxed);
        self.child.store(child, Ordering::Relaxed);
        self.in_flight.store(in_flight, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn stats(&self) -> EdgeStats {
        let word = self.stats_word();
        EdgeStats { visits: (word >> 32) as u32, value: Value::from_bits(word as u32) }
    }

    /// The statistics in one word: visits (high half) and the bits of the value.
    #[inline]
    pub(crate) fn stats_word(&self) -> u64 {
        self.stats.load(Ordering::Relaxed)
    }

    /// Under the write lock of the node.
    #[inline]
    pub(crate) fn set_stats(&self, stats: EdgeStats) {
        let word = u64::from(stats.visits) << 32 | u64::from(stats.value.bits());
        self.stats.store(word, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn in_flight(&self) -> u32 {
        self.in_flight.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn child(&self) -> Option<NodeId> {
        // Acquire: pairs with the release in `set_child`, so that the child's header is
        // seen as it was made.
        let child = self.child.load(Ordering::Acquire);
        (child < NO_INDEX).then_some(NodeId(child))
    }

    /// Plies from the child to the end, by what is left of a child that was evicted.
    pub(crate) fn kept_distance(&self) -> u32 {
        let child = self.child.load(Ordering::Relaxed);
        if child < NO_INDEX { 0 } else { NO_CHILD - child }
    }

    /// Forgets the child, but not its distance: with one, the edge [gets](Self::set_child) no other
    /// child. Under the write lock of the node, after [`set_stats`](Self::set_stats).
    pub(crate) fn forget_child(&self, distance: u32) {
        // Release: pairs with the acquire in `set_child`, for the statistics.
        self.child.store(NO_CHILD - distance.min(NO_CHILD - NO_INDEX), Ordering::Release);
    }

    /// Sets the child if there is none yet. Returns the one that is there now, and whether this
    /// call has set it; `None` if the edge is proven without a child, as its statistics say.
    pub(crate) fn set_child(&self, child: NodeId) -> Option<(NodeId, bool)> {
        // Release: pairs with the acquire in `child`. Acquire on failure: for the other's.
        let (success, failure) = (Ordering::Release, Ordering::Acquire);
        match self.child.compare_exchange(NO_CHILD, child.0, success, failure) {
            Ok(_) => Some((child, true)),
            Err(other) => (other < NO_INDEX).then_some((NodeId(other), false)),
        }
    }

    /// Makes the edge lead to `copy` where it has led to `child`, or nowhere. Returns the child
    /// that is there now.
    pub(crate) fn turn_to(&self, child: Option<NodeId>, copy: NodeId) -> Option<NodeId> {
        let word = match child {
            Some(NodeId(child)) => child,
            None => self.child.load(Ordering::Relaxed),
        };
        if child.is_none() && word < NO_INDEX {
            return Some(NodeId(word));
        }
        // Release: pairs with the acquire in `child`. Acquire on failure: for the other's.
        let (success, failure) = (Ordering::Release, Ordering::Acquire);
        match self.child.compare_exchange(word, copy.0, success, failure) {
            Ok(_) => Some(copy),
            Err(other) => (other < NO_INDEX).then_some(NodeId(other)),
        }
    }

    /// Marks `visits` simulations as in flight.
    #[inline]
    pub(crate) fn mark(&self, visits: u32, access: Access) {
        match access {
            Access::Alone => self.in_flight.store(self.in_flight() + visits, Ordering::Relaxed),
            Access::Shared => {
                self.in_flight.fetch_add(visits, Ordering::Relaxed);
            }
        }
    }

    /// Takes back the mark of `visits` simulations.
    #[inline]
    pub(crate) fn unmark(&self, visits: u32, access: Access) {
        debug_assert!(self.in_flight() >= visits, "more marks taken back than set");
        match access {
            Access::Alone => {
                self.in_flight.store(self.in_flight().wrapping_sub(visits), Ordering::Relaxed);
            }
            Access::Shared => {
                self.in_flight.fetch_sub(visits, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, Edge, EdgeStats, NodeId};
    use crate::mcts::tree::value::{Bounds, ONE, Value};

    #[test]
    fn the_parts_of_an_edge_do_not_disturb_each_other() {
        let edge = Edge::default();
        edge.reset();
        assert_eq!(edge.child(), None);
        edge.mark(3, Access::Alone);
        edge.mark(2, Access::Shared);
        assert_eq!(edge.set_child(NodeId(5)), Some((NodeId(5), true)));
        assert_eq!(edge.set_child(NodeId(6)), Some((NodeId(5), false)));
        assert_eq!((edge.in_flight(), edge.child()), (5, Some(NodeId(5))));
        edge.unmark(2, Access::Alone);
        edge.unmark(3, Access::Shared);
        assert_eq!((edge.in_flight(), edge.child()), (0, Some(NodeId(5))));
        let stats = EdgeStats { visits: u32::MAX, value: Value::new(ONE, Bounds::Win) };
        edge.set_stats(stats);
        assert_eq!(edge.stats().visits, u32::MAX);
        assert_eq!(edge.stats().value, stats.value);
    }

    /// A worker that was on its way to make a node comes too late.
    #[test]
    fn a_branch_that_is_proven_gets_no_child() {
        let edge = Edge::default();
        edge.reset();
        edge.forget_child(4);
        assert_eq!((edge.set_child(NodeId(5)), edge.child()), (None, None));
        assert_eq!(edge.kept_distance(), 4);
        edge.forget_child(0);
        assert_eq!(edge.set_child(NodeId(5)), Some((NodeId(5), true)));
    }
}
