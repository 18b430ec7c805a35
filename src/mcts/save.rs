//! Saving the table to a file, loading it, and merging two tables.
//!
//! `docs/file-format.md` describes the file. What follows from something else is not in it,
//! and what is in it is checked before it is believed: see `records.rs` and `read.rs`.

mod build;
mod census;
mod format;
mod read;
mod records;
mod shelf;
#[cfg(all(test, feature = "games", not(loom)))]
mod tests;
mod write;

use std::path::Path;
use std::sync::Arc;

use crate::game::Saveable;
use crate::save::{GameTag, LoadError, SaveError, layout_of};

use super::Mcts;
use super::tree::Allotment;

pub use format::TableInfo;
pub use shelf::Saver;
pub(crate) use shelf::{SavedFacts, Shelf};

use build::{Builder, Built};
use census::{Census, Choice};
use read::TableFile;
use records::TreeSource;

/// The most bytes that one key or one move may take in a file.
const LONGEST_VALUE: usize = 1 << 16;

/// How a table is saved. The default is all of it, not compressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct SaveOptions {
    min_visits: u32,
    compress: bool,
}

impl SaveOptions {
    /// Leaves out positions with fewer visits than this: what remains is an opening book.
    /// What the branches to them have seen stays. Default: 0, which leaves out nothing.
    pub fn min_visits(mut self, visits: u32) -> Self {
        self.min_visits = visits;
        self
    }

    /// Compresses the file with LZ4. Takes the feature `compression`. Default: off.
    pub fn compress(mut self, on: bool) -> Self {
        self.compress = on;
        self
    }
}

/// What [`Mcts::load`] or [`Mcts::merge`] has brought.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// What the file says of itself.
    pub table: TableInfo,
    /// Positions for which the memory limit had no room, those with fewest visits.
    pub left_out: u64,
}

impl TableInfo {
    /// Reads what a saved table says of itself: the header only, whatever the game.
    ///
    /// # Errors
    /// If the file cannot be read, is no saved table, or has not the length it should have.
    /// What is behind the header is not looked at.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Ok(TableFile::open(path.as_ref())?.info)
    }

    /// As [`read`](Self::read), and reads all of the file to compare its checksums, whatever the
    /// game.
    ///
    /// # Errors
    /// As `read`, and [`Content`](LoadError::Content) if anything behind the header is not as it was
    /// written. Whether the table is one of some game only a [`load`](Mcts::load) finds out.
    pub fn verify(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let file = TableFile::open(path.as_ref())?;
        file.verify()?;
        Ok(file.info)
    }
}

impl<G: Saveable> Mcts<G> {
    /// Saves the table to a file, which is replaced at once: a reader that opens it, after a power
    /// cut too, finds the table that was there before or this one. Blocks until the disk has it.
    ///
    /// The file holds all that a search builds on: an engine of the same settings that loads
    /// it goes on as this one would. [`Handle::save`](crate::Handle::save) does the same while a
    /// search runs in the background. Left out are only the root of a search of some moves, which
    /// is not in the table (what was found out below it is there), and what
    /// [GRAVE](crate::Selection::Grave) knows of moves as later ones, which it learns anew. Beside
    /// the table, 12 bytes of memory for each position are used while it is written.
    ///
    /// # Errors
    /// If keys or moves cannot be written and read back, the engine has no table
    /// ([`ValueScheme::Tree`](crate::ValueScheme::Tree)), or the system fails. The file is
    /// then as it was.
    ///
    /// # Examples
    /// ```
    /// use playtree::games::ConnectFour;
    /// use playtree::{Budget, GameTag, Mcts, SaveOptions};
    ///
    /// # let path = std::env::temp_dir().join(format!("playtree-doc-{}", std::process::id()));
    /// let tag = GameTag::new("connect4", 1);
    /// let mut mcts = Mcts::builder().threads(1).build()?;
    /// mcts.search(&ConnectFour::new(), &Budget::simulations(1_000))?;
    /// mcts.save(&path, &tag, &SaveOptions::default())?;
    ///
    /// let mut other = Mcts::<ConnectFour>::builder().threads(1).build()?;
    /// let loaded = other.load(&path, &tag)?;
    /// assert_eq!(loaded.table.simulations, 1_000);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(
        &self,
        path: impl AsRef<Path>,
        game: &GameTag,
        options: &SaveOptions,
    ) -> Result<TableInfo, SaveError> {
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
    /// Whether the tag is right is seen by the searches that follow: one that comes to a position with
    /// other moves than the file says ends with
    /// [`SearchError::ForeignTable`](crate::SearchError::ForeignTable). What a file made with intent says
    /// of values and proofs is believed.
    pub fn load(&mut self, path: impl AsRef<Path>, game: &GameTag) -> Result<Loaded, LoadError> {
        let mut file = self.open(path.as_ref(), game)?;
        let choice = match self.tree.memory_limit() {
            Some(limit) => self.choose(&mut file, limit, None)?,
            None => Choice::all(),
        };
        let mut builder = Builder::new(self.tree.fresh(), choice);
        add(&mut builder, &mut file)?;
        let built = builder.finish();
        let info = file.info;
        let root = info.root.and_then(|root| built.last(root));
        let left_out = built.left_out;
        self.searches = info.searches;
        self.simulations = info.simulations;
        self.thinned = info.thinned || built.thinned;
        self.last_root = root;
        self.take(built);
        Ok(Loaded { table: info, left_out })
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
        let mut file = self.open(path.as_ref(), game)?;
        let mut own = TreeSource::new(&self.tree, 0);
        let choice = match self.tree.memory_limit() {
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
        let info = file.info;
        let theirs = || info.root.and_then(|root| built.first(root));
        let root = root.and_then(|root| built.last(root)).or_else(theirs);
        let left_out = built.left_out;
        self.searches = self.searches.wrapping_add(info.searches);
        self.simulations = self.simulations.saturating_add(info.simulations);
        self.thinned |= info.thinned || built.thinned;
        self.last_root = root;
        self.take(built);
        Ok(Loaded { table: info, left_out })
    }

    /// Opens a file and checks that it is a table for this engine.
    fn open(&self, path: &Path, game: &GameTag) -> Result<TableFile, LoadError> {
        if !game.is_valid() {
            return Err(LoadError::Tag { found: game.name().len() });
        }
        if !self.tree.has_table() {
            return Err(LoadError::NoTable);
        }
        let file = TableFile::open(path)?;
        let info = &file.info;
        file.check_game(game, layout_of::<G::Key, G::Move>())?;
        for (what, expected, found) in [
            ("players", G::PLAYERS, info.players),
            ("further statistics of each position", self.planes(), info.planes),
        ] {
            if expected != found {
                let (expected, found) = (expected as u64, found as u64);
                return Err(LoadError::Settings { what, expected, found });
            }
        }
        if info.draws != self.tree.draws() {
            let (expected, found) = (self.tree.draws().scores(G::PLAYERS), info.draws());
            return Err(LoadError::Draws { expected, found });
        }
        if info.compressed && !cfg!(feature = "compression") {
            return Err(LoadError::NoCompression);
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
        let count = |record: records::NodeRecord, _| {
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

    /// The number of statistics of each position beyond one mean score.
    fn planes(&self) -> usize {
        self.tree.plane_count()
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
    builder.begin(file.info.proofs);
    builder.thinned |= file.info.thinned;
    let builder = std::cell::RefCell::new(builder);
    file.read::<G>(
        |record, key| builder.borrow_mut().node(&record, key),
        |branches| builder.borrow_mut().branches(branches),
    )
}
