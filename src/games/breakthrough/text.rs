//! Breakthrough positions and moves as text.

use crate::game::{GameState, Notation, NotationError};
use crate::games::text::{legal_move, push_row};

use super::{Advance, Breakthrough, MAX_SIZE, MIN_COLUMNS, MIN_ROWS};

/// The square's name: its column as a letter, its row as a number from White's side.
fn name(square: usize) -> String {
    format!("{}{}", char::from(b'a' + (square % 8) as u8), square / 8 + 1)
}

/// One row, from the first column: White's pieces, Black's, and the number of columns.
fn parse_row(text: &str, number: usize) -> Result<(u64, u64, usize), NotationError> {
    let (mut white, mut black, mut column) = (0, 0, 0);
    for square in text.chars() {
        match square {
            'P' if column < MAX_SIZE => white |= 1 << column,
            'p' if column < MAX_SIZE => black |= 1 << column,
            '1'..='8' => column += square as usize - '1' as usize,
            'P' | 'p' => {}
            _ => {
                let found = format!("'{square}' in row {number} from the top");
                return Err(NotationError::new("'P', 'p' or a number of empty squares", found));
            }
        }
        column += 1;
    }
    if (MIN_COLUMNS..=MAX_SIZE).contains(&column) {
        Ok((white, black, column))
    } else {
        let expected = format!("{MIN_COLUMNS} to {MAX_SIZE} columns");
        Err(NotationError::new(expected, format!("{column} in row {number} from the top")))
    }
}

/// The squares of a position: the pieces, the number of columns, the number of rows.
fn parse_rows(text: &str) -> Result<([u64; 2], u8, u8), NotationError> {
    let count = text.split('/').count();
    if !(MIN_ROWS..=MAX_SIZE).contains(&count) {
        let expected = format!("{MIN_ROWS} to {MAX_SIZE} rows parted by '/'");
        return Err(NotationError::new(expected, format!("{count} rows")));
    }
    let (mut pieces, mut columns) = ([0; 2], None);
    for (at, row) in text.split('/').enumerate() {
        let (white, black, found) = parse_row(row, at + 1)?;
        let expected = *columns.get_or_insert(found);
        if found != expected {
            let expected = format!("{expected} columns, as in the first row");
            let found = format!("{found} in row {} from the top", at + 1);
            return Err(NotationError::new(expected, found));
        }
        let shift = 8 * (count - 1 - at);
        pieces[0] |= white << shift;
        pieces[1] |= black << shift;
    }
    Ok((pieces, columns.unwrap_or(0) as u8, count as u8))
}

impl Notation for Breakthrough {
    fn position_text(&self) -> String {
        let (columns, rows) = self.size();
        let mut text = String::new();
        for row in (0..rows).rev() {
            let squares = 8 * row..8 * row + columns;
            push_row(&mut text, squares.map(|at| Some(self.piece(at)).filter(|&it| it != '.')));
            text.push(if row > 0 { '/' } else { ' ' });
        }
        text + ["w", "b"][self.mover()]
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let mut fields = text.split_whitespace();
        let (pieces, columns, rows) = parse_rows(fields.next().unwrap_or(""))?;
        let mover = match fields.next() {
            Some("w") => 0,
            Some("b") => 1,
            found => {
                return Err(NotationError::new(
                    "the side to move, 'w' or 'b', after the rows",
                    found.map_or("nothing".to_owned(), |found| format!("'{found}'")),
                ));
            }
        };
        if let Some(more) = fields.next() {
            return Err(NotationError::new("nothing after the side to move", format!("'{more}'")));
        }
        let mut position = Self { pieces, plies: mover, columns, rows, won: false };
        let arrived = [0, 1].map(|player: usize| pieces[player] & position.side(player).goal);
        for player in [0, 1] {
            let name = ["white", "black"][player];
            if arrived[player].count_ones() > 1 || pieces[player].count_ones() > 2 * 8 {
                let (goal, all) = (arrived[player].count_ones(), pieces[player].count_ones());
                return Err(NotationError::new(
                    format!("at most 16 {name} pieces, and one of them on the far row"),
                    format!("{all}, and {goal} on the far row"),
                ));
            }
        }
        let won = [0, 1].map(|player: usize| arrived[player] != 0 || pieces[1 - player] == 0);
        if won[usize::from(mover)] {
            let expected = "a game that goes on, or that the side to move has lost";
            let found =
                if won == [true; 2] { "a win of both" } else { "a win of the side to move" };
            return Err(NotationError::new(expected, found));
        }
        position.won = won[1 - usize::from(mover)];
        Ok(position)
    }

