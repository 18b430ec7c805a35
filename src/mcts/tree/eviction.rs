//! Where the eviction of a tree stands: what its workers, a save and the passes of
//! [`evict`](crate::mcts::tree::evict) share.

use std::sync::Arc;

use crate::events;
use crate::sync::{AtomicBool, AtomicU32, AtomicU64, Mutex, MutexGuard, Ordering};

use super::epoch::{Epoch, Pin};
use super::node::NodeId;
use super::table::Sweep;

/// Simulations between two evictions, for each node that there is memory for. What an eviction
/// takes for a node is a part of what a simulation takes.
const INTERVAL: u64 = 3;

/// The highest number of visits asked for before an edge gets a node.
const HIGHEST_THRESHOLD: u32 = 1 << 16;

/// Classes of usefulness: eight for each doubling.
pub(super) const CLASSES: usize = 240;

/// What the workers share of the evictions of a tree.
#[derive(Debug)]
pub(crate) struct Eviction {
    pub(super) evictor: Mutex<Evictor>,
    /// Whether an eviction is under way or wanted.
    pub(super) active: AtomicBool,
    /// Evictions begun.
    pub(super) begun: AtomicU32,
    /// Nodes evicted since the tree was made or cleared.
    pub(super) evicted: AtomicU64,
    /// Visits that an edge needs before it gets a node.
    pub(super) threshold: AtomicU32,
    /// Simulations since the memory limit was reached, and of these at the last change of the
    /// threshold.
    pub(super) simulations: AtomicU64,
    pub(super) changed_at: AtomicU64,
    /// A save reads the tree: one at a time.
    pub(super) saving: Mutex<()>,
    /// The nodes taken out of the table since the save under way began; `None` if there is none.
    pub(super) leaving: Mutex<Option<Bits>>,
    pub(crate) epoch: Epoch,
}

/// One bit for each node that there was when a save began.
pub(super) type Bits = Arc<[AtomicU64]>;

/// A save that reads the tree while workers may change it; dropped with its end.
pub(crate) struct Saving<'a> {
    eviction: &'a Eviction,
    _turn: MutexGuard<'a, ()>,
    left: Bits,
}

/// Where an eviction stands. Belongs to the worker that does its next slice.
#[derive(Debug)]
pub(super) struct Evictor {
    pub(super) phase: Phase,
    /// The next node to look at.
    pub(super) cursor: u32,
    /// Bytes held by the nodes of each usefulness class.
    pub(super) held: Box<[u64; CLASSES]>,
    /// Nodes below this class go, and of this class nodes of at most `quota` bytes together.
    pub(super) class: usize,
    pub(super) quota: u64,
    /// One bit per node: whether it is to go.
    pub(super) doomed: Vec<u64>,
    /// Whether this one gives memory back: see [`vacate`](super::vacate).
    pub(super) vacates: bool,
    /// What is left of the lists of free nodes and tables that are taken apart.
    pub(super) lists: [Option<u32>; 2],
    pub(super) event: events::Eviction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Idle,
    ClearLists,
    ClearEdges,
    /// Grace: until every pin has reached the epoch.
    WaitForBlocks(u64),
    Weigh,
    Doom,
    Sweep(Sweep),
    /// Grace: until every pin has reached the epoch.
    WaitForWriters(u64),
    Unlink,
    WaitForReaders(u64),
    Free,
    Look,
}

impl Eviction {
    /// For rounds under way and readers numbered below `pins`.
    pub(crate) fn new(pins: usize) -> Self {
        let evictor = Evictor {
            phase: Phase::Idle,
            cursor: 0,
            held: Box::new([0; CLASSES]),
            class: 0,
            quota: 0,
            doomed: Vec::new(),
            vacates: false,
            lists: [None; 2],
            event: events::Eviction::default(),
        };
        Self {
            evictor: Mutex::new(evictor),
            active: AtomicBool::new(false),
            begun: AtomicU32::new(0),
            evicted: AtomicU64::new(0),
            threshold: AtomicU32::new(0),
            simulations: AtomicU64::new(0),
            changed_at: AtomicU64::new(0),
            saving: Mutex::new(()),
            leaving: Mutex::new(None),
            epoch: Epoch::new(pins),
        }
    }

