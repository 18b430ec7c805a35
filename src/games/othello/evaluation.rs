//! What an Othello position is worth: mobility, corners, stability, parity.

use crate::evaluate::Evaluate;
use crate::games::othello::lines::{NOT_A, NOT_H, around, corners};
use crate::games::tuning::{Tunable, Weights, logistic};

use super::{OthelloBoard, Placement};

/// The squares of a board of this size that features name.
struct Squares<const SIZE: usize>;

impl<const SIZE: usize> Squares<SIZE> {
    /// a1, h1, a8, h8 on eight by eight.
    const CORNERS: u64 = corners(SIZE);

    /// Next to a corner on the slant (b2), and on an edge (a2, b1).
    const SLANT: u64 = around(Self::CORNERS) & Self::ALL & !Self::BORDER;
    const BESIDE: u64 = around(Self::CORNERS) & Self::BORDER & !Self::CORNERS;

    /// Columns a and h, and rows 1 and 8.
    const SIDES: u64 = Self::ALL & (0x0101_0101_0101_0101 | 0x0101_0101_0101_0101 << (SIZE - 1));
    const ENDS: u64 = Self::ALL & (0xff | 0xff << (8 * (SIZE - 1)));
    const BORDER: u64 = Self::SIDES | Self::ENDS;

    const ALL: u64 = OthelloBoard::<SIZE>::BOARD;
}

/// The features of a part of the game, each the side to move's less the other side's but for
/// the last two.
const NAMES: [&str; 11] = [
    "squares to place a disc on",
    "empty squares next to discs of the other side",
    "corners",
    "discs on b2 and its like, beside an empty corner",
    "discs on a2, b1 and their like, beside an empty corner",
    "corners to place a disc on",
    "stable discs",
    "discs on edges",
    "discs",
    "an odd number of empty squares, or less an even one",
    "the move",
];

/// Parts of the game, by the number of discs: on eight by eight they end with 20, 32 and 44.
const PHASES: usize = 4;

/// Which part it is with this number of discs on a board of this number of squares.
const fn phase(discs: usize, squares: usize) -> usize {
    let phase = discs.saturating_sub(squares / 7) / (3 * squares / 16);
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// Fitted: see `docs/evaluations.md`.
const WEIGHTS: [[i32; NAMES.len()]; PHASES] = [
    [59, 54, 2367, -2637, -328, -122, 539, 90, -49, 105, -127],
    [109, 79, 2143, -1461, 104, 407, 279, 48, -44, 187, -169],
    [167, 53, 878, -1184, 26, 719, 257, 5, -40, 247, -222],
    [494, -97, 271, -634, -301, 931, 286, -61, -3, 430, -202],
];

/// The same for six by six.
const WEIGHTS_OF_SIX: [[i32; NAMES.len()]; PHASES] = [
    [-48, 210, 2280, -3269, -1464, 396, 2086, -299, 261, 451, -31],
    [232, 137, 2340, -2506, -1145, 464, 1150, 250, -44, 345, -262],
    [444, 70, 2015, -146, -553, 1467, 852, 242, -256, 408, -485],
    [833, -164, 705, -122, -78, 1317, 719, -164, -128, 409, -151],
];

/// An evaluation of [`OthelloBoard`] by mobility, corners, stability and parity, with weights of
/// their own in four parts of the game.
///
/// The unit is a hundredth of log odds: with a value of 100 the side to move wins in 73 of 100
/// games between equal players, `1 / (1 + e^-1)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OthelloEvaluation {
    weights: Weights<{ NAMES.len() }, PHASES>,
}

impl OthelloEvaluation {
    /// With the weights that were fitted to games on eight by eight.
    #[must_use]
    pub fn new() -> Self {
        Self { weights: Weights(WEIGHTS) }
    }

    /// With the weights that were fitted to games on a board of this size: six by six and eight by
    /// eight have some of their own, four by four has those of six by six.
    #[must_use]
    pub fn for_size(size: usize) -> Self {
        Self { weights: Weights(if size < 8 { WEIGHTS_OF_SIX } else { WEIGHTS }) }
    }
}

impl Default for OthelloEvaluation {
    fn default() -> Self {
        Self::new()
    }
}

/// Discs of `own` that nothing can turn over, as far as they hang together with a corner: on
/// each of the four lines they touch the border or another such disc, or the line is full.
#[inline]
fn stable<const SIZE: usize>(own: u64, full: [u64; 4]) -> u64 {
    let (sides, ends) = (Squares::<SIZE>::SIDES, Squares::<SIZE>::ENDS);
    let mut stable = own & Squares::<SIZE>::CORNERS;
    if stable == 0 {
        return 0;
    }
    loop {
        let level = stable << 1 & NOT_A | stable >> 1 & NOT_H | sides | full[0];
        let upright = stable << 8 | stable >> 8 | ends | full[1];
        let falling = stable << 9 & NOT_A | stable >> 9 & NOT_H | sides | ends | full[2];
        let rising = stable << 7 & NOT_H | stable >> 7 & NOT_A | sides | ends | full[3];
        let more = own & level & upright & falling & rising;
        if more & !stable == 0 {
            return stable;
        }
        stable |= more;
    }
}