    fn move_text(&self, mv: &Advance) -> String {
        name(mv.from()) + &name(mv.to())
    }

    fn parse_move(&self, text: &str) -> Result<Advance, NotationError> {
        let text = text.trim();
        legal_move(self, text, |mv| self.move_text(mv).eq_ignore_ascii_case(text))
    }

    fn board_text(&self) -> String {
        let (columns, rows) = self.size();
        let mut text = String::new();
        for row in (0..rows).rev() {
            text.push_str(&(row + 1).to_string());
            for square in 8 * row..8 * row + columns {
                text.push(' ');
                text.push(self.piece(square));
            }
            text.push('\n');
        }
        text.push(' ');
        for column in 0..columns {
            text.push(' ');
            text.push(char::from(b'a' + column as u8));
        }
        text + "\n" + ["P", "p"][self.mover()] + " to move"
    }
}

impl Breakthrough {
    /// `P`, `p`, or `.` for an empty square.
    fn piece(&self, square: usize) -> char {
        match (self.pieces[0] >> square & 1, self.pieces[1] >> square & 1) {
            (1, _) => 'P',
            (_, 1) => 'p',
            _ => '.',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Breakthrough;
    use crate::game::Notation;

    #[test]
    fn errors_say_what_and_where() {
        let text = |text: &str| Breakthrough::parse_position(text).unwrap_err().to_string();
        assert_eq!(text(""), "expected 3 to 8 rows parted by '/', found 1 rows");
        assert_eq!(
            text("3/3/2 w"),
            "expected 3 columns, as in the first row, found 2 in row 3 from the top"
        );
        assert_eq!(text("ppp/9/PPP w"), {
            "expected 'P', 'p' or a number of empty squares, found '9' in row 2 from the top"
        });
        assert_eq!(text("ppp/88/PPP w"), "expected 2 to 8 columns, found 16 in row 2 from the top");
        assert_eq!(
            text("pppppppppp/3/PPP w"),
            "expected 2 to 8 columns, found 10 in row 1 from the top"
        );
        let side = "expected the side to move, 'w' or 'b', after the rows, found ";
        assert_eq!(text("ppp/3/PPP"), format!("{side}nothing"));
        assert_eq!(text("ppp/3/PPP x"), format!("{side}'x'"));
        assert_eq!(text("ppp/3/PPP w 0 1"), "expected nothing after the side to move, found '0'");
        let ended = "expected a game that goes on, or that the side to move has lost, found ";
        assert_eq!(text("Ppp/3/PPP w"), format!("{ended}a win of the side to move"));
        assert_eq!(text("3/3/3 w"), format!("{ended}a win of both"));
        assert_eq!(
            text("PPp/3/PPP b"),
            "expected at most 16 white pieces, and one of them on the far row, found 5, and 2 \
             on the far row"
        );
        let start = Breakthrough::new(2, 3).unwrap();
        assert_eq!(
            start.parse_move("a1a3").unwrap_err().to_string(),
            "expected a legal move (b1a2 a1a2 b1b2 a1b2), found 'a1a3'"
        );
    }

    #[test]
    fn the_board_shows_the_side_to_move() {
        let position = Breakthrough::parse_position("pp/1P/P1 b").unwrap();
        assert_eq!(position.board_text(), "3 p p\n2 . P\n1 P .\n  a b\np to move");
    }
}
