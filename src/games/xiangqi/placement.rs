//! What a piece is worth on each point, from a few rules: kept up to date with every move.
//!
//! In hundredths of a soldier that is worth a soldier: 100 is about one that is ready to cross
//! the river. Each value is given twice, for the middle of the game and for its end.

use crate::games::xiangqi::piece::Kind;
use crate::games::xiangqi::squares::{FILES, SQUARES, file, rank};

/// The worth of each kind by itself, by code.
pub(super) const MATERIAL: [[i16; 2]; 8] =
    [[0, 0], [0, 0], [190, 180], [190, 180], [420, 460], [80, 90], [920, 940], [460, 430]];

/// How much of the middle of the game a piece makes, by code: [`FULL_FORCE`] at the start.
const FORCE: [i16; 8] = [0, 0, 0, 0, 2, 0, 4, 2];

/// The force of all pieces at the start.
pub(super) const FULL_FORCE: i16 = 4 * (2 + 4 + 2);

/// By side, code of the kind and point: the two values, below 0 for Black, so that the sum over
/// all pieces is Red's lead; then the force, above 0 for both.
pub(super) const PLACEMENT: [[[[i16; 3]; SQUARES]; 8]; 2] = {
    let mut table = [[[[0; 3]; SQUARES]; 8]; 2];
    let mut code = 1;
    while code < 8 {
        let Some(kind) = Kind::of_code(code) else { break };
        let mut square = 0;
        while square < SQUARES {
            let place = place(kind, file(square) as i16, rank(square) as i16);
            let value = [MATERIAL[code][0] + place[0], MATERIAL[code][1] + place[1]];
            table[0][code][square] = [value[0], value[1], FORCE[code]];
            // The same point seen from the other side of the board.
            let mirrored = SQUARES - FILES - FILES * rank(square) + file(square);
            table[1][code][mirrored] = [-value[0], -value[1], FORCE[code]];
            square += 1;
        }
        code += 1;
    }
    table
};

/// What standing on a point adds for a red piece, from its file and rank.
const fn place(kind: Kind, file: i16, rank: i16) -> [i16; 2] {
    // Files from the middle one, 0 to 4.
    let aside = (file - 4).abs();
    let home = rank == 0;
    match kind {
        // The king is safest at home; without many pieces it helps from the middle file.
        Kind::King => [-18 * rank - 6 * aside, -6 * aside],
        Kind::Advisor => [if aside == 0 { 6 } else { 0 }, 0],
        Kind::Elephant => {
            let value = if aside == 0 {
                8
            } else if aside == 4 {
                -8
            } else {
                0
            };
            [value, value]
        }
        Kind::Horse => {
            // Best beyond the river and near the middle; it starts badly, and behind its own
            // palace point it is in the way.
            let advance = if rank <= 7 { 7 * rank } else { 7 * (14 - rank) - 10 };
            let edge = if aside == 4 { -14 } else { 0 };
            let palace = if aside == 0 && rank <= 1 { -30 } else { 0 };
            [advance - 4 * aside + edge + palace - 20, advance - 4 * aside + edge - 20]
        }
        Kind::Soldier => {
            if rank < 5 {
                // Worth more where it opens the way of a horse, and in the middle.
                let value = 5 * (rank - 3) + if aside == 0 { 14 } else { 0 };
                [value, value]
            } else {
                // At its best where it stands before the palace.
                let depth = [60, 76, 92, 84, 0];
                let near = 10 * (4 - aside);
                let near = if rank == 9 { near / 2 } else { near };
                let value = depth[rank as usize - 5] + near;
                [value, value + 10]
            }
        }
        Kind::Rook => {
            // Out of its corner, on the open inner files and beyond the river.
            let file = if aside == 1 {
                14
            } else if aside == 4 {
                -10
            } else {
                4
            };
            let advance = if home {
                -16
            } else if rank >= 5 {
                14
            } else {
                0
            };
            [file + advance, file / 2]
        }
        Kind::Cannon => {
            // On the middle file it looks at the king; at the far edge it looks along the back.
            let file = if aside == 0 { 22 } else { 8 - 2 * aside };
            let depth = if rank == 9 {
                12
            } else if rank == 7 || rank == 8 {
                -6
            } else {
                0
            };
            let home = if home { -8 } else { 0 };
            [file + depth + home, (file + depth) / 2]
        }
    }
}
