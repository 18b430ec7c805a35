//! What stops a search: its clock, its token, the rules of its budget, and the first reason that
//! one of them gives. One mechanism for all searchers.
//!
//! - [`Stop`] is what the workers of one search share: whether to stop, and why.
//! - [`Rules`] asks the rules of the budget when they are due, by what a searcher knows of itself.
//! - [`Interval`] says how much a worker may do between two looks at the clock.
//! - [`Positions`] is all of it for a searcher that visits one position after the other, and
//!   [`Pace`] a worker's own part of that. The Monte Carlo search claims simulations instead.
//!
//! A worker looks at one word at each position or rollout. It changes when the search is to stop
//! and when what a worker does is given up, which is rare: the line stays in every cache.

mod clock;
mod interval;
mod positions;
mod rules;

use std::sync::Arc;
use std::time::Duration;

use crate::budget::{Budget, Quantity, StopReason, StopToken};
use crate::error::SearchError;
use crate::sync::turn::{self, InTurn, Line, Seated};
use crate::sync::{AtomicBool, AtomicU32, Mutex, Ordering};

pub(crate) use clock::SearchClock;
pub(crate) use interval::Interval;
pub(crate) use positions::{Pace, Positions};
pub(crate) use rules::{Known, Rules};

/// On cache lines of its own, so that what changes often does not slow down what is read often.
#[derive(Debug)]
#[repr(align(128))]
struct Padded<T>(T);

/// Whether a search is to stop, and why. Shared by its workers.
#[derive(Debug)]
pub(crate) struct Stop {
    watched: Padded<Watched>,
    clock: SearchClock,
    /// Which of its threads have their turn now, in a pool.
    seated: Arc<Seated>,
    token: Option<StopToken>,
    nodes: Option<u64>,
    /// Why the search ends; the first reason counts.
    reason: Mutex<Option<StopReason>>,
    /// The law that the game has broken.
    error: Mutex<Option<SearchError>>,
    /// Threads that search.
    workers: AtomicU32,
}

/// What every worker looks at again and again.
#[derive(Debug)]
struct Watched {
    is_stopped: AtomicBool,
    /// Counts the changes that every worker must see.
    signal: AtomicU32,
}

impl Stop {
    /// Starts the clock.
    pub(crate) fn start(budget: &Budget) -> Self {
        let (is_stopped, signal) = (AtomicBool::new(false), AtomicU32::new(0));
        Self {
            watched: Padded(Watched { is_stopped, signal }),
            clock: SearchClock::start(budget),
            seated: Arc::new(Seated::new()),
            token: budget.stop_token().cloned(),
            nodes: budget.nodes_limit(),
            reason: Mutex::new(None),
            error: Mutex::new(None),
            workers: AtomicU32::new(1),
        }
    }

