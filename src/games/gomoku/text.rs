//! Gomoku positions and moves as text.

use crate::game::{GameState, Notation, NotationError};
use crate::games::bits::members;
use crate::games::text::play;

use super::lines::run;
use super::{DEFAULT_K, GomokuBoard, LargeGomoku, MAX_SIZE, MIN_SIZE, Point, Rule};

/// Reads the greater of the numbers of columns and rows before the colon: which of
/// [`Gomoku`](super::Gomoku) and [`LargeGomoku`](super::LargeGomoku) a text asks for.
///
/// # Errors
/// If the text does not begin with a board, perhaps the word `exact`, and a colon. A board is a
/// size from 5 to [`MAX_SIZE`], or `columns x rows x k`, each from [`MIN_SIZE`] to [`MAX_SIZE`],
/// without blanks and `k` no more than the greater of the other two.
pub fn size_of_text(text: &str) -> Result<usize, NotationError> {
    let (board, _) = head(text)?;
    Ok(board.columns().max(board.rows()))
}

/// The empty board before the colon, on words enough for any, and what follows the colon.
fn head(text: &str) -> Result<(LargeGomoku, &str), NotationError> {
    let refuse = |found: &str| {
        let expected = format!(
            "a board, a size of {DEFAULT_K} to {MAX_SIZE} or columns, rows and stones in a row \
             like 4x3x3 (each from {MIN_SIZE} to {MAX_SIZE}, no more in a row than fit), \
             perhaps 'exact', and a colon"
        );
        NotationError::new(expected, format!("'{found}'"))
    };
    let text = text.trim();
    let Some((head, moves)) = text.split_once(':') else { return Err(refuse(text)) };
    let mut words = head.split_whitespace();
    let board = words.next().unwrap_or_default();
    let rule = match (words.next(), words.next()) {
        (None, _) => Some(Rule::KOrMore),
        (Some(word), None) if word.eq_ignore_ascii_case("exact") => Some(Rule::ExactlyK),
        _ => None,
    };
    rule.and_then(|rule| parse_board(board, rule))
        .map(|board| (board, moves))
        .ok_or_else(|| refuse(&format!("{}:", head.trim())))
}

/// The empty board named `15` or `4x3x3`.
fn parse_board(text: &str, rule: Rule) -> Option<LargeGomoku> {
    let numbers: Result<Vec<usize>, _> = text.split('x').map(str::parse).collect();
    match numbers.ok()?[..] {
        [size] => GomokuBoard::new(size, rule),
        [columns, rows, k] => GomokuBoard::mnk(columns, rows, k, rule),
        _ => None,
    }
}

impl<const WORDS: usize> GomokuBoard<WORDS> {
    /// The stones of `player` in an order of play that ends no game before its end.
    fn ordered(&self, player: usize) -> Vec<usize> {
        let stones: Vec<usize> = members(&self.stones[player]).collect();
        let mut board = *self;
        let mut back = Vec::new();
        if self.won && player != self.mover() {
            // The last stone is one without which nothing was won.
            let last = stones.iter().copied().find(|&bit| {
                let before = board.without(player, bit);
                self.wins(player, bit) && !before.any_wins(player)
            });
            debug_assert!(last.is_some(), "the last stone has won");
            if let Some(bit) = last {
                board = board.without(player, bit);
                back.push(bit);
            }
        }
        let found = board.take_back(player, &mut back);
        debug_assert!(found, "every position is made by playing moves");
        let mut order: Vec<usize> = stones.into_iter().filter(|bit| !back.contains(bit)).collect();
        order.extend(back.into_iter().rev());
        order
    }

    /// Takes stones of rows of more than `k` away, onto `back`, so that no winning row appears
    /// on the way; what is left has only short rows, and can have come in any order.
    fn take_back(&self, player: usize, back: &mut Vec<usize>) -> bool {
        let steps = self.steps();
        let mut long = false;
        for bit in members(&self.stones[player]) {
            if steps.iter().all(|&step| run(&self.stones[player], bit, step) <= self.k()) {
                continue;
            }
            long = true;
            let before = self.without(player, bit);
            if !before.any_wins(player) {
                back.push(bit);
                if before.take_back(player, back) {
                    return true;
                }
                back.pop();
            }
        }
        !long
    }

    fn without(&self, player: usize, bit: usize) -> Self {
        let mut before = *self;
        before.stones[player][bit / 64] &= !(1 << (bit % 64));
        before
    }

    /// Whether any row of `player` wins.
    fn any_wins(&self, player: usize) -> bool {
        members(&self.stones[player]).any(|bit| self.wins(player, bit))
    }

    /// The point's name: its column as a letter, its row as a number from the bottom.
    fn name(point: Point) -> String {
        format!("{}{}", char::from(b'a' + point.column), point.row + 1)
    }

    fn parse_point(&self, text: &str) -> Option<Point> {
        let column = text.bytes().next()?.to_ascii_lowercase().checked_sub(b'a')?;
        let row = text.get(1..).filter(|row| row.bytes().all(|digit| digit.is_ascii_digit()))?;
        let row: usize = row.parse().ok()?;
        self.point(usize::from(column), row.checked_sub(1)?)
    }

    /// The player with a stone on a point.
    fn owner(&self, point: Point) -> Option<usize> {
        let bit = self.bit(point);
        [0, 1]
            .into_iter()
            .find(|&player: &usize| self.stones[player][bit / 64] >> (bit % 64) & 1 == 1)
    }
}

