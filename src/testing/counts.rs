//! Counting lines of play and positions, to compare rules with published numbers.

use std::collections::HashSet;

use crate::game::{GameState, assert_players};

/// The number of lines of exactly `depth` plies.
///
/// A game that ends earlier is not continued and not counted; one that ends with its last
/// ply at `depth` is. Every ply counts, a pass too. This is what most tables of "perft"
/// give for games that cannot end early.
#[must_use]
pub fn perft<G: GameState>(state: &G, depth: u32) -> u64 {
    count(state, depth, 0)
}

/// The number of lines that end after `depth` plies or at the end of the game, whichever
/// comes first.
///
/// With a depth that no game reaches this is the number of games.
#[must_use]
pub fn leaves<G: GameState>(state: &G, depth: u32) -> u64 {
    count(state, depth, 1)
}

/// Counts a line that ends before the depth as `early`.
fn count<G: GameState>(state: &G, depth: u32, early: u64) -> u64 {
    assert_players::<G>();
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    match depth {
        _ if moves.is_empty() => early,
        1 => moves.len() as u64,
        _ => moves.iter().map(|mv| count(&state.apply(mv), depth - 1, early)).sum(),
    }
}

/// The number of positions with different keys that can be reached, `state` and the ends
/// of games included. All are held in memory: for small games only.
#[must_use]
pub fn positions<G: GameState>(state: &G) -> u64 {
    assert_players::<G>();
    let mut seen = HashSet::from([state.key()]);
    let mut open = vec![state.clone()];
    let mut moves = Vec::new();
    while let Some(state) = open.pop() {
        moves.clear();
        state.moves(&mut moves);
        let next = moves.iter().map(|mv| state.apply(mv));
        open.extend(next.filter(|next| seen.insert(next.key())));
    }
    seen.len() as u64
}
