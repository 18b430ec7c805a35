//! The reference games, and how to find one by its name.
//!
//! They are examples of [`GameState`] and the yardstick of every measurement: positions
//! are a few machine words, moves are one or two bytes, nothing is allocated in a rollout.
//!
//! [`GAMES`] describes them; [`with_game`] hands a position of the named game to code that
//! works with any game.

mod bits;
pub mod breakthrough;
pub mod connect4;
pub mod doudizhu;
pub mod gomoku;
pub mod hex;
mod lanes;
pub mod nim;
pub mod othello;
mod text;
pub mod tictactoe;
pub mod tuning;
pub mod xiangqi;

use std::fmt::Debug;

use crate::game::{GameState, Notation, NotationError, Saveable};
use crate::solvable::Solvable;

pub use breakthrough::{Breakthrough, BreakthroughEvaluation};
pub use connect4::{ConnectFour, ConnectFourEvaluation};
pub use doudizhu::Doudizhu;
pub use gomoku::{Gomoku, GomokuEvaluation, LargeGomoku};
pub use hex::{Hex, LargeHex};
pub use nim::{MisereNim, NormalNim};
pub use othello::{Othello, OthelloBoard, OthelloEvaluation};
pub use tictactoe::TicTacToe;
pub use xiangqi::{Xiangqi, XiangqiEvaluation};

/// What a person needs to know to play or search a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameInfo {
    /// The name that [`with_game`] knows.
    pub name: &'static str,
    /// The rules in a sentence or two.
    pub rules: &'static str,
    /// The text of the position that the game starts from.
    pub start: &'static str,
    /// How a position is written.
    pub position_help: &'static str,
    /// How a move is written.
    pub move_help: &'static str,
}

/// The games by name.
pub const GAMES: &[GameInfo] = &[
    GameInfo {
        name: "tictactoe",
        rules: "Three by three; X begins; three in a row, column or diagonal win.",
        start: ".........",
        position_help: "nine characters X, O, . row by row; X is to move if X and O are equal in \
                        number",
        move_help: "the square 1 to 9, row by row",
    },
    GameInfo {
        name: "connect4",
        rules: "Seven columns of six; a stone falls to the lowest free square of its column; \
                four in a row, upright, level or slanting, win; a full board is a draw.",
        start: "",
        position_help: "the columns 1 to 7 in the order of play, empty for the start",
        move_help: "the column 1 to 7",
    },
    GameInfo {
        name: "othello",
        rules: "Black (X) begins; a disc must turn over at least one line of the other side's; \
                who cannot must pass; when neither can, more discs win. Sizes 8, 6 and 4.",
        start: "---------------------------OX------XO--------------------------- X",
        position_help: "64 characters X, O, - from a1 row by row, or 36 or 16 of a smaller \
                        board; a blank, the side to move",
        move_help: "the square, like d3, or pass",
    },
    GameInfo {
        name: "hex",
        rules: "The first player joins the top to the bottom, the second the left to the right; \
                a cell touches six others; no swap. Sizes 2 to 19.",
        start: "11:",
        position_help: "the size, a colon and the moves so far, like 11: f6 e7",
        move_help: "the column as a letter and the row as a number from the top, like f6",
    },
    GameInfo {
        name: "nim",
        rules: "A move takes any number from one pile; who takes the last wins.",
        start: "1,3,5,7",
        position_help: "up to 8 piles of up to 127, like 1,3,5,7; then, if the second player \
                        is to move, a blank and a 2",
        move_help: "the pile and how many to take, like 2-4",
    },
    GameInfo {
        name: "nim-misere",
        rules: "A move takes any number from one pile; who takes the last loses.",
        start: "1,3,5,7",
        position_help: "up to 8 piles of up to 127, like 1,3,5,7; then, if the second player \
                        is to move, a blank and a 2",
        move_help: "the pile and how many to take, like 2-4",
    },
    GameInfo {
        name: "breakthrough",
        rules: "A piece goes one square ahead, straight or slanting, and takes slantwise only; \
                who reaches the far row or takes every piece wins. 2 to 8 columns, 3 to 8 rows.",
        start: "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w",
        position_help: "the rows from the top, as in FEN: P white, p black, a digit for that \
                        number of empty squares; a blank and the side to move, w or b",
        move_help: "the two squares, like a2b3",
    },
    GameInfo {
        name: "gomoku",
        rules: "Five stones in a row, upright, level or slanting, win; a full board is a draw; \
                no point is forbidden. Sizes 5 to 19; six in a row win too, or not if exact. Or \
                an m,n,k-game: 3 to 19 columns and rows, and 3 stones in a row or more.",
        start: "15:",
        position_help: "the size, the word exact if only exactly five win, a colon and the moves \
                        so far, like 15: h8 i9; for the size of an m,n,k-game columns, rows and \
                        stones in a row, like 4x3x3: b2",
        move_help: "the column as a letter and the row as a number from the bottom, like h8",
    },
    GameInfo {
        name: "xiangqi",
        rules: "Chinese chess; Red (upper case) begins; who is checkmated or cannot move loses; \
                perpetual check and perpetual chase lose, other repetition is a draw, and so \
                are 120 plies without a capture.",
        start: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        position_help: "ranks from Black's side to Red's, K A B N R C P upper case for Red, \
                        numbers for free points; then w or b, - -, plies without a capture, \
                        number of the move",
        move_help: "the points left and entered, a0 to i9 from Red's left, like h2e2",
    },
    GameInfo {
        name: "doudizhu",
        rules: "Endgames with open hands for two: cards that beat the last play, or pass; after a \
                pass the other side plays what it likes; who has no cards left wins. Kickers \
                strict, classic, lenient, no_3plus2, no_4plus2 or minimal.",
        start: "KK5543/225543",
        position_help: "the name of the rules if not classic, the two hands (3456789TJQKA2, B and \
                        R the jokers) and the play to be beaten, with slashes between them, like \
                        KK54/225543/3; then, if the second player is to move, a blank and a 2",
        move_help: "the cards, like 55 or JJJ4, or pass; 44443333:w1 or 44443333:+2+2 where the \
                    same cards are several plays",
    },
];