    pub(crate) fn clock(&self) -> &SearchClock {
        &self.clock
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Whether the clock or a token may end the search.
    pub(crate) fn is_timed(&self) -> bool {
        self.clock.limit().is_some() || self.token.is_some()
    }

    /// Sets how many threads search: those planned, and then those that the system had.
    pub(crate) fn set_workers(&self, count: usize) {
        // Relaxed: a report that is read meanwhile may still name those planned.
        self.workers.store(u32::try_from(count).unwrap_or(u32::MAX), Ordering::Relaxed);
    }

    /// Threads that search.
    pub(crate) fn workers(&self) -> usize {
        self.workers.load(Ordering::Relaxed) as usize
    }

    /// What a worker compares with the last one that it has seen.
    #[inline]
    pub(crate) fn signal(&self) -> u32 {
        // Acquire: with the Release in `alert`. A worker that sees the new count sees why it was
        // raised.
        self.watched.0.signal.load(Ordering::Acquire)
    }

    /// Makes every worker look again whether what it does is still wanted.
    pub(crate) fn alert(&self) {
        self.watched.0.signal.fetch_add(1, Ordering::Release);
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        // Relaxed: nothing but the fact is handed over; the end of the threads orders the rest. A
        // worker that sees it late does one more position or rollout.
        self.watched.0.is_stopped.load(Ordering::Relaxed)
    }

    /// Ends the search. The first reason given counts.
    pub(crate) fn stop(&self, reason: StopReason) {
        self.reason.lock().get_or_insert(reason);
        // Relaxed: `alert` publishes it.
        self.watched.0.is_stopped.store(true, Ordering::Relaxed);
        self.alert();
    }

    /// Ends the search because the game has broken a law.
    #[cold]
    pub(crate) fn fail(&self, error: SearchError) {
        self.error.lock().get_or_insert(error);
        self.stop(StopReason::Stopped);
    }

    /// The law that the game has broken. To be taken once.
    pub(crate) fn take_error(&self) -> Option<SearchError> {
        self.error.lock().take()
    }

    /// The calling thread is the first one of the search, which is in `line` from now on. Without a
    /// line its time begins to run.
    pub(crate) fn begin_turns(&self, line: Option<&Arc<Line>>) -> InTurn {
        let in_turn = turn::begin(line, &self.seated);
        if turn::is_seated() {
            self.clock.begin();
        }
        in_turn
    }

    /// Waits for the turn of this thread, if it has to, or for the end of the search.
    #[inline]
    pub(crate) fn take_turn(&self) {
        if turn::is_due() {
            turn::wait(|| self.check(0));
            if turn::is_seated() {
                self.clock.begin();
            }
        }
    }

    /// Whether the search has begun in a line, and none of its threads has its turn.
    pub(crate) fn is_waiting(&self) -> bool {
        self.seated.is_waiting()
    }

    /// Why the search ends, if anything has ended it.
    pub(crate) fn reason(&self) -> Option<StopReason> {
        *self.reason.lock()
    }

    /// Nodes until the limit, with this number of them.
    pub(crate) fn nodes_left(&self, nodes: u64) -> u64 {
        self.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(nodes))
    }

    /// Looks at the token, the clock and the limit of `nodes`, and ends the search if one of them
    /// says so. True if it has ended.
    pub(crate) fn check(&self, nodes: u64) -> bool {
        if self.is_stopped() {
            return true;
        }
        if self.token.as_ref().is_some_and(StopToken::is_stopped) {
            self.stop(StopReason::Stopped);
        } else if self.clock.is_over() {
            self.stop(StopReason::Time);
        } else if self.nodes_left(nodes) == 0 {
            self.stop(StopReason::Nodes);
        }
        self.is_stopped()
    }
}

/// Refuses a budget with a rule that waits for what a `searcher` does not count: the rule could
/// never stop it.
pub(crate) fn refuse_uncounted(
    budget: &Budget,
    searcher: &'static str,
    uncounted: &[Quantity],
) -> Result<(), SearchError> {
    for rule in budget.rules() {
        if let Some(&quantity) = uncounted.iter().find(|&&quantity| rule.waits_for(quantity)) {
            let found = format!("{rule:?}");
            return Err(SearchError::Uncounted { searcher, found, quantity });
        }
    }
    Ok(())
}

#[cfg(all(test, loom))]
mod models {
    use loom::sync::Arc;
    use loom::thread;

    use super::Stop;
    use crate::budget::{Budget, StopReason};

    /// Two end a search at once, and a third looks at it meanwhile.
    #[test]
    fn the_first_reason_counts_and_is_there_when_the_end_is_seen() {
        loom::model(|| {
            let stop = Arc::new(Stop::start(&Budget::unlimited()));
            let end = |reason| {
                let stop = Arc::clone(&stop);
                thread::spawn(move || stop.stop(reason))
            };
            let others = [end(StopReason::Proven), end(StopReason::Nodes)];
            let mut seen = None;
            if stop.signal() > 0 {
                assert!(stop.is_stopped());
                seen = stop.reason();
                assert!(seen.is_some());
            }
            others.into_iter().for_each(|other| other.join().unwrap());
            assert!(stop.is_stopped() && stop.signal() == 2);
            assert!(seen.is_none_or(|seen| stop.reason() == Some(seen)));
        });
    }
}
