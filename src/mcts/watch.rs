//! The watch of a search: asks the rules of its budget whether to stop.
//!
//! Between two rounds each worker looks whether a rule is due; one of those who find that it
//! is asks it. A rule is due every few hundred simulations, or as its last hint said
//! ([`Schedule`]). Rounds are not cut short for the former, so a search with a rule is the same as
//! one without it, up to where the rule stops it.

use std::time::Duration;

use crate::budget::{Budget, NEVER, Progress, Schedule, StopReason, nanos};
use crate::game::GameState;
use crate::sync::{AtomicU32, AtomicU64, Mutex, Ordering};

use super::answer;
use super::control::Control;
use super::halving::FullCounts;
use super::node::NodeId;
use super::tree::Tree;

/// The rules of a search, shared by its workers. All atomics are `Relaxed`: who reads an old
/// one looks a round later.
#[derive(Debug)]
pub(crate) struct Watch {
    /// Simulations done at which the first rule is due; `NEVER` without rules.
    due: AtomicU64,
    /// Nanoseconds of the search at which the first rule is due.
    due_time: AtomicU64,
    /// Simulations done at which a round has to end, because a rule asked for that.
    cut: AtomicU64,
    /// Simulations of a round that fit between two looks at the clock.
    longest_round: AtomicU32,
    asked: Mutex<Asked>,
}

/// What only the worker who asks needs.
#[derive(Debug)]
struct Asked {
    schedule: Schedule,
    /// For a budget whose limits wait for a tree that grows.
    growth: Option<Growth>,
    /// Rounds under way at a time.
    rounds: u32,
    /// As it was when a rule was last asked.
    progress: Progress,
    /// The edge of the best branch, and when it was first seen to be the best.
    best_edge: Option<u32>,
    best_since: (u64, Duration),
}

/// How large the tree has been, and since when it has not grown.
#[derive(Debug, Default)]
struct Growth {
    nodes: u64,
    bytes: u64,
    depth: u32,
    /// Simulations done.
    since: u64,
}

/// A tree that has not grown for this many simulations for each of its nodes, and for at least this
/// number, is taken to grow no more. A position becomes a node after at most sixteen visits, so while
/// any is left that would become one it is hardly passed over for so long.
const STILL_PER_NODE: u64 = 16;
const FEWEST_STILL: u64 = 100_000;

/// Simulations between two looks at the growth, at least.
const BETWEEN_GROWTH_LOOKS: u64 = 4_096;

impl Growth {
    fn has_ended(&mut self, progress: &Progress) -> bool {
        let Progress { nodes, bytes, depth, simulations, .. } = *progress;
        if nodes > self.nodes || bytes > self.bytes || depth > self.depth {
            self.nodes = self.nodes.max(nodes);
            self.bytes = self.bytes.max(bytes);
            self.depth = self.depth.max(depth);
            self.since = simulations;
        }
        let still = simulations.saturating_sub(self.since);
        still >= FEWEST_STILL.max(self.nodes.saturating_mul(STILL_PER_NODE))
    }
}

impl Watch {
    /// A watch for the rules of this budget, all of them due at once.
    pub(crate) fn new(budget: &Budget, rounds: u32) -> Self {
        let schedule = Schedule::new(budget);
        let growth = budget.waits_for_growth().then(Growth::default);
        let is_idle = schedule.is_empty() && growth.is_none();
        Self {
            due: AtomicU64::new(if is_idle { NEVER } else { 0 }),
            due_time: AtomicU64::new(NEVER),
            cut: AtomicU64::new(NEVER),
            longest_round: AtomicU32::new(u32::MAX),
            asked: Mutex::new(Asked {
                schedule,
                growth,
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
        let Asked { schedule, growth, progress, .. } = &mut *asked;
        let reason = schedule.ask(progress, false).or_else(|| {
            let has_ended = growth.as_mut().is_some_and(|growth| growth.has_ended(progress));
            has_ended.then_some(StopReason::Exhausted)
        });
        if let Some(reason) = reason {
            control.stop_by_rule(reason);
            return true;
        }
        let still = progress.simulations.saturating_add(BETWEEN_GROWTH_LOOKS);
        let due = schedule.due().min(if growth.is_some() { still } else { NEVER });
        let (due_time, cut) = (schedule.due_time(), schedule.cut());
        self.due.store(due, Ordering::Relaxed);
        self.due_time.store(due_time, Ordering::Relaxed);
        self.cut.store(cut, Ordering::Relaxed);
        self.longest_round.store(asked.longest_round(due_time), Ordering::Relaxed);
        false
    }
}

impl Asked {
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
