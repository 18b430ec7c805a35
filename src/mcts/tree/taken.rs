//! The visits that [halving](crate::mcts::tree::halving) has taken from the counts of a root.

use super::node::NodeId;

/// The visits that halving has taken from the counts of the root of a search.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// The root; `None` before the first search.
    root: Option<NodeId>,
    /// From the root, its own rollouts included.
    pub(crate) all: u64,
    /// From each of its edges, in their order. Empty before the first halving.
    pub(crate) of_edges: Vec<u64>,
    /// Edges for which there is room that the meter has counted. It is kept for the next root.
    paid: usize,
}

impl Taken {
    /// Whether they were taken from this node.
    pub(crate) fn is_from(&self, id: NodeId) -> bool {
        self.root == Some(id)
    }

    /// Begins anew with another root, or with none.
    pub(crate) fn begin(&mut self, root: Option<NodeId>) {
        (self.root, self.all) = (root, 0);
        self.of_edges.clear();
    }

    /// Makes room for this many edges with what `pay` gives bytes for; false if it gives none.
    pub(crate) fn make_room(&mut self, edges: usize, pay: impl FnOnce(u64) -> bool) -> bool {
        if edges > self.paid {
            if !pay(((edges - self.paid) * size_of::<u64>()) as u64) {
                return false;
            }
            self.paid = edges;
            self.of_edges.reserve_exact(edges - self.of_edges.len());
        }
        self.of_edges.resize(edges, 0);
        true
    }
}
