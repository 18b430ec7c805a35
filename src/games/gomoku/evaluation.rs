//! What a Gomoku position is worth: the rows of five points that a side can still fill, by how
//! many stones it has there.

use crate::evaluate::Evaluate;
use crate::game::GameState;
use crate::games::bits::ones;
use crate::games::tuning::{Tunable, WON, logistic, weigh};

use super::{GomokuBoard, Point, Rule};

/// The features: rows of five are those without a stone of the other side.
const NAMES: [&str; 11] = [
    "rows of five with one stone of the side to move",
    "rows of five with two stones of the side to move",
    "rows of five with three stones of the side to move",
    "rows of five with one stone of the other side",
    "rows of five with two stones of the other side",
    "rows of five with three stones of the other side",
    "a four of the other side",
    "any three of the side to move",
    "any three of the other side",
    "three rows and more with three stones of the other side",
    "the move",
];

/// Fitted: see `docs/evaluations.md`.
const WEIGHTS: [i32; NAMES.len()] = [18, 165, 1436, -11, -146, -244, -1634, 123, -549, -1163, 265];

/// An evaluation of [`Gomoku`](super::Gomoku) and [`LargeGomoku`](super::LargeGomoku) by the
/// rows of five points that each side can still fill.
///
/// The unit is a hundredth of log odds: with a value of 100 the side to move wins in 73 of 100
/// games between equal players, `1 / (1 + e^-1)`. A position in which the side to move has five
/// next, or cannot stop the other side, is worth 3000 or -3000.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GomokuEvaluation {
    weights: [i32; NAMES.len()],
}

impl GomokuEvaluation {
    /// With the fitted weights.
    #[must_use]
    pub fn new() -> Self {
        Self { weights: WEIGHTS }
    }
}

impl Default for GomokuEvaluation {
    fn default() -> Self {
        Self::new()
    }
}

#[inline]
fn down<const WORDS: usize>(words: &[u64; WORDS], by: usize) -> [u64; WORDS] {
    debug_assert!((1..64).contains(&by));
    std::array::from_fn(|i| {
        let next = if i + 1 < WORDS { words[i + 1] } else { 0 };
        words[i] >> by | next << (64 - by)
    })
}

#[inline]
fn up<const WORDS: usize>(words: &[u64; WORDS], by: usize) -> [u64; WORDS] {
    debug_assert!((1..64).contains(&by));
    std::array::from_fn(|i| {
        let next = if i > 0 { words[i - 1] } else { 0 };
        words[i] << by | next >> (64 - by)
    })
}

/// The rows of five in one direction that a side can still fill, by its stones there; each is
/// named by its lowest bit.
struct Rows<const WORDS: usize> {
    /// With 1, 2, 3 and 4 stones.
    by_stones: [[u64; WORDS]; 4],
}

impl<const WORDS: usize> Rows<WORDS> {
    #[inline]
    fn new(own: &[u64; WORDS], free: &[u64; WORDS], step: usize, rule: Rule) -> Self {
        let mut stones = [*own; 5];
        let (mut open, mut at) = (*free, *free);
        for k in 1..5 {
            stones[k] = down(&stones[k - 1], step);
            at = down(&at, step);
            open = std::array::from_fn(|i| open[i] & at[i]);
        }
        if rule == Rule::ExactlyFive {
            // A stone on either end would make six.
            let (before, after) = (up(own, step), down(&stones[4], step));
            open = std::array::from_fn(|i| open[i] & !(before[i] | after[i]));
        }
        let mut by_stones = [[0; WORDS]; 4];
        for i in 0..WORDS {
            let [a, b, c, d, e] = stones.map(|words| words[i]);
            // Two full adders: the sum is `sum + 2 (carry ^ more) + 4 (carry & more)`.
            let carry = a & b | c & (a ^ b);
            let half = a ^ b ^ c;
            let more = half & d | e & (half ^ d);
            let sum = half ^ d ^ e;
            let (two, four) = (carry ^ more, carry & more);
            by_stones[0][i] = open[i] & sum & !two & !four;
            by_stones[1][i] = open[i] & !sum & two;
            by_stones[2][i] = open[i] & sum & two;
            by_stones[3][i] = open[i] & !sum & four;
        }
        Self { by_stones }
    }

