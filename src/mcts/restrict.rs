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
        let Worker { round, allotment } = &mut self.workers[0];
        let mover = self.tree.node(root).mover();
        let Some(stand_in) = self.tree.add_apart(state, mover, allotment) else {
            return Ok(None);
        };
        self.tree.settle(allotment);
        if !round.expand_root_with(&self.tree, stand_in, state, allowed, allotment) {
            return Ok(None);
        }
        self.tree.set_stand_in(stand_in);
        Ok(Some(stand_in))
    }

    /// Whether a node has an edge for each of these moves, and no other.
    fn has_moves(&self, id: NodeId, moves: &[G::Move]) -> bool {
        // SAFETY: between two searches no eviction goes on, and the stand-in of the root stays in use.
        unsafe { self.tree.moves(self.tree.node(id)) == moves }
    }
}
