//! The graph of positions that the workers share: making nodes, finding them, growing them.

pub(crate) mod apart;
pub(crate) mod arena;
pub(crate) mod epoch;
mod evict;
pub(crate) mod eviction;
pub(crate) mod exchanged;
pub(crate) mod free_lists;
pub(crate) mod halving;
pub(crate) mod later_moves;
pub(crate) mod mailbox;
#[cfg(all(test, loom))]
mod models;
pub(crate) mod node;
pub(crate) mod planes;
mod root;
mod store;
pub(crate) mod table;
mod taken;
pub(crate) mod update;
mod vacate;
pub(crate) mod value;

use std::iter::{Zip, repeat};
use std::ops::{Range, RangeFrom};
use std::slice;
use std::sync::Arc;

use crate::game::GameState;
use crate::helpers::drop_elsewhere;
use crate::laws::MOST_MOVES;
use crate::pool::bank::{Needs, Purse};
use crate::prefetch::prefetch;
use crate::sync::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::tree::arena::{
    Block, Counter, EDGE_SHIFTS, Meter, NODE_SHIFTS, Row, Single, Slab, WriteOnce, chunk_shift,
    most_slots,
};
use super::tree::epoch::Pin;
use super::tree::eviction::{Eviction, Saving};
use super::tree::exchanged::Exchanged;
use super::tree::free_lists::{FreeEdges, FreeNodes};
use super::tree::later_moves::AmafTables;
use super::tree::mailbox::Mailbox;
use super::tree::node::{Edge, EdgeRange, Node, NodeId};
use super::tree::table::{KeyHash, Sweep, Table};
use super::tree::update::End;
use super::tree::vacate::Closings;
use super::tree::value::{DrawScores, ONE};

use root::Root;

/// All nodes, their edges and moves, and the table that finds them.
pub(crate) struct Tree<G: GameState> {
    /// Nodes and, if there is a table, their keys share their indices.
    nodes: Slab<Node>,
    keys: Slab<WriteOnce<G::Key>>,
    node_counter: Counter,
    free_nodes: FreeNodes,
    /// Edges and moves share their indices.
    edges: Slab<Edge>,
    moves: Slab<WriteOnce<G::Move>>,
    edge_counter: Counter,
    free_edges: FreeEdges,
    /// Further score totals of each node and values last seen of each edge, beside those in
    /// the node and the edge; `None` if the settings need none.
    planes: Option<Planes>,
    /// The prior of each edge, in fixed point; `None` if the selection goes by none.
    priors: Option<Slab<AtomicU32>>,
    /// What moves are worth as later ones; `None` if the settings do not ask.
    amaf: Option<AmafTables>,
    /// `None`: every path has nodes of its own.
    table: Option<Table>,
    rules: TreeRules,
    /// Changes with every `forget`: nodes of another age are not in use.
    age: u32,
    /// Changes with every `forget`, as the age: allotments with another one are void.
    ticket: Ticket,
    limit_reached: AtomicBool,
    /// Whether a path has come to a position that it had met before: those of the game may.
    cycles: AtomicBool,
    pub(crate) eviction: Eviction,
    root: Root,
    /// What other engines have found and this one was given.
    pub(crate) exchanged: Exchanged,
    /// Nodes made, in steps: workers add theirs after each round.
    made: AtomicU64,
    /// Updates left for the holder of a busy lock.
    pub(crate) mailbox: Mailbox,
    /// How often a part of the memory was closed to new nodes.
    closings: Closings,
    /// The changes of what may be spent that were followed.
    changes: AtomicU64,
    /// The memory of all of the above: the last field, so that it is dropped behind it.
    meter: Meter,
}

/// More than one score per node: see `planes.rs` for which.
#[derive(Debug)]
pub(crate) struct Planes {
    pub(crate) count: usize,
    pub(crate) totals: Slab<AtomicU64, Row>,
    pub(crate) seen: Slab<AtomicU32, Row>,
}