/// The description of the game called `name`, in upper or lower case.
///
/// # Errors
/// If there is no such game: the error lists the names.
pub fn find(name: &str) -> Result<&'static GameInfo, GameError> {
    GAMES.iter().find(|info| info.name.eq_ignore_ascii_case(name.trim())).ok_or_else(|| {
        let known = GAMES.iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
        GameError::Unknown { known, found: name.to_owned() }
    })
}

/// Code that works with any game: what [`with_game`] calls.
///
/// # Examples
/// ```
/// use std::fmt::Debug;
///
/// use playtree::Notation;
/// use playtree::games::{GameVisitor, with_game};
///
/// struct CountMoves;
///
/// impl GameVisitor for CountMoves {
///     type Output = usize;
///     fn visit<G: Notation + Debug + 'static>(self, position: G) -> usize {
///         let mut moves = Vec::new();
///         position.moves(&mut moves);
///         moves.len()
///     }
/// }
///
/// assert_eq!(with_game("hex", Some("5: c3"), CountMoves)?, 24);
/// # Ok::<(), playtree::games::GameError>(())
/// ```
pub trait GameVisitor {
    /// What the visit comes to.
    type Output;

    /// Works with `position`.
    fn visit<G: Notation + Saveable + Solvable + Debug + 'static>(
        self,
        position: G,
    ) -> Self::Output;
}

/// Hands a position of the game called `name` to `visitor`: the one that `position`
/// describes, or the start of the game.
///
/// Hex takes the size from the text, and the type from the size: [`Hex`] up to 11x11,
/// [`LargeHex`] above. Gomoku does the same: [`Gomoku`] up to 15 columns and rows, [`LargeGomoku`]
/// above.
/// Othello is found by the number of squares.
///
/// # Errors
/// If there is no such game, or the text is not a position of it.
pub fn with_game<V: GameVisitor>(
    name: &str,
    position: Option<&str>,
    visitor: V,
) -> Result<V::Output, GameError> {
    fn parse<G: Notation>(text: &str) -> Result<G, GameError> {
        Ok(G::parse_position(text)?)
    }

    let info = find(name)?;
    let text = position.unwrap_or(info.start);
    Ok(match info.name {
        "tictactoe" => visitor.visit(parse::<TicTacToe>(text)?),
        "connect4" => visitor.visit(parse::<ConnectFour>(text)?),
        "othello" => match othello::size_of_text(text)? {
            4 => visitor.visit(parse::<OthelloBoard<4>>(text)?),
            6 => visitor.visit(parse::<OthelloBoard<6>>(text)?),
            _ => visitor.visit(parse::<Othello>(text)?),
        },
        "hex" if hex::size_of_text(text)? <= Hex::MAX_SIZE => visitor.visit(parse::<Hex>(text)?),
        "hex" => visitor.visit(parse::<LargeHex>(text)?),
        "nim" => visitor.visit(parse::<NormalNim>(text)?),
        "nim-misere" => visitor.visit(parse::<MisereNim>(text)?),
        "breakthrough" => visitor.visit(parse::<Breakthrough>(text)?),
        "gomoku" if gomoku::size_of_text(text)? <= Gomoku::MAX_SIZE => {
            visitor.visit(parse::<Gomoku>(text)?)
        }
        "gomoku" => visitor.visit(parse::<LargeGomoku>(text)?),
        "xiangqi" => visitor.visit(parse::<Xiangqi>(text)?),
        "doudizhu" => visitor.visit(parse::<Doudizhu>(text)?),
        listed => unreachable!("'{listed}' is listed in GAMES but has no type"),
    })
}

