//! The reference games, and how to find one by its name.
//!
//! They are examples of [`GameState`](crate::GameState) and the yardstick of every measurement:
//! positions are a few machine words, moves are one or two bytes, nothing is allocated in a
//! rollout.
//!
//! [`GAMES`] describes them; [`with_game`] hands a position of the named game to code that
//! works with any game. What a game says of itself is in its own file, as a [`ReferenceGame`];
//! `docs/adding-a-game.md` lists what else a new one touches.

mod bits;
pub mod breakthrough;
pub mod connect4;
pub mod doudizhu;
pub mod gomoku;
pub mod hex;
mod lanes;
pub mod nim;
pub mod othello;
mod reference;
mod text;
pub mod tictactoe;
pub mod tuning;
pub mod xiangqi;

use crate::game::NotationError;

pub use breakthrough::{Breakthrough, BreakthroughEvaluation};
pub use connect4::{ConnectFour, ConnectFourEvaluation};
pub use doudizhu::Doudizhu;
pub use gomoku::{Gomoku, GomokuEvaluation, LargeGomoku};
pub use hex::{Hex, LargeHex};
pub use nim::{MisereNim, NormalNim};
pub use othello::{Othello, OthelloBoard, OthelloEvaluation};
pub use reference::{GameInfo, GameVisitor, ReferenceGame};
pub use tictactoe::TicTacToe;
pub use xiangqi::{Xiangqi, XiangqiEvaluation};

/// A game of the list: what it says of itself, and how a visitor gets a position of it.
struct Listed<V: GameVisitor> {
    info: GameInfo,
    with_position: fn(&str, V) -> Result<V::Output, NotationError>,
}

impl<V: GameVisitor> Listed<V> {
    /// The reference games, a line each.
    const ALL: [Self; 10] = [
        Self::new::<TicTacToe>(),
        Self::new::<ConnectFour>(),
        Self::new::<Othello>(),
        Self::new::<Hex>(),
        Self::new::<NormalNim>(),
        Self::new::<MisereNim>(),
        Self::new::<Breakthrough>(),
        Self::new::<Gomoku>(),
        Self::new::<Xiangqi>(),
        Self::new::<Doudizhu>(),
    ];

    const fn new<G: ReferenceGame>() -> Self {
        Self { info: G::INFO, with_position: G::with_position::<V> }
    }
}

/// Stands in where the games are only described.
enum NoVisitor {}

impl GameVisitor for NoVisitor {
    type Output = ();

    fn visit<G: ReferenceGame>(self, _: G) {
        match self {}
    }
}

/// The games by name.
pub const GAMES: &[GameInfo] = &{
    let listed = Listed::<NoVisitor>::ALL;
    let mut infos = [listed[0].info; Listed::<NoVisitor>::ALL.len()];
    let mut game = 1;
    while game < infos.len() {
        infos[game] = listed[game].info;
        game += 1;
    }
    infos
};

/// The place in the list of the game called `name`.
fn place(name: &str) -> Result<usize, GameError> {
    GAMES.iter().position(|info| info.name.eq_ignore_ascii_case(name.trim())).ok_or_else(|| {
        let known = GAMES.iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
        GameError::Unknown { known, found: name.to_owned() }
    })
}

/// The description of the game called `name`, in upper or lower case.
///
/// # Errors
/// If there is no such game: the error lists the names.
pub fn find(name: &str) -> Result<&'static GameInfo, GameError> {
    Ok(&GAMES[place(name)?])
}

/// Hands a position of the game called `name` to `visitor`: the one that `position`
/// describes, or the start of the game.
///
/// Hex takes the size from the text, and the type from the size: [`Hex`] up to 11x11,
/// [`LargeHex`] above. Gomoku does the same: [`Gomoku`] up to 15 columns and rows, [`LargeGomoku`]
/// above. Othello is found by the number of squares.
///
/// # Errors
/// If there is no such game, or the text is not a position of it.
pub fn with_game<V: GameVisitor>(
    name: &str,
    position: Option<&str>,
    visitor: V,
) -> Result<V::Output, GameError> {
    let game = &Listed::<V>::ALL[place(name)?];
    Ok((game.with_position)(position.unwrap_or(game.info.start), visitor)?)
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

#[cfg(test)]
mod tests {
    use super::{GAMES, GameVisitor, ReferenceGame, find, with_game};

    struct Text;

    impl GameVisitor for Text {
        type Output = String;
        fn visit<G: ReferenceGame>(self, position: G) -> String {
            position.position_text()
        }
    }

    struct Evaluation;

    impl GameVisitor for Evaluation {
        type Output = Option<i32>;
        fn visit<G: ReferenceGame>(self, position: G) -> Option<i32> {
            G::evaluation().map(|evaluation| evaluation.evaluate(&position))
        }
    }

    #[test]
    fn a_game_finds_its_own_evaluation() {
        // Red has a rook more.
        let position = Some("3k5/9/9/9/9/9/9/9/9/R3K4 w");
        assert!(with_game("xiangqi", position, Evaluation).unwrap() > Some(300));
        assert!(with_game("gomoku", Some("19: a1"), Evaluation).unwrap().is_some());
        assert_eq!(with_game("othello", Some("-----OX--XO----- X"), Evaluation), Ok(None));
    }

    struct Tag;

    impl GameVisitor for Tag {
        type Output = String;
        fn visit<G: ReferenceGame>(self, position: G) -> String {
            position.tag().name().to_owned()
        }
    }

    #[test]
    fn a_tag_tells_what_the_keys_leave_out() {
        let four = "-----OX--XO----- X";
        for (name, position, expected) in [
            ("connect4", "44", "connect4"),
            ("nim-misere", "1,2", "nim-misere"),
            ("hex", "5: c3", "hex 5"),
            ("hex", "19:", "hex 19"),
            ("othello", four, "othello 4"),
        ] {
            assert_eq!(with_game(name, Some(position), Tag).as_deref(), Ok(expected));
        }
        assert_eq!(with_game("othello", None, Tag).as_deref(), Ok("othello"));
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
        let text = error.to_string();
        assert!(text.starts_with("expected a board, a size or columns and rows"), "{text}");
        assert!(text.contains("2 to 19") && text.ends_with("found '1:'"), "{text}");
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
        let names: Vec<&str> = GAMES.iter().map(|info| info.name).collect();
        let expected = format!("expected a game ({}), found 'go'", names.join(", "));
        assert_eq!(find("go").unwrap_err().to_string(), expected);
    }
}