/// What a worker holds of the tree: its blocks of indices. Of another tree, or of this one before
/// it was forgotten, it is void, and [taken](Tree::check_allotment) for an empty one.
#[derive(Debug, Default)]
pub(crate) struct Allotment {
    /// That of the tree when the blocks were taken; held, so that there is no other at its address.
    ticket: Option<Ticket>,
    nodes: Block,
    edges: Block,
    amaf: Block,
    /// The closings of the tree when the blocks were taken or looked at.
    closings: u32,
    /// Whether the search will soon be over, and no worker should wait for the system.
    pub(crate) in_haste: bool,
    /// Nodes made and not yet added to the shared count.
    made: u64,
}

/// Something that is the same as itself only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ticket(Arc<u8>);

/// An allotment that was found to be of this tree, and has a node to be added, if there is memory
/// for one: made by [`Tree::stock`] alone.
struct Stock<'a, G: GameState> {
    tree: &'a Tree<G>,
    allotment: &'a mut Allotment,
}

/// What a tree is made for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeRules {
    /// Locks of the table; `None` for a tree without one.
    pub(crate) shards: Option<usize>,
    pub(crate) planes: usize,
    /// Whether edges have priors.
    pub(crate) priors: bool,
    /// Whether statistics of all moves as first are kept.
    pub(crate) amaf_codes: Option<usize>,
    /// Whether bounds are proven upwards.
    pub(crate) proofs: bool,
    pub(crate) draws: DrawScores,
    /// Rounds under way at the same time, at most.
    pub(crate) rounds: usize,
    /// The memory limit that its chunks are made for, in bytes, and what of it the workers need for
    /// themselves.
    pub(crate) memory_limit: Option<u64>,
    pub(crate) reserved: u64,
}

/// The bytes of each key and of each move of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueBytes {
    key: usize,
    mv: usize,
}

impl ValueBytes {
    pub(crate) fn of<G: GameState>() -> Self {
        Self { key: size_of::<G::Key>(), mv: size_of::<G::Move>() }
    }
}

impl TreeRules {
    /// What a tree with a root takes, in bytes: an empty table with its first key, the first nodes
    /// and the first edges.
    pub(crate) fn bytes_of_root(&self, values: ValueBytes) -> u64 {
        let Self { memory_limit: limit, planes, shards, reserved, .. } = *self;
        let of_key = if shards.is_some() { values.key } else { 0 };
        let node = size_of::<Node>() + of_key + planes * size_of::<AtomicU64>();
        let beside = planes + usize::from(self.priors);
        let edge = size_of::<Edge>() + values.mv + beside * size_of::<AtomicU32>();
        let node_shift = chunk_shift(limit, size_of::<Node>(), NODE_SHIFTS);
        let edge_shift = chunk_shift(limit, size_of::<Edge>(), EDGE_SHIFTS);
        let nodes = Counter::new(node_shift, node as u64).first_price();
        let edges = Counter::new(edge_shift, edge as u64).first_price();
        reserved + shards.map_or(0, Table::least_bytes) + nodes + edges
    }

    /// What an engine needs of a pool, `beside` bytes of other tables included.
    pub(crate) fn needs(&self, values: ValueBytes, beside: u64) -> Needs {
        let table = self.shards.map_or(0, Table::first_bytes);
        let fixed = self.reserved + table;
        let least = self.bytes_of_root(values) - fixed;
        Needs { fixed, aside: table.saturating_add(beside), least }
    }
}

impl<G: GameState> Tree<G> {
    /// An empty tree, with nothing but its memory limit to spend.
    #[cfg(all(test, not(loom)))]
    pub(crate) fn new(rules: TreeRules) -> Self {
        let needs = rules.needs(ValueBytes::of::<G>(), 0);
        let purse = Purse::alone(rules.memory_limit, needs);
        Self::within(rules, Arc::new(purse))
    }

