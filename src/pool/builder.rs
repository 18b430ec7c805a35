//! The settings of a pool, gathered one by one and checked together.

use std::fmt;
use std::sync::Arc;

use crate::error::{ConfigError, Setting};
use crate::sync::turn::{Line, OnStart};

use super::bank::Bank;
use super::{Pool, WORKERS_LIMIT};

/// The settings of a [`Pool`]. No setter changes what another has set.
#[derive(Clone)]
#[must_use]
pub struct PoolBuilder {
    threads: usize,
    memory: Option<u64>,
    engines: usize,
    on_thread_start: Option<OnStart>,
}

impl PoolBuilder {
    pub(super) fn new() -> Self {
        Self { threads: num_cpus::get(), memory: None, engines: 1, on_thread_start: None }
    }

    /// The most threads that search at a time, 1 to 1024. Default: the logical cores.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// The most bytes of all engines of the pool together: their trees, their tables, and what the
    /// rounds of their workers take. Never more than that is taken; [`Pool`] says how it is shared.
    /// Default: no limit but those of the engines.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// The number of engines that the memory is divided among, at least 1, also while there are
    /// fewer: so the share of an engine that comes later is free when it comes. Default: 1.
    pub fn engines(mut self, engines: usize) -> Self {
        self.engines = engines;
        self
    }

    /// Calls `hook` at the start of each thread that an engine of the pool searches in, in that
    /// thread, before it searches: to set its priority or the cores that it runs on. Threads that
    /// the library starts have names: `playtree-search` for the one of a
    /// [`Handle`](crate::Handle), `playtree-2` and so on for the further workers of an engine. The
    /// thread that calls [`Mcts::search`](crate::Mcts::search) is the program's own, and has no
    /// call.
    ///
    /// A panic of the hook ends nothing: the thread searches all the same.
    ///
    /// # Examples
    /// ```
    /// use playtree::games::ConnectFour;
    /// use playtree::{Budget, Mcts, Pool};
    ///
    /// let pool = Pool::builder()
    ///     .threads(2)
    ///     .on_thread_start(|| {
    ///         let thread = std::thread::current();
    ///         println!("{} searches", thread.name().unwrap_or("a thread without a name"));
    ///     })
    ///     .build()?;
    /// let engine = Mcts::builder().pool(&pool).build()?;
    /// engine.start(&ConnectFour::new(), &Budget::simulations(1_000)).wait()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_thread_start(mut self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.on_thread_start = Some(Arc::new(hook));
        self
    }

    /// Makes the pool.
    ///
    /// # Errors
    /// If a number is out of its range.
    pub fn build(self) -> Result<Pool, ConfigError> {
        let Self { threads, memory, engines, on_thread_start } = self;
        ConfigError::check_range(Setting::Threads, threads, 1..=WORKERS_LIMIT)?;
        ConfigError::check_least(Setting::Engines, engines, 1)?;
        Ok(Pool {
            line: Arc::new(Line::new(threads, on_thread_start)),
            bank: memory.map(|bytes| Arc::new(Bank::new(bytes, engines))),
        })
    }
}

impl fmt::Debug for PoolBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PoolBuilder")
            .field("threads", &self.threads)
            .field("memory", &self.memory)
            .field("engines", &self.engines)
            .field("on_thread_start", &self.on_thread_start.is_some())
            .finish()
    }
}
