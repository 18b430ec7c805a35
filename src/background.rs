//! The search in the background: a handle that owns a searcher while a thread searches.
//!
//! Nothing in here knows how a search is done: that is a [`Searcher`].

mod order;
mod sealed;
mod threads;
mod watcher;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::budget::Budget;
use crate::error::SearchError;
use crate::game::GameState;
use crate::helpers::drop_quietly;
use crate::sync::parking::Mutex;

use order::{Outcome, Stage};
use threads::{Background, Reporter};

pub(crate) use order::Order;
pub(crate) use sealed::Searches;
pub use watcher::{Ended, SearchId, Snapshot, Watcher};

/// What can search in the background: [`Mcts`](crate::Mcts), [`AlphaBeta`](crate::AlphaBeta) and
/// [`Solver`](crate::Solver).
///
/// For bounds in generic code, such as that of a program that lets the user choose the searcher.
/// Only this crate can implement it.
///
/// # Examples
/// What every searcher has in common:
/// ```
/// use playtree::{Budget, Handle, SearchError, Searcher};
///
/// /// Searches one position after the other, with this budget for each.
/// fn search_all<S: Searcher>(
///     thinking: &mut Handle<S>,
///     states: &[S::State],
///     budget: &Budget,
/// ) -> Result<Vec<S::Report>, SearchError> {
///     let search = |state| {
///         thinking.think(state, budget);
///         thinking.wait()
///     };
///     states.iter().map(search).collect()
/// }
/// ```
pub trait Searcher:
    Searches<<Self as Searcher>::State, <Self as Searcher>::Options, <Self as Searcher>::Report>
    + Sized
    + Send
    + 'static
{
    /// The positions of the game.
    type State: GameState + 'static;
    /// What one search may be given besides its position and its budget.
    type Options: Clone + Default + Send + Sync + 'static;
    /// What a search has found.
    type Report: Clone + Send + Sync + 'static;
}

/// A searcher that searches in the background: [`Mcts::start`](crate::Mcts::start),
/// [`AlphaBeta::start`](crate::AlphaBeta::start) and [`Solver::start`](crate::Solver::start) make
/// one.
///
/// The handle owns the engine and a thread on which it searches; the engine's other workers
/// are started for each search, as ever. The thread sleeps while nothing is to be searched. One
/// handle can serve a whole game: it searches one position after another, and keeps the table.
/// Dropped, it stops and joins its threads; [`into_engine`](Self::into_engine) gives the engine
/// back.
///
/// # What blocks
/// | method | blocks |
/// |---|---|
/// | [`think`](Self::think), [`ponder`](Self::ponder), [`set_budget`](Self::set_budget) | no: the search under way is asked to stop, and the next one follows |
/// | [`report`](Self::report) | for the root's legal moves right after a start, else for the reading of the branches; the workers go on |
/// | [`stop`](Self::stop) | until the workers have noticed: about a millisecond, if they have a core |
/// | [`wait`](Self::wait) | until the budget is used up, or nothing is left to search; [`wait_for`](Self::wait_for) at most as long as it says |
/// | [`save`](Self::save) of an `Mcts` | until the disk has the table; the workers go on, and another thread may stop them |
/// | [`into_engine`](Self::into_engine), drop | as `stop`, and for a callback that is running |
///
/// A long rollout or [`Evaluate::evaluate`](crate::Evaluate::evaluate) is not interrupted by a stop.
///
/// Others may look on: [`watcher`](Self::watcher) makes eyes that are cloned and sent to other
/// threads, and that need not wait while the owner does.
///
/// A search here is that of [`Mcts::search`](crate::Mcts::search),
/// [`AlphaBeta::search`](crate::AlphaBeta::search) or [`Solver::solve`](crate::Solver::solve): with
/// one worker, a seed and no limit of time it finds the same.
///
/// # Panics
/// A panic of the game, of the evaluator or of a callback ends the search under way. The next
/// [`wait`](Self::wait) or [`stop`](Self::stop) goes on with it in the caller's thread; a drop,
/// `into_engine`, or a new search loses it. So does `into_engine` a panic in the `Drop` of what the
/// handle had beside the engine. The engine stays usable in every case, and nothing
/// waits for a thread that has panicked.
///
/// # Examples
/// Think in the opponent's time:
/// ```
/// use std::time::Duration;
/// use playtree::games::ConnectFour;
/// use playtree::{Budget, GameState, Mcts};
///
/// let mut state = ConnectFour::new();
/// let mut thinking = Mcts::builder().build()?.start(&state, &Budget::simulations(5_000));
/// let ours = thinking.wait()?;
/// state = state.apply(&ours.best_move);
///
/// thinking.ponder(&state); // all replies, until the opponent has moved
/// let reply = ours.expected_reply().expect("seen 5000 times").clone();
///
/// state = state.apply(&reply);
/// let budget = Budget::time(Duration::from_millis(20)); // from now on
/// thinking.think(&state, &budget);
/// let next = thinking.wait()?;
/// assert!(next.visits() > next.simulations); // something was known already
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "dropping the handle stops the search and drops the engine"]
pub struct Handle<S: Searcher> {
    stage: Arc<Stage<S>>,
    background: Background<S>,
    reporter: Option<Reporter<S>>,
}

