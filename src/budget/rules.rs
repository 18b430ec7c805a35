//! The reasons to stop, one small type each.
//!
//! All of them are asked between rounds. Where [`Budget`](super::Budget)
//! has a method of its own for the same limit (simulations, nodes), that one is exact or
//! nearly so; the rule is for combinations, such as "at least 10 000 simulations *and*
//! settled" ([`All`]).

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::form::any_number;

use super::{Hint, Progress, Quantity, StopReason, StopRule, StopToken};

/// At least this many simulations of this search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Simulations(pub u64);

impl StopRule for Simulations {
    fn check(&self, progress: &Progress) -> Hint {
        match self.0.saturating_sub(progress.simulations) {
            0 => Hint::stop(StopReason::Simulations),
            left => Hint::go_on().within_simulations(left),
        }
    }

    fn is_limit(&self) -> bool {
        true
    }
}

/// At least this many nodes in the table, re-used ones included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nodes(pub u64);

impl StopRule for Nodes {
    fn check(&self, progress: &Progress) -> Hint {
        Hint::stop_if(progress.nodes >= self.0, StopReason::Nodes)
    }

    fn is_limit(&self) -> bool {
        true
    }

    fn waits_for(&self, quantity: Quantity) -> bool {
        quantity == Quantity::Nodes
    }
}

/// At least this much memory, in bytes as [`Report::bytes`](crate::mcts::Report::bytes) counts
/// them. May be passed by what some hundred simulations make.
/// [`MctsBuilder::memory_limit`](crate::MctsBuilder::memory_limit) does not stop: at that limit
/// the search goes on, and the least useful positions are evicted to make room for new ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bytes(pub u64);

impl StopRule for Bytes {
    fn check(&self, progress: &Progress) -> Hint {
        Hint::stop_if(progress.bytes >= self.0, StopReason::Bytes)
    }

    fn is_limit(&self) -> bool {
        true
    }

    fn waits_for(&self, quantity: Quantity) -> bool {
        quantity == Quantity::Bytes
    }
}

/// A simulation of this search has been at least this many plies below the root when it left
/// the tree. The tree of a position near the end of the game may end sooner: then a search without
/// another limit ends when the tree has stopped growing ([`StopReason::Exhausted`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Depth(pub u32);

impl StopRule for Depth {
    fn check(&self, progress: &Progress) -> Hint {
        Hint::stop_if(progress.depth >= self.0, StopReason::Depth)
    }

    fn is_limit(&self) -> bool {
        true
    }

    fn waits_for(&self, quantity: Quantity) -> bool {
        quantity == Quantity::Depth
    }
}

/// The root has one legal move: the search answers at once, before a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnlyMove;

impl StopRule for OnlyMove {
    fn check(&self, progress: &Progress) -> Hint {
        Hint::stop_if(progress.root_moves == 1, StopReason::OnlyMove)
    }
}

/// A time, since the call of the search, from which on a settled best move is enough.
///
/// The best move is settled if no other has a higher win rate and it has been the best one
/// for the last eighth of the search. While it is not, the search goes on, up to the hard
/// limit of the budget.
///
/// This is UNST of Huang, Coulom and Lin (Time Management for Monte-Carlo Tree Search Applied
/// to the Game of Go, 2010) and of Baier and Winands (Time Management for Monte Carlo Tree
/// Search, 2016), with the hard limit in place of its extension by one half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoftTime(pub Duration);

impl StopRule for SoftTime {
    fn check(&self, progress: &Progress) -> Hint {
        if progress.elapsed < self.0 {
            // Now and then before the end as well, to see when the best move changes.
            let left = self.0 - progress.elapsed;
            return Hint::go_on().within_time(left.min((self.0 / 64).max(SHORTEST_LOOK)));
        }
        let settled = progress.best_is_highest
            && progress.unchanged_time >= progress.elapsed / UNCHANGED_SHARE;
        if settled {
            return Hint::stop(StopReason::SoftTime);
        }
        Hint::go_on().within_time((progress.elapsed / 64).max(SHORTEST_LOOK))
    }

    fn waits_for(&self, quantity: Quantity) -> bool {
        quantity == Quantity::Best
    }
}

/// Part of the search, as its divisor, for which a settled best move has not changed.
const UNCHANGED_SHARE: u32 = 8;

/// Between two looks of a rule that knows the time.
const SHORTEST_LOOK: Duration = Duration::from_millis(1);

/// The best move is settled: it is the most visited and has the highest win rate, and it has
/// been the best one for so long. Where it keeps changing this never stops the search: give
/// another limit too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settled {
    /// For this many simulations of this search. Deterministic with one worker.
    Simulations(u64),
    /// For this time of this search.
    Time(Duration),
}

