//! The search in the background: a handle that owns the engine while a thread searches.

mod order;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::budget::Budget;
use crate::error::SearchError;
use crate::game::GameState;
use crate::report::Report;

use super::Mcts;
use super::worker::{Background, Reporter};

use order::Outcome;
pub(crate) use order::{Order, Stage};

/// An engine that searches in the background: [`Mcts::start`] makes one.
///
/// The handle owns the engine and a thread on which it searches; the engine's other workers
/// are started for each search, as ever. The thread sleeps while nothing is to be searched. One
/// handle can serve a whole game: it searches one position after another, and keeps the table. Dropped, it stops and joins its threads;
/// [`into_engine`](Self::into_engine) gives the engine back.
///
/// # What blocks
/// | method | blocks |
/// |---|---|
/// | [`think`](Self::think), [`ponder`](Self::ponder), [`set_budget`](Self::set_budget) | no: the search under way is told to stop, and the next one follows |
/// | [`report`](Self::report) | for the root's legal moves right after a start, else for the reading of the branches; the workers go on |
/// | [`stop`](Self::stop) | until the workers have noticed: a fraction of a millisecond, if they have a core; a long [`GameState::rollout`] is not interrupted |
/// | [`wait`](Self::wait) | until the budget is used up |
/// | [`into_engine`](Self::into_engine), drop | as `stop`, and for the callback of `on_report` if it is running |
///
/// So that a stop is answered soon, adaptive rounds ([`RoundSize`](crate::RoundSize)) have at most
/// 512 simulations in the background; a fixed size is as it was set. Else a search here is that
/// of [`Mcts::search`].
///
/// # Panics
/// A panic of the game or of the callback ends the search under way. The next [`wait`](Self::wait)
/// or [`stop`](Self::stop) goes on with it in the caller's thread; a drop, `into_engine`, or a
/// new search loses it. The engine stays usable in every case, and nothing waits for a thread that has
/// panicked.
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
pub struct Thinking<G: GameState + 'static> {
    stage: Arc<Stage<G>>,
    background: Background<G>,
    reporter: Option<Reporter<G>>,
}

impl<G: GameState + 'static> Mcts<G> {
    /// Begins to search `state` in the background, with the clock running from now on, and
    /// returns at once.
    ///
    /// The handle owns the engine, because nobody else can use it meanwhile. The budget may be
    /// [unlimited](Budget::unlimited). An error of the search, as that of
    /// [`search`](Self::search), comes with [`Thinking::wait`] and [`Thinking::stop`].
    ///
    /// # Panics
    /// If the system has no thread left.
    ///
    /// # Examples
    /// ```
    /// use playtree::games::Othello;
    /// use playtree::{Budget, Mcts};
    ///
    /// let mut thinking = Mcts::builder().build()?.start(&Othello::new(), &Budget::unlimited());
    /// let now = thinking.report().expect("no error and no panic");
    /// let end = thinking.stop()?;
    /// assert!(now.visits() <= end.visits());
    /// let mcts = thinking.into_engine();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(self, state: &G, budget: &Budget) -> Thinking<G> {
        let stage = Arc::new(Stage::new(Order::new(state, budget)));
        let background = Background::spawn(self, &stage);
        Thinking { stage, background, reporter: None }
    }
}

impl<G: GameState + 'static> Thinking<G> {
    /// Goes on with another position, or the same one, with the clock running from now on. A search
    /// under way is stopped.
    ///
    /// What is known of the position is found by its key, whatever was searched before:
    /// a reply that was pondered on, another one, a move taken back. Only with
    /// [`reuse`](crate::MctsBuilder::reuse) off everything is forgotten first, and with
    /// [`ValueScheme::Tree`](crate::ValueScheme::Tree) there are no keys to find anything by.
    pub fn think(&mut self, state: &G, budget: &Budget) {
        self.stage.put(Order::new(state, budget));
    }

    /// Thinks about `state` until the next call of [`think`](Self::think) or
    /// [`stop`](Self::stop): in the opponent's time. The same as `think` with an unlimited budget.
    ///
    /// Given the position after the own move, with the opponent to move, all replies are thought
    /// about, the likely ones most. Given the position after the reply that is
    /// [expected](Report::expected_reply), only that one is: all of it counts if the
    /// opponent does so, and if not the table still has what the own search knew of the other
    /// replies.
    pub fn ponder(&mut self, state: &G) {
        self.think(state, &Budget::unlimited());
    }

    /// Goes on with the same position and another budget, whose time and simulations count from
    /// now on. Nothing that is known is lost. If the search has ended already it begins again.
    pub fn set_budget(&mut self, budget: &Budget) {
        self.stage.put_budget(budget);
    }

    /// What is known now, while the workers go on: of the search under way, or, once that has
    /// ended, its report. `None` if an error or a panic has ended it.
    ///
    /// While the search runs its [`stop_reason`](Report::stop_reason) is
    /// [`Running`](crate::StopReason::Running); each move is as it was when it was read, and visits
    /// never fall from one report to the next. [`simulations`](Report::simulations) lags a round
    /// behind; `dropped`, `deferred` and `contended` are 0 until the end.
    #[must_use]
    pub fn report(&self) -> Option<Report<G::Move>> {
        self.stage.report()
    }

    /// Whether a search is under way.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.stage.is_busy()
    }

    /// Calls `callback` every `interval` (at least a millisecond) while a search is under way,
    /// with what [`report`](Self::report) says then, on a thread of its own. The
    /// workers do not wait for it, and neither does [`stop`](Self::stop). Replaces an earlier
    /// callback, and waits for that if it is running.
    ///
    /// The interval is counted from the start of the search or the end of the last call.
    ///
    /// # Panics
    /// If the system has no thread left.
    pub fn on_report(
        &mut self,
        interval: Duration,
        callback: impl FnMut(&Report<G::Move>) + Send + 'static,
    ) {
        self.reporter = None;
        self.reporter = Some(Reporter::spawn(&self.stage, interval, callback));
    }

    /// Waits for the end of the search, and returns its report. If it has ended already, the
    /// same report again.
    ///
    /// Blocks without end if the budget has no limit.
    ///
    /// # Errors
    /// As [`Mcts::search`], but for [`Unlimited`](SearchError::Unlimited); or
    /// [`Panicked`](SearchError::Panicked) if the panic has reached the caller before.
    ///
    /// # Panics
    /// With the panic of the game or of the callback.
    pub fn wait(&mut self) -> Result<Report<G::Move>, SearchError> {
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
    pub fn stop(&mut self) -> Result<Report<G::Move>, SearchError> {
        self.stage.stop();
        self.wait()
    }

    /// Stops the search and gives the engine back, whatever has happened to the search.
    #[must_use]
    pub fn into_engine(mut self) -> Mcts<G> {
        self.reporter = None;
        self.background.join(&self.stage).expect("joined once, here or in drop")
    }
}

impl<G: GameState + 'static> Drop for Thinking<G> {
    fn drop(&mut self) {
        self.reporter = None;
        drop(self.background.join(&self.stage));
    }
}

impl<G: GameState + 'static> fmt::Debug for Thinking<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thinking")
            .field("is_thinking", &self.is_thinking())
            .field("has_callback", &self.reporter.is_some())
            .finish_non_exhaustive()
    }
}
