//! Indices of nodes and edges that were given back, to be given out again.
//!
//! The lists need no memory of their own: what is free says itself what follows it. [`FreeNode`]
//! and [`FreeEdge`] are how the memory of a node and of an edge is read then.

use crate::sync::{AtomicU64, Mutex, Ordering};

use std::ops::Range;

use super::arena::{Block, ChunkShift, Counter, EDGE_SHIFTS, Slab};
use super::node::{Edge, EdgeWords, Node, NodeId};

/// What the memory of a free node says. Read and written under the lock of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FreeNode {
    /// The free node behind it in the list.
    next: Option<u32>,
}

impl FreeNode {
    /// What a node says that is in the list.
    fn of(node: &Node) -> Self {
        Self { next: (node.spare_word() as u32).checked_sub(1) }
    }

    fn write_to(self, node: &Node) {
        node.set_spare_word(self.next.map_or(0, |next| u64::from(next) + 1));
    }
}

/// What the memory of an edge says at one of the ends of a free stretch. Read and written under the
/// lock of the list.
///
/// | | `in_flight` | `stats`, high half | low half | `child` |
/// |---|---|---|---|---|
/// | `First` | [`FIRST`](Self::FIRST) | `len` | `next` + 1 | `before` + 1 |
/// | `Last` | [`LAST`](Self::LAST) | | | `first` |
///
/// An edge in use has other counts in flight. One that is both ends is a first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FreeEdge {
    First(Stretch),
    /// The stretch begins with the edge `first`.
    Last {
        first: u32,
    },
}

/// A stretch of free edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    /// Edges.
    len: u32,
    /// The stretches before and behind it in its bin.
    before: Option<u32>,
    next: Option<u32>,
}

impl FreeEdge {
    const FIRST: u32 = u32::MAX;
    const LAST: u32 = u32::MAX - 1;

    /// What any edge says, be it in use or free; `None` if it is not an end of a free stretch.
    fn of(edge: &Edge) -> Option<Self> {
        let EdgeWords { stats, child, in_flight } = edge.words();
        match in_flight {
            Self::FIRST => Some(Self::First(Stretch {
                len: (stats >> 32) as u32,
                before: child.checked_sub(1),
                next: (stats as u32).checked_sub(1),
            })),
            Self::LAST => Some(Self::Last { first: child }),
            _ => None,
        }
    }

    fn write_to(self, edge: &Edge) {
        let link = |index: Option<u32>| index.map_or(0, |index| index + 1);
        edge.set_words(match self {
            Self::First(Stretch { len, before, next }) => EdgeWords {
                stats: u64::from(len) << 32 | u64::from(link(next)),
                child: link(before),
                in_flight: Self::FIRST,
            },
            Self::Last { first } => EdgeWords { stats: 0, child: first, in_flight: Self::LAST },
        });
    }
}

/// Nodes that are not in use: each names the next one.
#[derive(Debug, Default)]
pub(crate) struct FreeNodes {
    first: Mutex<Option<u32>>,
    count: AtomicU64,
}

impl FreeNodes {
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// A free node, as a block of one.
    pub(crate) fn take(&self, nodes: &Slab<Node>) -> Option<Block> {
        let mut list = self.first.lock();
        let index = (*list)?;
        *list = FreeNode::of(nodes.get(index)).next;
        self.count.fetch_sub(1, Ordering::Relaxed);
        Some(Block { next: index, end: index + 1 })
    }

    /// Takes back a node, unless its chunk is closed.
    pub(crate) fn give(&self, nodes: &Slab<Node>, NodeId(index): NodeId, counter: &Counter) {
        let mut list = self.first.lock();
        if counter.is_closed(index) {
            return;
        }
        FreeNode { next: list.replace(index) }.write_to(nodes.get(index));
        self.count.fetch_add(1, Ordering::Relaxed);
    }
}

