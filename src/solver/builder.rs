//! The settings of a solver, gathered one by one and checked together.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::error::{ConfigError, Setting};
use crate::game::assert_players;
use crate::helpers::Workers;
use crate::pool::Pool;
use crate::slots::BUCKET_BYTES;
use crate::solvable::{Method, POINTS_LIMIT, Solvable};

use super::Solver;

/// How much a solver finds out about the worth of a position.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// Whether it is won, drawn or lost.
    Winner,
    /// By how many points.
    Points,
    /// By how many points, and the plies until then, where the game
    /// [counts](Solvable::COUNTS_PLIES) them.
    #[default]
    Distance,
}

impl Aim {
    /// `winner`, `points` or `distance`, as the command line prints it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Aim::Winner => "winner",
            Aim::Points => "points",
            Aim::Distance => "distance",
        }
    }
}

/// The moves of the root that a solver finds out something about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootMoves {
    /// One best move.
    One,
    /// Which moves keep the points of the position, or its result if that is the [`Aim`]; and one
    /// that is best.
    #[default]
    Best,
    /// What each move is worth.
    All,
}

impl RootMoves {
    /// `one`, `best` or `all`, as the command line prints it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            RootMoves::One => "one",
            RootMoves::Best => "best",
            RootMoves::All => "all",
        }
    }
}

/// The settings that a solver looks at while it runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) method: Method,
    pub(super) aim: Aim,
    pub(super) root_moves: RootMoves,
    pub(super) memory_limit: usize,
}

/// The settings of a [`Solver`]. No setter changes what another has set.
#[must_use]
pub struct SolverBuilder<G> {
    workers: Workers,
    settings: Settings,
    game: PhantomData<fn() -> G>,
}

impl<G> Clone for SolverBuilder<G> {
    fn clone(&self) -> Self {
        let Self { workers, settings, game } = self;
        Self { workers: workers.clone(), settings: *settings, game: *game }
    }
}

impl<G> std::fmt::Debug for SolverBuilder<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SolverBuilder")
            .field("workers", &self.workers)
            .field("settings", &self.settings)
            .finish()
    }
}

/// The memory limit of a solver whose builder sets none.
const DEFAULT_MEMORY: usize = 256 << 20;

impl<G: Solvable> SolverBuilder<G> {
    pub(super) fn new() -> Self {
        assert_players::<G>();
        Self {
            workers: Workers::default(),
            settings: Settings {
                method: G::METHOD,
                aim: Aim::default(),
                root_moves: RootMoves::default(),
                memory_limit: DEFAULT_MEMORY,
            },
            game: PhantomData,
        }
    }

    /// The most worker threads, 1 to 1024; at most the number of logical cores is used. Default:
    /// the number of logical cores.
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

    /// Whether there may be more threads than logical cores. For tests. Default: no.
    pub fn oversubscribe(mut self, on: bool) -> Self {
        self.workers.oversubscribe = on;
        self
    }

    /// The most bytes of the table of facts; at least 64. A table that is full forgets, which costs
    /// time and never a wrong answer. Small problems take 2 MiB of it at most. In a [`Pool`] with
    /// [memory](crate::PoolBuilder::memory) it has at most its share. Default: 256 MiB.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.settings.memory_limit = bytes;
        self
    }

    /// How questions about points are answered; those about plies are always by alpha-beta.
    /// Default: what the game [says](Solvable::METHOD).
    pub fn method(mut self, method: Method) -> Self {
        self.settings.method = method;
        self
    }

    /// How much is found out about the position. Default: everything, [`Aim::Distance`].
    pub fn aim(mut self, aim: Aim) -> Self {
        self.settings.aim = aim;
        self
    }

    /// The moves that something is found out about. Default: which are best, [`RootMoves::Best`].
    pub fn root_moves(mut self, moves: RootMoves) -> Self {
        self.settings.root_moves = moves;
        self
    }

    /// Makes the solver.
    ///
    /// # Errors
    /// If a setting is out of its range: which one, and what it takes. If the game has more points
    /// than a solver counts, or its positions come again.
    pub fn build(self) -> Result<Solver<G>, ConfigError> {
        if !(1..=POINTS_LIMIT).contains(&G::MAX_POINTS) {
            return Err(ConfigError::MaxPoints { most: POINTS_LIMIT, found: G::MAX_POINTS });
        }
        if !G::SETTLED_BY_KEY {
            return Err(ConfigError::Repetitions);
        }
        self.workers.check()?;
        ConfigError::check_least(Setting::MemoryLimit, self.settings.memory_limit, BUCKET_BYTES)?;
        ConfigError::check_sizes::<G>()?;
        Solver::new(self.settings, self.workers.count(), self.workers.pool)
    }
}
