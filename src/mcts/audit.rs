//! The audit: whether the statistics of all positions agree with each other.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::game::GameState;
use crate::sync::Ordering;

use super::Mcts;
use super::tree::halving::{FullCounts, HALVED_FROM};
use super::tree::node::{Edge, Node, NodeId};
use super::tree::value::{Bounds, ONE, Value};

/// What an audit has counted, over the positions that can be reached from the root of the
/// last search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Audit {
    /// Positions.
    pub nodes: u64,
    /// Branches of all positions.
    pub edges: u64,
    /// Visits of the root: of all simulations that have passed it while it was the root, those too
    /// that halving has taken from its counts.
    pub root_visits: u64,
    /// Visits of all positions but the root, as the positions count them.
    pub node_visits: u64,
    /// Visits of all branches that lead to a position of the table, as the branches count
    /// them. Equal to `node_visits` after one search with one worker and UCB1, without
    /// proofs, in a game without cycles.
    pub edge_visits: u64,
}

/// Statistics that do not agree: an error of this library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("node {node}, {law}: expected {expected}, found {found}")]
#[non_exhaustive]
pub struct Inconsistency {
    /// The number of the position.
    pub node: u32,
    /// What should hold.
    pub law: Invariant,
    /// What follows from the branches.
    pub expected: String,
    /// What the position says.
    pub found: String,
}

/// What holds of the statistics of each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Invariant {
    /// A proven branch has the value that is proven.
    #[error("value of a proven branch")]
    ProvenValue,
    /// The visits of a position are its own rollouts plus the visits of its branches.
    #[error("visits")]
    Visits,
    /// They are fewer than 2^31.
    #[error("visits that are left by halving")]
    HalvedVisits,
    /// The score is no less than that of the branches.
    #[error("score, at least")]
    LeastScore,
    /// The score is no more than that of the branches and 1 for each rollout of its own.
    #[error("score, at most")]
    MostScore,
    /// No simulation is in flight.
    #[error("simulations in flight")]
    InFlight,
    /// No lock is held.
    #[error("writers and readers")]
    Locks,
    /// The visits of lost branches are counted.
    #[error("visits of lost branches")]
    LostVisits,
    /// The lower bound follows from the branches.
    #[error("lower bound")]
    LowerBound,
    /// The upper bound follows from the branches.
    #[error("upper bound")]
    UpperBound,
    /// The mean is the score divided by the visits that count.
    #[error("mean")]
    Mean,
    /// What is proven of a branch follows from the position that it leads to.
    #[error("bounds of a branch")]
    BranchBounds,
    /// The further scores are made of the same parts as the score.
    #[error("further score")]
    FurtherScore,
}

