//! Eviction: at the memory limit the least useful positions make room for new ones.
//!
//! The workers do it themselves, a slice of work between two rounds, one worker at a time,
//! and the search never stands still. One eviction passes over all nodes four times, and once over
//! the table:
//!
//! 1. **weigh**: how much memory do the nodes of each usefulness hold? Then it is known which
//!    are to go, about [`SHARE`] of the memory.
//! 2. **doom**: these are noted.
//! 3. **sweep**: they are taken out of the table. Edges still lead to them.
//! 4. **unlink**: the edges that lead to them forget it, and keep their statistics: if the
//!    position comes back, its node begins with what its edge knows.
//! 5. **free**: their memory is given out again.
//!
//! Of the user's code only `Drop` of keys and moves runs here, in 5, where it finds nothing half
//! done: a key whose hash is asked for again might answer otherwise, or panic, and its node would
//! stay in the table when it is freed.
//!
//! What a worker has found it uses to the end of its round. So there is a **grace period**
//! between 3 and 4, after which no worker can still write an edge to a doomed node, and one
//! between 4 and 5, after which no worker knows one: each ends when every worker has been
//! between two rounds. A worker says so by copying the shared epoch into its own pin.
//!
//! A **save** that goes on beside a search reads the tree in batches. Within a batch it holds a
//! pin, as a round does, so that nothing it reads is freed; between two of them it holds none, so
//! evictions go on while it writes to the disk. What it has counted may be gone by its next batch,
//! and another node may have the index: so phase 3 notes which nodes it takes out in the bits of
//! the [`Saving`](crate::mcts::tree::eviction::Saving) under way.

use crate::events;
use crate::game::GameState;
use crate::sync::{Ordering, yield_now};

use super::Tree;
use super::epoch::Pin;
use super::eviction::{CLASSES, Evictor, Phase};
use super::node::{Edge, Node, NodeId};
use super::table::Sweep;
use super::update;

/// What an eviction frees of the memory of all nodes: three eighths. Each costs a pass over
/// all nodes whatever it frees, and too large ones forget what is still of use.
const SHARE: (u64, u64) = (3, 8);

/// The work between two rounds: parts of a slice. A slice takes a fraction of a millisecond. In a
/// small tree one is enough for a whole eviction. That matters, because there are no new nodes
/// until memory is given out again, which takes one round per slice.
const PARTS: u32 = 64;

/// What is looked at in one slice of work, by phase.
const NODES_TO_WEIGH: u32 = 8192;
const NODES_TO_DOOM: u32 = 8192;
const SLOTS_TO_SWEEP: u32 = 1 << 14;
/// What it takes to lock a shard, in slots looked at.
const SLOTS_PER_LOCK: u32 = 16;
const EDGES_TO_UNLINK: u32 = 1 << 15;
const NODES_TO_FREE: u32 = 4096;

impl<G: GameState> Tree<G> {
    /// Does about a slice of the eviction, if no other worker does. Call it between two rounds with
    /// the `pin` of the calling worker; with none if no worker searches.
    #[cold]
    pub(crate) fn evict(&self, pin: Option<&Pin<'_>>) {
        let Some(mut evictor) = self.eviction.evictor.try_lock() else { return };
        let mut parts = 0;
        while self.eviction.is_active() && parts < PARTS {
            let Some(done) = evictor.step(self) else { return };
            parts += done;
            // The round is over and the next one has not begun: the worker knows no node.
            if let Some(pin) = pin {
                pin.renew();
            }
        }
    }

    /// Ends the eviction that is under way or wanted. False if it has freed nothing. No
    /// worker searches; a save may read, and is waited for until it lets go of its pin.
    pub(crate) fn evict_at_once(&self) -> bool {
        let (before, bytes) = (self.eviction.evicted(), self.bytes());
        while self.eviction.is_active() {
            self.evict(None);
            yield_now();
        }
        self.eviction.evicted() > before || self.bytes() < bytes
    }
}

