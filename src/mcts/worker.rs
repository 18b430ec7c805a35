//! The workers of a search: threads that run rounds until the search is stopped.
//!
//! How they share the work is up to [`Parallelism`]; `run` is what a worker does by default.
//!
//! The calling thread is the first worker, so a search with one worker starts no thread.
//! All threads end before the search returns, also when the game panics: the worker that
//! panics stops the others on its way out.

mod crew;
mod gather;
mod loads;
mod rounds;
mod simulated;
pub(crate) mod watch;

use crate::budget::StopReason;
use crate::error::SearchError;
use crate::game::GameState;
use crate::helpers::run_with_helpers;
use crate::rng::{Rng, mix};
use crate::sync::{HAS_THREADS, turn};

use super::claims::{Claims, Pace};
use super::config::Parallelism;
use super::round::plan::{Known, LastRound};
use super::round::{Counts, Origin, Round, Supply};
use super::tree::epoch::Pin;
use super::tree::node::NodeId;
use super::tree::{Allotment, Tree};
use super::worker::watch::Watch;

use crew::Crew;
use gather::run_gathering;
pub(crate) use rounds::ROUNDS_UNDER_WAY;

/// What a worker keeps from search to search.
pub(crate) struct Worker<G: GameState> {
    pub(crate) round: Round<G>,
    pub(crate) allotment: Allotment,
}

/// One search, as its workers see it.
pub(crate) struct Search<'a, G: GameState> {
    pub(crate) tree: &'a Tree<G>,
    pub(crate) root: NodeId,
    pub(crate) state: &'a G,
    pub(crate) claims: &'a Claims,
    pub(crate) watch: &'a Watch,
    pub(crate) parallelism: Parallelism,
    /// The most simulations of an adaptive round.
    pub(crate) longest_round: u32,
    pub(crate) proofs: bool,
    /// The seed of this search; each worker makes its own of it.
    pub(crate) seed: u64,
}

/// Runs the search with all `workers`, and returns what they have counted.
///
/// # Errors
/// The first worker's error, if the game breaks a law.
///
/// # Panics
/// With the game's own panic, if it panics.
pub(crate) fn run_all<G: GameState>(
    search: &Search<'_, G>,
    workers: &mut [Worker<G>],
) -> Result<Counts, SearchError> {
    // What is over before it has begun starts no threads.
    if search.is_over() {
        return Ok(Counts::default());
    }
    match search.parallelism {
        Parallelism::Shared | Parallelism::Rounds => {
            let in_rounds = search.parallelism == Parallelism::Rounds;
            let crew = in_rounds.then(|| Crew::new(workers.len()));
            // One closure for both: for each, all that starts threads would be compiled again.
            run_threads(search, workers, |worker, number| match &crew {
                None => search.run(worker, number),
                Some(crew) if number == 0 => search.lead(worker, crew),
                Some(crew) => search.follow(crew),
            })
        }
        Parallelism::Simulated { .. } => search.simulate(workers),
    }
}

/// As [`run_all`], for an engine with a network: where several workers share a tree, what they ask
/// goes into full batches.
///
/// # Errors
/// As there.
pub(crate) fn run_asking<G: GameState>(
    search: &Search<'_, G>,
    workers: &mut [Worker<G>],
) -> Result<Counts, SearchError> {
    let gathers = HAS_THREADS && workers.len() > 1 && search.parallelism == Parallelism::Shared;
    let first = workers.first().filter(|_| gathers && !search.is_over());
    match first.and_then(|worker| worker.round.gathers()) {
        Some(calls) => run_gathering(search, workers, calls),
        None => run_all(search, workers),
    }
}

/// Gives each worker a thread, the first one that of the caller, and waits for all of them. Where
/// the system has no thread left for a worker, the search goes on without it.
fn run_threads<G: GameState, W: Send>(
    search: &Search<'_, G>,
    workers: &mut [W],
    run: impl Fn(&mut W, u64) -> Result<Counts, SearchError> + Sync,
) -> Result<Counts, SearchError> {
    let Some((first, others)) = workers.split_first_mut() else {
        return Ok(Counts::default());
    };
    if !HAS_THREADS {
        search.claims.stop.set_workers(1);
        return run(first, 0);
    }
    let run = &run;
    let helpers = (1..).zip(others).map(|(number, worker)| move || run(worker, number));
    let (own, others) = run_with_helpers(helpers.collect(), |begun| {
        search.claims.stop.set_workers(1 + begun);
        run(first, 0)
    });
    let counts: Vec<_> = [own].into_iter().chain(others).collect::<Result<_, _>>()?;
    Ok(Counts::sum(counts))
}

/// Stops the search when it is dropped: if a worker panics or meets an error.
struct StopOthers<'a>(&'a Claims);

impl Drop for StopOthers<'_> {
    fn drop(&mut self) {
        self.0.stop.stop(StopReason::Stopped);
    }
}