impl<S: Searcher> Handle<S> {
    /// Begins to search, with the clock running from now on.
    pub(crate) fn start(
        engine: S,
        state: &S::State,
        budget: &Budget,
        options: &S::Options,
    ) -> Self {
        let stage = Arc::new(Stage::new(state, budget, options, &engine));
        let mut handle = Self { stage, background: Background::new(engine), reporter: None };
        handle.ensure_threads();
        handle
    }

    /// Starts the threads that the system has refused so far, and begins again to refuse an order
    /// that there is no thread for.
    fn ensure_threads(&mut self) {
        let _remains = self.background.ensure(&self.stage);
        if let Some(reporter) = &mut self.reporter {
            reporter.ensure();
        }
    }

    /// Goes on with another position, or the same one, with the clock running from now on. A search
    /// under way is stopped. Returns the number of the new one.
    ///
    /// What is known of the position is found by its key, whatever was searched before: a reply
    /// that was pondered on, another one, a move taken back. An `Mcts` forgets everything first if
    /// [`reuse`](crate::MctsBuilder::reuse) is off, and with
    /// [`Sharing::PerPath`](crate::mcts::Sharing::PerPath) it has no keys to find anything by;
    /// neither has an `AlphaBeta` [without a table](crate::AlphaBetaBuilder::table_bytes). A
    /// `Solver` keeps its facts, but for those that a full table forgets.
    pub fn think(&mut self, state: &S::State, budget: &Budget) -> SearchId {
        self.think_with(state, budget, &S::Options::default())
    }

    /// As [`think`](Self::think), as `options` say:
    /// [`mcts::Options`](crate::mcts::Options) for an `Mcts`,
    /// [`alphabeta::Options`](crate::alphabeta::Options) for an `AlphaBeta`,
    /// [`solver::Options`](crate::solver::Options) for a `Solver`. They are for this search and the
    /// ones after a [`set_budget`](Self::set_budget).
    pub fn think_with(
        &mut self,
        state: &S::State,
        budget: &Budget,
        options: &S::Options,
    ) -> SearchId {
        let (search, _remains) = self.stage.put(state, budget, options);
        self.ensure_threads();
        search
    }

    /// Thinks about `state` until the next call of [`think`](Self::think) or [`stop`](Self::stop):
    /// in the opponent's time. The same as `think` with an unlimited budget. Where nothing is left
    /// to find out, the search ends by itself.
    ///
    /// Given the position after the own move, with the opponent to move, all replies are thought
    /// about, the likely ones most. Given the position after the reply that is
    /// [expected](crate::mcts::Report::expected_reply), only that one is: all of it counts if the
    /// opponent does so, and if not the table still has what the own search knew of the other
    /// replies.
    pub fn ponder(&mut self, state: &S::State) -> SearchId {
        self.think(state, &Budget::unlimited())
    }

    /// Goes on with the same position and another budget, all of whose limits count from
    /// now on. Nothing that is known is lost. If the search has ended already it begins again. In
    /// any case it is a new search, with a number of its own.
    pub fn set_budget(&mut self, budget: &Budget) -> SearchId {
        let (search, _remains) = self.stage.put_budget(budget);
        self.ensure_threads();
        search
    }

    /// What is known now, while the workers go on: of the search under way, or, once that has
    /// ended, its report. `None` if an error or a panic has ended it.
    ///
    /// While the search runs its `stop_reason` is [`Running`](crate::StopReason::Running).
    ///
    /// - Of an `Mcts`: each move is as it was when it was read, and visits never fall from one
    ///   report to the next. [`simulations`](crate::mcts::Report::simulations) lags a round behind;
    ///   `dropped`, `deferred` and `contended` are 0 until the end.
    /// - Of an `AlphaBeta`: the last iteration that was completed, and what the one under way has
    ///   found that is better, as the report would say if the search ended now.
    ///   [`depth`](crate::alphabeta::Report::depth) and [`nodes`](crate::alphabeta::Report::nodes)
    ///   never fall from one report of a search to the next; nodes lag a few hundred behind. Before
    ///   the first iteration is completed the depth is 0. `selective_depth`, `splits` and what
    ///   follows them, those of the table aside, are those of the first worker up to that
    ///   iteration.
    /// - Of a `Solver`: what is certain so far, as the solution would say if the search ended now.
    ///   Limits only narrow and [`nodes`](crate::solver::Solution::nodes) never fall from one
    ///   report of a search to the next; nodes lag a few hundred behind.
    #[must_use]
    pub fn report(&self) -> Option<S::Report> {
        self.stage.report()
    }

    /// What its table is saved from, whatever becomes of this handle.
    pub(crate) fn table(&self) -> TableOf<S> {
        TableOf { stage: Arc::clone(&self.stage) }
    }