impl<const WORDS: usize> Notation for GomokuBoard<WORDS> {
    fn position_text(&self) -> String {
        let [first, second] = [self.ordered(0), self.ordered(1)];
        let rule = if self.rule() == Rule::ExactlyK { " exact" } else { "" };
        let (columns, rows, k) = (self.columns(), self.rows(), self.k());
        let mut text = if self.is_usual() {
            format!("{columns}{rule}:")
        } else {
            format!("{columns}x{rows}x{k}{rule}:")
        };
        for ply in 0..self.plies() as usize {
            let bit = if ply % 2 == 0 { first[ply / 2] } else { second[ply / 2] };
            text.push(' ');
            text.push_str(&Self::name(self.point_of(bit)));
        }
        text
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let (board, moves) = head(text)?;
        let (columns, rows) = (board.columns(), board.rows());
        let position = Self::mnk(columns, rows, board.k(), board.rule()).ok_or_else(|| {
            let expected = format!("a board of at most {0}x{0}", Self::MAX_SIZE);
            NotationError::new(expected, format!("{columns}x{rows}"))
        })?;
        play(position, moves)
    }

    fn move_text(&self, mv: &Point) -> String {
        Self::name(*mv)
    }

    fn parse_move(&self, text: &str) -> Result<Point, NotationError> {
        let text = text.trim();
        let Some(point) = self.parse_point(text) else {
            let last = Self::name(Point { column: self.columns - 1, row: self.rows - 1 });
            return Err(NotationError::new(format!("a point, a1 to {last}"), format!("'{text}'")));
        };
        if self.outcome().is_some() {
            let expected = "no move after the end of the game";
            return Err(NotationError::new(expected, format!("'{text}'")));
        }
        if self.owner(point).is_some() {
            return Err(NotationError::new("an empty point", format!("the taken '{text}'")));
        }
        Ok(point)
    }

    fn board_text(&self) -> String {
        let mut text = String::new();
        for row in (0..self.rows()).rev() {
            text.push_str(&format!("{:2}", row + 1));
            for column in 0..self.columns() {
                let owner = self.point(column, row).and_then(|point| self.owner(point));
                text.push_str([" X", " O", " ."][owner.unwrap_or(2)]);
            }
            text.push('\n');
        }
        text.push_str("  ");
        for column in 0..self.columns {
            text.push(' ');
            text.push(char::from(b'a' + column));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::size_of_text;
    use crate::game::Notation;
    use crate::games::gomoku::{Gomoku, LargeGomoku};

    #[test]
    fn errors_say_where() {
        let text = |text: &str| Gomoku::parse_position(text).unwrap_err().to_string();
        let head = "expected a board, a size of 5 to 20 or columns, rows and stones in a row like \
                    4x3x3 (each from 3 to 20, no more in a row than fit), perhaps 'exact', and a \
                    colon, found";
        assert_eq!(text("h8"), format!("{head} 'h8'"));
        assert_eq!(text("21: h8"), format!("{head} '21:'"));
        for board in
            ["4", "4x4", "2x3x3", "21x3x3", "3x21x3", "4x4x2", "4x4x5", "3x3x3x3", "x3x3", "15x"]
        {
            assert_eq!(text(&format!("{board}: a1")), format!("{head} '{board}:'"));
        }
        assert_eq!(text("15 free: h8"), format!("{head} '15 free:'"));
        assert_eq!(text("15 exact exact:"), format!("{head} '15 exact exact:'"));
        assert_eq!(text("19:"), "expected a board of at most 15x15, found 19x19");
        assert_eq!(text("3x16x3:"), "expected a board of at most 15x15, found 3x16");
        assert_eq!(text("4x3x3: a4"), "expected a point, a1 to d3, found 'a4' as move 1");
        assert_eq!(text("5: a1 f1"), "expected a point, a1 to e5, found 'f1' as move 2");
        assert_eq!(text("5: a1 A1"), "expected an empty point, found the taken 'A1' as move 2");
        assert_eq!(text("5: a1 é"), "expected a point, a1 to e5, found 'é' as move 2");
        assert_eq!(size_of_text(" 7 exact : a1"), Ok(7));
        assert_eq!(size_of_text("3x16x4:"), Ok(16));
        assert_eq!(size_of_text("16x3x4 exact:"), Ok(16));
    }

    #[test]
    fn the_board_stands_on_its_first_row() {
        let board = Gomoku::parse_position("5: a1 e4").unwrap().board_text();
        assert_eq!(
            board,
            " 5 . . . . .\n 4 . . . . O\n 3 . . . . .\n 2 . . . . .\n 1 X . . . .\n   a b c d e"
        );
    }

    #[test]
    fn only_unusual_boards_name_their_sides() {
        for (text, expected) in [
            ("7x7x5: a1", "7: a1"),
            ("7x7x5 EXACT:", "7 exact:"),
            (" 4x3x3 : D3  a1", "4x3x3: d3 a1"),
            ("3x4x3 exact: c4", "3x4x3 exact: c4"),
            ("7x8x5:", "7x8x5:"),
        ] {
            assert_eq!(Gomoku::parse_position(text).unwrap().position_text(), expected);
        }
        let board = Gomoku::parse_position("4x3x3: d3 a1").unwrap().board_text();
        assert_eq!(board, " 3 . . . X\n 2 . . . .\n 1 O . . .\n   a b c d");
    }

    #[test]
    fn large_boards_have_the_same_text() {
        for text in
            ["20: t1 a1 t20", "19 exact: j10 a1 s19", "16: p16", "5: a1 e4", "19x3x7: s3 a1"]
        {
            assert_eq!(LargeGomoku::parse_position(text).unwrap().position_text(), text);
        }
    }
}
