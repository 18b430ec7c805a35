//! Hex on any board from 2x2 to 19x19.

mod board;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{
    GameState, MoveCodes, MoveCoding, Notation, NotationError, Outcome, Played, RolloutPolicy,
};
use crate::games::bits::{each_word, members, ones, select};
use crate::games::hex::board::{Shape, count, reaches};
use crate::games::reference::{GameInfo, GameVisitor, ReferenceGame, assert_sizes};
use crate::games::text::play;
use crate::rng::Rng;
use crate::save::GameTag;
use crate::solvable::Solvable;

/// Hex on boards up to 11x11, in 40 bytes.
pub type Hex = HexBoard<2>;

/// Hex on boards up to 19x19, in 104 bytes; for smaller boards [`Hex`] is faster.
pub type LargeHex = HexBoard<6>;

/// The smallest board.
pub const MIN_SIZE: usize = 2;
/// The largest board.
pub const MAX_SIZE: usize = 19;
/// The board that is played on where none is named.
pub const DEFAULT_SIZE: usize = 11;

/// A Hex position whose stones fit in `WORDS` words a side: see [`Hex`] and [`LargeHex`].
///
/// The first player joins the top row to the bottom row, the second the left column to
/// the right one; there is no swap. Cell `(row, column)` of a board of size `n` is bit
/// `n * row + column` and touches `(row - 1, column)`, `(row - 1, column + 1)`,
/// `(row, column - 1)`, `(row, column + 1)`, `(row + 1, column - 1)` and
/// `(row + 1, column)`.
///
/// # Text
/// A position is the size, a colon, and the moves so far: `11: f6 e7`. A cell is its
/// column as a letter and its row as a number from the top. The state does not remember
/// the order of the moves, so [`position_text`](Notation::position_text) gives *some*
/// order that leads to the position.
///
/// # Examples
/// ```
/// use playtree::games::Hex;
/// use playtree::{GameState, Notation, Outcome};
///
/// let position = Hex::parse_position("3: b1 a1 b2 a2 b3")?;
/// assert_eq!(position.outcome(), Some(Outcome::Win(0)));
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct HexBoard<const WORDS: usize> {
    /// The stones of the first and of the second player.
    stones: [[u64; WORDS]; 2],
    plies: u16,
    size: u8,
    /// The side that has just moved has won.
    won: bool,
}

/// A cell of the board, numbered row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cell(u16);

impl Cell {
    /// `size * row + column`.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl<const WORDS: usize> HexBoard<WORDS> {
    /// The largest board that fits.
    pub const MAX_SIZE: usize = match WORDS {
        2 => 11,
        6 => MAX_SIZE,
        _ => panic!("Hex boards have 2 or 6 words: use 'Hex' or 'LargeHex'"),
    };

    /// The empty board of `size` rows and columns; `None` if the size is below
    /// [`MIN_SIZE`] or above [`Self::MAX_SIZE`].
    #[must_use]
    pub fn new(size: usize) -> Option<Self> {
        (MIN_SIZE..=Self::MAX_SIZE).contains(&size).then_some(Self {
            stones: [[0; WORDS]; 2],
            plies: 0,
            size: size as u8,
            won: false,
        })
    }

    /// The number of rows, and of columns.
    #[must_use]
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The cell in `row` (from the top) and `column`, from 0; `None` beyond the board.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        let size = self.size();
        (row < size && column < size).then_some(Cell((size * row + column) as u16))
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
        let full = Shape::<WORDS>::of(self.size()).full;
        each_word(|i| full[i] & !(self.stones[0][i] | self.stones[1][i]))
    }

    #[inline]
    fn has_won(&self, player: usize) -> bool {
        reaches(self.size(), player, self.stones[player])
    }
}

impl Default for Hex {
    /// The empty 11x11 board.
    fn default() -> Self {
        Self { stones: [[0; 2]; 2], plies: 0, size: DEFAULT_SIZE as u8, won: false }
    }
}

/// A uniformly random set bit of `words`, which must have `ones` of them.
#[inline]
fn random_cell<const WORDS: usize>(words: &[u64; WORDS], ones: usize, rng: &mut Rng) -> usize {
    let mut k = rng.below(ones);
    for (i, &word) in words.iter().enumerate() {
        let here = word.count_ones() as usize;
        if k < here {
            return 64 * i + select(word, k);
        }
        k -= here;
    }
    0
}

impl<const WORDS: usize> GameState for HexBoard<WORDS> {
    type Key = [[u64; WORDS]; 2];
    type Move = Cell;

    /// The stones; the size stands in the unused top bits of the first player's.
    #[inline]
    fn key(&self) -> Self::Key {
        let mut key = self.stones;
        key[0][WORDS - 1] |= u64::from(self.size) << 59;
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
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.won.then(|| Outcome::Win(1 - self.mover()))
    }