    /// An empty tree of an engine that has this to spend.
    pub(crate) fn within(rules: TreeRules, purse: Arc<Purse>) -> Self {
        let TreeRules { memory_limit: limit, planes, .. } = rules;
        let node_shift = chunk_shift(limit, size_of::<Node>(), NODE_SHIFTS);
        let edge_shift = chunk_shift(limit, size_of::<Edge>(), EDGE_SHIFTS);
        let (most_nodes, most_edges) =
            (most_slots(limit, size_of::<Node>()), most_slots(limit, size_of::<Edge>()));
        let nodes = Slab::new(Single, node_shift, most_nodes);
        let keys = Slab::<WriteOnce<G::Key>>::new(Single, node_shift, most_nodes);
        let edges = Slab::new(Single, edge_shift, most_edges);
        let moves = Slab::<WriteOnce<G::Move>>::new(Single, edge_shift, most_edges);
        let planes = (planes > 0).then(|| Planes {
            count: planes,
            totals: Slab::new(Row(planes), node_shift, most_nodes),
            seen: Slab::new(Row(planes), edge_shift, most_edges),
        });
        let priors = rules.priors.then(|| Slab::new(Single, edge_shift, most_edges));
        let of_priors = priors.as_ref().map_or(0, Slab::slot_bytes);
        let of_key = if rules.shards.is_some() { keys.slot_bytes() } else { 0 };
        let (of_totals, of_seen) = planes
            .as_ref()
            .map_or((0, 0), |planes| (planes.totals.slot_bytes(), planes.seen.slot_bytes()));
        Self {
            node_counter: Counter::new(node_shift, nodes.slot_bytes() + of_key + of_totals),
            nodes,
            keys,
            free_nodes: FreeNodes::default(),
            edge_counter: Counter::new(
                edge_shift,
                edges.slot_bytes() + moves.slot_bytes() + of_seen + of_priors,
            ),
            edges,
            moves,
            free_edges: FreeEdges::new(edge_shift),
            planes,
            priors,
            amaf: rules.amaf_codes.map(|codes| AmafTables::new(G::PLAYERS, codes, limit)),
            table: rules.shards.map(Table::new),
            rules,
            age: FIRST_AGE,
            ticket: Ticket::default(),
            limit_reached: AtomicBool::new(false),
            cycles: AtomicBool::new(false),
            eviction: Eviction::new(rules.rounds + 2),
            root: Root::default(),
            exchanged: Exchanged::default(),
            made: AtomicU64::new(0),
            mailbox: Mailbox::default(),
            closings: Closings::default(),
            changes: AtomicU64::new(purse.changes()),
            meter: Meter::new(purse, rules.needs(ValueBytes::of::<G>(), 0).fixed),
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

    /// The edges of a range.
    #[inline]
    pub(crate) fn edges(&self, range: EdgeRange<'_>) -> &[Edge] {
        self.edges.range(range.first(), range.count())
    }

    /// The edges of a node; empty until it is expanded.
    #[inline]
    pub(crate) fn edges_of(&self, node: &Node) -> &[Edge] {
        node.edge_range().map(|range| self.edges(range)).unwrap_or_default()
    }

    /// The edges of a node with their indices in the arena; none until it is expanded.
    #[inline]
    pub(crate) fn indexed_edges<'a>(
        &'a self,
        node: &Node,
    ) -> Zip<RangeFrom<u32>, slice::Iter<'a, Edge>> {
        let range = node.edge_range();
        let edges = range.map(|range| self.edges(range)).unwrap_or_default();
        (range.map_or(0, EdgeRange::first)..).zip(edges)
    }

    /// The moves of the edges of a range.
    ///
    /// # Safety
    /// The range was read from a node of this tree that is in use, and stays so while the moves are
    /// used. That holds for a node that the caller has found since it last renewed its [pin](Pin),
    /// or that is the root, until it renews the pin; and for every node in use where no eviction
    /// goes on, as none does between two searches.
    ///
    /// A range cannot carry this itself: what it says would have to end with the round in which
    /// the node was found, and a round keeps its nodes as indices, which borrow nothing.
    #[inline]
    pub(crate) unsafe fn moves(&self, range: EdgeRange<'_>) -> &[G::Move] {
        // SAFETY: the moves of a range were written before the range was published in the node
        // (`set_edges`, release; `edge_range`, acquire). They are dropped by `forget` and `drop`,
        // which have the tree to themselves: not since the range was read, as it borrows the tree,
        // nor while the moves are used, as they do too. And by `free_node`, when their node is no
        // longer in use: this one is, says the caller.
        unsafe { self.moves.read_range(range.first(), range.count()) }
    }

    /// The priors of the edges of a range, in fixed point, if they have some.
    #[inline]
    pub(crate) fn priors(&self, range: EdgeRange<'_>) -> Option<&[AtomicU32]> {
        self.priors.as_ref().map(|priors| priors.range(range.first(), range.count()))
    }

