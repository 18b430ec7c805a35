//! An engine that searches in the thread of the caller, a slice at a time: where there are no other
//! threads.

use std::fmt;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use playtree::budget::SharedBudget;
use playtree::dynamic::AnyMove;
use playtree::mcts::NodeReport;
use playtree::{Budget, SearchError, SearchId, StopReason};
use playtree_searches::Error;

use super::watch::{Ended, Seen, Watch};
use super::{Engine, OnReport};
use crate::Record;
use crate::report::Report;
use crate::root::Root;

/// Alpha-beta and the solver find their way back to where they were in each slice: it grows up to
/// this many times the one asked for.
const LONGEST_SLICE: u32 = 8;
/// The time of a search that is stopped before its first slice.
const LEAST_SLICE: Duration = Duration::from_millis(1);

/// How often a watcher is waited for between two steps, at most: it needs some microseconds.
const YIELDS: u32 = 1_000;

/// Whether a search can be looked at or ended by others while this thread waits for it.
const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// An engine whose searches of [`think`](Engine::think) go on when [`step`](Engine::step) is
/// called.
///
/// A step is a short search, which keeps what it has found for the next one; so an engine that is
/// not to [re-use](playtree::MctsBuilder::reuse) what it knows is of no use here. It calls nothing
/// back, and its [watchers](Watch) wait for the step under way. Where it is dropped, its search
/// ends.
pub struct InSteps(Arc<Shared>);

/// What an engine and its watchers share.
struct Shared {
    place: Mutex<Place>,
    /// Watchers that wait for the place.
    asking: AtomicUsize,
}

/// The engine, and the search that it does.
struct Place {
    /// `None` once it is gone, and only watchers are left.
    engine: Option<Box<dyn Engine>>,
    search: Option<Search>,
    next: NonZero<u64>,
    /// Those who wait for the end of the search.
    waiting: Vec<Waker>,
}

struct Search {
    number: SearchId,
    game: Record,
    budget: SharedBudget,
    root: Root,
    /// When the first step began.
    since: Option<Duration>,
    /// How many times the slice that is asked for a step takes.
    slices: u32,
    /// Of all steps together.
    found: Option<Report>,
    goes_on: bool,
}

impl InSteps {
    /// This engine, which should have one thread.
    #[must_use]
    pub fn new(engine: Box<dyn Engine>) -> Self {
        let (next, waiting) = (NonZero::<u64>::MIN, Vec::new());
        let place = Mutex::new(Place { engine: Some(engine), search: None, next, waiting });
        Self(Arc::new(Shared { place, asking: AtomicUsize::new(0) }))
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.0.place()
    }
}

impl Shared {
    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `look` makes of the place, for a watcher in any thread.
    fn ask<T>(&self, look: impl FnOnce(&mut Place) -> T) -> T {
        // Relaxed: seen late, a step more is done before.
        self.asking.fetch_add(1, Ordering::Relaxed);
        let mut place = self.place();
        self.asking.fetch_sub(1, Ordering::Relaxed);
        look(&mut place)
    }

    /// Lets watchers that want the place have it: a lock alone goes to the thread that had it last.
    fn let_others_look(&self) {
        for _ in 0..YIELDS {
            if self.asking.load(Ordering::Relaxed) == 0 {
                break;
            }
            thread::yield_now();
        }
    }
}

impl Place {
    /// The engine, for its owner.
    fn engine(&mut self) -> &mut dyn Engine {
        &mut **self.engine.as_mut().expect("it goes with its owner")
    }

