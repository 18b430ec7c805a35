//! Vacating: how a tree that has more memory than it may gives some of it back.
//!
//! A limit that is lowered while the workers search, by the program or because another engine has
//! come to the pool, is followed chunk by chunk. What is given back is not used by any worker, by
//! these steps of an [eviction](super::evict):
//!
//! 1. **close**: the highest chunks of each arena are chosen. What is given back to the lists of
//!    free nodes, edges and tables there is refused from now on.
//! 2. **clear the lists**: they name no index in a closed chunk any more. Until then a worker may
//!    still be given one.
//! 3. **grace**: now no worker gets a block there, and each drops the rest of an earlier one before
//!    it takes from it. When each has been between two rounds, none makes anything in a closed
//!    chunk.
//! 4. **doom, sweep, unlink, free**: as in every eviction, but that what goes are the nodes with
//!    any part in a closed chunk. After the grace periods in between no worker knows one of them.
//! 5. **look**: which closed chunks are still in use? The root is never evicted.
//! 6. **give back**: the system takes the pages of the others, and the pool or the limit the bytes.
//!    They have an address still, where zeros are read: that is no node in use.
//!
//! A chunk that could not be given back stays closed, and is looked at again with the next ones.

use std::sync::OnceLock;

use crate::game::GameState;
use crate::sync::{AtomicU32, Ordering};
use crate::zeroed::GIVES_BACK;

use super::arena::Counter;
use super::eviction::{Evictor, Phase};
use super::later_moves::AmafTables;
use super::node::{EdgeRange, Node, NodeId};
use super::{Allotment, Tree};

/// Which chunks of an arena are closed. A word for each chunk, made when the first one is closed.
#[derive(Debug, Default)]
pub(crate) struct Chunks {
    states: OnceLock<Box<[AtomicU32]>>,
}

/// What a chunk is used for. In the low bits of its word; the others have the number of the closing
/// that it was last closed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// New slots are taken from it.
    Open = 0,
    /// No new ones are.
    Closed = 1,
    /// No new ones are, and something in it is in use.
    Kept = 2,
    /// The system has its pages.
    Vacant = 3,
}

/// Bits of a word that say the use.
const USE_BITS: u32 = 2;

impl Chunks {
    /// Whether any was ever closed.
    pub(crate) fn are_touched(&self) -> bool {
        self.states.get().is_some()
    }

    fn word(&self, chunk: usize) -> u32 {
        // Relaxed: a worker that sees an old word does so before the grace period, or under the
        // lock of a list that was cleared later.
        let word = self.states.get().and_then(|states| states.get(chunk));
        word.map_or(Use::Open as u32, |word| word.load(Ordering::Relaxed))
    }

    fn is(&self, chunk: usize, wanted: Use) -> bool {
        self.word(chunk) % (1 << USE_BITS) == wanted as u32
    }

    /// Whether nothing is taken from this chunk, or given back to it.
    pub(crate) fn is_closed(&self, chunk: usize) -> bool {
        !self.is(chunk, Use::Open)
    }

    /// Whether this chunk is open, and was when there had been this number of closings: a block of
    /// that time is its holder's still.
    pub(super) fn was_open_since(&self, chunk: usize, closings: u32) -> bool {
        !self.is_closed(chunk) && self.word(chunk) >> USE_BITS <= closings
    }

    /// Another use of a chunk. By the evictor, or under the lock of the counter.
    fn set(&self, chunk: usize, to: Use) {
        if let Some(word) = self.states.get().and_then(|states| states.get(chunk)) {
            let closing = word.load(Ordering::Relaxed) >> USE_BITS;
            word.store(closing << USE_BITS | to as u32, Ordering::Relaxed);
        }
    }

    /// Closes a chunk of an arena of `chunks`, as a part of the closing with this number.
    pub(super) fn close(&self, chunk: usize, chunks: usize, closing: u32) {
        let new = || (0..chunks).map(|_| AtomicU32::new(Use::Open as u32)).collect();
        if let Some(word) = self.states.get_or_init(new).get(chunk) {
            word.store(closing << USE_BITS | Use::Closed as u32, Ordering::Relaxed);
        }
    }

