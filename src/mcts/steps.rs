//! A search in steps: in the thread of the caller, who does other things between two of them.

use std::fmt;
use std::time::Duration;

use crate::budget::{Budget, StopReason};
use crate::error::SearchError;
use crate::evaluate::{Answers, NetworkError, Question};
use crate::events;
use crate::game::GameState;
use crate::laws::or_failure;
use crate::pool::Pool;
use crate::rng::{Rng, mix};

use super::answer::view::Source;
use super::claims::Claims;
use super::config::Parallelism;
use super::round::{Counts, Round};
use super::worker::{Search, Worker};
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
        let mut steps = Steps::new(self, state, budget);
        steps.open(budget, options)?;
        Ok(steps)
    }
}

impl<'a, G: GameState> Steps<'a, G> {
    /// The steps of a search that is yet to be [opened](Self::open).
    pub(super) fn new(mcts: &'a mut Mcts<G>, state: &G, budget: &Budget) -> Self {
        let claims = Claims::start(budget);
        if !mcts.reuse {
            mcts.forget();
        }
        mcts.workers[0].round.reset_counts();
        Self {
            state: state.clone(),
            claims,
            search: None,
            allowed: None,
            rng: Rng::from_seed(0),
            is_over: false,
            is_settled: false,
            events: events::Search::begin::<G>("mcts", 1, budget),
            mcts,
        }
    }

    /// Finds the root, and what else the search begins with.
    ///
    /// # Errors
    /// As [`Mcts::begin_with`]; also until the caller has answered what is asked about the root.
    pub(super) fn open(
        &mut self,
        budget: &Budget,
        options: &Options<G>,
    ) -> Result<(), SearchError> {
        let Self { mcts, state, claims, .. } = self;
        let begun = self
            .events
            .watch(|| mcts.begin_search((state, budget, options), claims, false))
            .map_err(|error| or_failure(state, error));
        if mcts.workers[0].round.waits_for_one() {
            return begun.map(|_| ());
        }
        self.is_over = true;
        let begun = begun.inspect_err(|error| self.events.end(Err(error)))?;
        claims.stop.set_workers(1);
        self.search = begun.search;
        if let Some(search) = &mut self.search {
            search.parallelism = Parallelism::Shared;
            search.longest_round = mcts.longest_round(search.parallelism, budget);
            self.rng = Rng::from_seed(mix(search.facts.seed, 0));
        }
        self.allowed = begun.allowed;
        self.is_over = self.search.is_none();
        mcts.workers[0].round.reset_counts();
        Ok(())
    }

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
        self.run(|search, worker, rng| {
            let claims = search.claims;
            let over = search.run_until(worker, 0, rng, |counts| enough(counts, claims))?;
            Ok(!over)
        })
    }

    /// Searches until there are questions for the caller: whether there are some, or else the
    /// search is over.
    pub(super) fn step_asking(&mut self) -> Result<bool, SearchError> {
        self.run(|search, worker, rng| match search.run_until_asking(worker, rng) {
            Err(_) if worker.round.waits_for_one() => Ok(true),
            asks => asks,
        })
    }

    /// Takes the answers to the questions that wait, and backs their round up.
    pub(super) fn take_answers(
        &mut self,
        answers: impl FnOnce(&[Question<'_, G>], &mut Answers) -> Result<(), NetworkError>,
    ) -> Result<(), SearchError> {
        let Mcts { workers, tree, .. } = &mut *self.mcts;
        if self.search.is_none() {
            let Worker { round, allotment } = &mut workers[0];
            // The root is asked about: the search is not opened yet. Unless this comes back:
            self.is_over = true;
            self.events
                .watch(|| round.take_answers(tree, allotment, answers))
                .inspect_err(|error| self.events.end(Err(error)))?;
            self.is_over = false;
            return Ok(());
        }
        self.run(|search, worker, _| {
            let Worker { round, allotment } = &mut *worker;
            if round.take_answers(search.tree, allotment, answers)? {
                search.end_asking(worker);
            }
            Ok(true)
        })
        .map(|_| ())
    }

    /// Does a part of the search, which says whether it goes on: whether it does. Nothing is done
    /// if it is over, and it is over if this fails.
    fn run(
        &mut self,
        part: impl FnOnce(&Search<'_, G>, &mut Worker<G>, &mut Rng) -> Result<bool, SearchError>,
    ) -> Result<bool, SearchError> {
        let Some(search) = self.search.as_ref().filter(|_| !self.is_over) else {
            return Ok(false);
        };
        // Unless this comes back.
        self.is_over = true;
        let Mcts { workers, tree, pool, .. } = &mut *self.mcts;
        let _turn = self.claims.stop.begin_turns(pool.as_ref().map(Pool::line));
        let search = search.of(tree, &self.state, &self.claims);
        let rng = &mut self.rng;
        let goes_on = self
            .events
            .watch(|| part(&search, &mut workers[0], rng))
            .map_err(|error| or_failure(&self.state, error))
            .inspect_err(|error| self.events.end(Err(error)))?;
        self.is_over = !goes_on;
        Ok(goes_on)
    }

    /// The working memory of its worker.
    pub(super) fn round(&self) -> &Round<G> {
        &self.mcts.workers[0].round
    }

    /// Whether the search goes on: nothing has ended it yet.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        !self.is_over
    }

    /// What was counted so far.
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
        let Mcts { workers, tree, .. } = &mut *self.mcts;
        let round = &mut workers[0].round;
        if round.has_questions() {
            round.take_back_marks(tree);
        }
        round.set_caller(false);
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
