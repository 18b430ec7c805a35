//! One error for programs that hand on whatever may go wrong.

use crate::error::{ConfigError, SearchError};
use crate::game::{NotationError, ScoresError};
use crate::mcts::exchange::ExchangeError;
use crate::save::{LoadError, SaveError};

/// Anything that a call of the library may answer instead of a result.
///
/// For programs that do many things and hand on what went wrong: to a page, to another language, to
/// a log. Each call has an error of its own, and `?` turns it into this one.
///
/// # Examples
/// ```
/// use playtree::games::TicTacToe;
/// use playtree::{Budget, Error, Mcts, Notation};
///
/// fn best_move(position: &str) -> Result<String, Error> {
///     let position = TicTacToe::parse_position(position)?;
///     let mut mcts = Mcts::builder().threads(1).build()?;
///     let report = mcts.search(&position, &Budget::simulations(1_000))?;
///     Ok(position.move_text(&report.best_move))
/// }
///
/// assert_eq!(best_move("XX.OO....").as_deref().ok(), Some("3"));
/// let error = best_move("XXXOO....").unwrap_err();
/// assert_eq!(error.code(), "search.game-over");
/// assert_eq!(best_move("?").unwrap_err().code(), "notation");
/// ```
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
#[non_exhaustive]
pub enum Error {
    /// A searcher cannot be made.
    Config(#[from] ConfigError),
    /// A search cannot be run, or the game broke a law.
    Search(#[from] SearchError),
    /// A table cannot be saved.
    Save(#[from] SaveError),
    /// A table cannot be loaded.
    Load(#[from] LoadError),
    /// Engines cannot exchange statistics.
    Exchange(#[from] ExchangeError),
    /// A text is no position or no move.
    Notation(#[from] NotationError),
    /// Scores are out of their range.
    Scores(#[from] ScoresError),
}

impl Error {
    /// The error as a name that stays the same from version to version: what has failed, and how,
    /// such as `search.game-over`. Of texts and scores `notation` and `scores`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Config(error) => error.code(),
            Self::Search(error) => error.code(),
            Self::Save(error) => error.code(),
            Self::Load(error) => error.code(),
            Self::Exchange(error) => error.code(),
            Self::Notation(_) => "notation",
            Self::Scores(_) => "scores",
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::error::Error as _;
    use std::io;
    use std::path::Path;

    use super::Error;
    use crate::error::SearchError;
    use crate::game::{Failure, NotationError, Scores};
    use crate::mcts::exchange::ExchangeError;
    use crate::save::{LoadError, SaveError};

    #[test]
    fn every_error_has_its_code_its_text_and_its_source() {
        let failure = Failure::new("line 7 is busy");
        let io = || io::Error::from(io::ErrorKind::NotFound);
        let errors: [(Error, &str); 7] = [
            (SearchError::Unlimited.into(), "search.unlimited"),
            (SearchError::Game(failure).into(), "search.game"),
            (SaveError::io("write", Path::new("a"), io()).into(), "save.io"),
            (LoadError::Version { expected: 2, found: 9 }.into(), "load.version"),
            (NotationError::new("a square", "'?'").into(), "notation"),
            (Scores::new(&[2.0]).unwrap_err().into(), "scores"),
            (ExchangeError::NothingShared.into(), "exchange.nothing-shared"),
        ];
        for (error, code) in &errors {
            assert_eq!(error.code(), *code);
        }
        assert_eq!(errors[4].0.to_string(), "expected a square, found '?'");
        assert_eq!(
            errors[1].0.source().map(|own| own.to_string()).as_deref(),
            Some("line 7 is busy")
        );
        assert!(errors[2].0.source().is_some());
    }
}
