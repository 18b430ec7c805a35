//! What a saved file says of itself.

mod forms;

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::form::shares;

use super::Opened;
use super::error::LoadError;
use super::tag::GameTag;

/// What the header of a saved file says, whichever searcher has saved it.
///
/// It can be displayed, as several lines of text, and serialized and read again, in formats that
/// name fields: `playtree table` prints both.
///
/// # Examples
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::games::TicTacToe;
/// use playtree::{Budget, GameTag, Mcts, save};
///
/// # let path = std::env::temp_dir().join(format!("playtree-info-{}", std::process::id()));
/// let mut mcts = Mcts::builder().threads(1).build()?;
/// mcts.search(&TicTacToe::new(), &Budget::simulations(100))?;
/// let saved = mcts.save(&path, &GameTag::new("tictactoe", 1), &save::Options::default())?;
///
/// let read = save::Info::verify(&path)?;
/// assert_eq!(read, saved);
/// assert_eq!((read.game.name(), read.players), ("tictactoe", 2));
/// assert_eq!(read.search().map(|search| search.simulations), Some(100));
/// # std::fs::remove_file(&path)?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Info {
    /// Version of the file format.
    pub version: u32,
    /// The game.
    pub game: GameTag,
    /// Hash of the form of the key and move types.
    pub layout: u64,
    /// Players of the game.
    pub players: usize,
    /// Whether the blocks are compressed.
    pub compressed: bool,
    /// Positions: those in the table of a search, or one for each fact of a solver.
    pub positions: u64,
    /// Length of the file in bytes.
    pub file_bytes: u64,
    /// What is in the file, and what is said of that alone.
    pub content: Content,
    /// Checksum of everything behind the header.
    pub(super) body_checksum: u64,
}

/// What is in a saved file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// The table of a Monte Carlo search, saved by [`Mcts::save`](crate::Mcts::save).
    Search(SearchContent),
    /// The facts of a solver, saved by [`Solver::save`](crate::Solver::save).
    Facts(FactsContent),
}

/// What a file says of the table of a Monte Carlo search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchContent {
    /// Statistics of each position beyond one mean score.
    pub planes: usize,
    /// Whether wins, losses and draws were proven upwards.
    pub proofs: bool,
    /// Whether positions were left out, by a limit of memory or for a book.
    pub thinned: bool,
    /// Positions whose branches are there.
    pub expanded: u64,
    /// Branches.
    pub edges: u64,
    /// Searches of the engine that saved it; they decide the next random numbers.
    pub searches: u64,
    /// Simulations of the engine that saved it.
    pub simulations: u64,
    /// What a draw is worth to each player, in `[0, 1]`: 1/2, unless the engine that saved the
    /// table had [contempt](crate::MctsBuilder::contempt).
    #[serde(deserialize_with = "shares")]
    pub draws: Vec<f64>,
    /// The position that the last search began from, by its number in the file.
    pub(crate) root: Option<u32>,
}

/// What a file says of the facts of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FactsContent {
    /// Hash of the form of the facts, by the hash function that finds them.
    pub form: u64,
    /// The most points by which the game can be won.
    pub max_points: u64,
    /// Whether plies are counted.
    pub counts_plies: bool,
    /// Buckets of the table, of 64 bytes each.
    pub buckets: u64,
}

/// Which searcher saved a table: only one of the same kind can load it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TableKind {
    /// Positions and branches of a Monte Carlo search, saved by [`Mcts::save`](crate::Mcts::save).
    Search,
    /// What a solver knows for certain, saved by [`Solver::save`](crate::Solver::save).
    Facts,
}

impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableKind::Search => "the table of a Monte Carlo search",
            TableKind::Facts => "the facts of a solver",
        })
    }
}

impl Info {
    /// Reads what a saved file says of itself: the header only, whatever the game and whichever
    /// searcher has saved it.
    ///
    /// # Errors
    /// If the file cannot be read, is no saved file, or has not the length it should have. What is
    /// behind the header is not looked at.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Ok(Opened::open(path.as_ref())?.info)
    }

    /// As [`read`](Self::read), and reads all of the file to compare its checksums.
    ///
    /// # Errors
    /// As `read`, and [`Content`](LoadError::Content) if anything behind the header is not as it
    /// was written. Whether the table is one of some game only [`Mcts::load`](crate::Mcts::load) or
    /// [`Solver::load`](crate::Solver::load) finds out.
    pub fn verify(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let file = Opened::open(path.as_ref())?;
        file.verify()?;
        Ok(file.info)
    }

    /// Which searcher saved the file.
    #[must_use]
    pub fn kind(&self) -> TableKind {
        match self.content {
            Content::Search(_) => TableKind::Search,
            Content::Facts(_) => TableKind::Facts,
        }
    }

    /// What is said of the table of a Monte Carlo search; `None` if the file holds no such table.
    #[must_use]
    pub fn search(&self) -> Option<&SearchContent> {
        match &self.content {
            Content::Search(search) => Some(search),
            Content::Facts(_) => None,
        }
    }

    /// What is said of the facts of a solver; `None` if the file holds no facts.
    #[must_use]
    pub fn facts(&self) -> Option<&FactsContent> {
        match &self.content {
            Content::Facts(facts) => Some(facts),
            Content::Search(_) => None,
        }
    }
}

/// What was loaded from a file or merged with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Loaded {
    /// What the file says of itself.
    pub info: Info,
    /// Positions for which the memory limit had no room: of a Monte Carlo search those with fewest
    /// visits, of a solver those whose facts cost least to find out.
    pub left_out: u64,
}
