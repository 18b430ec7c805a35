//! When a search stops: small reasons, any combination, the first one reached.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::sync::{AtomicBool, Ordering};

/// The limits of one search. The first one reached stops it.
///
/// A proven root always stops the search, whatever the budget.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use playtree::Budget;
///
/// let budget = Budget::time(Duration::from_millis(100)).and_simulations(1_000_000);
/// assert_eq!(budget.simulations_limit(), Some(1_000_000));
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Budget {
    time: Option<Duration>,
    simulations: Option<u64>,
    nodes: Option<u64>,
    stop: Option<StopToken>,
}

impl Budget {
    /// Stops when this much time has passed since the call of the search.
    pub fn time(limit: Duration) -> Self {
        Self::default().and_time(limit)
    }

    /// Stops after exactly this many simulations of this search.
    pub fn simulations(limit: u64) -> Self {
        Self::default().and_simulations(limit)
    }

    /// Stops when the table holds this many nodes, re-used ones included. Workers notice
    /// between rounds, so a few more may be made.
    pub fn nodes(limit: u64) -> Self {
        Self::default().and_nodes(limit)
    }

    /// Stops when the token is set, from any thread.
    pub fn until(token: &StopToken) -> Self {
        Self::default().and_until(token)
    }

    /// This budget and a time limit.
    pub fn and_time(mut self, limit: Duration) -> Self {
        self.time = Some(limit);
        self
    }

    /// This budget and a limit of simulations.
    pub fn and_simulations(mut self, limit: u64) -> Self {
        self.simulations = Some(limit);
        self
    }

    /// This budget and a limit of nodes.
    pub fn and_nodes(mut self, limit: u64) -> Self {
        self.nodes = Some(limit);
        self
    }

    /// This budget and a stop token.
    pub fn and_until(mut self, token: &StopToken) -> Self {
        self.stop = Some(token.clone());
        self
    }

    /// The time limit, if there is one.
    #[must_use]
    pub fn time_limit(&self) -> Option<Duration> {
        self.time
    }

    /// The limit of simulations, if there is one.
    #[must_use]
    pub fn simulations_limit(&self) -> Option<u64> {
        self.simulations
    }

    /// The limit of nodes, if there is one.
    #[must_use]
    pub fn nodes_limit(&self) -> Option<u64> {
        self.nodes
    }

    /// The stop token, if there is one.
    #[must_use]
    pub fn stop_token(&self) -> Option<&StopToken> {
        self.stop.as_ref()
    }

    /// Whether nothing but a proof would end a search with this budget.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.time.is_none()
            && self.simulations.is_none()
            && self.nodes.is_none()
            && self.stop.is_none()
    }
}

/// Ends a search from another thread. Clones share the same flag.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// A token that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every search that holds this token to stop. Does not block.
    pub fn stop(&self) {
        // Relaxed: the flag carries no data; the search's own join orders the results.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether `stop` was called.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// The time limit was reached.
    Time,
    /// The limit of simulations was reached.
    Simulations,
    /// The limit of nodes was reached.
    Nodes,
    /// The stop token was set.
    Stopped,
    /// The value of the root is proven: nothing is left to search.
    Proven,
}

impl StopReason {
    /// The reason as one lower-case word, as the command line prints it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            StopReason::Time => "time",
            StopReason::Simulations => "simulations",
            StopReason::Nodes => "nodes",
            StopReason::Stopped => "stopped",
            StopReason::Proven => "proven",
        }
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The clock of one search, started when it is made. The only place where the library
/// reads the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Instant,
    deadline: Option<Instant>,
}

impl Clock {
    pub(crate) fn start(limit: Option<Duration>) -> Self {
        let start = Instant::now();
        // A limit beyond what the clock can hold is no limit.
        Self { start, deadline: limit.and_then(|limit| start.checked_add(limit)) }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub(crate) fn has_deadline(&self) -> bool {
        self.deadline.is_some()
    }

    /// Time until the deadline: none if it has passed, very long if there is none.
    pub(crate) fn left(&self) -> Duration {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        self.deadline.map_or(Duration::MAX, left)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
