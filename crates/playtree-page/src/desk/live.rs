//! What others than the one who gives orders may know of a session, without waiting for anything.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use playtree_session::Report;
use playtree_session::engine::Watch;

use super::view::Shown;
use crate::messages::{Refusal, Search, View};

/// How many ended searches are kept for those who look on.
const ENDS: usize = 8;

/// The game and the search of a session as they are now.
pub struct Live {
    shown: Mutex<Shown>,
    searches: Mutex<Searches>,
}

#[derive(Default)]
struct Searches {
    /// Added to the numbers of the present engine: those of the engines before it.
    before: u64,
    last: Option<Current>,
    /// The last reports of searches that have ended, the oldest first.
    ends: VecDeque<Search>,
}

/// The search that was begun last.
#[derive(Clone)]
pub(super) struct Current {
    pub(super) watcher: Arc<dyn Watch>,
    /// Its number for the engine.
    own_number: u64,
    /// Its number for the page.
    number: u64,
    pub(super) position: String,
    pub(super) ply: usize,
    error: Option<Refusal>,
}

impl Current {
    fn is_thinking(&self) -> bool {
        self.error.is_none() && self.watcher.is_thinking()
    }
}

impl Live {
    pub(super) fn new(shown: Shown) -> Arc<Self> {
        Arc::new(Self { shown: Mutex::new(shown), searches: Mutex::default() })
    }

    /// The game as it is.
    #[must_use]
    pub fn view(&self) -> View {
        View { thinking: self.thinking(), ..self.shown().clone() }
    }

    /// The number of changes of the game.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.shown().version
    }

    /// The number of the search under way.
    #[must_use]
    pub fn thinking(&self) -> Option<u64> {
        self.current().filter(Current::is_thinking).map(|current| current.number)
    }

    /// The number of the search that was begun last, under way or not.
    #[must_use]
    pub fn last_search(&self) -> Option<u64> {
        self.current().map(|current| current.number)
    }

    /// Asks the search under way to end soon.
    pub fn stop(&self) {
        if let Some(current) = self.current() {
            current.watcher.stop();
        }
    }

    /// The search that was begun last: so far, or at its end; `None` before the first one.
    #[must_use]
    pub fn search(&self) -> Option<Search> {
        let current = self.current()?;
        // Asked first: a report that is read later is not older.
        let thinking = current.is_thinking();
        let is_waiting = current.watcher.is_waiting();
        let seen = current.watcher.snapshot();
        let seen = seen.filter(|seen| seen.search.get() == current.own_number);
        let report = seen.map(|seen| seen.report);
        let numbers = report.as_ref().map(Numbers::of).unwrap_or_default();
        Some(Search {
            search: current.number,
            position: current.position,
            ply: current.ply,
            thinking,
            waiting: thinking && is_waiting,
            simulations_per_second: numbers.per_second,
            memory_bytes: numbers.memory,
            known_before: numbers.known_before,
            error: current.error,
            report,
        })
    }

    /// Waits for the end of the search under way, as a future. `None` before the first one.
    pub fn ended(self: &Arc<Self>) -> Option<impl Future<Output = ()> + Send + use<>> {
        let (live, current) = (Arc::clone(self), self.current()?);
        Some(async move {
            if let Err(error) = current.watcher.ended().await {
                live.fail(current.number, error.into());
            }
            live.note_end();
        })
    }

    /// The searches after that of this number that have ended, the oldest first; a few of them if
    /// they are many.
    #[must_use]
    pub fn ends_after(&self, number: u64) -> Vec<Search> {
        let searches = self.searches();
        searches.ends.iter().filter(|search| search.search > number).cloned().collect()
    }

    /// Keeps what the search that was begun last has found, if it has ended.
    pub(super) fn note_end(&self) {
        let Some(search) = self.search().filter(|search| !search.thinking) else { return };
        let mut searches = self.searches();
        if searches.ends.back().is_none_or(|last| last.search < search.search) {
            searches.ends.push_back(search);
            if searches.ends.len() > ENDS {
                searches.ends.pop_front();
            }
        }
    }

    /// Notes why the search that was begun last has ended without a report.
    pub(super) fn fail_last(&self, error: Refusal) {
        if let Some(number) = self.last_search() {
            self.fail(number, error);
        }
    }

    /// Notes why a search has ended without a report.
    fn fail(&self, number: u64, error: Refusal) {
        if let Some(last) = &mut self.searches().last
            && last.number == number
        {
            last.error = Some(error);
        }
    }

    pub(super) fn show(&self, shown: Shown) {
        *self.shown() = shown;
    }

    /// A search that has begun, with the number that the engine gives it: its number for the page.
    pub(super) fn begin(
        &self,
        watcher: Arc<dyn Watch>,
        own_number: u64,
        position: String,
        ply: usize,
    ) -> u64 {
        let mut searches = self.searches();
        let number = searches.before + own_number;
        searches.last = Some(Current { watcher, own_number, number, position, ply, error: None });
        number
    }

    /// The engine is gone, and with it its searches; the next one counts from 1 again.
    pub(super) fn end_searches(&self) {
        self.note_end();
        let mut searches = self.searches();
        if let Some(last) = searches.last.take() {
            searches.before = last.number;
        }
    }

    pub(super) fn current(&self) -> Option<Current> {
        self.searches().last.clone()
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn searches(&self) -> MutexGuard<'_, Searches> {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("version", &self.version()).finish_non_exhaustive()
    }
}

/// What reports of all searchers have in common.
#[derive(Default)]
struct Numbers {
    per_second: f64,
    memory: u64,
    known_before: u64,
}

impl Numbers {
    fn of(report: &Report) -> Self {
        match report {
            Report::Mcts(report) => Self {
                per_second: report.simulations_per_second(),
                memory: report.bytes,
                // Dropped ones were simulated, but no visit came of them.
                known_before: (report.visits() + report.dropped).saturating_sub(report.simulations),
            },
            Report::AlphaBeta(report) => Self {
                per_second: report.nodes_per_second(),
                memory: report.table_bytes,
                known_before: 0,
            },
            _ => Self::default(),
        }
    }
}
