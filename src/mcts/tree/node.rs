//! Nodes and edges: what the tree remembers of a position and of a branch.
//!
//! What is protected by what:
//! - the **node lock** protects the header's counters and the counters of all edges of the
//!   node: they are written only under the write lock;
//! - `value` is written under the write lock and may be read by any worker at any time: it is one
//!   word, so a reader gets a mean and bounds that belong together, at worst old ones;
//! - `mover`, `ply` and `age` are written once, before the node can be found; `edges` once, by
//!   the first worker that has them ready;
//! - an edge's child is written by the worker that first reached it, and taken away under the write
//!   lock when the child is evicted.
//!
//! All fields are atomics used with `Relaxed`, plain loads and stores on the machines we
//! know: the lock's acquire and release order them. What a `Relaxed` read outside the lock
//! may see is an older value, and each such place says what that costs.

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

/// Written in an edge that has no child node. From [`NO_INDEX`] on no node has such an index;
/// a proven edge whose child was evicted says `NO_CHILD` less the child's distance.
const NO_CHILD: u32 = u32::MAX;

/// The statistics of a position: one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Node {
    pub(crate) lock: NodeLock,
    /// Visits: `own` plus the visits of all edges.
    pub(crate) visits: AtomicU32,
    /// Score total of the side to move, in fixed point: own rollouts plus, for each edge,
    /// its visits times the value last seen through it.
    pub(crate) score: AtomicU64,
    /// Visits that ended here with a rollout.
    pub(crate) own: AtomicU32,
    /// Visits of edges that are proven losses. The side to move will not go there, so they
    /// are left out of its mean.
    pub(crate) lost: AtomicU32,
    /// [`Value`]: the mean score of the side to move, and what is proven.
    pub(crate) value: AtomicU32,
    /// Plies to the end of the game by the proof, if the value is proven.
    pub(crate) distance: AtomicU32,
    /// Number of edges (high half) and the first of them in the arena; 0 until the node is
    /// expanded.
    edges: AtomicU64,
    /// Plies played when the node was made (its generation).
    pub(crate) ply: AtomicU32,
    /// The tree's age when the node was made; 0 if the memory is free.
    age: AtomicU32,
    /// The evictions that the tree had seen when the node was last updated.
    touched: AtomicU32,
    /// Number of the [table](crate::mcts::tree::later_moves) of what its moves are worth as later
    /// ones, plus 1; 0: it has none.
    amaf: AtomicU32,
    /// Side to move.
    pub(crate) mover: AtomicU8,
    /// 1 once every branch has had its warm-up visits.
    pub(crate) warm: AtomicU8,
    /// 1 if the node belongs to one search, which knows what was played before its root.
    apart: AtomicU8,
    /// Whether it comes from a file, and a search has compared it with its position: see [`Loaded`].
    loaded: AtomicU8,
}

// Loom's atomics are larger.
#[cfg(not(loom))]
const _: () = assert!(size_of::<Node>() == 64);

zeroed!(Node {
    lock,
    visits,
    score,
    own,
    lost,
    value,
    distance,
    edges,
    ply,
    age,
    touched,
    amaf,
    mover,
    warm,
    apart,
    loaded,
});

impl Node {
    /// Makes this the node of a position not seen before. Only the caller knows the node.
    pub(crate) fn reset(&self, mover: usize, ply: u32, evictions: u32) {
        for (field, to) in [
            (&self.visits, 0),
            (&self.own, 0),
            (&self.lost, 0),
            (&self.value, Value::default().bits()),
            (&self.distance, 0),
            (&self.ply, ply),
            (&self.touched, evictions),
            (&self.amaf, 0),
        ] {
            field.store(to, Ordering::Relaxed);
        }
        self.score.store(0, Ordering::Relaxed);
        self.edges.store(0, Ordering::Relaxed);
        self.mover.store(mover as u8, Ordering::Relaxed);
        self.warm.store(0, Ordering::Relaxed);
        self.apart.store(0, Ordering::Relaxed);
        self.loaded.store(0, Ordering::Relaxed);
    }

    /// Whether it comes from a file, where edges may lead to it from anywhere.
    #[inline]
    pub(crate) fn is_loaded(&self) -> bool {
        self.loaded.load(Ordering::Relaxed) != Loaded::No as u8
    }

