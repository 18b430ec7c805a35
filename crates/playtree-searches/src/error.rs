//! What can go wrong.

use playtree::games::GameError;
use playtree::{ConfigError, LoadError, SaveError, SearchError};

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The library's own.
    #[error(transparent)]
    Library(#[from] playtree::Error),
    /// There is no such game, or no such position of it.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The settings ask for what the game does not have.
    #[error("expected a game with an evaluation for {setting}, found {game}")]
    NoEvaluation {
        /// The setting, as the field of its settings is called.
        setting: &'static str,
        /// The name of the game.
        game: &'static str,
    },
    /// The settings name the file of a network, and the program was built without them.
    #[error("expected a program with networks (feature 'network'), found one without")]
    NetworksLeftOut,
    /// The settings name the file of a network, and there are none for the game.
    #[error("expected a game with networks (connect4, othello), found {game}")]
    NoPlanes {
        /// The name of the game.
        game: &'static str,
    },
    /// The file is no network for the game.
    #[cfg(feature = "network")]
    #[error(transparent)]
    Network(#[from] playtree_onnx::FileError),
    /// The game cannot be solved.
    #[error("expected a game in which no position comes again, found {game}")]
    NotSolvable {
        /// The name of the game.
        game: &'static str,
    },
    /// A position or a move is one of another game, or of a board of another size.
    #[error("expected a position of {expected}, found '{found}'")]
    OtherGame {
        /// The game.
        expected: &'static str,
        /// The text of the position.
        found: String,
    },
    /// No search was begun that could be waited for.
    #[error("expected a search under way, found none")]
    NoSearch,
    /// There is no move to be taken back.
    #[error("expected a move to take back, found none")]
    NoMove,
}

impl Error {
    /// The error as a name that stays the same from version to version, such as
    /// `search.game-over` or `session.no-evaluation`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Library(error) => error.code(),
            Self::Game(GameError::Unknown { .. }) => "session.unknown-game",
            Self::Game(_) => "notation",
            Self::NoEvaluation { .. } => "session.no-evaluation",
            Self::NetworksLeftOut => "session.networks-left-out",
            Self::NoPlanes { .. } => "session.no-planes",
            #[cfg(feature = "network")]
            Self::Network(_) => "session.network",
            Self::NotSolvable { .. } => "session.not-solvable",
            Self::OtherGame { .. } => "session.other-game",
            Self::NoSearch => "session.no-search",
            Self::NoMove => "session.no-move",
        }
    }
}

/// Each error of the library by way of the one of all.
macro_rules! from_library {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::Library(error.into())
            }
        })+
    };
}

from_library!(ConfigError, SearchError, SaveError, LoadError, playtree::game::NotationError);
