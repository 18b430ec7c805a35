//! Whether nothing comes again that the game says cannot.

use std::collections::HashMap;

use crate::game::GameState;
use crate::testing::{Law, LawBroken, Place};

/// The positions of a random game, by what they are compared by for the rule of repetition.
#[derive(Debug)]
pub(super) struct Line<G: GameState> {
    /// The ply at which each was there last.
    plies: HashMap<G::Key, u32>,
}

impl<G: GameState> Line<G> {
    pub(super) fn new() -> Self {
        Self { plies: HashMap::new() }
    }

    /// Takes the next position of a game, or the first one of another.
    pub(super) fn check(&mut self, state: &G, place: Place) -> Result<(), LawBroken> {
        if place.ply == 0 {
            self.plies.clear();
        }
        let key = state.repetition_key().unwrap_or_else(|| state.key());
        let Some(last) = self.plies.insert(key, place.ply) else { return Ok(()) };
        let (back, found) = (place.ply - last, state.reversible_plies());
        if back <= found {
            return Ok(());
        }
        let expected = format!("{back} plies or more, after which the position has come again");
        Err(place.broken(Law::ReversiblePlies, expected, found))
    }
}
