//! Tic-tac-toe.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{GameState, Notation, NotationError, Outcome, RolloutPolicy};
use crate::games::bits::{Digits, ones};
use crate::games::reference::{GameInfo, ReferenceGame, assert_sizes};
use crate::rng::Rng;
use crate::solvable::Solvable;

/// Every square.
const BOARD: u16 = 0x1ff;

/// Rows, columns and diagonals; square `3 * row + column` is a bit.
const LINES: [u16; 8] = [0x007, 0x038, 0x1c0, 0x049, 0x092, 0x124, 0x111, 0x054];

/// Bit `s % 64` of word `s / 64` tells whether the squares `s` hold a line.
static WON: [u64; 8] = {
    let mut won = [0; 8];
    let mut squares = 0;
    while squares < 512 {
        let mut line = 0;
        while line < 8 {
            if squares & LINES[line] as usize == LINES[line] as usize {
                won[squares / 64] |= 1 << (squares % 64);
            }
            line += 1;
        }
        squares += 1;
    }
    won
};

/// Nibble `i` of entry `s` is the `i`-th of the squares `s`.
static SQUARES: [u64; 512] = {
    let mut lists = [0; 512];
    let mut squares = 0;
    while squares < 512 {
        let (mut square, mut length) = (0, 0);
        while square < 9 {
            if squares >> square & 1 == 1 {
                lists[squares] |= square << (4 * length);
                length += 1;
            }
            square += 1;
        }
        squares += 1;
    }
    lists
};

#[inline]
fn has_line(squares: u16) -> bool {
    WON[usize::from(squares / 64) & 7] >> (squares % 64) & 1 == 1
}

/// A tic-tac-toe position, in six bytes.
///
/// # Text
/// A position is nine characters `X`, `O`, `.`, row by row; X moves first, so the side to
/// move follows from the counts. A move is the number of its square, `1` to `9` row by
/// row.
///
/// # Examples
/// ```
/// use playtree::games::TicTacToe;
/// use playtree::{GameState, Notation, Outcome};
///
/// let position = TicTacToe::parse_position("XX.OO....")?;
/// let end = position.apply(&position.parse_move("3")?);
/// assert_eq!(end.outcome(), Some(Outcome::Win(0)));
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct TicTacToe {
    /// The squares of X and of O.
    squares: [u16; 2],
    plies: u8,
}

/// A move in tic-tac-toe: a square, numbered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Square(u8);

impl Square {
    /// The square `3 * row + column`; `None` beyond 8.
    #[must_use]
    pub fn new(index: usize) -> Option<Self> {
        (index < 9).then_some(Self(index as u8))
    }

    /// `3 * row + column`.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl TicTacToe {
    /// The empty board.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    #[inline]
    fn taken(&self) -> u16 {
        self.squares[0] | self.squares[1]
    }

    #[inline]
    fn won(&self) -> bool {
        has_line(self.squares[0]) || has_line(self.squares[1])
    }

    /// The player who has marked a square, 0 for X and 1 for O; `None` if it is free.
    #[must_use]
    pub fn marked_by(&self, square: Square) -> Option<usize> {
        (0..2).find(|&player: &usize| self.squares[player] >> square.index() & 1 == 1)
    }

    fn mark(&self, square: usize) -> char {
        match self.marked_by(Square(square as u8)) {
            Some(0) => 'X',
            Some(_) => 'O',
            None => '.',
        }
    }
}

impl GameState for TicTacToe {
    type Key = u32;
    type Move = Square;