    /// The empty points of the rows with `stones` stones, 1 to 4.
    #[inline]
    fn points(&self, stones: usize, step: usize, own: &[u64; WORDS]) -> [u64; WORDS] {
        let mut at = self.by_stones[stones - 1];
        let mut all = at;
        for _ in 1..5 {
            at = up(&at, step);
            all = std::array::from_fn(|i| all[i] | at[i]);
        }
        std::array::from_fn(|i| all[i] & !own[i])
    }
}

#[inline]
fn total<const WORDS: usize>(words: &[u64; WORDS]) -> i32 {
    words.iter().map(|word| word.count_ones() as i32).sum()
}

/// What one side has on the whole board.
struct Chances<const WORDS: usize> {
    /// Rows with 1, 2 and 3 stones.
    rows: [i32; 3],
    /// Points where it has five.
    fives: [u64; WORDS],
}

impl<const WORDS: usize> GomokuBoard<WORDS> {
    #[inline]
    fn steps(&self) -> [usize; 4] {
        let stride = self.stride();
        [1, stride - 1, stride, stride + 1]
    }

    /// The board without the stones of the side that is not `player`.
    #[inline]
    fn free_for(&self, player: usize) -> [u64; WORDS] {
        let board = super::lines::board::<WORDS>(self.size());
        std::array::from_fn(|i| board[i] & !self.stones[1 - player][i])
    }

    #[inline]
    fn chances(&self, player: usize) -> Chances<WORDS> {
        let (own, free) = (&self.stones[player], self.free_for(player));
        let mut chances = Chances { rows: [0; 3], fives: [0; WORDS] };
        for step in self.steps() {
            let rows = Rows::new(own, &free, step, self.rule);
            for (sum, words) in chances.rows.iter_mut().zip(&rows.by_stones) {
                *sum += total(words);
            }
            if rows.by_stones[3] != [0; WORDS] {
                let points = rows.points(4, step, own);
                chances.fives = std::array::from_fn(|i| chances.fives[i] | points[i]);
            }
        }
        chances
    }

    /// The points where `player` makes a four or a five.
    #[inline]
    fn fours(&self, player: usize) -> [u64; WORDS] {
        let (own, free) = (&self.stones[player], self.free_for(player));
        let mut fours = [0; WORDS];
        for step in self.steps() {
            let rows = Rows::new(own, &free, step, self.rule);
            for stones in [3, 4] {
                if rows.by_stones[stones - 1] != [0; WORDS] {
                    let points = rows.points(stones, step, own);
                    fours = std::array::from_fn(|i| fours[i] | points[i]);
                }
            }
        }
        fours
    }

    /// The features, or the value of a position that is as good as won or lost.
    #[inline]
    fn measure(&self) -> Result<[i32; NAMES.len()], i32> {
        let mover = self.mover();
        let (mine, theirs) = (self.chances(mover), self.chances(1 - mover));
        if mine.fives != [0; WORDS] {
            return Err(WON);
        }
        let fives = total(&theirs.fives);
        if fives > 1 {
            return Err(-WON);
        }
        let [one, two, three] = mine.rows;
        let [their_one, their_two, their_three] = theirs.rows;
        Ok([
            one,
            two,
            three,
            their_one,
            their_two,
            their_three,
            fives,
            i32::from(three > 0),
            i32::from(their_three > 0),
            i32::from(their_three > 2),
            1,
        ])
    }

