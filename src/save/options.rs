//! How a table is saved.

use serde::{Deserialize, Serialize};

use super::error::SaveError;
use super::tag::GameTag;

/// How a table is saved, by whichever searcher. The default is all of it, not compressed.
///
/// A searcher refuses what it cannot do, before the file is touched.
///
/// # Examples
/// ```
/// let book = playtree::save::Options::default().min_visits(50);
/// assert_ne!(book, playtree::save::Options::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[must_use]
pub struct Options {
    pub(crate) compress: bool,
    pub(crate) min_visits: u32,
}

impl Options {
    /// Compresses the file with LZ4; of the facts of a solver little is saved, as the most of them
    /// are hashes. Takes the feature `compression`: without it the save is
    /// [refused](SaveError::NoCompression). Default: off.
    pub fn compress(mut self, on: bool) -> Self {
        self.compress = on;
        self
    }

    /// Leaves out positions with fewer visits than this: what remains is an opening book.
    /// What the branches to them have seen stays. Default: 0, which leaves out nothing.
    ///
    /// For the table of a Monte Carlo search. A solver counts no visits, so
    /// [`Solver::save`](crate::Solver::save) [refuses](SaveError::MinVisits) any number but 0.
    pub fn min_visits(mut self, visits: u32) -> Self {
        self.min_visits = visits;
        self
    }

    /// Refuses what no searcher can save.
    pub(crate) fn check(&self, game: &GameTag) -> Result<(), SaveError> {
        if !game.is_valid() {
            return Err(SaveError::Tag { found: game.name().len() });
        }
        if self.compress && !cfg!(feature = "compression") {
            return Err(SaveError::NoCompression);
        }
        Ok(())
    }
}
