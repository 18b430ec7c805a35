//! What a position of Gomoku or another m,n,k-game is worth: the rows of `k` points that a side can
//! still fill, by how many stones it misses there.

use crate::evaluate::Evaluate;
use crate::game::GameState;
use crate::games::bits::{down, each_word, members, up};
use crate::games::tuning::{Tunable, WON, logistic, weigh};

use super::lines::has;
use super::{DEFAULT_K, GomokuBoard, Point, Rule};

/// The features: rows are those of `k` points with a stone of one side and none of the other.
const NAMES: [&str; 11] = [
    "rows of the side to move that miss four stones",
    "rows of the side to move that miss three stones",
    "rows of the side to move that miss two stones",
    "rows of the other side that miss four stones",
    "rows of the other side that miss three stones",
    "rows of the other side that miss two stones",
    "a row of the other side that misses one stone",
    "any row of the side to move that misses two stones",
    "any row of the other side that misses two stones",
    "three rows and more of the other side that miss two stones",
    "the move",
];

/// Fitted: see `docs/evaluations.md`.
const WEIGHTS: [i32; NAMES.len()] = [18, 165, 1436, -11, -146, -244, -1634, 123, -549, -1163, 265];

/// An evaluation of [`Gomoku`](super::Gomoku) and [`LargeGomoku`](super::LargeGomoku) by the
/// rows of `k` points that each side can still fill.
///
/// The unit is a hundredth of log odds: with a value of 100 the side to move wins in 73 of 100
/// games between equal players, `1 / (1 + e^-1)`. A position in which the side to move has `k` in a
/// row next, or cannot stop the other side, is worth 3000 or -3000.
///
/// The weights were fitted to five in a row on 15x15. With another `k` a row counts as a row of
/// five with the same number of missing stones, if there is a stone on it and at most four are
/// missing; the unit is a guess then.
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

/// How many stones are missing in each row of `k` points in one direction; a row is named by its
/// lowest bit.
struct Counts<const WORDS: usize> {
    /// The rows that can still be filled, perhaps without those that miss more than seven.
    open: [u64; WORDS],
    /// How many stones they miss, in binary digits from the lowest.
    missing: [[u64; WORDS]; 3],
    /// Those with a stone on their last point.
    last: [u64; WORDS],
}

impl<const WORDS: usize> Counts<WORDS> {
    #[inline]
    fn new(own: &[u64; WORDS], free: &[u64; WORDS], step: usize, k: usize) -> Self {
        let (mut open, mut last, mut at) = ([u64::MAX; WORDS], *own, *free);
        let mut missing = [[0; WORDS]; 3];
        for point in 0..k {
            if point > 0 {
                (last, at) = (down(&last, step), down(&at, step));
            }
            for i in 0..WORDS {
                let mut carry = !last[i];
                for digit in &mut missing {
                    (digit[i], carry) = (digit[i] ^ carry, digit[i] & carry);
                }
                open[i] &= at[i] & !carry;
            }
        }
        Self { open, missing, last }
    }

    /// The same for `k` = 5, faster.
    #[inline]
    fn of_five(own: &[u64; WORDS], free: &[u64; WORDS], step: usize) -> Self {
        let mut stones = [*own; 5];
        let (mut open, mut at) = (*free, *free);
        for point in 1..5 {
            stones[point] = down(&stones[point - 1], step);
            at = down(&at, step);
            open = each_word(|i| open[i] & at[i]);
        }
        let mut missing = [[0; WORDS]; 3];
        for i in 0..WORDS {
            let [a, b, c, d, e] = stones.map(|words| !words[i]);
            // Two full adders: the sum is `sum + 2 (carry ^ more) + 4 (carry & more)`.
            let carry = a & b | c & (a ^ b);
            let half = a ^ b ^ c;
            let more = half & d | e & (half ^ d);
            missing[0][i] = half ^ d ^ e;
            missing[1][i] = carry ^ more;
            missing[2][i] = carry & more;
        }
        Self { open, missing, last: stones[4] }
    }
}

