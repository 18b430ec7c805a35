//! A game whose positions are plain data.

use serde::{Deserialize, Serialize};

use crate::game::{GameState, Notation, NotationError, Outcome};
use crate::solvable::Solvable;

/// A pile: take one or two; the player who takes the last one wins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Pile {
    pub(super) left: u32,
    pub(super) plies: u32,
}

impl GameState for Pile {
    type Key = (u32, usize);
    type Move = u32;

    fn key(&self) -> Self::Key {
        (self.left, self.mover())
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=self.left.min(2));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::Win(1 - self.mover()))
    }

    fn apply(&self, take: &u32) -> Self {
        Self { left: self.left - take, plies: self.plies + 1 }
    }
}

impl Solvable for Pile {}

impl Notation for Pile {
    fn position_text(&self) -> String {
        self.left.to_string()
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let refused = |_| NotationError::new("a number", text);
        Ok(Self { left: text.parse().map_err(refused)?, plies: 0 })
    }

    fn move_text(&self, mv: &u32) -> String {
        mv.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u32, NotationError> {
        let mv = text.parse().ok().filter(|mv| (1..=self.left.min(2)).contains(mv));
        mv.ok_or_else(|| NotationError::new("1 or 2", text))
    }

    fn board_text(&self) -> String {
        self.position_text()
    }
}

pub(super) const PILE: Pile = Pile { left: 4, plies: 0 };
