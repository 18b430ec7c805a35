//! Gomoku on any board from 5x5 to 19x19, with five or more or with exactly five in a row.

mod evaluation;
mod lines;
mod text;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{GameState, Notation, Outcome};
use crate::games::bits::{Digits, ones, select};
use crate::rng::Rng;
use crate::solvable::Solvable;

use lines::{Lines, run};

pub use evaluation::GomokuEvaluation;
pub use text::size_of_text;

/// Gomoku on boards up to 15x15, in 72 bytes.
pub type Gomoku = GomokuBoard<4>;

/// Gomoku on boards up to 19x19, in 104 bytes; for smaller boards [`Gomoku`] is faster.
pub type LargeGomoku = GomokuBoard<6>;

/// The smallest board.
pub const MIN_SIZE: usize = 5;
/// The largest board.
pub const MAX_SIZE: usize = 19;
/// The board that is played on where none is named.
pub const DEFAULT_SIZE: usize = 15;

/// What wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five in a row or more, for both sides (freestyle).
    #[default]
    FiveOrMore,
    /// Exactly five in a row, for both sides: six do not count.
    ExactlyFive,
}

/// A Gomoku position whose stones fit in `WORDS` words a side: see [`Gomoku`] and
/// [`LargeGomoku`].
///
/// The first player (`X`, Black) begins anywhere; no point is forbidden. Five stones in a row,
/// upright, level or slanting, win by the [`Rule`] of the game; a full board is a draw.
///
/// The point in column `c` and row `r` (both from 0, `a1` at the lower left) of a board of size
/// `n` is bit `(n + 1) r + c`: the bit after each row is never set, so that no line runs round
/// the edge.
///
/// # Text
/// A position is the size, the word `exact` if exactly five win, a colon, and the moves so far:
/// `15: h8 i9`, `19 exact: j10`. A point is its column as a letter and its row as a number from
/// the bottom. The state does not remember the order of the moves, so
/// [`position_text`](Notation::position_text) gives *some* order that leads to the position.
///
/// # Examples
/// ```
/// use playtree::games::Gomoku;
/// use playtree::{GameState, Notation, Outcome};
///
/// let position = Gomoku::parse_position("15: h8 a1 h9 a2 h10 a3 h11 a4 h12")?;
/// assert_eq!(position.outcome(), Some(Outcome::Win(0)));
/// # Ok::<(), playtree::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct GomokuBoard<const WORDS: usize> {
    /// The stones of the first and of the second player.
    stones: [[u64; WORDS]; 2],
    plies: u16,
    size: u8,
    rule: Rule,
    /// The side that has just moved has won.
    won: bool,
}

/// A point of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Point {
    column: u8,
    row: u8,
}

impl Point {
    /// The column, from 0 on the left.
    #[must_use]
    pub fn column(self) -> usize {
        usize::from(self.column)
    }

    /// The row, from 0 at the bottom.
    #[must_use]
    pub fn row(self) -> usize {
        usize::from(self.row)
    }
}

impl<const WORDS: usize> GomokuBoard<WORDS> {
    /// The largest board that fits.
    pub const MAX_SIZE: usize = match WORDS {
        4 => 15,
        6 => MAX_SIZE,
        _ => panic!("Gomoku boards have 4 or 6 words: use `Gomoku` or `LargeGomoku`"),
    };

    /// The empty board of `size` rows and columns; `None` if the size is below
    /// [`MIN_SIZE`] or above [`Self::MAX_SIZE`].
    #[must_use]
    pub fn new(size: usize, rule: Rule) -> Option<Self> {
        (MIN_SIZE..=Self::MAX_SIZE).contains(&size).then_some(Self {
            stones: [[0; WORDS]; 2],
            plies: 0,
            size: size as u8,
            rule,
            won: false,
        })
    }

    /// The number of rows, and of columns.
    #[must_use]
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// What wins.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The point in `column` and `row`, from 0 at the lower left; `None` beyond the board.
    #[must_use]
    pub fn point(&self, column: usize, row: usize) -> Option<Point> {
        let size = self.size();
        (column < size && row < size).then_some(Point { column: column as u8, row: row as u8 })
    }

