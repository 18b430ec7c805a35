//! Positions, moves and the board as text.

use std::collections::HashMap;

use crate::game::{GameState, Notation, NotationError};
use crate::games::text::{legal_move, push_row};
use crate::games::xiangqi::board::Board;
use crate::games::xiangqi::check::Attackers;
use crate::games::xiangqi::piece::Kind;
use crate::games::xiangqi::squares::{
    ADVISOR_POINTS, BOARD, ELEPHANT_POINTS, FILES, HALVES, PALACES, RANKS, SOLDIER_POINTS, bit,
    file, rank,
};
use crate::games::xiangqi::{QUIET_LIMIT, Step, Xiangqi};

/// The greatest number of a move: far beyond any game, and small enough to count on from.
const LAST_MOVE: u32 = 1_000_000;

/// The point's name, `a0` to `i9`.
fn name(square: usize) -> String {
    format!("{}{}", char::from(b'a' + file(square) as u8), rank(square))
}

/// The points where a kind of a side can stand.
fn home(kind: Kind, side: usize) -> u128 {
    let half = HALVES[side];
    match kind {
        Kind::King => PALACES & half,
        Kind::Advisor => ADVISOR_POINTS & half,
        Kind::Elephant => ELEPHANT_POINTS & half,
        Kind::Soldier => SOLDIER_POINTS[side],
        Kind::Horse | Kind::Rook | Kind::Cannon => BOARD,
    }
}

/// Reads the ten ranks.
fn read_board(text: &str) -> Result<Board, NotationError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != RANKS {
        let found = format!("{} ranks in '{text}'", ranks.len());
        return Err(NotationError::new("ten ranks with '/' between", found));
    }
    let mut board = Board::EMPTY;
    let mut counts: HashMap<(Kind, usize), usize> = HashMap::new();
    for (rank, text) in (0..RANKS).rev().zip(ranks) {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(free @ 1..=9) = letter.to_digit(10) {
                file += free as usize;
                continue;
            }
            let Some((kind, side)) = Kind::of_letter(letter) else {
                return Err(NotationError::new(
                    "a piece (K A B N R C P, lower case for Black) or a number of free points",
                    format!("'{letter}' in rank {rank}"),
                ));
            };
            if file < FILES {
                let square = FILES * rank + file;
                if home(kind, side) & bit(square) == 0 {
                    return Err(NotationError::new(
                        format!("'{letter}' where it can come"),
                        format!("it on {}", name(square)),
                    ));
                }
                let count = counts.entry((kind, side)).or_insert(0);
                *count += 1;
                if *count > kind.count() {
                    return Err(NotationError::new(
                        format!("at most {} of '{letter}'", kind.count()),
                        format!("one more on {}", name(square)),
                    ));
                }
                board.put(kind, side, square);
            }
            file += 1;
        }
        if file != FILES {
            let found = format!("{file} in rank {rank}, '{text}'");
            return Err(NotationError::new("nine points in each rank", found));
        }
    }
    for side in 0..2 {
        if !counts.contains_key(&(Kind::King, side)) {
            let letter = Kind::King.letter(side);
            return Err(NotationError::new(format!("a king '{letter}'"), "none"));
        }
    }
    Ok(board)
}

/// Reads a number up to `limit`, or the default where there is no text.
fn read_number(
    text: Option<&str>,
    what: &str,
    default: u32,
    limit: u32,
) -> Result<u32, NotationError> {
    let Some(text) = text else { return Ok(default) };
    text.parse()
        .ok()
        .filter(|&number| number <= limit)
        .ok_or_else(|| NotationError::new(format!("{what}, up to {limit}"), format!("'{text}'")))
}

