//! What a Connect Four position is worth: threats by the height of their square, open lines,
//! the centre.

use crate::evaluate::Evaluate;
use crate::game::GameState;
use crate::games::bits::ones;
use crate::games::tuning::{Tunable, WON, Weights, logistic};

use super::{BOARD, BOTTOM, Column, ConnectFour, HEIGHT, STRIDE};

/// The features, the first player's less the second's but for the threats and the last one.
///
/// A threat is an empty square on which a side would have four in a row. Rows count from 1 at
/// the bottom. The first player stones odd rows where each column is filled in turn, so his
/// threats there, and the second player's on even rows, decide full boards (Allis 1988).
const NAMES: [&str; 12] = [
    "threats of the first player on row 3 and 5",
    "threats of the first player on even rows",
    "threats of the second player on even rows",
    "threats of the second player on row 3 and 5",
    "columns where the first player has the lowest threat, on an odd row",
    "columns where the second player has the lowest threat, on an even row",
    "one threat on top of another",
    "open lines of four with two stones",
    "open lines of four with one stone",
    "stones in the middle column",
    "stones beside the middle column",
    "the move",
];

/// Parts of the game, by the number of stones.
const PHASES: usize = 3;

/// Fitted: see `docs/evaluations.md`.
const WEIGHTS: [[i32; NAMES.len()]; PHASES] = [
    [-206, 194, -1917, 176, 1832, -321, 2644, 200, 71, 225, -12, 470],
    [681, 145, -1131, -340, 2397, -1015, 674, 209, 68, 154, -64, 429],
    [1713, 229, -1905, -637, 3615, -1767, 163, 184, 66, -130, -139, 303],
];

/// The rows with an odd number.
const ODD_ROWS: u64 = BOTTOM | BOTTOM << 2 | BOTTOM << 4;
const MIDDLE: u64 = 0x3f << (3 * STRIDE);
const BESIDE: u64 = 0x3f << (2 * STRIDE) | 0x3f << (4 * STRIDE);

/// An evaluation of [`ConnectFour`] by threats and their height, open lines and the centre.
///
/// The unit is a hundredth of log odds: with a value of 100 the side to move wins in 73 of 100
/// games between equal players, `1 / (1 + e^-1)`. A position in which the side to move has four
/// next, or the other side has two ways to, is worth 3000 or -3000.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectFourEvaluation {
    weights: Weights<{ NAMES.len() }, PHASES>,
}

impl ConnectFourEvaluation {
    /// With the fitted weights.
    #[must_use]
    pub fn new() -> Self {
        Self { weights: Weights(WEIGHTS) }
    }
}

impl Default for ConnectFourEvaluation {
    fn default() -> Self {
        Self::new()
    }
}

/// The squares, taken or not, on which `stones` would have four in a row.
#[inline(always)]
pub(super) fn completions(stones: u64) -> u64 {
    let mut found = stones << 1 & stones << 2 & stones << 3;
    for step in [STRIDE - 1, STRIDE, STRIDE + 1] {
        let (up, down) = (stones << step, stones >> step);
        let (up2, down2) = (stones << (2 * step), stones >> (2 * step));
        found |= up & up2 & (stones << (3 * step) | down);
        found |= down & down2 & (stones >> (3 * step) | up);
    }
    found & BOARD
}

/// Lines of four without a stone of the other side, that hold two and that hold one of `own`.
#[inline]
fn open_lines(own: u64, other: u64) -> (i32, i32) {
    let free = BOARD & !other;
    let (mut two, mut one) = (0, 0);
    for step in [1, STRIDE - 1, STRIDE, STRIDE + 1] {
        let open = free & free >> step & free >> (2 * step) & free >> (3 * step);
        let (a, b) = (own, own >> step);
        let (c, d) = (own >> (2 * step), own >> (3 * step));
        // The sum of four bits: its lowest bit, and whether it is 2 (no sum of 3 or 4 has a
        // lowest bit of 0 and less than two pairs).
        let odd = a ^ b ^ c ^ d;
        let some = a & b | c & d | (a | b) & (c | d);
        let all = a & b & c & d;
        two += (open & some & !odd & !all).count_ones() as i32;
        let three = a & b & (c | d) | c & d & (a | b);
        one += (open & odd & !three).count_ones() as i32;
    }
    (two, one)
}