    fn is_thinking(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.goes_on)
    }

    /// Whether a search is under way, whose end wakes this one.
    fn waits(&mut self, waker: &Waker) -> bool {
        let thinking = self.is_thinking();
        if thinking && !self.waiting.iter().any(|waiting| waiting.will_wake(waker)) {
            self.waiting.push(waker.clone());
        }
        thinking
    }

    /// Searches for a time, and not beyond the budget.
    fn step(&mut self, slice: Duration, now: Duration) -> Result<bool, Error> {
        let Self { engine: Some(engine), search: Some(search), .. } = self else {
            return Ok(false);
        };
        if !search.goes_on {
            return Ok(false);
        }
        let passed = now.saturating_sub(*search.since.get_or_insert(now));
        search.budget.set_elapsed(passed);
        let rest = search.budget.rest();
        let counts_simulations = engine.name() == "mcts";
        let slice = if counts_simulations { slice } else { slice.saturating_mul(search.slices) };
        search.slices = (search.slices + 1).min(LONGEST_SLICE);
        let left = rest.time_limit();
        let time = left.map_or(slice, |left| left.min(slice)).max(LEAST_SLICE);
        let is_last = left.is_some_and(|left| left <= time);
        let before = search.found.take();
        // Unless this comes back with more to do.
        search.goes_on = false;
        let found = engine.search(&search.game, &rest.and_time(time), &search.root);
        let found = found.map(|report| {
            match &report {
                Report::Mcts(report) => search.budget.add(report.simulations, 0),
                Report::AlphaBeta(report) => search.budget.add(report.nodes, report.nodes),
                Report::Solver(solution) => search.budget.add(solution.nodes, solution.nodes),
            }
            let mut found = together(before, report, passed);
            if found.stop_reason() == StopReason::Time && !is_last {
                // The last simulation may have come just when the time of the step was over.
                let end = search.budget.used_up();
                *reason(&mut found) = end.unwrap_or(StopReason::Running);
                search.goes_on = end.is_none();
            }
            search.found = Some(found);
            search.goes_on
        });
        if !self.is_thinking() {
            self.wake();
        }
        found
    }

    /// Ends the search under way, if there is one: what it has found.
    fn stop(&mut self) -> Result<Report, Error> {
        let search = self.search.as_ref().ok_or(Error::NoSearch)?;
        if search.goes_on {
            if search.found.is_none() {
                self.step(LEAST_SLICE, Duration::ZERO)?;
            }
            self.end();
        }
        self.found()
    }

    /// Ends the search under way, if there is one, with what it has found.
    fn end(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.goes_on) {
            search.goes_on = false;
            if let Some(report) = &mut search.found {
                *reason(report) = StopReason::Stopped;
            }
        }
        self.wake();
    }

    fn found(&self) -> Result<Report, Error> {
        let search = self.search.as_ref().ok_or(Error::NoSearch)?;
        match (&search.found, &self.engine) {
            (Some(report), _) => Ok(report.clone()),
            (None, Some(_)) => Err(Error::NoSearch),
            (None, None) => Err(SearchError::Abandoned.into()),
        }
    }

    fn wake(&mut self) {
        self.waiting.drain(..).for_each(Waker::wake);
    }

    fn seen(&self) -> Option<Seen> {
        let search = self.search.as_ref()?;
        let report = search.found.clone()?;
        let position = search.game.position().position_text();
        Some(Seen { search: search.number, position, report })
    }
}

/// What the steps before and the last one have found together, after `passed` and the last one.
fn together(before: Option<Report>, last: Report, passed: Duration) -> Report {
    let mut report = match (before, last) {
        (Some(Report::Mcts(before)), Report::Mcts(mut last)) => {
            last.simulations += before.simulations;
            last.dropped += before.dropped;
            last.deferred += before.deferred;
            last.contended += before.contended;
            last.evicted += before.evicted;
            Report::Mcts(last)
        }
        (Some(Report::AlphaBeta(before)), Report::AlphaBeta(mut last)) => {
            last.nodes += before.nodes;
            last.selective_depth = last.selective_depth.max(before.selective_depth);
            if last.depth < before.depth && last.proven.is_none() {
                // It has not come as far again.
                let (nodes, elapsed) = (last.nodes, last.elapsed);
                let (reason, depth) = (last.stop_reason, last.selective_depth);
                last = before;
                (last.nodes, last.elapsed) = (nodes, elapsed);
                (last.stop_reason, last.selective_depth) = (reason, depth);
            }
            Report::AlphaBeta(last)
        }
        (Some(Report::Solver(before)), Report::Solver(mut last)) => {
            last.nodes += before.nodes;
            last.peak_bytes = last.peak_bytes.max(before.peak_bytes);
            Report::Solver(last)
        }
        (_, last) => last,
    };
    match &mut report {
        Report::Mcts(report) => report.elapsed += passed,
        Report::AlphaBeta(report) => report.elapsed += passed,
        Report::Solver(solution) => solution.elapsed += passed,
    }
    report
}

fn reason(report: &mut Report) -> &mut StopReason {
    match report {
        Report::Mcts(report) => &mut report.stop_reason,
        Report::AlphaBeta(report) => &mut report.stop_reason,
        Report::Solver(solution) => &mut solution.stop_reason,
    }
}

