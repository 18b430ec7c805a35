//! What a solver knows of Connect Four without a search: the ends of the game three plies ahead,
//! what can still be won, mirrored boards, and which columns to try first.
//!
//! Which columns lose at once, and that the squares on which a move would win tell its promise, is
//! after Pons, *Solving Connect 4: how to build a perfect AI*, parts 9 and 10
//! (blog.gamesolver.org).

use crate::game::GameState;
use crate::solvable::{Limits, Solvable, Worth};

use super::evaluation::completions;
use super::{BOARD, Column, ConnectFour, STRIDE, WIDTH, has_four};

/// The columns from the centre to the edges.
const FROM_CENTRE: [u8; WIDTH] = [3, 2, 4, 1, 5, 0, 6];

const COLUMN: u64 = (1 << STRIDE) - 1;

impl ConnectFour {
    /// The landing squares after which the other side does not win at once. Where the side to move
    /// wins at once itself, they need not hold that square.
    #[inline]
    fn safe_landings(&self) -> u64 {
        let theirs = completions(self.own ^ self.all) & !self.all;
        let landings = self.landings();
        let now = theirs & landings;
        // One threat is to be answered, two cannot be.
        let open = match now.count_ones() {
            0 => landings,
            1 => now,
            _ => 0,
        };
        // Nor may a stone raise the other side to a square that wins.
        open & !(theirs >> 1)
    }
}

/// The key of the mirrored board. A column's seven bits carry into no other column, so they are
/// moved as they are.
#[inline]
fn mirrored(key: u64) -> u64 {
    let mut mirrored = 0;
    for column in 0..WIDTH {
        mirrored |= (key >> (STRIDE * column) & COLUMN) << (STRIDE * (WIDTH - 1 - column));
    }
    mirrored
}

impl Solvable for ConnectFour {
    /// A win in 1 or a loss in 2 plies is exact. Otherwise the next ends of the game are a win in 3
    /// and a loss in 4, if so many squares are free, and if a line of four without a stone of the
    /// other side is left.
    #[inline]
    fn limits(&self) -> Limits {
        let theirs = self.own ^ self.all;
        if completions(self.own) & self.landings() != 0 {
            return Limits::exactly(Worth { points: 1, plies: 1 });
        }
        let free = (BOARD & !self.all).count_ones();
        if self.safe_landings() == 0 {
            return Limits::exactly(Worth { points: -1, plies: 2 });
        }
        let can_lose = free >= 4 && has_four(BOARD & !self.own);
        let can_win = free >= 3 && has_four(BOARD & !theirs);
        Limits {
            least: if can_lose { Worth { points: -1, plies: 4 } } else { Worth::DRAW },
            most: if can_win { Worth { points: 1, plies: 3 } } else { Worth::DRAW },
        }
    }

    #[inline]
    fn canonical_key(&self) -> u64 {
        let key = self.key();
        key.min(mirrored(key))
    }

    /// The columns after which the other side does not win at once, or all of them if there is
    /// none; from the centre.
    #[inline]
    fn moves_to_solve(&self, moves: &mut Vec<Column>) {
        let landings = self.landings();
        let wins = completions(self.own) & landings;
        let safe = self.safe_landings();
        let open = match (wins, safe) {
            (0, 0) => landings,
            (0, safe) => safe,
            (wins, _) => wins,
        };
        let is_open = |column: &u8| open >> (STRIDE * usize::from(*column)) & COLUMN != 0;
        moves.extend(FROM_CENTRE.into_iter().filter(is_open).map(Column));
    }

    /// On how many empty squares the side that has moved would have four in a row.
    #[inline]
    fn promise(&self, _mv: &Column, after: &Self) -> i32 {
        let mine = after.own ^ after.all;
        (completions(mine) & !after.all).count_ones() as i32
    }
}
