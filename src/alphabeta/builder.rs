//! The settings of an alpha-beta searcher, gathered one by one and checked together.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::{ConfigError, Setting};
use crate::evaluate::{Evaluate, VALUE_LIMIT};
use crate::game::{GameState, assert_players};
use crate::helpers::{WORKERS_LIMIT, Workers};
use crate::oracle::{OracleOrder, check_table};
use crate::pool::Pool;
use crate::pool::bank::{Needs, Purse};
use crate::slots::BUCKET_BYTES;

use super::AlphaBeta;
use super::table::Bounds;

/// How the workers of a search share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParallelMode {
    /// The moves of the root are a queue: after the first one each worker takes the next move, and
    /// all of them share the best value so far. At most
    /// [`max_root_tasks`](AlphaBetaBuilder::max_root_tasks) run at once.
    RootTasks,
    /// Any position may be shared: once its first move is searched (young brothers wait), a worker
    /// without work takes others of its moves. See
    /// [`max_threads_per_split`](AlphaBetaBuilder::max_threads_per_split) and
    /// [`min_split_depth`](AlphaBetaBuilder::min_split_depth).
    #[default]
    SplitPoints,
    /// Each worker searches the root on its own, to depths that differ, and finds in the table what
    /// the others have found out (Lazy SMP). Without a table it is of no use.
    SharedTable,
}

impl ParallelMode {
    /// `root_tasks`, `split_points` or `shared_table`, as the command line prints it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ParallelMode::RootTasks => "root_tasks",
            ParallelMode::SplitPoints => "split_points",
            ParallelMode::SharedTable => "shared_table",
        }
    }
}

/// The settings that the search looks at while it runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) pvs: bool,
    pub(super) aspiration: Option<i32>,
    pub(super) exact_depth: bool,
    pub(super) killers: bool,
    pub(super) history: bool,
    pub(super) quiescence: bool,
    pub(super) check_extension: bool,
    pub(super) null_move: bool,
    pub(super) reductions: bool,
    pub(super) random_choice: bool,
    pub(super) seed: u64,
    pub(super) mode: ParallelMode,
    pub(super) max_root_tasks: usize,
    pub(super) max_threads_per_split: usize,
    pub(super) min_split_depth: u32,
}

/// The settings of an [`AlphaBeta`]. No setter changes what another has set.
#[derive(Clone, Debug)]
#[must_use]
pub struct AlphaBetaBuilder<G: GameState, E: Evaluate<G>> {
    evaluator: E,
    workers: Workers,
    table_bytes: Option<usize>,
    settings: Settings,
    endgames: Option<OracleOrder<G>>,
    game: PhantomData<fn() -> G>,
}

impl<G: GameState, E: Evaluate<G>> AlphaBetaBuilder<G, E> {
    pub(super) fn new(evaluator: E) -> Self {
        assert_players::<G>();
        let settings = Settings {
            pvs: true,
            aspiration: Some(50),
            exact_depth: false,
            killers: true,
            history: true,
            quiescence: true,
            check_extension: true,
            null_move: true,
            reductions: false,
            random_choice: false,
            seed: 0,
            mode: ParallelMode::default(),
            max_root_tasks: WORKERS_LIMIT,
            max_threads_per_split: 8,
            min_split_depth: 4,
        };
        Self {
            evaluator,
            workers: Workers::default(),
            table_bytes: Some(64 << 20),
            settings,
            endgames: None,
            game: PhantomData,
        }
    }

    /// Worker threads asked for, at least 1; a search uses `min(logical cores, threads)`.
    /// Default: the logical cores.
    pub fn threads(mut self, threads: usize) -> Self {
        self.workers.threads = threads;
        self
    }

    /// Searches only while it is its turn among all searchers of this [`Pool`]. Default: none, its
    /// threads search whenever the system lets them.
    pub fn pool(mut self, pool: &Pool) -> Self {
        self.workers.pool = Some(pool.clone());
        self
    }

    /// Uses more workers than there are cores if [`threads`](Self::threads) asks for them. For
    /// tests and measurements. Default: off.
    pub fn oversubscribe(mut self, allowed: bool) -> Self {
        self.workers.oversubscribe = allowed;
        self
    }

    /// How the workers share the work. Default: split points.
    pub fn mode(mut self, mode: ParallelMode) -> Self {
        self.settings.mode = mode;
        self
    }

    /// The most moves of the root that are searched at once, with [`ParallelMode::RootTasks`]; at
    /// least 1. No more threads are used than that. Default: the number of threads.
    pub fn max_root_tasks(mut self, tasks: usize) -> Self {
        self.settings.max_root_tasks = tasks;
        self
    }

    /// The most threads that search the moves of one split point, the one that made it included,
    /// 2 to 1024. More wait less, and search more of what a cut-off makes needless. Default: 8.
    pub fn max_threads_per_split(mut self, threads: usize) -> Self {
        self.settings.max_threads_per_split = threads;
        self
    }

    /// The least remaining depth at which a position may be split, in plies, at least 1. Below it
    /// what a split costs is more than what it shares. Default: 4.
    pub fn min_split_depth(mut self, plies: u32) -> Self {
        self.settings.min_split_depth = plies;
        self
    }

    /// The most memory of the table of bounds, in bytes, at least 64; `None` for no table.
    /// Default: 64 MiB. The table begins with 64 to 128 KiB, and doubles before it would have to
    /// overwrite anything, so a short search takes little of it. In a [`Pool`] with
    /// [memory](crate::PoolBuilder::memory) all of it is paid for by the first search, and it is
    /// smaller where the pool has less.
    pub fn table_bytes(mut self, bytes: Option<usize>) -> Self {
        self.table_bytes = bytes;
        self
    }