    /// The prior of an edge, in fixed point, if it has one.
    pub(crate) fn prior(&self, index: u32) -> Option<u32> {
        self.priors.as_ref().map(|priors| priors.get(index).load(Ordering::Relaxed))
    }

    /// Asks for the first cache lines of the edges and moves of a node.
    #[inline]
    pub(crate) fn prefetch_edges(&self, node: &Node) {
        if let Some(range) = node.edge_range() {
            self.edges.prefetch(range.first(), range.count());
            self.moves.prefetch(range.first(), range.count());
        }
    }

    #[inline]
    pub(crate) fn proofs(&self) -> bool {
        self.rules.proofs
    }

    /// What a draw is worth.
    #[inline]
    pub(crate) fn draws(&self) -> DrawScores {
        self.rules.draws
    }

    pub(crate) fn planes(&self) -> Option<&Planes> {
        self.planes.as_ref()
    }

    /// The number of planes.
    pub(crate) fn plane_count(&self) -> usize {
        self.planes.as_ref().map_or(0, |planes| planes.count)
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
        let ply = state.plies();
        let Some(table) = &self.table else {
            return self.stock(allotment).add(None, mover, ply);
        };
        let found = self.find_or_add_in(table, state.key(), hash, (mover, ply), allotment);
        found.map(|(id, _)| id)
    }

    /// The node that the table has for a position.
    pub(crate) fn find(&self, state: &G) -> Option<NodeId> {
        let (table, key) = (self.table.as_ref()?, state.key());
        let shard = table.lock(table.hash(&key));
        // SAFETY: as in `find_or_add_in`, under the same lock.
        shard.find(|id| *unsafe { self.keys.read(id.0) } == key)
    }

    /// The node of a key, and whether it is new. `None` at the memory limit.
    #[inline]
    fn find_or_add_in(
        &self,
        table: &Table,
        key: G::Key,
        hash: KeyHash,
        (mover, ply): (usize, u32),
        allotment: &mut Allotment,
    ) -> Option<(NodeId, bool)> {
        let stock = self.stock(allotment);
        // Of the game's code only `Eq` of its key runs under the lock.
        let mut shard = table.lock(hash);
        let is_it = |id: NodeId| {
            prefetch(self.node(id));
            // SAFETY: the key of a node in the table was written before the node was put
            // there, both under the lock that is held here; and under it the node is taken out
            // (`sweep_table`) before the key is dropped (`free_node`).
            *unsafe { self.keys.read(id.0) } == key
        };
        if let Some(id) = shard.find(is_it) {
            return Some((id, false));
        }
        // Here and not in `add`, so that the key is not dropped under the lock.
        if stock.is_empty() {
            return None;
        }
        if !shard.make_room(&self.meter) {
            self.reach_limit();
            return None;
        }
        let id = stock.add(Some(key), mover, ply)?;
        shard.add(id);
        Some((id, true))
    }

    /// Sees to it that there is a node to be [added](Stock::add), if there is memory for it. Before
    /// the lock of a shard is taken: the system may take its time.
    #[inline]
    fn stock<'a>(&'a self, allotment: &'a mut Allotment) -> Stock<'a, G> {
        self.check_allotment(allotment);
        if allotment.nodes.len() == 0 {
            self.refill_nodes(allotment);
        }
        Stock { tree: self, allotment }
    }

    /// Whether this is the tree that gave the ticket, and was not forgotten since. Otherwise the
    /// ticket becomes that of this one.
    pub(crate) fn renew(&self, ticket: &mut Option<Ticket>) -> bool {
        let is_same = ticket.as_ref().is_some_and(|ticket| Arc::ptr_eq(&ticket.0, &self.ticket.0));
        if !is_same {
            *ticket = Some(self.ticket.clone());
        }
        is_same
    }

    /// Empties an allotment that is of another tree, or of a time before this one was forgotten:
    /// its indices may be given out to others. To be called before anything is taken from it.
    #[inline]
    fn check_allotment(&self, allotment: &mut Allotment) {
        let ticket = allotment.ticket.as_ref();
        if !ticket.is_some_and(|ticket| Arc::ptr_eq(&ticket.0, &self.ticket.0)) {
            self.begin_allotment(allotment);
        }
        if allotment.closings != self.closings.count() {
            self.leave_closed(allotment);
        }
    }

