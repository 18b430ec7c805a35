//! The names of the reasons for which a search stops.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::sync::parking::Mutex;

/// Why a search stopped.
///
/// Serialized it is the [word](Self::as_str), and a rule of the user's own `{"other": "its_name"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    ///
    /// A name that is read from a serialized form is kept until the program ends: at most 1 024
    /// different ones, of at most 256 bytes each; what is beyond is an error.
    Other(#[serde(deserialize_with = "kept_name")] RuleName),
}

/// Under a name of its own, so that serde does not take it for a borrow of what is read.
type RuleName = &'static str;

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

/// The most names of rules that are kept, and the most bytes of one.
const NAMES_LIMIT: usize = 1_024;
const NAME_BYTES_LIMIT: usize = 256;

/// The names of rules that were read so far, each once.
static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

/// A name for the rest of the program. What comes from outside takes no more memory than the limits
/// allow, however often it comes.
fn kept_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    let name = String::deserialize(deserializer)?;
    if name.len() > NAME_BYTES_LIMIT {
        let found = name.len();
        return Err(D::Error::custom(format!(
            "expected the name of a rule of at most {NAME_BYTES_LIMIT} bytes, found {found} bytes"
        )));
    }
    let mut names = NAMES.lock();
    if let Some(known) = names.iter().find(|known| **known == name) {
        return Ok(known);
    }
    if names.len() == NAMES_LIMIT {
        return Err(D::Error::custom(format!(
            "expected at most {NAMES_LIMIT} different names of rules, found one more: {name:?}"
        )));
    }
    let name: &'static str = name.leak();
    names.push(name);
    Ok(name)
}