impl<G: GameState> Search<'_, G> {
    // Once for the lead and its helpers: a whole search is a lot of code.
    #[inline(never)]
    fn run(&self, worker: &mut Worker<G>, number: u64) -> Result<Counts, SearchError> {
        let mut rng = Rng::from_seed(mix(self.seed, number));
        worker.round.reset_counts();
        self.run_until(worker, number, &mut rng, |_| false)?;
        Ok(worker.round.counts)
    }

    /// Rounds of one worker until the search is over, or it has done `enough`: whether the search
    /// is over.
    pub(crate) fn run_until(
        &self,
        worker: &mut Worker<G>,
        number: u64,
        rng: &mut Rng,
        enough: impl Fn(&Counts) -> bool,
    ) -> Result<bool, SearchError> {
        let stop_others = StopOthers(self.claims);
        let Worker { round, allotment } = worker;
        let mut pace = Pace::new(self.claims);
        let mut pin = self.tree.eviction.epoch.pin(number as usize);
        let mut over = true;
        loop {
            if turn::is_due() {
                // No eviction waits for a thread that sleeps.
                drop(pin);
                pace.take_turn();
                pin = self.tree.eviction.epoch.pin(number as usize);
            }
            let Some(count) = self.claim(round, allotment, &mut pace) else { break };
            let supply =
                &mut Supply { rng: &mut *rng, allotment: &mut *allotment, pace: &mut pace };
            round.trip(self.origin(), count, supply)?;
            self.end_round(round, allotment, &pin);
            if enough(&round.counts) {
                over = false;
                break;
            }
        }
        std::mem::forget(stop_others);
        Ok(over)
    }

    /// Rounds of the only worker until one has questions: whether one has, or else the search is
    /// over. The round is [ended](Self::end_asking) when they are answered.
    ///
    /// # Errors
    /// As [`Round::set_out_asking`]. If another question has to be answered before, nothing was
    /// done.
    pub(crate) fn run_until_asking(
        &self,
        worker: &mut Worker<G>,
        rng: &mut Rng,
    ) -> Result<bool, SearchError> {
        let mut pace = Pace::new(self.claims);
        loop {
            // While questions wait there is no pin: only this worker evicts.
            let pin = self.tree.eviction.epoch.pin(0);
            let Worker { round, allotment } = &mut *worker;
            let (unclaimed, before) = (self.claims.unclaimed(), rng.clone());
            let Some(count) = self.claim(round, allotment, &mut pace) else { return Ok(false) };
            let supply =
                &mut Supply { rng: &mut *rng, allotment: &mut *allotment, pace: &mut pace };
            let set_out = round.set_out_asking(self.origin(), count, supply);
            if set_out.is_err() && round.waits_for_one() {
                *rng = before;
                self.claims.set_unclaimed(unclaimed);
            }
            set_out?;
            if round.has_questions() {
                return Ok(true);
            }
            drop(pin);
            self.end_asking(worker);
        }
    }

    /// Ends a round whose questions are answered.
    pub(crate) fn end_asking(&self, worker: &mut Worker<G>) {
        let Worker { round, allotment } = worker;
        let pin = self.tree.eviction.epoch.pin(0);
        round.back_up(self.tree);
        self.end_round(round, allotment, &pin);
    }

    /// Where its simulations begin.
    fn origin(&self) -> Origin<'_, G> {
        Origin { tree: self.tree, root: self.root, state: self.state }
    }

    /// Settles what a round has done, after its backup: it knows no node any more.
    fn end_round(&self, round: &mut Round<G>, allotment: &mut Allotment, pin: &Pin<'_>) {
        self.tree.settle(allotment);
        let simulations = round.take_returned();
        self.claims.came_back(simulations, || round.depth());
        self.tree.end_round(simulations, pin);
    }

    /// Claims the simulations of the next round. `None` if the search is over, or nothing is
    /// left to be claimed.
    fn claim(
        &self,
        round: &Round<G>,
        allotment: &mut Allotment,
        pace: &mut Pace<'_>,
    ) -> Option<u32> {
        if self.is_over() {
            return None;
        }
        allotment.in_haste = pace.is_nearly_over();
        let questions = round.questions(self.tree, self.parallelism);
        let known = self.known(round.last(), round.most_simulations(), questions);
        let wanted = round.size().simulations(known);
        let wanted = pace.fit(self.watch.shorten(wanted, self.claims));
        let count = self.claims.claim(wanted);
        (count > 0).then_some(count)
    }

    /// What the size of a round depends on, if `last` was the round before.
    ///
    /// The rounds of engines that search together are as long as those of one of them would be, all
    /// together.
    fn known(&self, last: LastRound, by_memory: u32, questions: Option<(u32, u32)>) -> Known {
        let visits = self.tree.node(self.root).visits();
        Known {
            visits: visits / u32::from(self.tree.exchanged.team(visits).engines),
            last: self.proofs.then_some(last),
            by_budget: self.longest_round,
            by_memory,
            questions,
        }
    }

    /// Whether there is a reason to stop; the first one found stops the search.
    fn is_over(&self) -> bool {
        if self.proofs && self.tree.node(self.root).value().is_exact() {
            self.claims.stop.stop(StopReason::Proven);
        }
        self.claims.stop.check(self.tree.node_count())
            || self.watch.look(self.tree, self.root, self.claims)
    }
}