/// The squares whose line has no empty square: level, upright, falling and rising.
#[inline]
fn full_lines(empty: u64) -> [u64; 4] {
    // What an empty square reaches is spread three times over twice the distance.
    let spread = |step: u32, up: u64, down: u64| {
        let (mut left, mut right) = (empty, empty);
        let (mut up, mut down) = (up, down);
        for by in [1, 2, 4] {
            left |= left << (by * step) & up;
            right |= right >> (by * step) & down;
            up &= up << (by * step);
            down &= down >> (by * step);
        }
        !(left | right)
    };
    [
        spread(1, NOT_A, NOT_H),
        spread(8, u64::MAX, u64::MAX),
        spread(9, NOT_A, NOT_H),
        spread(7, NOT_H, NOT_A),
    ]
}

/// Which part of the game this is, and its features.
#[inline]
fn measure<const SIZE: usize>(state: &OthelloBoard<SIZE>) -> (usize, [i32; NAMES.len()]) {
    let (own, other) = (state.own, state.other);
    let taken = own | other;
    let empty = !taken & Squares::<SIZE>::ALL;
    let corners = Squares::<SIZE>::CORNERS;
    let theirs = OthelloBoard::<SIZE>::legal(other, own);
    let count = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
    let weak = around(corners & empty);
    let (slant, beside) = (weak & Squares::<SIZE>::SLANT, weak & Squares::<SIZE>::BESIDE);
    let stability = if taken & corners == 0 {
        0
    } else {
        let full = full_lines(empty);
        count(stable::<SIZE>(own, full), stable::<SIZE>(other, full))
    };
    let features = [
        count(state.legal, theirs),
        count(around(other) & empty, around(own) & empty),
        count(own & corners, other & corners),
        count(own & slant, other & slant),
        count(own & beside, other & beside),
        count(state.legal & corners, theirs & corners),
        stability,
        count(own & Squares::<SIZE>::BORDER, other & Squares::<SIZE>::BORDER),
        count(own, other),
        if empty.count_ones() % 2 == 1 { 1 } else { -1 },
        1,
    ];
    (phase(taken.count_ones() as usize, OthelloBoard::<SIZE>::SQUARES), features)
}

impl<const SIZE: usize> Evaluate<OthelloBoard<SIZE>> for OthelloEvaluation {
    #[inline]
    fn evaluate(&self, state: &OthelloBoard<SIZE>) -> i32 {
        let (phase, features) = measure(state);
        self.weights.value(phase, features)
    }

    #[inline]
    fn win_rate(&self, value: i32) -> f64 {
        logistic(value)
    }

    /// Corners first; then what leaves the other side few moves, which is the most useful order
    /// for alpha-beta (fastest first).
    #[inline]
    fn promise(&self, state: &OthelloBoard<SIZE>, mv: &Placement) -> i32 {
        let Some(square) = mv.square() else { return 0 };
        let bit = 1 << square;
        let corners = Squares::<SIZE>::CORNERS;
        let turned = super::flips(square, state.own, state.other);
        let replies = OthelloBoard::<SIZE>::legal(state.other & !turned, state.own | turned | bit);
        let corner = 16 * (bit & corners).count_ones() as i32;
        corner - replies.count_ones() as i32 - 4 * (replies & corners).count_ones() as i32
    }

    #[inline]
    fn slot(&self, state: &OthelloBoard<SIZE>, mv: &Placement) -> Option<u16> {
        let square = mv.square()?;
        Some((64 * usize::from(state.mover) + square) as u16)
    }
}

impl<const SIZE: usize> Tunable<OthelloBoard<SIZE>> for OthelloEvaluation {
    fn names(&self) -> Vec<String> {
        Weights::<_, PHASES>::names(&NAMES)
    }

    fn weights(&self) -> &[i32] {
        self.weights.all()
    }

    fn with_weights(&self, weights: &[i32]) -> Option<Self> {
        Some(Self { weights: Weights::of(weights)? })
    }

    fn features(&self, state: &OthelloBoard<SIZE>) -> Option<Vec<i32>> {
        let (phase, features) = measure(state);
        Some(Weights::<_, PHASES>::spread(phase, features))
    }
}

#[cfg(test)]
mod tests {
    use super::{OthelloEvaluation, PHASES, Squares, full_lines, measure, phase, stable};
    use crate::evaluate::Evaluate;
    use crate::game::{GameState, Notation, random_move};
    use crate::games::{Othello, OthelloBoard};
    use crate::rng::Rng;

    /// Whether the line through a square has an empty square, walked square by square.
    fn slow_full(square: usize, empty: u64) -> [bool; 4] {
        [(1, 0), (0, 1), (1, 1), (-1, 1)].map(|(columns, rows)| {
            [1, -1].into_iter().all(|sign| {
                let (mut c, mut r) = (square as i32 % 8, square as i32 / 8);
                while (0..8).contains(&c) && (0..8).contains(&r) {
                    if empty >> (8 * r + c) & 1 == 1 {
                        return false;
                    }
                    (c, r) = (c + sign * columns, r + sign * rows);
                }
                true
            })
        })
    }