    /// Whether what the table says of a position counts only if it was searched to the very depth
    /// that is asked for. Off: deeper is better. On: the value at a given depth is that of a plain
    /// search without a table, as long as no position comes again on a line. For tests.
    /// Default: off.
    pub fn exact_depth(mut self, on: bool) -> Self {
        self.settings.exact_depth = on;
        self
    }

    /// Whether moves after the first are searched with an empty window, and again only if they
    /// turn out better (principal variation search, Marsland and Campbell 1982). Default: on.
    pub fn pvs(mut self, on: bool) -> Self {
        self.settings.pvs = on;
        self
    }

    /// By how much, in units of the evaluator, the value may differ from that of the iteration
    /// before until the root is searched again with a wider window; at least 1. `None` for the full
    /// window at once. Default: 50.
    pub fn aspiration(mut self, half_width: Option<i32>) -> Self {
        self.settings.aspiration = half_width;
        self
    }

    /// Whether moves that refuted another one at the same ply are tried early. Needs
    /// [`Evaluate::slot`]. Default: on.
    pub fn killers(mut self, on: bool) -> Self {
        self.settings.killers = on;
        self
    }

    /// Whether quiet moves are tried in the order of what they did elsewhere. Needs
    /// [`Evaluate::slot`]. Default: on.
    pub fn history(mut self, on: bool) -> Self {
        self.settings.history = on;
        self
    }

    /// Whether a position is evaluated only after its noisy moves ([`Evaluate::noisy_moves`]) and,
    /// where the side to move is [forced](Evaluate::is_forced), all of them. Default: on.
    pub fn quiescence(mut self, on: bool) -> Self {
        self.settings.quiescence = on;
        self
    }

    /// Whether a position in which the side to move is [forced](Evaluate::is_forced) is searched a
    /// ply deeper. Default: on.
    pub fn check_extension(mut self, on: bool) -> Self {
        self.settings.check_extension = on;
        self
    }

    /// Whether a side that is better off even after a [pass](Evaluate::pass) is believed to be
    /// (null move pruning, Beal 1989, Donninger 1993). May miss the best move where having to move
    /// is a burden. Does nothing in games whose evaluator knows no pass. Default: on.
    pub fn null_move(mut self, on: bool) -> Self {
        self.settings.null_move = on;
        self
    }

    /// Whether late quiet moves are searched less deep at first. Default: off.
    pub fn reductions(mut self, on: bool) -> Self {
        self.settings.reductions = on;
        self
    }

    /// Asks this oracle about positions near the end of the game.
    pub(crate) fn oracle(mut self, order: OracleOrder<G>) -> Self {
        self.endgames = Some(order);
        self
    }

    /// Whether the best move is drawn, by the seed, from all moves that are exactly as good. The
    /// search then finds all of them, which costs some nodes. Default: off, the first one found.
    pub fn random_choice(mut self, on: bool) -> Self {
        self.settings.random_choice = on;
        self
    }

    /// The seed of the random choice. Default: 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Makes the searcher.
    ///
    /// # Errors
    /// If a setting is out of its range: which one, and what it takes. If there is no memory for a
    /// table. If the game is not one for two players.
    pub fn build(self) -> Result<AlphaBeta<G, E>, ConfigError> {
        self.check()?;
        let table = |bytes| {
            let refused = ConfigError::NoMemory { setting: Setting::TableBytes, bytes };
            Bounds::new(bytes, None).ok_or(refused)
        };
        let wanted = self.table_bytes.unwrap_or(0);
        let endgames = self.endgames.as_ref().map_or(0, OracleOrder::bytes);
        let needs = Needs { aside: endgames as u64, ..Needs::of_table(wanted) };
        let purse = Arc::new(Purse::of(self.workers.pool.as_ref(), None, needs)?);
        // In a pool with bytes it is taken by a search.
        let own_bytes = self.table_bytes.filter(|_| !purse.is_shared());
        let bounds = own_bytes.map(table).transpose()?;
        Ok(AlphaBeta {
            evaluator: self.evaluator,
            bounds,
            table_bytes: wanted,
            purse,
            settings: self.settings,
            endgames: self.endgames.as_ref().map(OracleOrder::make).transpose()?,
            threads: self.workers.count(),
            pool: self.workers.pool,
            searches: 0,
            compiled_run: AlphaBeta::run,
        })
    }

    /// Refuses what [`build`](Self::build) would refuse, and makes nothing.
    ///
    /// # Errors
    /// As `build`, but for memory that there is not.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Settings { aspiration, max_root_tasks, .. } = self.settings;
        let Settings { max_threads_per_split, min_split_depth, .. } = self.settings;
        if G::PLAYERS != 2 {
            return Err(ConfigError::Players { found: G::PLAYERS });
        }
        self.workers.check()?;
        if let Some(bytes) = self.table_bytes {
            ConfigError::check_least(Setting::TableBytes, bytes, BUCKET_BYTES)?;
        }
        if let Some(endgames) = &self.endgames {
            check_table(endgames.bytes())?;
        }
        if let Some(width) = aspiration {
            ConfigError::check_range(Setting::Aspiration, width, 1..=VALUE_LIMIT)?;
        }
        ConfigError::check_least(Setting::MaxRootTasks, max_root_tasks, 1)?;
        let setting = Setting::MaxThreadsPerSplit;
        ConfigError::check_range(setting, max_threads_per_split, 2..=WORKERS_LIMIT)?;
        ConfigError::check_least(Setting::MinSplitDepth, min_split_depth, 1)?;
        ConfigError::check_sizes::<G>()
    }
}
