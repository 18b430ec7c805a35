//! The Monte Carlo search in the background.

use std::sync::Arc;

use crate::background::{Handle, Order, Searcher, Searches};
use crate::budget::{Budget, StopReason};
use crate::error::SearchError;
use crate::game::GameState;

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
        show: impl FnOnce(View<G>),
    ) -> Result<Report<G::Move>, SearchError> {
        if !self.reuse && !order.goes_on {
            self.forget();
        }
        let Order { state, budget, options, stops: claims, goes_on } = order;
        let begun = |source: Source<'_, G>| show(View::new(source, Arc::clone(&claims)));
        self.run((&state, &budget, &options), &claims, goes_on, begun)
    }
}
