//! Random openings, the same for the two games of a pair.

use playtree::game::random_move;
use playtree::{GameState, Rng};

use crate::rollouts::mixed;

/// Plies of a random opening.
pub(crate) const PLIES: usize = 2;

/// A position after random moves from `start`; `pair` is the number of the pair of games.
pub(crate) fn opening<G: GameState>(start: &G, seed: u64, pair: usize) -> G {
    opening_of(PLIES, start, seed, pair)
}

/// The same after `plies` moves, fewer if the game ends before.
pub(crate) fn opening_of<G: GameState>(plies: usize, start: &G, seed: u64, pair: usize) -> G {
    let mut rng = Rng::from_seed(mixed(!seed, pair as u64));
    let mut buffer = Vec::new();
    let mut state = start.clone();
    for _ in 0..plies {
        if let Some(mv) = random_move(&state, &mut rng, &mut buffer) {
            state.apply_in_place(&mv);
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use playtree::GameState;
    use playtree::games::ConnectFour;

    use super::opening;

    #[test]
    fn a_pair_shares_its_opening() {
        let key = |pair| opening(&ConnectFour::new(), 7, pair).key();
        assert_eq!(key(0), key(0));
        assert!((1..20).any(|pair| key(pair) != key(0)));
    }
}