    /// A vacant chunk is to be used again.
    pub(super) fn reopen(&self, chunk: usize) {
        self.set(chunk, Use::Open);
    }

    /// Something in this chunk is in use.
    pub(super) fn keep(&self, chunk: usize) {
        if self.is(chunk, Use::Closed) {
            self.set(chunk, Use::Kept);
        }
    }

    /// The system has the pages of this chunk.
    pub(super) fn empty(&self, chunk: usize) {
        self.set(chunk, Use::Vacant);
    }

    /// The closed chunks that are not known to be in use.
    pub(super) fn closed(&self) -> Vec<usize> {
        self.all(Use::Closed)
    }

    fn all(&self, wanted: Use) -> Vec<usize> {
        let all = 0..self.states.get().map_or(0, |states| states.len());
        all.filter(|&chunk| self.is(chunk, wanted)).collect()
    }
}

/// How often chunks were closed: a worker whose blocks are older looks at them again.
#[derive(Debug, Default)]
pub(crate) struct Closings(AtomicU32);

impl Closings {
    /// Chunks were closed. Before the epoch is raised.
    pub(super) fn add(&self) {
        // Relaxed: the epoch publishes it.
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn count(&self) -> u32 {
        // Relaxed: a worker that sees it late is in a round that the grace period waits for. After
        // it the worker has seen the epoch, which was raised later.
        self.0.load(Ordering::Relaxed)
    }
}

/// What is looked at in one slice of work.
const ENTRIES_TO_CLEAR: u32 = 4096;
const EDGES_TO_CLEAR: u32 = 1 << 15;
const NODES_TO_LOOK_AT: u32 = 8192;

impl<G: GameState> Tree<G> {
    /// Bytes that it has and may not have. 0 where the system takes none back.
    pub(super) fn excess(&self) -> u64 {
        if !GIVES_BACK {
            return 0;
        }
        self.bytes().saturating_sub(self.purse().ceiling())
    }

    /// What has indices of its own, with the number of its chunks.
    fn arenas(&self) -> impl Iterator<Item = (&Counter, usize)> {
        let tables = self.amaf.iter().map(AmafTables::arena);
        let nodes = (&self.node_counter, self.nodes.chunks());
        [nodes, (&self.edge_counter, self.edges.chunks())].into_iter().chain(tables)
    }

    /// Closes chunks until what is open is no more than it may be; false if there is none to be
    /// closed. By the evictor.
    fn close_chunks(&self) -> bool {
        let excess = self.excess();
        if excess == 0 {
            return false;
        }
        let all: u64 = self.arenas().map(|(counter, _)| counter.open_bytes()).sum();
        let mut any = false;
        for (counter, chunks) in self.arenas() {
            // Each arena gives its part, rounded up to a chunk.
            let open = u128::from(counter.open_bytes());
            let part = open * u128::from(excess) / u128::from(all.max(1));
            let wanted = u64::try_from(part).unwrap_or(u64::MAX);
            any |= counter.close(wanted.max(1), chunks, self.closings.count() + 1);
        }
        if any {
            for (counter, _) in self.arenas() {
                // What was in use before may be free by now.
                let kept = counter.chunks().all(Use::Kept);
                kept.into_iter().for_each(|chunk| counter.chunks().set(chunk, Use::Closed));
            }
        }
        any
    }

    /// Drops what an allotment has in chunks that were closed since it was last looked at: by now
    /// they may be open again, and their indices given out to others. The rest goes back to the
    /// lists.
    #[cold]
    pub(super) fn leave_closed(&self, allotment: &mut Allotment) {
        let seen = std::mem::replace(&mut allotment.closings, self.closings.count());
        let nodes = std::mem::take(&mut allotment.nodes);
        if self.node_counter.was_open_since(nodes.next, seen) {
            for index in nodes.next..nodes.end {
                // It may say that it was in use before the tree was forgotten.
                self.node(NodeId(index)).set_free();
                self.free_nodes.give(&self.nodes, NodeId(index), &self.node_counter);
            }
        }
        let edges = std::mem::take(&mut allotment.edges);
        if self.edge_counter.was_open_since(edges.next, seen) {
            let count = edges.end - edges.next;
            self.free_edges.give(&self.edges, edges.next, count, &self.edge_counter);
        }
        let tables = std::mem::take(&mut allotment.amaf);
        if let Some(amaf) = self.amaf.as_ref()
            && amaf.arena().0.was_open_since(tables.next, seen)
        {
            (tables.next..tables.end).for_each(|table| amaf.give_back(table));
        }
    }

