//! Connect Four on seven columns of six.

mod evaluation;
mod rollouts;
mod solving;

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::evaluate::Evaluate;
use crate::game::{GameState, Notation, NotationError, Outcome, RolloutPolicy};
use crate::games::bits::ones;
use crate::games::reference::{GameInfo, ReferenceGame, assert_sizes};
use crate::proven::Proven;

pub use evaluation::ConnectFourEvaluation;

const WIDTH: usize = 7;
const HEIGHT: usize = 6;
/// Bits from one column to the next: the seventh of each column is never set, so that no
/// line runs from one column's top into the next one's bottom.
const STRIDE: usize = HEIGHT + 1;
/// The lowest square of every column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// Every square.
const BOARD: u64 = (BOTTOM << HEIGHT) - BOTTOM;

/// A Connect Four position: seven columns of six, four in a row win.
///
/// The square in column `c` (0 to 6) and row `r` (0 at the bottom) is bit `7 c + r`. The
/// key is a `u64` that no other position has, the side to move included.
///
/// # Text
/// A position is the columns `1` to `7` in the order of play, empty for the start. The
/// state does not remember that order, so [`position_text`](Notation::position_text)
/// gives *some* order of play that leads to the position. A move is its column.
///
/// # Examples
/// ```
/// use playtree::games::ConnectFour;
/// use playtree::{GameState, Notation, Outcome};
///
/// let position = ConnectFour::parse_position("4455667")?;
/// assert_eq!(position.outcome(), Some(Outcome::Win(0)));
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct ConnectFour {
    /// Stones of the side to move.
    own: u64,
    /// Stones of both sides.
    all: u64,
    plies: u8,
    /// The side that has just moved has four in a row.
    won: bool,
}

/// A move in Connect Four: the column that the stone is dropped into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Column(u8);

impl Column {
    /// The column numbered 0 to 6 from the left; `None` beyond.
    #[must_use]
    pub fn new(index: usize) -> Option<Self> {
        (index < WIDTH).then_some(Self(index as u8))
    }

    /// The column's number, 0 to 6 from the left.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Whether the stones hold four in a row: vertical, the two diagonals, horizontal.
#[inline]
fn has_four(stones: u64) -> bool {
    let line = |step: usize| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step)
    };
    line(1) | line(STRIDE - 1) | line(STRIDE) | line(STRIDE + 1) != 0
}

impl ConnectFour {
    /// The empty board.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The stones of the first player and of the second; the square in column `c` and row `r`, from
    /// 0 at the bottom, is bit `7 c + r`.
    #[must_use]
    pub fn stones(&self) -> [u64; 2] {
        let other = self.all ^ self.own;
        if self.plies & 1 == 0 { [self.own, other] } else { [other, self.own] }
    }

    /// The squares where a stone could land, one in each column that has room.
    #[inline]
    fn landings(&self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    #[inline]
    fn drop_at(&self, landing: u64) -> Self {
        let mine = self.own | landing;
        Self {
            own: self.own ^ self.all,
            all: self.all | landing,
            plies: self.plies.wrapping_add(1),
            won: has_four(mine),
        }
    }

    /// The position before the stone on the top of `column` fell, if it was the last one
    /// and the game went on before it.
    fn take_back(&self, column: usize) -> Option<Self> {
        let squares = self.all & BOARD >> (STRIDE * (WIDTH - 1)) << (STRIDE * column);
        let top = squares & !(squares >> 1);
        let others = self.all ^ self.own;
        if top & others == 0 || has_four(others ^ top) {
            return None;
        }
        Some(Self { own: others ^ top, all: self.all ^ top, plies: self.plies - 1, won: false })
    }

    /// Columns that lead here when played from `line`'s end to its start. `dead` holds the
    /// positions on the way back that no game has passed through.
    fn history(&self, line: &mut Vec<u8>, dead: &mut HashSet<u64>) -> bool {
        if self.all == 0 {
            return true;
        }
        if dead.contains(&self.all) {
            return false;
        }
        for column in 0..WIDTH {
            if let Some(before) = self.take_back(column) {
                line.push(b'1' + column as u8);
                if before.history(line, dead) {
                    return true;
                }
                line.pop();
            }
        }
        dead.insert(self.all);
        false
    }
}

impl GameState for ConnectFour {
    type Key = u64;
    type Move = Column;

