//! The Monte Carlo search in the background.

use std::sync::Arc;

use crate::background::{Handle, Order, Searcher, Searches, Watcher};
use crate::budget::{Budget, StopReason};
use crate::error::{ConfigError, SearchError};
use crate::game::GameState;
use crate::pool::Pool;
use crate::pool::bank::Purse;

use super::answer::view::{Source, View};
use super::claims::Claims;
use super::report::Report;
use super::save::Shelf;
use super::{Mcts, Options};

impl<G: GameState + 'static> Mcts<G> {
    /// Begins to search `state` in the background, with the clock running from now on, and
    /// returns at once.
    ///
    /// The handle owns the engine, because nothing else can use it meanwhile. The budget may be
    /// [unlimited](Budget::unlimited). An error of the search, as that of [`search`](Self::search),
    /// comes with [`Handle::wait`] and [`Handle::stop`], and so does [`SearchError::NoThread`] if
    /// the system has no thread left.
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
    pub fn start(self, state: &G, budget: &Budget) -> Handle<Mcts<G>> {
        self.start_with(state, budget, &Options::default())
    }

    /// As [`start`](Self::start), with a first search that goes as `options` say.
    pub fn start_with(self, state: &G, budget: &Budget, options: &Options<G>) -> Handle<Mcts<G>> {
        Handle::start(self, state, budget, options)
    }
}

/// The memory limit of an engine that searches.
impl<G: GameState + 'static> Handle<Mcts<G>> {
    /// Changes the memory limit of the engine, as [`Mcts::set_memory_limit`] does, while it
    /// searches or between two searches. Does not block: the workers of a search under way follow
    /// between two of their rounds, and else those of the next one.
    ///
    /// # Errors
    /// As [`Mcts::set_memory_limit`].
    pub fn set_memory_limit(&self, bytes: Option<usize>) -> Result<(), ConfigError> {
        self.watcher().set_memory_limit(bytes)
    }
}

/// The memory limit of an engine that searches.
impl<G: GameState + 'static> Watcher<Mcts<G>> {
    /// As [`Handle::set_memory_limit`]. Does nothing once the engine is gone.
    ///
    /// # Errors
    /// As [`Mcts::set_memory_limit`].
    pub fn set_memory_limit(&self, bytes: Option<usize>) -> Result<(), ConfigError> {
        self.purse().map_or(Ok(()), |purse| purse.set_own(bytes))
    }
}

impl<G: GameState + 'static> Searcher for Mcts<G> {
    type State = G;
    type Options = Options<G>;
    type Report = Report<G::Move>;
}

impl<G: GameState + 'static> Searches<G, Options<G>, Report<G::Move>> for Mcts<G> {
    type Stops = Claims;
    type View = View<G>;
    type Table = Shelf<G>;

    fn begin(budget: &Budget) -> Claims {
        Claims::start_in_background(budget)
    }

    fn is_waiting(claims: &Claims) -> bool {
        claims.stop.is_waiting()
    }

    fn pool(&self) -> Option<&Pool> {
        self.pool.as_ref()
    }

    fn purse(&self) -> &Arc<Purse> {
        self.tree.purse()
    }

    fn stop(claims: &Claims) {
        claims.stop.stop(StopReason::Stopped);
    }

    fn table(&self) -> Shelf<G> {
        self.shelf()
    }

    fn table_of(view: &View<G>) -> Shelf<G> {
        view.shelf()
    }

    fn read(view: &View<G>) -> Option<Report<G::Move>> {
        view.report()
    }

    fn obey(
        &mut self,
        order: Order<G, Options<G>, Claims>,
        show: &mut dyn FnMut(View<G>),
    ) -> Result<Report<G::Move>, SearchError> {
        if !self.reuse && !order.goes_on {
            self.forget();
        }
        let Order { state, budget, options, stops: claims, goes_on } = order;
        let mut begun = |source: Source<'_, G>| show(View::new(source, Arc::clone(&claims)));
        (self.compiled_run)(self, (&state, &budget, &options), &claims, goes_on, &mut begun)
    }
}