/// The rows of `k` in one direction that a side has begun and can still fill, by the stones that
/// are missing there; each is named by its lowest bit.
struct Rows<const WORDS: usize> {
    /// Without 1, 2, 3 and 4 of the stones.
    by_missing: [[u64; WORDS]; 4],
}

impl<const WORDS: usize> Rows<WORDS> {
    #[inline(always)]
    fn new(own: &[u64; WORDS], free: &[u64; WORDS], step: usize, k: usize, rule: Rule) -> Self {
        let Counts { mut open, missing, last } = match k {
            DEFAULT_K => Counts::of_five(own, free, step),
            _ => Counts::new(own, free, step, k),
        };
        if rule == Rule::ExactlyK {
            // A stone on either end would make one more.
            let (before, after) = (up(own, step), down(&last, step));
            open = each_word(|i| open[i] & !(before[i] | after[i]));
        }
        let rows = |number: usize| {
            if number >= k {
                return [0; WORDS];
            }
            each_word(|i| {
                (0..3).fold(open[i], |rows, place| {
                    let digit = missing[place][i];
                    rows & if number >> place & 1 == 1 { digit } else { !digit }
                })
            })
        };
        Self { by_missing: [rows(1), rows(2), rows(3), rows(4)] }
    }

    /// The empty points of the rows of `k` that miss `missing` stones, 1 to 4.
    #[inline(always)]
    fn points(&self, missing: usize, step: usize, k: usize, own: &[u64; WORDS]) -> [u64; WORDS] {
        let mut at = self.by_missing[missing - 1];
        let mut all = at;
        for _ in 1..k {
            at = up(&at, step);
            all = each_word(|i| all[i] | at[i]);
        }
        each_word(|i| all[i] & !own[i])
    }
}

#[inline]
pub(super) fn total<const WORDS: usize>(words: &[u64; WORDS]) -> i32 {
    words.iter().map(|word| word.count_ones() as i32).sum()
}

/// What one side has on the whole board.
pub(super) struct Chances<const WORDS: usize> {
    /// Rows that miss 2, 3 and 4 stones.
    pub(super) rows: [i32; 3],
    /// Points where it has `k` in a row.
    pub(super) wins: [u64; WORDS],
}

impl<const WORDS: usize> GomokuBoard<WORDS> {
    /// The board without the stones of the side that is not `player`.
    #[inline]
    pub(super) fn free_for(&self, player: usize) -> [u64; WORDS] {
        let board = super::lines::board::<WORDS>(self.columns(), self.rows());
        each_word(|i| board[i] & !self.stones[1 - player][i])
    }

    #[inline]
    pub(super) fn chances(&self, player: usize) -> Chances<WORDS> {
        match self.k() {
            DEFAULT_K => self.chances_with(player, DEFAULT_K),
            k => self.chances_with(player, k),
        }
    }

    /// With a constant `k` this is code of its own, and faster.
    #[inline(always)]
    fn chances_with(&self, player: usize, k: usize) -> Chances<WORDS> {
        let (own, free) = (&self.stones[player], self.free_for(player));
        let mut chances = Chances { rows: [0; 3], wins: [0; WORDS] };
        for step in self.steps() {
            let rows = Rows::new(own, &free, step, k, self.rule);
            for (sum, words) in chances.rows.iter_mut().zip(&rows.by_missing[1..]) {
                *sum += total(words);
            }
            if rows.by_missing[0] != [0; WORDS] {
                let points = rows.points(1, step, k, own);
                chances.wins = each_word(|i| chances.wins[i] | points[i]);
            }
        }
        chances
    }

    /// The points where `player` has `k` in a row, or all but one stone of them.
    #[inline]
    fn threats(&self, player: usize) -> [u64; WORDS] {
        match self.k() {
            DEFAULT_K => self.threats_with(player, DEFAULT_K),
            k => self.threats_with(player, k),
        }
    }

