//! Epochs: how a node is freed only when no worker can know it any more.
//!
//! What a worker has found it uses to the end of its round. So whatever takes something out of the
//! reach of the workers raises the epoch, and waits until every pin has seen the new one: each
//! worker copies the epoch into its own pin between two rounds. This is the grace period of
//! epoch-based reclamation (K. Fraser, Practical Lock-Freedom, 2004), with pins that are renewed by
//! the rounds.

use crate::sync::{AtomicU64, Ordering, fence};

/// The epoch of a tree, and what each worker or reader that may know nodes has seen of it.
#[derive(Debug)]
pub(crate) struct Epoch {
    now: AtomicU64,
    /// The epoch that was last seen between two rounds, for each that may be under way.
    pins: Box<[PinSlot]>,
}

/// A pin on a cache line of its own.
#[derive(Debug)]
#[repr(align(128))]
struct PinSlot(AtomicU64);

/// The pin of rounds that no worker runs.
const IDLE: u64 = u64::MAX;

/// Says after a round that it knows no node any more; dropped with the search.
#[derive(Debug)]
pub(crate) struct Pin<'a> {
    epoch: &'a Epoch,
    slot: &'a PinSlot,
}

impl Epoch {
    /// For rounds under way and readers numbered below `pins`.
    pub(crate) fn new(pins: usize) -> Self {
        Self {
            now: AtomicU64::new(0),
            pins: (0..pins).map(|_| PinSlot(AtomicU64::new(IDLE))).collect(),
        }
    }

    /// The number of times that it was raised.
    #[cfg(all(test, not(loom)))]
    pub(crate) fn now(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }

    /// The number of pins that may be held at a time.
    pub(crate) fn pin_count(&self) -> usize {
        self.pins.len()
    }

    /// The pin of all rounds with this number in a search; one of them is under way at a time. The
    /// last two are that of a reader that is no worker, and that of a save.
    ///
    /// # Panics
    /// If there is another pin of this number: whichever is dropped first would end the other's.
    pub(crate) fn pin(&self, number: usize) -> Pin<'_> {
        let slot = &self.pins[number];
        // Acquire and release: as in `renew`.
        let epoch = self.now.load(Ordering::Acquire);
        let free = slot.0.compare_exchange(IDLE, epoch, Ordering::AcqRel, Ordering::Relaxed);
        assert!(free.is_ok(), "a pin has one holder at a time");
        let pin = Pin { epoch: self, slot };
        // Pairs with the fence in `all_have_seen`: either that sees this pin, or this worker
        // sees all that was done before the epoch was raised.
        fence(Ordering::SeqCst);
        pin
    }

    /// A new epoch, which all workers must see before the next phase.
    pub(crate) fn raise(&self) -> u64 {
        // Release: pairs with the acquire in `renew`: a worker with the epoch sees what was done.
        self.now.fetch_add(1, Ordering::Release) + 1
    }

    pub(crate) fn all_have_seen(&self, epoch: u64) -> bool {
        // Pairs with the fence in `pin`.
        fence(Ordering::SeqCst);
        // Acquire: pairs with the release in `renew`: what the worker did before is done.
        self.pins.iter().all(|pin| pin.0.load(Ordering::Acquire) >= epoch)
    }
}

impl Pin<'_> {
    /// Says that the round is over, and the next one has not begun.
    #[inline]
    pub(crate) fn renew(&self) {
        // Acquire and release: see `raise` and `all_have_seen`.
        self.slot.0.store(self.epoch.now.load(Ordering::Acquire), Ordering::Release);
    }
}

impl Drop for Pin<'_> {
    fn drop(&mut self) {
        self.slot.0.store(IDLE, Ordering::Release);
    }
}