    /// Begins a save of a tree with this number of node indices, after the one under way.
    pub(crate) fn save(&self, nodes: u32) -> Saving<'_> {
        let turn = self.saving.lock();
        let left: Bits = (0..nodes.div_ceil(u64::BITS)).map(|_| AtomicU64::new(0)).collect();
        *self.leaving.lock() = Some(Arc::clone(&left));
        Saving { eviction: self, _turn: turn, left }
    }

    /// Asks for an eviction. It begins between two rounds.
    #[cold]
    pub(crate) fn want(&self) {
        // Relaxed: a worker that sees it late begins a round later.
        self.active.store(true, Ordering::Relaxed);
    }

    /// Whether there is work for [`Tree::evict`](crate::mcts::tree::Tree::evict).
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.active.load(Ordering::Relaxed)
    }

    /// Evictions begun: the time by which nodes say when they were last of use.
    #[inline]
    pub(crate) fn begun(&self) -> u32 {
        self.begun.load(Ordering::Relaxed)
    }

    /// Nodes evicted since the tree was made or cleared.
    pub(crate) fn evicted(&self) -> u64 {
        self.evicted.load(Ordering::Relaxed)
    }

    /// Visits that an edge needs before it gets a node; 0 before the first eviction.
    ///
    /// With little memory many new nodes would soon be evicted again. So the threshold is
    /// such that between two evictions there are about [`INTERVAL`] simulations for each node:
    /// it rises if there are fewer, and falls if there are more.
    #[inline]
    pub(crate) fn threshold(&self) -> u32 {
        self.threshold.load(Ordering::Relaxed)
    }

    /// Counts simulations of a search at the memory limit, and lowers the threshold if there
    /// was no eviction for long. `nodes` is the number of nodes that there is memory for.
    pub(crate) fn count(&self, simulations: u64, nodes: u32) {
        let relaxed = Ordering::Relaxed;
        let now = self.simulations.fetch_add(simulations, relaxed);
        let since = now.saturating_sub(self.changed_at.load(relaxed));
        if since > 2 * INTERVAL * u64::from(nodes) && !self.is_active() {
            self.changed_at.store(now, relaxed);
            self.threshold.store(self.threshold() * 2 / 3, relaxed);
        }
    }

    /// There is room again: every position may have a node.
    pub(super) fn forget_threshold(&self) {
        self.threshold.store(0, Ordering::Relaxed);
    }

    /// Changes the threshold when an eviction begins.
    pub(super) fn adjust_threshold(&self, nodes: u32) {
        let relaxed = Ordering::Relaxed;
        let now = self.simulations.load(relaxed);
        let since = now.saturating_sub(self.changed_at.swap(now, relaxed));
        let threshold = match since < INTERVAL * u64::from(nodes) {
            true => (self.threshold() * 3 / 2 + 1).min(HIGHEST_THRESHOLD),
            false => self.threshold() * 2 / 3,
        };
        self.threshold.store(threshold, relaxed);
    }

    /// Forgets an eviction under way. No worker searches.
    pub(crate) fn clear(&mut self) {
        *self = Self::new(self.epoch.pin_count());
    }
}

impl Saving<'_> {
    /// Keeps every node that has not [left](Self::has_left) from being freed, until it is dropped.
    /// While it is held no eviction ends: do not hold it while waiting for a disk.
    pub(crate) fn pin(&self) -> Pin<'_> {
        let epoch = &self.eviction.epoch;
        epoch.pin(epoch.pin_count() - 1)
    }

    /// Words of 64 bits, one for each node that [`has_left`](Self::has_left) is noted of.
    pub(crate) fn words(&self) -> usize {
        self.left.len()
    }

    /// Whether a node was taken out of the table since the save began: its index may be that of
    /// another one by now. Under a pin a node that has not left stays what it is until the pin is
    /// dropped: its bit is set before the epoch is raised, so either this sees the bit, or the
    /// eviction sees the pin and waits (see [`Epoch::pin`]).
    pub(crate) fn has_left(&self, id: NodeId) -> bool {
        // Relaxed: what orders it is said above.
        let word = self.left.get(id.0 as usize / 64).map_or(0, |bits| bits.load(Ordering::Relaxed));
        word >> (id.0 % 64) & 1 == 1
    }
}

impl Drop for Saving<'_> {
    fn drop(&mut self) {
        *self.eviction.leaving.lock() = None;
    }
}
