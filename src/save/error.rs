//! What can go wrong with a saved table: what was expected, what was found, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::info::TableKind;
use super::tag::GameTag;

/// Why a table could not be saved. The file that was there before is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The name of the game is empty or too long.
    #[error("expected a game name of 1 to 255 bytes, found {found}")]
    Tag {
        /// Its length in bytes.
        found: usize,
    },
    /// The engine has no table: a new search would find nothing of a saved one.
    #[error("expected an engine whose positions share nodes (Sharing::Shared), found a tree")]
    NoTable,
    /// The solver has no table for this number of players.
    #[error("expected a game of at most 2 players for a table of facts, found {found}")]
    NoFacts {
        /// The players of the game.
        found: usize,
    },
    /// Positions with few visits were to be left out, of facts, which have no visits
    /// ([`Options::min_visits`](super::Options::min_visits)).
    #[error("expected all facts to be saved, found a least number of visits ({found})")]
    MinVisits {
        /// The least number of visits.
        found: u32,
    },
    /// A key or a move cannot be written, or what was written reads as something else.
    #[error("expected {what} that can be written and read back, found: {found}")]
    Encoding {
        /// `a key` or `a move`.
        what: &'static str,
        /// What happened.
        found: String,
    },
    /// The branches of one position take more than 64 MiB.
    #[error("expected at most {most} bytes for the branches of a position, found {found}")]
    TooLarge {
        /// The limit in bytes.
        most: usize,
        /// What they take.
        found: usize,
    },
    /// Compression was asked for.
    #[error("expected the feature 'compression' for a compressed table, found it turned off")]
    NoCompression,
    /// There is no handle any more whose table could be saved.
    #[error("expected a search in the background, found that its handle is gone")]
    Gone,
    /// What is at the path must not be replaced.
    #[error("{}: expected a regular file or none, found {found}", path.display())]
    NotAFile {
        /// The path, with symbolic links followed.
        path: PathBuf,
        /// What is there.
        found: &'static str,
    },
    /// The system could not do its part.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl SaveError {
    /// The error as a name that stays the same from version to version, for programs that pass it
    /// on: `save.` and the variant.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Tag { .. } => "save.tag",
            Self::NoTable => "save.no-table",
            Self::NoFacts { .. } => "save.no-facts",
            Self::MinVisits { .. } => "save.min-visits",
            Self::Encoding { .. } => "save.encoding",
            Self::TooLarge { .. } => "save.too-large",
            Self::NoCompression => "save.no-compression",
            Self::Gone => "save.gone",
            Self::NotAFile { .. } => "save.not-a-file",
            Self::Io { .. } => "save.io",
        }
    }

    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        SaveError::Io { action, path: path.to_owned(), source }
    }
}

