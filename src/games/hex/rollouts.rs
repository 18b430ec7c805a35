//! How games of Hex are played out: the board is filled, and bridges hold.

use crate::game::{GameState, Outcome, Played, RolloutPolicy};
use crate::games::bits::{each_word, random_member};
use crate::games::hex::board::{count, reaches};
use crate::games::hex::{Cell, HexBoard};
use crate::rng::Rng;

/// How a search plays the game out.
pub(super) struct HexRollouts;

impl<const WORDS: usize> RolloutPolicy<HexBoard<WORDS>> for HexRollouts {
    #[inline]
    fn next_move(&self, state: &HexBoard<WORDS>, rng: &mut Rng, _: &mut Vec<Cell>) -> Option<Cell> {
        if state.won {
            return None;
        }
        let left = state.cells_left();
        Some(Cell(random_member(&state.empty(), left, rng) as u16))
    }

    /// They see the bridges where they begin, and the moves one by one do not.
    #[inline]
    fn plays_as_moves_do(&self) -> bool {
        false
    }

    /// Fills the board. A full board has exactly one winner, who had won before it was full or
    /// not. Of the two cells of a bridge each side gets one, as if its owner had answered; the
    /// other cells are shared out at random, each way equally likely.
    #[inline]
    fn play(&self, state: &HexBoard<WORDS>, rng: &mut Rng) -> Option<Outcome> {
        if state.won {
            return state.outcome();
        }
        Some(state.winner_with(state.fill(rng)))
    }

    /// As [`play`](RolloutPolicy::play): the moves are those that fill the board.
    #[inline]
    fn play_noting(
        &self,
        state: &HexBoard<WORDS>,
        rng: &mut Rng,
        played: &mut Played,
    ) -> Option<Outcome> {
        if state.won {
            return state.outcome();
        }
        let (empty, first) = (state.empty(), state.fill(rng));
        for (word, (empty, first)) in empty.into_iter().zip(first).enumerate() {
            played.note_all(0, word, first);
            played.note_all(1, word, empty & !first);
        }
        Some(state.winner_with(first))
    }
}

impl<const WORDS: usize> HexBoard<WORDS> {
    /// Shares out the empty cells at random, of each bridge one to each side: those of the first
    /// player.
    #[inline]
    fn fill(&self, rng: &mut Rng) -> [u64; WORDS] {
        let bridges = self.bridges();
        let empty = self.empty();
        let empty: [u64; WORDS] = each_word(|i| empty[i] & !bridges.cells[i]);
        let left = self.cells_left() - count(&bridges.cells);
        // The first player's share: the side to move gets the odd cell.
        let share = (left + usize::from(self.mover() == 0)) / 2;
        // Toss a coin for each cell, then move single cells, each equally likely, until
        // the share is right: the set is uniform among those of its size throughout.
        let mut first: [u64; WORDS] = each_word(|i| empty[i] & rng.next_u64());
        let mut got = count(&first);
        while got > share {
            let cell = random_member(&first, got, rng);
            first[cell / 64] ^= 1 << (cell % 64);
            got -= 1;
        }
        while got < share {
            let rest: [u64; WORDS] = each_word(|i| empty[i] & !first[i]);
            let cell = random_member(&rest, left - got, rng);
            first[cell / 64] ^= 1 << (cell % 64);
            got += 1;
        }
        let of_bridges = bridges.shared_out(rng);
        each_word(|i| first[i] | of_bridges[i])
    }

    /// How a game ends in which the first player fills these cells and the second one the others.
    #[inline]
    fn winner_with(&self, first: [u64; WORDS]) -> Outcome {
        let first: [u64; WORDS] = each_word(|i| first[i] | self.stones[0][i]);
        Outcome::Win(usize::from(!reaches((self.columns(), self.rows()), 0, first)))
    }
}
