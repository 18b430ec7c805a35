//! The swap of Hex as GTP and HexGui know it.

use playtree_session::Game;

/// The move as the game writes it.
const SWAP: &str = "swap";
/// As clients and programs for Hex write it over GTP and in game records: the second player takes
/// the stone over, not the first player's side.
const SWAP_PIECES: &str = "swap-pieces";

/// Whether a text is the move that takes the first stone over.
pub(crate) fn is_swap(text: &str) -> bool {
    let text = text.trim();
    [SWAP, SWAP_PIECES].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// A move of a game as GTP writes it.
pub(crate) fn vertex(game: Game, text: &str) -> &str {
    if game.name() == "hex" && text == SWAP { SWAP_PIECES } else { text }
}
