//! Gomoku and the other m,n,k-games: k stones in a row win on a board of m columns and n rows, up
//! to 20x20, with k or more or with exactly k.

mod evaluation;
mod lines;
mod rollouts;
mod solving;
mod text;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::evaluate::Evaluate;
use crate::game::{
    GameState, MoveCodes, MoveCoding, Notation, NotationError, Outcome, RolloutPolicy,
};
use crate::games::bits::{each_word, ones};
use crate::games::reference::{GameInfo, GameVisitor, ReferenceGame, assert_sizes};
use crate::save::GameTag;

use lines::run;
use rollouts::GomokuRollouts;

pub use evaluation::GomokuEvaluation;
pub use text::size_of_text;

/// Gomoku on boards up to 15x15, in 72 bytes.
pub type Gomoku = GomokuBoard<4>;

/// Gomoku on boards up to 20x20, in 120 bytes; for smaller boards [`Gomoku`] is faster.
pub type LargeGomoku = GomokuBoard<7>;

/// The fewest columns, rows, and stones in a row that win.
pub const MIN_SIZE: usize = 3;
/// The most columns, and the most rows.
pub const MAX_SIZE: usize = 20;
/// The board that is played on where none is named.
pub const DEFAULT_SIZE: usize = 15;
/// The stones in a row that win where nothing else is said.
pub const DEFAULT_K: usize = 5;

/// What wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// `k` in a row or more, for both sides (freestyle).
    #[default]
    KOrMore,
    /// Exactly `k` in a row, for both sides: a longer row does not count.
    ExactlyK,
}