impl Evictor {
    /// Does the next slice; how many [`PARTS`] of it there were to do, at least one. `None` if
    /// another worker has to end its round first.
    fn step<G: GameState>(&mut self, tree: &Tree<G>) -> Option<u32> {
        let (done, of) = match self.phase {
            Phase::WaitForBlocks(epoch)
            | Phase::WaitForWriters(epoch)
            | Phase::WaitForReaders(epoch)
                if !tree.eviction.epoch.all_have_seen(epoch) =>
            {
                return None;
            }
            Phase::WaitForWriters(_) => (self.enter(Phase::Unlink), 1),
            Phase::WaitForReaders(_) => (self.enter(Phase::Free), 1),
            Phase::WaitForBlocks(_) => (self.enter(Phase::Doom), 1),
            Phase::ClearLists => (self.clear_lists(tree), NODES_TO_FREE),
            Phase::ClearEdges => (self.clear_edges(tree), EDGES_TO_UNLINK),
            Phase::Look => (self.look(tree), NODES_TO_WEIGH),
            Phase::Idle => (self.begin(tree), 1),
            Phase::Weigh => (self.weigh(tree), NODES_TO_WEIGH),
            Phase::Doom => (self.doom(tree), NODES_TO_DOOM),
            Phase::Sweep(at) => (self.sweep(tree, at), SLOTS_TO_SWEEP),
            Phase::Unlink => (self.unlink(tree), EDGES_TO_UNLINK),
            Phase::Free => (self.free(tree), NODES_TO_FREE),
        };
        Some(done * PARTS / of + 1)
    }

    /// Begins a phase; nothing is looked at.
    pub(super) fn enter(&mut self, phase: Phase) -> u32 {
        self.phase = phase;
        self.cursor = 0;
        0
    }

    /// The nodes of the next slice, and whether it is the last one of the phase.
    pub(super) fn nodes<G: GameState>(
        &mut self,
        tree: &Tree<G>,
        count: u32,
    ) -> (std::ops::Range<u32>, bool) {
        let end = tree.node_indices();
        let first = self.cursor;
        self.cursor = end.min(first.saturating_add(count));
        (first..self.cursor, self.cursor == end)
    }

    fn begin<G: GameState>(&mut self, tree: &Tree<G>) -> u32 {
        self.event = events::Eviction::begin(tree.bytes(), tree.eviction.evicted());
        tree.eviction.begun.fetch_add(1, Ordering::Relaxed);
        self.held.fill(0);
        self.doomed.clear();
        if self.begin_vacating(tree) {
            return 0;
        }
        tree.eviction.adjust_threshold(tree.node_counter.open() as u32);
        self.enter(Phase::Weigh)
    }

    /// These three look at a slice of nodes, [`sweep`](Self::sweep) at one of the table, and
    /// [`unlink`](Self::unlink) at one of edges; how many.
    fn weigh<G: GameState>(&mut self, tree: &Tree<G>) -> u32 {
        let (nodes, last) = self.nodes(tree, NODES_TO_WEIGH);
        let done = nodes.len() as u32;
        for (_, node) in tree.nodes_in_use(nodes) {
            self.held[class(tree, node)] += tree.bytes_of(node);
        }
        if !last {
            return done;
        }
        let all: u64 = self.held.iter().sum();
        self.quota = all / SHARE.1 * SHARE.0;
        self.class = 0;
        while self.class + 1 < CLASSES && self.held[self.class] < self.quota {
            self.quota -= self.held[self.class];
            self.class += 1;
        }
        self.enter(Phase::Doom);
        done
    }

    fn doom<G: GameState>(&mut self, tree: &Tree<G>) -> u32 {
        let (nodes, last) = self.nodes(tree, NODES_TO_DOOM);
        let done = nodes.len() as u32;
        self.doomed.resize(nodes.end.div_ceil(64) as usize, 0);
        for (id, node) in tree.nodes_in_use(nodes) {
            let class = class(tree, node);
            let goes = if self.vacates { tree.is_in_closed(id, node) } else { class <= self.class };
            if !goes || tree.is_root(id) {
                continue;
            }
            if class == self.class && !self.vacates {
                let Some(left) = self.quota.checked_sub(tree.bytes_of(node)) else { continue };
                self.quota = left;
            }
            self.doomed[id.0 as usize / 64] |= 1 << (id.0 % 64);
        }
        if last {
            self.enter(Phase::Sweep(Sweep::default()));
        }
        done
    }

