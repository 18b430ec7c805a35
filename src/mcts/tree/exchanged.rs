//! What a tree knows of [exchanges](crate::mcts::exchange) with other engines.

use crate::sync::{AtomicBool, AtomicU32, Ordering};

/// Which exchanges have begun with a tree, and whether it has got anything from them.
#[derive(Debug)]
pub(crate) struct Exchanged {
    begun: AtomicU32,
    has_absorbed: AtomicBool,
    has_proofs: AtomicBool,
}

impl Default for Exchanged {
    fn default() -> Self {
        Self {
            begun: AtomicU32::new(0),
            has_absorbed: AtomicBool::new(false),
            has_proofs: AtomicBool::new(false),
        }
    }
}

impl Exchanged {
    /// A mark for the nodes that a new exchange knows, not 0: another one than that of the exchange
    /// before.
    pub(crate) fn begin(&self) -> u8 {
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        (number % u32::from(u8::MAX)) as u8 + 1
    }

    /// Whether visits of other engines are in the tree.
    pub(crate) fn has_absorbed(&self) -> bool {
        self.has_absorbed.load(Ordering::Relaxed)
    }

    /// Notes that visits of other engines are about to come.
    pub(crate) fn note_absorbed(&self) {
        self.has_absorbed.store(true, Ordering::Relaxed);
    }

    /// Whether a branch may know more than the position it leads to, as another engine has proven
    /// it.
    pub(crate) fn has_proofs(&self) -> bool {
        self.has_proofs.load(Ordering::Relaxed)
    }

    /// Notes that a proof of another engine is about to come.
    pub(crate) fn note_proof(&self) {
        self.has_proofs.store(true, Ordering::Relaxed);
    }
}
