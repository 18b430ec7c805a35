//! Hex on boards from 2x2 to 19x19, of equal or unequal sides, with or without the swap rule.

mod board;
mod bridges;
mod joins;
mod rollouts;
mod text;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{
    GameState, MoveCodes, MoveCoding, Notation, NotationError, Outcome, RolloutPolicy,
};
use crate::games::bits::{each_word, members, ones};
use crate::games::hex::board::{Shape, reaches};
use crate::games::hex::rollouts::HexRollouts;
use crate::games::reference::{GameInfo, GameVisitor, ReferenceGame, assert_sizes};
use crate::proven::Proven;
use crate::save::GameTag;
use crate::solvable::{Limits, Method, Solvable, Worth};

pub use text::size_of_text;

/// Hex on boards up to 11x11, in 40 bytes.
pub type Hex = HexBoard<2>;

/// Hex on boards up to 19x19, in 104 bytes; for smaller boards [`Hex`] is faster.
pub type LargeHex = HexBoard<6>;

/// The fewest columns, and the fewest rows.
pub const MIN_SIZE: usize = 2;
/// The most columns, and the most rows.
pub const MAX_SIZE: usize = 19;
/// The board that is played on where none is named.
pub const DEFAULT_SIZE: usize = 11;

/// A Hex position whose stones fit in `WORDS` words a side: see [`Hex`] and [`LargeHex`].
///
/// The first player joins the top row to the bottom row, the second the left column to
/// the right one. Cell `(row, column)` of a board of `n` columns is bit `n * row + column` and
/// touches `(row - 1, column)`, `(row - 1, column + 1)`, `(row, column - 1)`,
/// `(row, column + 1)`, `(row + 1, column - 1)` and `(row + 1, column)`.
///
/// # The swap rule
/// On a board of equal sides the second player may have a choice
/// ([`with_swap`](Self::with_swap)): to answer the first stone with one of its own, or to take it
/// over. It then stands, as a stone of the second player, on the cell mirrored at the long
/// diagonal, and the first player is to move. The cell of the stone that is taken over is the move.
/// Rollouts do not swap.
///
/// # Text
/// A position is the board, the word `swap` if that rule holds, a colon, and the moves so far. The
/// board is its size where the sides are equal, otherwise columns and rows: `11: f6 e7`, `7x6: a1`,
/// `11 swap: a3 swap f6`. A cell is its column as a letter and its row as a number from the top; the
/// move `swap` may also be written `swap-pieces`. The state does not remember the order of the
/// moves, so [`position_text`](Notation::position_text) gives *some* order that leads to the
/// position.
///
/// # Examples
/// ```
/// use playtree::games::Hex;
/// use playtree::{GameState, Notation, Outcome};
///
/// let position = Hex::parse_position("3: b1 a1 b2 a2 b3")?;
/// assert_eq!(position.outcome(), Some(Outcome::Win(0)));
///
/// let swapped = Hex::parse_position("5 swap: a2 swap")?;
/// let taken = swapped.cell(0, 1).expect("b1 is on the board");
/// assert_eq!((swapped.stone(taken), swapped.mover()), (Some(1), 0));
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct HexBoard<const WORDS: usize> {
    /// The stones of the first and of the second player.
    stones: [[u64; WORDS]; 2],
    plies: u16,
    /// The plies after which the board is full.
    full_plies: u16,
    columns: u8,
    rows: u8,
    swap: Swap,
    /// The side that has just moved has won.
    won: bool,
}

/// What the swap rule has to do with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Swap {
    /// It does not hold.
    Never = 0,
    /// It holds: the second move may be a swap, or has been another one.
    Rule = 1,
    /// The second move was a swap.
    Done = 2,
}

/// A cell of the board, numbered row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cell(u16);

impl Cell {
    /// `columns * row + column`.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl<const WORDS: usize> HexBoard<WORDS> {
    /// The most columns, and the most rows, that fit.
    pub const MAX_SIZE: usize = match WORDS {
        2 => 11,
        6 => MAX_SIZE,
        _ => panic!("Hex boards have 2 or 6 words: use 'Hex' or 'LargeHex'"),
    };

    /// The empty board of `size` rows and columns, without the swap rule; `None` if the size is
    /// below [`MIN_SIZE`] or above [`Self::MAX_SIZE`].
    #[must_use]
    pub fn new(size: usize) -> Option<Self> {
        Self::with_sides(size, size)
    }