    /// Whether any part of a node lies in a closed chunk.
    pub(super) fn is_in_closed(&self, id: NodeId, node: &Node) -> bool {
        let first = node.edge_range().map(EdgeRange::first);
        self.node_counter.is_closed(id.0)
            || first.is_some_and(|first| self.edge_counter.is_closed(first))
            || self.amaf.as_ref().is_some_and(|tables| {
                node.amaf().is_some_and(|table| tables.arena().0.is_closed(table))
            })
    }

    /// Keeps the chunks of a node in use.
    fn keep_chunks(&self, id: NodeId, node: &Node) {
        self.node_counter.keep(id.0);
        if let Some(range) = node.edge_range() {
            self.edge_counter.keep(range.first());
        }
        if let (Some(tables), Some(table)) = (&self.amaf, node.amaf()) {
            tables.arena().0.keep(table);
        }
    }

    /// Gives the closed chunks back that are not kept: their bytes.
    ///
    /// # Safety
    /// No node in use has any part in them, no list and no block of a worker names an index in
    /// them, and no thread knows a node that was there.
    unsafe fn give_back_closed(&self) -> u64 {
        let vacate = |counter: &Counter, discard: &dyn Fn(usize)| {
            let mut bytes = 0;
            for chunk in counter.chunks().closed() {
                discard(chunk);
                bytes += counter.vacate(chunk);
            }
            bytes
        };
        let mut bytes = vacate(&self.node_counter, &|chunk| {
            // SAFETY: as the caller says. What lay there was dropped with its node.
            unsafe { self.nodes.discard(chunk) };
            if self.table.is_some() {
                // SAFETY: as above.
                unsafe { self.keys.discard(chunk) };
            }
            if let Some(planes) = &self.planes {
                // SAFETY: as above.
                unsafe { planes.totals.discard(chunk) };
            }
        });
        bytes += vacate(&self.edge_counter, &|chunk| {
            // SAFETY: as above.
            unsafe { self.edges.discard(chunk) };
            // SAFETY: as above.
            unsafe { self.moves.discard(chunk) };
            if let Some(planes) = &self.planes {
                // SAFETY: as above.
                unsafe { planes.seen.discard(chunk) };
            }
            if let Some(priors) = &self.priors {
                // SAFETY: as above.
                unsafe { priors.discard(chunk) };
            }
        });
        if let Some(amaf) = &self.amaf {
            // SAFETY: as above.
            bytes += vacate(amaf.arena().0, &|chunk| unsafe { amaf.discard(chunk) });
        }
        self.meter.give_back(bytes);
        bytes
    }

    /// Whether no chunk was ever closed, and it has no more than it may have: then its memory can
    /// be used from the beginning again.
    pub(crate) fn is_whole(&self) -> bool {
        self.excess() == 0 && !self.arenas().any(|(counter, _)| counter.chunks().are_touched())
    }
}

/// The phases that other evictions do not have.
impl Evictor {
    /// Begins an eviction that gives memory back, if the tree has too much: whether it does.
    pub(super) fn begin_vacating<G: GameState>(&mut self, tree: &Tree<G>) -> bool {
        self.vacates = tree.close_chunks();
        if self.vacates {
            // Under their locks: what is given back later finds the chunk closed.
            let tables = tree.amaf.as_ref().and_then(AmafTables::detach);
            self.lists = [tree.free_nodes.detach(), tables];
            self.enter(Phase::ClearLists);
        }
        self.vacates
    }

    /// Fills the lists again with what is open; how many it has looked at.
    pub(super) fn clear_lists<G: GameState>(&mut self, tree: &Tree<G>) -> u32 {
        let [nodes, tables] = self.lists;
        let mut left = ENTRIES_TO_CLEAR;
        let nodes = nodes.and_then(|first| {
            tree.free_nodes.give_all(&tree.nodes, first, &tree.node_counter, &mut left)
        });
        let amaf = tree.amaf.as_ref();
        let tables = tables.and_then(|first| amaf.and_then(|amaf| amaf.give_all(first, &mut left)));
        self.lists = [nodes, tables];
        if self.lists == [None; 2] {
            self.enter(Phase::ClearEdges);
        }
        ENTRIES_TO_CLEAR - left
    }

