//! The board of ninety points as bits of a `u128`.
//!
//! The point in file `f` (0 to 8, `a` to `i` from Red's left) and rank `r` (0 to 9 from Red's
//! side) is number `9 r + f`.

/// Files of the board.
pub(super) const FILES: usize = 9;

/// Ranks of the board.
pub(super) const RANKS: usize = 10;

/// Points of the board.
pub(super) const SQUARES: usize = FILES * RANKS;

/// Every point.
pub(super) const BOARD: u128 = (1 << SQUARES) - 1;

/// The points of Red's half, and of Black's.
pub(super) const HALVES: [u128; 2] =
    [(1 << (SQUARES / 2)) - 1, BOARD & !((1 << (SQUARES / 2)) - 1)];

/// The lowest rank.
pub(super) const RANK: u128 = (1 << FILES) - 1;

/// The point as a set. A look into a table is a third of the instructions of a shift.
#[inline]
pub(super) const fn bit(square: usize) -> u128 {
    const BITS: &[u128; SQUARES] = &{
        let mut bits = [0; SQUARES];
        let mut square = 0;
        while square < SQUARES {
            bits[square] = 1 << square;
            square += 1;
        }
        bits
    };
    BITS[square]
}

/// The file of a point, 0 to 8.
#[inline]
pub(super) const fn file(square: usize) -> usize {
    square % FILES
}

/// The rank of a point, 0 to 9.
#[inline]
pub(super) const fn rank(square: usize) -> usize {
    square / FILES
}

/// The points of a set, lowest first.
#[inline]
pub(super) fn ones(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as usize;
            set &= set - 1;
            square
        })
    })
}

/// The lowest point of a set that is not empty.
#[inline]
pub(super) fn first(set: u128) -> usize {
    debug_assert!(set != 0);
    set.trailing_zeros() as usize
}

/// Whether a set has exactly one point.
#[inline]
pub(super) fn is_one(set: u128) -> bool {
    set != 0 && set & (set - 1) == 0
}

/// Whether a set has exactly two points.
#[inline]
pub(super) fn is_two(set: u128) -> bool {
    set != 0 && is_one(set & (set - 1))
}

/// The points strictly between two points of one line.
#[inline]
pub(super) fn between(a: usize, b: usize) -> u128 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    // 2^high - 2^(low + 1) has the bits from low + 1 to high - 1.
    let span = bit(high) - (bit(low) << 1);
    if rank(low) == rank(high) { span } else { span & FILE_SETS[file(low)] }
}

/// The points of each file.
pub(super) const FILE_SETS: [u128; FILES] = {
    let mut sets = [0; FILES];
    let mut square = 0;
    while square < SQUARES {
        sets[file(square)] |= bit(square);
        square += 1;
    }
    sets
};

/// The rank and the file of each point, without the point.
pub(super) static LINES: [u128; SQUARES] = {
    let mut lines = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        lines[square] = (FILE_SETS[file(square)] | RANK << (FILES * rank(square))) & !bit(square);
        square += 1;
    }
    lines
};

/// The palaces of both sides.
pub(super) const PALACES: u128 = {
    let rows = 0o70 | 0o70 << FILES | 0o70 << (2 * FILES);
    rows | rows << (7 * FILES)
};

/// The point `files` and `ranks` away, if it is on the board and in `within`.
pub(super) const fn step(square: usize, files: isize, ranks: isize, within: u128) -> u128 {
    let file = file(square) as isize + files;
    let rank = rank(square) as isize + ranks;
    if file < 0 || file >= FILES as isize || rank < 0 || rank >= RANKS as isize {
        return 0;
    }
    bit((rank * FILES as isize + file) as usize) & within
}

/// The half of the board that holds the point.
pub(super) const fn half(square: usize) -> u128 {
    if rank(square) < RANKS / 2 { HALVES[0] } else { HALVES[1] }
}

/// The five points of each palace where an advisor can stand.
pub(super) const ADVISOR_POINTS: u128 = {
    let rows = 0o50 | 0o20 << FILES | 0o50 << (2 * FILES);
    rows | rows << (7 * FILES)
};

/// The seven points of each half where an elephant can stand.
pub(super) const ELEPHANT_POINTS: u128 = {
    let edge = 1 << 2 | 1 << 6;
    let rows = edge | (1 | 1 << 4 | 1 << 8) << (2 * FILES) | edge << (4 * FILES);
    rows | rows << (5 * FILES)
};

/// Where the soldiers of Red and of Black can stand: the point of the start and the one before
/// it on every second file, and the other half.
pub(super) const SOLDIER_POINTS: [u128; 2] = {
    let files = 1 | 1 << 2 | 1 << 4 | 1 << 6 | 1 << 8;
    let rows = files | files << FILES;
    [rows << (3 * FILES) | HALVES[1], rows << (5 * FILES) | HALVES[0]]
};