    /// The empty board of these sides, without the swap rule; `None` if one of them is below
    /// [`MIN_SIZE`] or above [`Self::MAX_SIZE`].
    #[must_use]
    pub fn with_sides(columns: usize, rows: usize) -> Option<Self> {
        let sizes = MIN_SIZE..=Self::MAX_SIZE;
        (sizes.contains(&columns) && sizes.contains(&rows)).then_some(Self {
            stones: [[0; WORDS]; 2],
            plies: 0,
            full_plies: (columns * rows) as u16,
            columns: columns as u8,
            rows: rows as u8,
            swap: Swap::Never,
            won: false,
        })
    }

    /// The same empty board with the swap rule; `None` if its sides are unequal or it has stones.
    #[must_use]
    pub fn with_swap(self) -> Option<Self> {
        let fits = self.columns == self.rows && self.plies == 0;
        fits.then_some(Self { swap: Swap::Rule, ..self })
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        usize::from(self.rows)
    }

    /// Whether the swap rule holds in this game.
    #[must_use]
    pub fn has_swap_rule(&self) -> bool {
        self.swap != Swap::Never
    }

    /// The stone that the side to move may take over, by the swap rule.
    #[must_use]
    pub fn swappable(&self) -> Option<Cell> {
        let offered = self.plies == 1 && self.swap == Swap::Rule;
        offered.then(|| members(&self.stones[0]).next().map(|bit| Cell(bit as u16))).flatten()
    }

    /// The position after the stone on `cell` was taken over.
    #[cold]
    fn swapped(&self, cell: Cell) -> Self {
        let (row, column) = (cell.index() / self.columns(), cell.index() % self.columns());
        let mirrored = self.columns() * column + row;
        let mut stones = [[0; WORDS]; 2];
        stones[1][mirrored / 64] |= 1 << (mirrored % 64);
        let full_plies = self.full_plies + 1;
        Self { stones, plies: 2, full_plies, swap: Swap::Done, ..*self }
    }

    /// The cell in `row` (from the top) and `column`, from 0; `None` beyond the board.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        let fits = row < self.rows() && column < self.columns();
        fits.then(|| Cell((self.columns() * row + column) as u16))
    }

    /// The player whose stone is on a cell; `None` if it is empty, or beyond the board.
    #[must_use]
    pub fn stone(&self, cell: Cell) -> Option<usize> {
        let (word, bit) = (cell.index() / 64, cell.index() % 64);
        (0..2)
            .find(|&player| self.stones[player].get(word).is_some_and(|word| word >> bit & 1 == 1))
    }

    #[inline]
    fn empty(&self) -> [u64; WORDS] {
        let full = Shape::<WORDS>::of(self.columns(), self.rows()).full;
        each_word(|i| full[i] & !(self.stones[0][i] | self.stones[1][i]))
    }

    /// The number of empty cells.
    #[inline]
    fn cells_left(&self) -> usize {
        usize::from(self.full_plies - self.plies)
    }

    #[inline]
    fn has_won(&self, player: usize) -> bool {
        reaches((self.columns(), self.rows()), player, self.stones[player])
    }
}

impl Default for Hex {
    /// The empty 11x11 board.
    fn default() -> Self {
        Self {
            stones: [[0; 2]; 2],
            plies: 0,
            full_plies: (DEFAULT_SIZE * DEFAULT_SIZE) as u16,
            columns: DEFAULT_SIZE as u8,
            rows: DEFAULT_SIZE as u8,
            swap: Swap::Never,
            won: false,
        }
    }
}

impl<const WORDS: usize> GameState for HexBoard<WORDS> {
    type Key = [[u64; WORDS]; 2];
    type Move = Cell;

