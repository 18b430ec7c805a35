//! Sets of Hex cells: masks of a board and whether stones join two sides.

use crate::games::bits::{down, each_word, up};
use crate::games::hex::MAX_SIZE;

/// The masks of one board size.
pub(super) struct Shape<const WORDS: usize> {
    /// Every cell.
    pub(super) full: [u64; WORDS],
    /// The top and bottom rows, and the left and right columns: where the chain of the
    /// first and of the second player begins and ends.
    sides: [[[u64; WORDS]; 2]; 2],
}

impl<const WORDS: usize> Shape<WORDS> {
    /// By size; sizes that do not fit are empty.
    const ALL: [Self; MAX_SIZE + 1] = {
        let mut all =
            [const { Self { full: [0; WORDS], sides: [[[0; WORDS]; 2]; 2] } }; MAX_SIZE + 1];
        let mut size = 1;
        // The top five bits of the last word stay free for the size.
        while size <= MAX_SIZE && size * size <= 64 * WORDS - 5 {
            let mut cell = 0;
            while cell < size * size {
                let (word, bit) = (cell / 64, 1 << (cell % 64));
                let (row, column) = (cell / size, cell % size);
                let shape = &mut all[size];
                shape.full[word] |= bit;
                if row == 0 {
                    shape.sides[0][0][word] |= bit;
                }
                if row == size - 1 {
                    shape.sides[0][1][word] |= bit;
                }
                if column == 0 {
                    shape.sides[1][0][word] |= bit;
                }
                if column == size - 1 {
                    shape.sides[1][1][word] |= bit;
                }
                cell += 1;
            }
            size += 1;
        }
        all
    };

    #[inline]
    pub(super) fn of(size: usize) -> &'static Self {
        let all = const { &Self::ALL };
        &all[size]
    }
}

/// The number of cells in the set.
#[inline]
pub(super) fn count<const WORDS: usize>(cells: &[u64; WORDS]) -> usize {
    cells.iter().map(|word| word.count_ones() as usize).sum()
}

#[inline]
fn zip<const WORDS: usize>(
    a: [u64; WORDS],
    b: [u64; WORDS],
    f: impl Fn(u64, u64) -> u64,
) -> [u64; WORDS] {
    each_word(|i| f(a[i], b[i]))
}

/// Whether `stones` join the two sides of `player` on a board of `size`.
///
/// Floods from the first side: the cells reached grow by all their neighbours among the
/// stones until they touch the other side or grow no more.
#[inline]
pub(super) fn reaches<const WORDS: usize>(
    size: usize,
    player: usize,
    stones: [u64; WORDS],
) -> bool {
    let shape = Shape::<WORDS>::of(size);
    let [start, goal] = shape.sides[player];
    let [left, right] = shape.sides[1];
    let mut reached = zip(stones, start, |s, m| s & m);
    loop {
        let to_left = down(&zip(reached, left, |r, m| r & !m), 1);
        let to_right = up(&zip(reached, right, |r, m| r & !m), 1);
        let below = up(&zip(reached, to_left, |r, t| r | t), size);
        let above = down(&zip(reached, to_right, |r, t| r | t), size);
        let mut grown = reached;
        for step in [to_left, to_right, below, above] {
            grown = zip(grown, step, |g, s| g | s);
        }
        grown = zip(grown, stones, |g, s| g & s);
        if zip(grown, goal, |g, m| g & m) != [0; WORDS] {
            return true;
        }
        if grown == reached {
            return false;
        }
        reached = grown;
    }
}