impl<G: GameState> Mcts<G> {
    /// Checks the statistics of every position that can be reached from the root of the last
    /// search:
    /// - a position's visits are its own rollouts plus the visits of its branches, and fewer than
    ///   2^31: from there its counts are halved, and all of this holds for the halves;
    /// - its score is the sum over its branches of visits times value, plus at least 0 and at
    ///   most 1 for each rollout of its own, exactly;
    /// - its mean is that score divided by the visits that count;
    /// - a proven branch has the value that is proven;
    /// - what is proven of it follows from its branches, and what is proven of a branch from
    ///   the position it leads to (where positions were evicted, or left out of a
    ///   saved table, or another engine has proven a branch: the two do not contradict
    ///   each other, as a position made anew may know less than its branch);
    /// - no simulation is in flight, and no lock is held.
    ///
    /// For tests and for bug reports: it walks everything once. All of it holds after every
    /// search, whatever the settings, also after one that a panic of the game has ended.
    ///
    /// # Errors
    /// With the first law found broken.
    pub fn audit(&self) -> Result<Audit, Inconsistency> {
        let mut audit = Audit::default();
        let Some(root) = self.last_root else { return Ok(audit) };
        let mut known = HashSet::from([root.0]);
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let node = self.tree.node(id);
            audit.nodes += 1;
            if id == root {
                let taken = FullCounts::of(&self.tree, id).taken();
                audit.root_visits = u64::from(node.visits()) + taken;
            } else {
                audit.node_visits += u64::from(node.visits());
            }
            self.audit_node(id, node)?;
            self.audit_planes(id, node)?;
            for edge in self.tree.edges_of(node) {
                audit.edges += 1;
                let Some(child) = edge.child() else { continue };
                audit.edge_visits += u64::from(edge.stats().visits);
                if known.insert(child.0) {
                    open.push(child);
                }
            }
        }
        Ok(audit)
    }

    fn audit_node(&self, id: NodeId, node: &Node) -> Result<(), Inconsistency> {
        let (mut visits, mut score, mut lost, mut flying) = (0, 0, 0, 0);
        let (mut low, mut high) = (0, 0);
        let draw = self.tree.draws().draw(node.mover());
        let same = |law, expected, found| same(id, law, expected, found);
        for edge in self.tree.edges_of(node) {
            let stats = edge.stats();
            let n = u64::from(stats.visits);
            visits += n;
            score += n * u64::from(stats.value.score());
            flying += edge.in_flight();
            let bounds = stats.value.bounds();
            if bounds == Bounds::Loss {
                lost += n;
            }
            if self.proofs && bounds.is_exact() {
                let worth = bounds.clamp(stats.value.score(), draw);
                same(Invariant::ProvenValue, worth.into(), stats.value.score().into())?;
            }
            (low, high) = (bounds.low().max(low), bounds.high().max(high));
            if let Some(child) = edge.child() {
                self.audit_bounds(id, node, bounds, self.tree.node(child))?;
            }
        }
        let own = u64::from(node.own());
        same(Invariant::Visits, own + visits, u64::from(node.visits()))?;
        let most = node.visits().min(HALVED_FROM - 1);
        same(Invariant::HalvedVisits, most.into(), node.visits().into())?;
        let found = node.score();
        let most = score + own * u64::from(ONE);
        same(Invariant::LeastScore, score, score.min(found))?;
        same(Invariant::MostScore, most, most.max(found))?;
        same(Invariant::InFlight, 0, u64::from(flying))?;
        same(Invariant::Locks, 0, u64::from(node.lock().try_write().is_none()))?;
        let mut bounds = Bounds::Open;
        if self.proofs {
            same(Invariant::LostVisits, lost, u64::from(node.lost()))?;
            if node.edge_range().is_some() {
                bounds = Bounds::new(low, high);
            }
            let found = node.value().bounds();
            same(Invariant::LowerBound, u64::from(bounds.low()), u64::from(found.low()))?;
            same(Invariant::UpperBound, u64::from(bounds.high()), u64::from(found.high()))?;
        }
        let all = u64::from(node.visits());
        let counted = if all > lost && self.proofs { all - lost } else { all };
        if let Some(mean) = found.checked_div(counted) {
            let mean = bounds.clamp(mean.min(u64::from(ONE)) as u32, draw);
            same(Invariant::Mean, u64::from(mean), u64::from(node.value().score()))?;
        }
        Ok(())
    }

    /// A position may be known better than the branch to it knows, never worse.
    fn audit_bounds(
        &self,
        id: NodeId,
        node: &Node,
        edge: Bounds,
        child: &Node,
    ) -> Result<(), Inconsistency> {
        let flipped = G::PLAYERS == 2 && child.mover() != node.mover();
        let value = Value::new(0, child.value().bounds());
        let bounds = if flipped { value.bounds().flip() } else { value.bounds() };
        if edge.low() <= bounds.low() && bounds.high() <= edge.high() {
            return Ok(());
        }
        // Of an eviction under way the branches may have forgotten all, and no node is free yet.
        let remade =
            self.thinned || self.tree.eviction.begun() > 0 || self.tree.exchanged.has_proofs();
        if remade && edge.low() <= bounds.high() && bounds.low() <= edge.high() {
            return Ok(());
        }
        Err(Inconsistency {
            node: id.0,
            law: Invariant::BranchBounds,
            expected: format!("no more than {bounds:?}"),
            found: format!("{edge:?}"),
        })
    }

    /// The further score totals are made of the same parts as the score.
    fn audit_planes(&self, id: NodeId, node: &Node) -> Result<(), Inconsistency> {
        let Some(planes) = self.tree.planes() else { return Ok(()) };
        let own = u64::from(node.own()) * u64::from(ONE);
        for (plane, total) in planes.totals.range(id.0, 1).iter().enumerate() {
            let seen = |(index, edge): (u32, &Edge)| {
                let seen = planes.seen.range(index, 1)[plane].load(Ordering::Relaxed);
                u64::from(edge.stats().visits) * u64::from(seen)
            };
            let sum: u64 = self.tree.indexed_edges(node).map(seen).sum();
            let found = total.load(Ordering::Relaxed);
            if !(sum..=sum + own).contains(&found) {
                return Err(Inconsistency {
                    node: id.0,
                    law: Invariant::FurtherScore,
                    expected: format!("{sum} to {sum} + {own}"),
                    found: found.to_string(),
                });
            }
        }
        Ok(())
    }
}

/// Whether a law of a position holds.
fn same(id: NodeId, law: Invariant, expected: u64, found: u64) -> Result<(), Inconsistency> {
    if expected == found {
        return Ok(());
    }
    Err(Inconsistency { node: id.0, law, expected: expected.to_string(), found: found.to_string() })
}
