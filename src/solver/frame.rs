//! A position under search: its moves, where they lead, and what is left to do for each.

use crate::game::GameState;

use super::facts::{Fact, Place};

/// A move of a position under search, and where it leads.
pub(super) struct Child<G: GameState> {
    pub(super) state: G,
    pub(super) place: Place,
    /// The number of the move among the moves to solve.
    pub(super) mv: u16,
    pub(super) promise: i32,
    /// Whether the same side is to move.
    pub(super) same: bool,
}

/// The children of a position on the line, and room for its moves. Kept for the next position at
/// the same ply.
pub(super) struct Frame<G: GameState> {
    pub(super) moves: Vec<G::Move>,
    pub(super) children: Vec<Child<G>>,
    /// Those that another worker has in hand.
    pub(super) put_off: Vec<usize>,
    /// What this worker has found of each child by proof numbers, and the number of its worth if
    /// that is decided.
    pub(super) found: Vec<Option<(Numbers, i32)>>,
}

impl<G: GameState> Default for Frame<G> {
    fn default() -> Self {
        Self { moves: Vec::new(), children: Vec::new(), put_off: Vec::new(), found: Vec::new() }
    }
}

impl<G: GameState> Frame<G> {
    /// Puts a child before the others. Not inlined: it has a position on the stack.
    #[inline(never)]
    pub(super) fn put_first(&mut self, at: usize) {
        self.children[..=at].rotate_right(1);
    }
}

/// A position on the line and what is asked about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) place: Place,
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

/// What is left to do for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) prove: u32,
    pub(super) disprove: u32,
}

/// Not to be done.
pub(super) const NEVER: u32 = 1 << 21;

impl Numbers {
    pub(super) const PROVEN: Self = Self { prove: 0, disprove: NEVER };
    pub(super) const DISPROVEN: Self = Self { prove: NEVER, disprove: 0 };
    /// Of a position that no worker has looked at.
    pub(super) const NEW: Self = Self { prove: 1, disprove: 1 };

    /// For the other side, that it does not get one point more than the rest.
    pub(super) fn turned(self) -> Self {
        Self { prove: self.disprove, disprove: self.prove }
    }

    pub(super) fn of(fact: Fact) -> Self {
        Self { prove: fact.least as u32, disprove: fact.most as u32 }
    }

    pub(super) fn is_decided(self) -> bool {
        self.prove == 0 || self.disprove == 0
    }
}
