//! Oracles: what a search can ask for the worth of a position near the end of the game.

use std::fmt;
use std::sync::Arc;

use crate::error::{ConfigError, Setting};
use crate::slots::BUCKET_BYTES;
use crate::solvable::Worth;

/// What a search asks about positions with few plies left. Shared by all workers.
pub(crate) trait Oracle<G>: Send + Sync {
    /// What the position is worth for its side to move, if that is found out at once: points of the
    /// right sign, and the plies of a win or a loss at most. `None` at the end of the game too.
    fn worth(&self, state: &G) -> Option<Worth>;

    /// Forgets everything, so that the next search goes as the first one did.
    fn forget(&self);
}

/// Refuses a table for endgames that is too small.
pub(crate) fn check_table(bytes: usize) -> Result<(), ConfigError> {
    ConfigError::check_least(Setting::Endgames, bytes, BUCKET_BYTES)
}

/// How an oracle is made that has a table of this size in bytes; `None` if there is no memory for
/// it.
pub(crate) type MakeOracle<G> = fn(usize) -> Option<Arc<dyn Oracle<G>>>;

/// How a builder keeps what it is to make: each engine has an oracle of its own.
#[derive(Clone, Copy)]
pub(crate) struct OracleOrder<G> {
    bytes: usize,
    make: MakeOracle<G>,
}

impl<G> OracleOrder<G> {
    /// An oracle with a table of `bytes`.
    pub(crate) fn new(bytes: usize, make: MakeOracle<G>) -> Self {
        Self { bytes, make }
    }

    /// Bytes of its table.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// An oracle that no other engine has.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(crate) fn make(&self) -> Result<Arc<dyn Oracle<G>>, ConfigError> {
        let refused = ConfigError::NoMemory { setting: Setting::Endgames, bytes: self.bytes };
        (self.make)(self.bytes).ok_or(refused)
    }
}

impl<G> fmt::Debug for OracleOrder<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.bytes)
    }
}
