//! The alpha-beta search in the background.

use std::sync::Arc;

use crate::background::{Handle, Order, Searcher, Searches};
use crate::budget::{Budget, StopReason};
use crate::error::SearchError;
use crate::evaluate::Evaluate;
use crate::game::GameState;
use crate::pool::Pool;
use crate::pool::bank::Purse;

use super::reading::{Source, View};
use super::{AlphaBeta, Options, Report};
use crate::stop::Positions;

impl<G: GameState + 'static, E: Evaluate<G> + 'static> AlphaBeta<G, E> {
    /// Begins to search `state` in the background, with the clock running from now on, and
    /// returns at once.
    ///
    /// The handle owns the searcher, because nothing else can use it meanwhile. The budget may be
    /// [unlimited](Budget::unlimited). An error of the search, as that of [`search`](Self::search),
    /// comes with [`Handle::wait`] and [`Handle::stop`], and so does [`SearchError::NoThread`] if
    /// the system has no thread left.
    ///
    /// # Examples
    /// Think in the opponent's time:
    /// ```
    /// use playtree::budget::Depth;
    /// use playtree::games::ConnectFour;
    /// use playtree::{AlphaBeta, Budget, Evaluate, GameState};
    /// # struct Nothing;
    /// # impl Evaluate<ConnectFour> for Nothing {
    /// #     fn evaluate(&self, _: &ConnectFour) -> i32 { 0 }
    /// # }
    ///
    /// let state = ConnectFour::new();
    /// let engine = AlphaBeta::builder(Nothing).build()?;
    /// let mut thinking = engine.start(&state, &Budget::unlimited().and(Depth(6)));
    /// let ours = thinking.wait()?;
    /// let state = state.apply(&ours.best_move);
    ///
    /// thinking.ponder(&state); // until the opponent has moved
    /// let now = thinking.report().expect("no error and no panic");
    /// let reply = now.best_move;
    ///
    /// thinking.think(&state.apply(&reply), &Budget::nodes(10_000));
    /// let next = thinking.wait()?;
    /// let engine = thinking.into_engine();
    /// # let _ = (next, engine);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(self, state: &G, budget: &Budget) -> Handle<AlphaBeta<G, E>> {
        self.start_with(state, budget, &Options::new())
    }

    /// As [`start`](Self::start), with a first search that goes as `options` say: that knows
    /// [what was played](Options::played), for example.
    pub fn start_with(
        self,
        state: &G,
        budget: &Budget,
        options: &Options<G>,
    ) -> Handle<AlphaBeta<G, E>> {
        Handle::start(self, state, budget, options)
    }
}

impl<G: GameState + 'static, E: Evaluate<G> + 'static> Searcher for AlphaBeta<G, E> {
    type State = G;
    type Options = Options<G>;
    type Report = Report<G::Move>;
}

impl<G: GameState + 'static, E: Evaluate<G> + 'static> Searches<G, Options<G>, Report<G::Move>>
    for AlphaBeta<G, E>
{
    type Stops = Positions;
    type View = View<G::Move>;
    type Table = ();

    fn begin(budget: &Budget) -> Positions {
        Positions::start(budget)
    }

    fn is_waiting(positions: &Positions) -> bool {
        positions.stop.is_waiting()
    }

    fn pool(&self) -> Option<&Pool> {
        self.pool.as_ref()
    }

    fn purse(&self) -> &Arc<Purse> {
        &self.purse
    }

    fn stop(positions: &Positions) {
        positions.stop.stop(StopReason::Stopped);
    }

    fn table(&self) {}

    fn table_of(_: &Self::View) {}

    fn read(view: &View<G::Move>) -> Option<Report<G::Move>> {
        Some(view.report())
    }

    fn obey(
        &mut self,
        order: Order<G, Options<G>, Positions>,
        show: &mut dyn FnMut(View<G::Move>),
    ) -> Result<Report<G::Move>, SearchError> {
        let Order { state, budget, options, stops: positions, goes_on } = order;
        let mut begun =
            |source: Source<'_, G::Move>| show(View::new(source, Arc::clone(&positions)));
        (self.compiled_run)(self, (&state, &budget, &options), &positions, goes_on, &mut begun)
    }
}
