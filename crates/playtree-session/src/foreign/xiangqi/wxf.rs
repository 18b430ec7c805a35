//! Moves of Xiangqi in the notation of the World Xiangqi Federation: the piece, its file from the
//! right hand of its side, the direction, and how far or to which file: `C2=5`, `H8+7`. Of pieces
//! of a kind on one file the foremost has `+` for its file and the hindmost `-`.
//!
//! Pawns have more of that: `++=4` and `--=4` are the first and the last of four or five, and where
//! two files have several, `3+=4` names the file in place of the piece. Fairy-Stockfish counts such
//! pawns from the front, and writes `23=4` for the second one on file 3: that is read as well.

use std::collections::HashMap;

use crate::Position;

/// A point of the board: the file from Red's left, and the rank from Red's side.
type Point = (i32, i32);

/// The piece on each point, with letters of the federation.
struct Board {
    pieces: HashMap<Point, char>,
    /// The side to move is Black.
    is_black: bool,
}

/// The move of our notation that `text` means, if it means one.
pub(in crate::foreign) fn from_wxf(position: &Position, text: &str) -> Option<String> {
    let wanted = plain(text)?;
    let board = Board::read(&position.position_text())?;
    let legal = position.legal_moves();
    let only = |spell: fn(&Board, &str) -> Option<String>| {
        let mut found = legal.iter().filter(|mv| spell(&board, mv).as_ref() == Some(&wanted));
        let first = found.next()?;
        found.next().is_none().then(|| first.clone())
    };
    only(Board::official).or_else(|| only(Board::counted)).or_else(|| only(Board::by_file))
}

/// A move of our notation as the federation writes it.
pub(in crate::foreign) fn to_wxf(position: &Position, mv: &str) -> Option<String> {
    Board::read(&position.position_text())?.official(mv)
}

/// Upper case, with `=` for moves along a rank and the letters of the federation.
fn plain(text: &str) -> Option<String> {
    let mut letters: Vec<char> = text
        .chars()
        .map(|letter| match letter.to_ascii_uppercase() {
            '.' => '=',
            'N' => 'H',
            'B' => 'E',
            other => other,
        })
        .collect();
    // Some write the sign of the foremost first.
    if matches!(letters[..], ['+' | '-', letter, ..] if letter.is_ascii_alphabetic()) {
        letters.swap(0, 1);
    }
    (letters.len() == 4).then(|| letters.into_iter().collect())
}

/// The point of two characters like `h2`.
fn point(text: &str) -> Option<Point> {
    let mut bytes = text.bytes();
    let file = i32::from(bytes.next()?) - i32::from(b'a');
    let rank = i32::from(bytes.next()?) - i32::from(b'0');
    ((0..9).contains(&file) && (0..10).contains(&rank)).then_some((file, rank))
}

impl Board {
    fn read(position: &str) -> Option<Self> {
        let (ranks, rest) = position.split_once(' ')?;
        // No other game has that many.
        if ranks.split('/').count() != 10 {
            return None;
        }
        let mut pieces = HashMap::new();
        for (rank, text) in (0..10).rev().zip(ranks.split('/')) {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(free) => file += free as i32,
                    None => {
                        let letter = match letter {
                            'N' => 'H',
                            'n' => 'h',
                            'B' => 'E',
                            'b' => 'e',
                            other => other,
                        };
                        pieces.insert((file, rank), letter);
                        file += 1;
                    }
                }
            }
        }
        Some(Self { pieces, is_black: rest.starts_with('b') })
    }

    /// The number of a file, from the right hand of the side to move.
    fn file_number(&self, file: i32) -> i32 {
        if self.is_black { file + 1 } else { 9 - file }
    }

    /// Ranks forward from one to another.
    fn forward(&self, from: i32, to: i32) -> i32 {
        if self.is_black { from - to } else { to - from }
    }

    /// Those like the piece on `from` that stand on its file, the foremost first, and which of them
    /// it is.
    fn tandem(&self, from: Point) -> (usize, usize) {
        let piece = self.pieces.get(&from);
        let mut ranks: Vec<i32> = (0..10).collect();
        ranks.sort_by_key(|&rank| self.forward(rank, 0));
        ranks.retain(|&rank| self.pieces.get(&(from.0, rank)) == piece);
        (ranks.len(), ranks.iter().position(|&rank| rank == from.1).unwrap_or(0))
    }

    /// Files with more than one pawn of the side to move.
    fn files_of_pawns(&self) -> usize {
        let pawn = if self.is_black { 'p' } else { 'P' };
        let on = |file| self.pieces.iter().filter(move |(at, it)| at.0 == file && **it == pawn);
        (0..9).filter(|&file| on(file).count() > 1).count()
    }

    /// The piece that moves, its two points, and the second half of the text.
    fn parts(&self, mv: &str) -> Option<(char, Point, String)> {
        let (from, to) = (point(mv.get(..2)?)?, point(mv.get(2..4)?)?);
        let piece = self.pieces.get(&from)?.to_ascii_uppercase();
        let forward = self.forward(from.1, to.1);
        let sign = match forward {
            0 => '=',
            1.. => '+',
            _ => '-',
        };
        let is_straight = matches!(piece, 'K' | 'R' | 'C' | 'P');
        let number =
            if is_straight && forward != 0 { forward.abs() } else { self.file_number(to.0) };
        Some((piece, from, format!("{sign}{number}")))
    }

    /// As the federation writes it.
    fn official(&self, mv: &str) -> Option<String> {
        let (piece, from, rest) = self.parts(mv)?;
        let file = self.file_number(from.0);
        let (count, at) = self.tandem(from);
        let sides = [
            &[][..],
            &[][..],
            &["P+", "P-"],
            &["P+", "P=", "P-"],
            &["++", "P+", "P-", "--"],
            &["++", "P+", "P=", "P-", "--"],
        ];
        // Advisors and elephants of one file never have the same move.
        let first = match (piece, count) {
            ('P', 2..) if self.files_of_pawns() > 1 => match (at, at + 1 == count) {
                (0, _) => format!("{file}+"),
                (_, true) => format!("{file}-"),
                _ => format!("{file}{file}"),
            },
            ('P', 2..) => sides.get(count)?.get(at)?.replace('=', &file.to_string()),
            ('R' | 'C' | 'H', 2) => format!("{piece}{}", if at == 0 { '+' } else { '-' }),
            _ => format!("{piece}{file}"),
        };
        Some(first + &rest)
    }

    /// With pawns of one file counted from the front.
    fn counted(&self, mv: &str) -> Option<String> {
        let (piece, from, rest) = self.parts(mv)?;
        let (count, at) = self.tandem(from);
        (piece == 'P' && count > 1).then(|| format!("{}{}{rest}", at + 1, self.file_number(from.0)))
    }

    /// With the file, though another piece like it stands there.
    fn by_file(&self, mv: &str) -> Option<String> {
        let (piece, from, rest) = self.parts(mv)?;
        Some(format!("{piece}{}{rest}", self.file_number(from.0)))
    }
}