    #[inline]
    fn apply(&self, mv: &Cell) -> Self {
        let mover = self.mover();
        let mut next = *self;
        next.stones[mover][mv.index() / 64 % WORDS] |= 1 << (mv.index() % 64);
        next.plies = self.plies.wrapping_add(1);
        // A chain from side to side takes at least `size` stones.
        next.won = usize::from(next.plies) + 1 >= 2 * self.size() && next.has_won(mover);
        next
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

/// How a search plays the game out.
struct HexRollouts;

impl<const WORDS: usize> RolloutPolicy<HexBoard<WORDS>> for HexRollouts {
    #[inline]
    fn next_move(&self, state: &HexBoard<WORDS>, rng: &mut Rng, _: &mut Vec<Cell>) -> Option<Cell> {
        if state.won {
            return None;
        }
        let left = state.size() * state.size() - usize::from(state.plies);
        Some(Cell(random_cell(&state.empty(), left, rng) as u16))
    }

    /// Fills the board. A full board has exactly one winner, who had won before it was
    /// full or not, and each way to share out the empty cells is equally likely: so who
    /// wins has the same distribution as in play that stops at the win.
    #[inline]
    fn play(&self, state: &HexBoard<WORDS>, rng: &mut Rng) -> Option<Outcome> {
        if state.won {
            return state.outcome();
        }
        Some(state.winner_with(state.fill(rng)))
    }

    /// As [`rollout`](Self::rollout): the moves are those that fill the board.
    #[inline]
    fn play_noting(
        &self,
        state: &HexBoard<WORDS>,
        rng: &mut Rng,
        played: &mut Played,
    ) -> Option<Outcome> {
        if state.won {
            return state.outcome();
        }
        let (empty, first) = (state.empty(), state.fill(rng));
        for (word, (empty, first)) in empty.into_iter().zip(first).enumerate() {
            played.note_all(0, word, first);
            played.note_all(1, word, empty & !first);
        }
        Some(state.winner_with(first))
    }
}

impl<const WORDS: usize> HexBoard<WORDS> {
    /// Shares out the empty cells at random: those of the first player.
    #[inline]
    fn fill(&self, rng: &mut Rng) -> [u64; WORDS] {
        let empty = self.empty();
        let left = self.size() * self.size() - usize::from(self.plies);
        // The first player's share: the side to move gets the odd cell.
        let share = (left + usize::from(self.mover() == 0)) / 2;
        // Toss a coin for each cell, then move single cells, each equally likely, until
        // the share is right: the set is uniform among those of its size throughout.
        let mut first: [u64; WORDS] = each_word(|i| empty[i] & rng.next_u64());
        let mut got = count(&first);
        while got > share {
            let cell = random_cell(&first, got, rng);
            first[cell / 64] ^= 1 << (cell % 64);
            got -= 1;
        }
        while got < share {
            let rest: [u64; WORDS] = each_word(|i| empty[i] & !first[i]);
            let cell = random_cell(&rest, left - got, rng);
            first[cell / 64] ^= 1 << (cell % 64);
            got += 1;
        }
        first
    }

    /// How a game ends in which the first player fills these cells and the second one the others.
    #[inline]
    fn winner_with(&self, first: [u64; WORDS]) -> Outcome {
        let first: [u64; WORDS] = each_word(|i| first[i] | self.stones[0][i]);
        Outcome::Win(usize::from(!reaches(self.size(), 0, first)))
    }
}

impl<const WORDS: usize> Solvable for HexBoard<WORDS> {}

/// Reads the size before the colon: which of [`Hex`] and [`LargeHex`] a text asks for.
///
/// # Errors
/// If the text does not begin with a size from [`MIN_SIZE`] to [`MAX_SIZE`] and a colon.
pub fn size_of_text(text: &str) -> Result<usize, NotationError> {
    let expected = || format!("a board size, {MIN_SIZE} to {MAX_SIZE}, and a colon");
    let Some((size, _)) = text.split_once(':') else {
        return Err(NotationError::new(expected(), format!("'{}'", text.trim())));
    };
    match size.trim().parse() {
        Ok(found) if (MIN_SIZE..=MAX_SIZE).contains(&found) => Ok(found),
        _ => Err(NotationError::new(expected(), format!("'{}:'", size.trim()))),
    }
}

impl<const WORDS: usize> HexBoard<WORDS> {
    /// The stones of `player` in an order of play: at the end of the game the winner's
    /// last stone is one without which he had not won.
    fn ordered(&self, player: usize) -> Vec<usize> {
        let mut cells: Vec<usize> = members(&self.stones[player]).collect();
        if self.won && player != self.mover() {
            let decisive = cells.iter().position(|cell| {
                let mut before = *self;
                before.stones[player][cell / 64] ^= 1 << (cell % 64);
                !before.has_won(player)
            });
            debug_assert!(decisive.is_some(), "the last stone has won");
            if let Some(at) = decisive {
                let last = cells.remove(at);
                cells.push(last);
            }
        }
        cells
    }

    /// The cell's name: its column as a letter, its row as a number from the top.
    fn name(&self, cell: usize) -> String {
        let (row, column) = (cell / self.size(), cell % self.size());
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }

    fn parse_cell(&self, text: &str) -> Option<Cell> {
        let column = text.bytes().next()?.to_ascii_lowercase().checked_sub(b'a')?;
        let row = text.get(1..).filter(|row| row.bytes().all(|digit| digit.is_ascii_digit()))?;
        let row: usize = row.parse().ok()?;
        self.cell(row.checked_sub(1)?, usize::from(column))
    }
}

impl<const WORDS: usize> Notation for HexBoard<WORDS> {
    fn position_text(&self) -> String {
        let [first, second] = [self.ordered(0), self.ordered(1)];
        let mut text = format!("{}:", self.size());
        for ply in 0..usize::from(self.plies) {
            let cell = if ply % 2 == 0 { first[ply / 2] } else { second[ply / 2] };
            text.push(' ');
            text.push_str(&self.name(cell));
        }
        text
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let size = size_of_text(text)?;
        let position = Self::new(size).ok_or_else(|| {
            NotationError::new(format!("a board size up to {}", Self::MAX_SIZE), size)
        })?;
        let moves = text.split_once(':').map_or("", |(_, moves)| moves);
        play(position, moves)
    }

    fn move_text(&self, mv: &Cell) -> String {
        self.name(mv.index())
    }

    fn parse_move(&self, text: &str) -> Result<Cell, NotationError> {
        let text = text.trim();
        let Some(cell) = self.parse_cell(text) else {
            let last = self.name(self.size() * self.size() - 1);
            return Err(NotationError::new(format!("a cell, a1 to {last}"), format!("'{text}'")));
        };
        if self.won {
            return Err(NotationError::new(
                "no move after the end of the game",
                format!("'{text}'"),
            ));
        }
        if self.empty()[cell.index() / 64] >> (cell.index() % 64) & 1 == 0 {
            return Err(NotationError::new("an empty cell", format!("the taken '{text}'")));
        }
        Ok(cell)
    }

    fn board_text(&self) -> String {
        let size = self.size();
        let mut text = String::from(" ");
        for column in 0..size {
            text.push(' ');
            text.push(char::from(b'a' + column as u8));
        }
        for row in 0..size {
            text.push_str(&format!("\n{}{:2}", " ".repeat(row), row + 1));
            for column in 0..size {
                let cell = size * row + column;
                let taken = |player: usize| self.stones[player][cell / 64] >> (cell % 64) & 1 == 1;
                text.push_str(match (taken(0), taken(1)) {
                    (true, _) => " X",
                    (_, true) => " O",
                    _ => " .",
                });
            }
        }
        text
    }
}

impl ReferenceGame for Hex {
    const INFO: GameInfo = GameInfo {
        name: "hex",
        rules: "The first player joins the top to the bottom, the second the left to the right; \
                a cell touches six others; no swap. Sizes 2 to 19.",
        start: "11:",
        board: Some([11, 11]),
        position_help: "the size, a colon and the moves so far, like 11: f6 e7",
        move_help: "the column as a letter and the row as a number from the top, like f6",
    };

    /// Tells the size.
    fn tag(&self) -> GameTag {
        GameTag::new(format!("hex {}", self.size()), 1)
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

    /// Tells the size.
    fn tag(&self) -> GameTag {
        GameTag::new(format!("hex {}", self.size()), 1)
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
    use super::{Hex, LargeHex, size_of_text};
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
    fn errors_say_where() {
        let text = |text: &str| Hex::parse_position(text).unwrap_err().to_string();
        assert_eq!(text("f6"), "expected a board size, 2 to 19, and a colon, found 'f6'");
        assert_eq!(text("20:"), "expected a board size, 2 to 19, and a colon, found '20:'");
        assert_eq!(text("13:"), "expected a board size up to 11, found 13");
        assert_eq!(text("5: a1 f1"), "expected a cell, a1 to e5, found 'f1' as move 2");
        assert_eq!(text("5: a1 A1"), "expected an empty cell, found the taken 'A1' as move 2");
        assert_eq!(text("5: a1 é"), "expected a cell, a1 to e5, found 'é' as move 2");
        assert_eq!(size_of_text("  7 : a1"), Ok(7));
    }

    #[test]
    fn keys_tell_sizes_apart() {
        assert_ne!(Hex::new(4).unwrap().key(), Hex::new(5).unwrap().key());
        assert_eq!(Hex::new(12), None);
        assert_eq!(Hex::new(1), None);
        assert_eq!(LargeHex::new(19).map(|board| board.size()), Some(19));
    }
}
