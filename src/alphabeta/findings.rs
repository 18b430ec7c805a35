//! What a search has found: its moves of the root, and what the workers have counted.

use std::time::Duration;

use super::report::{MoveReport, ScoreBound};
use super::score::{Found, Kind, Score};

/// What workers count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) nodes: u64,
    pub(super) selective_depth: u32,
    pub(super) splits: u64,
    pub(super) aborted_splits: u64,
    pub(super) wasted_nodes: u64,
    pub(super) idle: Duration,
}

impl Counts {
    /// Those of two workers together.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            selective_depth: self.selective_depth.max(other.selective_depth),
            splits: self.splits + other.splits,
            aborted_splits: self.aborted_splits + other.aborted_splits,
            wasted_nodes: self.wasted_nodes + other.wasted_nodes,
            idle: self.idle + other.idle,
        }
    }
}

/// What is known of a move of the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    pub(super) found: Found,
    /// What `found` says; `None` if the move was not searched since the order was last made.
    pub(super) kind: Kind,
    /// That of the iteration in which it was searched last.
    pub(super) depth: u32,
    /// Positions below it in that iteration.
    pub(super) nodes: u64,
    /// What the evaluator makes of the value, unless that is an upper limit.
    pub(super) win_rate: f64,
    pub(super) pv: Vec<M>,
}

impl<M: Clone> RootMove<M> {
    /// A move that was not searched.
    pub(super) fn new(mv: M) -> Self {
        let pv = vec![mv.clone()];
        Self { mv, found: Found::NOTHING, kind: Kind::None, depth: 0, nodes: 0, win_rate: 0.5, pv }
    }

    pub(super) fn report(self) -> MoveReport<M> {
        let (score, bound) = match self.kind {
            Kind::None => (None, ScoreBound::AtMost),
            Kind::Exact => (Some(Score::of(self.found)), ScoreBound::Exact),
            Kind::AtMost => (Some(Score::of(self.found)), ScoreBound::AtMost),
            Kind::AtLeast => (Some(Score::of(self.found)), ScoreBound::AtLeast),
        };
        let Self { mv, depth, nodes, pv, .. } = self;
        MoveReport { mv, score, bound, depth, nodes, pv }
    }
}

/// What a search has found.
#[derive(Clone, Debug)]
pub(super) struct Findings<M> {
    /// The best first.
    pub(super) moves: Vec<RootMove<M>>,
    pub(super) found: Found,
    /// What the evaluator makes of `found`, if that is no proof.
    pub(super) win_rate: f64,
    /// The last iteration that was completed.
    pub(super) depth: u32,
    pub(super) counts: Counts,
}

impl<M: Clone + PartialEq> Findings<M> {
    /// With the move that an iteration which was not completed has shown to be the best: the better
    /// of those above the window so far. `root` is what that iteration knows.
    pub(super) fn with_better(mut self, root: &[RootMove<M>]) -> Self {
        let above = |mv: &&RootMove<_>| {
            mv.depth == self.depth + 1 && matches!(mv.kind, Kind::Exact | Kind::AtLeast)
        };
        let best = root.iter().filter(above).max_by_key(|mv| mv.found.value);
        // The move that was the best must have been tried, or nothing is better than it.
        let tried = || root.iter().any(|mv| mv.mv == self.moves[0].mv && mv.kind != Kind::None);
        let Some(better) = best.filter(|best| best.kind == Kind::AtLeast || tried()).cloned()
        else {
            return self;
        };
        (self.found, self.win_rate) = (better.found, better.win_rate);
        self.moves.retain(|mv| mv.mv != better.mv);
        self.moves.insert(0, better);
        self
    }
}