    /// Whether moves and side to move come from a file and were not compared with the position yet.
    #[inline]
    pub(crate) fn is_unchecked(&self) -> bool {
        // Relaxed: a worker that sees it late compares once more.
        self.loaded.load(Ordering::Relaxed) == Loaded::Unchecked as u8
    }

    /// Sets what is known of it as one from a file.
    pub(crate) fn set_loaded(&self, loaded: Loaded) {
        self.loaded.store(loaded as u8, Ordering::Relaxed);
    }

    /// Whether the node belongs to one search, which knows what was played before its root.
    #[inline]
    pub(crate) fn is_apart(&self) -> bool {
        self.apart.load(Ordering::Relaxed) == 1
    }

    /// Makes the node belong to one search. Before an edge leads to it.
    pub(crate) fn set_apart(&self) {
        self.apart.store(1, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn value(&self) -> Value {
        Value::from_bits(self.value.load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn mover(&self) -> usize {
        usize::from(self.mover.load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// The edges' place in the arena: first and number. 0 edges: not expanded.
    #[inline]
    pub(crate) fn edge_range(&self) -> (u32, u32) {
        // Acquire: pairs with the release in `set_edges`, so that a worker that sees the range also
        // sees the content of the edges and moves.
        let word = self.edges.load(Ordering::Acquire);
        (word as u32, (word >> 32) as u32)
    }

    /// Publishes the edges, unless another worker has done it already: then false.
    ///
    /// # Safety
    /// The edges and moves in the range were written, in the tree of this node, and no other node
    /// is given them while this one is in use.
    pub(crate) unsafe fn set_edges(&self, first: u32, count: u32) -> bool {
        let word = u64::from(count) << 32 | u64::from(first);
        self.edges.compare_exchange(0, word, Ordering::Release, Ordering::Relaxed).is_ok()
    }

    /// The number of the node's table of all moves as first, if it has one.
    #[inline]
    pub(crate) fn amaf(&self) -> Option<u32> {
        // Acquire: pairs with the release in `set_amaf`, for the zeros in the table.
        self.amaf.load(Ordering::Acquire).checked_sub(1)
    }

    /// Gives the node a table, unless another worker has done it already: then false.
    pub(crate) fn set_amaf(&self, table: u32) -> bool {
        self.amaf.compare_exchange(0, table + 1, Ordering::Release, Ordering::Relaxed).is_ok()
    }

    /// Whether this was made when the tree had this age.
    pub(crate) fn is_in_use(&self, age: u32) -> bool {
        // Acquire: pairs with the release in `set_in_use`.
        self.age.load(Ordering::Acquire) == age
    }

    /// Says that the node was made: its header and its key are written.
    ///
    /// # Safety
    /// The key was written if the tree has a table, and what the header says of edges holds.
    pub(crate) unsafe fn set_in_use(&self, age: u32) {
        // Release: pairs with the acquire in `is_in_use`, for a reader that walks over all nodes.
        self.age.store(age, Ordering::Release);
    }

    /// Marks the memory as free: the key and the moves are dropped by the caller, and by no other code.
    pub(crate) fn set_free(&self) {
        self.age.store(0, Ordering::Relaxed);
    }

    /// The free node behind this one in the list of free nodes.
    pub(crate) fn next_free(&self) -> Option<u32> {
        (self.score.load(Ordering::Relaxed) as u32).checked_sub(1)
    }

    pub(crate) fn set_next_free(&self, next: Option<u32>) {
        self.score.store(next.map_or(0, |next| u64::from(next) + 1), Ordering::Relaxed);
    }

    /// Notes that the node is of use still.
    #[inline]
    pub(crate) fn touch(&self, evictions: u32) {
        self.touched.store(evictions, Ordering::Relaxed);
    }

    /// When [`touch`](Self::touch) was last called.
    pub(crate) fn touched(&self) -> u32 {
        self.touched.load(Ordering::Relaxed)
    }
}

/// The statistics of a branch at one node.
///
/// `stats` is visits (high half) and the child's [`Value`] as last seen through this edge,
/// from the point of view of the node's side to move, in one word, so that the two are
/// always read together.
#[derive(Debug, Default)]
pub(crate) struct Edge {
    stats: AtomicU64,
    child: AtomicU32,
    in_flight: AtomicU32,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Edge>() == 16);

zeroed!(Edge { stats, child, in_flight });

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

/// What the first edge of a free stretch says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// Edges.
    pub(crate) len: u32,
    /// The stretches before and behind it in its bin.
    pub(crate) before: Option<u32>,
    pub(crate) next: Option<u32>,
}

impl Edge {
    pub(crate) fn reset(&self) {
        self.stats.store(0, Ordering::Relaxed);
        self.child.store(NO_CHILD, Ordering::Relaxed);
        self.in_flight.store(0, Ordering::Relaxed);
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

    /// Forgets the child, but not its distance. Under the write lock of the node.
    pub(crate) fn forget_child(&self, distance: u32) {
        self.child.store(NO_CHILD - distance.min(NO_CHILD - NO_INDEX), Ordering::Relaxed);
    }

    /// Sets the child if there is none yet. Returns the one that is there now, and whether
    /// this call has set it.
    pub(crate) fn set_child(&self, child: NodeId) -> (NodeId, bool) {
        // Release: pairs with the acquire in `child`. Acquire on failure: for the other's.
        let (success, failure) = (Ordering::Release, Ordering::Acquire);
        let none = |word: u32| (word >= NO_INDEX).then_some(child.0);
        match self.child.fetch_update(success, failure, none) {
            Ok(_) => (child, true),
            Err(other) => (NodeId(other), false),
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

/// What free memory says: `stats` of the first edge of a free stretch is its length (high half)
/// and the next stretch + 1, `child` the one before + 1; `child` of the last edge is the first
/// one. `in_flight` says which of the two it is, with counts that no edge in use has; an edge
/// that is both is a first one. All of it under the lock of the list.
impl Edge {
    pub(crate) fn begin_free_stretch(&self, Stretch { len, before, next }: Stretch) {
        let link = |index: Option<u32>| index.map_or(0, |index| index + 1);
        self.stats.store(u64::from(len) << 32 | u64::from(link(next)), Ordering::Relaxed);
        self.child.store(link(before), Ordering::Relaxed);
        self.in_flight.store(FIRST_FREE, Ordering::Relaxed);
    }

    pub(crate) fn end_free_stretch(&self, first: u32) {
        self.child.store(first, Ordering::Relaxed);
        self.in_flight.store(LAST_FREE, Ordering::Relaxed);
    }

    /// The free stretch that begins here, if one does.
    pub(crate) fn free_stretch(&self) -> Option<Stretch> {
        if self.in_flight() != FIRST_FREE {
            return None;
        }
        let word = self.stats.load(Ordering::Relaxed);
        let before = self.child.load(Ordering::Relaxed).checked_sub(1);
        let next = (word as u32).checked_sub(1);
        Some(Stretch { len: (word >> 32) as u32, before, next })
    }

    /// Where the free stretch begins that ends with this edge, whose index is `own`.
    pub(crate) fn start_of_free_stretch(&self, own: u32) -> Option<u32> {
        match self.in_flight() {
            FIRST_FREE => Some(own),
            LAST_FREE => Some(self.child.load(Ordering::Relaxed)),
            _ => None,
        }
    }
}

const FIRST_FREE: u32 = u32::MAX;
const LAST_FREE: u32 = u32::MAX - 1;

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
        assert_eq!(edge.set_child(NodeId(5)), (NodeId(5), true));
        assert_eq!(edge.set_child(NodeId(6)), (NodeId(5), false));
        assert_eq!((edge.in_flight(), edge.child()), (5, Some(NodeId(5))));
        edge.unmark(2, Access::Alone);
        edge.unmark(3, Access::Shared);
        assert_eq!((edge.in_flight(), edge.child()), (0, Some(NodeId(5))));
        let stats = EdgeStats { visits: u32::MAX, value: Value::new(ONE, Bounds::Win) };
        edge.set_stats(stats);
        assert_eq!(edge.stats().visits, u32::MAX);
        assert_eq!(edge.stats().value, stats.value);
    }
}
