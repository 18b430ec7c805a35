//! The exact solver: the searcher, its settings, its answer.
//!
//! [`SolverBuilder`] has the settings, and makes a [`Solver`] of a [`Solvable`] game. [`Solution`]
//! is its answer, with [`Limits`] of what a position is [`Worth`]; a [`Strategy`] is what one
//! player does about everything that the others can do.

mod builder;
mod endgames;
mod facts;
mod frame;
mod max_n;
mod numbers;
mod options;
mod proof_number;
mod root;
mod save;
mod search;
mod solution;
mod strategy;
mod thinking;
mod view;
mod worker;

use std::fmt;
use std::sync::Arc;

use crate::budget::{Budget, Quantity};
use crate::error::{ConfigError, SearchError};
use crate::events;
use crate::game::GameState;
use crate::helpers::drop_elsewhere;
use crate::laws::{check_moves, checked_mover, or_failure};
use crate::pool::Pool;
use crate::pool::bank::{Charge, Needs, Purse};
use crate::slots::BUCKET_BYTES;
use crate::solvable::Solvable;
use crate::stop::{Positions, refuse_uncounted};

pub(crate) use endgames::endgames;

pub use crate::solvable::{Limits, Method, PLIES_LIMIT, POINTS_LIMIT, Worth};
pub use builder::{Aim, RootMoves, SolverBuilder};
pub use options::Options;
pub use solution::{Solution, SolvedMove};
pub use strategy::{Strategy, StrategyKind, StrategyMove, StrategyOptions, StrategyPosition};

use builder::Settings;
use facts::Facts;
use root::Plan;
use view::Show;
use worker::Shared;

/// Finds out what a position is worth with best play, for certain: who wins, by how much and how
/// soon, and which moves keep it. For games in which no position comes again.
///
/// It proves one limit after the other by alpha-beta searches with an empty window over a table of
/// facts of a limited size (MTD, Plaat et al. 1996), until the limits meet. What the table knows
/// stays for the next search: so an unfinished search is gone on with by asking again, and the
/// answers to the moves of a solved position come at once.
///
/// With three and more players each maximises his own points (max^n): everything is looked at once,
/// by one worker, nothing is cut off, and plies are not counted.
///
/// # How certain it is
/// A fact in the table is found by one 64-bit hash of the position's key and checked by another
/// one. A look-up takes a position for another one with a chance of about four in 2^64: once in
/// four thousand million million look-ups. Nothing else in an answer is left to chance.
///
/// # Examples
/// Two corners against the centre:
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::games::TicTacToe;
/// use playtree::{Budget, Notation, Proven, Solver};
///
/// let mut solver = Solver::builder().threads(1).build()?;
/// let position = TicTacToe::parse_position("X...O...X")?;
/// let solution = solver.solve(&position, &Budget::unlimited())?;
/// assert_eq!(solution.proven(), Some(Proven::Draw));
/// let best: Vec<_> = solution.best_moves().map(|mv| position.move_text(mv)).collect();
/// assert_eq!(best, ["2", "4", "6", "8"]); // the edges
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver<G: Solvable> {
    /// Shared only with the handle of a search in the background.
    facts: Option<Arc<Facts>>,
    /// Whether the table was loaded and is too good to be given up for a larger one.
    keeps_size: bool,
    settings: Settings,
    /// The most workers: a search with less work uses fewer.
    threads: usize,
    /// The searchers that they take turns with.
    pool: Option<Pool>,
    /// What the table is paid from.
    purse: Arc<Purse>,
    /// [`run`](Self::run) as the crate that built the solver has it: one that
    /// holds solvers need not be optimised as one that makes them is.
    compiled_run: Run<G>,
}

/// A search, as a function: see [`Solver::run`].
type Run<G> = fn(
    &mut Solver<G>,
    &G,
    &Budget,
    Settings,
    &Positions,
    Option<Show<'_, <G as GameState>::Move>>,
) -> Result<Solution<<G as GameState>::Move>, SearchError>;

/// The table that a search begins with, by itself: one that fits in the cache, and takes no time to
/// make.
const SMALL_BYTES: usize = 2 << 20;

/// What each worker is to have of the table that a search ends with: with less they overwrite what
/// each other's lines of play rest on, and may never be through.
const WORKER_BYTES: usize = 1 << 16;