/// Of the list that is taken apart.
impl FreeNodes {
    /// Empties the list; the first node of those that were in it, which only the caller knows now.
    pub(super) fn detach(&self) -> Option<u32> {
        let mut list = self.first.lock();
        self.count.store(0, Ordering::Relaxed);
        list.take()
    }

    /// Takes nodes back that were detached, from `first` on, at most `most`, which is less by their
    /// number then; the next one.
    pub(super) fn give_all(
        &self,
        nodes: &Slab<Node>,
        first: u32,
        counter: &Counter,
        most: &mut u32,
    ) -> Option<u32> {
        let mut next = Some(first);
        while let Some(index) = next.filter(|_| *most > 0) {
            // Read before it is given back, which writes over it.
            next = FreeNode::of(nodes.get(index)).next;
            self.give(nodes, NodeId(index), counter);
            *most -= 1;
        }
        next
    }
}

/// Stretches of edges that are not in use, sorted by length into bins.
///
/// A stretch that is given back is joined with free neighbours, which it finds by what the
/// edges beside it say (boundary tags: Knuth, volume 1, section 2.5).
#[derive(Debug)]
pub(crate) struct FreeEdges {
    bins: Mutex<Bins>,
    shift: ChunkShift,
    count: AtomicU64,
}

/// The first stretch of each bin: bin `b` has those of `2^b` to `2^(b+1) - 1` edges.
type Bins = [Option<u32>; 1 + EDGE_SHIFTS.1 as usize];

/// Stretches of the bin of a request's own length that are looked at.
const TRIES: usize = 8;

impl FreeEdges {
    pub(crate) fn new(shift: ChunkShift) -> Self {
        Self { bins: Mutex::new(Bins::default()), shift, count: AtomicU64::new(0) }
    }

    /// Free edges. A request may fit in none of their stretches.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// A stretch of at least `count` edges, 1 or more, in one chunk.
    pub(crate) fn take(&self, edges: &Slab<Edge>, count: u32) -> Option<Block> {
        if self.count() < u64::from(count) {
            return None;
        }
        let mut bins = self.bins.lock();
        let own = count.ilog2() as usize;
        let follow = |first: &u32| stretch(edges, *first).next;
        let fitting = std::iter::successors(bins[own], follow)
            .take(TRIES)
            .find(|&first| stretch(edges, first).len >= count);
        let first = fitting.or_else(|| bins[own + 1..].iter().find_map(|bin| *bin))?;
        let len = self.remove(&mut bins, edges, first);
        Some(Block { next: first, end: first + len })
    }

    /// Takes back `len` edges from `first` on, all in one chunk, unless that is closed.
    pub(crate) fn give(&self, edges: &Slab<Edge>, mut first: u32, mut len: u32, counter: &Counter) {
        if len == 0 {
            return;
        }
        let mut bins = self.bins.lock();
        if counter.is_closed(first) {
            return;
        }
        let end = first + len;
        if self.shift.same(first, end)
            && let Some(FreeEdge::First(_)) = FreeEdge::of(edges.get(end))
        {
            len += self.remove(&mut bins, edges, end);
        }
        if let Some(before) = first.checked_sub(1)
            && self.shift.same(before, first)
            && let Some(edge) = FreeEdge::of(edges.get(before))
        {
            let start = match edge {
                FreeEdge::First(_) => before,
                FreeEdge::Last { first } => first,
            };
            len += self.remove(&mut bins, edges, start);
            first = start;
        }
        let bin = &mut bins[len.ilog2() as usize];
        let next = bin.replace(first);
        FreeEdge::Last { first }.write_to(edges.get(first + len - 1));
        set_stretch(edges, first, Stretch { len, before: None, next });
        if let Some(next) = next {
            set_stretch(edges, next, Stretch { before: Some(first), ..stretch(edges, next) });
        }
        self.count.fetch_add(u64::from(len), Ordering::Relaxed);
    }

