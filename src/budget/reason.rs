//! The names of the reasons for which a search stops.

use std::fmt;

use serde::{Serialize, Serializer};

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// Nothing yet: the report was read while the search went on.
    Running,
    /// The time limit was reached.
    Time,
    /// The soft time limit was reached, and the best move was settled.
    SoftTime,
    /// The limit of simulations was reached.
    Simulations,
    /// The limit of nodes was reached.
    Nodes,
    /// The limit of bytes was reached.
    Bytes,
    /// The engine's memory limit has no room for the position to be searched, or for all of its
    /// moves: nothing was searched.
    Memory,
    /// The limit of depth was reached.
    Depth,
    /// The stop token was set.
    Stopped,
    /// The value of the root is proven: nothing is left to search.
    Proven,
    /// The root has one legal move.
    OnlyMove,
    /// The best move has been the same for long enough.
    Settled,
    /// The tree has stopped growing, or all but so, and the budget has no other limit than one that
    /// waits for it to grow: nodes, bytes or depth.
    Exhausted,
    /// The second move could not, or would hardly, have overtaken the best one.
    CannotBeOvertaken,
    /// A rule of the user's own, by its name.
    Other(&'static str),
}

impl StopReason {
    /// The reason as one lower-case word (with `_` inside), as the command line prints it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            StopReason::Running => "running",
            StopReason::Time => "time",
            StopReason::SoftTime => "soft_time",
            StopReason::Simulations => "simulations",
            StopReason::Nodes => "nodes",
            StopReason::Bytes => "bytes",
            StopReason::Memory => "memory",
            StopReason::Depth => "depth",
            StopReason::Stopped => "stopped",
            StopReason::Proven => "proven",
            StopReason::OnlyMove => "only_move",
            StopReason::Settled => "settled",
            StopReason::Exhausted => "exhausted",
            StopReason::CannotBeOvertaken => "cannot_be_overtaken",
            StopReason::Other(name) => name,
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// As [`as_str`](StopReason::as_str) says.
impl Serialize for StopReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
