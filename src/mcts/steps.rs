//! A search in steps: in the thread of the caller, who does other things between two of them.

use std::fmt;
use std::time::Duration;

use crate::budget::{Budget, StopReason};
use crate::error::SearchError;
use crate::events;
use crate::game::GameState;
use crate::laws::or_failure;
use crate::pool::Pool;
use crate::rng::{Rng, mix};

use super::answer::view::Source;
use super::claims::Claims;
use super::config::Parallelism;
use super::round::Counts;
use super::{Mcts, NodeReport, Options, Report, Searching};

/// A search that is done in steps: [`Mcts::begin`] makes one.
///
/// For programs that have one thread, and something else to do in it: a page, a game with frames of
/// its own, an event loop. No thread is started, and no clock is read unless the budget has a
/// [time](Budget::time) or a step [lasts for one](Self::step_for).
///
/// Step by step the same is found, byte for byte, as in one [search](Mcts::search) with one worker:
/// rounds are as long as there. A search in steps is that of one worker of
/// [`Parallelism::Shared`], whatever the engine was built with.
///
/// # Examples
/// ```
/// use playtree::games::ConnectFour;
/// use playtree::{Budget, Mcts};
///
/// let mut mcts = Mcts::builder().threads(1).seed(7).build()?;
/// let mut steps = mcts.begin(&ConnectFour::new(), &Budget::simulations(20_000))?;
/// while steps.step(1_000)? {
///     let so_far = steps.report()?;
///     // show it, look whether the user has done something, ...
///     # let _ = so_far;
/// }
/// let report = steps.finish()?;
/// assert_eq!(report.simulations, 20_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is searched until a step is done"]
pub struct Steps<'a, G: GameState> {
    mcts: &'a mut Mcts<G>,
    state: G,
    claims: Claims,
    /// `None` if there is no memory for a root.
    search: Option<Searching>,
    /// The moves of the root that are to be searched; `None` for all.
    allowed: Option<Vec<G::Move>>,
    rng: Rng,
    /// Nothing is left to be done.
    is_over: bool,
    /// The engine knows that the search is over.
    is_settled: bool,
    /// Its span and its events.
    events: events::Search,
}

impl<G: GameState> Mcts<G> {
    /// Begins a search in steps, with the clock of the budget running from now on, and searches
    /// nothing yet. The budget may be [unlimited](Budget::unlimited): the caller ends the search.
    ///
    /// # Errors
    /// As [`search`](Self::search), but for [`Unlimited`](SearchError::Unlimited).
    ///
    /// # Panics
    /// As `search`.
    pub fn begin(&mut self, state: &G, budget: &Budget) -> Result<Steps<'_, G>, SearchError> {
        self.begin_with(state, budget, &Options::default())
    }

    /// As [`begin`](Self::begin), for a search that goes as `options` say.
    ///
    /// # Errors
    /// As [`search_with`](Self::search_with), but for `Unlimited`.
    ///
    /// # Panics
    /// As `search`.
    pub fn begin_with(
        &mut self,
        state: &G,
        budget: &Budget,
        options: &Options<G>,
    ) -> Result<Steps<'_, G>, SearchError> {
        let claims = Claims::start(budget);
        if !self.reuse {
            self.forget();
        }
        let mut search_events = events::Search::begin::<G>("mcts", 1, budget);
        let begun = search_events
            .watch(|| self.begin_search((state, budget, options), &claims, false))
            .map_err(|error| or_failure(state, error))
            .inspect_err(|error| search_events.end(Err(error)))?;
        claims.stop.set_workers(1);
        let mut search = begun.search;
        if let Some(search) = &mut search {
            search.parallelism = Parallelism::Shared;
            search.longest_round = self.longest_round(search.parallelism, budget);
        }
        let seed = search.as_ref().map_or(0, |search| search.facts.seed);
        self.workers[0].round.reset_counts();
        Ok(Steps {
            state: state.clone(),
            claims,
            is_over: search.is_none(),
            search,
            allowed: begun.allowed,
            rng: Rng::from_seed(mix(seed, 0)),
            is_settled: false,
            events: search_events,
            mcts: self,
        })
    }
}

