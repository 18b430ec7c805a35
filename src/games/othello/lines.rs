//! The lines of Othello: where a disc can be placed, and what it turns over.

/// Columns b to g: a line that runs sideways cannot pass through another column's edge.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// All columns but a, and all but h: what a step sideways has not brought round the border.
pub(super) const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
pub(super) const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The discs, and the eight squares around each.
#[inline(always)]
pub(super) const fn around(discs: u64) -> u64 {
    let level = discs | discs << 1 & NOT_A | discs >> 1 & NOT_H;
    level | level << 8 | level >> 8
}

/// The four corners of a board: a1, h1, a8, h8 on eight by eight.
pub(super) const fn corners(size: usize) -> u64 {
    let row = 1 << (size - 1) | 1;
    row << (8 * (size - 1)) | row
}

/// A board as it looks from all sides: turned and mirrored, itself first.
#[inline]
pub(super) fn images<const SIZE: usize>(board: u64) -> [u64; 8] {
    let unused = const { 8 - SIZE as u32 };
    let upside_down = |board: u64| board.swap_bytes() >> (8 * unused);
    let mirrored = |board: u64| upside_down(board.reverse_bits() >> (9 * unused));
    let turns = |board| {
        let other = upside_down(board);
        [board, other, mirrored(board), mirrored(other)]
    };
    let [a, b, c, d] = turns(board);
    let [e, f, g, h] = turns(transposed(board));
    [a, b, c, d, e, f, g, h]
}

/// Rows become columns. Squares of the upper right of each block of two, four and eight rows change
/// places with those of its lower left (Warren, *Hacker's Delight*, 7-3).
#[inline]
fn transposed(board: u64) -> u64 {
    let swap = |board: u64, squares: u64, by: u32| {
        let changed = (board ^ board >> by) & squares;
        board ^ changed ^ changed << by
    };
    let board = swap(board, 0x00aa_00aa_00aa_00aa, 7);
    let board = swap(board, 0x0000_cccc_0000_cccc, 14);
    swap(board, 0x0000_0000_f0f0_f0f0, 28)
}

/// The discs of `inner` that a chain of them joins to one of `from`, `step` bits apart: upwards and
/// downwards.
///
/// They are followed by doubling (Kogge and Stone 1973): one step, then two more, then two more
/// reach all six.
#[inline(always)]
fn chains(from: u64, inner: u64, step: u32) -> (u64, u64) {
    let mut up = from << step & inner;
    let mut down = from >> step & inner;
    up |= up << step & inner;
    down |= down >> step & inner;
    let pairs_up = inner & inner << step;
    let pairs_down = pairs_up >> step;
    up |= up << (2 * step) & pairs_up;
    down |= down >> (2 * step) & pairs_down;
    up |= up << (2 * step) & pairs_up;
    down |= down >> (2 * step) & pairs_down;
    (up, down)
}

/// What `line` gives in each of the four directions, all together. `line` gets the step, and the
/// discs of `other` that can be passed on the way.
#[inline(always)]
fn in_each_direction(other: u64, line: impl Fn(u32, u64) -> u64) -> u64 {
    let inner = other & INNER;
    line(1, inner) | line(7, inner) | line(8, other) | line(9, inner)
}

/// The squares where `own` can place a disc: behind the discs of `other` next to its own.
#[inline(always)]
pub(super) fn mobility(own: u64, other: u64) -> u64 {
    let behind = in_each_direction(other, |step, inner| {
        let (up, down) = chains(own, inner, step);
        up << step | down >> step
    });
    behind & !(own | other)
}

/// The discs of `other` that a disc of `own` on the square of `bit` turns over, as [`flips`]: those
/// that a chain joins to it and, the other way, to one of `own`. Without a jump or a table.
#[inline(always)]
pub(super) fn flips_of(bit: u64, own: u64, other: u64) -> u64 {
    in_each_direction(other, |step, inner| {
        let (up, down) = chains(bit, inner, step);
        let (from_below, from_above) = chains(own, inner, step);
        up & from_above | down & from_below
    })
}

/// The squares on the four lines through a square: those above it in bit order and those
/// below it.
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

