//! Nodes apart: positions as one search sees them that knows what was played before its root.
//!
//! A verdict on a repetition is true of a line of play and not of the position, and what follows
//! from the game before the root is true of that game alone. So it must not enter a node of the
//! table. A search with a history has a root of its own, and where a line comes back to a position
//! that was there, the nodes on the way to it are copied first: the copies belong to this search,
//! are found by no other search, and are freed when another one begins. Below them lie the nodes of
//! the table, until a line that passes one of those comes back as well.

use super::node::{Counters, EdgeStats, NodeId};
use super::update::{self, Narrowed};
use super::value::{Bounds, Value};
use crate::game::GameState;
use crate::sync::Ordering;

use super::{Allotment, Tree};

/// What a copy of a node does not take over of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// All is taken over.
    All,
    /// The value, but not that it is proven.
    Value,
    /// Nothing: it leads to a position that was there.
    Nothing,
}

impl<G: GameState> Tree<G> {
    /// Whether what is written to a node stays in this search: a copy of one of the table, or any
    /// node where there is no table.
    #[inline]
    pub(crate) fn is_apart(&self, id: NodeId) -> bool {
        !self.has_table() || self.node(id).is_apart()
    }

    /// A node apart: one that is not in the table, and is freed when another search begins. `None`
    /// at the memory limit.
    pub(crate) fn add_apart(
        &self,
        state: &G,
        mover: usize,
        allotment: &mut Allotment,
    ) -> Option<NodeId> {
        let id = self.add_outside(state, mover, allotment)?;
        self.node(id).set_apart();
        self.root.apart.lock().push(id);
        Some(id)
    }

    /// Copies a node of the position `state`; `takes` says what of a branch, by its move. `None` at
    /// the memory limit.
    ///
    /// # Safety
    /// As for [`moves`](Self::moves).
    pub(crate) unsafe fn copy_apart(
        &self,
        id: NodeId,
        state: &G,
        takes: impl Fn(&G) -> Takes,
        allotment: &mut Allotment,
    ) -> Option<NodeId> {
        let node = self.node(id);
        let mut moves = match node.edge_range() {
            // SAFETY: as the caller says.
            Some(range) => unsafe { self.moves(range) }.to_vec(),
            None => Vec::new(),
        };
        // All of the game's code before the lock. An edge that leads to a node which an eviction
        // has chosen may not be written again: so the child is the one that the table has now.
        let parts: Vec<(Takes, Option<NodeId>)> = moves
            .iter()
            .map(|mv| {
                let next = state.apply(mv);
                let takes = takes(&next);
                (takes, if takes == Takes::Nothing { None } else { self.find(&next) })
            })
            .collect();
        let copy = self.add_apart(state, node.mover(), allotment)?;
        let priors = node.edge_range().and_then(|range| self.priors(range)).unwrap_or_default();
        let priors: Vec<u32> = priors.iter().map(|prior| prior.load(Ordering::Relaxed)).collect();
        if moves.is_empty() || !self.expand(copy, &mut moves, (&priors, &[]), allotment) {
            return None;
        }
        let (holder, _) = update::hold(node);
        self.copy_statistics(id, copy, &parts);
        update::release(self, id, node, holder);
        Some(copy)
    }

    /// Makes `copy` say what the node `id` says, whose lock is held, less what its branches do not
    /// take over. No other thread knows the copy.
    fn copy_statistics(&self, id: NodeId, copy: NodeId, parts: &[(Takes, Option<NodeId>)]) {
        let relaxed = Ordering::Relaxed;
        let (from, to) = (self.node(id), self.node(copy));
        let (own, mut score) = (from.own(), from.score());
        let (mut visits, mut lost) = (own, 0);
        let places = self.indexed_edges(from).zip(self.indexed_edges(to));
        let mut totals: Vec<u64> = self.planes.as_ref().map_or_else(Vec::new, |planes| {
            planes.totals.range(id.0, 1).iter().map(|total| total.load(relaxed)).collect()
        });
        for (((from, old), (to, edge)), &(takes, child)) in places.zip(parts) {
            let EdgeStats { visits: n, value } = old.stats();
            if takes == Takes::Nothing {
                score = score.wrapping_sub(u64::from(n) * u64::from(value.score()));
            } else {
                let ends = old.child().is_none() && old.kept_distance() == 0;
                let bounds =
                    if takes == Takes::All || ends { value.bounds() } else { Bounds::Open };
                let value = Value::new(value.score(), bounds);
                edge.set_stats(EdgeStats { visits: n, value });
                match child.filter(|_| old.child().is_some()) {
                    Some(child) => {
                        edge.set_child(child);
                    }
                    None if bounds.is_exact() => edge.forget_child(self.distance_below(old)),
                    None => {}
                }
                visits += n;
                lost += if bounds == Bounds::Loss { n } else { 0 };
            }
            let Some(planes) = &self.planes else { continue };
            let seen = planes.seen.range(from, 1).iter().zip(planes.seen.range(to, 1));
            for ((from, to), total) in seen.zip(&mut totals) {
                let seen = from.load(relaxed);
                if takes == Takes::Nothing {
                    *total = total.wrapping_sub(u64::from(n) * u64::from(seen));
                } else {
                    to.store(seen, relaxed);
                }
            }
        }
        if let Some(planes) = &self.planes {
            for (place, total) in planes.totals.range(copy.0, 1).iter().zip(totals) {
                place.store(total, relaxed);
            }
        }
        let lost = if self.proofs() { lost } else { 0 };
        to.set_counters(Counters { visits, own, lost, score });
        let mut narrowed = Narrowed::NOTHING;
        if self.proofs() {
            for edge in self.edges_of(to) {
                let bounds = edge.stats().value.bounds();
                if bounds != Bounds::Open {
                    narrowed.add(bounds, self.distance_below(edge));
                }
            }
        }
        if from.is_warm() && parts.iter().all(|&(takes, _)| takes != Takes::Nothing) {
            to.set_warm();
        }
        update::refresh(self, (copy, to), narrowed);
    }

    /// Whether there may be nodes apart.
    pub(crate) fn has_apart(&self) -> bool {
        !self.root.apart.lock().is_empty()
    }

    /// Lets no node apart stand in for the root any more. Between two searches.
    pub(crate) fn leave_apart(&self) {
        if self.stand_in().is_some_and(|id| self.node(id).is_apart()) {
            self.forget_stand_in();
        }
    }

    /// Frees all nodes that are apart. False if there were none. No worker searches.
    pub(crate) fn free_apart(&mut self) -> bool {
        let apart = std::mem::take(&mut *self.root.apart.lock());
        if apart.is_empty() {
            return false;
        }
        // It may have chosen some of them.
        self.evict_at_once();
        self.leave_apart();
        let mut freed = 0;
        for id in apart {
            let node = self.node(id);
            // Evicted in the meantime, and perhaps used again.
            if !node.is_in_use(self.age) || !node.is_apart() {
                continue;
            }
            // SAFETY: the node is in use. It was never in the table; only edges of nodes apart
            // lead to it, which are all freed here; the root is another one from now on; and
            // `&mut self` says that there is no worker, and no eviction is under way.
            unsafe { self.free_node(id) };
            freed += 1;
        }
        self.made.fetch_sub(freed, Ordering::Relaxed);
        true
    }
}