impl<G: GameState> Steps<'_, G> {
    /// Searches until at least this many simulations more are done, or the search is over: whether
    /// it goes on. The last round of a step is not cut short: it has up to 2 048 simulations.
    ///
    /// # Errors
    /// If the game breaks a law, as [`Mcts::search`] says. The search is over then.
    ///
    /// # Panics
    /// With the game's own panic. The search is over then, and the engine stays usable.
    pub fn step(&mut self, simulations: u64) -> Result<bool, SearchError> {
        let enough = self.counts().simulations.saturating_add(simulations);
        self.step_until(|counts, _| counts.simulations >= enough)
    }

    /// Searches for this time, and until the round under way has ended, or the search is over:
    /// whether it goes on. One round where there is no clock.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    ///
    /// # Panics
    /// As `step`.
    pub fn step_for(&mut self, time: Duration) -> Result<bool, SearchError> {
        let enough = self.claims.stop.elapsed().saturating_add(time);
        self.step_until(|_, claims| claims.stop.clock().is_past(enough))
    }

    fn step_until(
        &mut self,
        enough: impl Fn(&Counts, &Claims) -> bool,
    ) -> Result<bool, SearchError> {
        let Some(search) = self.search.as_ref().filter(|_| !self.is_over) else {
            return Ok(false);
        };
        // Unless this comes back.
        self.is_over = true;
        let Mcts { workers, tree, pool, .. } = &mut *self.mcts;
        let _turn = self.claims.stop.begin_turns(pool.as_ref().map(Pool::line));
        let search = search.of(tree, &self.state, &self.claims);
        let claims = &self.claims;
        let rng = &mut self.rng;
        let over = self
            .events
            .watch(|| search.run_until(&mut workers[0], 0, rng, |counts| enough(counts, claims)))
            .map_err(|error| or_failure(&self.state, error))
            .inspect_err(|error| self.events.end(Err(error)))?;
        self.is_over = over;
        Ok(!over)
    }

    /// Whether the search goes on: nothing has ended it yet.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        !self.is_over
    }

    fn counts(&self) -> Counts {
        self.mcts.workers[0].round.counts
    }

    /// What is known now. While the search goes on its `stop_reason` is
    /// [`Running`](StopReason::Running).
    ///
    /// # Errors
    /// If there was no memory for the root and the game breaks a law there.
    pub fn report(&self) -> Result<Report<G::Move>, SearchError> {
        let reason = if self.is_over { self.claims.reason() } else { StopReason::Running };
        let report = self.search.as_ref().and_then(|search| {
            let source =
                Source { tree: &self.mcts.tree, claims: &self.claims, facts: search.facts };
            // SAFETY: between two steps nothing searches, and the root is the tree's.
            unsafe { source.report(self.counts(), reason) }
        });
        match report {
            Some(report) => Ok(report),
            None => self.mcts.unsearched(&self.state, self.allowed.clone(), &self.claims),
        }
    }

    /// Reads the tree, as [`Mcts::node`] does.
    #[must_use]
    pub fn node(&self, line: &[G::Move], at_most: usize) -> Option<NodeReport<G::Move>> {
        self.mcts.node(line, at_most)
    }

    /// Reads the tree, as [`Mcts::node_of`] does.
    #[must_use]
    pub fn node_of(&self, state: &G, at_most: usize) -> Option<NodeReport<G::Move>> {
        self.mcts.node_of(state, at_most)
    }

    /// Ends the search, and says what was found. Dropping the steps ends it as well.
    ///
    /// # Errors
    /// As [`report`](Self::report).
    pub fn finish(mut self) -> Result<Report<G::Move>, SearchError> {
        self.settle();
        self.report()
    }

    /// The engine, between two steps.
    pub(super) fn engine(&mut self) -> &mut Mcts<G> {
        self.mcts
    }

    fn settle(&mut self) {
        if std::mem::replace(&mut self.is_settled, true) {
            return;
        }
        if !std::mem::replace(&mut self.is_over, true) {
            self.claims.stop.stop(StopReason::Stopped);
        }
        let simulations = self.counts().simulations;
        self.events.end(Ok(events::Found {
            simulations: Some(simulations),
            nodes: self.mcts.tree.node_count(),
            workers: 1,
            elapsed: self.claims.stop.elapsed(),
            // Without a root nothing was searched.
            reason: self.search.as_ref().map_or(StopReason::Memory, |_| self.claims.reason()),
        }));
        self.mcts.simulations = self.mcts.simulations.saturating_add(simulations);
        self.mcts.end_search();
    }
}

impl<G: GameState> Drop for Steps<'_, G> {
    fn drop(&mut self) {
        self.settle();
    }
}

impl<G: GameState> fmt::Debug for Steps<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Steps")
            .field("simulations", &self.counts().simulations)
            .field("goes_on", &self.goes_on())
            .finish_non_exhaustive()
    }
}
