//! Where each kind of piece can step, over the pieces on the board.

use crate::games::xiangqi::squares::{
    ADVISOR_POINTS, BOARD, ELEPHANT_POINTS, FILES, PALACES, RANK, RANKS, SQUARES, bit, file, half,
    ones, rank, step,
};

/// The lowest five points of the first file: one in each rank of a half.
const HALF_FILE: u64 = 0x10_0804_0201;

/// Five bytes of one each: multiplied by it, bit `9 i` and bit `i` find each other.
const FIVE_BYTES: u64 = 0x01_0101_0101;

/// The points of `occupied` on one file: bit `r` is the point in rank `r`.
#[inline]
pub(super) fn file_of(occupied: u128, file: usize) -> u32 {
    // In each half, bit 9 i of the file times 2^(8 (4 - i)) is bit 32 + i of the product, and
    // no two products of this kind share a bit.
    let half =
        |half: u64| ((half >> file & HALF_FILE).wrapping_mul(FIVE_BYTES) >> 32 & 0x1f) as u32;
    half(occupied as u64) | half((occupied >> (SQUARES / 2)) as u64) << 5
}

/// The points of `occupied` on one rank: bit `f` is the point in file `f`.
#[inline]
pub(super) fn rank_of(occupied: u128, rank: usize) -> u32 {
    (occupied >> (FILES * rank)) as u32 & RANK as u32
}

/// The set of points that [`file_of`] reads as `line`.
#[inline]
fn on_file(line: u32, file: usize) -> u128 {
    // Bit i times 2^(8 i) is bit 9 i.
    let half = |line: u32| u64::from(line & 0x1f).wrapping_mul(FIVE_BYTES) & HALF_FILE;
    (u128::from(half(line)) | u128::from(half(line >> 5)) << (SQUARES / 2)) << file
}

/// The places that a rook at `at` reaches on a line, the first piece on each side included; on a
/// rank those beyond its end have to be left out.
#[inline]
fn slide(line: u32, at: usize) -> u32 {
    // The ends of a line are reached whether or not a piece is there.
    u32::from(SLIDES[at][line as usize >> 1 & (INNER - 1)])
}

/// Ways to occupy a line but for its ends.
const INNER: usize = 1 << (RANKS - 2);

/// [`slide`] by place and line without its ends. Small, as it shares the nearest cache with all
/// else that a search needs.
static SLIDES: [[u16; INNER]; RANKS] = {
    let mut table = [[0; INNER]; RANKS];
    let mut at = 0;
    while at < RANKS {
        let mut inner = 0;
        while inner < INNER {
            let line = (inner as u32) << 1;
            let above = (!1u32 << at) & ((1 << RANKS) - 1);
            let below = (1u32 << at) - 1;
            let up = line & above;
            // Everything up to the lowest piece above, or all if there is none.
            let upward = (up ^ up.wrapping_sub(1)) & above;
            // Everything from the highest piece below on.
            let down = line & below | 1;
            let downward = below & (u32::MAX << (31 - down.leading_zeros()));
            table[at][inner] = (upward | downward) as u16;
            inner += 1;
        }
        at += 1;
    }
    table
};

/// The second piece on each side of `at`: where a cannon captures.
#[inline]
fn leap(line: u32, at: usize) -> u32 {
    let up = line & (!1u32 << at);
    let up = up & up.wrapping_sub(1);
    let upward = up & up.wrapping_neg();
    let down = line & ((1u32 << at) - 1);
    let highest = |line: u32| if line == 0 { 0 } else { 1u32 << (31 - line.leading_zeros()) };
    upward | highest(down ^ highest(down))
}

/// The points that a rook reaches, the first piece in each direction included.
#[inline]
pub(super) fn rook_reach(square: usize, occupied: u128) -> u128 {
    let (file, rank) = (file(square), rank(square));
    let across = slide(rank_of(occupied, rank), file) & RANK as u32;
    let along = slide(file_of(occupied, file), rank);
    u128::from(across) << (FILES * rank) | on_file(along, file)
}