/// What a search must know at once.
enum Sight {
    /// The side to move has four in a row next, or cannot stop the other side.
    Decided(i32),
    /// Anything else: the threats of the first and of the second player.
    Open([u64; 2]),
}

impl ConnectFour {
    /// The squares where a side would have four in a row: the side to move, then the other.
    #[inline]
    fn threats(&self) -> [u64; 2] {
        let other = self.own ^ self.all;
        [completions(self.own) & !self.all, completions(other) & !self.all]
    }

    #[inline]
    fn sight(&self) -> Sight {
        let landings = self.landings();
        let [mine, theirs] = self.threats();
        if mine & landings != 0 {
            return Sight::Decided(WON);
        }
        // Two at once, or one that opens another right above it.
        let now = theirs & landings;
        if now & now.wrapping_sub(1) != 0 || now << 1 & theirs != 0 {
            return Sight::Decided(-WON);
        }
        Sight::Open(if self.mover() == 0 { [mine, theirs] } else { [theirs, mine] })
    }
}

/// Which part of the game this is, and its features, from the first player's side.
#[inline]
fn measure(state: &ConnectFour, [first, second]: [u64; 2]) -> (usize, [i32; NAMES.len()]) {
    let mover = state.mover();
    let other = state.own ^ state.all;
    let (own, others) = if mover == 0 { (state.own, other) } else { (other, state.own) };
    let count = |squares: u64| squares.count_ones() as i32;
    // The lowest threat of each column decides what is above it.
    let any = first | second;
    let mut above = any << 1 & BOARD;
    for _ in 2..HEIGHT {
        above |= above << 1 & BOARD;
    }
    let lowest = any & !above;
    let ((two, one), (their_two, their_one)) = (open_lines(own, others), open_lines(others, own));
    let features = [
        count(first & ODD_ROWS),
        count(first & !ODD_ROWS),
        count(second & !ODD_ROWS),
        count(second & ODD_ROWS),
        count(first & !second & lowest & ODD_ROWS),
        count(second & !first & lowest & !ODD_ROWS),
        count(first & first << 1) - count(second & second << 1),
        two - their_two,
        one - their_one,
        count(own & MIDDLE) - count(others & MIDDLE),
        count(own & BESIDE) - count(others & BESIDE),
        if mover == 0 { 1 } else { -1 },
    ];
    ((usize::from(state.plies) / 12).min(PHASES - 1), features)
}

impl Evaluate<ConnectFour> for ConnectFourEvaluation {
    #[inline]
    fn evaluate(&self, state: &ConnectFour) -> i32 {
        let threats = match state.sight() {
            Sight::Decided(value) => return value,
            Sight::Open(threats) => threats,
        };
        let (phase, features) = measure(state, threats);
        let value = self.weights.value(phase, features);
        if state.mover() == 0 { value } else { -value }
    }

    #[inline]
    fn win_rate(&self, value: i32) -> f64 {
        logistic(value)
    }

    /// A win, then the one answer to a threat, then the square with the most open lines; a square
    /// below one where the other side wins comes last.
    #[inline]
    fn promise(&self, state: &ConnectFour, mv: &Column) -> i32 {
        let landing = state.landings() & 0x3f << (STRIDE * mv.index());
        let [mine, theirs] = state.threats();
        if landing & mine != 0 {
            return 1000;
        }
        if landing & theirs != 0 {
            return 900;
        }
        let suicide = if landing << 1 & theirs != 0 { 500 } else { 0 };
        let made = completions(state.own | landing) & !(state.all | landing) & !mine;
        let centre = 3 - (mv.index() as i32 - 3).abs();
        4 * made.count_ones() as i32 + centre - 3 - suicide
    }

    #[inline]
    fn slot(&self, state: &ConnectFour, mv: &Column) -> Option<u16> {
        let landing = state.landings() & 0x3f << (STRIDE * mv.index());
        Some((64 * state.mover() as u32 + landing.trailing_zeros() % 64) as u16)
    }

    /// The columns that win.
    #[inline]
    fn noisy_moves(&self, state: &ConnectFour, moves: &mut Vec<Column>) {
        let [mine, _] = state.threats();
        moves.extend(ones(mine & state.landings()).map(|bit| Column((bit / STRIDE) as u8)));
    }

    /// Whether the other side would have four in a row next.
    #[inline]
    fn is_forced(&self, state: &ConnectFour) -> bool {
        let [_, theirs] = state.threats();
        theirs & state.landings() != 0
    }
}

