//! What a client allows for a move.

use std::time::Duration;

use playtree::budget::GameClock;

/// The limits of a move, in any combination; the first one reached ends the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// Of this move, the way of the answer included.
    pub(crate) time: Option<Duration>,
    /// Of the side to move.
    pub(crate) clock: Option<GameClock>,
    /// In plies.
    pub(crate) depth: Option<u32>,
    /// Simulations, or nodes of alpha-beta.
    pub(crate) nodes: Option<u64>,
}

impl Allowance {
    /// Whether there is no limit at all.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The clock of a side with `left` on it, and with it `increment` a move or `moves` to go.
pub(crate) fn clock(left: Duration, increment: Duration, moves: u32) -> GameClock {
    if moves > 0 {
        return GameClock::MovesToGo {
            remaining: left,
            moves,
            session_time: left,
            session_moves: moves,
        };
    }
    if increment.is_zero() {
        GameClock::SuddenDeath { remaining: left }
    } else {
        GameClock::Fischer { remaining: left, increment }
    }
}