impl Notation for Xiangqi {
    fn position_text(&self) -> String {
        let mut text = String::new();
        for rank in (0..RANKS).rev() {
            let pieces = (0..FILES).map(|file| self.piece(FILES * rank + file));
            push_row(&mut text, pieces.map(|it| it.map(|(kind, side)| kind.letter(side))));
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        let side = ['w', 'b'][self.mover()];
        text + &format!("{side} - - {} {}", self.quiet_plies(), self.plies() / 2 + 1)
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let mut fields = text.split_whitespace();
        let board = read_board(fields.next().unwrap_or(""))?;
        let side = match fields.next() {
            Some("w" | "r" | "W" | "R") => 0,
            Some("b" | "B") => 1,
            found => {
                return Err(NotationError::new(
                    "the side to move, 'w' (Red) or 'b', after the board",
                    found.map_or("nothing".to_owned(), |found| format!("'{found}'")),
                ));
            }
        };
        for _ in 0..2 {
            match fields.next() {
                None | Some("-") => {}
                Some(found) => return Err(NotationError::new("'-'", format!("'{found}'"))),
            }
        }
        let quiet = read_number(fields.next(), "plies without a capture", 0, QUIET_LIMIT)?;
        let number = read_number(fields.next(), "the number of the move", 1, LAST_MOVE)?;
        if let Some(more) = fields.next() {
            return Err(NotationError::new("nothing after the number", format!("'{more}'")));
        }
        // Some write 0 for the number of the first move.
        let plies = 2 * number.saturating_sub(1) + side as u32;
        if Attackers::of(&board, side).attack(board.king(1 - side), board.occupied(), 0) {
            let letter = Kind::King.letter(1 - side);
            let found = format!("'{letter}' on {} attacked", name(board.king(1 - side)));
            return Err(NotationError::new("the king safe that is not to move", found));
        }
        Ok(Self::position(board, plies, quiet as u8))
    }

    fn move_text(&self, mv: &Step) -> String {
        name(mv.from()) + &name(mv.to())
    }

    fn parse_move(&self, text: &str) -> Result<Step, NotationError> {
        let text = text.trim();
        let point = |file: u8, rank: u8| {
            usize::from(rank - b'0') * FILES + usize::from(file.to_ascii_lowercase() - b'a')
        };
        let mv = match *text.as_bytes() {
            [
                a @ (b'a'..=b'i' | b'A'..=b'I'),
                b @ b'0'..=b'9',
                c @ (b'a'..=b'i' | b'A'..=b'I'),
                d @ b'0'..=b'9',
            ] => Step::new(point(a, b), point(c, d)),
            _ => None,
        };
        let Some(mv) = mv else {
            let expected = "two points, a0 to i9, like 'h2e2'";
            return Err(NotationError::new(expected, format!("'{text}'")));
        };
        legal_move(self, text, |legal| *legal == mv)
    }

    fn board_text(&self) -> String {
        let mut text = String::new();
        for rank in (0..RANKS).rev() {
            text.push_str(&rank.to_string());
            for file in 0..FILES {
                let piece = self.piece(FILES * rank + file);
                text.push(' ');
                text.push(piece.map_or('.', |(kind, side)| kind.letter(side)));
            }
            text.push('\n');
        }
        let side = ["Red (upper case)", "Black (lower case)"][self.mover()];
        let check = if self.in_check() { ", in check" } else { "" };
        text + "  a b c d e f g h i\n" + side + " to move" + check
    }
}

#[cfg(test)]
mod tests {
    use crate::game::{GameState, Notation, Outcome};
    use crate::games::xiangqi::{QUIET_LIMIT, Xiangqi};

    #[test]
    fn errors_say_where() {
        let error = |text: &str| Xiangqi::parse_position(text).unwrap_err().to_string();
        let start = Xiangqi::new().position_text();
        assert!(error("").ends_with("found 1 ranks in ''"));
        assert!(error(&start.replacen('9', "8", 1)).ends_with("found 8 in rank 8, '8'"));
        assert!(error(&start.replacen('n', "x", 1)).ends_with("found 'x' in rank 9"));
        assert!(error(&start.replacen('c', "k", 1)).ends_with("found it on b7"));
        assert!(error(&start.replacen('c', "r", 1)).ends_with("found one more on b7"));
        assert!(error("9/9/9/9/9/9/9/9/9/4K4 w").ends_with("expected a king 'k', found none"));
        assert!(error("4k4/9/9/9/9/9/9/9/9/4K4 w").ends_with("found 'k' on e9 attacked"));
        assert!(error(&start.replace(" w ", " x ")).ends_with("found 'x'"));
        assert!(error(&start.replace(" 0 1", " 121 1")).ends_with("found '121'"));
        let error = Xiangqi::new().parse_move("h3e3").unwrap_err().to_string();
        assert!(error.starts_with("expected a legal move (") && error.ends_with("found 'h3e3'"));
    }

    #[test]
    fn other_letters_and_short_texts_are_read() {
        let text = "rheakaehr/9/1c5c1/s1s1s1s1s/9/9/S1S1S1S1S/1C5C1/9/RHEAKAEHR r";
        assert_eq!(Xiangqi::parse_position(text), Ok(Xiangqi::new()));
    }

    #[test]
    fn the_limit_without_a_capture_is_a_draw_unless_it_is_mate() {
        let text = |quiet| format!("4k4/4a4/9/R8/9/9/9/9/9/r3K4 w - - {quiet} 80");
        let read = |text: &str| Xiangqi::parse_position(text).unwrap();
        let last = read(&text(QUIET_LIMIT - 1));
        let play = |state: &Xiangqi, mv: &str| state.apply(&state.parse_move(mv).unwrap());
        assert_eq!(play(&last, "e0e1").outcome(), Some(Outcome::Draw));
        let mate = read("4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 119 80");
        let mate = play(&mate, "b0b9");
        assert!(mate.is_checkmate());
        assert_eq!(mate.outcome(), Some(Outcome::Win(0)));
        // The key tells the number near the limit only.
        let key = |quiet: u32| read(&text(quiet)).key();
        assert_eq!(key(0), key(99));
        assert_ne!(key(99), key(100));
        assert_ne!(key(118), key(119));
    }
}
