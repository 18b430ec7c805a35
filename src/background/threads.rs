//! Threads beside a search: one that searches for a handle, one that calls its callback.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

use crate::sync::{JoinHandle, spawn};

use super::Searcher;
use super::order::Stage;

/// The thread that has the engine, and is the first worker of each of its searches.
pub(super) struct Background<S: Searcher> {
    /// `None` once it is joined.
    thread: Option<JoinHandle<S>>,
}

impl<S: Searcher> Background<S> {
    pub(super) fn spawn(mut engine: S, stage: &Arc<Stage<S>>) -> Self {
        let stage = Arc::clone(stage);
        let thread = spawn(move || {
            while let Some(order) = stage.next() {
                // The order is dropped in here as well: that is the game's code.
                let search = AssertUnwindSafe(|| engine.obey(order, |view| stage.show(view)));
                let result = panic::catch_unwind(search);
                stage.end(result, engine.table());
            }
            engine
        });
        Self { thread: Some(thread) }
    }

    /// Stops the search, waits for the end of the thread, and gives the engine back. `None` if that
    /// was done before.
    pub(super) fn join(&mut self, stage: &Stage<S>) -> Option<S> {
        let thread = self.thread.take()?;
        stage.close();
        // The thread catches every panic of the game.
        thread.join().ok()
    }
}

/// The thread that calls the callback of a handle. Dropped, it ends, after the call under way.
pub(super) struct Reporter<S: Searcher> {
    stage: Arc<Stage<S>>,
    thread: Option<JoinHandle<()>>,
}

/// The shortest time between two calls.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(1);

impl<S: Searcher> Reporter<S> {
    /// There is one reporter of a stage at a time.
    pub(super) fn spawn(
        stage: &Arc<Stage<S>>,
        interval: Duration,
        mut callback: impl FnMut(&S::Report) + Send + 'static,
    ) -> Self {
        let interval = interval.max(SHORTEST_INTERVAL);
        stage.dismiss_reporter(false);
        let own = Arc::clone(stage);
        let thread = spawn(move || {
            let calls = AssertUnwindSafe(|| {
                while let Some(report) = own.next_report(interval) {
                    callback(&report);
                }
            });
            if let Err(payload) = panic::catch_unwind(calls) {
                own.callback_panicked(payload);
            }
        });
        Self { stage: Arc::clone(stage), thread: Some(thread) }
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
