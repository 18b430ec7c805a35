//! The watch of a search: asks the rules of its budget whether to stop.
//!
//! Between two rounds each worker looks whether a rule is due; one of those who find that it
//! is asks it. A rule is due every [`SIMULATIONS_BETWEEN_LOOKS`] simulations, or as its last
//! hint said. Rounds are not cut short for the former, so a search with a rule is the same as
//! one without it, up to where the rule stops it.

use std::sync::Arc;
use std::time::Duration;

use crate::budget::{Budget, Hint, Progress, StopRule};
use crate::game::GameState;
use crate::sync::{AtomicU32, AtomicU64, Mutex, Ordering};

use super::answer;
use super::control::{Control, nanos};
use super::halving::FullCounts;
use super::node::NodeId;
use super::tree::Tree;

/// The rules of a search, shared by its workers. All atomics are `Relaxed`: who reads an old
/// one looks a round later.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    /// Simulations done at which the first rule is due; `NEVER` without rules.
    due: AtomicU64,
    /// Nanoseconds of the search at which the first rule is due.
    due_time: AtomicU64,
    /// Simulations done at which a round has to end, because a rule asked for that.
    cut: AtomicU64,
    /// Simulations of a round that fit between two looks at the clock.
    longest_round: AtomicU32,
    asked: Mutex<Asked<'a>>,
}

/// Not to be reached by a count of simulations or nanoseconds.
const NEVER: u64 = u64::MAX;

/// Simulations of the search, at least, between two looks at a rule that gives no hint. A
/// look costs less than a handful of simulations do.
const SIMULATIONS_BETWEEN_LOOKS: u64 = 256;

/// As long as nothing says how fast the search is.
const FIRST_LOOK: Duration = Duration::from_millis(1);

/// What only the worker who asks needs.
#[derive(Debug)]
struct Asked<'a> {
    rules: Vec<Watched<'a>>,
    /// Rounds under way at a time.
    rounds: u32,
    /// As it was when a rule was last asked.
    progress: Progress,
    /// The edge of the best branch, and when it was first seen to be the best.
    best_edge: Option<u32>,
    best_since: (u64, Duration),
}

/// A rule and when to ask it again.
#[derive(Debug)]
struct Watched<'a> {
    rule: &'a Arc<dyn StopRule>,
    /// Simulations done.
    due: u64,
    due_time: u64,
    /// As `due`, and the round has to end there.
    cut: u64,
}

impl<'a> Watch<'a> {
    /// A watch for the rules of this budget, all of them due at once.
    pub(crate) fn new(budget: &'a Budget, rounds: u32) -> Self {
        let watched = |rule| Watched { rule, due: 0, due_time: NEVER, cut: NEVER };
        let rules: Vec<_> = budget.shared_rules().iter().map(watched).collect();
        Self {
            due: AtomicU64::new(if rules.is_empty() { NEVER } else { 0 }),
            due_time: AtomicU64::new(NEVER),
            cut: AtomicU64::new(NEVER),
            longest_round: AtomicU32::new(u32::MAX),
            asked: Mutex::new(Asked {
                rules,
                rounds,
                progress: Progress::of(budget),
                best_edge: None,
                best_since: (0, Duration::ZERO),
            }),
        }
    }

    /// Asks the rules that are due, and stops the search if one of them says so.
    #[inline]
    pub(crate) fn look<G: GameState>(
        &self,
        tree: &Tree<G>,
        root: NodeId,
        control: &Control,
    ) -> bool {
        let (due, due_time) =
            (self.due.load(Ordering::Relaxed), self.due_time.load(Ordering::Relaxed));
        if due == NEVER && due_time == NEVER {
            return false;
        }
        let is_due = control.done() >= due
            || (due_time != NEVER && nanos(control.clock().elapsed()) >= due_time);
        is_due && self.ask(tree, root, control)
    }

    /// A round of `wanted` simulations, or as many as the hints leave room for.
    #[inline]
    pub(crate) fn shorten(&self, wanted: u32, control: &Control) -> u32 {
        let most = wanted.min(self.longest_round.load(Ordering::Relaxed));
        let cut = self.cut.load(Ordering::Relaxed);
        if cut == NEVER {
            return most;
        }
        let left = cut.saturating_sub(control.done()).max(1);
        u64::from(most).min(left) as u32
    }

    fn ask<G: GameState>(&self, tree: &Tree<G>, root: NodeId, control: &Control) -> bool {
        // Somebody else is asking already.
        let Some(mut asked) = self.asked.try_lock() else { return false };
        asked.measure(tree, root, control);
        let (done, now) = (asked.progress.simulations, asked.progress.elapsed);
        let Asked { rules, progress, .. } = &mut *asked;
        for watched in rules.iter_mut() {
            if done >= watched.due || nanos(now) >= watched.due_time {
                let hint = watched.rule.check(progress);
                if let Some(reason) = hint.reason() {
                    control.stop_by_rule(reason);
                    return true;
                }
                watched.follow(hint, done, now);
            }
        }
        let first = |of: fn(&Watched<'_>) -> u64| rules.iter().map(of).min().unwrap_or(NEVER);
        let (due, due_time, cut) = (first(|w| w.due), first(|w| w.due_time), first(|w| w.cut));
        self.due.store(due, Ordering::Relaxed);
        self.due_time.store(due_time, Ordering::Relaxed);
        self.cut.store(cut, Ordering::Relaxed);
        self.longest_round.store(asked.longest_round(due_time), Ordering::Relaxed);
        false
    }
}

impl Watched<'_> {
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

impl Asked<'_> {
    /// Brings `progress` up to date.
    fn measure<G: GameState>(&mut self, tree: &Tree<G>, root: NodeId, control: &Control) {
        let progress = &mut self.progress;
        // Before the visits are read: what is done between the two then counts as still to be
        // done, which is on the safe side.
        progress.simulations = control.done();
        progress.elapsed = control.clock().elapsed();
        progress.depth = control.depth();
        let nodes = tree.node_count();
        if nodes != progress.nodes || progress.bytes == 0 {
            progress.nodes = nodes;
            progress.bytes = tree.bytes();
        }
        let node = tree.node(root);
        let counts = FullCounts::of(tree, root);
        progress.root_visits = u64::from(node.visits()) + counts.taken();
        drop(counts);
        progress.root_moves = node.edge_range().1;
        let Some(leaders) = answer::leaders(tree, root) else { return };
        progress.best = leaders.best;
        progress.second = leaders.second;
        progress.best_is_highest = leaders.best_is_highest;
        let now = (progress.simulations, progress.elapsed);
        if self.best_edge.replace(leaders.edge) != Some(leaders.edge) {
            self.best_since = now;
        }
        progress.unchanged_simulations = now.0.saturating_sub(self.best_since.0);
        progress.unchanged_time = now.1.saturating_sub(self.best_since.1);
    }

    /// Simulations of a round that lasts until `due_time`, at the mean speed so far.
    fn longest_round(&self, due_time: u64) -> u32 {
        if due_time == NEVER {
            return u32::MAX;
        }
        let Progress { elapsed, simulations, .. } = self.progress;
        let left = due_time.saturating_sub(nanos(elapsed)) as f64;
        let speed = simulations as f64 / nanos(elapsed).max(1) as f64;
        // Too large a number becomes the largest.
        ((left * speed / f64::from(self.rounds)) as u32).max(1)
    }
}
