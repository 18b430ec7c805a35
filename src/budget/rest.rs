//! What is left of a budget for the next one of several searches that share it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Budget, Hint, Progress, Quantity, StopReason, StopRule, StopToken};

impl Budget {
    /// Why the next search is not to begin, if the ones before have taken the time `elapsed` and
    /// `nodes` nodes.
    pub(crate) fn spent(&self, elapsed: Duration, nodes: u64) -> Option<StopReason> {
        if self.stop_token().is_some_and(StopToken::is_stopped) {
            Some(StopReason::Stopped)
        } else if self.time_limit().is_some_and(|limit| elapsed >= limit) {
            Some(StopReason::Time)
        } else if self.nodes_limit().is_some_and(|limit| nodes >= limit) {
            Some(StopReason::Nodes)
        } else {
            None
        }
    }

    /// The budget of the next search, if the ones before have taken the time `elapsed` and `nodes`
    /// nodes. A rule learns what all searches together have taken.
    pub(crate) fn rest(&self, elapsed: Duration, nodes: u64) -> Self {
        let rules = self.rules.iter().map(|rule| -> Arc<dyn StopRule> {
            Arc::new(Continued { rule: Arc::clone(rule), elapsed, nodes })
        });
        Self {
            time: self.time.map(|limit| limit.saturating_sub(elapsed)),
            nodes: self.nodes.map(|limit| limit.saturating_sub(nodes)),
            rules: rules.collect(),
            ..self.clone()
        }
    }
}

/// A rule that counts what the searches before have taken.
struct Continued {
    rule: Arc<dyn StopRule>,
    elapsed: Duration,
    nodes: u64,
}

impl fmt::Debug for Continued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)
    }
}

impl StopRule for Continued {
    fn check(&self, progress: &Progress) -> Hint {
        self.rule.check(&Progress {
            elapsed: progress.elapsed.saturating_add(self.elapsed),
            nodes: progress.nodes.saturating_add(self.nodes),
            simulations: progress.simulations.saturating_add(self.nodes),
            time_limit: progress.time_limit.map(|limit| limit.saturating_add(self.elapsed)),
            ..progress.clone()
        })
    }

    fn is_limit(&self) -> bool {
        self.rule.is_limit()
    }

    fn waits_for(&self, quantity: Quantity) -> bool {
        self.rule.waits_for(quantity)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::budget::{Budget, Nodes, Progress, StopReason};

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn what_is_left_is_what_was_not_spent() {
        let budget = Budget::time(3 * SECOND).and_nodes(100);
        let rest = budget.rest(SECOND, 60);
        assert_eq!((rest.time_limit(), rest.nodes_limit()), (Some(2 * SECOND), Some(40)));
        assert_eq!(budget.spent(SECOND, 99), None);
        assert_eq!(budget.spent(SECOND, 100), Some(StopReason::Nodes));
        assert_eq!(budget.spent(3 * SECOND, 0), Some(StopReason::Time));
        assert_eq!(Budget::unlimited().spent(Duration::MAX, u64::MAX), None);
    }

    #[test]
    fn rules_count_what_was_spent() {
        let rest = Budget::unlimited().and(Nodes(100)).rest(SECOND, 60);
        let reason = |nodes| {
            let progress = Progress { nodes, ..Progress::default() };
            rest.rules().find_map(|rule| rule.check(&progress).reason())
        };
        assert_eq!((reason(39), reason(40)), (None, Some(StopReason::Nodes)));
        assert!(!rest.is_unlimited());
    }
}
