//! The root of a search that is to try only some of the moves.
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
//!   the two are one position ([`Tree::is_root`](super::tree::Tree::is_root)).
//! - A stand-in is kept, with its visits, as long as the root is the same and the next
//!   search with restrictions has the same ones. After that it is evicted in its turn, or
//!   forgotten with the rest. It is not saved: in a file each key is there once.

use crate::error::SearchError;
use crate::game::GameState;

use super::Mcts;
use super::node::NodeId;
use super::worker::Worker;

impl<G: GameState> Mcts<G> {
    /// The root's node, with an edge for each of the `allowed` moves, or for all. `None` if
    /// there is no memory for it.
    pub(super) fn root_with(
        &mut self,
        state: &G,
        allowed: Option<&[G::Move]>,
    ) -> Result<Option<NodeId>, SearchError> {
        let root = self.root(state)?;
        let (Some(root), Some(allowed)) = (root, allowed) else { return Ok(root) };
        if let Some(known) = self.tree.stand_in().filter(|&known| self.has_moves(known, allowed)) {
            return Ok(Some(known));
        }
        let mover = self.tree.node(root).mover();
        let mut stand_in = None;
        self.with_room(|mcts| {
            let Worker { round, allotment } = &mut mcts.workers[0];
            if stand_in.is_none() {
                stand_in = mcts.tree.add_apart(state, mover, allotment);
                mcts.tree.settle(allotment);
            }
            let Some(node) = stand_in else { return Ok(None) };
            // Before it has edges: from now on it is not evicted.
            mcts.tree.set_stand_in(node);
            let expanded = round.expand_root_with(&mcts.tree, node, state, allowed, allotment);
            Ok(expanded.then_some(node))
        })
    }

    /// Whether a node has an edge for each of these moves, and no other.
    fn has_moves(&self, id: NodeId, moves: &[G::Move]) -> bool {
        let (first, count) = self.tree.node(id).edge_range();
        count as usize == moves.len()
            && (first..).zip(moves).all(|(edge, mv)| self.tree.mv(edge) == mv)
    }
}