    #[test]
    fn full_lines_agree_with_a_walk() {
        let mut rng = Rng::from_seed(1);
        for _ in 0..2000 {
            let empty = rng.next_u64() & rng.next_u64() & rng.next_u64() & rng.next_u64();
            let full = full_lines(empty);
            for square in 0..64 {
                let found = full.map(|line| line >> square & 1 == 1);
                assert_eq!(found, slow_full(square, empty), "{empty:#x} {square}");
            }
        }
    }

    #[test]
    fn squares_are_those_of_the_board() {
        let of_eight = (Squares::<8>::CORNERS, Squares::<8>::SLANT, Squares::<8>::BESIDE);
        assert_eq!(of_eight, (0x8100_0000_0000_0081, 0x0042_0000_0000_4200, 0x4281_0000_0000_8142));
        // a1, f1, a6, f6; b2, e2, b5, e5; and so on.
        let of_six = (Squares::<6>::CORNERS, Squares::<6>::SLANT, Squares::<6>::BESIDE);
        assert_eq!(of_six, (0x2100_0000_0021, 0x12_0000_1200, 0x1221_0000_2112));
        assert_eq!(Squares::<6>::BORDER, 0x3f21_2121_213f);
    }

    #[test]
    fn a_game_has_four_parts() {
        let first = |squares, part| (0..=squares).find(|&discs| phase(discs, squares) == part);
        assert_eq!([1, 2, 3].map(|part| first(64, part)), [Some(21), Some(33), Some(45)]);
        assert_eq!([1, 2, 3].map(|part| first(36, part)), [Some(11), Some(17), Some(23)]);
        assert!([16, 36, 64].iter().all(|&squares| phase(squares, squares) == PHASES - 1));
    }

    #[test]
    fn stable_discs_are_never_turned_over() {
        watch_stable_discs::<8>(20);
        watch_stable_discs::<6>(8);
        watch_stable_discs::<4>(2);
    }

    /// Plays 400 random games, in which more discs than `least` a game are found stable.
    fn watch_stable_discs<const SIZE: usize>(least: u32) {
        let (mut rng, mut moves, mut seen) = (Rng::from_seed(2), Vec::new(), 0);
        for _ in 0..400 {
            let mut state = OthelloBoard::<SIZE>::new();
            let mut safe = [0; 2];
            while let Some(mv) = random_move(&state, &mut rng, &mut moves) {
                state = state.apply(&mv);
                let discs = state.discs();
                let empty = OthelloBoard::<SIZE>::BOARD & !(discs[0] | discs[1]);
                let full = full_lines(empty);
                for player in [0, 1] {
                    assert_eq!(safe[player] & !discs[player], 0, "{state:?}");
                    safe[player] |= stable::<SIZE>(discs[player], full);
                }
            }
            seen += (safe[0] | safe[1]).count_ones();
        }
        assert!(seen > 400 * least, "{seen}");
    }

    #[test]
    fn a_position_is_worth_as_much_as_the_other_side_loses() {
        compare_sides::<8>();
        compare_sides::<6>();
    }

    fn compare_sides<const SIZE: usize>() {
        let (mut rng, mut moves) = (Rng::from_seed(3), Vec::new());
        let mut state = OthelloBoard::<SIZE>::new();
        for _ in 0..SIZE * SIZE / 2 - 2 {
            let Some(mv) = random_move(&state, &mut rng, &mut moves) else { break };
            state = state.apply(&mv);
            let text = state.position_text();
            let side = if text.ends_with('X') { "O" } else { "X" };
            let passed = &text[..SIZE * SIZE + 1];
            let passed = OthelloBoard::<SIZE>::parse_position(&format!("{passed}{side}")).unwrap();
            let ((phase, own), (same, other)) = (measure(&state), measure(&passed));
            assert_eq!(phase, same);
            // But for parity and the move, which both sides have in turn.
            assert!(own[..9].iter().zip(&other[..9]).all(|(a, b)| *a == -b), "{text}");
        }
    }

    #[test]
    fn a_corner_is_worth_having() {
        let evaluation = OthelloEvaluation::new();
        let small = OthelloEvaluation::for_size(6);
        let board = |corner: &str, side: &str| {
            let text = format!("{corner}{}OX------XO{} {side}", "-".repeat(26), "-".repeat(27));
            evaluation.evaluate(&Othello::parse_position(&text).unwrap())
        };
        assert!(board("X", "X") > board("-", "X") + 20);
        assert!(board("X", "O") < board("-", "O") - 20);
        let board = |corner: &str, side: &str| {
            let text = format!("{corner}{}OX----XO{} {side}", "-".repeat(13), "-".repeat(14));
            small.evaluate(&OthelloBoard::<6>::parse_position(&text).unwrap())
        };
        assert!(board("X", "X") > board("-", "X") + 20);
        assert!(board("X", "O") < board("-", "O") - 20);
    }
}
