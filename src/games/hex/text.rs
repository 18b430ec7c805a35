//! How positions and moves of Hex are written.

use crate::game::{GameState, Notation, NotationError};
use crate::games::bits::members;
use crate::games::hex::{Cell, HexBoard, MAX_SIZE, MIN_SIZE, Swap};
use crate::games::text::play;

/// What a text says before the colon.
struct Head {
    columns: usize,
    rows: usize,
    /// Whether the swap rule holds.
    swap: bool,
}

/// Reads what stands before the colon, and hands on what stands behind it.
fn head(text: &str) -> Result<(Head, &str), NotationError> {
    let expected = || {
        format!(
            "a board, a size or columns and rows like 7x6 (each from {MIN_SIZE} to {MAX_SIZE}), \
             perhaps 'swap' after equal ones, and a colon"
        )
    };
    let Some((board, moves)) = text.split_once(':') else {
        return Err(NotationError::new(expected(), format!("'{}'", text.trim())));
    };
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.then(|| text.parse().ok()).flatten();
        number.filter(|number| (MIN_SIZE..=MAX_SIZE).contains(number))
    };
    let read = || {
        let mut words = board.split_whitespace();
        let sides = words.next()?;
        let (columns, rows) = sides.split_once('x').unwrap_or((sides, sides));
        let (columns, rows) = (number(columns)?, number(rows)?);
        let swap = match (words.next(), words.next()) {
            (None, _) => false,
            (Some(word), None) if columns == rows => {
                word.eq_ignore_ascii_case(SWAP).then_some(true)?
            }
            _ => return None,
        };
        Some((Head { columns, rows, swap }, moves))
    };
    read().ok_or_else(|| NotationError::new(expected(), format!("'{}:'", board.trim())))
}

/// Reads the board before the colon: its longer side, which tells [`Hex`](super::Hex) from
/// [`LargeHex`](super::LargeHex).
///
/// # Errors
/// If the text does not begin with sides from [`MIN_SIZE`] to [`MAX_SIZE`], perhaps the swap rule,
/// and a colon.
pub fn size_of_text(text: &str) -> Result<usize, NotationError> {
    let (head, _) = head(text)?;
    Ok(head.columns.max(head.rows))
}