    #[cold]
    fn begin_allotment(&self, allotment: &mut Allotment) {
        let ticket = Some(self.ticket.clone());
        let (closings, in_haste) = (self.closings.count(), allotment.in_haste);
        *allotment = Allotment { ticket, closings, in_haste, ..Allotment::default() };
    }

    fn grow_nodes(&self, index: u32) -> bool {
        self.nodes.grow(index)
            && (self.table.is_none() || self.keys.grow(index))
            && self.planes.as_ref().is_none_or(|planes| planes.totals.grow(index))
    }

    fn grow_edges(&self, index: u32) -> bool {
        self.edges.grow(index)
            && self.moves.grow(index)
            && self.planes.as_ref().is_none_or(|planes| planes.seen.grow(index))
            && self.priors.as_ref().is_none_or(|priors| priors.grow(index))
    }

    /// Gives an allotment without nodes a new block of them, unless the memory limit is reached.
    #[cold]
    fn refill_nodes(&self, allotment: &mut Allotment) {
        let free = self.free_nodes.take(&self.nodes);
        let new = free.or_else(|| self.new_nodes(allotment.in_haste));
        self.look_at_stock(new, self.free_nodes.count(), &self.node_counter);
        allotment.nodes = new.unwrap_or_default();
    }

    /// A block of nodes that were not used before, and their memory.
    fn new_nodes(&self, in_haste: bool) -> Option<Block> {
        let block = self.node_counter.block(1, &self.meter, |index| self.grow_nodes(index))?;
        self.nodes.populate(block, in_haste);
        if self.table.is_some() {
            self.keys.populate(block, in_haste);
        }
        if let Some(planes) = &self.planes {
            planes.totals.populate(block, in_haste);
        }
        Some(block)
    }

    /// `count` edges from a new block; `None` at the memory limit.
    #[cold]
    fn refill_edges(&self, allotment: &mut Allotment, count: u32) -> Option<u32> {
        let block = &mut allotment.edges;
        if self.meter.purse().is_limited() {
            let count = block.end - block.next;
            self.free_edges.give(&self.edges, block.next, count, &self.edge_counter);
            *block = Block::default();
        }
        let free = self.free_edges.take(&self.edges, count);
        let new = free.or_else(|| self.new_edges(count, allotment.in_haste));
        self.look_at_stock(new, self.free_edges.count(), &self.edge_counter);
        allotment.edges = new?;
        allotment.edges.take(count)
    }

    /// A block of at least `count` edges that were not used before.
    fn new_edges(&self, count: u32, in_haste: bool) -> Option<Block> {
        let block = self.edge_counter.block(count, &self.meter, |index| self.grow_edges(index))?;
        self.edges.provide(block, in_haste);
        self.moves.provide(block, in_haste);
        if let Some(planes) = &self.planes {
            planes.seen.provide(block, in_haste);
        }
        if let Some(priors) = &self.priors {
            priors.provide(block, in_haste);
        }
        Some(block)
    }

    /// Wants an eviction if there was no new block, or little is left at the memory limit.
    fn look_at_stock(&self, new: Option<Block>, free: u64, counter: &Counter) {
        if new.is_none() {
            self.reach_limit();
        } else if self.memory_full() && free < counter.open() / RUNNING_OUT {
            self.eviction.want();
        }
    }

    /// Notes that there was no memory for something.
    #[cold]
    fn reach_limit(&self) {
        self.limit_reached.store(true, Ordering::Relaxed);
        if self.meter.purse().is_limited() {
            self.eviction.want();
        }
    }