    /// Takes all stretches that begin among these edges out of their bins.
    pub(super) fn forget(&self, edges: &Slab<Edge>, mut indices: Range<u32>) {
        let mut bins = self.bins.lock();
        while let Some(index) = indices.next() {
            if let Some(FreeEdge::First(_)) = FreeEdge::of(edges.get(index)) {
                let len = self.remove(&mut bins, edges, index);
                indices.start = index + len;
            }
        }
    }

    /// Takes a stretch out of its bin; its length.
    fn remove(&self, bins: &mut Bins, edges: &Slab<Edge>, first: u32) -> u32 {
        let gone = stretch(edges, first);
        match gone.before {
            None => bins[gone.len.ilog2() as usize] = gone.next,
            Some(before) => {
                set_stretch(edges, before, Stretch { next: gone.next, ..stretch(edges, before) });
            }
        }
        if let Some(next) = gone.next {
            set_stretch(edges, next, Stretch { before: gone.before, ..stretch(edges, next) });
        }
        edges.get(first).reset();
        edges.get(first + gone.len - 1).reset();
        self.count.fetch_sub(u64::from(gone.len), Ordering::Relaxed);
        gone.len
    }

    /// Forgets all stretches.
    pub(crate) fn clear(&mut self, edges: &Slab<Edge>) {
        for bin in 0..self.bins.get_mut().len() {
            while let Some(first) = self.bins.get_mut()[bin] {
                let mut bins = self.bins.lock();
                self.remove(&mut bins, edges, first);
            }
        }
    }
}

/// The free stretch that begins at an index.
fn stretch(edges: &Slab<Edge>, first: u32) -> Stretch {
    match FreeEdge::of(edges.get(first)) {
        Some(FreeEdge::First(stretch)) => stretch,
        other => unreachable!("a list of free stretches leads to {first}, which says {other:?}"),
    }
}

/// Says at its first edge what is true of a free stretch.
fn set_stretch(edges: &Slab<Edge>, first: u32, stretch: Stretch) {
    FreeEdge::First(stretch).write_to(edges.get(first));
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{ChunkShift, Counter, FreeEdges, FreeNodes, NodeId, Slab};
    use crate::mcts::tree::arena::Single;

    #[test]
    fn nodes_come_back_one_by_one() {
        let nodes = Slab::new(Single, ChunkShift(6), 1 << 32);
        nodes.grow(0);
        let (list, counter) = (FreeNodes::default(), Counter::new(ChunkShift(6), 64));
        for index in [5, 0, 63] {
            list.give(&nodes, NodeId(index), &counter);
        }
        let taken: Vec<u32> =
            std::iter::from_fn(|| list.take(&nodes)).map(|block| block.next).collect();
        assert_eq!((taken, list.count()), (vec![63, 0, 5], 0));
    }

    #[test]
    fn free_neighbours_become_one_stretch() {
        let edges = Slab::new(Single, ChunkShift(6), 1 << 32);
        assert!(edges.grow(0) && edges.grow(64));
        let mut list = FreeEdges::new(ChunkShift(6));
        let counter = Counter::new(ChunkShift(6), 16);
        assert!(list.take(&edges, 1).is_none());
        for (first, len) in [(14, 7), (0, 7), (40, 1), (60, 4), (64, 4), (7, 7)] {
            list.give(&edges, first, len, &counter);
        }
        assert_eq!(list.count(), 30);
        let block = list.take(&edges, 20).unwrap();
        assert_eq!((block.next, block.end), (0, 21), "three neighbours are one stretch");
        assert!(list.take(&edges, 5).is_none(), "60 to 67 lie in two chunks");
        list.give(&edges, 39, 1, &counter);
        list.give(&edges, 41, 1, &counter);
        let block = list.take(&edges, 3).unwrap();
        assert_eq!((block.next, block.end), (39, 42));
        list.clear(&edges);
        assert_eq!(list.count(), 0);
        assert!(list.take(&edges, 1).is_none());
        list.give(&edges, 59, 1, &counter);
        let block = list.take(&edges, 1).unwrap();
        assert_eq!((block.next, block.end), (59, 60), "what was cleared is not joined");
    }
}
