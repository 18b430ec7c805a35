//! Boards of Othello as Edax and other programs write them.
//!
//! - A line of Edax's problem files (`.obf`): 64 squares, the side to move, a semicolon, and what
//!   is known of the moves. For black stand `X`, `*` or `b`, for white `O` or `w`, for nothing `-`
//!   or `.`.
//! - A board as Edax and others print it: a row a line, with its number before it, blanks between
//!   the squares, and the side on one of the lines: `* to move`.

/// The position in our notation, `None` if the text is none of these.
pub(super) fn plain_board(text: &str) -> Option<String> {
    problem(text).or_else(|| printed(text))
}

/// What stands on a square, as we write it.
fn square(letter: char) -> Option<char> {
    match letter {
        'X' | 'x' | '*' | 'b' | 'B' => Some('X'),
        'O' | 'o' | '0' | 'w' | 'W' => Some('O'),
        '-' | '.' | '_' => Some('-'),
        _ => None,
    }
}

/// The side that a word names.
fn side(word: &str) -> Option<char> {
    match word.to_ascii_lowercase().as_str() {
        "x" | "*" | "b" | "black" => Some('X'),
        "o" | "0" | "w" | "white" => Some('O'),
        _ => None,
    }
}

/// A line of a problem file. The side may follow the squares without a blank.
fn problem(text: &str) -> Option<String> {
    let text = text.split(';').next()?.trim();
    let letters: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    if letters.len() != 65 {
        return None;
    }
    let squares: Option<String> = letters[..64].iter().copied().map(square).collect();
    let side = side(&letters[64].to_string())?;
    Some(format!("{} {side}", squares?))
}

/// A board with a row a line.
fn printed(text: &str) -> Option<String> {
    let mut squares = String::new();
    let mut mover = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            if words.get(at + 1..at + 3) == Some(&["to", "move"]) {
                mover = side(word);
            }
        }
        let number = (squares.len() / 8 + 1).to_string();
        let Some((first, rest)) = words.split_first() else { continue };
        if *first == number && squares.len() < 64 {
            let row: String = rest.concat().chars().map_while(square).take(8).collect();
            if row.len() < 8 {
                return None;
            }
            squares.push_str(&row);
        }
    }
    (squares.len() == 64).then(|| mover.map(|mover| format!("{squares} {mover}")))?
}

#[cfg(test)]
mod tests {
    use crate::Game;

    use super::plain_board;

    /// The first line of `fforum-1-19.obf`, which comes with Edax 4.
    const PROBLEM: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; \
                           G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;";

    #[test]
    fn a_problem_of_edax_is_read() {
        let (_, position) = Game::open("othello", Some(PROBLEM)).unwrap();
        // All moves that it lists, and no more.
        let mut listed: Vec<String> = PROBLEM
            .split(';')
            .skip(1)
            .filter_map(|entry| Some(entry.split_once(':')?.0.trim().to_ascii_lowercase()))
            .collect();
        let mut legal = position.legal_moves();
        legal.sort();
        listed.sort();
        assert_eq!(legal, listed);
    }

    #[test]
    fn a_printed_board_is_read() {
        let start = Game::open("othello", None).unwrap().1.position_text();
        let rows = ["- - - - - - - -"; 3].map(str::to_owned);
        let middle = ["- - - O * - - -", "- - - * O - - -"].map(str::to_owned);
        let mut text = "  A B C D E F G H\n".to_owned();
        for (number, row) in rows.iter().chain(&middle).chain(&rows).enumerate() {
            let more = if number == 1 { " * to move" } else { "" };
            text.push_str(&format!("{0} {row} {0}{more}\n", number + 1));
        }
        assert_eq!(plain_board(&text), Some(start.clone()));
        assert_eq!(plain_board(&start), Some(start));
        for wrong in ["", "* to move", &text.replace("to move", ""), &text.replace('*', "+")] {
            assert_eq!(plain_board(wrong), None, "{wrong}");
        }
    }
}
