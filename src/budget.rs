//! When a search stops: small reasons, any combination, the first one reached.
//!
//! Time, simulations, nodes and a stop token are limits that every worker keeps, exactly or
//! within microseconds; [`Budget`] has a method for each. Every other reason is a
//! [`StopRule`]: statistics in ([`Progress`]), a [`Hint`] out. Some worker asks the rules
//! between two of its rounds, so they cost next to nothing. [`TimeManager`] makes the budget of one
//! move from a [`GameClock`].
//!
//! | reason | built with | [`StopReason`] |
//! |---|---|---|
//! | time, hard | [`Budget::time`] | `Time` |
//! | time, soft | [`Budget::soft_time`] ([`SoftTime`]) | `SoftTime` |
//! | simulations | [`Budget::simulations`] | `Simulations` |
//! | nodes | [`Budget::nodes`] | `Nodes` |
//! | memory | [`Bytes`] | `Bytes` |
//! | no room for the root | [the engine's memory limit](crate::MctsBuilder::memory_limit) | `Memory` |
//! | depth | [`Depth`] | `Depth` |
//! | stop token | [`Budget::until`] | `Stopped` |
//! | proven root | always | `Proven` |
//! | one legal move | [`OnlyMove`] | `OnlyMove` |
//! | best move stable | [`Settled`] | `Settled` |
//! | cannot be overtaken | [`CannotBeOvertaken`] | `CannotBeOvertaken` |
//! | nothing left to grow | always, if no limit but nodes, bytes or depth is given | `Exhausted` |
//! | several at once | [`All`] | that of the last of them |
//! | your own | [`StopRule`] | `Other` |
//!
//! A search refuses a budget with a rule that could never stop it ([`Quantity`] says which), and
//! alpha-beta and the solver, which make no simulations, a limit of simulations.

mod forms;
mod game_clock;
mod growth;
mod reason;
mod rule;
mod rules;
mod schedule;
mod shared;
mod time_from;
mod time_manager;
mod token;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

pub use game_clock::GameClock;
pub use reason::StopReason;
pub use rule::{Hint, Leader, Progress, Quantity, StopRule};
pub use rules::{
    All, Bytes, CannotBeOvertaken, Depth, Nodes, OnlyMove, Settled, Simulations, SoftTime,
};
pub(crate) use schedule::Schedule;
pub use shared::SharedBudget;
pub use time_from::TimeFrom;
pub use time_manager::{ThinkingTime, TimeManager};
pub use token::StopToken;

/// Sets where the time is read, as the time since any fixed moment: on `wasm32-unknown-unknown`,
/// which has no clock of its own. Only there is this function. To be called once, before the first
/// search: false if it was called before.
///
/// Without it no time passes in reports, and a limit of time is over at once.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub fn set_clock(now: fn() -> Duration) -> bool {
    crate::clock::set_host(now)
}

/// The limits of one search. The first one reached stops it.
///
/// A proven root always stops the search, whatever the budget.
///
/// It can be serialized, with all rules of this module; what is not named when it is read is no
/// limit. A stop token is a flag of this program, and a rule of your own is code: a budget with one
/// of them is an error of the serializer, so add them to what was read.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use playtree::Budget;
/// use playtree::budget::{Bytes, CannotBeOvertaken};
///
/// let budget = Budget::time(Duration::from_millis(100)).and_simulations(1_000_000);
/// assert_eq!(budget.simulations_limit(), Some(1_000_000));
///
/// // Stop as well at 64 MiB, and when no other move could become the most visited one.
/// let budget = budget.and(Bytes(64 << 20)).and(CannotBeOvertaken::EXACT);
/// assert_eq!(budget.rules().count(), 2);
///
/// let read: Budget = serde_json::from_str(r#"{"simulations": 1000, "rules": [{"depth": 30}]}"#)?;
/// assert_eq!((read.simulations_limit(), read.rules().count()), (Some(1_000), 1));
/// assert!(serde_json::from_str::<Budget>(r#"{"simulation": 1000}"#).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Budget {
    time: Option<Duration>,
    time_from: TimeFrom,
    soft_time: Option<Duration>,
    simulations: Option<u64>,
    nodes: Option<u64>,
    stop: Option<StopToken>,
    rules: Vec<Arc<dyn StopRule>>,
}

