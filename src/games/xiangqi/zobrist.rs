//! Random numbers for pieces on points (Zobrist 1970): their sum without carry names a position.

use crate::games::xiangqi::squares::SQUARES;

/// The next number of the sequence (splitmix64: Steele, Lea and Flood 2014).
const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// By side, code of the kind and point.
pub(super) const ZOBRIST: [[[u64; SQUARES]; 8]; 2] = {
    let mut table = [[[0; SQUARES]; 8]; 2];
    let mut state = 1;
    let mut side = 0;
    while side < 2 {
        let mut code = 1;
        while code < 8 {
            let mut square = 0;
            while square < SQUARES {
                table[side][code][square] = next(&mut state);
                square += 1;
            }
            code += 1;
        }
        side += 1;
    }
    table
};

/// For Black to move.
pub(super) const BLACK_TO_MOVE: u64 = next(&mut 2);
