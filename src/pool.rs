//! A limit on the threads that search at a time, over all searchers of a program.

use std::fmt;
use std::sync::Arc;

use crate::error::{ConfigError, Setting};
use crate::sync::turn::Line;

/// The most threads of a searcher, and of a pool.
pub(crate) const WORKERS_LIMIT: usize = 1024;

/// A limit on the threads that search at the same time, for all searchers that are built with it.
///
/// Each searcher has threads of its own and knows of no other. Where many search at once, in a
/// server say, there are more threads than cores, and the system lets them run as it likes. With a
/// pool at most its number of threads search at any moment, and the others wait in line. A thread
/// keeps its place for 20 ms, or as long as no other waits; then the one that waits longest is next.
/// So searches with the same number of threads advance equally, whatever their games are.
///
/// The time of a budget runs from the call of the search, also while its threads wait: a search
/// whose time is over while it waits answers with what it has. So does one that is stopped.
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
}

impl Pool {
    /// A pool for this number of threads, 1 to 1024.
    ///
    /// # Errors
    /// If the number is out of its range.
    pub fn new(threads: usize) -> Result<Self, ConfigError> {
        ConfigError::check_range(Setting::Threads, threads, 1..=WORKERS_LIMIT)?;
        Ok(Self { line: Arc::new(Line::new(threads)) })
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
            .finish()
    }
}