    /// Whether a search is under way.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.stage.is_busy()
    }

    /// Whether a search is under way in a [`Pool`](crate::Pool), and none of its threads has its
    /// turn now: others search, and it waits in line.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.stage.is_waiting()
    }

    /// What watches the searches of this handle from anywhere, as long as there is one and after.
    #[must_use]
    pub fn watcher(&self) -> Watcher<S> {
        Watcher { stage: Arc::clone(&self.stage) }
    }

    /// Calls `callback` every `interval` (at least a millisecond) while a search is under way, with
    /// what [`report`](Self::report) says then, the position and the number of the search, on a
    /// thread of its own. The workers do not wait for it, and neither does [`stop`](Self::stop).
    /// Replaces an earlier callback, and waits for that if it is running.
    ///
    /// The interval is counted from the start of the search or the end of the last call.
    ///
    /// If the system has no thread left the callback is not called; the next
    /// [`think`](Self::think), `ponder` or `set_budget` asks for a thread again.
    /// [`is_reporting`](Self::is_reporting) says whether there is one.
    pub fn on_report(
        &mut self,
        interval: Duration,
        callback: impl FnMut(&Snapshot<S>) + Send + 'static,
    ) {
        self.reporter = None;
        self.reporter = Some(Reporter::new(&self.stage, interval, Box::new(callback)));
    }

    /// Whether there is a callback of [`on_report`](Self::on_report), and a thread that calls it.
    #[must_use]
    pub fn is_reporting(&self) -> bool {
        self.reporter.as_ref().is_some_and(Reporter::is_running)
    }

    /// Calls `callback` at the end of each search that has begun, on the thread that has searched:
    /// for programs that go on with something else meanwhile. Replaces an earlier callback.
    ///
    /// [`wait`](Self::wait) does not wait for it; the next search does. A search that was replaced
    /// by another one has its call as well, unless that came before it had begun.
    pub fn on_end(&mut self, callback: impl FnMut(&Ended<S>) + Send + 'static) {
        let _remains = self.stage.set_at_end(Arc::new(Mutex::new(Box::new(callback))));
    }

    /// As [`wait`](Self::wait), for at most this time; `None` if the search has not ended by then,
    /// and it goes on.
    ///
    /// # Errors
    /// As `wait`.
    ///
    /// # Panics
    /// As `wait`.
    pub fn wait_for(&mut self, time: Duration) -> Option<Result<S::Report, SearchError>> {
        self.stage.wait_for(time).then(|| self.wait())
    }

    /// Waits for the end of the search, and returns its report. If it has ended already, the
    /// same report again.
    ///
    /// Blocks without end if the budget has no limit and the search none of its own, such as a
    /// proof.
    ///
    /// # Errors
    /// As `search_with` or `solve` of the engine, but for [`Unlimited`](SearchError::Unlimited);
    /// [`NoThread`](SearchError::NoThread) if the system had no thread left for the search, which
    /// the next `think`, `ponder` or `set_budget` asks for again; or
    /// [`Panicked`](SearchError::Panicked) if the panic has reached the caller before.
    ///
    /// # Panics
    /// With the panic of the game, of the evaluator or of a callback.
    pub fn wait(&mut self) -> Result<S::Report, SearchError> {
        match self.stage.wait() {
            Outcome::Report(report) => Ok(report),
            Outcome::Error(error) => Err(error),
            Outcome::Panic(payload) => std::panic::resume_unwind(payload),
        }
    }

    /// Stops the search, and returns its report. If it has ended already, the same report again.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    ///
    /// # Panics
    /// As [`wait`](Self::wait).
    pub fn stop(&mut self) -> Result<S::Report, SearchError> {
        self.stage.stop();
        self.wait()
    }

    /// Stops the search and gives the engine back, whatever has happened to the search.
    #[must_use]
    pub fn into_engine(mut self) -> S {
        let (engine, remains) = self.background.join(&self.stage);
        // What else is left is the game's and the callback's, whose `Drop` may panic: the engine
        // would go with it.
        drop_quietly(remains);
        drop_quietly(self);
        engine.expect("joined once, here or in drop")
    }
}

/// What the table of a handle is saved from, at any time.
pub(crate) struct TableOf<S: Searcher> {
    stage: Arc<Stage<S>>,
}

impl<S: Searcher> TableOf<S> {
    /// That of now. Waits while a search has no root yet; `None` once the searcher is given back.
    pub(crate) fn get(&self) -> Option<S::Table> {
        self.stage.table()
    }
}

impl<S: Searcher> Clone for TableOf<S> {
    fn clone(&self) -> Self {
        Self { stage: Arc::clone(&self.stage) }
    }
}

impl<S: Searcher> Drop for Handle<S> {
    fn drop(&mut self) {
        // First the thread that searches: what the callback drops may panic.
        let _ended = self.background.join(&self.stage);
        self.reporter = None;
    }
}

impl<S: Searcher> fmt::Debug for Handle<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("is_thinking", &self.is_thinking())
            .field("has_callback", &self.reporter.is_some())
            .finish_non_exhaustive()
    }
}
