//! Reading a report: of a search that has ended, or of one under way.

use std::fmt;
use std::sync::Arc;

use crate::rng::Rng;
use crate::sync::Mutex;

use super::findings::{Counts, Findings, RootMove};
use super::report::{MoveReport, Report, ScoreBound};
use super::score::Score;
use super::table::Bounds;
use crate::stop::Positions;

/// What the workers of a search find out, as others may read it.
#[derive(Debug)]
pub(super) struct Live<M> {
    /// What is known of the moves of the root in the iteration under way.
    pub(super) root: Arc<Mutex<Vec<RootMove<M>>>>,
    /// What the last iteration that was completed has found. A thread that holds this lock may take
    /// that of the root, and not the reverse.
    settled: Mutex<Findings<M>>,
}

impl<M: Clone + PartialEq> Live<M> {
    /// What is known before the search.
    pub(super) fn new(findings: Findings<M>) -> Self {
        let root = Arc::new(Mutex::new(findings.moves.clone()));
        Self { root, settled: Mutex::new(findings) }
    }

    /// What the last iteration that was completed has found.
    pub(super) fn settled(&self) -> Findings<M> {
        self.settled.lock().clone()
    }

    /// Says that an iteration has been completed.
    pub(super) fn settle(&self, findings: Findings<M>) {
        *self.settled.lock() = findings;
    }

    /// What is known now.
    fn now(&self) -> Findings<M> {
        let settled = self.settled.lock();
        let findings = settled.clone();
        findings.with_better(&self.root.lock())
    }
}

/// What does not change during a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The seed of the choice among moves that are exactly as good; `None` if the first one found
    /// is played.
    pub(super) random: Option<u64>,
}

/// What the report of a search is read from.
pub(super) struct Source<'a, M> {
    pub(super) live: &'a Arc<Live<M>>,
    pub(super) bounds: Option<&'a Arc<Bounds>>,
    pub(super) facts: Facts,
}

/// A search under way, as others may read it. Gone before the table changes hands.
pub struct View<M> {
    live: Arc<Live<M>>,
    bounds: Option<Arc<Bounds>>,
    facts: Facts,
    positions: Arc<Positions>,
}

impl<M: Clone + PartialEq> View<M> {
    pub(super) fn new(source: Source<'_, M>, positions: Arc<Positions>) -> Self {
        let Source { live, bounds, facts } = source;
        Self { live: Arc::clone(live), bounds: bounds.cloned(), facts, positions }
    }

    /// The report so far.
    pub(super) fn report(&self) -> Report<M> {
        let mut findings = self.live.now();
        findings.counts = Counts { nodes: self.positions.visited(), ..findings.counts };
        report(findings, self.facts, &self.positions, self.bounds.as_deref())
    }
}

impl<M> fmt::Debug for View<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("facts", &self.facts).finish_non_exhaustive()
    }
}

/// The report of what was found, with the clock as it is now.
pub(super) fn report<M: Clone>(
    findings: Findings<M>,
    facts: Facts,
    positions: &Positions,
    bounds: Option<&Bounds>,
) -> Report<M> {
    let Findings { moves, found, win_rate, depth, counts } = findings;
    let score = Score::of(found);
    let mut moves: Vec<_> = moves.into_iter().map(RootMove::report).collect();
    if let Some(seed) = facts.random {
        let best = |mv: &MoveReport<_>| {
            mv.bound == ScoreBound::Exact && mv.score.is_some_and(|other| other.equals(score))
        };
        // The others are at least as far behind in the list as any of these.
        let equal = moves.iter().take_while(|mv| best(mv)).count();
        let chosen = Rng::from_seed(seed).below(equal);
        moves[..=chosen].rotate_right(1);
    }
    Report {
        best_move: moves[0].mv.clone(),
        score,
        proven: score.proven(),
        win_rate: match score {
            Score::Value(_) => win_rate,
            Score::Win { .. } => 1.0,
            Score::Draw => 0.5,
            Score::Loss { .. } => 0.0,
        },
        pv: moves[0].pv.clone(),
        depth,
        selective_depth: counts.selective_depth,
        nodes: counts.nodes,
        elapsed: positions.stop.elapsed(),
        workers: positions.stop.workers(),
        stop_reason: positions.reason(),
        moves,
        splits: counts.splits,
        aborted_splits: counts.aborted_splits,
        wasted_nodes: counts.wasted_nodes,
        idle: counts.idle,
        table_bytes: bounds.map_or(0, Bounds::bytes),
        table_entries: bounds.map_or(0, Bounds::entries),
        table_used: bounds.map_or(0.0, Bounds::used),
    }
}
