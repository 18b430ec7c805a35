//! The graph of positions that the workers share: making nodes, finding them, growing them.

mod access;

use crate::game::GameState;
use crate::sync::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::arena::{Block, Counter, LARGEST_REQUEST, Slab, WriteOnce};
use super::defer::Mailbox;
use super::node::{Edge, Node, NodeId};
use super::prefetch::prefetch;
use super::table::{KeyHash, Table};

/// All nodes, their edges and moves, and the table that finds them.
pub(crate) struct Tree<G: GameState> {
    /// Nodes and, if there is a table, their keys share their indices.
    nodes: Slab<Node>,
    keys: Slab<WriteOnce<G::Key>>,
    node_counter: Counter,
    /// Edges and moves share their indices.
    edges: Slab<Edge>,
    moves: Slab<WriteOnce<G::Move>>,
    edge_counter: Counter,
    /// Further score totals of each node and values last seen of each edge, beside those in
    /// the node and the edge; `None` if the settings need none.
    planes: Option<Planes>,
    /// `None`: every path has nodes of its own.
    table: Option<Table>,
    /// Whether bounds are proven upwards.
    proofs: bool,
    /// Changes with every `clear`: nodes of another age are not in use.
    age: u32,
    memory_limit: Option<u64>,
    memory_full: AtomicBool,
    /// Nodes made, in steps: workers add theirs after each round.
    made: AtomicU64,
    /// Updates left for the holder of a busy lock.
    pub(crate) mailbox: Mailbox,
}

/// More than one score per node: see `planes.rs` for which.
#[derive(Debug)]
pub(crate) struct Planes {
    pub(crate) count: usize,
    pub(crate) totals: Slab<AtomicU64>,
    pub(crate) seen: Slab<AtomicU32>,
}

/// What a worker holds of the tree: its blocks of indices.
#[derive(Debug, Default)]
pub(crate) struct Allotment {
    nodes: Block,
    edges: Block,
    /// Nodes made and not yet added to the shared count.
    made: u64,
}

