//! What a Monte Carlo search tells the rules of its budget of itself.
//!
//! Between two rounds each worker looks whether a rule is due. Rounds are cut short only where a
//! hint asks for it, so a search with a rule is the same as one without it, up to where the rule
//! stops it.

use crate::budget::{Budget, Progress};
use crate::clock::{NEVER, nanos};
use crate::game::GameState;
use crate::stop::{Known, Rules};
use crate::sync::{AtomicU32, Ordering};

use crate::mcts::answer;
use crate::mcts::claims::Claims;
use crate::mcts::tree::Tree;
use crate::mcts::tree::halving::FullCounts;
use crate::mcts::tree::node::NodeId;

/// The rules of a search, shared by its workers.
#[derive(Debug)]
pub(crate) struct Watch {
    rules: Rules,
    /// Simulations of a round that fit before a rule is due. `Relaxed`: a worker that reads an old
    /// one looks a round later.
    longest_round: AtomicU32,
    /// Rounds under way at a time.
    rounds: u32,
}

impl Watch {
    /// A watch for the rules of this budget, all of them due at once. Where its limits wait for a
    /// tree that grows, the end of the growth is one more.
    pub(crate) fn new(budget: &Budget, rounds: u32) -> Self {
        let rules = Rules::new(&budget.until_exhausted());
        Self { rules, longest_round: AtomicU32::new(u32::MAX), rounds }
    }

    /// Asks the rules that are due, and stops the search if one of them says so.
    #[inline]
    pub(crate) fn look<G: GameState>(&self, tree: &Tree<G>, root: NodeId, claims: &Claims) -> bool {
        !self.rules.is_empty()
            && self.rules.is_due(claims.done(), claims.stop.clock())
            && self.ask(tree, root, claims)
    }

    /// A round of `wanted` simulations, or of those that the hints leave room for.
    #[inline]
    pub(crate) fn shorten(&self, wanted: u32, claims: &Claims) -> u32 {
        if self.rules.is_empty() {
            return wanted;
        }
        let most = wanted.min(self.longest_round.load(Ordering::Relaxed));
        u64::from(most).min(self.rules.left_until_cut(claims.done()).max(1)) as u32
    }

    fn ask<G: GameState>(&self, tree: &Tree<G>, root: NodeId, claims: &Claims) -> bool {
        let reason = self.rules.ask_due(
            |known| measure(known, tree, root, claims),
            |progress, due_time| {
                let longest = self.longest_round(progress, due_time);
                self.longest_round.store(longest, Ordering::Relaxed);
            },
        );
        if let Some(reason) = reason {
            claims.stop.stop(reason);
        }
        reason.is_some()
    }

    /// Simulations of a round that lasts until `due_time`, at the mean speed so far.
    fn longest_round(&self, progress: &Progress, due_time: u64) -> u32 {
        if due_time == NEVER {
            return u32::MAX;
        }
        let Progress { elapsed, simulations, .. } = *progress;
        let left = due_time.saturating_sub(nanos(elapsed)) as f64;
        let speed = simulations as f64 / nanos(elapsed).max(1) as f64;
        // Too large a number becomes the largest.
        ((left * speed / f64::from(self.rounds)) as u32).max(1)
    }
}

/// Brings what is known of the search up to date.
fn measure<G: GameState>(known: &mut Known, tree: &Tree<G>, root: NodeId, claims: &Claims) {
    // Before the visits are read: what is done between the two then counts as still to be done,
    // which is on the safe side.
    let (done, elapsed) = (claims.done(), claims.stop.elapsed());
    let progress = &mut known.progress;
    (progress.simulations, progress.elapsed) = (done, elapsed);
    progress.depth = claims.depth();
    let nodes = tree.node_count();
    if nodes != progress.nodes || progress.bytes == 0 {
        progress.nodes = nodes;
        progress.bytes = tree.bytes();
    }
    let node = tree.node(root);
    let counts = FullCounts::of(tree, root);
    progress.root_visits = u64::from(node.visits()) + counts.taken();
    drop(counts);
    progress.root_moves = node.edge_count();
    let Some(leaders) = answer::leaders(tree, root) else { return };
    progress.best = leaders.best;
    progress.second = leaders.second;
    progress.best_is_highest = leaders.best_is_highest;
    known.set_best(leaders.edge, done, elapsed);
    known.set_now(done, elapsed);
}
