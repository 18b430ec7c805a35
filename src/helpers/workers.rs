//! The worker threads that a builder is asked for.

use crate::error::{ConfigError, Setting};
use crate::pool::Pool;
pub(crate) use crate::pool::WORKERS_LIMIT;

/// The worker threads of a searcher, as its builder is asked for them.
#[derive(Clone, Debug)]
pub(crate) struct Workers {
    pub(crate) threads: usize,
    /// Whether there may be more of them than logical cores.
    pub(crate) oversubscribe: bool,
    /// The searchers that they take turns with.
    pub(crate) pool: Option<Pool>,
}

impl Default for Workers {
    /// One for each logical core.
    fn default() -> Self {
        Self { threads: num_cpus::get(), oversubscribe: false, pool: None }
    }
}

impl Workers {
    /// Refuses a number of threads that is out of its range.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        ConfigError::check_range(Setting::Threads, self.threads, 1..=WORKERS_LIMIT)
    }

    /// The threads that a search uses.
    pub(crate) fn count(&self) -> usize {
        if self.oversubscribe { self.threads } else { self.threads.min(num_cpus::get()) }
    }
}
