//! Threads beside a search: one that searches for a handle, one that calls its callback.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

use crate::game::GameState;
use crate::mcts::Mcts;
use crate::mcts::thinking::Stage;
use crate::report::Report;
use crate::sync::{JoinHandle, spawn};

/// The thread that has the engine, and is the first worker of each of its searches.
pub(crate) struct Background<G: GameState + 'static> {
    /// `None` once it is joined.
    thread: Option<JoinHandle<Mcts<G>>>,
}

impl<G: GameState + 'static> Background<G> {
    pub(crate) fn spawn(mut engine: Mcts<G>, stage: &Arc<Stage<G>>) -> Self {
        let stage = Arc::clone(stage);
        let thread = spawn(move || {
            while let Some(order) = stage.next() {
                // The order is dropped in here as well: that is the game's code.
                let search = AssertUnwindSafe(|| engine.obey(order, &stage));
                let result = panic::catch_unwind(search);
                stage.end(result);
            }
            engine
        });
        Self { thread: Some(thread) }
    }

    /// Stops the search, waits for the end of the thread, and gives the engine back. `None` if that
    /// was done before.
    pub(crate) fn join(&mut self, stage: &Stage<G>) -> Option<Mcts<G>> {
        let thread = self.thread.take()?;
        stage.close();
        // The thread catches every panic of the game.
        thread.join().ok()
    }
}

/// The thread that calls the callback of a handle. Dropped, it ends, after the call under way.
pub(crate) struct Reporter<G: GameState + 'static> {
    stage: Arc<Stage<G>>,
    thread: Option<JoinHandle<()>>,
}

/// The shortest time between two calls.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(1);

impl<G: GameState + 'static> Reporter<G> {
    /// There is one reporter of a stage at a time.
    pub(crate) fn spawn(
        stage: &Arc<Stage<G>>,
        interval: Duration,
        mut callback: impl FnMut(&Report<G::Move>) + Send + 'static,
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

impl<G: GameState + 'static> Drop for Reporter<G> {
    fn drop(&mut self) {
        self.stage.dismiss_reporter(true);
        if let Some(thread) = self.thread.take() {
            // It has caught what the callback may have thrown.
            drop(thread.join());
        }
    }
}