    fn sweep<G: GameState>(&mut self, tree: &Tree<G>, mut at: Sweep) -> u32 {
        // Held for the slice, so that a save begins before it or after it: either it learns that
        // these nodes leave, or it does not find them in the table.
        let leaving = tree.eviction.leaving.lock();
        let doomed = &mut self.doomed;
        let mut goes = |id: NodeId| {
            if !is_in(doomed, id) {
                return false;
            }
            // A search that has begun since has found the node in the table, and it is its root.
            let (word, bit) = (id.0 as usize / 64, 1 << (id.0 % 64));
            let stays = tree.is_root(id);
            if stays {
                doomed[word] &= !bit;
            } else if let Some(left) = leaving.as_ref().and_then(|left| left.get(word)) {
                // Before the key is free for another node: a worker that finds that one sees this.
                left.fetch_or(bit, Ordering::Relaxed);
            }
            !stays
        };
        let mut looked_at = 0;
        while looked_at < SLOTS_TO_SWEEP {
            let Some(slots) = tree.sweep_table(&mut at, &mut goes) else {
                self.enter(Phase::WaitForWriters(tree.eviction.epoch.raise()));
                return looked_at;
            };
            looked_at += slots as u32 + SLOTS_PER_LOCK;
        }
        self.phase = Phase::Sweep(at);
        looked_at
    }

    fn is_doomed(&self, id: NodeId) -> bool {
        is_in(&self.doomed, id)
    }

    fn unlink<G: GameState>(&mut self, tree: &Tree<G>) -> u32 {
        let end = tree.node_indices();
        let mut looked_at = 0;
        while self.cursor < end && looked_at < EDGES_TO_UNLINK {
            let nodes = self.cursor..self.cursor + 1;
            self.cursor += 1;
            looked_at += 1;
            let Some((id, node)) = tree.nodes_in_use(nodes).next() else { continue };
            let edges = tree.edges_of(node);
            looked_at += edges.len() as u32;
            let leads_to_doomed =
                |edge: &&Edge| edge.child().is_some_and(|child| self.is_doomed(child));
            if self.is_doomed(id) || edges.iter().find(leads_to_doomed).is_none() {
                continue;
            }
            let (holder, _) = update::hold(node);
            for edge in edges.iter().filter(leads_to_doomed) {
                let exact = edge.stats().value.is_exact();
                edge.forget_child(if exact { tree.distance_below(edge) } else { 0 });
            }
            update::release(tree, id, node, holder);
        }
        if self.cursor == end {
            self.enter(Phase::WaitForReaders(tree.eviction.epoch.raise()));
        }
        looked_at
    }

    fn free<G: GameState>(&mut self, tree: &Tree<G>) -> u32 {
        let (first, end) = (self.cursor, self.doomed.len() as u32 * 64);
        let last = end.min(first.saturating_add(NODES_TO_FREE));
        while self.cursor < last {
            let id = NodeId(self.cursor);
            // The next one is next, should a `Drop` of this one's values panic.
            self.cursor += 1;
            if self.is_doomed(id) {
                tree.eviction.evicted.fetch_add(1, Ordering::Relaxed);
                // SAFETY: the node was taken out of the table in `sweep` and out of every edge in
                // `unlink`, and since then every worker has been between two rounds, where it
                // knows no node: no thread can reach it any more. The bit says that it was in use.
                unsafe { tree.free_node(id) };
            }
        }
        if self.cursor == end && self.vacates {
            self.enter(Phase::Look);
        } else if self.cursor == end {
            self.end(tree, false);
        }
        last - first
    }

    /// Ends the eviction; `again` says that another one is to follow.
    pub(super) fn end<G: GameState>(&mut self, tree: &Tree<G>, again: bool) {
        self.event.end(tree.bytes(), tree.eviction.evicted());
        self.enter(Phase::Idle);
        tree.eviction.active.store(again, Ordering::Relaxed);
    }
}

/// Whether the bit of a node is set.
fn is_in(bits: &[u64], id: NodeId) -> bool {
    let word = bits.get(id.0 as usize / 64);
    word.is_some_and(|word| word >> (id.0 % 64) & 1 == 1)
}