/// By how much a table is larger than the one before. To make a large one takes as long as to
/// search millions of positions.
const GROWTH: usize = 16;

/// Bytes of a table for each position that is searched before a search goes over to the next table.
const NODE_BYTES: u64 = 20;

/// Positions after which a search in a large table goes over to all of its workers: what the table
/// knows is answered before they could be started.
const FIRST_NODES: u64 = 1_000;

/// A table of more bytes is given back by a thread of its own.
const LARGE_BYTES: usize = 32 << 20;

impl<G: Solvable> Solver<G> {
    /// The settings of a new solver, each at its default.
    pub fn builder() -> SolverBuilder<G> {
        SolverBuilder::new()
    }

    fn new(settings: Settings, threads: usize, pool: Option<Pool>) -> Result<Self, ConfigError> {
        let needs = Needs::of_table(settings.memory_limit);
        let purse = Arc::new(Purse::of(pool.as_ref(), None, needs)?);
        Ok(Self {
            facts: None,
            keeps_size: false,
            settings,
            threads,
            pool,
            purse,
            compiled_run: Self::run,
        })
    }

    /// Solves `state`, or finds out what the budget allows.
    ///
    /// Blocks until then; use a [`StopToken`](crate::StopToken) to end it from another thread. A
    /// budget without a limit will do: the search ends by itself, though it may take years.
    /// [`nodes`](Budget::nodes) are positions searched, and so are simulations where a
    /// [rule](crate::budget::StopRule) counts them.
    ///
    /// # Errors
    /// If the game is over at `state`, the budget is one of simulations or has a rule that waits
    /// for memory, a depth or a best move ([`Quantity`]), a line of play goes on for more than
    /// [`PLIES_LIMIT`] plies, or the game breaks a law of [`GameState`]. The
    /// solver stays usable.
    ///
    /// # Panics
    /// With the game's own panic. The solver stays usable.
    pub fn solve(&mut self, state: &G, budget: &Budget) -> Result<Solution<G::Move>, SearchError> {
        self.solve_unseen(state, budget, self.settings)
    }

    /// Solves `state` with these settings, and lets nothing be read until it has ended.
    fn solve_unseen(
        &mut self,
        state: &G,
        budget: &Budget,
        settings: Settings,
    ) -> Result<Solution<G::Move>, SearchError> {
        let positions = Positions::start(budget);
        (self.compiled_run)(self, state, budget, settings, &positions, None)
    }

    /// A search that counts in `positions`, which were started for this budget. `begun` gets what
    /// to read before the first position is searched; without it nothing is kept for readers.
    ///
    /// Called by way of `compiled_run`.
    fn run(
        &mut self,
        state: &G,
        budget: &Budget,
        settings: Settings,
        positions: &Positions,
        begun: Option<Show<'_, G::Move>>,
    ) -> Result<Solution<G::Move>, SearchError> {
        let _turn = positions.stop.begin_turns(self.pool.as_ref().map(Pool::line));
        let workers = self.threads;
        let run = || {
            self.run_all(state, budget, settings, positions, begun)
                .map_err(|error| or_failure(state, error))
        };
        events::search::<G, _>(("solver", workers, budget), run, |solution| events::Found {
            simulations: None,
            nodes: solution.nodes,
            workers: solution.workers,
            elapsed: solution.elapsed,
            reason: solution.stop_reason,
        })
    }

