//! The laws of a game that every searcher checks at each position it comes to.

use crate::error::SearchError;
use crate::game::GameState;

/// Why a search of this position has ended: as the game says, if it could not go on.
#[cold]
pub(crate) fn or_failure<G: GameState>(state: &G, error: SearchError) -> SearchError {
    state.failure().map_or(error, SearchError::Game)
}

/// The most legal moves of a position: each is numbered in 16 bits.
pub(crate) const MOST_MOVES: usize = u16::MAX as usize;

/// The side to move, if the game has it.
pub(crate) fn checked_mover<G: GameState>(state: &G) -> Result<usize, SearchError> {
    let found = state.mover();
    if found < G::PLAYERS { Ok(found) } else { Err(SearchError::of_mover(state)) }
}

/// Checks that a position where the game goes on has at least one move and at most [`MOST_MOVES`].
pub(crate) fn check_moves<G: GameState>(state: &G, moves: &[G::Move]) -> Result<(), SearchError> {
    match moves.len() {
        1..=MOST_MOVES => Ok(()),
        found => Err(wrong_move_count(found, state.plies())),
    }
}

/// The error for a position after `plies` plies where the game goes on with `found` moves.
#[cold]
pub(crate) fn wrong_move_count(found: usize, plies: u32) -> SearchError {
    match found {
        0 => SearchError::NoMoves { plies },
        _ => SearchError::TooManyMoves { found, plies },
    }
}