    /// As `chances_with`.
    #[inline(always)]
    fn threats_with(&self, player: usize, k: usize) -> [u64; WORDS] {
        let (own, free) = (&self.stones[player], self.free_for(player));
        let mut threats = [0; WORDS];
        for step in self.steps() {
            let rows = Rows::new(own, &free, step, k, self.rule);
            for missing in [1, 2] {
                if rows.by_missing[missing - 1] != [0; WORDS] {
                    let points = rows.points(missing, step, k, own);
                    threats = each_word(|i| threats[i] | points[i]);
                }
            }
        }
        threats
    }

    /// The features, or the value of a position that is as good as won or lost.
    #[inline]
    fn measure(&self) -> Result<[i32; NAMES.len()], i32> {
        let mover = self.mover();
        let (mine, theirs) = (self.chances(mover), self.chances(1 - mover));
        if mine.wins != [0; WORDS] {
            return Err(WON);
        }
        let wins = total(&theirs.wins);
        if wins > 1 {
            return Err(-WON);
        }
        let [two, three, four] = mine.rows;
        let [their_two, their_three, their_four] = theirs.rows;
        Ok([
            four,
            three,
            two,
            their_four,
            their_three,
            their_two,
            wins,
            i32::from(two > 0),
            i32::from(their_two > 0),
            i32::from(their_two > 2),
            1,
        ])
    }

    /// To each point adds what the rows of `k` through it are worth that `player` has begun and can
    /// still fill: `worth[i]` where a stone on the point leaves `i` missing. As `chances_with`.
    #[inline(always)]
    fn add_rows(&self, player: usize, k: usize, worth: [i32; 4], sums: &mut [[i32; 64]; WORDS]) {
        let (own, free) = (&self.stones[player], self.free_for(player));
        for step in self.steps() {
            let rows = Rows::new(own, &free, step, k, Rule::KOrMore);
            for (rows, worth) in rows.by_missing.iter().zip(worth) {
                for row in members(rows) {
                    for bit in (row..).step_by(step).take(k) {
                        sums[bit / 64][bit % 64] += worth;
                    }
                }
            }
        }
    }