    fn run_all(
        &mut self,
        state: &G,
        budget: &Budget,
        settings: Settings,
        positions: &Positions,
        begun: Option<Show<'_, G::Move>>,
    ) -> Result<Solution<G::Move>, SearchError> {
        if let Some(found) = budget.simulations_limit() {
            return Err(SearchError::Simulations { found });
        }
        refuse_uncounted(budget, "a solver", &[Quantity::Bytes, Quantity::Depth, Quantity::Best])?;
        if let Some(outcome) = state.outcome() {
            return Err(SearchError::GameOver(outcome));
        }
        checked_mover(state)?;
        let mut moves = Vec::new();
        state.moves(&mut moves);
        check_moves(state, &moves)?;
        positions.set_root(moves.len());
        if G::PLAYERS > 2 {
            // Paid for as long as it searches.
            let charge = self.purse.pay_table(settings.memory_limit, 0);
            let limit = charge.as_ref().map_or(0, Charge::bytes);
            return max_n::solve(state, moves, positions, limit, begun);
        }
        let mut plan = Plan::new(state, moves, settings)?;
        let live = begun.map(|begun| {
            let live = plan.show();
            begun(Arc::clone(&live));
            live
        });
        let mut peak = 0;
        let mut is_first = true;
        // The system has no memory for a larger table.
        let mut has_all = false;
        let mut has_grown = false;
        self.fit_table();
        loop {
            let limit = settings.memory_limit.min(self.most_bytes());
            let purse = &self.purse;
            let new = || Arc::new(Facts::paid(table_bytes(SMALL_BYTES, limit), purse));
            let facts = &*self.facts.get_or_insert_with(new);
            let bytes = facts.bytes();
            if let Some(live) = &live {
                live.set_facts(Some(Arc::clone(facts)));
            }
            let is_last = self.keeps_size || has_all || bytes.saturating_mul(GROWTH) > limit;
            let is_small = bytes <= SMALL_BYTES && !is_last;
            let is_glance = is_first && !is_small && self.threads > 1;
            let (workers, patience) = match (is_glance, is_last) {
                (true, _) => (1, FIRST_NODES),
                (false, true) => (self.threads.min((bytes / WORKER_BYTES).max(1)), u64::MAX),
                (false, false) => {
                    (if is_small { 1 } else { self.threads }, bytes as u64 / NODE_BYTES)
                }
            };
            is_first = false;
            let shared = Shared::new(facts, positions, settings.method, workers);
            let is_done = worker::run(&shared, |worker| {
                worker.patience = patience;
                worker.live = live.as_deref();
                plan.follow(worker) || !worker.is_out_of_patience
            });
            peak = peak.max(facts.bytes());
            if let Some(error) = positions.stop.take_error() {
                return Err(error);
            }
            if is_done || positions.stop.is_stopped() {
                let used = facts.used();
                if has_grown {
                    plan.write_down(facts, positions.visited());
                }
                return Ok(plan.solution(positions, peak as u64, used));
            }
            if !is_glance {
                // What the smaller table knows is soon found again.
                if let Some(live) = &live {
                    live.set_facts(None);
                }
                self.facts = None;
                let wanted = table_bytes(bytes * GROWTH, limit);
                let facts = self.facts.insert(Arc::new(Facts::paid(wanted, &self.purse)));
                has_all = facts.bytes() < wanted - wanted % BUCKET_BYTES;
                has_grown = true;
            }
        }
    }

    /// The most bytes of its table: in a pool they may become less.
    fn most_bytes(&self) -> usize {
        usize::try_from(self.purse.ceiling()).unwrap_or(usize::MAX)
    }

    /// Gives a table up that is larger than it may be.
    fn fit_table(&mut self) {
        let most = self.most_bytes();
        if let Some(facts) = self.facts.take_if(|facts| facts.bytes() > most) {
            self.keeps_size = false;
            free(facts);
        }
    }

    /// The number of worker threads a search may use: `min(logical cores, threads asked for)`.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.threads
    }

    /// Forgets every fact, and keeps the memory.
    pub fn forget(&mut self) {
        self.keeps_size = false;
        if let Some(facts) = &self.facts {
            facts.clear();
        }
    }

    /// Forgets every fact, and gives the memory back: at once, or, of a large table, soon after by
    /// a thread of its own.
    pub fn clear(&mut self) {
        self.keeps_size = false;
        if let Some(facts) = self.facts.take() {
            free(facts);
        }
    }
}

/// The size of a table that is to have `bytes` bytes: `limit` if that leaves no room for the next
/// size.
fn table_bytes(bytes: usize, limit: usize) -> usize {
    if bytes.saturating_mul(GROWTH) > limit { limit } else { bytes }
}

/// Gives a table back without keeping the caller waiting.
fn free(facts: Arc<Facts>) {
    if facts.bytes() >= LARGE_BYTES {
        drop_elsewhere(facts);
    }
}

impl<G: Solvable> Drop for Solver<G> {
    fn drop(&mut self) {
        self.clear();
    }
}

impl<G: Solvable> fmt::Debug for Solver<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("threads", &self.threads)
            .field("table_bytes", &self.facts.as_deref().map_or(0, Facts::bytes))
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