/// How many points a rook reaches, the first piece in each direction included.
#[inline]
pub(super) fn rook_mobility(square: usize, occupied: u128) -> i32 {
    let (file, rank) = (file(square), rank(square));
    let across = slide(rank_of(occupied, rank), file) & RANK as u32;
    let along = slide(file_of(occupied, file), rank);
    i32::from(COUNTS[across as usize & 1023]) + i32::from(COUNTS[along as usize & 1023])
}

/// How many bits each number below 1024 has.
static COUNTS: [u8; 1 << RANKS] = {
    let mut counts = [0; 1 << RANKS];
    let mut number = 1;
    while number < counts.len() {
        counts[number] = counts[number / 2] + (number & 1) as u8;
        number += 1;
    }
    counts
};

/// How many legs of a horse are free, 0 to 4.
#[inline]
pub(super) fn free_legs(square: usize, occupied: u128) -> i32 {
    // A leg outside the board is the point of the horse, which is taken.
    LEGS[square].iter().map(|&leg| i32::from(occupied & bit(usize::from(leg)) == 0)).sum()
}

/// The pieces that a cannon could capture, of either colour.
#[inline]
pub(super) fn cannon_captures(square: usize, occupied: u128) -> u128 {
    let (file, rank) = (file(square), rank(square));
    let across = leap(rank_of(occupied, rank), file);
    let along = leap(file_of(occupied, file), rank);
    u128::from(across) << (FILES * rank) | on_file(along, file)
}

/// The points that a horse reaches over the legs that are free.
#[inline]
pub(super) fn horse_reach(square: usize, occupied: u128) -> u128 {
    let mut reach = 0;
    let mut direction = 0;
    while direction < 4 {
        let leg = LEGS[square][direction] as usize;
        // A leg outside the board is the point itself, which is taken.
        if occupied & bit(leg) == 0 {
            reach |= HORSE_PAIRS[square][direction];
        }
        direction += 1;
    }
    reach
}

/// The leg of a horse on `horse` that attacks `target`.
#[inline]
pub(super) fn leg(horse: usize, target: usize) -> usize {
    // It lies aslant of the target: at 10 or 8 points' distance, as the horse does at 19 (two
    // ranks, one file) and 11, or 17 and 7.
    let distance = horse.abs_diff(target);
    let step = if distance == 19 || distance == 11 { 10 } else { 8 };
    if horse > target { target + step } else { target - step }
}

/// The points that an elephant reaches over the eyes that are free.
#[inline]
pub(super) fn elephant_reach(square: usize, occupied: u128) -> u128 {
    let mut reach = 0;
    for target in ones(ELEPHANT[square]) {
        if occupied & bit((square + target) / 2) == 0 {
            reach |= bit(target);
        }
    }
    reach
}

/// Steps by `distance` points, straight or aslant, from each of `points` to `within` and to its own
/// half.
const fn steps(distance: isize, diagonal: bool, within: u128, points: u128) -> [u128; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        if points & bit(square) != 0 {
            let within = within & half(square);
            let d = distance;
            table[square] = if diagonal {
                step(square, d, d, within)
                    | step(square, d, -d, within)
                    | step(square, -d, d, within)
                    | step(square, -d, -d, within)
            } else {
                step(square, d, 0, within)
                    | step(square, -d, 0, within)
                    | step(square, 0, d, within)
                    | step(square, 0, -d, within)
            };
        }
        square += 1;
    }
    table
}

/// Steps of a king.
pub(super) static KING: [u128; SQUARES] = steps(1, false, PALACES, PALACES);

/// Steps of an advisor.
pub(super) static ADVISOR: [u128; SQUARES] = steps(1, true, PALACES, ADVISOR_POINTS);

/// Steps of an elephant whose eyes are free.
static ELEPHANT: [u128; SQUARES] = steps(2, true, BOARD, ELEPHANT_POINTS);

/// Steps of the soldiers of Red and of Black.
pub(super) static SOLDIER: [[u128; SQUARES]; 2] = {
    let mut table = [[0; SQUARES]; 2];
    let mut square = 0;
    while square < SQUARES {
        table[0][square] = step(square, 0, 1, BOARD);
        table[1][square] = step(square, 0, -1, BOARD);
        let side = if rank(square) < RANKS / 2 { 1 } else { 0 };
        table[side][square] |= step(square, 1, 0, BOARD) | step(square, -1, 0, BOARD);
        square += 1;
    }
    table
};