impl StopRule for Settled {
    fn check(&self, progress: &Progress) -> Hint {
        let (long_enough, hint) = match *self {
            Settled::Simulations(least) => (progress.unchanged_simulations >= least, Hint::go_on()),
            Settled::Time(least) => {
                let left = least.saturating_sub(progress.unchanged_time);
                let look = left.min(least / 64).max(SHORTEST_LOOK);
                (progress.unchanged_time >= least, Hint::go_on().within_time(look))
            }
        };
        // Before the first simulation there is no best move.
        let stop = long_enough && progress.best_is_highest && progress.simulations > 0;
        if stop { Hint::stop(StopReason::Settled) } else { hint }
    }

    fn waits_for(&self, quantity: Quantity) -> bool {
        quantity == Quantity::Best
    }
}

/// The best move leads by more visits than `share` of the simulations that are left:
///
/// ```text
///   n_best - n_second > share * n_left
/// ```
///
/// with `n_best` and `n_second` the visits of the best move and of the next ([`Progress::best`],
/// [`Progress::second`]) and `n_left` = [`Progress::simulations_left`];
/// or there is no other move, or none that is not proven to lose. An alpha-beta search counts no
/// visits of moves: there it stops only where there is no other move.
///
/// With a share of 1 and a budget of simulations this is exact: no other move can become the most
/// visited one, so the move is the one that the whole budget would give, unless a proof would still
/// have changed it, and but for updates that workers have left to each other at that moment
/// ([`LockPolicy::Defer`](crate::mcts::LockPolicy::Defer)). With a budget of time `n_left` is
/// estimated, and the answer is exact as far as the speed stays what it was. Without a limit of
/// simulations or time it never stops the search.
///
/// A smaller share counts on the leader to keep most of what is left: STOP of Baier and
/// Winands (Time Management for Monte Carlo Tree Search, 2016), the most effective of their
/// strategies in all five games; lc0 stops at a share of 3/4.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CannotBeOvertaken {
    /// Part of the simulations left, from 0 to 1, by which the best move has to lead. Values
    /// outside are taken as the nearest inside, and what is not a number as 1.
    #[serde(with = "any_number")]
    pub share: f64,
}

impl CannotBeOvertaken {
    /// No other move can become the most visited one.
    pub const EXACT: Self = Self { share: 1.0 };
}

impl StopRule for CannotBeOvertaken {
    fn check(&self, progress: &Progress) -> Hint {
        let share = if self.share.is_nan() { 1.0 } else { self.share.clamp(0.0, 1.0) };
        let stop = match (progress.simulations_left(), progress.second) {
            // With nothing left it is the limit itself that stops.
            (None | Some(0), _) => false,
            // There is no other move, or all others are proven to lose.
            (Some(_), None) => progress.root_moves > 0,
            (Some(left), Some(second)) => {
                let lead = progress.best.visits.saturating_sub(second.visits);
                // Counts are far below 2^53, so the comparison with share 1 is exact.
                lead as f64 > share * left as f64
            }
        };
        if stop {
            return Hint::stop(StopReason::CannotBeOvertaken);
        }
        let by_time = progress.time_limit.is_some() || progress.soft_time_limit.is_some();
        if by_time { Hint::go_on().within_time(SHORTEST_LOOK) } else { Hint::go_on() }
    }

    fn waits_for(&self, quantity: Quantity) -> bool {
        quantity == Quantity::Best
    }
}

/// The token has been set. [`Budget::until`](super::Budget::until) sees it sooner.
impl StopRule for StopToken {
    fn check(&self, _: &Progress) -> Hint {
        Hint::stop_if(self.is_stopped(), StopReason::Stopped)
    }

    fn is_limit(&self) -> bool {
        true
    }
}

/// Stops when all of its rules would stop at the same time, for the reason of the last one.
/// Without a rule it never does.
///
/// # Examples
/// ```
/// use playtree::Budget;
/// use playtree::budget::{All, Settled, Simulations};
///
/// let rule = All::of(Simulations(10_000)).and(Settled::Simulations(5_000));
/// let budget = Budget::simulations(1_000_000).and(rule);
/// # assert!(!budget.is_unlimited());
/// ```
#[derive(Debug, Default)]
pub struct All(pub(super) Vec<Box<dyn StopRule>>);

impl All {
    /// One rule, to which others may be added.
    #[must_use]
    pub fn of(rule: impl StopRule + 'static) -> Self {
        Self::default().and(rule)
    }

    /// These rules and one more.
    #[must_use]
    pub fn and(mut self, rule: impl StopRule + 'static) -> Self {
        self.0.push(Box::new(rule));
        self
    }
}