/// Why [`with_game`] found no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// There is no game of this name.
    #[error("expected a game ({known}), found '{found}'")]
    Unknown {
        /// The names of the games.
        known: String,
        /// The name given.
        found: String,
    },
    /// The text is not a position of the game.
    #[error(transparent)]
    Position(#[from] NotationError),
}

/// A size that must not grow unseen: the search copies positions and stores keys.
const _: () = {
    assert!(size_of::<TicTacToe>() == 6 && size_of::<<TicTacToe as GameState>::Key>() == 4);
    assert!(size_of::<ConnectFour>() == 24 && size_of::<<ConnectFour as GameState>::Key>() == 8);
    assert!(size_of::<Othello>() == 32 && size_of::<<Othello as GameState>::Key>() == 16);
    assert!(size_of::<Hex>() == 40 && size_of::<<Hex as GameState>::Key>() == 32);
    assert!(size_of::<LargeHex>() == 104 && size_of::<<LargeHex as GameState>::Key>() == 96);
    assert!(size_of::<Breakthrough>() == 24 && size_of::<<Breakthrough as GameState>::Key>() == 16);
    assert!(size_of::<Gomoku>() == 72 && size_of::<<Gomoku as GameState>::Key>() == 64);
    assert!(size_of::<LargeGomoku>() == 104 && size_of::<<LargeGomoku as GameState>::Key>() == 96);
    assert!(size_of::<Xiangqi>() == 144 && size_of::<<Xiangqi as GameState>::Key>() == 56);
    assert!(size_of::<Doudizhu>() == 32 && size_of::<<Doudizhu as GameState>::Key>() == 16);
    assert!(size_of::<NormalNim>() == 16 && size_of::<<NormalNim as GameState>::Key>() == 8);
};

#[cfg(test)]
mod tests {
    use super::{Debug, GAMES, GameVisitor, Notation, find, with_game};

    struct Text;

    impl GameVisitor for Text {
        type Output = String;
        fn visit<G: Notation + Debug + 'static>(self, position: G) -> String {
            position.position_text()
        }
    }

    #[test]
    fn every_game_starts_from_its_start() {
        for info in GAMES {
            assert_eq!(with_game(info.name, None, Text).as_deref(), Ok(info.start));
        }
    }

    #[test]
    fn hex_finds_the_type_by_the_size() {
        for text in ["2: b2", "11: f6 e7", "12: l12", "19: a19 s1"] {
            assert_eq!(with_game("Hex", Some(text), Text).as_deref(), Ok(text));
        }
        let error = with_game("hex", Some("1:"), Text).unwrap_err();
        assert_eq!(error.to_string(), "expected a board size, 2 to 19, and a colon, found '1:'");
    }

    #[test]
    fn gomoku_finds_the_type_by_the_size() {
        for text in
            ["5: a1", "15 exact: h8", "4x3x3: d3", "16: p16", "3x16x3: c16", "19 exact: s19 a1"]
        {
            assert_eq!(with_game("gomoku", Some(text), Text).as_deref(), Ok(text));
        }
    }

    #[test]
    fn othello_finds_the_type_by_the_squares() {
        let small = ["-----OX--XO----- X".to_owned(), format!("{0}XO----OX{0} O", "-".repeat(14))];
        for text in &small {
            assert_eq!(with_game("othello", Some(text), Text).as_deref(), Ok(text.as_str()));
        }
        let error = with_game("othello", Some("-----OX--XO---- X"), Text).unwrap_err();
        assert!(error.to_string().ends_with("found 15 squares"), "{error}");
    }

    #[test]
    fn an_unknown_game_lists_the_known() {
        assert_eq!(
            find("go").unwrap_err().to_string(),
            "expected a game (tictactoe, connect4, othello, hex, nim, nim-misere, breakthrough, \
             gomoku, xiangqi, doudizhu), found 'go'"
        );
    }
}