    /// Gives a node its edges, one for each of `moves`, unless another worker was faster.
    /// False if there is no room for them. `moves` has 1 to [`MOST_MOVES`] entries. `priors` has
    /// one for each, or is empty: then they are alike.
    ///
    /// The edges are born with their `ends`, so that no worker makes a node where none is needed.
    /// [`update::add_ends`] must follow.
    pub(crate) fn expand(
        &self,
        id: NodeId,
        moves: &mut Vec<G::Move>,
        (priors, ends): (&[u32], &[End]),
        allotment: &mut Allotment,
    ) -> bool {
        assert!((1..=MOST_MOVES).contains(&moves.len()), "edges for {} moves", moves.len());
        let count = moves.len() as u32;
        self.check_allotment(allotment);
        let first = match allotment.edges.take(count) {
            Some(first) => Some(first),
            None => self.refill_edges(allotment, count),
        };
        let Some(first) = first else { return false };
        for edge in self.edges.range(first, count) {
            edge.reset();
        }
        let draw = self.draws().draw(self.node(id).mover());
        for end in ends {
            end.write(self.edge(first + end.branch), draw);
        }
        // SAFETY: the indices were just given out to this worker, and are published below.
        unsafe { self.moves.write_range(first, moves) };
        if let Some(planes) = &self.planes {
            for seen in planes.seen.range(first, count) {
                seen.store(0, Ordering::Relaxed);
            }
        }
        if let Some(kept) = &self.priors {
            let alike = ONE / count;
            let priors = priors.iter().copied().chain(repeat(alike));
            for (kept, prior) in kept.range(first, count).iter().zip(priors) {
                kept.store(prior, Ordering::Relaxed);
            }
        }
        // SAFETY: edges and moves were just written, in this tree, which has the node as well, and
        // only this node is given them.
        let won = unsafe { self.node(id).set_edges(first, count) };
        if !won {
            // Before the user's code runs: if that panics, what is left is never dropped. The
            // worker writes over it only later.
            allotment.edges.give_back(first, count);
            // SAFETY: written above and never published.
            unsafe { self.moves.drop_range(first, count) };
        }
        true
    }

    /// Adds what a worker has made since its last call to the shared count.
    pub(crate) fn settle(&self, allotment: &mut Allotment) {
        if allotment.made > 0 {
            self.made.fetch_add(allotment.made, Ordering::Relaxed);
            allotment.made = 0;
        }
    }

    /// Notes that a round of `simulations` is over, and does a part of an eviction.
    #[inline]
    pub(crate) fn end_round(&self, simulations: u64, pin: &Pin<'_>) {
        pin.renew();
        let changes = self.meter.purse().changes_so_far();
        if changes != self.changes.load(Ordering::Relaxed) {
            self.follow_limit();
        }
        if self.memory_full() {
            self.eviction.count(simulations, self.node_counter.open() as u32);
            if self.eviction.is_active() {
                self.evict(Some(pin));
            }
        }
    }

    /// Follows a change of what may be spent at once: no worker searches. A save is waited for.
    pub(crate) fn follow_limit_at_once(&self) {
        self.evict_at_once();
        self.follow_limit();
        self.evict_at_once();
    }

    /// Follows a change of what may be spent: a tree that has too much gives it back, and where
    /// there is room again it grows as if it had never been full. Between two rounds.
    #[cold]
    fn follow_limit(&self) {
        // What is under way goes on first, and this is looked at again after the next round.
        if self.eviction.is_active() {
            return;
        }
        let purse = self.meter.purse();
        // Relaxed: each of two workers that are here at once does the same.
        self.changes.store(purse.changes(), Ordering::Relaxed);
        if self.excess() > 0 {
            self.limit_reached.store(true, Ordering::Relaxed);
            self.eviction.want();
        } else if self.bytes() < purse.ceiling() && purse.left() > 0 {
            self.eviction.forget_threshold();
            self.limit_reached.store(false, Ordering::Relaxed);
        }
    }