impl StopRule for All {
    fn check(&self, progress: &Progress) -> Hint {
        let (mut reason, mut open) = (None, None::<Hint>);
        for hint in self.0.iter().map(|rule| rule.check(progress)) {
            match hint.reason() {
                Some(given) => reason = Some(given),
                None => open = Some(open.map_or(hint, |others| others.sooner(hint))),
            }
        }
        match (open, reason) {
            (Some(hint), _) => hint,
            (None, Some(reason)) => Hint::stop(reason),
            (None, None) => Hint::go_on(),
        }
    }

    fn is_limit(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|rule| rule.is_limit())
    }

    fn waits_for(&self, quantity: Quantity) -> bool {
        self.0.iter().any(|rule| rule.waits_for(quantity))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Leader;

    fn leader(visits: u64, rate: f64) -> Leader {
        Leader { visits, win_rate: Some(rate) }
    }

    fn progress() -> Progress {
        Progress {
            elapsed: Duration::from_secs(8),
            simulations: 1_000,
            nodes: 100,
            bytes: 10_000,
            depth: 5,
            root_visits: 1_000,
            root_moves: 2,
            best: leader(600, 0.6),
            second: Some(leader(400, 0.5)),
            best_is_highest: true,
            unchanged_simulations: 500,
            unchanged_time: Duration::from_secs(4),
            simulations_limit: None,
            time_limit: None,
            soft_time_limit: None,
        }
    }

    #[track_caller]
    fn stops(rule: impl StopRule, expected: Option<StopReason>) {
        assert_eq!(rule.check(&progress()).reason(), expected, "{rule:?}");
    }

    #[test]
    fn each_limit_stops_when_it_is_reached() {
        let seconds = Duration::from_secs;
        for (more, no) in [(0, true), (1, false)] {
            let expect = |reason| no.then_some(reason);
            stops(Simulations(1_000 + more), expect(StopReason::Simulations));
            stops(Nodes(100 + more), expect(StopReason::Nodes));
            stops(Bytes(10_000 + more), expect(StopReason::Bytes));
            stops(Depth(5 + more as u32), expect(StopReason::Depth));
            stops(SoftTime(seconds(8 + more)), expect(StopReason::SoftTime));
            stops(Settled::Simulations(500 + more), expect(StopReason::Settled));
            stops(Settled::Time(seconds(4 + more)), expect(StopReason::Settled));
        }
        stops(OnlyMove, None);
        assert_eq!(Simulations(1_200).check(&progress()).simulations(), Some(200));
        let token = StopToken::new();
        stops(token.clone(), None);
        token.stop();
        stops(token, Some(StopReason::Stopped));
    }

    #[test]
    fn what_is_not_settled_goes_on() {
        let mut progress = progress();
        progress.best_is_highest = false;
        assert_eq!(SoftTime(Duration::ZERO).check(&progress).reason(), None);
        assert_eq!(Settled::Simulations(0).check(&progress).reason(), None);
        progress.best_is_highest = true;
        progress.unchanged_time = progress.elapsed / 8 - Duration::from_nanos(1);
        assert_eq!(SoftTime(Duration::ZERO).check(&progress).reason(), None);
        progress = Progress { best_is_highest: true, ..Progress::default() };
        assert_eq!(Settled::Simulations(0).check(&progress).reason(), None, "nothing searched");
    }

    #[test]
    fn a_lead_is_weighed_against_what_is_left() {
        let reason = |share, limit| {
            let progress = Progress { simulations_limit: limit, ..progress() };
            CannotBeOvertaken { share }.check(&progress).reason()
        };
        let stop = Some(StopReason::CannotBeOvertaken);
        // The lead is 200.
        assert_eq!((reason(1.0, Some(1_199)), reason(1.0, Some(1_200))), (stop, None));
        assert_eq!((reason(0.5, Some(1_399)), reason(0.5, Some(1_400))), (stop, None));
        assert_eq!((reason(f64::NAN, Some(1_200)), reason(9.0, Some(1_200))), (None, None));
        assert_eq!(reason(0.0, Some(u64::MAX)), stop);
        assert_eq!(reason(0.0, None), None, "nothing says what is left");
        assert_eq!(reason(0.0, Some(1_000)), None, "nothing is left");
    }

    #[test]
    fn all_waits_for_each() {
        stops(All::of(Nodes(1)).and(Bytes(1)), Some(StopReason::Bytes));
        stops(All::of(Nodes(1)).and(Bytes(1 << 40)), None);
        stops(All::of(Bytes(1 << 40)).and(Nodes(1)), None);
        stops(All::default(), None);
        let hint = All::of(Nodes(1)).and(Simulations(1_007)).check(&progress());
        assert_eq!(hint.simulations(), Some(7));
        assert!(All::of(Nodes(1)).is_limit() && !All::of(Nodes(1)).and(OnlyMove).is_limit());
        assert!(!All::default().is_limit());
    }
}
