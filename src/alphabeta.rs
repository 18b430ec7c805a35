//! The alpha-beta search: the searcher and what it offers.

mod autotune;
mod builder;
mod control;
mod hash;
mod options;
mod order;
mod path;
mod quiescence;
mod report;
mod root;
mod score;
mod search;
mod split;
mod table;
mod worker;

use std::fmt;
use std::marker::PhantomData;

use crate::budget::Budget;
use crate::error::SearchError;
use crate::evaluate::Evaluate;
use crate::game::GameState;
use crate::mcts::{check_moves, checked_mover};
use crate::rng::{Rng, mix};

pub use autotune::{Autotune, AutotuneTrial};
pub use builder::{AlphaBetaBuilder, ParallelMode};
pub use options::AlphaBetaOptions;
pub use report::{AlphaBetaMove, AlphaBetaReport, ScoreBound};
pub use score::Score;

use builder::Settings;
use control::{Control, has_limit};
use root::Findings;
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
/// # Proofs
/// A win or a loss that is reported is one, and so is a draw: it rests on ends of the game alone,
/// and not on a value, on a pass, or on the verdict about a repetition. As soon as the root is
/// proven the search ends; with a win or a loss, as soon as no shorter one is possible.
///
/// # Repetitions
/// A line that returns to one of its own positions, or to one
/// [played before](AlphaBetaOptions::played), ends there with [`GameState::repetition`]. Such a value
/// depends on the line by which a position was reached, and the table does not know lines (graph
/// history interaction). A verdict never becomes a proof, so nothing is proven by one; but a
/// *value* that rests on one may be used where it does not hold, as in other programs.
///
/// # Examples
/// Connect Four by the number of open columns, which is no knowledge at all, three plies before the
/// end of a line:
/// ```
/// use playtree::games::ConnectFour;
/// use playtree::{AlphaBeta, Budget, Evaluate, Notation, Score};
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
    bounds: Option<Bounds>,
    settings: Settings,
    /// Workers, if there is work for so many.
    threads: usize,
    /// Searches since the searcher was made or cleared: each has its own random numbers.
    searches: u64,
    game: PhantomData<fn() -> G>,
}

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
    /// the last iteration completed, and is a limit by itself here.
    ///
    /// # Errors
    /// If the game is over at `state`, the budget has no limit or one of simulations, or the game
    /// breaks a law of [`GameState`]. The searcher stays usable.
    ///
    /// # Panics
    /// With the game's or the evaluator's own panic. The searcher stays usable.
    pub fn search(
        &mut self,
        state: &G,
        budget: &Budget,
    ) -> Result<AlphaBetaReport<G::Move>, SearchError> {
        self.search_with(state, budget, &AlphaBetaOptions::new())
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
        options: &AlphaBetaOptions<G>,
    ) -> Result<AlphaBetaReport<G::Move>, SearchError> {
        if let Some(found) = budget.simulations_limit() {
            return Err(SearchError::Simulations { found });
        }
        if !has_limit(budget) {
            return Err(SearchError::Unlimited);
        }
        let control = Control::start(budget);
        if let Some(outcome) = state.outcome() {
            return Err(SearchError::GameOver(outcome));
        }
        checked_mover(state)?;
        let allowed = options.allowed(state)?;
        let restricted = allowed.is_some();
        let mut moves = Vec::new();
        state.moves(&mut moves);
        check_moves(state, &moves)?;
        let moves = allowed.unwrap_or(moves);
        if let Some(bounds) = &mut self.bounds {
            bounds.next_generation();
        }
        let seed = mix(self.settings.seed, self.searches);
        self.searches += 1;
        let shared = Shared {
            evaluator: &self.evaluator,
            bounds: self.bounds.as_ref(),
            control: &control,
            settings: &self.settings,
            restricted,
            pool: Pool::new(),
        };
        let findings = worker::run(&shared, state, options.before(state), moves, self.threads)?;
        Ok(self.report(findings, &control, seed))
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
        if let Some(bounds) = &mut self.bounds {
            bounds.clear();
        }
        self.searches = 0;
    }

    fn report(
        &self,
        findings: Findings<G::Move>,
        control: &Control,
        seed: u64,
    ) -> AlphaBetaReport<G::Move> {
        let Findings { mut moves, found, depth, counts, workers } = findings;
        let score = Score::of(found);
        let proven = score.proven();
        let win_rate = match score {
            Score::Value(value) => self.evaluator.win_rate(value),
            Score::Win { .. } => 1.0,
            Score::Draw => 0.5,
            Score::Loss { .. } => 0.0,
        };
        if self.settings.random_choice {
            let best = |mv: &AlphaBetaMove<_>| {
                mv.bound == ScoreBound::Exact && mv.score.is_some_and(|other| other.equals(score))
            };
            // The others are at least as far behind in the list as any of these.
            let equal = moves.iter().take_while(|mv| best(mv)).count();
            let chosen = Rng::from_seed(seed).below(equal);
            moves[..=chosen].rotate_right(1);
        }
        AlphaBetaReport {
            best_move: moves[0].mv.clone(),
            score,
            proven,
            win_rate,
            pv: moves[0].pv.clone(),
            depth,
            selective_depth: counts.selective_depth,
            nodes: counts.nodes,
            elapsed: control.elapsed(),
            workers,
            stop_reason: control.reason(),
            moves,
            splits: counts.splits,
            aborted_splits: counts.aborted_splits,
            wasted_nodes: counts.wasted_nodes,
            idle: counts.idle,
            table_bytes: self.bounds.as_ref().map_or(0, Bounds::bytes),
            table_entries: self.bounds.as_ref().map_or(0, Bounds::entries),
            table_used: self.bounds.as_ref().map_or(0.0, Bounds::used),
        }
    }
}

impl<G: GameState, E: Evaluate<G>> fmt::Debug for AlphaBeta<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AlphaBeta")
            .field("threads", &self.threads)
            .field("table_bytes", &self.bounds.as_ref().map_or(0, Bounds::bytes))
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
