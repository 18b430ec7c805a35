//! What saving and loading need of the tree: every position with its key, and a way in for
//! positions that come without a state.

use crate::game::GameState;
use crate::mcts::node::{Edge, Node, NodeId};

use super::{Allotment, Tree};

impl<G: GameState> Tree<G> {
    /// An empty tree of the same settings.
    pub(crate) fn fresh(&self) -> Self {
        Self::new(self.rules)
    }

    /// Whether positions are found by their keys.
    pub(crate) fn has_table(&self) -> bool {
        self.table.is_some()
    }

    pub(crate) fn memory_limit(&self) -> Option<u64> {
        self.rules.memory_limit
    }

    /// Memory for one node with its key, and for one edge with its move, in bytes.
    pub(crate) fn costs(&self) -> (u64, u64) {
        let planes = self.rules.planes;
        let node = size_of::<Node>() + size_of::<G::Key>() + planes * size_of::<u64>();
        let edge = size_of::<Edge>() + size_of::<G::Move>() + planes * size_of::<u32>();
        (node as u64, edge as u64)
    }

    /// Calls `visit` with every node of the table, in no order. Those that workers make
    /// meanwhile may be left out.
    pub(crate) fn for_each_node(&self, visit: impl FnMut(NodeId)) {
        if let Some(table) = &self.table {
            table.for_each(visit);
        }
    }

    /// The key of a node.
    ///
    /// `id` must come from [`for_each_node`](Self::for_each_node), and no node may have been
    /// freed since.
    pub(crate) fn key(&self, id: NodeId) -> &G::Key {
        debug_assert!(self.has_table());
        // SAFETY: a node of the table had its key written before it was put there, under the
        // shard's lock that `for_each_node` has held since. Keys are dropped by `forget` and
        // `drop`, which have the tree to themselves, and by `free_node`, at the end of an
        // eviction; the caller says that there was none since.
        unsafe { self.keys.read(id.0) }
    }

    /// The node of a key, and whether it is new. `None` at the memory limit, or without a
    /// table.
    pub(crate) fn find_or_add_key(
        &self,
        key: G::Key,
        mover: usize,
        ply: u32,
        allotment: &mut Allotment,
    ) -> Option<(NodeId, bool)> {
        let table = self.table.as_ref()?;
        let hash = table.hash(&key);
        self.find_or_add_in(table, key, hash, (mover, ply), allotment)
    }
}