impl Engine for InSteps {
    fn name(&self) -> &'static str {
        self.place().engine().name()
    }

    fn search(&mut self, game: &Record, budget: &Budget, root: &Root) -> Result<Report, Error> {
        let mut place = self.place();
        place.search = None;
        place.wake();
        place.engine().search(game, budget, root)
    }

    fn think(&mut self, game: &Record, budget: &Budget, root: &Root) -> Result<SearchId, Error> {
        let mut place = self.place();
        if place.is_thinking() {
            // What was wrong with it is over.
            let _ = place.stop();
        }
        let number = SearchId::new(place.next);
        place.next = place.next.saturating_add(1);
        place.search = Some(Search {
            number,
            game: game.clone(),
            budget: SharedBudget::new(budget.clone()),
            root: root.clone(),
            since: None,
            slices: 1,
            found: None,
            goes_on: true,
        });
        Ok(number)
    }

    fn step(&mut self, slice: Duration, now: Duration) -> Result<bool, Error> {
        self.place().step(slice, now)
    }

    fn on_report(&mut self, _interval: Duration, _callback: OnReport) {}

    fn is_thinking(&self) -> bool {
        self.place().is_thinking()
    }

    fn report(&self) -> Option<Report> {
        self.place().found().ok()
    }

    fn wait(&mut self) -> Result<Report, Error> {
        let is_unlimited = |search: &Search| search.budget.rest().is_unlimited();
        if !HAS_THREADS && self.place().search.as_ref().is_some_and(is_unlimited) {
            return Err(SearchError::Unlimited.into());
        }
        let mut now = Duration::ZERO;
        loop {
            // A watcher may end the search.
            self.0.let_others_look();
            let mut place = self.place();
            if !place.is_thinking() {
                return place.found();
            }
            // As long as the steps have taken: there may be no clock.
            let since = place.search.as_ref().and_then(|search| search.since).unwrap_or(now);
            now = since + place.found().map_or(Duration::ZERO, |report| elapsed(&report));
            place.step(Duration::from_millis(100), now)?;
        }
    }

    fn stop(&mut self) -> Result<Report, Error> {
        self.place().stop()
    }

    fn rest(&mut self) {
        let mut place = self.place();
        let _ = place.stop();
        place.search = None;
        place.engine().rest();
    }

    fn workers(&mut self) -> usize {
        self.place().engine().workers()
    }

    fn forget(&mut self) {
        let mut place = self.place();
        let _ = place.stop();
        place.engine().forget();
    }

    fn watcher(&self) -> Option<Arc<dyn Watch>> {
        self.place().search.as_ref()?;
        Some(Arc::new(Watcher(Arc::clone(&self.0))))
    }
}

impl Drop for InSteps {
    fn drop(&mut self) {
        let mut place = self.place();
        place.end();
        let engine = place.engine.take();
        // What it does when it goes is none of a watcher's business.
        drop(place);
        drop(engine);
    }
}

fn elapsed(report: &Report) -> Duration {
    match report {
        Report::Mcts(report) => report.elapsed,
        Report::AlphaBeta(report) => report.elapsed,
        Report::Solver(solution) => solution.elapsed,
    }
}

impl fmt::Debug for InSteps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InSteps").field(&self.place().engine).finish()
    }
}

struct Watcher(Arc<Shared>);

impl Watch for Watcher {
    fn snapshot(&self) -> Option<Seen> {
        self.0.ask(|place| place.seen())
    }

    fn is_thinking(&self) -> bool {
        self.0.ask(|place| place.is_thinking())
    }

    fn is_waiting(&self) -> bool {
        false
    }

    fn stop(&self) {
        // Whoever asks for the report learns what was wrong.
        let _ = self.0.ask(Place::stop);
    }

    fn wait_for(&self, time: Duration) -> bool {
        if !HAS_THREADS {
            return !self.is_thinking();
        }
        let (begin, waker) = (Instant::now(), Waker::from(Arc::new(Asleep(thread::current()))));
        while self.0.ask(|place| place.waits(&waker)) {
            let left = time.saturating_sub(begin.elapsed());
            if left.is_zero() {
                self.0.ask(|place| place.waiting.retain(|waiting| !waiting.will_wake(&waker)));
                return false;
            }
            thread::park_timeout(left);
        }
        true
    }

    fn ended(&self) -> Ended {
        let shared = Arc::clone(&self.0);
        Box::pin(std::future::poll_fn(move |context| {
            shared.ask(|place| {
                if place.waits(context.waker()) {
                    return Poll::Pending;
                }
                Poll::Ready(place.found().and_then(|_| place.seen().ok_or(Error::NoSearch)))
            })
        }))
    }

    fn node(&self, line: &[AnyMove], at_most: usize) -> Option<NodeReport<String>> {
        self.0.ask(|place| {
            // Before the first step the tree is that of another position.
            place.search.as_ref()?.found.as_ref()?;
            place.engine.as_ref()?.node(line, at_most)
        })
    }
}

/// A thread that waits for the end of a search.
struct Asleep(Thread);

impl Wake for Asleep {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