    /// Takes the free edges of closed chunks out of their lists; how many it has looked at.
    pub(super) fn clear_edges<G: GameState>(&mut self, tree: &Tree<G>) -> u32 {
        let Some(indices) = tree.edge_counter.next_closed(self.cursor) else {
            // From here on no worker is given a block in a closed chunk, and those that have one
            // learn of it.
            tree.closings.add();
            return self.enter(Phase::WaitForBlocks(tree.eviction.epoch.raise()));
        };
        let end = indices.end.min(indices.start.saturating_add(EDGES_TO_CLEAR));
        tree.free_edges.forget(&tree.edges, indices.start..end);
        self.cursor = end;
        end - indices.start
    }

    /// Looks for nodes in use in the closed chunks, and gives the others back behind the last one;
    /// how many it has looked at.
    pub(super) fn look<G: GameState>(&mut self, tree: &Tree<G>) -> u32 {
        let (nodes, last) = self.nodes(tree, NODES_TO_LOOK_AT);
        let done = nodes.len() as u32;
        for (id, node) in tree.nodes_in_use(nodes) {
            tree.keep_chunks(id, node);
        }
        if last {
            // SAFETY: since the chunks were closed nothing there is given back to the lists, and
            // they were cleared; so no block was taken there since. Then the closing was counted,
            // and every worker has been between two rounds: it drops a block that is older before
            // it takes from it. So nothing was made there since. All nodes that were there were
            // doomed, or have kept their chunks above: the doomed ones are free, and since they
            // were taken out of the table and of all edges no thread can know them, as `free` says.
            let bytes = unsafe { tree.give_back_closed() };
            // Once more if that was not enough; if nothing came of it, it never is.
            self.end(tree, bytes > 0 && tree.excess() > 0);
        }
        done
    }
}

#[cfg(all(test, feature = "games", not(loom)))]
mod tests {
    use std::collections::HashSet;
    use std::iter;

    use super::{Allotment, Tree};
    use crate::games::ConnectFour;
    use crate::mcts::tree::TreeRules;
    use crate::mcts::tree::value::DrawScores;

    const BYTES: usize = 1 << 20;

    /// A worker has a block in a chunk that is given back and used again before it takes from the
    /// block: those indices are others' by then.
    #[test]
    fn a_block_of_before_is_not_used_when_its_chunk_is_used_again() {
        let rules = TreeRules {
            shards: None,
            planes: 0,
            priors: false,
            amaf_codes: None,
            proofs: false,
            draws: DrawScores::new(2, 0, 0.0),
            rounds: 2,
            memory_limit: Some(BYTES as u64),
            reserved: 0,
        };
        let tree = Tree::<ConnectFour>::new(rules);
        let state = ConnectFour::new();
        let [mut one, mut two] = [Allotment::default(), Allotment::default()];
        let add = |allotment: &mut Allotment| tree.add_outside(&state, 0, allotment);
        // The block of the second one lies between those of the first one.
        let before = iter::repeat_with(|| add(&mut one)).take(BYTES / 64 / 2).flatten().count();
        assert!(add(&mut two).is_some());
        let behind = iter::from_fn(|| add(&mut one)).count();
        assert!(before > 4_000 && behind > 4_000, "{before} {behind}");
        tree.purse().set_own(Some(BYTES / 4)).unwrap();
        tree.follow_limit_at_once();
        assert!(tree.bytes() <= BYTES as u64 / 4, "{} bytes", tree.bytes());
        tree.purse().set_own(Some(BYTES)).unwrap();
        tree.follow_limit_at_once();
        let mut taken = HashSet::new();
        taken.extend(iter::from_fn(|| add(&mut one)).map(|id| id.0));
        assert!(taken.len() > 10_000, "{}", taken.len());
        let again = iter::from_fn(|| add(&mut two)).find(|id| !taken.insert(id.0));
        assert_eq!(again, None, "given out twice");
    }
}
