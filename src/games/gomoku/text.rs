//! Gomoku positions and moves as text.

use crate::game::{GameState, Notation, NotationError};
use crate::games::bits::ones;
use crate::games::text::play;

use super::lines::run;
use super::{GomokuBoard, MAX_SIZE, MIN_SIZE, Point, Rule};

/// Reads the size before the colon: which of [`Gomoku`](super::Gomoku) and
/// [`LargeGomoku`](super::LargeGomoku) a text asks for.
///
/// # Errors
/// If the text does not begin with a size from [`MIN_SIZE`] to [`MAX_SIZE`], perhaps the word
/// `exact`, and a colon.
pub fn size_of_text(text: &str) -> Result<usize, NotationError> {
    head(text).map(|(size, _, _)| size)
}

/// The size, the rule, and what follows the colon.
fn head(text: &str) -> Result<(usize, Rule, &str), NotationError> {
    let refuse = |found: &str| {
        let expected =
            format!("a board size, {MIN_SIZE} to {MAX_SIZE}, perhaps `exact`, and a colon");
        NotationError::new(expected, format!("`{found}`"))
    };
    let text = text.trim();
    let Some((head, moves)) = text.split_once(':') else { return Err(refuse(text)) };
    let mut words = head.split_whitespace();
    let size = words.next().and_then(|size| size.parse().ok());
    let rule = match words.next() {
        None => Some(Rule::FiveOrMore),
        Some(word) if word.eq_ignore_ascii_case("exact") => Some(Rule::ExactlyFive),
        Some(_) => None,
    };
    match (size, rule, words.next()) {
        (Some(size), Some(rule), None) if (MIN_SIZE..=MAX_SIZE).contains(&size) => {
            Ok((size, rule, moves))
        }
        _ => Err(refuse(&format!("{}:", head.trim()))),
    }
}

impl<const WORDS: usize> GomokuBoard<WORDS> {
    /// The stones of `player` in an order of play that ends no game before its end.
    fn ordered(&self, player: usize) -> Vec<usize> {
        let stones: Vec<usize> = self.stones[player]
            .iter()
            .enumerate()
            .flat_map(|(i, &word)| ones(word).map(move |bit| 64 * i + bit))
            .collect();
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

    /// Takes stones of rows of six and more away, onto `back`, so that no winning row appears
    /// on the way; what is left has only short rows, and can have come in any order.
    fn take_back(&self, player: usize, back: &mut Vec<usize>) -> bool {
        let stride = self.stride();
        let steps = [1, stride - 1, stride, stride + 1];
        let mut long = false;
        for (i, &word) in self.stones[player].iter().enumerate() {
            for bit in ones(word).map(|bit| 64 * i + bit) {
                if steps.iter().all(|&step| run(&self.stones[player], bit, step) <= 5) {
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
        let words = self.stones[player].iter().enumerate();
        words
            .flat_map(|(i, &word)| ones(word).map(move |bit| 64 * i + bit))
            .any(|bit| self.wins(player, bit))
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
        let rule = if self.rule() == Rule::ExactlyFive { " exact" } else { "" };
        let mut text = format!("{}{rule}:", self.size());
        for ply in 0..self.plies() as usize {
            let bit = if ply % 2 == 0 { first[ply / 2] } else { second[ply / 2] };
            text.push(' ');
            text.push_str(&Self::name(self.point_of(bit)));
        }
        text
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let (size, rule, moves) = head(text)?;
        let position = Self::new(size, rule).ok_or_else(|| {
            NotationError::new(format!("a board size up to {}", Self::MAX_SIZE), size)
        })?;
        play(position, moves)
    }

    fn move_text(&self, mv: &Point) -> String {
        Self::name(*mv)
    }

    fn parse_move(&self, text: &str) -> Result<Point, NotationError> {
        let text = text.trim();
        let Some(point) = self.parse_point(text) else {
            let last = self.size() as u8 - 1;
            let last = Self::name(Point { column: last, row: last });
            return Err(NotationError::new(format!("a point, a1 to {last}"), format!("`{text}`")));
        };
        if self.outcome().is_some() {
            let expected = "no move after the end of the game";
            return Err(NotationError::new(expected, format!("`{text}`")));
        }
        if self.owner(point).is_some() {
            return Err(NotationError::new("an empty point", format!("the taken `{text}`")));
        }
        Ok(point)
    }

    fn board_text(&self) -> String {
        let size = self.size();
        let mut text = String::new();
        for row in (0..size).rev() {
            text.push_str(&format!("{:2}", row + 1));
            for column in 0..size {
                let owner = self.point(column, row).and_then(|point| self.owner(point));
                text.push_str([" X", " O", " ."][owner.unwrap_or(2)]);
            }
            text.push('\n');
        }
        text.push_str("  ");
        for column in 0..size {
            text.push(' ');
            text.push(char::from(b'a' + column as u8));
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
        let head = "expected a board size, 5 to 19, perhaps `exact`, and a colon, found";
        assert_eq!(text("h8"), format!("{head} `h8`"));
        assert_eq!(text("20: h8"), format!("{head} `20:`"));
        assert_eq!(text("15 free: h8"), format!("{head} `15 free:`"));
        assert_eq!(text("15 exact exact:"), format!("{head} `15 exact exact:`"));
        assert_eq!(text("19:"), "expected a board size up to 15, found 19");
        assert_eq!(text("5: a1 f1"), "expected a point, a1 to e5, found `f1` as move 2");
        assert_eq!(text("5: a1 A1"), "expected an empty point, found the taken `A1` as move 2");
        assert_eq!(text("5: a1 é"), "expected a point, a1 to e5, found `é` as move 2");
        assert_eq!(size_of_text(" 7 exact : a1"), Ok(7));
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
    fn large_boards_have_the_same_text() {
        for text in ["19 exact: j10 a1 s19", "16: p16", "5: a1 e4"] {
            assert_eq!(LargeGomoku::parse_position(text).unwrap().position_text(), text);
        }
    }
}