/// Why a saved table could not be loaded or merged. The engine is as it was before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The name of the game is empty or too long.
    #[error("expected a game name of 1 to 255 bytes, found {found}")]
    Tag {
        /// Its length in bytes.
        found: usize,
    },
    /// The engine has no table: a search would find nothing of what was loaded.
    #[error("expected an engine whose positions share nodes (Sharing::Shared), found a tree")]
    NoTable,
    /// The solver has no table for this number of players.
    #[error("expected a game of at most 2 players for a table of facts, found {found}")]
    NoFacts {
        /// The players of the game.
        found: usize,
    },
    /// The facts were written, or hashed, in another form.
    #[error("expected facts of the form {expected:#018x}, found {found:#018x}")]
    Facts {
        /// A hash of the form that is known.
        expected: u64,
        /// The file's.
        found: u64,
    },
    /// No whole part of the table fits into the memory limit of the solver.
    #[error("expected a memory limit of {expected} bytes for the saved table, found {found}")]
    Memory {
        /// Bytes of the table when it was saved.
        expected: u64,
        /// The limit of the solver in bytes.
        found: u64,
    },
    /// The system has no memory for the table, or for the part of it that the memory limit allows.
    #[error("expected {bytes} bytes of memory for the saved table, found less")]
    NoMemory {
        /// Bytes of the table.
        bytes: u64,
    },
    /// The file does not begin as a saved table does.
    #[error("expected a saved table, beginning with {expected:02x?}, found {found:02x?}")]
    Foreign {
        /// The first bytes of every saved table.
        expected: [u8; 8],
        /// The first bytes of this file, 8 at most.
        found: Vec<u8>,
    },
    /// The file has a format that this version does not know.
    #[error("expected format version {expected}, found {found}")]
    Version {
        /// The version that is known.
        expected: u32,
        /// The file's.
        found: u32,
    },
    /// The file is one of another searcher.
    #[error("expected {expected}, found {found}")]
    Kind {
        /// What was to be loaded.
        expected: TableKind,
        /// What is in the file.
        found: TableKind,
    },
    /// What is at the path is no file that could be read.
    #[error("{}: expected a regular file, found {found}", path.display())]
    NotAFile {
        /// The path as it was given.
        path: PathBuf,
        /// What is there.
        found: &'static str,
    },
    /// The file is shorter or longer than it says.
    #[error("expected a file of {expected} bytes, found {}", length(*expected, *found))]
    Length {
        /// Bytes by the header, or the least that a header takes.
        expected: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// The table is one of another game.
    #[error("expected a table of {expected}, found one of {found}")]
    Game {
        /// The game asked for.
        expected: GameTag,
        /// The game in the file.
        found: GameTag,
    },
    /// The types of keys and moves were written in another form.
    #[error("expected keys and moves laid out as {expected:#018x}, found {found:#018x}")]
    Layout {
        /// A hash of the form of this game's types.
        expected: u64,
        /// The file's.
        found: u64,
    },
    /// The table was made under settings that keep other statistics, or under other rules.
    #[error("expected a table with {expected} {what}, found {found}")]
    Settings {
        /// What is counted.
        what: Mismatch,
        /// The engine's number.
        expected: u64,
        /// The file's.
        found: u64,
    },
    /// The means of the table were made with another worth of a draw
    /// ([contempt](crate::MctsBuilder::contempt)).
    #[error("expected a table of draws worth {expected:?} to the players, found {found:?}")]
    Draws {
        /// What a draw is worth to each player in this engine, in `[0, 1]`.
        expected: Vec<f64>,
        /// The same by the file.
        found: Vec<f64>,
    },
    /// The table is compressed.
    #[error("expected the feature 'compression' for a compressed table, found it turned off")]
    NoCompression,
    /// The content is damaged, or breaks a law of saved tables.
    #[error("{place}: expected {expected}, found {found}")]
    Content {
        /// Where in the file.
        place: String,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The two tables to be merged cannot both be right.
    #[error("merging {place}: expected {expected}, found {found}")]
    Conflict {
        /// Which position.
        place: String,
        /// What the table that came first says.
        expected: String,
        /// What the other one says.
        found: String,
    },
    /// The system could not do its part.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// A file of `found` bytes that should have `expected`, in words.
fn length(expected: u64, found: u64) -> String {
    match found {
        0 => "an empty one".into(),
        _ if found < expected => format!("one cut off after {found}"),
        _ => format!("one of {found}"),
    }
}

/// What is to be the same in a file and in the searcher that loads it, and is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mismatch {
    /// Players of the game.
    Players,
    /// Statistics of each position beyond one mean score: the scores of all players, if there are
    /// three or more, and squares with [UCB1-Tuned](crate::mcts::Selection::Ucb1Tuned).
    Planes,
    /// The most points by which the game can be won
    /// ([`Solvable::MAX_POINTS`](crate::Solvable::MAX_POINTS)).
    MaxPoints,
    /// 1 if plies are counted ([`Solvable::COUNTS_PLIES`](crate::Solvable::COUNTS_PLIES)), else 0.
    CountsPlies,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mismatch::Players => "players",
            Mismatch::Planes => "further statistics of each position",
            Mismatch::MaxPoints => "points at most",
            Mismatch::CountsPlies => "counted for each ply",
        })
    }
}

impl LoadError {
    /// The error as a name that stays the same from version to version, for programs that pass it
    /// on: `load.` and the variant.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Tag { .. } => "load.tag",
            Self::NoTable => "load.no-table",
            Self::NoFacts { .. } => "load.no-facts",
            Self::Facts { .. } => "load.facts",
            Self::Memory { .. } => "load.memory",
            Self::NoMemory { .. } => "load.no-memory",
            Self::Foreign { .. } => "load.foreign",
            Self::Version { .. } => "load.version",
            Self::Kind { .. } => "load.kind",
            Self::NotAFile { .. } => "load.not-a-file",
            Self::Length { .. } => "load.length",
            Self::Game { .. } => "load.game",
            Self::Layout { .. } => "load.layout",
            Self::Settings { .. } => "load.settings",
            Self::Draws { .. } => "load.draws",
            Self::NoCompression => "load.no-compression",
            Self::Content { .. } => "load.content",
            Self::Conflict { .. } => "load.conflict",
            Self::Io { .. } => "load.io",
        }
    }

    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        LoadError::Io { action, path: path.to_owned(), source }
    }

    pub(crate) fn content(
        place: impl Into<String>,
        expected: impl Into<String>,
        found: impl ToString,
    ) -> Self {
        LoadError::Content {
            place: place.into(),
            expected: expected.into(),
            found: found.to_string(),
        }
    }
}
