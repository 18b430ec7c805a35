//! A flag that ends a search from another thread.

use std::sync::Arc;

use crate::sync::{AtomicBool, Ordering};

/// Ends a search from another thread. Clones share the same flag.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// A token that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every search that holds this token to stop. Does not block.
    pub fn stop(&self) {
        // Relaxed: the flag carries no data; the search's own join orders the results.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether `stop` was called.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
