//! What a Breakthrough position is worth: how far the pieces have come, what holds them, and
//! who wins the race.

use crate::evaluate::Evaluate;
use crate::game::GameState;
use crate::games::bits::ones;
use crate::games::tuning::{Tunable, WON, Weights, logistic};

use super::{Advance, Breakthrough, FIRST_COLUMN, FIRST_ROW, Side};

/// The features of a part of the game, each the side to move's less the other side's but for
/// the four that say whose they are.
const NAMES: [&str; 14] = [
    "pieces one row from the goal",
    "pieces two rows from the goal",
    "pieces three rows from the goal",
    "pieces four rows from the goal",
    "pieces five rows from the goal",
    "pieces six rows from the goal",
    "pieces seven rows from the goal",
    "pieces with another slantwise behind them",
    "pieces of the side to move that can be taken and not taken back",
    "pieces of the other side that can be taken and not taken back",
    "pieces side by side",
    "moves",
    "a runner that nothing stops and that is first, less one of the other side",
    "the move",
];

/// Parts of the game: with 24 pieces and more, and with fewer.
const PHASES: usize = 2;
const MANY_PIECES: u32 = 24;

/// Fitted: see `docs/evaluations.md`.
const WEIGHTS: [[i32; NAMES.len()]; PHASES] = [
    [1035, 937, 846, 748, 758, 698, 624, -72, -143, 824, 46, -19, 4011, -2],
    [1392, 1623, 1052, 919, 626, 523, 278, 17, -342, 1539, 155, 88, 4438, 45],
];

/// An evaluation of [`Breakthrough`] by advancement, material, protected pieces and races.
///
/// The unit is a hundredth of log odds: with a value of 100 the side to move wins in 73 of 100
/// games between equal players, `1 / (1 + e^-1)`. A position in which the side to move arrives
/// next, or cannot take the piece of the other side that will, is worth 3000 or -3000.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakthroughEvaluation {
    weights: Weights<{ NAMES.len() }, PHASES>,
}

impl BreakthroughEvaluation {
    /// With the fitted weights.
    #[must_use]
    pub fn new() -> Self {
        Self { weights: Weights(WEIGHTS) }
    }
}

impl Default for BreakthroughEvaluation {
    fn default() -> Self {
        Self::new()
    }
}

/// A position seen by the side to move, who moves up from row 0.
#[derive(Clone, Copy)]
struct View {
    own: u64,
    other: u64,
    up: Side,
    down: Side,
    rows: usize,
}

/// What a search must know at once.
enum Sight {
    Decided(i32),
    /// One piece of the other side is about to arrive and can be taken.
    Forced,
    Open,
}

impl View {
    #[inline]
    fn new(state: &Breakthrough) -> Self {
        let mover = state.mover();
        let [mut own, mut other] = [state.pieces[mover], state.pieces[1 - mover]];
        if mover == 1 {
            let turn = |pieces: u64| pieces.swap_bytes() >> (8 * (8 - u32::from(state.rows)));
            (own, other) = (turn(own), turn(other));
        }
        let rows = usize::from(state.rows);
        Self { own, other, up: state.side(0), down: state.side(1), rows }
    }

    /// What `pieces` of a side attack.
    #[inline]
    fn attacked(side: Side, pieces: u64) -> u64 {
        let [low, _, high] = side.reached(pieces);
        (low | high) & side.board
    }

    #[inline]
    fn sight(self) -> Sight {
        // A piece one row from the goal can always arrive: none of its own is in the way.
        if self.own & self.up.goal >> 8 != 0 {
            return Sight::Decided(WON);
        }
        let arriving = self.other & FIRST_ROW << 8;
        if arriving == 0 {
            return Sight::Open;
        }
        let saved = arriving & arriving.wrapping_sub(1) == 0
            && arriving & Self::attacked(self.up, self.own) != 0;
        if saved { Sight::Forced } else { Sight::Decided(-WON) }
    }

    /// The fewest plies that the side's own runners need: pieces that no piece of the other side
    /// can come before. `u32::MAX` if there is none.
    #[inline]
    fn runners(self) -> [u32; 2] {
        // Where a piece can still come to, if nothing is in its way.
        let reach = |side: Side, mut pieces: u64| {
            for _ in 0..7 {
                let [low, ahead, high] = side.reached(pieces);
                pieces |= (low | ahead | high) & side.board;
            }
            pieces
        };
        let own = self.own & !reach(self.down, self.other);
        let other = self.other & !reach(self.up, self.own);
        let rows = self.rows as u32;
        let highest = if own == 0 { u32::MAX } else { rows - 1 - (63 - own.leading_zeros()) / 8 };
        let lowest = if other == 0 { u32::MAX } else { other.trailing_zeros() / 8 };
        [highest, lowest]
    }