#[cfg(test)]
mod tests {
    use playtree::GameState;
    use playtree::games::xiangqi::QUIET_LIMIT;

    use super::super::plain_fen;
    use super::{from_wxf, to_wxf};
    use crate::Game;

    /// Positions, moves with ranks from 0, and what Fairy-Stockfish writes: made with pyffish
    /// 0.0.90, `get_san(..., NOTATION_XIANGQI_WXF)`.
    const SAMPLES: &str = include_str!("wxf/fairy-stockfish.tsv");

    #[test]
    fn what_fairy_stockfish_writes_is_read_and_mostly_written() {
        let (mut same, mut counted) = (0, 0);
        for line in SAMPLES.lines() {
            let [fen, mv, written] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("three columns: {line}")
            };
            let (_, position) = Game::open("xiangqi", Some(fen)).unwrap();
            assert_eq!(from_wxf(&position, written).as_deref(), Some(mv), "{line}");
            let ours = to_wxf(&position, mv).unwrap();
            assert_eq!(from_wxf(&position, &ours).as_deref(), Some(mv), "{line}: {ours}");
            same += usize::from(ours == written);
            // It counts pawns; nothing else differs.
            counted += usize::from(ours != written && written.as_bytes()[0].is_ascii_digit());
        }
        assert_eq!(same + counted, SAMPLES.lines().count());
        assert!(same > 50 && counted > 10, "{same}, {counted}");
    }

    #[test]
    fn examples_of_the_federation_are_written() {
        // Its page "Official Xiangqi piece names and notation", with = for its dot.
        let fen = "4k4/9/6P2/6P2/6P2/9/9/9/9/3K5 w";
        let (_, position) = Game::open("xiangqi", Some(fen)).unwrap();
        let written = |mv| to_wxf(&position, mv).unwrap();
        assert_eq!(["g7f7", "g6f6", "g5f5"].map(written), ["P+=4", "P3=4", "P-=4"]);
        assert_eq!(from_wxf(&position, "p3.4").as_deref(), Some("g6f6"));
        let fen = "4k4/9/6P2/2P3P2/2P3P2/9/9/9/9/3K5 w";
        let (_, position) = Game::open("xiangqi", Some(fen)).unwrap();
        let written = |mv| to_wxf(&position, mv).unwrap();
        assert_eq!(["g7f7", "g6f6", "g5f5"].map(written), ["3+=4", "33=4", "3-=4"]);
        assert_eq!(["c6d6", "c5d5"].map(written), ["7+=6", "7-=6"]);
        assert_eq!(from_wxf(&position, "H2+3"), None);
    }

    #[test]
    fn positions_are_read_with_less_or_more_than_ours_have() {
        let board = "4k4/9/9/9/9/9/9/9/9/3K5";
        assert_eq!(plain_fen(board), format!("{board} w"));
        assert_eq!(plain_fen(&format!("{board} - - 5 9")), format!("{board} w - - 5 9"));
        assert_eq!(plain_fen(&format!("{board} b - - 250 130")), format!("{board} b - - 0 130"));
        assert_eq!(plain_fen(&format!("{board} x")), format!("{board} x"));
        assert!(Game::open("xiangqi", Some(&format!("{board} r"))).is_ok());
        // A draw of ours stays one.
        let drawn = format!("{board} w - - {QUIET_LIMIT} 60");
        let (_, position) = Game::open("xiangqi", Some(&drawn)).unwrap();
        assert_eq!((position.position_text(), position.outcome().is_some()), (drawn, true));
    }
}
