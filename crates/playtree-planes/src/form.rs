//! The name and the sizes of a game in the file of a network.

use std::fmt;

/// The name of the input: a batch of positions.
pub const POSITION: &str = "position";

/// The name of the output with the expected score of the side to move.
pub const VALUE: &str = "value";

/// The name of the output with a logit for each move.
pub const POLICY: &str = "policy";

/// The version of the form of the files.
const VERSION: &str = "1";

/// A game in figures: what a file for it is called, and how large its input and outputs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The name of the game, and the size of its board where there are several.
    pub game: &'static str,
    /// The planes of a position.
    pub planes: usize,
    /// The rows of the board.
    pub rows: usize,
    /// The columns of the board.
    pub columns: usize,
    /// The numbers of moves.
    pub moves: usize,
}

/// A file that is no network for a game: why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a network for {expected}, found {found}")]
pub struct Foreign {
    /// The game and its sizes.
    pub expected: String,
    /// What the file says instead.
    pub found: String,
}

impl Form {
    /// The squares of the board.
    #[must_use]
    pub const fn squares(&self) -> usize {
        self.rows * self.columns
    }

    /// The numbers of a position.
    #[must_use]
    pub const fn inputs(&self) -> usize {
        self.planes * self.squares()
    }

    /// What is written to the metadata of a file (`metadata_props` of ONNX), as names and texts:
    /// `playtree.version` is `1`, `playtree.game` the name of the game, `playtree.position` the
    /// planes, rows and columns as in `5x6x7`, and `playtree.moves` the number of moves.
    #[must_use]
    pub fn metadata(&self) -> [(&'static str, String); 4] {
        let Self { game, planes, rows, columns, moves } = self;
        [
            ("playtree.version", VERSION.to_owned()),
            ("playtree.game", (*game).to_owned()),
            ("playtree.position", format!("{planes}x{rows}x{columns}")),
            ("playtree.moves", moves.to_string()),
        ]
    }

    /// Finds out by the metadata of a file whether it is a network for this game.
    ///
    /// # Errors
    /// If it is not: for another game or another size, of another version, or without such metadata.
    pub fn check<T: AsRef<str>>(&self, text: impl Fn(&str) -> Option<T>) -> Result<(), Foreign> {
        let wrong = self.metadata().into_iter().find_map(|(name, expected)| match text(name) {
            None => Some(format!("a file without '{name}' in its metadata")),
            Some(found) if found.as_ref() != expected => {
                Some(format!("one with {name} '{}'", found.as_ref()))
            }
            Some(_) => None,
        });
        wrong.map_or(Ok(()), |found| Err(Foreign { expected: self.to_string(), found }))
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, planes, rows, columns, moves } = self;
        write!(
            f,
            "'{game}' ({planes} planes of {rows}x{columns}, {moves} moves, version {VERSION})"
        )
    }
}

#[cfg(test)]
mod tests {
    use playtree::games::{ConnectFour, OthelloBoard};

    use crate::Planes;

    #[test]
    fn a_file_for_another_game_is_refused() {
        let form = ConnectFour::FORM;
        let own = form.metadata();
        let of = |name: &str, own: &[(&str, String)]| {
            own.iter().find(|(known, _)| *known == name).map(|(_, text)| text.clone())
        };
        assert_eq!(form.check(|name| of(name, &own)), Ok(()));

        let error = form.check(|_| None::<String>).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected a network for 'connect4' (5 planes of 6x7, 7 moves, version 1), \
             found a file without 'playtree.version' in its metadata"
        );
        let other = OthelloBoard::<6>::FORM.metadata();
        let error = form.check(|name| of(name, &other)).unwrap_err();
        assert!(error.found.ends_with("playtree.game 'othello 6'"), "{error}");
        let mut wider = own;
        wider[2].1 = "5x6x8".to_owned();
        let error = form.check(|name| of(name, &wider)).unwrap_err();
        assert!(error.found.ends_with("playtree.position '5x6x8'"), "{error}");
    }
}