    /// Which part of the game this is, and its features.
    #[inline]
    fn measure(self) -> (usize, [i32; NAMES.len()]) {
        let Self { own, other, up, down, rows } = self;
        let count = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
        let mut features = [0; NAMES.len()];
        for (distance, feature) in features[..7].iter_mut().enumerate().take(rows - 1) {
            let row = FIRST_ROW << (8 * (rows - 2 - distance));
            *feature = count(own & row, other & FIRST_ROW << (8 * (distance + 1)));
        }
        let (held, their_held) = (Self::attacked(up, own), Self::attacked(down, other));
        features[7] = count(own & held, other & their_held);
        features[8] = (own & their_held & !held).count_ones() as i32;
        features[9] = (other & held & !their_held).count_ones() as i32;
        let pairs = |pieces: u64| pieces & pieces << 1 & !FIRST_COLUMN;
        features[10] = count(pairs(own), pairs(other));
        let moves = |targets: [u64; 3]| targets.map(u64::count_ones).iter().sum::<u32>() as i32;
        features[11] = moves(up.targets(own, other)) - moves(down.targets(other, own));
        let [mine, theirs] = self.runners();
        features[12] = match mine.cmp(&theirs) {
            _ if mine.min(theirs) == u32::MAX => 0,
            std::cmp::Ordering::Greater => -1,
            // The side to move is first where both are as far.
            _ => 1,
        };
        features[13] = 1;
        (usize::from((own | other).count_ones() < MANY_PIECES), features)
    }
}

impl Evaluate<Breakthrough> for BreakthroughEvaluation {
    #[inline]
    fn evaluate(&self, state: &Breakthrough) -> i32 {
        let view = View::new(state);
        if let Sight::Decided(value) = view.sight() {
            return value;
        }
        let (phase, features) = view.measure();
        self.weights.value(phase, features).clamp(1 - WON, WON - 1)
    }

    #[inline]
    fn win_rate(&self, value: i32) -> f64 {
        logistic(value)
    }

    /// Arriving, then taking: what has come far before what has not, what cannot be taken back
    /// first; then quiet moves, those to where the piece is lost last.
    #[inline]
    fn promise(&self, state: &Breakthrough, mv: &Advance) -> i32 {
        let mover = state.mover();
        let (side, facing) = (state.side(mover), state.side(1 - mover));
        let (to, from) = (1u64 << (mv.to & 63), 1u64 << (mv.from & 63));
        if to & side.goal != 0 {
            return 1000;
        }
        let [own, other] = [state.pieces[mover] ^ from, state.pieces[1 - mover]];
        let safe = View::attacked(facing, other) & to == 0;
        if other & to == 0 {
            let held = View::attacked(side, own) & to != 0;
            return if safe || held { 0 } else { -1 };
        }
        // How far the piece taken still had to go, less than 8.
        let row = mv.to() / 8;
        let left = if mover == 0 { row } else { usize::from(state.rows) - 1 - row };
        100 + 10 * (8 - left as i32) + if safe { 100 } else { 0 }
    }

    #[inline]
    fn slot(&self, _state: &Breakthrough, mv: &Advance) -> Option<u16> {
        Some(u16::from(mv.from & 63) << 6 | u16::from(mv.to & 63))
    }

    /// Arriving and taking.
    #[inline]
    fn noisy_moves(&self, state: &Breakthrough, moves: &mut Vec<Advance>) {
        let (side, targets) = state.targets();
        let noisy = state.pieces[1 - state.mover()] | side.goal;
        for (direction, word) in targets.into_iter().enumerate() {
            moves.extend(
                ones(word & noisy)
                    .map(|to| Advance { from: side.from(to, direction) as u8, to: to as u8 }),
            );
        }
    }

    /// Whether a piece of the other side arrives next unless it is taken.
    #[inline]
    fn is_forced(&self, state: &Breakthrough) -> bool {
        matches!(View::new(state).sight(), Sight::Forced)
    }
}

impl Tunable<Breakthrough> for BreakthroughEvaluation {
    fn names(&self) -> Vec<String> {
        Weights::<_, PHASES>::names(&NAMES)
    }

    fn weights(&self) -> &[i32] {
        self.weights.all()
    }