    /// What the rows of `k` through an empty point are worth that `player` has begun and can still
    /// fill: `worth[i]` where a stone on the point leaves `i` missing. As `chances_with`.
    #[inline(always)]
    fn rows_through(&self, player: usize, bit: usize, k: usize, worth: [i32; 4]) -> i32 {
        let (own, free) = (&self.stones[player], self.free_for(player));
        let mut sum = 0;
        for step in self.steps() {
            // Free points and stones `k - 1` steps both ways, the new one in the middle.
            let middle = k - 1;
            let (mut open, mut held) = (1u64 << middle, 1u64 << middle);
            for away in 1..k {
                for (at, to) in [
                    (bit.checked_sub(away * step), middle - away),
                    (bit.checked_add(away * step), middle + away),
                ] {
                    let Some(at) = at else { continue };
                    open |= u64::from(has(&free, at)) << to;
                    held |= u64::from(has(own, at)) << to;
                }
            }
            let row = (1 << k) - 1;
            for first in 0..k {
                let missing = k - (held >> first & row).count_ones() as usize;
                if open >> first & row == row && missing < middle {
                    sum += worth.get(missing).copied().unwrap_or(0);
                }
            }
        }
        sum
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

    /// By the rows of `k` through the point that either side can still fill: winning, stopping a
    /// win, all but one stone, stopping that, and so on. Points that build or stop nothing are
    /// quiet.
    fn promise(&self, state: &GomokuBoard<WORDS>, mv: &Point) -> i32 {
        let (mover, bit) = (state.mover(), state.bit(*mv));
        let sum = match state.k() {
            DEFAULT_K => {
                state.rows_through(mover, bit, DEFAULT_K, BUILDS)
                    + state.rows_through(1 - mover, bit, DEFAULT_K, STOPS)
            }
            k => {
                state.rows_through(mover, bit, k, BUILDS)
                    + state.rows_through(1 - mover, bit, k, STOPS)
            }
        };
        sum - QUIET
    }

    /// By the rows of the whole board, so that each is looked at once.
    fn promises(&self, state: &GomokuBoard<WORDS>, moves: &[Point], promises: &mut Vec<i32>) {
        let mover = state.mover();
        let mut sums = [[0; 64]; WORDS];
        for (player, worth) in [(mover, BUILDS), (1 - mover, STOPS)] {
            match state.k() {
                DEFAULT_K => state.add_rows(player, DEFAULT_K, worth, &mut sums),
                k => state.add_rows(player, k, worth, &mut sums),
            }
        }
        promises.extend(moves.iter().map(|&mv| {
            let bit = state.bit(mv);
            sums[bit / 64][bit % 64] - QUIET
        }));
    }

    #[inline]
    fn slot(&self, state: &GomokuBoard<WORDS>, mv: &Point) -> Option<u16> {
        Some((512 * state.mover() + state.bit(*mv)) as u16)
    }

    /// Points that win, or where one stone more would win.
    #[inline]
    fn noisy_moves(&self, state: &GomokuBoard<WORDS>, moves: &mut Vec<Point>) {
        moves.extend(members(&state.threats(state.mover())).map(|bit| state.point_of(bit)));
    }

    /// Whether the other side has `k` in a row next.
    #[inline]
    fn is_forced(&self, state: &GomokuBoard<WORDS>) -> bool {
        state.chances(1 - state.mover()).wins != [0; WORDS]
    }
}

/// What a stone promises for each row of the own side that it leaves without 0, 1, 2 and 3 stones.
const BUILDS: [i32; 4] = [20_000, 60, 10, 2];

/// The same for each row of the other side that it stops.
const STOPS: [i32; 4] = [4_000, 40, 7, 1];

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
            let mut promises = Vec::new();
            evaluation.promises(&state, &all, &mut promises);
            let one_by_one: Vec<_> = all.iter().map(|mv| evaluation.promise(&state, mv)).collect();
            assert_eq!(promises, one_by_one, "{state:?}");
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
            let rule = [Rule::KOrMore, Rule::ExactlyK][game % 2];
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
    fn other_rows_are_those_that_playing_shows() {
        let mut rng = Rng::from_seed(2);
        for board in ["3x3x3", "4x3x4", "5x7x3", "7x6x4", "3x9x5", "8x7x6", "9x3x8", "3x12x11"] {
            let mut seen = [0; 3];
            for game in 0..20 {
                let rule = ["", " exact"][game % 2];
                // Both sides have long rows already where many are asked for.
                let moves = match board {
                    "9x3x8" => "a1 a3 b1 b3 c1 c3 d1 d3 e1 e3 f1 f3",
                    "3x12x11" => "a2 c3 a3 c4 a4 c5 a5 c6 a6 c7 a7 c8 a8 c9 a9 c10",
                    _ => "",
                };
                let start = Gomoku::parse_position(&format!("{board}{rule}: {moves}")).unwrap();
                for (sum, found) in seen.iter_mut().zip(compare(&start, &mut rng)) {
                    *sum += found;
                }
            }
            assert!(seen[2] > 0, "{board}: {seen:?}");
        }
    }

    #[test]
    fn the_start_is_even_on_every_board() {
        let evaluation = GomokuEvaluation::new();
        for (columns, rows, k) in [(3, 3, 3), (15, 15, 3), (15, 4, 4), (15, 15, 5), (3, 15, 15)] {
            let start = Gomoku::mnk(columns, rows, k, Rule::KOrMore).unwrap();
            let usual = Gomoku::default();
            assert_eq!(evaluation.evaluate(&start), evaluation.evaluate(&usual));
            assert!(moves(&start).iter().all(|mv| evaluation.promise(&start, mv) <= 0));
        }
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