    /// Keeps what is known of the tree during a search from being freed, for one reader that is
    /// no worker. While it is held no eviction ends, so it should be held shortly.
    pub(crate) fn pin_reader(&self) -> Pin<'_> {
        self.eviction.epoch.pin(self.rules.rounds)
    }

    /// Begins a save, after one that is under way.
    pub(crate) fn save(&self) -> Saving<'_> {
        self.eviction.save(self.node_indices())
    }

    /// Rounds under way at the same time, at most.
    #[inline]
    pub(crate) fn rounds(&self) -> usize {
        self.rules.rounds
    }

    /// Nodes in use. Exact when no search runs.
    pub(crate) fn node_count(&self) -> u64 {
        self.made.load(Ordering::Relaxed).saturating_sub(self.eviction.evicted())
    }

    /// Whether the memory limit was reached.
    pub(crate) fn memory_full(&self) -> bool {
        self.limit_reached.load(Ordering::Relaxed)
    }

    /// Notes that a path has come to a position that it had met before.
    #[cold]
    pub(crate) fn note_cycle(&self) {
        self.cycles.store(true, Ordering::Relaxed);
    }

    /// Whether a path is known to have come to a position that it had met before.
    #[inline]
    pub(crate) fn has_cycles(&self) -> bool {
        self.cycles.load(Ordering::Relaxed)
    }

    /// Memory held by nodes, edges, moves, keys, planes, the table, and with a limit by the
    /// workers, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.meter.held()
    }

    /// Indices of nodes given out: none in use is as high.
    pub(crate) fn node_indices(&self) -> u32 {
        self.node_counter.len() as u32
    }

    /// The nodes in use among these indices.
    pub(crate) fn nodes_in_use(
        &self,
        indices: Range<u32>,
    ) -> impl Iterator<Item = (NodeId, &Node)> {
        indices
            .filter(|&index| self.nodes.is_grown(index))
            .map(|index| (NodeId(index), self.nodes.get(index)))
            .filter(|(_, node)| node.is_in_use(self.age))
    }

    /// Plies from the child of an edge to the end, if that is proven.
    pub(crate) fn distance_below(&self, edge: &Edge) -> u32 {
        match edge.child() {
            Some(child) => self.node(child).distance(),
            None => edge.kept_distance(),
        }
    }

    /// Takes the nodes that are to `go` out of a part of the table; `None` if none is left, or
    /// there is no table. See [`Table::sweep`].
    pub(crate) fn sweep_table(
        &self,
        sweep: &mut Sweep,
        goes: impl FnMut(NodeId) -> bool,
    ) -> Option<usize> {
        self.table.as_ref()?.sweep(sweep, goes)
    }

    /// Frees a node with its edges: drops the key and the moves, and gives all back.
    ///
    /// # Panics
    /// With the panic of a `Drop`. The node is free all the same; what was not dropped yet of its
    /// values never is.
    ///
    /// # Safety
    /// The node is in use, and only the caller knows it: no table, no edge and no other worker
    /// does.
    pub(crate) unsafe fn free_node(&self, id: NodeId) {
        let node = self.node(id);
        if let (Some(tables), Some(table)) = (&self.amaf, node.amaf()) {
            tables.give_back(table);
        }
        // Before the user's code runs, so that nothing is dropped a second time if that panics;
        // and given back behind it, panic or not, so that nothing is written over a value that is
        // being dropped.
        node.set_free();
        let _given_back = AtEnd(|| {
            if let Some(range) = node.edge_range() {
                let (first, count) = (range.first(), range.count());
                self.free_edges.give(&self.edges, first, count, &self.edge_counter);
            }
            self.free_nodes.give(&self.nodes, id, &self.node_counter);
        });
        // SAFETY: as the caller says, and the node was just marked as free.
        unsafe { self.drop_values_of(id) };
    }

    /// Drops the key and the moves of a node.
    ///
    /// # Safety
    /// The node was in use until the caller marked it as free or made the tree older, and no other
    /// thread but the caller knows it.
    unsafe fn drop_values_of(&self, id: NodeId) {
        // SAFETY: a node in use has its key if there is a table (`set_in_use`), and its moves if it
        // has edges (`set_edges`). No other thread reads them, says the caller, and none will: what
        // drops values does so for nodes in use only, and this one no longer is.
        unsafe {
            if let Some(range) = self.node(id).edge_range() {
                self.moves.drop_range(range.first(), range.count());
            }
            if self.table.is_some() {
                self.keys.drop_range(id.0, 1);
            }
        }
    }

    /// Forgets all nodes, keeps the memory.
    ///
    /// # Panics
    /// With the panic of a `Drop` of a key or move, behind all else: the tree is empty, and what
    /// was not dropped yet never is.
    pub(crate) fn forget(&mut self) {
        let (indices, age) = (self.node_indices(), self.age);
        self.grow_older();
        self.ticket = Ticket::default();
        self.node_counter.clear();
        self.edge_counter.clear();
        self.free_nodes = FreeNodes::default();
        self.free_edges.clear(&self.edges);
        self.eviction.clear();
        if let Some(tables) = &mut self.amaf {
            tables.clear();
        }
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.root.forget();
        self.exchanged = Exchanged::default();
        self.limit_reached = AtomicBool::new(false);
        self.made = AtomicU64::new(0);
        self.drop_values(indices, age);
    }

    /// Begins another age: no node is in use any more.
    fn grow_older(&mut self) {
        self.age = self.age.checked_add(1).unwrap_or_else(|| {
            // No node may seem to be in use because it was so four billion ages ago.
            for index in (0..u32::MAX).take_while(|&index| self.nodes.is_grown(index)) {
                self.nodes.get(index).set_free();
            }
            FIRST_AGE
        });
    }

    /// Drops the moves and keys of all nodes below `indices` that were in use at an `age` that is
    /// over.
    fn drop_values(&mut self, indices: u32, age: u32) {
        use std::mem::needs_drop;
        if !needs_drop::<G::Move>() && !needs_drop::<G::Key>() {
            return;
        }
        for index in 0..indices {
            if !self.nodes.is_grown(index) || !self.nodes.get(index).is_in_use(age) {
                continue;
            }
            // First marked, then dropped: see `free_node`.
            self.nodes.get(index).set_free();
            // SAFETY: it was in use, and `&mut self` says that no other thread knows any node.
            unsafe { self.drop_values_of(NodeId(index)) };
        }
    }
}

