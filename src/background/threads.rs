//! Threads beside a search: one that searches for a handle, one that calls its callback.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

use crate::sync::parking::Mutex;

use crate::error::SearchError;
use crate::helpers::{begin, drop_quietly, greet};
use crate::sync::JoinHandle;

use super::order::{Remains, Stage};
use super::{Ended, Searcher, Snapshot};

/// The thread that has the engine, and is the first worker of each of its searches.
pub(super) struct Background<S: Searcher> {
    /// `None` once it is joined, and as long as the system has no thread left.
    thread: Option<JoinHandle<()>>,
    /// The engine, until a thread has taken it, and again when that has ended.
    seat: Arc<Mutex<Option<S>>>,
}

impl<S: Searcher> Background<S> {
    pub(super) fn new(engine: S) -> Self {
        Self { thread: None, seat: Arc::new(Mutex::new(Some(engine))) }
    }

    /// Starts the thread if there is none. If the system refuses it, that is how the order ends.
    pub(super) fn ensure(&mut self, stage: &Arc<Stage<S>>) -> Remains<S> {
        if self.thread.is_some() {
            return Remains::default();
        }
        let (own, seat) = (Arc::clone(stage), Arc::clone(&self.seat));
        let work = move || {
            let engine = seat.lock().take().expect("put there before the thread was begun");
            greet(engine.pool().map(|pool| &**pool.line()));
            let engine = search_all(engine, &own);
            *seat.lock() = Some(engine);
        };
        match begin("playtree-search", work) {
            Ok(thread) => self.thread = Some(thread),
            Err(error) => return stage.refuse(SearchError::NoThread { found: error.to_string() }),
        }
        Remains::default()
    }

    /// Stops the search, waits for the end of the thread, and gives the engine back, `None` if that
    /// was done before, and what it has not searched.
    pub(super) fn join(&mut self, stage: &Stage<S>) -> (Option<S>, Remains<S>) {
        let remains = stage.close();
        if let Some(thread) = self.thread.take() {
            // It catches every panic of the game.
            drop(thread.join());
        }
        (self.seat.lock().take(), remains)
    }
}

/// Searches what is ordered until there will be no more orders.
fn search_all<S: Searcher>(mut engine: S, stage: &Stage<S>) -> S {
    loop {
        let (order, before) = stage.next();
        // Nothing of the search before is held any more when the next one begins.
        drop_loudly(stage, || drop(before));
        let Some((search, order)) = order else { return engine };
        let state = Arc::clone(&order.state);
        // The order is dropped in here as well: that is the game's code.
        let obey = AssertUnwindSafe(|| engine.obey(order, &mut |view| stage.show(view)));
        let result = panic::catch_unwind(obey).map(Arc::new);
        let (call, remains) = stage.end(result, engine.table());
        drop_loudly(stage, || {
            drop(remains);
            if let Some((at_end, found)) = call {
                let result = found.map_or(Err(SearchError::Panicked), |found| (*found).clone());
                (at_end.lock())(&Ended { search, state, result });
            }
        });
    }
}

/// Runs code of the game's or of a callback after a search: the next wait goes on with its panic,
/// unless there is another by then.
fn drop_loudly<S: Searcher>(stage: &Stage<S>, work: impl FnOnce()) {
    if let Err(payload) = panic::catch_unwind(AssertUnwindSafe(work)) {
        drop_quietly(stage.drop_panicked(payload));
    }
}

type Callback<S> = Box<dyn FnMut(&Snapshot<S>) + Send>;

/// The thread that calls the callback of a handle. Dropped, it ends, after the call under way.
pub(super) struct Reporter<S: Searcher> {
    stage: Arc<Stage<S>>,
    interval: Duration,
    /// `None` as long as the system has no thread left.
    thread: Option<JoinHandle<()>>,
    /// The callback, until a thread has taken it.
    seat: Arc<Mutex<Option<Callback<S>>>>,
}

/// The shortest time between two calls.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(1);

impl<S: Searcher> Reporter<S> {
    /// There is one reporter of a stage at a time.
    pub(super) fn new(stage: &Arc<Stage<S>>, interval: Duration, callback: Callback<S>) -> Self {
        let (stage, interval) = (Arc::clone(stage), interval.max(SHORTEST_INTERVAL));
        stage.dismiss_reporter(false);
        let mut reporter =
            Self { stage, interval, thread: None, seat: Arc::new(Mutex::new(Some(callback))) };
        reporter.ensure();
        reporter
    }

    /// Starts the thread if there is none, and the system has one.
    pub(super) fn ensure(&mut self) {
        if self.thread.is_some() {
            return;
        }
        let (stage, seat, interval) =
            (Arc::clone(&self.stage), Arc::clone(&self.seat), self.interval);
        let work = move || {
            let callback = seat.lock().take().expect("put there before the thread was begun");
            report_all(callback, interval, &stage);
        };
        self.thread = begin("playtree-report", work).ok();
    }

    /// Whether there is a thread that calls the callback.
    pub(super) fn is_running(&self) -> bool {
        self.thread.is_some()
    }
}

/// Calls the callback until it is dismissed, or panics.
fn report_all<S: Searcher>(mut callback: Callback<S>, interval: Duration, stage: &Stage<S>) {
    let calls = AssertUnwindSafe(|| {
        while let Some(snapshot) = stage.next_report(interval) {
            callback(&snapshot);
        }
    });
    if let Err(payload) = panic::catch_unwind(calls) {
        drop(stage.callback_panicked(payload));
    }
}

impl<S: Searcher> Drop for Reporter<S> {
    fn drop(&mut self) {
        self.stage.dismiss_reporter(true);
        if let Some(thread) = self.thread.take() {
            // It has caught what the callback may have thrown.
            drop(thread.join());
        }
    }
}
