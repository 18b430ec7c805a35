//! The end of a search that waits for a tree that grows no more.

use crate::sync::Mutex;

use super::{Hint, Progress, StopReason, StopRule};

/// A tree that has not grown for this many simulations for each of its nodes, and for at least this
/// number, is taken to grow no more. A position becomes a node after at most sixteen visits, so
/// while any is left that would become one it is hardly passed over for so long.
const STILL_PER_NODE: u64 = 16;
const FEWEST_STILL: u64 = 100_000;

/// The tree grows no more: for a search whose limits all wait for one that grows.
#[derive(Debug, Default)]
pub(super) struct Exhausted(Mutex<Growth>);

/// How large the tree has been, and since when it has not grown.
#[derive(Debug, Default)]
struct Growth {
    nodes: u64,
    bytes: u64,
    depth: u32,
    /// Simulations done.
    since: u64,
}

impl StopRule for Exhausted {
    fn check(&self, progress: &Progress) -> Hint {
        let Progress { nodes, bytes, depth, simulations, .. } = *progress;
        let mut last = self.0.lock();
        if nodes > last.nodes || bytes > last.bytes || depth > last.depth {
            *last = Growth {
                nodes: nodes.max(last.nodes),
                bytes: bytes.max(last.bytes),
                depth: depth.max(last.depth),
                since: simulations,
            };
        }
        let still = simulations.saturating_sub(last.since);
        let enough = FEWEST_STILL.max(last.nodes.saturating_mul(STILL_PER_NODE));
        Hint::stop_if(still >= enough, StopReason::Exhausted)
    }

    fn is_limit(&self) -> bool {
        true
    }
}
