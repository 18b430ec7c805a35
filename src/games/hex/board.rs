//! Sets of Hex cells: masks of a board and whether stones join two sides.

use crate::games::bits::{down, each_word, up};
use crate::games::hex::MAX_SIZE;

/// The masks of one board.
pub(super) struct Shape<const WORDS: usize> {
    /// Every cell.
    pub(super) full: [u64; WORDS],
    /// The top and bottom rows, and the left and right columns: where the chain of the
    /// first and of the second player begins and ends.
    pub(super) sides: [[[u64; WORDS]; 2]; 2],
}

impl<const WORDS: usize> Shape<WORDS> {
    /// By columns, then by rows; boards that do not fit are empty.
    const ALL: [[Self; MAX_SIZE + 1]; MAX_SIZE + 1] = {
        let mut all = [const {
            [const { Self { full: [0; WORDS], sides: [[[0; WORDS]; 2]; 2] } }; MAX_SIZE + 1]
        }; MAX_SIZE + 1];
        let mut columns = 1;
        while columns <= MAX_SIZE {
            let mut rows = 1;
            // The top seven bits of the last word stay free for what else a key tells.
            while rows <= MAX_SIZE && columns * rows <= 64 * WORDS - 7 {
                all[columns][rows] = Self::new(columns, rows);
                rows += 1;
            }
            columns += 1;
        }
        all
    };

    const fn new(columns: usize, rows: usize) -> Self {
        let mut shape = Self { full: [0; WORDS], sides: [[[0; WORDS]; 2]; 2] };
        let mut cell = 0;
        while cell < columns * rows {
            let (word, bit) = (cell / 64, 1 << (cell % 64));
            let (row, column) = (cell / columns, cell % columns);
            shape.full[word] |= bit;
            if row == 0 {
                shape.sides[0][0][word] |= bit;
            }
            if row == rows - 1 {
                shape.sides[0][1][word] |= bit;
            }
            if column == 0 {
                shape.sides[1][0][word] |= bit;
            }
            if column == columns - 1 {
                shape.sides[1][1][word] |= bit;
            }
            cell += 1;
        }
        shape
    }

    #[inline]
    pub(super) fn of(columns: usize, rows: usize) -> &'static Self {
        let all = const { &Self::ALL };
        &all[columns][rows]
    }
}

/// The number of cells in the set.
#[inline]
pub(super) fn count<const WORDS: usize>(cells: &[u64; WORDS]) -> usize {
    cells.iter().map(|word| word.count_ones() as usize).sum()
}

/// The neighbours of these cells, also beyond the last row.
#[inline(always)]
pub(super) fn beside<const WORDS: usize>(
    cells: &[u64; WORDS],
    columns: usize,
    [left, right]: &[[u64; WORDS]; 2],
) -> [u64; WORDS] {
    let to_left = down(&each_word::<WORDS>(|i| cells[i] & !left[i]), 1);
    let to_right = up(&each_word::<WORDS>(|i| cells[i] & !right[i]), 1);
    let below = up(&each_word::<WORDS>(|i| cells[i] | to_left[i]), columns);
    let above = down(&each_word::<WORDS>(|i| cells[i] | to_right[i]), columns);
    each_word(|i| to_left[i] | to_right[i] | below[i] | above[i])
}

/// Whether `stones` join the two sides of `player` on a board of these columns and rows.
///
/// Floods from the first side: the cells reached grow by all their neighbours among the
/// stones until they touch the other side or grow no more.
#[inline]
pub(super) fn reaches<const WORDS: usize>(
    (columns, rows): (usize, usize),
    player: usize,
    stones: [u64; WORDS],
) -> bool {
    let shape = Shape::<WORDS>::of(columns, rows);
    let [start, goal] = shape.sides[player];
    let mut reached: [u64; WORDS] = each_word(|i| stones[i] & start[i]);
    loop {
        let near = beside(&reached, columns, &shape.sides[1]);
        let grown: [u64; WORDS] = each_word(|i| (reached[i] | near[i]) & stones[i]);
        if each_word(|i| grown[i] & goal[i]) != [0; WORDS] {
            return true;
        }
        if grown == reached {
            return false;
        }
        reached = grown;
    }
}
