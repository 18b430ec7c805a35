//! The alpha-beta search: the searcher, its settings, its report.
//!
//! [`AlphaBetaBuilder`] has the settings, and makes an [`AlphaBeta`]. [`Options`] are for one
//! search, [`Report`] is its answer. [`Autotune`] says which limits of splitting are the fastest
//! for a game on a machine.

mod autotune;
mod builder;
mod findings;
mod frame;
mod options;
mod order;
mod path;
mod quiescence;
mod reading;
mod report;
mod root;
mod score;
mod search;
mod split;
mod table;
mod thinking;
mod worker;

use std::any::type_name;
use std::fmt;
use std::sync::Arc;

use crate::budget::{Budget, Quantity};
use crate::error::SearchError;
use crate::evaluate::{Evaluate, is_value};
use crate::events;
use crate::game::GameState;
use crate::laws::{check_moves, checked_mover, or_failure};
use crate::oracle::Oracle;
use crate::pool;
use crate::pool::bank::Purse;
use crate::rng::mix;
use crate::slots::BUCKET_BYTES;

pub use autotune::{Autotune, AutotuneOptions, AutotuneProgress, AutotuneTrial};
pub use builder::{AlphaBetaBuilder, ParallelMode};
pub use options::Options;
pub use report::{MoveReport, Report, ScoreBound};
pub use score::Score;

use crate::stop::{Positions, refuse_uncounted};
use builder::Settings;
use findings::{Counts, Findings, RootMove};
use reading::{Facts, Live, Source};
use score::Found;
use split::Pool;
use table::Bounds;
use worker::Shared;

/// A parallel alpha-beta search over one trait, with an [`Evaluate`] that knows what positions are
/// worth.
///
/// It searches the root one ply deeper and then another (iterative deepening) until the budget is
/// used up or the value is proven. What it finds out about positions goes to a table of bounds of a
/// fixed size, which the next search of the same searcher begins with. For games of two players.
///
/// [`search`](Self::search) blocks; [`start`](Self::start) searches in the background.
///
/// # Proofs
/// A win or a loss that is reported is one, and so is a draw: it rests on ends of the game alone,
/// and not on a value, on a pass, or on the verdict about a repetition. As soon as the root is
/// proven the search ends; with a win or a loss, as soon as no shorter one is possible.
///
/// # Repetitions
/// A line that returns to one of its own positions, or to one
/// [played before](Options::played), ends there with [`GameState::repetition`]. Such a value
/// depends on the line by which a position was reached, and the table does not know lines (graph
/// history interaction). A verdict never becomes a proof, so nothing is proven by one; but a
/// *value* that rests on one may be used where it does not hold, as in other programs.
///
/// # Examples
/// Connect Four by the number of open columns, which is no knowledge at all, three plies before the
/// end of a line:
/// ```
/// use playtree::games::ConnectFour;
/// use playtree::{AlphaBeta, Budget, Evaluate, Notation};
/// use playtree::alphabeta::Score;
///
/// struct Nothing;
///
/// impl Evaluate<ConnectFour> for Nothing {
///     fn evaluate(&self, _: &ConnectFour) -> i32 { 0 }
/// }
///
/// let position = ConnectFour::parse_position("4455")?;
/// let mut engine = AlphaBeta::builder(Nothing).threads(1).build()?;
/// let report = engine.search(&position, &Budget::nodes(100_000))?;
/// assert_eq!(report.score, Score::Win { plies: 3 });
/// assert!(["3", "6"].contains(&&*position.move_text(&report.best_move)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AlphaBeta<G: GameState, E: Evaluate<G>> {
    evaluator: E,
    /// Shared only with the handle of a search in the background.
    bounds: Option<Arc<Bounds>>,
    /// The bytes that the table is to have.
    table_bytes: usize,
    /// What the table is paid from.
    purse: Arc<Purse>,
    settings: Settings,
    /// The solver of positions with few plies left.
    endgames: Option<Arc<dyn Oracle<G>>>,
    /// The most workers: a search with less work uses fewer.
    threads: usize,
    /// The searchers that they take turns with.
    pool: Option<pool::Pool>,
    /// Searches since the searcher was made or cleared: each has its own random numbers.
    searches: u64,
    /// [`run`](Self::run) as the crate that built the searcher has it: one that
    /// holds searchers need not be optimised as one that makes them is.
    compiled_run: Run<G, E>,
}

