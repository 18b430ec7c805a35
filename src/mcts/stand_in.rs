//! The root of a search that is to try only some of the moves, or that knows what was played
//! before.
//!
//! Such a search must not leave wrong values behind: the mean of some moves is not that of the
//! position, and what is proven of the best of them is not proven of the position. So its root
//! is a **stand-in**: a node that is not in the table, with an edge for each move that is
//! allowed. The positions below are those of the table, so everything that is known of them
//! serves this search, and what it finds out serves all others. To the workers it is a root
//! like any other: selection, backup, proofs and the rules of the budget know nothing of it.
//!
//! - The position may come again below it, in a game with cycles. There it is the node of the
//!   table, with all moves. That it is a repetition is seen all the same: the tree knows that
//!   the two are one position ([`Tree::is_root`](crate::mcts::tree::Tree::is_root)).
//! - A search with a history has a stand-in as well, with all moves or some: what follows from the
//!   game before it is none of the position's. That one is freed with the other
//!   [nodes apart](crate::mcts::tree) when a search with another history begins.
//! - A stand-in is kept, with its visits, as long as the root is the same and the next
//!   search with restrictions has the same ones. After that it is evicted in its turn, or
//!   forgotten with the rest. It is not saved: in a file each key is there once.

use std::sync::Arc;

use crate::error::SearchError;
use crate::game::GameState;
use crate::repetition::Before;

use super::Mcts;
use super::tree::node::NodeId;
use super::worker::Worker;

impl<G: GameState> Mcts<G> {
    /// The root's node, with an edge for each of the `allowed` moves, or for all. `None` if
    /// there is no memory for it.
    pub(super) fn root_with(
        &mut self,
        state: &G,
        allowed: Option<&[G::Move]>,
    ) -> Result<Option<NodeId>, SearchError> {
        let Some(root) = self.root(state)? else { return Ok(None) };
        let apart = self.history.is_some() && self.tree.has_table();
        if allowed.is_none() && !apart {
            return Ok(Some(root));
        }
        let fits = |&known: &NodeId| {
            let same = match allowed {
                Some(allowed) => self.has_moves(known, allowed),
                None => self.tree.node(known).edge_count() == self.tree.node(root).edge_count(),
            };
            same && self.tree.node(known).is_apart() == apart
        };
        if let Some(known) = self.tree.stand_in().filter(fits) {
            return Ok(Some(known));
        }
        let mover = self.tree.node(root).mover();
        // One that has got no branches so far: its moves, or what a network says of them, were not
        // to be had.
        let is_bare = |&known: &NodeId| {
            let node = self.tree.node(known);
            node.edge_range().is_none() && node.is_apart() == apart
        };
        let mut stand_in = self.tree.stand_in().filter(is_bare);
        self.with_room(|mcts| {
            let Worker { round, allotment } = &mut mcts.workers[0];
            if stand_in.is_none() {
                stand_in = match apart {
                    true => mcts.tree.add_apart(state, mover, allotment),
                    false => mcts.tree.add_outside(state, mover, allotment),
                };
                mcts.tree.settle(allotment);
            }
            let Some(node) = stand_in else { return Ok(None) };
            // Before it has edges: from now on it is not evicted.
            mcts.tree.set_stand_in(node);
            let expanded = match allowed {
                Some(moves) => round.expand_root_with(&mcts.tree, node, state, moves, allotment)?,
                None => round.expand_root(&mcts.tree, node, state, allotment)?,
            };
            Ok(expanded.then_some(node))
        })
    }

    /// Makes room for a search with this history: what another one has left in nodes apart is
    /// freed.
    pub(super) fn enter_history(&mut self, history: Option<&Arc<Before<G>>>) {
        let same = match (&self.history, history) {
            (None, None) => !self.tree.has_apart(),
            (Some(before), Some(now)) => self.tree.has_table() && before.hashes() == now.hashes(),
            _ => false,
        };
        if !same {
            self.tree.leave_apart();
            // A reader may still hold the tree: then they are freed when the next search begins.
            if let Some(tree) = Arc::get_mut(&mut self.tree) {
                tree.free_apart();
            }
        }
        self.history = history.cloned();
    }

    /// Whether a node has an edge for each of these moves, and no other.
    fn has_moves(&self, id: NodeId, moves: &[G::Move]) -> bool {
        let Some(range) = self.tree.node(id).edge_range() else { return moves.is_empty() };
        // SAFETY: between two searches no eviction goes on, and the stand-in of the root stays in
        // use.
        unsafe { self.tree.moves(range) == moves }
    }
}