impl Tunable<ConnectFour> for ConnectFourEvaluation {
    fn names(&self) -> Vec<String> {
        Weights::<_, PHASES>::names(&NAMES)
    }

    fn weights(&self) -> &[i32] {
        self.weights.all()
    }

    fn with_weights(&self, weights: &[i32]) -> Option<Self> {
        Some(Self { weights: Weights::of(weights)? })
    }

    fn features(&self, state: &ConnectFour) -> Option<Vec<i32>> {
        let Sight::Open(threats) = state.sight() else { return None };
        let (phase, features) = measure(state, threats);
        let sign = if state.mover() == 0 { 1 } else { -1 };
        Some(Weights::<_, PHASES>::spread(phase, features.map(|x| sign * x)))
    }
}

#[cfg(test)]
mod tests {
    use super::{ConnectFourEvaluation, completions, open_lines};
    use crate::evaluate::Evaluate;
    use crate::game::random_move;
    use crate::game::{GameState, Outcome};
    use crate::games::ConnectFour;
    use crate::games::connect4::{BOARD, HEIGHT, STRIDE, WIDTH, has_four};
    use crate::games::tuning::WON;
    use crate::rng::Rng;

    #[test]
    fn threats_and_open_lines_agree_with_a_walk() {
        let mut rng = Rng::from_seed(1);
        for _ in 0..3000 {
            let (taken, colour) = (rng.next_u64() & BOARD, rng.next_u64());
            let (own, other) = (taken & colour, taken & !colour);
            let (mut two, mut one) = (0, 0);
            for column in 0..WIDTH as i32 {
                for row in 0..HEIGHT as i32 {
                    let bit = 1u64 << (STRIDE as i32 * column + row);
                    // Nothing lies above an empty square.
                    if taken & (bit | bit << 1) == 0 && !has_four(own) {
                        let completes = completions(own) & bit != 0;
                        assert_eq!(completes, has_four(own | bit), "{own:#x} {bit:#x}");
                    }
                    for (columns, rows) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                        let squares = [0, 1, 2, 3].map(|k| (column + k * columns, row + k * rows));
                        let (last, height) = squares[3];
                        if last >= WIDTH as i32 || !(0..HEIGHT as i32).contains(&height) {
                            continue;
                        }
                        let held = |stones: u64| {
                            squares
                                .iter()
                                .filter(|(c, r)| stones >> (STRIDE as i32 * c + r) & 1 == 1)
                                .count()
                        };
                        two += i32::from(held(other) == 0 && held(own) == 2);
                        one += i32::from(held(other) == 0 && held(own) == 1);
                    }
                }
            }
            assert_eq!(open_lines(own, other), (two, one), "{own:#x} {other:#x}");
        }
    }

    /// What is called decided is so, and the hints name what there is to see.
    #[test]
    fn decided_positions_are_won_or_lost_within_three_plies() {
        let (mut rng, mut buffer) = (Rng::from_seed(2), Vec::new());
        let evaluation = ConnectFourEvaluation::new();
        let moves = |state: &ConnectFour| {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            moves
        };
        let (mut won, mut lost) = (0, 0);
        for _ in 0..500 {
            let mut state = ConnectFour::new();
            while state.outcome().is_none() {
                let wins = |state: &ConnectFour| {
                    let mut found = moves(state);
                    found.retain(|mv| {
                        state.apply(mv).outcome() == Some(Outcome::Win(state.mover()))
                    });
                    found
                };
                let mut noisy = Vec::new();
                evaluation.noisy_moves(&state, &mut noisy);
                assert_eq!(noisy, wins(&state), "{state:?}");
                match evaluation.evaluate(&state) {
                    WON => {
                        won += 1;
                        assert!(!noisy.is_empty(), "{state:?}");
                    }
                    value if value == -WON => {
                        lost += 1;
                        assert!(moves(&state).iter().all(|mv| !wins(&state.apply(mv)).is_empty()));
                        assert!(evaluation.is_forced(&state));
                    }
                    value => assert!(value.abs() < WON, "{state:?}: {value}"),
                }
                let mv = random_move(&state, &mut rng, &mut buffer).unwrap();
                state = state.apply(&mv);
            }
        }
        assert!(won > 300 && lost > 20, "{won} {lost}");
    }
}
