//! What the solver knows of Othello.

use crate::game::Outcome;
use crate::games::othello::ending::{Ending, difference, odd_quarters};
use crate::games::othello::lines::{around, corners, images};
use crate::games::othello::{OthelloBoard, Placement};
use crate::solvable::Solvable;

/// With at most this number of empty squares the game is searched to its end without a table. The
/// time of a solution hardly depends on it from 5 to 8.
const FEW: u32 = 7;

/// With at most this number of empty squares other searches may ask for an exact solution.
const ENDGAME: u32 = 10;

/// The points are the final difference in discs, with the empty squares for the winner.
impl<const SIZE: usize> Solvable for OthelloBoard<SIZE> {
    const MAX_POINTS: i32 = (SIZE * SIZE) as i32;
    const COUNTS_PLIES: bool = false;

    #[inline]
    fn points(&self, _outcome: &Outcome, player: usize) -> i32 {
        let points = difference::<SIZE>(self.own, self.other);
        if player == usize::from(self.mover) { points } else { -points }
    }

    #[inline]
    fn points_at_once(&self, alpha: i32, beta: i32) -> Option<i32> {
        let ending = Ending::<SIZE>::new(self.own, self.other);
        let left = ending.left();
        (left <= FEW).then(|| ending.search(left, alpha, beta))
    }

    /// The same for both colours, and while half of the board is empty for all eight ways to look
    /// at it: later on few positions meet another one's image.
    #[inline]
    fn canonical_key(&self) -> [u64; 2] {
        let taken = self.own | self.other;
        if taken.count_ones() as usize > Self::SQUARES / 2 {
            return [taken, self.own];
        }
        let (taken, own) = (images::<SIZE>(taken), images::<SIZE>(self.own));
        std::iter::zip(taken, own)
            .fold([u64::MAX; 2], |least, (taken, own)| least.min([taken, own]))
    }

    /// What leaves the other side few answers, and no corner, comes first (fastest first), and few
    /// squares to come by answers later; a corner, and the last move of a region, are good to have.
    #[inline]
    fn promise(&self, mv: &Placement, after: &Self) -> i32 {
        let Some(square) = mv.square() else { return 0 };
        let corner = const { corners(SIZE) };
        let odd = odd_quarters::<SIZE>(Self::BOARD & !(self.own | self.other));
        let later = around(after.other) & Self::BOARD & !(after.own | after.other);
        let answers = after.legal.count_ones() + (after.legal & corner).count_ones();
        let mut promise = -((4 * answers + later.count_ones()) as i32);
        promise += if corner >> square & 1 == 1 { 4 } else { 0 };
        promise += if odd >> square & 1 == 1 { 2 } else { 0 };
        promise
    }

    /// At most ten squares are empty.
    #[inline]
    fn is_endgame(&self) -> bool {
        (Self::BOARD & !(self.own | self.other)).count_ones() <= ENDGAME
    }
}