impl Budget {
    /// Nothing but a proof ends a search with this budget. For [`Mcts::start`], which can be
    /// stopped; [`Mcts::search`] refuses it. A [`Solver`] takes it too: what it does ends by
    /// itself.
    ///
    /// [`Mcts::start`]: crate::Mcts::start
    /// [`Mcts::search`]: crate::Mcts::search
    /// [`Solver`]: crate::Solver
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Stops when this much time has passed since the call of the search, or since
    /// [another moment](Self::time_from).
    pub fn time(limit: Duration) -> Self {
        Self::default().and_time(limit)
    }

    /// Stops at `soft` if the best move is settled then, and else as soon as it is, at the
    /// latest at `hard`. See [`SoftTime`].
    pub fn soft_time(soft: Duration, hard: Duration) -> Self {
        Self::time(hard).and_soft_time(soft)
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

    /// From when on its times run, hard and soft ones, and those of its rules: it matters in a
    /// [`Pool`](crate::Pool), where a search may wait before it begins. Default:
    /// [`TimeFrom::Call`].
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    /// use playtree::Budget;
    /// use playtree::budget::TimeFrom;
    ///
    /// let second = Budget::time(Duration::from_secs(1)).time_from(TimeFrom::FirstTurn);
    /// assert_eq!(second.counts_time_from(), TimeFrom::FirstTurn);
    /// ```
    pub fn time_from(mut self, from: TimeFrom) -> Self {
        self.time_from = from;
        self
    }

    /// This budget and a soft time limit ([`SoftTime`]); the last one given counts for
    /// [`Progress::simulations_left`]. A soft limit alone is no limit: give a hard one too.
    pub fn and_soft_time(mut self, limit: Duration) -> Self {
        self.soft_time = Some(limit);
        self.and(SoftTime(limit))
    }

    /// This budget and one more reason to stop: one of this module, or a rule of your own.
    pub fn and(mut self, rule: impl StopRule + 'static) -> Self {
        self.rules.push(Arc::new(rule));
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

    /// From when on its times run.
    #[must_use]
    pub fn counts_time_from(&self) -> TimeFrom {
        self.time_from
    }

    /// The soft time limit, if there is one.
    #[must_use]
    pub fn soft_time_limit(&self) -> Option<Duration> {
        self.soft_time
    }

    /// The rules, in the order in which they were added.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = &dyn StopRule> {
        self.rules.iter().map(|rule| &**rule)
    }

    pub(crate) fn shared_rules(&self) -> &[Arc<dyn StopRule>] {
        &self.rules
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

    /// Whether there are limits that wait for a tree that grows, and none that is reached without:
    /// the tree of a game that soon ends, or one at its memory limit, may never grow so large. A
    /// stop token does not count, as it need not ever be set.
    pub(crate) fn waits_for_growth(&self) -> bool {
        let grows = |rule: &dyn StopRule| {
            [Quantity::Nodes, Quantity::Bytes, Quantity::Depth].map(|of| rule.waits_for(of))
                != [false; 3]
        };
        let (growing, other): (Vec<_>, Vec<_>) =
            self.rules().filter(|rule| rule.is_limit()).partition(|&rule| grows(rule));
        let is_sure = self.time.is_some() || self.simulations.is_some() || !other.is_empty();
        !is_sure && (self.nodes.is_some() || !growing.is_empty())
    }

    /// This budget, and one more reason to stop if it [waits for growth](Self::waits_for_growth):
    /// the tree grows no more.
    pub(crate) fn until_exhausted(&self) -> Cow<'_, Self> {
        if self.waits_for_growth() {
            Cow::Owned(self.clone().and(growth::Exhausted::default()))
        } else {
            Cow::Borrowed(self)
        }
    }

    /// Whether nothing but a proof is sure to end a search with this budget.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.time.is_none()
            && self.simulations.is_none()
            && self.nodes.is_none()
            && self.stop.is_none()
            && !self.rules.iter().any(|rule| rule.is_limit())
    }
}
