//! Selection by a policy of the user's own: what it is shown, and its answers checked.
//!
//! It is asked visit by visit, on a copy of what the edges say: no lock is held while it answers,
//! and it may take its time, or panic.

use std::any::type_name;
use std::fmt;
use std::sync::Arc;

use crate::rng::Rng;
use crate::sync::{AtomicU32, Ordering};

use crate::mcts::config::{BranchView, NodeView, SelectionPolicy};
use crate::mcts::tree::node::{Edge, EdgeStats, Node};
use crate::mcts::tree::value::to_score;

use super::branches::LEFT_OUT;
use super::lanes::LANES;
use super::{Floor, Picker};

/// A policy of the user's own, with what was asked of it once.
#[derive(Clone)]
pub(crate) struct OwnPolicy {
    by: Arc<dyn SelectionPolicy>,
    pub(crate) name: &'static str,
    pub(crate) needs_squares: bool,
}

impl OwnPolicy {
    pub(crate) fn new<P: SelectionPolicy + 'static>(policy: P) -> Self {
        let needs_squares = policy.needs_squares();
        Self { by: Arc::new(policy), name: type_name::<P>(), needs_squares }
    }

    /// The branch that the next simulation of a node takes, which has an open one.
    fn pick(&self, node: &NodeView<'_>, rng: &mut Rng) -> Result<usize, Misstep> {
        if let Some(found) = self.by.pick(node, rng) {
            let is_open = node.branches.get(found).is_some_and(|branch| branch.is_open);
            return if is_open { Ok(found) } else { Err(misstep(node, found)) };
        }
        let mut best = None;
        for (at, branch) in node.open() {
            let score = self.by.score(node, branch);
            if score.is_nan() {
                return Err(Misstep::Score { branch: at });
            }
            if best.is_none_or(|(_, highest)| score > highest) {
                best = Some((at, score));
            }
        }
        Ok(best.expect("a branch is open").0)
    }
}

impl fmt::Debug for OwnPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What a policy may not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misstep {
    /// This branch, which is not there or not open.
    Pick { found: usize, open: usize, branches: usize },
    /// A score that is not a number for this branch.
    Score { branch: usize },
}

#[cold]
fn misstep(node: &NodeView<'_>, found: usize) -> Misstep {
    Misstep::Pick { found, open: node.open().count(), branches: node.branches.len() }
}

/// A plane beside the edges of a node, with its stride.
pub(crate) type Plane<'a> = Option<(&'a [AtomicU32], usize)>;

impl Picker {
    /// The policy of the user's own, if it is the one.
    #[inline]
    pub(crate) fn own(&self) -> Option<&OwnPolicy> {
        self.own.as_ref()
    }

    /// Copies what the policy of the user's own is shown, beside what [`copy`](Self::copy) does,
    /// which this calls. Call it with the node locked.
    pub(crate) fn copy_for_own(
        &mut self,
        node: &Node,
        edges: &[Edge],
        [squares, priors]: [Plane<'_>; 2],
    ) {
        self.copy(node, edges, None);
        let flying = if self.rules.counts_in_flight() { u32::MAX } else { 0 };
        let of_node = node.value().score();
        let of_plane = |plane: Plane<'_>, branch: usize| {
            let (plane, stride) = plane?;
            plane.get(branch * stride).map(|number| to_score(number.load(Ordering::Relaxed)))
        };
        let Self { views, groups, .. } = self;
        views.clear();
        views.extend(edges.iter().enumerate().map(|(branch, edge)| {
            let EdgeStats { visits, value } = edge.stats();
            let bounds = value.bounds();
            BranchView {
                is_open: groups[branch / LANES].means[branch % LANES] > LEFT_OUT,
                visits,
                in_flight: edge.in_flight() & flying,
                mean: to_score(if visits > 0 { value.score() } else { of_node }),
                mean_square: of_plane(squares, branch).filter(|_| visits > 0),
                prior: of_plane(priors, branch),
                least: f64::from(bounds.low()) / 2.0,
                most: f64::from(bounds.high()) / 2.0,
            }
        }));
    }

    /// Shows these priors, in fixed point, instead of those that were copied.
    pub(crate) fn show_priors(&mut self, priors: &[u32]) {
        for (view, &prior) in self.views.iter_mut().zip(priors) {
            view.prior = Some(to_score(prior));
        }
    }

    /// As [`divide`](Self::divide), by the policy of the user's own. `node` has no branches: it is
    /// shown those that [`copy_for_own`](Self::copy_for_own) was called for.
    ///
    /// # Errors
    /// If the policy answers what it may not. Nothing is chosen then.
    pub(crate) fn divide_by_own(
        &mut self,
        node: NodeView<'_>,
        (count, together): (u32, u32),
        floor: Option<Floor>,
        rng: &mut Rng,
    ) -> Result<(), Misstep> {
        self.shares.clear();
        let mut left = count - self.warm_up(count, together, rng);
        if let Some(floor) = floor {
            left -= self.lift(left, floor);
        }
        let taken = self.groups.iter().flat_map(|branches| branches.taken);
        for (view, taken) in self.views.iter_mut().zip(taken) {
            view.in_flight = view.in_flight.saturating_add(taken);
        }
        let is_any_open = self.views.iter().any(|branch| branch.is_open);
        while left > 0 && is_any_open {
            let Some(own) = &self.own else { break };
            let branch = own.pick(&NodeView { branches: &self.views, ..node }, rng)?;
            let run = together.min(left);
            left -= run;
            let view = &mut self.views[branch];
            view.in_flight = view.in_flight.saturating_add(run);
            self.give(branch, run);
        }
        self.share_out();
        Ok(())
    }
}