/// A position of Gomoku or another m,n,k-game whose stones fit in `WORDS` words a side: see
/// [`Gomoku`] and [`LargeGomoku`].
///
/// The first player (`X`, Black) begins anywhere; no point is forbidden. `k` stones in a row,
/// upright, level or slanting, win by the [`Rule`] of the game; a full board is a draw. In Gomoku
/// `k` is 5 and the board square ([`new`](Self::new)); an m,n,k-game has `m` columns and `n` rows
/// ([`mnk`](Self::mnk)).
///
/// The point in column `c` and row `r` (both from 0, `a1` at the lower left) of a board of `m`
/// columns is bit `(m + 1) r + c`: no stone stands on the bit after each row, so that no line runs
/// round the edge.
///
/// # Text
/// A position is the board, the word `exact` if exactly `k` win, a colon, and the moves so far. The
/// board is its size where five in a row win on a square one, otherwise columns, rows and `k`:
/// `15: h8 i9`, `19 exact: j10`, `4x3x3: a1 b2`. A point is its column as a letter and its row as a
/// number from the bottom. The state does not remember the order of the moves, so
/// [`position_text`](Notation::position_text) gives *some* order that leads to the position.
///
/// # Examples
/// ```
/// use playtree::games::Gomoku;
/// use playtree::games::gomoku::Rule;
/// use playtree::{GameState, Notation, Outcome};
///
/// let position = Gomoku::parse_position("15: h8 a1 h9 a2 h10 a3 h11 a4 h12")?;
/// assert_eq!(position.outcome(), Some(Outcome::Win(0)));
///
/// let position = Gomoku::parse_position("4x3x3: b1 a1 b2 a2")?;
/// assert_eq!((position.columns(), position.rows(), position.k()), (4, 3, 3));
/// assert_eq!(Gomoku::mnk(4, 3, 3, Rule::KOrMore).map(|start| start.plies()), Some(0));
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct GomokuBoard<const WORDS: usize> {
    /// The stones of the first and of the second player.
    stones: [[u64; WORDS]; 2],
    plies: u16,
    columns: u8,
    rows: u8,
    k: u8,
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
    /// The most columns, and the most rows, that fit.
    pub const MAX_SIZE: usize = match WORDS {
        4 => 15,
        7 => MAX_SIZE,
        _ => panic!("Gomoku boards have 4 or 7 words: use 'Gomoku' or 'LargeGomoku'"),
    };

    /// The empty board of `size` rows and columns, where five in a row win; `None` if the size is
    /// below 5 or above [`Self::MAX_SIZE`].
    #[must_use]
    pub fn new(size: usize, rule: Rule) -> Option<Self> {
        Self::mnk(size, size, DEFAULT_K, rule)
    }

    /// The empty board where `k` in a row win; `None` if there are not [`MIN_SIZE`] to
    /// [`Self::MAX_SIZE`] columns and rows, or `k` is not from [`MIN_SIZE`] to the greater of both.
    #[must_use]
    pub fn mnk(columns: usize, rows: usize, k: usize, rule: Rule) -> Option<Self> {
        let sizes = MIN_SIZE..=Self::MAX_SIZE;
        let fits = sizes.contains(&columns) && sizes.contains(&rows);
        (fits && (MIN_SIZE..=columns.max(rows)).contains(&k)).then_some(Self {
            stones: [[0; WORDS]; 2],
            plies: 0,
            columns: columns as u8,
            rows: rows as u8,
            k: k as u8,
            rule,
            won: false,
        })
    }

    /// The number of columns, `m`.
    #[must_use]
    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    /// The number of rows, `n`.
    #[must_use]
    pub fn rows(&self) -> usize {
        usize::from(self.rows)
    }

    /// How many stones in a row win.
    #[must_use]
    pub fn k(&self) -> usize {
        usize::from(self.k)
    }

    /// What wins.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The point in `column` and `row`, from 0 at the lower left; `None` beyond the board.
    #[must_use]
    pub fn point(&self, column: usize, row: usize) -> Option<Point> {
        (column < self.columns() && row < self.rows())
            .then_some(Point { column: column as u8, row: row as u8 })
    }

    /// The player whose stone is on a point; `None` if it is empty, or beyond the board.
    #[must_use]
    pub fn stone(&self, point: Point) -> Option<usize> {
        let bit = self.bit(self.point(point.column(), point.row())?);
        (0..2).find(|&player| self.stones[player][bit / 64 % WORDS] >> (bit % 64) & 1 == 1)
    }

    /// Bits from one row to the next.
    #[inline]
    fn stride(&self) -> usize {
        self.columns() + 1
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
        let board = lines::board::<WORDS>(self.columns(), self.rows());
        each_word(|i| board[i] & !(self.stones[0][i] | self.stones[1][i]))
    }

    #[inline]
    fn left(&self) -> usize {
        self.columns() * self.rows() - usize::from(self.plies)
    }

    /// Whether five in a row win on a square board.
    #[inline]
    fn is_usual(&self) -> bool {
        self.rows == self.columns && self.k() == DEFAULT_K
    }

    /// What tells the key of an unusual board from those of others with the same number of columns:
    /// one bit for the number of rows, and one for `k`, in the column beyond the board, where no
    /// stone can stand.
    #[cold]
    fn marks(&self) -> [[u64; WORDS]; 2] {
        [self.rows(), self.k()].map(|number| {
            let bit = self.stride() * (number - MIN_SIZE) + self.columns();
            let mut words = [0; WORDS];
            words[bit / 64 % WORDS] = 1 << (bit % 64);
            words
        })
    }

    /// Whether a stone of `player` on `bit` is part of a row that wins.
    #[inline]
    fn wins(&self, player: usize, bit: usize) -> bool {
        self.steps().into_iter().any(|step| {
            let length = run(&self.stones[player], bit, step);
            length == self.k() || length > self.k() && self.rule == Rule::KOrMore
        })
    }

    /// Bits from one point of a line to the next, in each of the four directions.
    #[inline]
    fn steps(&self) -> [usize; 4] {
        let stride = self.stride();
        [1, stride - 1, stride, stride + 1]
    }

    /// Puts down a stone of the side to move.
    #[inline]
    fn set(&mut self, bit: usize) {
        let mover = self.mover();
        self.stones[mover][bit / 64 % WORDS] |= 1 << (bit % 64);
        self.plies = self.plies.wrapping_add(1);
        self.won = self.wins(mover, bit);
    }
}

