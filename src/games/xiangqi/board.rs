//! The pieces on the board: four planes of bits, changed as moves are played.

use crate::games::xiangqi::piece::Kind;
use crate::games::xiangqi::placement::PLACEMENT;
use crate::games::xiangqi::squares::{SQUARES, bit};
use crate::games::xiangqi::zobrist::ZOBRIST;

/// What a piece on a point adds to the sums of a [`Board`].
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Share {
    hash: u64,
    placement: [i16; 3],
}

/// By side, code of the kind and point: side by side, so that a piece costs one line of the cache.
static SHARES: [[[Share; SQUARES]; 8]; 2] = {
    let mut shares = [[[Share { hash: 0, placement: [0; 3] }; SQUARES]; 8]; 2];
    let mut side = 0;
    while side < 2 {
        let mut code = 0;
        while code < 8 {
            let mut square = 0;
            while square < SQUARES {
                shares[side][code][square] = Share {
                    hash: ZOBRIST[side][code][square],
                    placement: PLACEMENT[side][code][square],
                };
                square += 1;
            }
            code += 1;
        }
        side += 1;
    }
    shares
};

/// The pieces of both sides.
///
/// The three bits of a piece's code ([`Kind`]) and its colour are one plane each: a set of one
/// kind is three operations, and a position is packed by laying the planes side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    codes: [u128; 3],
    black: u128,
    /// The sum of the pieces' random numbers.
    hash: u64,
    /// The sum of the pieces' values where they stand: Red's less Black's, in the middle of the
    /// game and at its end; then the force on the board.
    placement: [i16; 3],
    /// Where the kings stand.
    kings: [u8; 2],
}

impl Board {
    pub(super) const EMPTY: Self =
        Self { codes: [0; 3], black: 0, hash: 0, placement: [0; 3], kings: [0; 2] };

    /// The pieces of both sides.
    #[inline]
    pub(super) fn occupied(&self) -> u128 {
        self.codes[0] | self.codes[1] | self.codes[2]
    }

    /// The pieces of one side.
    #[inline]
    pub(super) fn side(&self, side: usize) -> u128 {
        if side == 0 { self.occupied() & !self.black } else { self.black }
    }

    /// The pieces of one kind, of both sides.
    #[inline]
    pub(super) fn kind(&self, kind: Kind) -> u128 {
        let [low, middle, high] = self.codes;
        match kind {
            Kind::King => low & !middle & !high,
            Kind::Advisor => !low & middle & !high,
            Kind::Elephant => low & middle & !high,
            Kind::Horse => !low & !middle & high,
            Kind::Soldier => low & !middle & high,
            Kind::Rook => !low & middle & high,
            Kind::Cannon => low & middle & high,
        }
    }

    /// Rooks and cannons of both sides.
    #[inline]
    pub(super) fn sliders(&self) -> u128 {
        self.codes[1] & self.codes[2]
    }

    /// Where the king of `side` stands.
    #[inline]
    pub(super) fn king(&self, side: usize) -> usize {
        usize::from(self.kings[side & 1])
    }

    /// The code of the piece on a point, 0 for none.
    #[inline]
    pub(super) fn code(&self, square: usize) -> usize {
        let plane = |plane: u128| {
            let word = if square < 64 { plane as u64 } else { (plane >> 64) as u64 };
            (word >> (square & 63)) as usize & 1
        };
        plane(self.codes[0]) | plane(self.codes[1]) << 1 | plane(self.codes[2]) << 2
    }

    /// The piece on a point, and its side.
    #[inline]
    pub(super) fn piece(&self, square: usize) -> Option<(Kind, usize)> {
        let kind = Kind::of_code(self.code(square))?;
        Some((kind, (self.black >> square) as usize & 1))
    }

    /// The sum of the pieces' random numbers.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// Red's lead by [`PLACEMENT`] in the middle of the game and at its end, and the force.
    #[inline]
    pub(super) fn placement(&self) -> [i16; 3] {
        self.placement
    }

    /// The planes side by side: 360 bits, the highest 24 bits are free.
    #[inline]
    pub(super) fn packed(&self) -> [u64; 6] {
        let [a, b, c] = self.codes;
        let d = self.black;
        // Ninety bits each: 64 + 26, 38 + 52, 12 + 64 + 14, 50 + 40.
        [
            a as u64,
            (a >> 64) as u64 | (b as u64) << 26,
            (b >> 38) as u64 | (c as u64) << 52,
            (c >> 12) as u64,
            (c >> 76) as u64 | (d as u64) << 14,
            (d >> 50) as u64,
        ]
    }

    /// Puts a piece on a free point.
    pub(super) fn put(&mut self, kind: Kind, side: usize, square: usize) {
        debug_assert_eq!(self.code(square), 0);
        let code = kind as usize;
        for (i, plane) in self.codes.iter_mut().enumerate() {
            *plane |= ((code >> i & 1) as u128) << square;
        }
        self.black |= (side as u128) << square;
        self.account(code, side, square, 1);
        if kind == Kind::King {
            self.kings[side] = square as u8;
        }
    }

    /// Moves the piece on `from`, which is of side `side`, to `to`, and removes what stood there:
    /// the code of that, 0 for nothing.
    #[inline]
    pub(super) fn play(&mut self, side: usize, from: usize, to: usize) -> usize {
        let (source, target) = (bit(from), bit(to));
        let (code, captured) = (self.code(from), self.code(to));
        let others = !(source | target);
        for (i, plane) in self.codes.iter_mut().enumerate() {
            *plane = *plane & others | if code >> i & 1 == 1 { target } else { 0 };
        }
        self.black = self.black & others | if side == 1 { target } else { 0 };
        self.account(code, side, from, -1);
        self.account(code, side, to, 1);
        if captured != 0 {
            self.account(captured, 1 - side, to, -1);
        }
        if code == Kind::King as usize {
            self.kings[side & 1] = to as u8;
        }
        captured
    }

    /// Adds a piece to the sums (`sign` 1) or takes it out (-1).
    #[inline]
    fn account(&mut self, code: usize, side: usize, square: usize, sign: i16) {
        let share = &SHARES[side & 1][code & 7][square];
        self.hash ^= share.hash;
        for (sum, added) in self.placement.iter_mut().zip(share.placement) {
            *sum += sign * added;
        }
    }
}
