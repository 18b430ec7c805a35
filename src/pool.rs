//! A limit on the threads that search at a time, and on the memory, over all searchers of a
//! program.

pub(crate) mod bank;
mod builder;

use std::fmt;
use std::sync::Arc;

use crate::error::ConfigError;
use crate::sync::turn::Line;

use bank::Bank;
pub use builder::PoolBuilder;

/// The most threads of a searcher, and of a pool.
pub(crate) const WORKERS_LIMIT: usize = 1024;

/// A limit on the threads that search at the same time, for all searchers that are built with it.
///
/// Each searcher has threads of its own and knows of no other. Where many search at once, in a
/// server say, there are more threads than cores, and the system lets them run as it likes. With a
/// pool at most its number of threads search at any moment, and the others wait in line. A thread
/// keeps its place for 20 ms, or as long as no other waits; then the one that waits longest is
/// next. So searches with the same number of threads advance equally, whatever their games are.
///
/// The time of a budget runs from the call of the search, also while its threads wait: a search
/// whose time is over while it waits answers with what it has. So does one that is stopped.
/// [`Budget::time_from`](crate::Budget::time_from) lets it run from the first turn.
/// [`Handle::is_waiting`](crate::Handle::is_waiting) says whether a search waits.
///
/// # Memory
/// With [`memory`](PoolBuilder::memory) all engines of the pool together take at most that number
/// of bytes, each at most its **share**: the bytes divided by the number of engines that there are,
/// or by the number [given](PoolBuilder::engines) to the builder if there are fewer; and at most
/// its own limit. At its share an engine forgets what is of least use, as at its own limit.
///
/// An engine that is dropped gives its bytes back, and the shares of the others rise. When one
/// comes they fall: an engine that has more than its share by then does not grow, and gives the
/// rest back when it searches. Until then what is free may be less than the share of the new one,
/// and where there is not even room for one position it cannot be built
/// ([`ConfigError::PoolMemory`]). Give the builder the number of engines to rule that out.
///
/// An `AlphaBeta` and a `Solver` have tables that do not grow. They take what they are to have, or
/// what is left of their share, with their first search, and a smaller one with the first search
/// after their share has become smaller.
///
/// A clone is the same pool. What a search finds with one thread and a seed does not depend on it.
///
/// # Examples
/// Twenty games on two cores:
/// ```
/// use playtree::games::ConnectFour;
/// use playtree::{Budget, Mcts, Pool};
///
/// let pool = Pool::new(2)?;
/// let start = ConnectFour::new();
/// let mut games = Vec::new();
/// for seed in 0..20 {
///     let engine = Mcts::builder().threads(1).seed(seed).pool(&pool).build()?;
///     games.push(engine.start(&start, &Budget::simulations(2_000)));
/// }
/// for game in &mut games {
///     assert!(pool.searching() <= 2);
///     assert_eq!(game.wait()?.simulations, 2_000);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Pool {
    line: Arc<Line>,
    bank: Option<Arc<Bank>>,
}

impl Pool {
    /// A pool for this number of threads, 1 to 1024.
    ///
    /// # Errors
    /// If the number is out of its range.
    pub fn new(threads: usize) -> Result<Self, ConfigError> {
        Self::builder().threads(threads).build()
    }

    /// The settings of a new pool, each at its default.
    pub fn builder() -> PoolBuilder {
        PoolBuilder::new()
    }

    /// The most threads that search at a time.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.line.seats()
    }

    /// The threads that search now.
    #[must_use]
    pub fn searching(&self) -> usize {
        self.line.taken()
    }

    /// The threads that wait for their turn now.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.line.waiting()
    }

    /// The most bytes of all its engines together, if there is a limit.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        self.bank.as_deref().map(Bank::bytes)
    }

    /// Bytes that its engines have now, at most [`memory`](Self::memory). 0 if that is no limit:
    /// then they are not counted.
    #[must_use]
    pub fn memory_used(&self) -> u64 {
        self.bank.as_deref().map_or(0, Bank::taken)
    }

    /// What its engines are paid from, if it has a limit of memory.
    pub(crate) fn bank(&self) -> Option<&Arc<Bank>> {
        self.bank.as_ref()
    }

    /// What its threads wait in.
    pub(crate) fn line(&self) -> &Arc<Line> {
        &self.line
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("threads", &self.threads())
            .field("searching", &self.searching())
            .field("waiting", &self.waiting())
            .field("memory", &self.memory())
            .field("memory_used", &self.memory_used())
            .finish()
    }
}