/// The points from which a soldier of Red or of Black attacks each point.
pub(super) static SOLDIER_FROM: [[u128; SQUARES]; 2] = {
    let mut table = [[0; SQUARES]; 2];
    let mut side = 0;
    while side < 2 {
        let mut square = 0;
        while square < SQUARES {
            let mut target = 0;
            while target < SQUARES {
                if SOLDIER[side][square] & bit(target) != 0 {
                    table[side][target] |= bit(square);
                }
                target += 1;
            }
            square += 1;
        }
        side += 1;
    }
    table
};

/// The four directions of a horse's leg.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// The legs of a horse on each point; the point itself where there is none.
static LEGS: [[u8; 4]; SQUARES] = {
    let mut table = [[0; 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut d = 0;
        while d < 4 {
            let leg = step(square, DIRECTIONS[d].0, DIRECTIONS[d].1, BOARD);
            table[square][d] = if leg == 0 { square as u8 } else { leg.trailing_zeros() as u8 };
            d += 1;
        }
        square += 1;
    }
    table
};

/// The two points behind each leg.
static HORSE_PAIRS: [[u128; 4]; SQUARES] = {
    let mut table = [[0; 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut d = 0;
        while d < 4 {
            let (files, ranks) = DIRECTIONS[d];
            table[square][d] = step(square, 2 * files + ranks, 2 * ranks + files, BOARD)
                | step(square, 2 * files - ranks, 2 * ranks - files, BOARD);
            d += 1;
        }
        square += 1;
    }
    table
};

/// The points that a horse reaches if all legs are free, which are also those from which one
/// reaches the point.
pub(super) static HORSE: [u128; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let pairs = HORSE_PAIRS[square];
        table[square] = pairs[0] | pairs[1] | pairs[2] | pairs[3];
        square += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::{cannon_captures, horse_reach, leg, rook_reach};
    use crate::games::xiangqi::squares::{BOARD, SQUARES, bit, file, ones, rank};
    use crate::rng::Rng;

    /// The pieces met from `square` on in one direction, and the free points before the first.
    fn walk(square: usize, step: (isize, isize), occupied: u128) -> (u128, Vec<usize>) {
        let (mut at, mut free, mut met) =
            ((file(square) as isize, rank(square) as isize), 0, vec![]);
        loop {
            at = (at.0 + step.0, at.1 + step.1);
            if !(0..9).contains(&at.0) || !(0..10).contains(&at.1) {
                return (free, met);
            }
            let point = (9 * at.1 + at.0) as usize;
            if occupied & bit(point) != 0 {
                met.push(point);
            } else if met.is_empty() {
                free |= bit(point);
            }
        }
    }

    #[test]
    fn rooks_cannons_and_horses_reach_what_a_walk_finds() {
        let mut rng = Rng::from_seed(1);
        for round in 0..2_000 {
            let mut word = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            let occupied = BOARD & word() & if round % 2 == 0 { word() & word() } else { BOARD };
            let square = round % SQUARES;
            let (mut reach, mut captures) = (0, 0);
            for step in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let (free, met) = walk(square, step, occupied);
                reach |= free | met.first().map_or(0, |&point| bit(point));
                captures |= met.get(1).map_or(0, |&point| bit(point));
            }
            assert_eq!(rook_reach(square, occupied), reach, "{square} {occupied:#x}");
            assert_eq!(cannon_captures(square, occupied), captures, "{square} {occupied:#x}");
            for target in ones(horse_reach(square, occupied | bit(square))) {
                let apart =
                    (file(square).abs_diff(file(target)), rank(square).abs_diff(rank(target)));
                assert!(apart == (1, 2) || apart == (2, 1), "{square} {target}");
                let over = leg(square, target);
                assert_eq!(occupied & bit(over), 0, "{square} {target}");
                let next = (file(square).abs_diff(file(over)), rank(square).abs_diff(rank(over)));
                assert_eq!(next, (apart.0 / 2, apart.1 / 2), "{square} {target}");
            }
        }
    }
}
