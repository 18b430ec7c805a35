//! A budget that several searches share, one after the other.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::sync::Mutex;

use super::{Budget, Hint, Progress, Quantity, StopReason, StopRule, StopToken};

/// A budget that several searches share, one after the other: what all of them together may take,
/// and what they have taken. For a search that is done in parts, each with a limit of its own
/// besides, or for many positions within one limit.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use playtree::Budget;
/// use playtree::budget::SharedBudget;
///
/// let mut shared = SharedBudget::new(Budget::time(Duration::from_secs(3)).and_simulations(1_000));
/// shared.set_elapsed(Duration::from_secs(1));
/// shared.add(400, 0);
/// let rest = shared.rest();
/// assert_eq!(rest.time_limit(), Some(Duration::from_secs(2)));
/// assert_eq!(rest.simulations_limit(), Some(600));
/// assert_eq!(shared.used_up(), None);
/// ```
#[derive(Clone, Debug)]
pub struct SharedBudget {
    whole: Budget,
    taken: Taken,
    best_since: Arc<Mutex<BestSince>>,
}

/// What all searches had taken when the best move last changed, as far as a rule has looked.
#[derive(Clone, Copy, Debug, Default)]
struct BestSince {
    simulations: u64,
    elapsed: Duration,
}

/// What searches have taken.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    elapsed: Duration,
    simulations: u64,
    nodes: u64,
}

impl SharedBudget {
    /// Nothing is taken of it yet.
    #[must_use]
    pub fn new(whole: Budget) -> Self {
        let best_since = Arc::new(Mutex::new(BestSince::default()));
        // Of all searches together: a single one may end before its tree has been still for long.
        let whole = whole.until_exhausted().into_owned();
        Self { whole, taken: Taken::default(), best_since }
    }

    /// Sets the time that has passed since the first of the searches was called.
    pub fn set_elapsed(&mut self, elapsed: Duration) {
        self.taken.elapsed = elapsed;
    }

    /// Adds the simulations and nodes that a search has taken. Those of a Monte Carlo search take
    /// no nodes: their limit is that of the table, whichever search has made them.
    pub fn add(&mut self, simulations: u64, nodes: u64) {
        let Taken { simulations: all, nodes: all_nodes, .. } = &mut self.taken;
        *all = all.saturating_add(simulations);
        *all_nodes = all_nodes.saturating_add(nodes);
    }

    /// Why the next search is not to begin: the token is set, or nothing is left of the time, the
    /// simulations or the nodes.
    #[must_use]
    pub fn used_up(&self) -> Option<StopReason> {
        let Self { whole, taken, .. } = self;
        if whole.stop_token().is_some_and(StopToken::is_stopped) {
            Some(StopReason::Stopped)
        } else if whole.time_limit().is_some_and(|limit| taken.elapsed >= limit) {
            Some(StopReason::Time)
        } else if whole.simulations_limit().is_some_and(|limit| taken.simulations >= limit) {
            Some(StopReason::Simulations)
        } else if whole.nodes_limit().is_some_and(|limit| taken.nodes >= limit) {
            Some(StopReason::Nodes)
        } else {
            None
        }
    }

    /// The budget of the next search. Its rules learn what all searches together have taken of the
    /// whole, also if a [time](Budget::and_time) is set that the next search alone has.
    pub fn rest(&self) -> Budget {
        let Self { whole, taken, best_since } = self;
        let rule = |rule: &Arc<dyn StopRule>| -> Arc<dyn StopRule> {
            Arc::new(Continued {
                rule: Arc::clone(rule),
                taken: *taken,
                limits: (whole.simulations, whole.time),
                best_before: *best_since.lock(),
                best_since: Arc::clone(best_since),
            })
        };
        Budget {
            time: whole.time.map(|limit| limit.saturating_sub(taken.elapsed)),
            simulations: whole.simulations.map(|limit| limit.saturating_sub(taken.simulations)),
            nodes: whole.nodes.map(|limit| limit.saturating_sub(taken.nodes)),
            rules: whole.rules.iter().map(rule).collect(),
            ..whole.clone()
        }
    }
}

/// A rule that counts what the searches before have taken.
struct Continued {
    rule: Arc<dyn StopRule>,
    taken: Taken,
    /// Those of the whole: simulations and time.
    limits: (Option<u64>, Option<Duration>),
    /// As it was before this search.
    best_before: BestSince,
    best_since: Arc<Mutex<BestSince>>,
}