/// A search, as a function: see [`AlphaBeta::run`].
type Run<G, E> = fn(
    &mut AlphaBeta<G, E>,
    (&G, &Budget, &Options<G>),
    &Positions,
    bool,
    &mut dyn FnMut(Source<'_, <G as GameState>::Move>),
) -> Result<Report<<G as GameState>::Move>, SearchError>;

impl<G: GameState, E: Evaluate<G>> AlphaBeta<G, E> {
    /// The settings of a new searcher, each at its default.
    pub fn builder(evaluator: E) -> AlphaBetaBuilder<G, E> {
        AlphaBetaBuilder::new(evaluator)
    }

    /// Searches `state` until the budget is used up, and reports what was found.
    ///
    /// Blocks until then; use a [`StopToken`](crate::StopToken) to end it from another thread. The
    /// report is that of the last iteration that was completed, with what the one under way has
    /// found that is better. A move that wins at once is answered at once.
    ///
    /// Of the budget, [`nodes`](Budget::nodes) are positions searched, and so are simulations where
    /// a [rule](crate::budget::StopRule) counts them. [`Depth`](crate::budget::Depth) is that of
    /// the last iteration completed.
    ///
    /// # Errors
    /// If the game is over at `state`, the budget has no limit, one of simulations or a rule that
    /// waits for [`Bytes`](crate::budget::Bytes), as the table does not grow, the game breaks a law
    /// of [`GameState`], or the evaluation is out of its range. The searcher stays usable.
    ///
    /// # Panics
    /// With the game's or the evaluator's own panic. The searcher stays usable.
    pub fn search(&mut self, state: &G, budget: &Budget) -> Result<Report<G::Move>, SearchError> {
        self.search_with(state, budget, &Options::new())
    }

    /// A [`search`](Self::search) of some moves only, or one that knows what was played: as
    /// `options` say.
    ///
    /// # Errors
    /// As `search`, or if an option cannot be followed: a move that is not legal, no move left.
    ///
    /// # Panics
    /// As `search`.
    pub fn search_with(
        &mut self,
        state: &G,
        budget: &Budget,
        options: &Options<G>,
    ) -> Result<Report<G::Move>, SearchError> {
        if budget.is_unlimited() {
            return Err(SearchError::Unlimited);
        }
        let positions = Positions::start(budget);
        (self.compiled_run)(self, (state, budget, options), &positions, false, &mut |_| ())
    }

    /// A search that counts in `positions`, which were started for this budget. `goes_on` says that
    /// the last search was from the same position. `begun` gets what to read before the first
    /// position is searched.
    ///
    /// Called by way of `compiled_run`.
    fn run(
        &mut self,
        (state, budget, options): (&G, &Budget, &Options<G>),
        positions: &Positions,
        goes_on: bool,
        begun: &mut dyn FnMut(Source<'_, G::Move>),
    ) -> Result<Report<G::Move>, SearchError> {
        let _turn = positions.stop.begin_turns(self.pool.as_ref().map(pool::Pool::line));
        let workers = self.threads;
        let run = || {
            self.run_all((state, budget, options), positions, goes_on, begun)
                .map_err(|error| or_failure(state, error))
        };
        events::search::<G, _>(("alphabeta", workers, budget), run, |report| events::Found {
            simulations: None,
            nodes: report.nodes,
            workers: report.workers,
            elapsed: report.elapsed,
            reason: report.stop_reason,
        })
    }

    fn run_all(
        &mut self,
        (state, budget, options): (&G, &Budget, &Options<G>),
        positions: &Positions,
        goes_on: bool,
        begun: &mut dyn FnMut(Source<'_, G::Move>),
    ) -> Result<Report<G::Move>, SearchError> {
        if let Some(found) = budget.simulations_limit() {
            return Err(SearchError::Simulations { found });
        }
        refuse_uncounted(budget, "an alpha-beta search", &[Quantity::Bytes])?;
        if let Some(outcome) = state.outcome() {
            return Err(SearchError::GameOver(outcome));
        }
        checked_mover(state)?;
        let allowed = options.root.allowed(state)?;
        let restricted = allowed.is_some();
        let mut moves = Vec::new();
        state.moves(&mut moves);
        check_moves(state, &moves)?;
        let moves = allowed.unwrap_or(moves);
        if !goes_on {
            self.fit_table();
        }
        if !goes_on && let Some(bounds) = self.bounds_mut() {
            bounds.next_generation();
        }
        positions.set_root(moves.len());
        let threads = worker::count_threads(positions, &self.settings, moves.len(), self.threads);
        let seed = mix(self.settings.seed, self.searches);
        self.searches += 1;
        let value = self.evaluator.evaluate(state);
        if !is_value(value) {
            return Err(SearchError::of_value(type_name::<E>(), value, state));
        }
        let live = Arc::new(Live::new(Findings {
            moves: moves.into_iter().map(RootMove::new).collect(),
            found: Found::guess(value),
            win_rate: worker::win_rate(&self.evaluator, value, state)?,
            depth: 0,
            counts: Counts::default(),
        }));
        let random = self.settings.random_choice.then_some(seed);
        let facts = Facts { random };
        positions.stop.set_workers(threads);
        begun(Source { live: &live, bounds: self.bounds.as_ref(), facts });
        let shared = Shared {
            evaluator: &self.evaluator,
            bounds: self.bounds.as_deref(),
            endgames: self.endgames.as_deref(),
            positions,
            live: &live,
            settings: &self.settings,
            restricted,
            pool: Pool::new(),
        };
        let findings = worker::run(&shared, state, options.root.before(state), threads)?;
        Ok(reading::report(findings, facts, positions, self.bounds.as_deref()))
    }

    /// The best move of a [`search`](Self::search).
    ///
    /// # Errors
    /// As `search`.
    pub fn best_move(&mut self, state: &G, budget: &Budget) -> Result<G::Move, SearchError> {
        Ok(self.search(state, budget)?.best_move)
    }

    /// The score of a [`search`](Self::search), for the side to move.
    ///
    /// # Errors
    /// As `search`.
    pub fn evaluate(&mut self, state: &G, budget: &Budget) -> Result<Score, SearchError> {
        Ok(self.search(state, budget)?.score)
    }

    /// The evaluator.
    #[must_use]
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// The number of worker threads a search may use: `min(logical cores, threads asked for)`.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.threads
    }

    /// Forgets every position, and starts the random numbers again, as in a new searcher.
    pub fn forget(&mut self) {
        if let Some(bounds) = self.bounds_mut() {
            bounds.clear();
        }
        if let Some(endgames) = &self.endgames {
            endgames.forget();
        }
        self.searches = 0;
    }

    /// In a pool with bytes: sees to it that the table is there, and no larger than it may be.
    fn fit_table(&mut self) {
        if !self.purse.is_shared() {
            return;
        }
        let most = usize::try_from(self.purse.ceiling()).unwrap_or(usize::MAX);
        if self.bounds.as_ref().is_some_and(|bounds| bounds.bytes() > most as u64) {
            self.bounds = None;
        }
        if self.bounds.is_none() && self.table_bytes > 0 {
            // Where the system has no memory for it the search goes without.
            let charge = self.purse.pay_table(self.table_bytes, BUCKET_BYTES);
            self.bounds = charge.and_then(|charge| Bounds::new(charge.bytes(), Some(charge)));
        }
    }

    fn bounds_mut(&mut self) -> Option<&mut Bounds> {
        let sole = |bounds| Arc::get_mut(bounds).expect("only a search under way shares the table");
        self.bounds.as_mut().map(sole)
    }
}

impl<G: GameState, E: Evaluate<G>> fmt::Debug for AlphaBeta<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AlphaBeta")
            .field("threads", &self.threads)
            .field("table_bytes", &self.bounds.as_deref().map_or(0, Bounds::bytes))
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
