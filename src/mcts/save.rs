//! Saving the table to a file, loading it, and merging two tables.
//!
//! `docs/file-format.md` describes the file. What follows from something else is not in it,
//! and what is in it is checked before it is believed: see `records.rs` and `read.rs`.

mod build;
mod census;
mod read;
mod records;
mod shelf;
#[cfg(all(test, feature = "games", not(loom)))]
mod tests;
mod write;

use std::path::Path;
use std::sync::Arc;

use crate::events;
use crate::game::Saveable;
use crate::save::{
    GameTag, Info, LoadError, Loaded, Mismatch, Options, SaveError, SearchContent, check_settings,
};

use super::Mcts;
use super::tree::Allotment;

pub use shelf::Saver;
pub(crate) use shelf::{SavedFacts, Shelf};

use build::{Builder, Built};
use census::{Census, Choice};
use read::TableFile;
use records::{NodeRecord, TreeSource};

/// The most bytes that one key or one move may take in a file.
const LONGEST_VALUE: usize = 1 << 16;

impl<G: Saveable> Mcts<G> {
    /// Saves the table to a file, which is replaced at once: a reader that opens it, after a power
    /// cut too, finds the table that was there before or this one. Blocks until the disk has it.
    ///
    /// The file holds all that a search builds on: an engine of the same settings that loads
    /// it goes on as this one would. [`Handle::save`](crate::Handle::save) does the same while a
    /// search runs in the background. Left out are only the root of a search of some moves, which
    /// is not in the table (what was found out below it is there), and what
    /// [GRAVE](crate::mcts::Grave) knows of moves as later ones, which it learns anew. Beside
    /// the table, 12 bytes of memory for each position are used while it is written.
    ///
    /// # Errors
    /// If keys or moves cannot be written and read back, the engine has no table
    /// ([`Sharing::PerPath`](crate::mcts::Sharing::PerPath)), or the system fails. The file is
    /// then as it was.
    ///
    /// # Examples
    /// ```
    /// use playtree::games::ConnectFour;
    /// use playtree::{Budget, GameTag, Mcts, save};
    ///
    /// # let path = std::env::temp_dir().join(format!("playtree-doc-{}", std::process::id()));
    /// let tag = GameTag::new("connect4", 1);
    /// let mut mcts = Mcts::builder().threads(1).build()?;
    /// mcts.search(&ConnectFour::new(), &Budget::simulations(1_000))?;
    /// let saved = mcts.save(&path, &tag, &save::Options::default())?;
    ///
    /// let mut other = Mcts::<ConnectFour>::builder().threads(1).build()?;
    /// let loaded = other.load(&path, &tag)?;
    /// assert_eq!((loaded.info, loaded.left_out), (saved, 0));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(
        &self,
        path: impl AsRef<Path>,
        game: &GameTag,
        options: &Options,
    ) -> Result<Info, SaveError> {
        self.shelf().save(path.as_ref(), game, options)
    }

    /// Replaces the table by that of a file. Blocks until it is there.
    ///
    /// With a memory limit that the file's table does not fit in, the positions with fewest
    /// visits are left out. Until this returns, the old table and the new one are both in
    /// memory; call [`clear`](Self::clear) before if that is too much. The settings, the seed
    /// among them, stay those of the engine.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged in any way, or is not a table of this game
    /// under settings that keep the same statistics: the same selection as far as it counts
    /// squares, and the same [contempt](crate::MctsBuilder::contempt). The engine is then as
    /// it was.
    ///
    /// Whether the tag is right is seen by the searches that follow: one that comes to a position
    /// with other moves than the file says ends with
    /// [`SearchError::ForeignTable`](crate::SearchError::ForeignTable). What a file made with
    /// intent says of values and proofs is believed.
    pub fn load(&mut self, path: impl AsRef<Path>, game: &GameTag) -> Result<Loaded, LoadError> {
        let path = path.as_ref();
        events::load(path, || self.load_table(path, game))
    }

    fn load_table(&mut self, path: &Path, game: &GameTag) -> Result<Loaded, LoadError> {
        let mut file = self.open(path, game)?;
        let choice = match self.tree.purse().limit_of_next() {
            Some(limit) => self.choose(&mut file, limit, None)?,
            None => Choice::all(),
        };
        let mut builder = Builder::new(self.tree.fresh(), choice);
        add(&mut builder, &mut file)?;
        let built = builder.finish();
        let SearchContent { root, searches, simulations, thinned, .. } = file.content;
        let root = root.and_then(|root| built.last(root));
        let left_out = built.left_out;
        self.searches = searches;
        self.simulations = simulations;
        self.thinned = thinned || built.thinned;
        self.last_root = root;
        self.take(built);
        Ok(Loaded { info: file.into_info(), left_out })
    }

    /// Adds the table of a file to the one of this engine. Blocks until it is done.
    ///
    /// Positions known to one of the two are taken as they are. For a position known to
    /// both, rollouts and the visits of each branch are added, the value of a branch is the
    /// mean of both values weighted by the visits, and what is proven in one of the two is
    /// proven; visits, score and bounds of the position follow from these. So two tables of
    /// searches with different seeds together know what one search as long as both would
    /// have seen. Two with the same seed have seen the same games, which then count twice.
    ///
    /// Until this returns, this table and the merged one are both in memory. With a memory
    /// limit, positions with fewest visits are left out. The number of searches, which
    /// decides the next random numbers, is the sum of both.
    ///
    /// # Errors
    /// As [`load`](Self::load); and if the two contradict each other: other moves in the same
    /// position, or a win in one that is a loss in the other. The engine is then as it was.
    pub fn merge(&mut self, path: impl AsRef<Path>, game: &GameTag) -> Result<Loaded, LoadError> {
        let path = path.as_ref();
        events::load(path, || self.merge_table(path, game))
    }

    fn merge_table(&mut self, path: &Path, game: &GameTag) -> Result<Loaded, LoadError> {
        let mut file = self.open(path, game)?;
        let mut own = TreeSource::new(&self.tree, 0);
        let choice = match self.tree.purse().limit_of_next() {
            Some(limit) => self.choose(&mut file, limit, Some(&mut own))?,
            None => Choice::all(),
        };
        let mut builder = Builder::new(self.tree.fresh(), choice);
        add(&mut builder, &mut file)?;
        builder.begin(self.proofs);
        own.nodes(|record, key| builder.node(record, key.clone()))?;
        own.branches(|branches| builder.branches(branches))?;
        let root = self.last_root.and_then(|root| own.number(self.tree.shared(root)));
        drop(own);
        let built = builder.finish();
        let SearchContent { root: theirs, searches, simulations, thinned, .. } = file.content;
        let theirs = || theirs.and_then(|root| built.first(root));
        let root = root.and_then(|root| built.last(root)).or_else(theirs);
        let left_out = built.left_out;
        self.searches = self.searches.wrapping_add(searches);
        self.simulations = self.simulations.saturating_add(simulations);
        self.thinned |= thinned || built.thinned;
        self.last_root = root;
        self.take(built);
        Ok(Loaded { info: file.into_info(), left_out })
    }

    /// Opens a file and checks that it is a table for this engine.
    fn open(&self, path: &Path, game: &GameTag) -> Result<TableFile, LoadError> {
        if !self.tree.has_table() {
            return Err(LoadError::NoTable);
        }
        let file = TableFile::open::<G>(path, game)?;
        // The number of statistics of each position beyond one mean score.
        let (planes, found) = (self.tree.plane_count() as u64, file.content.planes as u64);
        check_settings(&[(Mismatch::Planes, planes, found)])?;
        let (expected, found) = (self.tree.draws().scores(G::PLAYERS), &file.content.draws);
        if expected != *found {
            return Err(LoadError::Draws { expected, found: found.clone() });
        }
        Ok(file)
    }

    /// Which positions fit into `limit` bytes.
    fn choose(
        &self,
        file: &mut TableFile,
        limit: u64,
        own: Option<&mut TreeSource<'_, G>>,
    ) -> Result<Choice, LoadError> {
        let mut census = Census::new(self.tree.costs());
        let count = |record: &NodeRecord, _| {
            census.count(record.visits, record.branches);
            Ok(())
        };
        file.read::<G>(count, |_| Ok(()))?;
        if let Some(own) = own {
            own.nodes::<LoadError>(|record, _| {
                census.count(record.visits, record.branches);
                Ok(())
            })?;
        }
        // Memory is counted in steps: a part of some of them stays empty.
        let held = self.tree.fresh().bytes() + limit / 16;
        Ok(census.choose(limit.saturating_sub(held)))
    }

    /// Goes on with another tree.
    fn take(&mut self, built: Built<G>) {
        // Dropped at the end, as that drops keys and moves, and a `Drop` of the user's may panic.
        let _old = std::mem::replace(&mut self.tree, Arc::new(built.tree));
        for worker in &mut self.workers {
            worker.allotment = Allotment::default();
        }
        // The first worker goes on where the loader has stopped: with one worker the next
        // nodes come to lie where they would have.
        if let Some(first) = self.workers.first_mut() {
            first.allotment = built.allotment;
        }
    }
}

/// Adds the table of a file.
fn add<G: Saveable>(builder: &mut Builder<G>, file: &mut TableFile) -> Result<(), LoadError> {
    builder.begin(file.content.proofs);
    builder.thinned |= file.content.thinned;
    let builder = std::cell::RefCell::new(builder);
    file.read::<G>(
        |record, key| builder.borrow_mut().node(record, key),
        |branches| builder.borrow_mut().branches(branches),
    )
}
