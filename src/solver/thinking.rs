//! The solver in the background.

use std::sync::Arc;

use crate::background::{Handle, Order, Searcher, Searches};
use crate::budget::{Budget, StopReason};
use crate::error::SearchError;
use crate::pool::Pool;
use crate::pool::bank::Purse;
use crate::solvable::Solvable;
use crate::stop::Positions;

use super::view::View;
use super::{Options, Solution, Solver};

impl<G: Solvable + 'static> Solver<G> {
    /// Begins to solve `state` in the background, with the clock running from now on, and returns
    /// at once.
    ///
    /// The handle owns the solver, because nothing else can use it meanwhile. The search ends by
    /// itself when everything is known that the solver was [built](crate::SolverBuilder) to find
    /// out, also with an [unlimited](Budget::unlimited) budget. [`Handle::report`] and
    /// [`Handle::on_report`] say how far it has come. An error, as that of [`solve`](Self::solve),
    /// comes with [`Handle::wait`] and [`Handle::stop`], and so does [`SearchError::NoThread`] if
    /// the system has no thread left.
    ///
    /// # Examples
    /// Show what is certain so far, once a second:
    /// ```
    /// # #[cfg(feature = "games")] {
    /// use std::time::Duration;
    /// use playtree::games::TicTacToe;
    /// use playtree::{Budget, Proven, Solver};
    ///
    /// let solver = Solver::builder().build()?;
    /// let mut solving = solver.start(&TicTacToe::new(), &Budget::unlimited());
    /// solving.on_report(Duration::from_secs(1), |so_far| {
    ///     println!("{} after {} positions", so_far.report.limits, so_far.report.nodes);
    /// });
    /// let solution = solving.wait()?;
    /// assert_eq!(solution.proven(), Some(Proven::Draw));
    /// let solver = solving.into_engine(); // with all that it has found out
    /// # let _ = solver;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(self, state: &G, budget: &Budget) -> Handle<Solver<G>> {
        Handle::start(self, state, budget, &Options::new())
    }
}

impl<G: Solvable + 'static> Searcher for Solver<G> {
    type State = G;
    type Options = Options;
    type Report = Solution<G::Move>;
}

impl<G: Solvable + 'static> Searches<G, Options, Solution<G::Move>> for Solver<G> {
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

    fn read(view: &View<G::Move>) -> Option<Solution<G::Move>> {
        Some(view.solution())
    }

    fn obey(
        &mut self,
        order: Order<G, Options, Positions>,
        show: &mut dyn FnMut(View<G::Move>),
    ) -> Result<Solution<G::Move>, SearchError> {
        let Order { state, budget, stops: positions, .. } = order;
        let mut begun = |live| show(View::new(live, Arc::clone(&positions)));
        (self.compiled_run)(self, &state, &budget, self.settings, &positions, Some(&mut begun))
    }
}