impl<G: GameState> Tree<G> {
    /// An empty tree; `shards` is `None` for one without a table.
    pub(crate) fn new(
        shards: Option<usize>,
        planes: usize,
        proofs: bool,
        memory_limit: Option<u64>,
    ) -> Self {
        Self {
            nodes: Slab::new(1),
            keys: Slab::new(1),
            node_counter: Counter::default(),
            edges: Slab::new(1),
            moves: Slab::new(1),
            edge_counter: Counter::default(),
            planes: (planes > 0).then(|| Planes {
                count: planes,
                totals: Slab::new(planes),
                seen: Slab::new(planes),
            }),
            table: shards.map(Table::new),
            proofs,
            age: FIRST_AGE,
            memory_limit,
            memory_full: AtomicBool::new(false),
            made: AtomicU64::new(0),
            mailbox: Mailbox::default(),
        }
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.0)
    }

    #[inline]
    pub(crate) fn edge(&self, index: u32) -> &Edge {
        self.edges.get(index)
    }

    /// The edges of a node; empty until it is expanded.
    #[inline]
    pub(crate) fn edges(&self, node: &Node) -> &[Edge] {
        let (first, count) = node.edge_range();
        if count == 0 { &[] } else { self.edges.range(first, count) }
    }

    /// The move of an edge.
    ///
    /// `index` must come from the `edge_range` of an expanded node.
    #[inline]
    pub(crate) fn mv(&self, index: u32) -> &G::Move {
        // SAFETY: `expand` writes the moves of a range before it publishes the range in the
        // node (`set_edges`, release; `edge_range`, acquire), and they are dropped only by
        // `clear` and `drop`, which have the tree to themselves.
        unsafe { self.moves.read(index) }
    }

    #[inline]
    pub(crate) fn proofs(&self) -> bool {
        self.proofs
    }

    pub(crate) fn planes(&self) -> Option<&Planes> {
        self.planes.as_ref()
    }

    /// The hash of a position's key, for [`find_or_add`](Self::find_or_add), and a hint to
    /// the memory that this will soon read.
    #[inline]
    pub(crate) fn announce(&self, state: &G) -> KeyHash {
        let Some(table) = &self.table else { return KeyHash(0) };
        let hash = table.hash(&state.key());
        table.prefetch(hash);
        hash
    }

    /// The node of a position: the one in the table, or a new one. `None` at the memory
    /// limit. `hash` comes from [`announce`](Self::announce); `mover` is the position's side
    /// to move, checked by the caller.
    #[inline]
    pub(crate) fn find_or_add(
        &self,
        state: &G,
        hash: KeyHash,
        mover: usize,
        allotment: &mut Allotment,
    ) -> Option<NodeId> {
        // The game's code runs before the lock is taken, but for `Eq` of its key.
        let ply = state.plies();
        let Some(table) = &self.table else { return self.add(mover, ply, allotment) };
        let key = state.key();
        let mut shard = table.lock(hash);
        let is_it = |id: NodeId| {
            prefetch(self.node(id));
            // SAFETY: the key of a node in the table was written before the node was put
            // there, both under the lock that is held here.
            *unsafe { self.keys.read(id.0) } == key
        };
        let found = shard.find(is_it);
        if found.is_some() {
            return found;
        }
        let id = self.add(mover, ply, allotment)?;
        // SAFETY: the index was just given out, and is published by the table below.
        unsafe { self.keys.write(id.0, key) };
        shard.add(id);
        Some(id)
    }

    fn add(&self, mover: usize, ply: u32, allotment: &mut Allotment) -> Option<NodeId> {
        if self.memory_full.load(Ordering::Relaxed) {
            return None;
        }
        let grow = |index| {
            self.nodes.grow(index);
            if self.table.is_some() {
                self.keys.grow(index);
            }
            if let Some(planes) = &self.planes {
                planes.totals.grow(index);
            }
        };
        let Some(index) = self.node_counter.take(&mut allotment.nodes, 1, grow) else {
            self.memory_full.store(true, Ordering::Relaxed);
            return None;
        };
        let id = NodeId(index);
        self.node(id).reset(mover, ply, self.age);
        if let Some(planes) = &self.planes {
            for total in planes.totals.range(index, 1) {
                total.store(0, Ordering::Relaxed);
            }
        }
        allotment.made += 1;
        Some(id)
    }

    /// Gives a node its edges, one for each of `moves`, unless another worker was faster.
    /// False if there is no room for them. `moves` has 1 to [`LARGEST_REQUEST`] entries.
    pub(crate) fn expand(
        &self,
        node: &Node,
        moves: &mut Vec<G::Move>,
        allotment: &mut Allotment,
    ) -> bool {
        debug_assert!(!moves.is_empty() && moves.len() <= LARGEST_REQUEST as usize);
        if self.memory_full.load(Ordering::Relaxed) {
            return false;
        }
        let count = moves.len() as u32;
        let grow = |index| {
            self.edges.grow(index);
            self.moves.grow(index);
            if let Some(planes) = &self.planes {
                planes.seen.grow(index);
            }
        };
        let Some(first) = self.edge_counter.take(&mut allotment.edges, count, grow) else {
            self.memory_full.store(true, Ordering::Relaxed);
            return false;
        };
        for (index, mv) in (first..).zip(moves.drain(..)) {
            self.edge(index).reset();
            // SAFETY: the index was just given out to this worker, and is published below.
            unsafe { self.moves.write(index, mv) };
        }
        if let Some(planes) = &self.planes {
            for seen in planes.seen.range(first, count) {
                seen.store(0, Ordering::Relaxed);
            }
        }
        let won = node.set_edges(first, count);
        if !won {
            // SAFETY: written above and never published.
            unsafe { self.moves.drop_range(first, count) };
            Counter::give_back(&mut allotment.edges, first, count);
        }
        true
    }

    /// Adds what a worker has made since its last call to the shared counts, and looks
    /// whether the memory limit is reached.
    pub(crate) fn settle(&self, allotment: &mut Allotment) {
        if allotment.made > 0 {
            self.made.fetch_add(allotment.made, Ordering::Relaxed);
            allotment.made = 0;
            if self.memory_limit.is_some_and(|limit| self.bytes() >= limit) {
                self.memory_full.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Nodes made. Exact when no search runs.
    pub(crate) fn node_count(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    pub(crate) fn memory_full(&self) -> bool {
        self.memory_full.load(Ordering::Relaxed)
    }

    /// Memory in use by nodes, edges, moves, planes and the table, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let mut per_node = self.nodes.slot_bytes();
        if self.table.is_some() {
            per_node += self.keys.slot_bytes();
        }
        let mut per_edge = self.edges.slot_bytes() + self.moves.slot_bytes();
        if let Some(planes) = &self.planes {
            per_node += planes.totals.slot_bytes();
            per_edge += planes.seen.slot_bytes();
        }
        self.node_counter.len() * per_node
            + self.edge_counter.len() * per_edge
            + self.table.as_ref().map_or(0, Table::bytes)
    }

    /// Forgets all nodes, keeps the memory. No worker may hold an allotment.
    pub(crate) fn clear(&mut self) {
        self.drop_values();
        self.age = self.age.wrapping_add(1).max(FIRST_AGE);
        self.node_counter.clear();
        self.edge_counter.clear();
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.memory_full = AtomicBool::new(false);
        self.made = AtomicU64::new(0);
    }

    /// Drops the moves and keys of all nodes in use.
    fn drop_values(&mut self) {
        use std::mem::needs_drop;
        if !needs_drop::<G::Move>() && !needs_drop::<G::Key>() {
            return;
        }
        for index in 0..self.node_counter.len() as u32 {
            if !self.nodes.is_grown(index) || !self.node(NodeId(index)).is_in_use(self.age) {
                continue;
            }
            let (first, count) = self.node(NodeId(index)).edge_range();
            // SAFETY: a node in use has its key if there is a table, and its moves if it has
            // edges. `&mut self` says that nobody reads them, and nobody will: the caller
            // starts another age, or drops the tree.
            unsafe {
                self.moves.drop_range(first, count);
                if self.table.is_some() {
                    self.keys.drop_range(index, 1);
                }
            }
        }
    }
}

impl<G: GameState> Drop for Tree<G> {
    fn drop(&mut self) {
        self.drop_values();
    }
}

/// The age of a new tree: memory never used says 0.
const FIRST_AGE: u32 = 1;