    /// Bits from one row to the next.
    #[inline]
    fn stride(&self) -> usize {
        self.size() + 1
    }

    #[inline]
    fn bit(&self, point: Point) -> usize {
        self.stride() * point.row() + point.column()
    }

    #[inline]
    fn point_of(&self, bit: usize) -> Point {
        let (bit, stride) = (bit as u32, self.stride() as u32);
        Point { column: (bit % stride) as u8, row: (bit / stride) as u8 }
    }

    /// The points with nothing on them.
    #[inline]
    fn empty(&self) -> [u64; WORDS] {
        let board = lines::board::<WORDS>(self.size());
        std::array::from_fn(|i| board[i] & !(self.stones[0][i] | self.stones[1][i]))
    }

    #[inline]
    fn left(&self) -> usize {
        self.size() * self.size() - usize::from(self.plies)
    }

    /// Whether a stone of `player` on `bit` is part of a row that wins.
    #[inline]
    fn wins(&self, player: usize, bit: usize) -> bool {
        let stride = self.stride();
        [1, stride - 1, stride, stride + 1].into_iter().any(|step| {
            let length = run(&self.stones[player], bit, step);
            length == 5 || length > 5 && self.rule == Rule::FiveOrMore
        })
    }
}

impl Default for Gomoku {
    /// The empty 15x15 board, where five or more win.
    fn default() -> Self {
        Self {
            stones: [[0; 4]; 2],
            plies: 0,
            size: DEFAULT_SIZE as u8,
            rule: Rule::FiveOrMore,
            won: false,
        }
    }
}

impl<const WORDS: usize> GameState for GomokuBoard<WORDS> {
    type Key = [[u64; WORDS]; 2];
    type Move = Point;

    /// The stones; the size stands in the unused top bits of the first player's, the rule in
    /// those of the second's.
    #[inline]
    fn key(&self) -> Self::Key {
        let mut key = self.stones;
        key[0][WORDS - 1] |= u64::from(self.size) << 59;
        key[1][WORDS - 1] |= u64::from(self.rule == Rule::ExactlyFive) << 59;
        key
    }

    #[inline]
    fn mover(&self) -> usize {
        usize::from(self.plies & 1)
    }

    #[inline]
    fn plies(&self) -> u32 {
        u32::from(self.plies)
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<Point>) {
        if !self.won {
            let size = self.size();
            let [first, second] = self.stones;
            for row in 0..size {
                let taken = lines::row(&first, size, row) | lines::row(&second, size, row);
                let free = u64::from(!taken & lines::full(size));
                let row = row as u8;
                moves.extend(ones(free).map(|column| Point { column: column as u8, row }));
            }
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.won {
            Some(Outcome::Win(1 - self.mover()))
        } else {
            (self.left() == 0).then_some(Outcome::Draw)
        }
    }

    #[inline]
    fn apply(&self, mv: &Point) -> Self {
        let mut next = *self;
        next.apply_in_place(mv);
        next
    }

    #[inline]
    fn apply_in_place(&mut self, mv: &Point) {
        let (mover, bit) = (self.mover(), self.bit(*mv));
        self.stones[mover][bit / 64 % WORDS] |= 1 << (bit % 64);
        self.plies = self.plies.wrapping_add(1);
        self.won = self.wins(mover, bit);
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _buffer: &mut Vec<Point>) -> Option<Point> {
        if self.won || self.left() == 0 {
            return None;
        }
        let mut k = rng.below(self.left());
        for (i, word) in self.empty().into_iter().enumerate() {
            let here = word.count_ones() as usize;
            if k < here {
                return Some(self.point_of(64 * i + select(word, k)));
            }
            k -= here;
        }
        None
    }

    /// Draws the points without looking for them, and keeps each line of the board in a word of
    /// its own, so that a stone asks four words whether it has won.
    #[inline]
    fn rollout(&self, rng: &mut Rng) -> Option<Outcome> {
        if self.won {
            return self.outcome();
        }
        let size = self.size();
        let mut sides = self.stones.map(|stones| Lines::new(&stones, size));
        let mut free = [(0, 0); MAX_SIZE * MAX_SIZE];
        let mut left = 0;
        for row in 0..size {
            let [first, second] = [&sides[0], &sides[1]].map(|lines| lines.row(row));
            for column in ones(u64::from(!(first | second) & lines::full(size))) {
                free[left] = (column as u8, row as u8);
                left += 1;
            }
        }
        let mut mover = self.mover();
        while left > 0 {
            let mut digits = Digits::new(rng);
            // At most four draws below 362: a bias below 2^-30.
            for _ in 0..left.min(4) {
                let at = digits.below(left as u32) as usize;
                let (column, row) = free[at];
                left -= 1;
                free[at] = free[left];
                if sides[mover].add(usize::from(column), usize::from(row), self.rule) {
                    return Some(Outcome::Win(mover));
                }
                mover ^= 1;
            }
        }
        Some(Outcome::Draw)
    }
}

impl<const WORDS: usize> Solvable for GomokuBoard<WORDS> {}

impl<const WORDS: usize> fmt::Debug for GomokuBoard<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gomoku({:?})", self.position_text())
    }
}