static RAYS: [Rays; 64] = {
    const NONE: Rays = Rays { up: [0; 4], down: [0; 4] };
    let mut rays = [NONE; 64];
    let mut square = 0;
    while square < 64 {
        // East, south-west, south, south-east go up in bit order.
        let (columns, rows) = ([1, -1, 0, 1], [0, 1, 1, 1]);
        let mut line = 0;
        while line < 4 {
            let mut sign = 1;
            while sign >= -1 {
                let mut column = square as i32 % 8 + sign * columns[line];
                let mut row = square as i32 / 8 + sign * rows[line];
                while column >= 0 && column < 8 && row >= 0 && row < 8 {
                    let bit = 1 << (8 * row + column);
                    if sign > 0 {
                        rays[square].up[line] |= bit;
                    } else {
                        rays[square].down[line] |= bit;
                    }
                    column += sign * columns[line];
                    row += sign * rows[line];
                }
                sign -= 2;
            }
            line += 1;
        }
        square += 1;
    }
    rays
};

/// The discs of `other` that a disc of `own` on `square` turns over.
///
/// Upwards a carry runs along the ray over the other side's discs and stops at the first
/// square that is not one; downwards the highest such square is looked for. If that
/// square is `own`, what lies between is turned over.
#[inline]
pub(super) fn flips(square: usize, own: u64, other: u64) -> u64 {
    let rays = &RAYS[square & 63];
    let mut turned = 0;
    for line in 0..4 {
        let ray = rays.up[line];
        let end = (other | !ray).wrapping_add(1) & ray & own;
        turned |= end.wrapping_sub(u64::from(end != 0)) & ray;

        let ray = rays.down[line];
        // The lowest bit keeps the count of zeros below 64; it cannot pass for an end, as
        // it is either off the ray or one of `other`.
        let highest = 1 << 63 >> ((ray & !other) | 1).leading_zeros();
        let end = highest & ray & own;
        turned |= (end.wrapping_neg() << 1) & ray;
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::{flips, flips_of, images, mobility};
    use crate::rng::Rng;

    #[test]
    fn images_are_the_boards_seen_from_all_sides() {
        fn check<const SIZE: usize>(rng: &mut Rng) {
            let size = SIZE as u32;
            let squares = || (0..size).flat_map(|row| (0..size).map(move |column| (column, row)));
            let bit = |(column, row): (u32, u32)| 1 << (8 * row + column);
            let board = squares().map(bit).filter(|_| rng.below(2) == 0).sum::<u64>();
            let last = size - 1;
            let mut expected: [u64; 8] = std::array::from_fn(|how| {
                let there = |&(mut column, mut row): &(u32, u32)| {
                    if how & 1 != 0 {
                        column = last - column;
                    }
                    if how & 2 != 0 {
                        row = last - row;
                    }
                    if how & 4 != 0 {
                        (column, row) = (row, column);
                    }
                    board & bit((column, row)) != 0
                };
                squares().filter(there).map(bit).sum()
            });
            let mut found = images::<SIZE>(board);
            assert_eq!(found[0], board);
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{board:#x}");
        }
        let mut rng = Rng::from_seed(1);
        for _ in 0..200 {
            check::<4>(&mut rng);
            check::<6>(&mut rng);
            check::<8>(&mut rng);
        }
    }

    /// Walks the eight directions square by square.
    fn slow_flips(square: usize, own: u64, other: u64) -> u64 {
        let mut turned = 0;
        for (dc, dr) in [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)] {
            let (mut c, mut r) = (square as i32 % 8 + dc, square as i32 / 8 + dr);
            let mut line = 0;
            while (0..8).contains(&c) && (0..8).contains(&r) {
                let bit = 1 << (8 * r + c);
                if own & bit != 0 {
                    turned |= line;
                }
                if other & bit == 0 {
                    break;
                }
                line |= bit;
                (c, r) = (c + dc, r + dr);
            }
        }
        turned
    }

    #[test]
    fn agrees_with_a_walk_on_random_boards() {
        let mut rng = Rng::from_seed(1);
        for density in 0..4000 {
            let mut taken = rng.next_u64();
            for _ in 0..density % 3 {
                taken |= rng.next_u64();
            }
            let colour = rng.next_u64();
            let (own, other) = (taken & colour, taken & !colour);
            let mut legal = 0;
            for square in (0..64).filter(|square| taken >> square & 1 == 0) {
                let turned = slow_flips(square, own, other);
                assert_eq!(flips(square, own, other), turned, "{own:#x} {other:#x} {square}");
                assert_eq!(flips_of(1 << square, own, other), turned, "{own:#x} {other:#x}");
                legal |= u64::from(turned != 0) << square;
            }
            assert_eq!(mobility(own, other), legal, "{own:#x} {other:#x}");
        }
    }
}