    /// The rows of five through an empty point that `player` can still fill, by the stones there.
    fn rows_through(&self, player: usize, bit: usize) -> [i32; 5] {
        let has = |stones: &[u64; WORDS], bit: usize| {
            stones.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
        };
        let (own, free) = (&self.stones[player], self.free_for(player));
        let mut rows = [0; 5];
        for step in self.steps() {
            // Free points and stones four steps both ways, the point itself in the middle.
            let (mut open, mut held) = (1u32 << 4, 0u32);
            for k in 1..=4 {
                for (at, to) in
                    [(bit.checked_sub(k * step), 4 - k), (bit.checked_add(k * step), 4 + k)]
                {
                    let Some(at) = at else { continue };
                    open |= u32::from(has(&free, at)) << to;
                    held |= u32::from(has(own, at)) << to;
                }
            }
            for first in 0..5 {
                if open >> first & 31 == 31 {
                    rows[(held >> first & 31).count_ones() as usize] += 1;
                }
            }
        }
        rows
    }
}

impl<const WORDS: usize> Evaluate<GomokuBoard<WORDS>> for GomokuEvaluation {
    #[inline]
    fn evaluate(&self, state: &GomokuBoard<WORDS>) -> i32 {
        match state.measure() {
            Err(value) => value,
            Ok(features) => weigh(&self.weights, features).clamp(1 - WON, WON - 1),
        }
    }

    #[inline]
    fn win_rate(&self, value: i32) -> f64 {
        logistic(value)
    }

    /// By the rows of five through the point that either side can still fill: five, stopping
    /// five, four, stopping a four, and so on. Points that build or stop nothing are quiet.
    fn promise(&self, state: &GomokuBoard<WORDS>, mv: &Point) -> i32 {
        let (mover, bit) = (state.mover(), state.bit(*mv));
        let sum = |rows: [i32; 5], worth: [i32; 5]| -> i32 {
            rows.iter().zip(worth).map(|(rows, worth)| rows * worth).sum()
        };
        let own = sum(state.rows_through(mover, bit), [0, 2, 10, 60, 20_000]);
        let other = sum(state.rows_through(1 - mover, bit), [0, 1, 7, 40, 4_000]);
        own + other - QUIET
    }

    #[inline]
    fn slot(&self, state: &GomokuBoard<WORDS>, mv: &Point) -> Option<u16> {
        Some((512 * state.mover() + state.bit(*mv)) as u16)
    }

    /// Fives and fours.
    #[inline]
    fn noisy_moves(&self, state: &GomokuBoard<WORDS>, moves: &mut Vec<Point>) {
        for (i, word) in state.fours(state.mover()).into_iter().enumerate() {
            moves.extend(ones(word).map(|bit| state.point_of(64 * i + bit)));
        }
    }

    /// Whether the other side has five next.
    #[inline]
    fn is_forced(&self, state: &GomokuBoard<WORDS>) -> bool {
        state.chances(1 - state.mover()).fives != [0; WORDS]
    }
}

/// The promise of a move is above 0 if it builds or stops more than this, about a row of two.
const QUIET: i32 = 20;

impl<const WORDS: usize> Tunable<GomokuBoard<WORDS>> for GomokuEvaluation {
    fn names(&self) -> Vec<String> {
        NAMES.map(str::to_owned).to_vec()
    }

    fn weights(&self) -> &[i32] {
        &self.weights
    }

    fn with_weights(&self, weights: &[i32]) -> Option<Self> {
        Some(Self { weights: weights.try_into().ok()? })
    }