    /// In a column with `h` stones the stones add `2^h - 1`, and the mover's add at most the same
    /// once more: no two columns give the same seven bits.
    #[inline]
    fn key(&self) -> u64 {
        self.own + self.all
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
    fn moves(&self, moves: &mut Vec<Column>) {
        if !self.won {
            moves.extend(ones(self.landings()).map(|bit| Column((bit / STRIDE) as u8)));
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.won {
            Some(Outcome::Win(1 - self.mover()))
        } else if self.all == BOARD {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline]
    fn foreseen(&self) -> Option<Proven> {
        self.forced_end()
    }

    #[inline]
    fn apply(&self, mv: &Column) -> Self {
        let bottom = 1 << (STRIDE * mv.index());
        self.drop_at((self.all + bottom) & !self.all & BOARD)
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        rollouts::ConnectFourRollouts
    }
}

impl Notation for ConnectFour {
    fn position_text(&self) -> String {
        let mut line = Vec::new();
        let found = self.history(&mut line, &mut HashSet::new());
        debug_assert!(found, "every position is made by playing moves");
        line.iter().rev().map(|&digit| char::from(digit)).collect()
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let mut position = Self::new();
        for (at, digit) in text.trim().chars().enumerate() {
            let mv = position.parse_move(digit.encode_utf8(&mut [0; 4])).map_err(|error| {
                NotationError::new(error.expected, format!("{} as move {}", error.found, at + 1))
            })?;
            position.apply_in_place(&mv);
        }
        Ok(position)
    }

    fn move_text(&self, mv: &Column) -> String {
        (mv.index() + 1).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Column, NotationError> {
        let text = text.trim();
        let column = match text.as_bytes() {
            [digit @ b'1'..=b'7'] => Column(digit - b'1'),
            _ => return Err(NotationError::new("a column, 1 to 7", format!("'{text}'"))),
        };
        if self.outcome().is_some() {
            return Err(NotationError::new(
                "no move after the end of the game",
                format!("'{text}'"),
            ));
        }
        if self.landings() >> (STRIDE * column.index()) & 0x3f == 0 {
            return Err(NotationError::new("a column with room", format!("the full '{text}'")));
        }
        Ok(column)
    }

    fn board_text(&self) -> String {
        let first = if self.mover() == 0 { self.own } else { self.own ^ self.all };
        let mut text = String::new();
        for row in (0..HEIGHT).rev() {
            for column in 0..WIDTH {
                let bit = 1 << (STRIDE * column + row);
                text.push_str(match (self.all & bit != 0, first & bit != 0) {
                    (false, _) => ". ",
                    (true, true) => "X ",
                    (true, false) => "O ",
                });
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text + "1 2 3 4 5 6 7"
    }
}

impl ReferenceGame for ConnectFour {
    const INFO: GameInfo = GameInfo {
        name: "connect4",
        rules: "Seven columns of six; a stone falls to the lowest free square of its column; \
                four in a row, upright, level or slanting, win; a full board is a draw.",
        start: "",
        board: Some([7, 6]),
        position_help: "the columns 1 to 7 in the order of play, empty for the start",
        move_help: "the column 1 to 7",
    };

    fn evaluation() -> Option<Box<dyn Evaluate<Self>>> {
        Some(Box::new(ConnectFourEvaluation::new()))
    }
}

const _: () = assert_sizes::<ConnectFour>(24, 8);

impl fmt::Debug for ConnectFour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConnectFour({:?})", self.position_text())
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, ConnectFour};
    use crate::game::{GameState, Notation, Outcome};

    #[test]
    fn every_direction_wins() {
        let games = [
            ("1212121", 0),     // upright
            ("71627364", 1),    // level
            ("12234334544", 0), // rising
            ("76654554344", 0), // falling
        ];
        for (line, winner) in games {
            let position = ConnectFour::parse_position(line).unwrap();
            assert_eq!(position.outcome(), Some(Outcome::Win(winner)), "{line}");
            let before = ConnectFour::parse_position(&line[..line.len() - 1]).unwrap();
            assert_eq!(before.outcome(), None, "{line}");
        }
    }

    #[test]
    fn lines_do_not_wrap_round_the_edge() {
        // The first player holds the top three squares of column 1 and the bottom of 2.
        let position = ConnectFour::parse_position("21715117151").unwrap();
        assert_eq!(position.outcome(), None);
    }

    #[test]
    fn the_text_of_a_finished_game_reads_back() {
        for line in ["4455667", "12234334544", "1212121"] {
            let position = ConnectFour::parse_position(line).unwrap();
            assert!(position.outcome().is_some());
            assert_eq!(ConnectFour::parse_position(&position.position_text()), Ok(position));
        }
    }

    #[test]
    fn errors_say_where() {
        let error = ConnectFour::parse_position("448").unwrap_err();
        assert_eq!(error.to_string(), "expected a column, 1 to 7, found '8' as move 3");
        let error = ConnectFour::parse_position("1111111").unwrap_err();
        assert_eq!(error.to_string(), "expected a column with room, found the full '1' as move 7");
    }

    #[test]
    fn a_column_has_a_range() {
        assert_eq!(Column::new(6).map(Column::index), Some(6));
        assert_eq!(Column::new(7), None);
    }
}