impl Default for Gomoku {
    /// The empty 15x15 board, where five or more win.
    fn default() -> Self {
        Self {
            stones: [[0; 4]; 2],
            plies: 0,
            columns: DEFAULT_SIZE as u8,
            rows: DEFAULT_SIZE as u8,
            k: DEFAULT_K as u8,
            rule: Rule::KOrMore,
            won: false,
        }
    }
}

impl<const WORDS: usize> GameState for GomokuBoard<WORDS> {
    type Key = [[u64; WORDS]; 2];
    type Move = Point;

    /// The stones; the number of columns, which says where a point is, stands in the unused top
    /// bits of the first player's, the rule in those of the second's. The number of rows and `k`
    /// stand in the column beyond the board, unless five in a row win on a square one.
    #[inline]
    fn key(&self) -> Self::Key {
        let mut key = self.stones;
        key[0][WORDS - 1] |= u64::from(self.columns) << 59;
        key[1][WORDS - 1] |= u64::from(self.rule == Rule::ExactlyK) << 59;
        if !self.is_usual() {
            let marks = self.marks();
            key = [0, 1].map(|side| each_word(|i| key[side][i] | marks[side][i]));
        }
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

    /// Nothing comes again.
    #[inline]
    fn reversible_plies(&self) -> u32 {
        0
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<Point>) {
        if !self.won {
            let columns = self.columns();
            let [first, second] = self.stones;
            for row in 0..self.rows() {
                let taken = lines::row(&first, columns, row) | lines::row(&second, columns, row);
                let free = u64::from(!taken & lines::full(columns));
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
        self.set(self.bit(*mv));
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        GomokuRollouts
    }

    fn move_codes() -> Option<MoveCoding<Self>> {
        Some(MoveCoding::of_game())
    }
}

impl<const WORDS: usize> MoveCodes for GomokuBoard<WORDS> {
    const CODES: usize = 64 * WORDS;

    /// The point's bit.
    #[inline]
    fn move_code(&self, mv: &Point) -> usize {
        self.bit(*mv)
    }
}

impl ReferenceGame for Gomoku {
    const INFO: GameInfo = GameInfo {
        name: "gomoku",
        rules: "Five stones in a row, upright, level or slanting, win; a full board is a draw; \
                no point is forbidden. Sizes 5 to 20; six in a row win too, or not if exact. Or \
                an m,n,k-game: 3 to 20 columns and rows, and 3 stones in a row or more.",
        start: "15:",
        board: Some([15, 15]),
        position_help: "the size, the word exact if only exactly five win, a colon and the moves \
                        so far, like 15: h8 i9; for the size of an m,n,k-game columns, rows and \
                        stones in a row, like 4x3x3: b2",
        move_help: "the column as a letter and the row as a number from the bottom, like h8",
    };

    const VALUES_AT_ONCE: bool = true;

    fn evaluation() -> Option<Box<dyn Evaluate<Self>>> {
        Some(Box::new(GomokuEvaluation::new()))
    }

    /// As [`Gomoku`] if the board fits in it, otherwise as [`LargeGomoku`].
    fn with_position<V: GameVisitor>(text: &str, visitor: V) -> Result<V::Output, NotationError> {
        if size_of_text(text)? <= Self::MAX_SIZE {
            Ok(visitor.visit(Self::parse_position(text)?))
        } else {
            LargeGomoku::with_position(text, visitor)
        }
    }
}

impl ReferenceGame for LargeGomoku {
    const INFO: GameInfo = Gomoku::INFO;

    const VALUES_AT_ONCE: bool = true;

    // Compiled by who has such boards: it is a lot of code.
    #[inline]
    fn evaluation() -> Option<Box<dyn Evaluate<Self>>> {
        Some(Box::new(GomokuEvaluation::new()))
    }

    /// Its keys had six words before there were boards of 20 rows.
    fn tag(&self) -> GameTag {
        GameTag::new(Self::INFO.name, 2)
    }
}

const _: () = assert_sizes::<Gomoku>(72, 64);
const _: () = assert_sizes::<LargeGomoku>(120, 112);

impl<const WORDS: usize> fmt::Debug for GomokuBoard<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gomoku({:?})", self.position_text())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Gomoku, LargeGomoku, MAX_SIZE, MIN_SIZE, Rule};
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
        assert_eq!((exact.outcome(), exact.rule()), (None, Rule::ExactlyK));
        assert_ne!(exact.key(), parse("").key());
        // The order that the text gives must not pass through five.
        assert_eq!(Gomoku::parse_position(&exact.position_text()), Ok(exact));
    }

    #[test]
    fn as_many_in_a_row_win_as_the_board_says() {
        let outcome = |text: &str| Gomoku::parse_position(text).unwrap().outcome();
        assert_eq!(outcome("4x3x3: a1 a2 b2 b1 c3"), Some(Outcome::Win(0)));
        assert_eq!(outcome("4x3x4: a1 a2 b2 b1 c3"), None);
        assert_eq!(outcome("4x3x4: a1 a2 b1 b2 c3 c2 c1 d2"), Some(Outcome::Win(1)));
        assert_eq!(outcome("3x5x3 exact: a1 b1 a2 b2 a5 b4 a4 b5 a3"), None);
        assert_eq!(outcome("3x3x3: a1 b1 c1 a2 b2 a3 c2 c3 b3"), Some(Outcome::Draw));
        assert_eq!(outcome("7x15x6: a1 b1 a2 b2 a3 b3 a4 b4 a6 b6 a5"), Some(Outcome::Win(0)));
    }

    #[test]
    fn boards_have_limits() {
        let square = |size| Gomoku::new(size, Rule::KOrMore);
        assert_eq!((square(4), square(16)), (None, None));
        assert_eq!(square(15), Some(Gomoku::default()));
        let sizes = |board: LargeGomoku| (board.columns(), board.rows(), board.k());
        let mnk = |m, n, k| LargeGomoku::mnk(m, n, k, Rule::ExactlyK).map(sizes);
        assert_eq!(LargeGomoku::new(20, Rule::ExactlyK).map(sizes), mnk(20, 20, 5));
        assert_eq!(mnk(3, 20, 20), Some((3, 20, 20)));
        assert_eq!(
            (mnk(21, 20, 5), mnk(20, 21, 5), mnk(2, 3, 3), mnk(3, 2, 3)),
            (None, None, None, None)
        );
        assert_eq!((mnk(4, 3, 2), mnk(4, 3, 5)), (None, None));
        let small = |m, n| Gomoku::mnk(m, n, 5, Rule::KOrMore).is_some();
        assert!(small(15, 3) && small(3, 15) && !small(16, 3) && !small(3, 16));
    }

    #[test]
    fn the_usual_keys_stay_as_they_are() {
        let key = |text: &str| Gomoku::parse_position(text).unwrap().key();
        assert_eq!(key("15: h8 i9"), [[0, 1 << 55, 0, 15 << 59], [0, 0, 1 << 8, 0]]);
        assert_eq!(key("9 exact: a1"), [[1, 0, 0, 9 << 59], [0, 0, 0, 1 << 59]]);
    }

    #[test]
    fn keys_tell_all_boards_apart() {
        let (mut keys, mut positions) = (HashSet::new(), 0);
        let sizes = MIN_SIZE..=MAX_SIZE;
        for (columns, rows) in sizes.clone().flat_map(|m| sizes.clone().map(move |n| (m, n))) {
            for k in MIN_SIZE..=columns.max(rows) {
                for rule in [Rule::KOrMore, Rule::ExactlyK] {
                    let board = LargeGomoku::mnk(columns, rows, k, rule).unwrap();
                    let mut points = Vec::new();
                    board.moves(&mut points);
                    // One stone of each side, and on small boards the one of the first anywhere.
                    points.truncate(if columns * rows < 30 { 30 } else { 2 });
                    for first in &points {
                        let after = board.apply(first);
                        let second = after.apply(points.iter().find(|&mv| mv != first).unwrap());
                        keys.extend([after.key(), second.key()]);
                        positions += 2;
                    }
                    keys.insert(board.key());
                    positions += 1;
                }
            }
        }
        assert_eq!(keys.len(), positions);
    }
}