#[cfg(test)]
mod tests {
    use super::{Gomoku, LargeGomoku, Rule};
    use crate::game::{GameState, Notation, Outcome};

    /// Five stones of the first player in a line, the second's out of the way.
    fn line(points: [&str; 5]) -> Gomoku {
        let others = ["a1", "c1", "e1", "g1"];
        let mut text = "9:".to_owned();
        for (at, point) in points.iter().enumerate() {
            text = format!("{text} {point} {}", others.get(at).copied().unwrap_or(""));
        }
        Gomoku::parse_position(&text).unwrap()
    }

    #[test]
    fn every_direction_wins() {
        for points in [
            ["a3", "b3", "c3", "e3", "d3"],
            ["i5", "i9", "i8", "i7", "i6"],
            ["e5", "f6", "g7", "h8", "i9"],
            ["a9", "b8", "c7", "e5", "d6"],
        ] {
            assert_eq!(line(points).outcome(), Some(Outcome::Win(0)), "{points:?}");
        }
    }

    #[test]
    fn lines_do_not_run_round_the_edge() {
        for points in [
            ["f3", "g3", "h3", "i3", "a4"],
            ["g3", "h4", "i5", "a7", "b8"],
            ["c3", "b4", "a5", "i5", "h6"],
            ["g9", "h9", "i9", "a9", "b9"],
        ] {
            assert_eq!(line(points).outcome(), None, "{points:?}");
        }
    }

    #[test]
    fn six_in_a_row_win_by_one_rule_only() {
        let moves = "b2 a9 c2 c9 d2 e9 f2 g9 g2 i9 e2";
        let parse = |rule: &str| Gomoku::parse_position(&format!("9{rule}: {moves}")).unwrap();
        assert_eq!(parse("").outcome(), Some(Outcome::Win(0)));
        let exact = parse(" exact");
        assert_eq!((exact.outcome(), exact.rule()), (None, Rule::ExactlyFive));
        assert_ne!(exact.key(), parse("").key());
        // The order that the text gives must not pass through five.
        assert_eq!(Gomoku::parse_position(&exact.position_text()), Ok(exact));
    }

    #[test]
    fn keys_tell_sizes_apart_and_sizes_have_limits() {
        let small = |size| Gomoku::new(size, Rule::FiveOrMore);
        assert_ne!(small(14).unwrap().key(), small(15).unwrap().key());
        assert_eq!((small(4), small(16)), (None, None));
        assert_eq!(LargeGomoku::new(19, Rule::ExactlyFive).map(|board| board.size()), Some(19));
        assert_eq!(LargeGomoku::new(20, Rule::ExactlyFive), None);
        assert_eq!(small(15), Some(Gomoku::default()));
    }
}