impl<G: GameState> Stock<'_, G> {
    /// Whether there is no memory for a node.
    #[inline]
    fn is_empty(&self) -> bool {
        self.allotment.nodes.len() == 0
    }

    /// A node in use that is not in the table, so no search finds it. `None` if the stock is
    /// [empty](Self::is_empty).
    ///
    /// # Panics
    /// If there is a table and no key, or a key and no table: a node that is not in the table has
    /// a key all the same.
    #[inline]
    fn add(self, key: Option<G::Key>, mover: usize, ply: u32) -> Option<NodeId> {
        let Self { tree, allotment } = self;
        assert_eq!(key.is_some(), tree.table.is_some(), "nodes have keys where there is a table");
        let index = allotment.nodes.take(1)?;
        let node = tree.node(NodeId(index));
        node.reset(mover, ply, tree.eviction.begun());
        if let Some(planes) = &tree.planes {
            for total in planes.totals.range(index, 1) {
                total.store(0, Ordering::Relaxed);
            }
        }
        allotment.made += 1;
        if let Some(key) = key {
            // SAFETY: the index was just taken from blocks of this tree, and no other worker knows
            // it.
            unsafe { tree.keys.write(index, key) };
        }
        // SAFETY: with a table there is a key, by the assertion, and it was just written. The
        // header says that there are no edges.
        unsafe { node.set_in_use(tree.age) };
        Some(NodeId(index))
    }
}

/// Calls its function when it is dropped, also by a panic.
struct AtEnd<F: FnMut()>(F);

impl<F: FnMut()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        self.0();
    }
}

impl<G: GameState> Drop for Tree<G> {
    fn drop(&mut self) {
        self.drop_values(self.node_indices(), self.age);
        if self.bytes() < LARGE_BYTES {
            return;
        }
        let mut memory: Vec<_> = self.nodes.give_up().chain(self.keys.give_up()).collect();
        memory.extend(self.edges.give_up().chain(self.moves.give_up()));
        if let Some(planes) = &mut self.planes {
            memory.extend(planes.totals.give_up().chain(planes.seen.give_up()));
        }
        memory.extend(self.priors.iter_mut().flat_map(Slab::give_up));
        memory.extend(self.amaf.iter_mut().flat_map(AmafTables::give_up));
        // Given back to the pool when the memory is free.
        let purse = Arc::clone(self.meter.purse());
        let meter = std::mem::replace(&mut self.meter, Meter::new(purse, 0));
        drop_elsewhere((memory, self.table.take(), meter));
    }
}

/// A tree of more bytes is given back by a thread of its own: to start one takes 50 us, to give a
/// MiB back some 20.
const LARGE_BYTES: u64 = 4 << 20;

/// The age of a new tree: free memory says 0.
const FIRST_AGE: u32 = 1;

/// An eviction begins when less than this part of all indices is free: one in `RUNNING_OUT`.
const RUNNING_OUT: u64 = 16;
