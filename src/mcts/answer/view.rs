//! Reading a report: of a search that has ended, or of one under way.

use std::fmt;
use std::sync::Arc;

use crate::budget::StopReason;
use crate::game::GameState;
use crate::mcts::report::{NetworkReport, NodeReport, Report};
use crate::rng::{Rng, mix};

use super::node::{self, Place};
use super::temperature;
use crate::mcts::answer;
use crate::mcts::claims::Claims;
use crate::mcts::round::Counts;
use crate::mcts::save::{SavedFacts, Shelf};
use crate::mcts::tree::Tree;
use crate::mcts::tree::node::NodeId;

/// What the report of a search is read from.
pub(crate) struct Source<'a, G: GameState> {
    pub(crate) tree: &'a Arc<Tree<G>>,
    pub(crate) claims: &'a Claims,
    pub(crate) facts: SearchFacts,
}

/// What does not change during a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchFacts {
    pub(crate) root: NodeId,
    /// As they are once the search has begun.
    pub(crate) saved: SavedFacts,
    /// Nodes evicted before the search.
    pub(crate) evicted_before: u64,
    /// Moves that get a line of play; `None` for all.
    pub(crate) detailed: Option<usize>,
    pub(crate) temperature: f64,
    /// The seed of the search.
    pub(crate) seed: u64,
    /// Whether a network is asked.
    pub(crate) asks: bool,
}

/// The random numbers of the answer, beside those of the workers.
const ANSWER: u64 = u64::MAX;

impl<G: GameState> Clone for Source<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: GameState> Copy for Source<'_, G> {}

impl<G: GameState> Source<'_, G> {
    /// The report, with what the workers have counted. `None` if the root has no branches.
    ///
    /// During a search each branch is as it is when it is read.
    ///
    /// # Safety
    /// The tree has the root still, and no eviction frees a node until this returns: no search
    /// runs, or the caller holds a pin.
    // Once for the one that searches and those that watch.
    #[inline(never)]
    pub(crate) unsafe fn report(
        self,
        counts: Counts,
        stop_reason: StopReason,
    ) -> Option<Report<G::Move>> {
        let Self { tree, claims, facts } = self;
        let SearchFacts { root, evicted_before, detailed, temperature, seed, .. } = facts;
        let mut rng = Rng::from_seed(mix(seed, ANSWER));
        let answer = answer::root(tree, root);
        // SAFETY: as the caller says.
        let moves = unsafe { answer::moves(tree, root, detailed, claims.at_root(), &mut rng) };
        let place = temperature::choose(&moves, answer.proven, temperature, &mut rng);
        Some(Report {
            best_move: moves.get(place)?.mv.clone(),
            win_rate: answer.win_rate,
            scores: answer.scores,
            proven: answer.proven,
            simulations: counts.simulations,
            nodes: tree.node_count(),
            bytes: tree.bytes(),
            dropped: counts.dropped,
            deferred: counts.deferred,
            contended: counts.contended,
            workers: claims.stop.workers(),
            stop_reason,
            memory_full: tree.memory_full(),
            evicted: tree.eviction.evicted().saturating_sub(evicted_before),
            moves,
            elapsed: claims.stop.elapsed(),
            network: facts.asks.then_some(NetworkReport {
                evaluations: counts.asked.questions,
                calls: counts.asked.calls,
                cached: counts.asked.cached,
            }),
        })
    }
}

/// A search under way, as others may read it. Gone before its root changes.
pub struct View<G: GameState> {
    tree: Arc<Tree<G>>,
    claims: Arc<Claims>,
    facts: SearchFacts,
}

impl<G: GameState> View<G> {
    pub(crate) fn new(source: Source<'_, G>, claims: Arc<Claims>) -> Self {
        Self { tree: Arc::clone(source.tree), claims, facts: source.facts }
    }

    /// The tree, and the root of the search. What reads it holds a pin, one at a time.
    pub(crate) fn tree_and_root(&self) -> (&Tree<G>, NodeId) {
        (&self.tree, self.facts.root)
    }

    /// What the table is saved from.
    pub(crate) fn shelf(&self) -> Shelf<G> {
        let Self { tree, claims, facts } = self;
        Shelf::new(tree, None, facts.saved, Some(Arc::clone(claims)))
    }

    /// What the tree knows of a position, `place` being below this root or anywhere. One reader at
    /// a time: they share a pin.
    pub(crate) fn node(&self, place: Place<'_, G>, at_most: usize) -> Option<NodeReport<G::Move>> {
        let Self { tree, facts, .. } = self;
        let _pin = tree.pin_reader();
        // SAFETY: the view is gone before the root changes, and holds a pin.
        unsafe { node::report(tree, Some(facts.root), place, at_most) }
    }

    /// The report so far. One reader at a time: they share a pin.
    pub(crate) fn report(&self) -> Option<Report<G::Move>> {
        let Self { tree, claims, facts } = self;
        let _pin = tree.pin_reader();
        // Before the visits are read, so that there are never more simulations than visits.
        let counts = Counts { simulations: claims.done(), ..Counts::default() };
        let stop_reason =
            if claims.stop.is_stopped() { claims.reason() } else { StopReason::Running };
        let source = Source { tree, claims, facts: *facts };
        // SAFETY: the view is gone before the root changes, and holds a pin.
        unsafe { source.report(counts, stop_reason) }
    }
}

impl<G: GameState> fmt::Debug for View<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("facts", &self.facts).finish_non_exhaustive()
    }
}
