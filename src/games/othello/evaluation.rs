//! What an Othello position is worth: mobility, corners, stability, parity.

use crate::evaluate::Evaluate;
use crate::games::othello::lines::{NOT_A, NOT_H, around, mobility};
use crate::games::tuning::{Tunable, Weights, logistic};

use super::{Othello, Placement};

/// a1, h1, a8, h8.
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares next to a corner on the slant (b2), and on an edge (a2, b1).
const SLANT: u64 = 0x0042_0000_0000_4200;
const BESIDE: u64 = 0x4281_0000_0000_8142;
/// Columns a and h, and rows 1 and 8.
const SIDES: u64 = 0x8181_8181_8181_8181;
const ENDS: u64 = 0xff00_0000_0000_00ff;

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

/// Parts of the game, by the number of discs.
const PHASES: usize = 4;

/// Fitted: see `docs/evaluations.md`.
const WEIGHTS: [[i32; NAMES.len()]; PHASES] = [
    [59, 54, 2367, -2637, -328, -122, 539, 90, -49, 105, -127],
    [109, 79, 2143, -1461, 104, 407, 279, 48, -44, 187, -169],
    [167, 53, 878, -1184, 26, 719, 257, 5, -40, 247, -222],
    [494, -97, 271, -634, -301, 931, 286, -61, -3, 430, -202],
];

/// An evaluation of [`Othello`] by mobility, corners, stability and parity, with weights of
/// their own in four parts of the game.
///
/// The unit is a hundredth of log odds: with a value of 100 the side to move wins in 73 of 100
/// games between equal players, `1 / (1 + e^-1)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OthelloEvaluation {
    weights: Weights<{ NAMES.len() }, PHASES>,
}

impl OthelloEvaluation {
    /// With the fitted weights.
    #[must_use]
    pub fn new() -> Self {
        Self { weights: Weights(WEIGHTS) }
    }
}

impl Default for OthelloEvaluation {
    fn default() -> Self {
        Self::new()
    }
}

/// The squares next to a corner that is empty.
#[inline]
fn beside_empty(corners: u64) -> u64 {
    around(CORNERS & !corners)
}

/// Discs of `own` that nothing can turn over, as far as they hang together with a corner: on
/// each of the four lines they touch the border or another such disc, or the line is full.
#[inline]
fn stable(own: u64, full: [u64; 4]) -> u64 {
    let mut stable = own & CORNERS;
    if stable == 0 {
        return 0;
    }
    loop {
        let level = stable << 1 & NOT_A | stable >> 1 & NOT_H | SIDES | full[0];
        let upright = stable << 8 | stable >> 8 | ENDS | full[1];
        let falling = stable << 9 & NOT_A | stable >> 9 & NOT_H | SIDES | ENDS | full[2];
        let rising = stable << 7 & NOT_H | stable >> 7 & NOT_A | SIDES | ENDS | full[3];
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
fn measure(state: &Othello) -> (usize, [i32; NAMES.len()]) {
    let (own, other) = (state.own, state.other);
    let taken = own | other;
    let empty = !taken;
    let theirs = mobility(other, own);
    let count = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
    let weak = beside_empty(taken & CORNERS);
    let (slant, beside) = (weak & SLANT, weak & BESIDE);
    let stability = if taken & CORNERS == 0 {
        0
    } else {
        let full = full_lines(empty);
        count(stable(own, full), stable(other, full))
    };
    let features = [
        count(state.legal, theirs),
        count(around(other) & empty, around(own) & empty),
        count(own & CORNERS, other & CORNERS),
        count(own & slant, other & slant),
        count(own & beside, other & beside),
        count(state.legal & CORNERS, theirs & CORNERS),
        stability,
        count(own & (SIDES | ENDS), other & (SIDES | ENDS)),
        count(own, other),
        if empty.count_ones() % 2 == 1 { 1 } else { -1 },
        1,
    ];
    let phase = (taken.count_ones().saturating_sub(9) / 12).min(PHASES as u32 - 1);
    (phase as usize, features)
}

impl Evaluate<Othello> for OthelloEvaluation {
    #[inline]
    fn evaluate(&self, state: &Othello) -> i32 {
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
    fn promise(&self, state: &Othello, mv: &Placement) -> i32 {
        let Some(square) = mv.square() else { return 0 };
        let bit = 1 << square;
        let turned = super::flips(square, state.own, state.other);
        let replies = mobility(state.other & !turned, state.own | turned | bit);
        let corner = 16 * (bit & CORNERS).count_ones() as i32;
        corner - replies.count_ones() as i32 - 4 * (replies & CORNERS).count_ones() as i32
    }

    #[inline]
    fn slot(&self, state: &Othello, mv: &Placement) -> Option<u16> {
        let square = mv.square()?;
        Some((64 * usize::from(state.mover) + square) as u16)
    }
}

impl Tunable<Othello> for OthelloEvaluation {
    fn names(&self) -> Vec<String> {
        Weights::<_, PHASES>::names(&NAMES)
    }

    fn weights(&self) -> &[i32] {
        self.weights.all()
    }

    fn with_weights(&self, weights: &[i32]) -> Option<Self> {
        Some(Self { weights: Weights::of(weights)? })
    }

    fn features(&self, state: &Othello) -> Option<Vec<i32>> {
        let (phase, features) = measure(state);
        Some(Weights::<_, PHASES>::spread(phase, features))
    }
}

#[cfg(test)]
mod tests {
    use super::{OthelloEvaluation, full_lines, measure, stable};
    use crate::evaluate::Evaluate;
    use crate::game::{GameState, Notation, random_move};
    use crate::games::Othello;
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
    fn stable_discs_are_never_turned_over() {
        let (mut rng, mut moves, mut seen) = (Rng::from_seed(2), Vec::new(), 0);
        for _ in 0..400 {
            let mut state = Othello::new();
            let mut safe = [0; 2];
            while let Some(mv) = random_move(&state, &mut rng, &mut moves) {
                state = state.apply(&mv);
                let discs = state.discs();
                let full = full_lines(!(discs[0] | discs[1]));
                for player in [0, 1] {
                    assert_eq!(safe[player] & !discs[player], 0, "{state:?}");
                    safe[player] |= stable(discs[player], full);
                }
            }
            seen += (safe[0] | safe[1]).count_ones();
        }
        assert!(seen > 400 * 20, "{seen}");
    }

    #[test]
    fn a_position_is_worth_as_much_as_the_other_side_loses() {
        let (mut rng, mut moves) = (Rng::from_seed(3), Vec::new());
        let mut state = Othello::new();
        for _ in 0..30 {
            let Some(mv) = random_move(&state, &mut rng, &mut moves) else { break };
            state = state.apply(&mv);
            let text = state.position_text();
            let side = if text.ends_with('X') { "O" } else { "X" };
            let passed = Othello::parse_position(&format!("{}{side}", &text[..65])).unwrap();
            let ((phase, own), (same, other)) = (measure(&state), measure(&passed));
            assert_eq!(phase, same);
            // But for parity and the move, which both sides have in turn.
            assert!(own[..9].iter().zip(&other[..9]).all(|(a, b)| *a == -b), "{text}");
        }
    }

    #[test]
    fn a_corner_is_worth_having() {
        let evaluation = OthelloEvaluation::new();
        let board = |corner: &str, side: &str| {
            let text = format!("{corner}{}OX------XO{} {side}", "-".repeat(26), "-".repeat(27));
            evaluation.evaluate(&Othello::parse_position(&text).unwrap())
        };
        assert!(board("X", "X") > board("-", "X") + 20);
        assert!(board("X", "O") < board("-", "O") - 20);
    }
}
