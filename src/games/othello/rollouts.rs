//! Rollouts of Othello side by side.

use crate::game::Outcome;
use crate::game::Played;
use crate::games::lanes::{self, LANES, LaneRng, SideBySide, Words};
use crate::rng::Rng;

use super::lines::{flips_of, mobility};
use super::{OthelloBoard, candidates, count};

/// A random game from each position.
pub(super) fn play<const SIZE: usize>(
    positions: &[&OthelloBoard<SIZE>],
    rng: &mut Rng,
    outcomes: &mut [Outcome],
    played: &mut [Played],
) {
    lanes::play(Games::<SIZE>::default(), positions, rng, |games, lane, index| {
        let mover = (games.white[lane] & 1) as usize;
        outcomes[index] = count(games.own[lane], games.other[lane], mover);
        if let Some(played) = played.get_mut(index) {
            for (player, squares) in games.squares.iter().enumerate() {
                played.note_all(player, 0, squares[lane]);
            }
        }
    });
}

/// Games, at most one in each lane: a lane without a game has no discs.
#[derive(Default)]
struct Games<const SIZE: usize> {
    /// Discs of the side to move.
    own: Words,
    /// Discs of the other side.
    other: Words,
    /// Squares where the side to move can place a disc.
    legal: Words,
    /// All bits set if White is to move.
    white: Words,
    /// Squares on which each player has placed a disc since the start.
    squares: [Words; 2],
}

impl<const SIZE: usize> SideBySide<OthelloBoard<SIZE>> for Games<SIZE> {
    #[inline(always)]
    fn set_up(&mut self, lane: usize, position: &OthelloBoard<SIZE>) {
        self.own[lane] = position.own;
        self.other[lane] = position.other;
        self.legal[lane] = position.legal;
        self.white[lane] = u64::from(position.mover).wrapping_neg();
        self.squares[0][lane] = 0;
        self.squares[1][lane] = 0;
    }

    #[inline(always)]
    fn advance(&mut self, rng: &mut LaneRng) -> Words {
        let mut over = [0; LANES];
        for (lane, over) in over.iter_mut().enumerate() {
            let (own, other, white) = (self.own[lane], self.other[lane], self.white[lane]);
            // None if there is nowhere to place a disc: then the side to move passes.
            let squares = candidates::<SIZE>(self.legal[lane], own | other);
            let bit = lanes::random_bit(squares, rng.next(lane));
            self.squares[0][lane] |= bit & !white;
            self.squares[1][lane] |= bit & white;
            let turned = flips_of(bit, own, other);
            let (own, other) = (other ^ turned, own | turned | bit);
            let legal = mobility(own, other) & OthelloBoard::<SIZE>::BOARD;
            self.own[lane] = own;
            self.other[lane] = other;
            self.legal[lane] = legal;
            self.white[lane] = !white;
            let ended = bit | legal == 0 && own | other != 0;
            *over = u64::from(ended);
        }
        over
    }

    #[inline(always)]
    fn take_down(&mut self, lane: usize) {
        (self.own[lane], self.other[lane], self.legal[lane]) = (0, 0, 0);
    }
}
