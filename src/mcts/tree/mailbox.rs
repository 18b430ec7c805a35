//! The mailbox of the lock policy `Defer`: updates left for the worker that holds a node's lock.

use std::fmt;

use crate::sync::Mutex;

use super::node::NodeId;
use super::value::Value;

/// What came back through one edge, seen by the side to move at the edge's node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeUpdate {
    /// The edge's index in the arena.
    pub(crate) edge: u32,
    /// Visits that came back with a result, not 0.
    pub(crate) visits: u32,
    pub(crate) result: EdgeResult,
}

/// The result of the visits of one [`EdgeUpdate`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum EdgeResult {
    /// The child's value now, and the plies to the end if it is proven.
    Child { value: Value, distance: u32 },
    /// The sum of the scores of the visits.
    Sum(u64),
}

/// An update that was found in the way: one edge's share, or the node's own rollouts.
#[derive(Debug)]
pub(crate) struct Letter {
    pub(crate) node: NodeId,
    pub(crate) content: Content,
    /// Sums or means of the further planes.
    pub(crate) planes: Box<[u64]>,
}

#[derive(Debug)]
pub(crate) enum Content {
    Edge(EdgeUpdate),
    Own { visits: u32, sum: u64 },
}

/// Letters in boxes chosen by node: a busy node's letters do not hold up another's.
pub(crate) struct Mailbox {
    boxes: [Mutex<Vec<Letter>>; BOXES],
}

const BOXES: usize = 64;

impl Default for Mailbox {
    fn default() -> Self {
        Self { boxes: std::array::from_fn(|_| Mutex::default()) }
    }
}

impl Mailbox {
    fn letters(&self, node: NodeId) -> &Mutex<Vec<Letter>> {
        &self.boxes[node.0 as usize % BOXES]
    }

    /// Leaves letters for a node. The sender must then announce them at the node's lock.
    pub(crate) fn leave(&self, node: NodeId, letters: Vec<Letter>) {
        self.letters(node).lock().extend(letters);
    }

    /// Takes the letters of a node. The caller holds the node's lock.
    pub(crate) fn collect(&self, node: NodeId) -> Vec<Letter> {
        let mut letters = self.letters(node).lock();
        letters.extract_if(.., |letter| letter.node == node).collect()
    }

    /// Whether no letter is left. Exact when no search runs.
    pub(crate) fn is_empty(&self) -> bool {
        self.boxes.iter().all(|letters| letters.lock().is_empty())
    }
}

impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailbox").field("is_empty", &self.is_empty()).finish()
    }
}
