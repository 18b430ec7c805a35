//! The moment from which the time of a budget runs.

use serde::{Deserialize, Serialize};

/// The moment from which the time of a [`Budget`](super::Budget) runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TimeFrom {
    /// The call of the search. So the answer is there in time, however long the search has waited;
    /// it may know little.
    #[default]
    Call,
    /// The first turn that a thread of the search has in its [`Pool`](crate::Pool): what it has
    /// waited before does not count, and what it waits between two turns does. Without a pool it is
    /// the same as the call. [`elapsed`](crate::mcts::Report::elapsed) of the report is counted
    /// from then on as well.
    FirstTurn,
}
