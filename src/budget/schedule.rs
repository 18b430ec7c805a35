//! When the rules of a budget are to be asked again, as their last hints said.

use std::sync::Arc;
use std::time::Duration;

use crate::clock::{NEVER, nanos};

use super::{Budget, Hint, Progress, StopReason, StopRule};

/// Simulations of the search, at least, between two looks at a rule that gives no hint. A
/// look costs less than a handful of simulations do.
const SIMULATIONS_BETWEEN_LOOKS: u64 = 256;

/// As long as nothing says how fast the search is.
const FIRST_LOOK: Duration = Duration::from_millis(1);

/// The rules of a budget, each with the moment at which it is due.
#[derive(Debug)]
pub(crate) struct Schedule {
    rules: Vec<Watched>,
}

/// A rule and when to ask it again.
#[derive(Debug)]
struct Watched {
    rule: Arc<dyn StopRule>,
    /// Simulations done.
    due: u64,
    due_time: u64,
    /// As `due`, and the search has to look then, not some simulations later.
    cut: u64,
}

impl Schedule {
    /// All rules of the budget, due at once.
    pub(crate) fn new(budget: &Budget) -> Self {
        let watched =
            |rule| Watched { rule: Arc::clone(rule), due: 0, due_time: NEVER, cut: NEVER };
        Self { rules: budget.shared_rules().iter().map(watched).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Asks the rules that are due, or all of them, and says why the search is to stop.
    pub(crate) fn ask(&mut self, progress: &Progress, all: bool) -> Option<StopReason> {
        let (done, now) = (progress.simulations, progress.elapsed);
        for watched in &mut self.rules {
            if all || done >= watched.due || nanos(now) >= watched.due_time {
                let hint = watched.rule.check(progress);
                if hint.reason().is_some() {
                    return hint.reason();
                }
                watched.follow(hint, done, now);
            }
        }
        None
    }

    /// Simulations done at which the first rule is due.
    pub(crate) fn due(&self) -> u64 {
        self.first(|watched| watched.due)
    }

    /// Nanoseconds of the search at which the first rule is due.
    pub(crate) fn due_time(&self) -> u64 {
        self.first(|watched| watched.due_time)
    }

    /// Simulations done at which a rule has to be asked, because it said so.
    pub(crate) fn cut(&self) -> u64 {
        self.first(|watched| watched.cut)
    }

    fn first(&self, of: impl Fn(&Watched) -> u64) -> u64 {
        self.rules.iter().map(of).min().unwrap_or(NEVER)
    }
}

impl Watched {
    /// Sets when the rule is due again, after a look at `done` simulations and the time `now`.
    fn follow(&mut self, hint: Hint, done: u64, now: Duration) {
        self.cut = hint.simulations().map_or(NEVER, |within| done.saturating_add(within));
        self.due_time = hint.time().map_or(NEVER, |within| {
            let within = if done == 0 { within.min(FIRST_LOOK) } else { within };
            nanos(now.saturating_add(within)).min(NEVER - 1)
        });
        self.due = if self.due_time == NEVER {
            self.cut.min(done.saturating_add(SIMULATIONS_BETWEEN_LOOKS))
        } else {
            self.cut
        };
    }
}
