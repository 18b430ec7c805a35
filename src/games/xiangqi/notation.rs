//! Positions, moves and the board as text.

use std::collections::HashMap;

use crate::game::{GameState, Notation, NotationError};
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
        let found = format!("{} ranks in `{text}`", ranks.len());
        return Err(NotationError::new("ten ranks with `/` between", found));
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
                    format!("`{letter}` in rank {rank}"),
                ));
            };
            if file < FILES {
                let square = FILES * rank + file;
                if home(kind, side) & bit(square) == 0 {
                    return Err(NotationError::new(
                        format!("`{letter}` where it can come"),
                        format!("it on {}", name(square)),
                    ));
                }
                let count = counts.entry((kind, side)).or_insert(0);
                *count += 1;
                if *count > kind.count() {
                    return Err(NotationError::new(
                        format!("at most {} of `{letter}`", kind.count()),
                        format!("one more on {}", name(square)),
                    ));
                }
                board.put(kind, side, square);
            }
            file += 1;
        }
        if file != FILES {
            let found = format!("{file} in rank {rank}, `{text}`");
            return Err(NotationError::new("nine points in each rank", found));
        }
    }
    for side in 0..2 {
        if !counts.contains_key(&(Kind::King, side)) {
            let letter = Kind::King.letter(side);
            return Err(NotationError::new(format!("a king `{letter}`"), "none"));
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
        .ok_or_else(|| NotationError::new(format!("{what}, up to {limit}"), format!("`{text}`")))
}

impl Notation for Xiangqi {
    fn position_text(&self) -> String {
        let mut text = String::new();
        for rank in (0..RANKS).rev() {
            let mut free = 0;
            for file in 0..FILES {
                let Some((kind, side)) = self.piece(FILES * rank + file) else {
                    free += 1;
                    continue;
                };
                if free > 0 {
                    text.push_str(&free.to_string());
                    free = 0;
                }
                text.push(kind.letter(side));
            }
            if free > 0 {
                text.push_str(&free.to_string());
            }
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
                    "the side to move, `w` (Red) or `b`, after the board",
                    found.map_or("nothing".to_owned(), |found| format!("`{found}`")),
                ));
            }
        };
        for _ in 0..2 {
            match fields.next() {
                None | Some("-") => {}
                Some(found) => return Err(NotationError::new("`-`", format!("`{found}`"))),
            }
        }
        let quiet = read_number(fields.next(), "plies without a capture", 0, QUIET_LIMIT)?;
        let number = read_number(fields.next(), "the number of the move", 1, LAST_MOVE)?;
        if let Some(more) = fields.next() {
            return Err(NotationError::new("nothing after the number", format!("`{more}`")));
        }
        // Some write 0 for the number of the first move.
        let plies = 2 * number.saturating_sub(1) + side as u32;
        if Attackers::of(&board, side).attack(board.king(1 - side), board.occupied(), 0) {
            let letter = Kind::King.letter(1 - side);
            let found = format!("`{letter}` on {} attacked", name(board.king(1 - side)));
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
            let expected = "two points, a0 to i9, like `h2e2`";
            return Err(NotationError::new(expected, format!("`{text}`")));
        };
        let mut legal = Vec::new();
        self.moves(&mut legal);
        if legal.contains(&mv) {
            return Ok(mv);
        }
        let names: Vec<String> = legal.iter().map(|mv| self.move_text(mv)).collect();
        let expected = if names.is_empty() {
            "no move after the end of the game".to_owned()
        } else {
            format!("a legal move ({})", names.join(" "))
        };
        Err(NotationError::new(expected, format!("`{text}`")))
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