/// How useful a node is: the visits it has, a quarter of them for each eviction since the last
/// one. Positions with fewer plies than the root's cannot come again.
fn class<G: GameState>(tree: &Tree<G>, node: &Node) -> usize {
    if node.ply() < tree.root_ply() {
        return 0;
    }
    let age = tree.eviction.begun().wrapping_sub(node.touched()).saturating_sub(1);
    class_of_visits(node.visits() >> (2 * age).min(31))
}

fn class_of_visits(visits: u32) -> usize {
    match visits.checked_ilog2() {
        None | Some(0..3) => visits as usize,
        Some(log) => (8 * (log - 2) + (visits >> (log - 3) & 7)) as usize,
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::AtomicU32;

    use super::{CLASSES, Ordering, Phase, class_of_visits};
    use crate::mcts::{Expansion, RoundSize};
    use crate::{Budget, GameState, Mcts, Outcome};

    /// A game made of noise, with many ends, half of them draws. The key panics once, after
    /// `keys_left` calls.
    #[derive(Clone)]
    struct Noise {
        at: u64,
        ply: u32,
        keys_left: Arc<AtomicU32>,
    }

    impl GameState for Noise {
        type Key = (u64, u32);
        type Move = u64;

        fn key(&self) -> (u64, u32) {
            let left = self.keys_left.fetch_sub(1, Ordering::Relaxed);
            assert_ne!(left, 1, "the key of a position");
            (self.at, self.ply)
        }

        fn mover(&self) -> usize {
            self.ply as usize % 2
        }

        fn plies(&self) -> u32 {
            self.ply
        }

        fn moves(&self, moves: &mut Vec<u64>) {
            moves.extend(0..5);
        }

        fn outcome(&self) -> Option<Outcome> {
            let over = self.ply >= 20 || self.ply > 3 && self.at.is_multiple_of(5);
            let outcome = [Outcome::Draw, Outcome::Win(0), Outcome::Win(1), Outcome::Draw];
            over.then(|| outcome[(self.at / 5 % 4) as usize])
        }

        fn apply(&self, mv: &u64) -> Self {
            let at = crate::rng::mix(self.at, mv + 1) % (1 << 20);
            Self { at, ply: self.ply + 1, keys_left: Arc::clone(&self.keys_left) }
        }
    }

    /// A worker that does not end its round holds an eviction up after the branches have forgotten
    /// what goes, and before any of it is free. Another one makes a node anew meanwhile, and a
    /// panic comes before it has its branches.
    #[test]
    fn an_eviction_that_is_not_over_leaves_no_contradiction() {
        for keys_left in 1..60 {
            let builder = Mcts::builder().threads(1).seed(1).expansion(Expansion::Everything);
            let mut mcts = builder.round_size(RoundSize::Fixed(64)).build().unwrap();
            let state = Noise { at: 0, ply: 0, keys_left: Arc::default() };
            let search = |mcts: &mut Mcts<_>| {
                mcts.search(&state, &Budget::simulations(300)).map(drop).unwrap();
            };
            search(&mut mcts);
            let eviction = &mcts.tree.eviction;
            eviction.want();
            let pin = eviction.epoch.pin(0);
            for _ in 0..2 {
                pin.renew();
                let epoch = eviction.epoch.now();
                while eviction.epoch.now() == epoch {
                    mcts.tree.evict(None);
                }
            }
            drop(pin);
            let waits = eviction.evictor.lock().phase;
            assert_eq!((waits, eviction.evicted()), (Phase::WaitForReaders(2), 0));
            state.keys_left.store(keys_left, Ordering::Relaxed);
            assert!(catch_unwind(AssertUnwindSafe(|| search(&mut mcts))).is_err());
            mcts.audit().unwrap();
            assert!(mcts.tree.evict_at_once());
            search(&mut mcts);
            mcts.audit().unwrap();
        }
    }

    #[test]
    fn more_visits_are_never_a_lower_class() {
        let classes: Vec<usize> = (0..4_000).map(class_of_visits).collect();
        assert!(classes.is_sorted());
        assert_eq!([7, 8, 15, 16, 32].map(class_of_visits), [7, 8, 15, 16, 24]);
        assert_eq!(class_of_visits(u32::MAX), CLASSES - 1);
    }
}