    fn features(&self, state: &GomokuBoard<WORDS>) -> Option<Vec<i32>> {
        state.measure().ok().map(|features| features.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::GomokuEvaluation;
    use crate::evaluate::Evaluate;
    use crate::game::{GameState, Notation, Outcome};
    use crate::games::Gomoku;
    use crate::games::gomoku::{GomokuBoard, LargeGomoku, Point, Rule};
    use crate::games::tuning::WON;
    use crate::rng::Rng;

    fn moves<const WORDS: usize>(state: &GomokuBoard<WORDS>) -> Vec<Point> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves
    }

    /// Whether a stone of the side to move on this point has won.
    fn wins<const WORDS: usize>(state: &GomokuBoard<WORDS>, mv: &Point) -> bool {
        state.apply(mv).outcome() == Some(Outcome::Win(state.mover()))
    }

    /// In random games on small boards: fives and fours are those that playing them shows.
    fn compare<const WORDS: usize>(start: &GomokuBoard<WORDS>, rng: &mut Rng) -> [u32; 3] {
        let evaluation = GomokuEvaluation::new();
        let mut seen = [0; 3];
        let mut state = *start;
        // The test plays out of turn, which takes points to spare.
        while state.outcome().is_none() && state.left() > 2 {
            let mover = state.mover();
            let all = moves(&state);
            let mut noisy = Vec::new();
            evaluation.noisy_moves(&state, &mut noisy);
            let mut passed = state;
            passed.plies += 1;
            let theirs = all.iter().filter(|mv| wins(&passed, mv)).count();
            let mine = all.iter().filter(|mv| wins(&state, mv)).count();
            for mv in &all {
                // A four: a second stone of the same side would win somewhere.
                let mut next = state.apply(mv);
                let four = next.outcome().is_none() && {
                    next.plies -= 1;
                    let before: Vec<Point> =
                        all.iter().copied().filter(|mv| wins(&state, mv)).collect();
                    moves(&next).iter().any(|five| wins(&next, five) && !before.contains(five))
                };
                assert_eq!(
                    noisy.contains(mv) || mine > 0,
                    four || wins(&state, mv) || mine > 0,
                    "{state:?} {mv:?}"
                );
                if wins(&state, mv) {
                    assert!(noisy.contains(mv) && evaluation.promise(&state, mv) > 10_000);
                }
            }
            assert_eq!(evaluation.is_forced(&state), theirs > 0, "{state:?}");
            let value = evaluation.evaluate(&state);
            seen[0] += u32::from(mine > 0);
            seen[1] += u32::from(theirs > 1 && mine == 0);
            seen[2] += u32::from(!noisy.is_empty());
            assert_eq!(value == WON, mine > 0, "{state:?}");
            assert_eq!(value == -WON, mine == 0 && theirs > 1, "{state:?}");
            // Stones close to each other, so that rows come up.
            let mv = *all
                .iter()
                .max_by_key(|mv| evaluation.promise(&state, mv) + rng.below(200) as i32)
                .unwrap();
            assert_eq!(mover, state.mover());
            state = state.apply(&mv);
        }
        seen
    }

    #[test]
    fn fives_and_fours_are_those_that_playing_shows() {
        let mut rng = Rng::from_seed(1);
        let mut seen = [0; 3];
        for game in 0..24 {
            let rule = [Rule::FiveOrMore, Rule::ExactlyFive][game % 2];
            let found = if game < 12 {
                compare(&Gomoku::new(8 + game % 3, rule).unwrap(), &mut rng)
            } else {
                compare(&LargeGomoku::new(10, rule).unwrap(), &mut rng)
            };
            for (sum, found) in seen.iter_mut().zip(found) {
                *sum += found;
            }
        }
        assert!(seen[0] > 10 && seen[1] > 0 && seen[2] > 50, "{seen:?}");
    }

    #[test]
    fn a_three_is_worth_more_than_scattered_stones() {
        let evaluation = GomokuEvaluation::new();
        let value = |moves: &str| {
            evaluation.evaluate(&Gomoku::parse_position(&format!("15: {moves}")).unwrap())
        };
        assert!(value("h8 a1 h9 o15 h10 c15") > value("h8 a1 j5 o15 e12 c15") + 100);
        assert!(value("h8 a1 h9 o15 h10") < value("h8 a1 j5 o15 e12") - 30);
    }
}