    /// The stones. In the unused top bits stand the rows, and how the columns differ from them; and
    /// the swap rule, below them. After a swap the same stones have another side to move.
    #[inline]
    fn key(&self) -> Self::Key {
        let mut key = self.stones;
        key[0][WORDS - 1] |= u64::from(self.rows) << 59;
        key[1][WORDS - 1] |= u64::from(self.rows ^ self.columns) << 59 | (self.swap as u64) << 57;
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
    fn moves(&self, moves: &mut Vec<Cell>) {
        if !self.won {
            for (i, word) in self.empty().into_iter().enumerate() {
                moves.extend(ones(word).map(|bit| Cell((64 * i + bit) as u16)));
            }
            moves.extend(self.swappable());
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.won.then(|| Outcome::Win(1 - self.mover()))
    }

    #[inline]
    fn apply(&self, mv: &Cell) -> Self {
        if self.plies == 1 && self.swappable() == Some(*mv) {
            return self.swapped(*mv);
        }
        let mover = self.mover();
        let mut next = *self;
        next.stones[mover][mv.index() / 64 % WORDS] |= 1 << (mv.index() % 64);
        next.plies = self.plies.wrapping_add(1);
        // A chain from side to side takes a stone in each row, or in each column.
        let fewest = usize::from(self.rows.min(self.columns));
        next.won = usize::from(next.plies) + 1 >= 2 * fewest && next.has_won(mover);
        next
    }

    /// A loss where the side that has just moved is joined by bridges.
    #[inline]
    fn foreseen(&self) -> Option<Proven> {
        self.bridges_missing(1 - self.mover()).map(|bridges| Proven::Loss { plies: 2 * bridges })
    }

    /// A stone that is near to what is joined to either edge.
    #[inline]
    fn may_end(&self) -> impl Fn(&Cell) -> bool {
        let cells = self.joining_cells();
        move |mv| cells[mv.index() / 64 % WORDS] >> (mv.index() % 64) & 1 == 1
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        HexRollouts
    }

    fn move_codes() -> Option<MoveCoding<Self>> {
        Some(MoveCoding::of_game())
    }
}

impl<const WORDS: usize> MoveCodes for HexBoard<WORDS> {
    const CODES: usize = Self::MAX_SIZE * Self::MAX_SIZE;

    /// The cell.
    #[inline]
    fn move_code(&self, mv: &Cell) -> usize {
        mv.index()
    }
}

impl<const WORDS: usize> Solvable for HexBoard<WORDS> {
    const METHOD: Method = Method::ProofNumbers;

    /// A side wins that is joined by bridges, or is so after its next stone.
    fn limits(&self) -> Limits {
        let all = Limits::of_game::<Self>();
        let win = |plies| Limits { least: Worth::new(1, plies), ..all };
        if let Some(bridges) = self.bridges_missing(1 - self.mover()) {
            return Limits { most: Worth::new(-1, 2 * bridges), ..all };
        }
        if let Some(bridges) = self.bridges_missing(self.mover()) {
            return win(2 * bridges - 1);
        }
        self.bridges_missing_after_a_stone().map_or(all, |bridges| win(2 * bridges + 1))
    }

    /// What leaves few stones to be joined by bridges, and many to the other side.
    #[inline]
    fn promise(&self, _: &Cell, after: &Self) -> i32 {
        let mover = self.mover();
        after.stones_missing(1 - mover) - after.stones_missing(mover)
    }
}

impl ReferenceGame for Hex {
    const INFO: GameInfo = GameInfo {
        name: "hex",
        rules: "The first player joins the top to the bottom, the second the left to the right; \
                a cell touches six others. Sides of 2 to 19; with the swap rule the second player \
                may take the first stone over, mirrored at the long diagonal.",
        start: "11:",
        board: Some([11, 11]),
        position_help: "the size or columns and rows, swap if that rule holds, a colon and the \
                        moves so far, like 11: f6 e7, 7x6: d3 or 11 swap: a3 swap",
        move_help: "the column as a letter and the row as a number from the top, like f6, or swap",
    };

    /// Tells the board and the rule.
    fn tag(&self) -> GameTag {
        GameTag::new(format!("hex {}", self.head()), 1)
    }

    /// As [`Hex`] if the board fits in it, otherwise as [`LargeHex`].
    fn with_position<V: GameVisitor>(text: &str, visitor: V) -> Result<V::Output, NotationError> {
        if size_of_text(text)? <= Self::MAX_SIZE {
            Ok(visitor.visit(Self::parse_position(text)?))
        } else {
            LargeHex::with_position(text, visitor)
        }
    }
}

impl ReferenceGame for LargeHex {
    const INFO: GameInfo = Hex::INFO;

    /// Tells the board and the rule.
    fn tag(&self) -> GameTag {
        GameTag::new(format!("hex {}", self.head()), 1)
    }
}

const _: () = assert_sizes::<Hex>(40, 32);
const _: () = assert_sizes::<LargeHex>(104, 96);

impl<const WORDS: usize> fmt::Debug for HexBoard<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hex({:?})", self.position_text())
    }
}

#[cfg(test)]
mod tests {
    use super::{Hex, LargeHex};
    use crate::game::{GameState, Notation, Outcome};