/// The move that takes the first stone over, and the word for its rule.
const SWAP: &str = "swap";
/// The same move in GTP and in game records of other programs.
const SWAP_PIECES: &str = "swap-pieces";

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

    /// The board as it is written before the colon.
    pub(super) fn head(&self) -> String {
        let (columns, rows) = (self.columns, self.rows);
        let rule = if self.has_swap_rule() { " swap" } else { "" };
        if columns == rows { format!("{columns}{rule}") } else { format!("{columns}x{rows}") }
    }

    /// The cell's name: its column as a letter, its row as a number from the top.
    fn name(&self, cell: usize) -> String {
        let (row, column) = (cell / self.columns(), cell % self.columns());
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
        let mut text = format!("{}:", self.head());
        let mut theirs = second.into_iter();
        if self.swap == Swap::Done
            && let Some(taken) = theirs.next()
        {
            let (row, column) = (taken / self.columns(), taken % self.columns());
            text.push_str(&format!(" {} {SWAP}", self.name(self.columns() * column + row)));
        }
        for cell in first.into_iter().flat_map(|mine| [Some(mine), theirs.next()]).flatten() {
            text.push(' ');
            text.push_str(&self.name(cell));
        }
        text
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let (Head { columns, rows, swap }, moves) = head(text)?;
        let position = Self::with_sides(columns, rows).ok_or_else(|| {
            let expected = format!("a board of at most {0}x{0}", Self::MAX_SIZE);
            NotationError::new(expected, format!("{columns}x{rows}"))
        })?;
        let with_rule = if swap { position.with_swap() } else { None };
        play(with_rule.unwrap_or(position), moves)
    }

    fn move_text(&self, mv: &Cell) -> String {
        if self.swappable() == Some(*mv) { SWAP.to_owned() } else { self.name(mv.index()) }
    }

    fn parse_move(&self, text: &str) -> Result<Cell, NotationError> {
        let text = text.trim();
        if [SWAP, SWAP_PIECES].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return self.swappable().ok_or_else(|| {
                let expected = if self.has_swap_rule() {
                    "a swap as the second move only"
                } else {
                    "a cell, as there is no swap rule"
                };
                NotationError::new(expected, format!("'{text}'"))
            });
        }
        let Some(cell) = self.parse_cell(text) else {
            let last = self.name(self.columns() * self.rows() - 1);
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
        let columns = self.columns();
        let mut text = String::from(" ");
        for column in 0..columns {
            text.push(' ');
            text.push(char::from(b'a' + column as u8));
        }
        for row in 0..self.rows() {
            text.push_str(&format!("\n{}{:2}", " ".repeat(row), row + 1));
            for column in 0..columns {
                let cell = columns * row + column;
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

#[cfg(test)]
mod tests {
    use super::size_of_text;
    use crate::game::{GameState, Notation, Outcome};
    use crate::games::hex::{Hex, LargeHex};

    #[test]
    fn errors_say_where() {
        let text = |text: &str| Hex::parse_position(text).unwrap_err().to_string();
        let head = "expected a board, a size or columns and rows like 7x6 (each from 2 to 19), \
                    perhaps 'swap' after equal ones, and a colon, found";
        assert_eq!(text("f6"), format!("{head} 'f6'"));
        for board in ["20", "1", "20x3", "3x1", "3x", "x3", "3x3x3", "+3", "7x6 swap", "7 exact"] {
            assert_eq!(text(&format!("{board}: a1")), format!("{head} '{board}:'"));
        }
        assert_eq!(text("13:"), "expected a board of at most 11x11, found 13x13");
        assert_eq!(text("3x12:"), "expected a board of at most 11x11, found 3x12");
        assert_eq!(text("5: a1 f1"), "expected a cell, a1 to e5, found 'f1' as move 2");
        assert_eq!(text("7x6: a7"), "expected a cell, a1 to g6, found 'a7' as move 1");
        assert_eq!(text("5: a1 A1"), "expected an empty cell, found the taken 'A1' as move 2");
        assert_eq!(text("5 swap: a1 a1"), "expected an empty cell, found the taken 'a1' as move 2");
        assert_eq!(text("5: a1 é"), "expected a cell, a1 to e5, found 'é' as move 2");
        let none = "expected a cell, as there is no swap rule, found 'swap' as move 2";
        assert_eq!(text("5: a1 swap"), none);
        let late = "expected a swap as the second move only, found 'swap' as move 3";
        assert_eq!(text("5 swap: a1 b1 swap"), late);
        assert_eq!(size_of_text("  7 : a1"), Ok(7));
        assert_eq!(size_of_text("3x12:"), Ok(12));
    }

    #[test]
    fn texts_are_written_the_usual_way() {
        for (text, expected) in [
            ("7x7 : A1", "7: a1"),
            (" 7x6: g1  a6", "7x6: g1 a6"),
            ("6x7: a7", "6x7: a7"),
            ("7 SWAP: a1 b2", "7 swap: a1 b2"),
            // What is mirrored to the same cell.
            ("7 swap: d4 swap", "7 swap: d4 swap"),
            ("7 swap: a2 Swap-Pieces c1 d1", "7 swap: a2 swap c1 d1"),
        ] {
            let position = Hex::parse_position(text).unwrap();
            assert_eq!(position.position_text(), expected);
            assert_eq!(LargeHex::parse_position(text).unwrap().position_text(), expected);
            assert_eq!(Hex::parse_position(expected).unwrap().key(), position.key());
        }
    }

    #[test]
    fn every_position_of_a_game_with_a_swap_is_read_as_it_is_written() {
        let mut position = Hex::parse_position("3 swap: a2 swap").unwrap();
        for name in ["b2", "a3", "c2", "a1", "b3", "c1"] {
            position = position.apply(&position.parse_move(name).unwrap());
            let text = position.position_text();
            assert_eq!(Hex::parse_position(&text), Ok(position), "{text}");
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(1)));
    }

    #[test]
    fn the_board_leans_to_the_right() {
        let board = Hex::parse_position("3x2: a1 c2").unwrap().board_text();
        assert_eq!(board, "  a b c\n 1 X . .\n  2 . . O");
    }
}