    #[inline]
    fn key(&self) -> u32 {
        u32::from(self.squares[0]) << 16 | u32::from(self.squares[1])
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
    fn moves(&self, moves: &mut Vec<Square>) {
        if !self.won() {
            let free = u64::from(BOARD & !self.taken());
            moves.extend(ones(free).map(|square| Square(square as u8)));
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if has_line(self.squares[0]) {
            Some(Outcome::Win(0))
        } else if has_line(self.squares[1]) {
            Some(Outcome::Win(1))
        } else if self.taken() == BOARD {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline]
    fn apply(&self, mv: &Square) -> Self {
        let mut next = *self;
        next.squares[self.mover()] |= 1 << (mv.0 & 15);
        next.plies = self.plies.wrapping_add(1);
        next
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        TicTacToeRollouts
    }
}

/// How a search plays the game out.
struct TicTacToeRollouts;

impl RolloutPolicy<TicTacToe> for TicTacToeRollouts {
    #[inline]
    fn next_move(&self, state: &TicTacToe, rng: &mut Rng, _: &mut Vec<Square>) -> Option<Square> {
        if state.won() || state.taken() == BOARD {
            return None;
        }
        let list = SQUARES[usize::from(BOARD & !state.taken())];
        // A forged table may bring moves to a square that is taken.
        let choice = rng.below(9_usize.saturating_sub(usize::from(state.plies)).max(1));
        Some(Square((list >> (4 * choice) & 15) as u8))
    }

    #[inline]
    fn play(&self, state: &TicTacToe, rng: &mut Rng) -> Option<Outcome> {
        let mut free = SQUARES[usize::from(BOARD & !state.taken())];
        let mut mover = state.mover();
        let (mut own, mut other) = (state.squares[mover], state.squares[1 - mover]);
        // The order of all free squares takes one number: 9! is below 2^19.
        let mut digits = Digits::new(rng);
        for left in (1..=9_u32.saturating_sub(state.plies())).rev() {
            let shift = 4 * digits.below(left);
            own |= 1 << (free >> shift & 15);
            if has_line(own) {
                return Some(Outcome::Win(mover));
            }
            // The last free square takes the place of this one.
            let last = free >> (4 * (left - 1)) & 15;
            free = (free & !(15 << shift)) | last << shift;
            (own, other) = (other, own);
            mover ^= 1;
        }
        Some(Outcome::Draw)
    }
}

impl Solvable for TicTacToe {}

impl Notation for TicTacToe {
    fn position_text(&self) -> String {
        (0..9).map(|square| self.mark(square)).collect()
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let text = text.trim();
        let length = text.chars().count();
        if length != 9 {
            return Err(NotationError::new(
                "nine squares 'X', 'O' or '.'",
                format!("{length} in '{text}'"),
            ));
        }
        let mut squares = [0u16; 2];
        for (square, mark) in text.chars().enumerate() {
            match mark {
                'X' | 'x' => squares[0] |= 1 << square,
                'O' | 'o' => squares[1] |= 1 << square,
                '.' => {}
                _ => {
                    return Err(NotationError::new(
                        "'X', 'O' or '.'",
                        format!("'{mark}' on square {}", square + 1),
                    ));
                }
            }
        }
        let [x, o] = squares.map(u16::count_ones);
        if x != o && x != o + 1 {
            return Err(NotationError::new(
                "0 or 1 more 'X' than 'O'",
                format!("{x} 'X' and {o} 'O'"),
            ));
        }
        // The side that has a line made it with the last move.
        match squares.map(has_line) {
            [true, true] => Err(NotationError::new("a line of one side", "lines of both")),
            [true, false] if x == o => {
                Err(NotationError::new("no 'O' after the line of 'X'", format!("{x} of each")))
            }
            [false, true] if x != o => Err(NotationError::new(
                "no 'X' after the line of 'O'",
                format!("{x} 'X' and {o} 'O'"),
            )),
            _ => Ok(Self { squares, plies: (x + o) as u8 }),
        }
    }

    fn move_text(&self, mv: &Square) -> String {
        (mv.index() + 1).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Square, NotationError> {
        let text = text.trim();
        let square = match text.as_bytes() {
            [digit @ b'1'..=b'9'] => Square(digit - b'1'),
            _ => return Err(NotationError::new("a square, 1 to 9", format!("'{text}'"))),
        };
        if self.outcome().is_some() {
            let expected = "no move after the end of the game";
            return Err(NotationError::new(expected, format!("'{text}'")));
        }
        if self.taken() >> square.0 & 1 == 1 {
            return Err(NotationError::new("a free square", format!("the taken '{text}'")));
        }
        Ok(square)
    }

    fn board_text(&self) -> String {
        let text = self.position_text();
        [&text[..3], &text[3..6], &text[6..]].join("\n")
    }
}

impl ReferenceGame for TicTacToe {
    const INFO: GameInfo = GameInfo {
        name: "tictactoe",
        rules: "Three by three; X begins; three in a row, column or diagonal win.",
        start: ".........",
        board: Some([3, 3]),
        position_help: "nine characters X, O, . row by row; X is to move if X and O are equal in \
                        number",
        move_help: "the square 1 to 9, row by row",
    };
}

const _: () = assert_sizes::<TicTacToe>(6, 4);

impl fmt::Debug for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TicTacToe({:?})", self.position_text())
    }
}

#[cfg(test)]
mod tests {
    use super::TicTacToe;
    use crate::game::{GameState, Notation, Outcome};

    #[test]
    fn lines_and_draws() {
        for (text, outcome) in [
            ("XXXOO....", Some(Outcome::Win(0))),
            ("XX.OOOX..", Some(Outcome::Win(1))),
            ("XOXXOOOXX", Some(Outcome::Draw)),
            (".........", None),
        ] {
            assert_eq!(TicTacToe::parse_position(text).unwrap().outcome(), outcome, "{text}");
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        for (text, found) in [
            ("XX.......", "2 'X' and 0 'O'"),
            ("XXXOOO...", "lines of both"),
            ("XXXOO.O..", "3 of each"),
            ("XX.OOOX.X", "4 'X' and 3 'O'"),
            ("X..", "3 in 'X..'"),
            ("....?....", "'?' on square 5"),
        ] {
            assert_eq!(TicTacToe::parse_position(text).unwrap_err().found, found, "{text}");
        }
        let full = TicTacToe::parse_position("X........").unwrap();
        assert_eq!(full.parse_move("1").unwrap_err().found, "the taken '1'");
        assert_eq!(full.parse_move("0").unwrap_err().found, "'0'");
    }
}