    #[test]
    fn winners_of_small_boards() {
        for (text, outcome) in [
            ("2: a1 b1 a2", Some(Outcome::Win(0))),
            ("2: b1 a1 a2", Some(Outcome::Win(0))),
            ("2: a1 a2 b2 b1", Some(Outcome::Win(1))),
            ("2: a1 a2 b2", None),
            ("3: a1 b1 b2 a2 c3 a3", None),
            ("3: a1 a3 a2 b2 b1 c1", Some(Outcome::Win(1))),
        ] {
            let position = Hex::parse_position(text).unwrap();
            assert_eq!(position.outcome(), outcome, "{text}");
            let large = LargeHex::parse_position(text).unwrap();
            assert_eq!(large.outcome(), outcome, "{text}");
            assert_eq!(Hex::parse_position(&position.position_text()), Ok(position));
        }
    }

    #[test]
    fn keys_tell_sizes_apart() {
        assert_ne!(Hex::new(4).unwrap().key(), Hex::new(5).unwrap().key());
        assert_eq!(Hex::new(12), None);
        assert_eq!(Hex::new(1), None);
        assert_eq!(LargeHex::new(19).map(|board| board.columns()), Some(19));
        assert_ne!(Hex::with_sides(4, 6).unwrap().key(), Hex::with_sides(6, 4).unwrap().key());
        // Tables of boards of equal sides were saved with these keys.
        assert_eq!(Hex::default().key(), [[0, 11 << 59], [0, 0]]);
    }

    #[test]
    fn each_side_of_an_unequal_board_has_its_winner() {
        for (text, outcome) in [
            ("3x2: a1 b1 a2", Some(Outcome::Win(0))),
            ("3x2: a1 a2 b1 b2 c2 c1", Some(Outcome::Win(1))),
            ("3x2: a1 a2 b1 c2", None),
            ("2x3: a1 a2 b1 b2", Some(Outcome::Win(1))),
            ("2x3: b1 a1 b2 a2", None),
            ("2x3: b1 a1 b2 a2 b3", Some(Outcome::Win(0))),
        ] {
            let position = Hex::parse_position(text).unwrap();
            assert_eq!(position.outcome(), outcome, "{text}");
            assert_eq!(LargeHex::parse_position(text).unwrap().outcome(), outcome, "{text}");
            assert_eq!(Hex::parse_position(&position.position_text()), Ok(position));
        }
        assert_eq!((Hex::with_sides(1, 5), Hex::with_sides(5, 12)), (None, None));
    }

    #[test]
    fn the_first_stone_can_be_taken_over_once() {
        let start = Hex::new(4).unwrap().with_swap().unwrap();
        let first = start.cell(0, 2).unwrap();
        assert_eq!(start.swappable(), None);
        let offered = start.apply(&first);
        let mut moves = Vec::new();
        offered.moves(&mut moves);
        assert_eq!((moves.len(), moves.last()), (16, Some(&first)));
        let swapped = offered.apply(&first);
        // c1 is on a3 now, and all other cells are free.
        assert_eq!(swapped.stone(swapped.cell(2, 0).unwrap()), Some(1));
        moves.clear();
        swapped.moves(&mut moves);
        assert_eq!((moves.len(), moves.contains(&first), swapped.mover()), (15, true, 0));
        assert_eq!((swapped.swappable(), swapped.with_swap()), (None, None));
        let declined = offered.apply(&start.cell(3, 3).unwrap());
        assert_eq!((declined.swappable(), declined.mover()), (None, 0));
        assert_eq!(Hex::with_sides(4, 5).unwrap().with_swap(), None);
        // The same stones without a swap have another side to move, and another key.
        let answered = swapped.apply(&first);
        let usual = Hex::parse_position("4: c1 a3").unwrap();
        assert_eq!((answered.stones, answered.mover(), usual.mover()), (usual.stones, 1, 0));
        assert_ne!(answered.key(), usual.key());
    }

    #[test]
    fn a_game_after_a_swap_is_played_to_its_end() {
        // The stone on a2 makes the way from left to right that the second player needs.
        let position = Hex::parse_position("2 swap: b1 swap a1 b2").unwrap();
        assert_eq!(position.outcome(), Some(Outcome::Win(1)));
        let full = Hex::parse_position("2 swap: a1 swap b1 b2 a2").unwrap();
        assert_eq!((full.outcome(), full.cells_left()), (Some(Outcome::Win(0)), 0));
    }
}