    fn with_weights(&self, weights: &[i32]) -> Option<Self> {
        Some(Self { weights: Weights::of(weights)? })
    }

    fn features(&self, state: &Breakthrough) -> Option<Vec<i32>> {
        let view = View::new(state);
        if let Sight::Decided(_) = view.sight() {
            return None;
        }
        let (phase, features) = view.measure();
        Some(Weights::<_, PHASES>::spread(phase, features))
    }
}

#[cfg(test)]
mod tests {
    use super::{BreakthroughEvaluation, View};
    use crate::evaluate::Evaluate;
    use crate::game::random_move;
    use crate::game::{GameState, Notation, Outcome};
    use crate::games::Breakthrough;
    use crate::games::tuning::{Tunable, WON};
    use crate::rng::Rng;

    fn moves(state: &Breakthrough) -> Vec<super::Advance> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves
    }

    fn wins(state: &Breakthrough) -> bool {
        moves(state).iter().any(|mv| state.apply(mv).outcome() == Some(Outcome::Win(state.mover())))
    }

    /// The same position with the sides exchanged: upside down, in the other colour.
    fn turned(state: &Breakthrough) -> Breakthrough {
        let text = state.position_text();
        let (rows, side) = text.split_once(' ').unwrap();
        let swap = |c: char| {
            if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
        };
        let rows: Vec<String> =
            rows.rsplit('/').map(|row| row.chars().map(swap).collect()).collect();
        let side = if side == "w" { "b" } else { "w" };
        Breakthrough::parse_position(&format!("{} {side}", rows.join("/"))).unwrap()
    }

    /// In random games on several boards: both colours are worth the same, what is called
    /// decided is so, and the hints name what there is to see.
    #[test]
    fn what_is_seen_at_once_is_so() {
        let (mut rng, mut buffer) = (Rng::from_seed(1), Vec::new());
        let evaluation = BreakthroughEvaluation::new();
        let mut seen = [0; 4];
        for game in 0..600 {
            let (columns, rows) = [(8, 8), (5, 6), (3, 5), (8, 4)][game % 4];
            let mut state = Breakthrough::new(columns, rows).unwrap();
            while state.outcome().is_none() {
                let other = turned(&state);
                assert_eq!(evaluation.features(&state), evaluation.features(&other), "{state:?}");
                assert_eq!(evaluation.evaluate(&state), evaluation.evaluate(&other), "{state:?}");
                let mut noisy = Vec::new();
                evaluation.noisy_moves(&state, &mut noisy);
                for mv in moves(&state) {
                    let next = state.apply(&mv);
                    let takes =
                        next.pieces()[1 - state.mover()] != state.pieces()[1 - state.mover()];
                    let expected = takes || next.outcome().is_some();
                    assert_eq!(noisy.contains(&mv), expected, "{state:?} {mv:?}");
                    assert_eq!(evaluation.promise(&state, &mv) > 0, expected, "{state:?} {mv:?}");
                }
                let answers = moves(&state).iter().filter(|mv| !wins(&state.apply(mv))).count();
                let value = evaluation.evaluate(&state);
                // The last piece may be taken too, which the evaluation does not look for.
                let last = state.pieces().iter().any(|pieces| pieces.count_ones() == 1);
                if value == WON {
                    seen[0] += 1;
                    assert!(wins(&state), "{state:?}");
                } else if value == -WON {
                    seen[1] += 1;
                    assert!(answers == 0 || last, "{state:?}");
                } else if evaluation.is_forced(&state) {
                    seen[2] += 1;
                    assert!((answers > 0 && answers < moves(&state).len()) || last, "{state:?}");
                } else {
                    seen[3] += 1;
                    assert!(answers == moves(&state).len() || wins(&state) || last, "{state:?}");
                }
                let mv = random_move(&state, &mut rng, &mut buffer).unwrap();
                state = state.apply(&mv);
            }
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }

    #[test]
    fn runners_are_those_that_nobody_can_stop() {
        for (text, expected) in [
            // Black's piece can still come before b3, not before the piece on h5.
            ("1p6/8/8/7P/8/1P6/8/8 w", [3, u32::MAX]),
            ("1p6/8/8/8/8/1P6/8/8 w", [u32::MAX, u32::MAX]),
            ("8/8/P7/8/8/8/7p/8 b", [1, 2]),
            ("8/8/P7/8/8/8/7p/8 w", [2, 1]),
        ] {
            let view = View::new(&Breakthrough::parse_position(text).unwrap());
            assert_eq!(view.runners(), expected, "{text}");
        }
    }
}
