//! The Monte Carlo tree search: the engine, its builder and its settings.

mod config;

use std::marker::PhantomData;

pub use config::{
    Expansion, InFlight, LockPolicy, RoundSize, Selection, Table, ValueScheme, WarmUpDraw,
};

use crate::budget::Budget;
use crate::error::{ConfigError, SearchError};
use crate::game::GameState;
use crate::report::Report;

/// A parallel Monte Carlo tree search with a table of positions that outlives a search.
#[derive(Debug)]
pub struct Mcts<G: GameState> {
    game: PhantomData<G>,
}

impl<G: GameState> Mcts<G> {
    /// The settings of a new engine, each at its default.
    pub fn builder() -> MctsBuilder<G> {
        MctsBuilder::default()
    }

    /// Searches `state` until the budget is used up, and reports what was found.
    ///
    /// # Errors
    /// If the game is over at `state`, the budget has no limit, or the game breaks a law.
    pub fn search(&mut self, state: &G, budget: &Budget) -> Result<Report<G::Move>, SearchError> {
        let _ = (state, budget);
        unimplemented!()
    }

    /// The best move of [`search`](Self::search).
    ///
    /// # Errors
    /// As `search`.
    pub fn best_move(&mut self, state: &G, budget: &Budget) -> Result<G::Move, SearchError> {
        Ok(self.search(state, budget)?.best_move)
    }

    /// The win rate of [`search`](Self::search), for the side to move, in `[0, 1]`.
    ///
    /// # Errors
    /// As `search`.
    pub fn evaluate(&mut self, state: &G, budget: &Budget) -> Result<f64, SearchError> {
        Ok(self.search(state, budget)?.win_rate)
    }

    /// Forgets every position. The memory is kept for the next search.
    pub fn clear(&mut self) {}
}

/// The settings of an [`Mcts`]. No setter changes what another has set.
#[derive(Clone, Debug)]
#[must_use]
pub struct MctsBuilder<G: GameState> {
    threads: usize,
    seed: u64,
    selection: Selection,
    warm_up: u32,
    warm_up_draw: WarmUpDraw,
    expansion: Expansion,
    lock_policy: LockPolicy,
    table: Table,
    in_flight: InFlight,
    value_scheme: ValueScheme,
    proofs: bool,
    memory_limit: Option<usize>,
    round_size: RoundSize,
    rollout_limit: u32,
    oversubscribe: bool,
    game: PhantomData<fn() -> G>,
}

impl<G: GameState> Default for MctsBuilder<G> {
    fn default() -> Self {
        Self {
            threads: num_cpus::get(),
            seed: 0,
            selection: Selection::default(),
            warm_up: 1,
            warm_up_draw: WarmUpDraw::default(),
            expansion: Expansion::default(),
            lock_policy: LockPolicy::default(),
            table: Table::default(),
            in_flight: InFlight::default(),
            value_scheme: ValueScheme::default(),
            proofs: true,
            memory_limit: None,
            round_size: RoundSize::default(),
            rollout_limit: 10_000,
            oversubscribe: false,
            game: PhantomData,
        }
    }
}

impl<G: GameState> MctsBuilder<G> {
    /// Worker threads asked for, at least 1; the engine uses `min(logical cores, threads)`.
    /// Default: the logical cores.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Uses more workers than there are cores if so many are asked for. For tests: a spin
    /// lock wants a core for each worker. Default: off.
    pub fn oversubscribe(mut self, allowed: bool) -> Self {
        self.oversubscribe = allowed;
        self
    }

    /// The seed of the random numbers. With one worker, the same seed and the same calls
    /// give the same reports, on every machine. Default: 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How a branch is picked once the warm-up is complete. Default: UCB1 with 0.7.
    pub fn selection(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Visits that each branch of a node gets, drawn at random, before the selection policy
    /// picks; at least 1. Default: 1.
    pub fn warm_up(mut self, visits: u32) -> Self {
        self.warm_up = visits;
        self
    }

    /// How branches are drawn during the warm-up. Default: among the unfinished ones.
    pub fn warm_up_draw(mut self, draw: WarmUpDraw) -> Self {
        self.warm_up_draw = draw;
        self
    }

    /// Which positions become nodes. Default: one per simulation, from the second visit.
    pub fn expansion(mut self, expansion: Expansion) -> Self {
        self.expansion = expansion;
        self
    }

    /// What an update does that finds a node's lock busy. Default: it waits.
    pub fn lock_policy(mut self, policy: LockPolicy) -> Self {
        self.lock_policy = policy;
        self
    }

    /// How the table is locked. Default: 64 shards.
    pub fn table(mut self, table: Table) -> Self {
        self.table = table;
        self
    }

    /// How simulations under way count in selection. Default: in the exploration term.
    pub fn in_flight(mut self, policy: InFlight) -> Self {
        self.in_flight = policy;
        self
    }

    /// Whether positions reached by several paths share a node. Default: they do.
    pub fn value_scheme(mut self, scheme: ValueScheme) -> Self {
        self.value_scheme = scheme;
        self
    }

    /// Whether wins, losses and draws are proven upwards (games of one and two players).
    /// Default: on.
    pub fn proofs(mut self, on: bool) -> Self {
        self.proofs = on;
        self
    }

    /// Memory for nodes, edges, moves and the table, in bytes, `None` for no limit. At the
    /// limit no more nodes are made, and the report says so. Default: no limit.
    pub fn memory_limit(mut self, bytes: Option<usize>) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// How many simulations a worker selects together. Default: adaptive, at most 128.
    pub fn round_size(mut self, size: RoundSize) -> Self {
        self.round_size = size;
        self
    }

    /// The most plies of a rollout; one that reaches it counts as
    /// [`GameState::repetition`] says, a draw by default. At least 1. Default: 10 000.
    pub fn rollout_limit(mut self, plies: u32) -> Self {
        self.rollout_limit = plies;
        self
    }

    /// Makes the engine.
    ///
    /// # Errors
    /// If a setting is out of its range: which one, and what it takes.
    pub fn build(self) -> Result<Mcts<G>, ConfigError> {
        Ok(Mcts { game: PhantomData })
    }
}