impl Continued {
    /// What the search says of itself, with those before.
    fn with_all(&self, progress: &Progress) -> Progress {
        let Taken { elapsed, simulations, nodes } = self.taken;
        let elapsed = progress.elapsed.saturating_add(elapsed);
        let simulations = progress.simulations.saturating_add(simulations);
        // The first look is before the first simulation.
        let is_as_before = progress.unchanged_simulations >= progress.simulations;
        let since = if is_as_before {
            self.best_before
        } else {
            BestSince {
                simulations: simulations.saturating_sub(progress.unchanged_simulations),
                elapsed: elapsed.saturating_sub(progress.unchanged_time),
            }
        };
        *self.best_since.lock() = since;
        let (simulations_limit, time_limit) = self.limits;
        Progress {
            elapsed,
            simulations,
            nodes: progress.nodes.saturating_add(nodes),
            unchanged_simulations: simulations.saturating_sub(since.simulations),
            unchanged_time: elapsed.saturating_sub(since.elapsed),
            simulations_limit,
            time_limit,
            ..progress.clone()
        }
    }
}

impl fmt::Debug for Continued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)
    }
}

impl StopRule for Continued {
    fn check(&self, progress: &Progress) -> Hint {
        self.rule.check(&self.with_all(progress))
    }

    fn is_limit(&self) -> bool {
        self.rule.is_limit()
    }

    fn waits_for(&self, quantity: Quantity) -> bool {
        self.rule.waits_for(quantity)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::time::Duration;

    use super::SharedBudget;
    use crate::budget::{Budget, CannotBeOvertaken, Leader, Nodes, Progress, Settled, StopReason};

    const SECOND: Duration = Duration::from_secs(1);

    fn after(whole: Budget, elapsed: Duration, simulations: u64, nodes: u64) -> SharedBudget {
        let mut shared = SharedBudget::new(whole);
        shared.set_elapsed(elapsed);
        shared.add(simulations, nodes);
        shared
    }

    fn reason(budget: &Budget, progress: &Progress) -> Option<StopReason> {
        budget.rules().find_map(|rule| rule.check(progress).reason())
    }

    #[test]
    fn what_is_left_is_what_was_not_taken() {
        let budget = Budget::time(3 * SECOND).and_nodes(100).and_simulations(50);
        let rest = after(budget.clone(), SECOND, 20, 60).rest();
        assert_eq!((rest.time_limit(), rest.nodes_limit()), (Some(2 * SECOND), Some(40)));
        assert_eq!(rest.simulations_limit(), Some(30));
        let used_up = |elapsed, simulations, nodes| {
            after(budget.clone(), elapsed, simulations, nodes).used_up()
        };
        assert_eq!(used_up(SECOND, 49, 99), None);
        assert_eq!(used_up(SECOND, 50, 0), Some(StopReason::Simulations));
        assert_eq!(used_up(SECOND, 0, 100), Some(StopReason::Nodes));
        assert_eq!(used_up(3 * SECOND, 0, 0), Some(StopReason::Time));
        let unlimited = after(Budget::unlimited(), Duration::MAX, u64::MAX, u64::MAX);
        assert_eq!(unlimited.used_up(), None);
    }

    #[test]
    fn rules_count_what_was_taken() {
        let rest = after(Budget::unlimited().and(Nodes(100)), SECOND, 0, 60).rest();
        let of = |nodes| reason(&rest, &Progress { nodes, ..Progress::default() });
        assert_eq!((of(39), of(40)), (None, Some(StopReason::Nodes)));
        assert!(!rest.is_unlimited());
    }

    #[test]
    fn rules_see_the_limits_of_the_whole() {
        // 900 simulations are left, whatever the next search alone may do.
        let whole = Budget::simulations(1_000).and(CannotBeOvertaken::EXACT);
        let rest = after(whole, SECOND, 100, 0).rest().and_simulations(50).and_time(SECOND);
        let ahead = |visits| {
            let best = Leader { visits, ..Leader::default() };
            let second = Some(Leader::default());
            let (simulations_limit, time_limit) = (Some(50), Some(SECOND));
            let own = Progress { simulations_limit, time_limit, ..Progress::default() };
            reason(&rest, &Progress { best, second, root_moves: 2, ..own })
        };
        assert_eq!((ahead(900), ahead(901)), (None, Some(StopReason::CannotBeOvertaken)));
    }

    #[test]
    fn a_best_move_is_settled_over_several_searches() {
        let mut shared = SharedBudget::new(Budget::unlimited().and(Settled::Simulations(100)));
        let look = |shared: &SharedBudget, simulations, unchanged_simulations| {
            let best_is_highest = true;
            let own = Progress { simulations, unchanged_simulations, ..Progress::default() };
            reason(&shared.rest(), &Progress { best_is_highest, ..own })
        };
        // Changed after 30 of 60.
        assert_eq!(look(&shared, 60, 30), None);
        shared.add(60, 0);
        assert_eq!(look(&shared, 60, 60), None);
        shared.add(60, 0);
        assert_eq!((look(&shared, 9, 9), look(&shared, 9, 8)), (None, None));
        assert_eq!(look(&shared, 10, 1), None, "it has changed");
        shared.add(10, 0);
        assert_eq!(
            (look(&shared, 98, 98), look(&shared, 99, 99)),
            (None, Some(StopReason::Settled))
        );
    }
}
