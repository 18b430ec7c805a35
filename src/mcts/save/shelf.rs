//! What a table is saved from: an engine at rest, or one that searches in the background.

use std::fmt;
use std::io::{Seek, Write};
use std::path::Path;
use std::sync::Arc;

use crate::background::{Handle, TableOf};
use crate::events;
use crate::game::{GameState, Saveable};
use crate::mcts::Mcts;
use crate::mcts::claims::Claims;
use crate::mcts::tree::Tree;
use crate::mcts::tree::node::NodeId;
use crate::save::{
    BlockWriter, FULL, GameTag, Info, Options, SaveError, SearchContent, WriteError, replace,
};

use super::records::TreeSource;
use super::write::write;

/// What a file says of an engine besides its table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedFacts {
    pub(crate) searches: u64,
    /// Before the search under way.
    pub(crate) simulations: u64,
    pub(crate) proofs: bool,
    pub(crate) thinned: bool,
}

/// What a table is saved from.
pub struct Shelf<G: GameState> {
    tree: Arc<Tree<G>>,
    root: Option<NodeId>,
    facts: SavedFacts,
    /// Of the search under way.
    claims: Option<Arc<Claims>>,
}

impl<G: GameState> Shelf<G> {
    /// Of a tree whose last root was `root`, or on which a search runs under `claims`.
    pub(crate) fn new(
        tree: &Arc<Tree<G>>,
        root: Option<NodeId>,
        facts: SavedFacts,
        claims: Option<Arc<Claims>>,
    ) -> Self {
        Self { tree: Arc::clone(tree), root, facts, claims }
    }

    /// Saves the table, also while workers change it.
    pub(super) fn save(
        &self,
        path: &Path,
        game: &GameTag,
        options: &Options,
    ) -> Result<Info, SaveError>
    where
        G: Saveable,
    {
        events::save(path, || {
            options.check(game)?;
            if !self.tree.has_table() {
                return Err(SaveError::NoTable);
            }
            replace(path, |out| self.write(game, options, FULL, out))
        })
    }

    /// Writes the table, in blocks that end when they are `full` bytes long.
    pub(super) fn write<W: Write + Seek>(
        &self,
        game: &GameTag,
        options: &Options,
        full: usize,
        out: W,
    ) -> Result<Info, WriteError>
    where
        G: Saveable,
    {
        let Self { tree, root, facts, claims } = self;
        let mut source = TreeSource::new(tree, options.min_visits);
        let root = match claims {
            // Another search may have begun by now.
            Some(_) => source.searched_root(),
            // What stands in for a root is not in the table.
            None => root.map(|root| tree.shared(root)),
        };
        let done = claims.as_ref().map_or(0, |claims| claims.done());
        let content = SearchContent {
            planes: tree.plane_count(),
            proofs: facts.proofs,
            thinned: facts.thinned,
            expanded: 0,
            edges: 0,
            searches: facts.searches,
            simulations: facts.simulations + done,
            draws: tree.draws().scores(G::PLAYERS),
            root: None,
        };
        let blocks = BlockWriter::begin(out, game, options)?;
        write(&mut source, root, content, full, blocks)
    }
}

impl<G: GameState> Clone for Shelf<G> {
    fn clone(&self) -> Self {
        let Self { tree, root, facts, claims } = self;
        Self { tree: Arc::clone(tree), root: *root, facts: *facts, claims: claims.clone() }
    }
}

impl<G: GameState> fmt::Debug for Shelf<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shelf").field("facts", &self.facts).finish_non_exhaustive()
    }
}

impl<G: GameState> Mcts<G> {
    /// What is true of the engine between two searches.
    pub(crate) fn saved_facts(&self) -> SavedFacts {
        SavedFacts {
            searches: self.searches,
            simulations: self.simulations,
            proofs: self.proofs,
            thinned: self.thinned,
        }
    }

    /// What the table is saved from between two searches.
    pub(crate) fn shelf(&self) -> Shelf<G> {
        Shelf::new(&self.tree, self.last_root, self.saved_facts(), None)
    }
}

impl<G: Saveable + 'static> Handle<Mcts<G>> {
    /// Saves the table to a file, which is replaced at once, while the search goes on: that of the
    /// search under way, or of the last one. Blocks the caller until the disk has it, and no other
    /// thread: the workers go on, evict positions, and stop when they are stopped. It is
    /// [`Mcts::save`] in all else.
    ///
    /// The file passes the [audit](Mcts::audit) when it is loaded. Each position in it is as it was
    /// when it was read, and not all are read at the same moment: simulations under way are
    /// there or not, and positions made since the beginning are missing, as after an
    /// eviction. With a memory limit, an eviction waits for a batch of positions to be
    /// read, some tenths of a millisecond, and never for the disk. One save of a handle goes on
    /// at a time; another one waits for it.
    ///
    /// Beside the table, up to 13 bytes of memory for each position are used meanwhile.
    ///
    /// # Errors
    /// As [`Mcts::save`].
    ///
    /// # Examples
    /// ```
    /// use playtree::games::ConnectFour;
    /// use playtree::{Budget, GameTag, Mcts, save};
    ///
    /// # let path = std::env::temp_dir().join(format!("playtree-running-{}", std::process::id()));
    /// let tag = GameTag::new("connect4", 1);
    /// let thinking = Mcts::builder().build()?.start(&ConnectFour::new(), &Budget::unlimited());
    /// thinking.save(&path, &tag, &save::Options::default())?;
    /// assert!(thinking.is_thinking());
    ///
    /// let mut other = Mcts::<ConnectFour>::builder().build()?;
    /// other.load(&path, &tag)?;
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(
        &self,
        path: impl AsRef<Path>,
        game: &GameTag,
        options: &Options,
    ) -> Result<Info, SaveError> {
        self.saver().save(path, game, options)
    }

    /// What [saves](Self::save) the table from another thread, while this handle waits, stops, or
    /// goes on with another position.
    ///
    /// # Examples
    /// Save every minute while waiting for the end:
    /// ```no_run
    /// use std::sync::mpsc::{RecvTimeoutError, channel};
    /// use std::time::Duration;
    /// use playtree::games::ConnectFour;
    /// use playtree::{Budget, GameTag, Mcts, save};
    ///
    /// let budget = Budget::time(Duration::from_secs(3600));
    /// let mut thinking = Mcts::builder().build()?.start(&ConnectFour::new(), &budget);
    /// let saver = thinking.saver();
    /// let report = std::thread::scope(|scope| {
    ///     let (_ends, end) = channel::<()>();
    ///     scope.spawn(move || {
    ///         let (tag, options) = (GameTag::new("connect4", 1), save::Options::default());
    ///         while end.recv_timeout(Duration::from_secs(60)) == Err(RecvTimeoutError::Timeout) {
    ///             if let Err(error) = saver.save("analysis.table", &tag, &options) {
    ///                 eprintln!("{error}");
    ///             }
    ///         }
    ///     });
    ///     thinking.wait()
    /// })?;
    /// # let _ = report;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn saver(&self) -> Saver<G> {
        Saver { table: self.table() }
    }
}

/// Saves the table of a [`Handle`] from any thread: [`Handle::saver`] makes one.
///
/// It saves the table that the handle has at that time. A search that begins meanwhile and forgets
/// everything does not wait for the save: it takes other memory.
pub struct Saver<G: GameState + 'static> {
    table: TableOf<Mcts<G>>,
}

impl<G: Saveable + 'static> Saver<G> {
    /// As [`Handle::save`]. Right after a start, or with a new order, it waits until the search has
    /// its root.
    ///
    /// # Errors
    /// As `Handle::save`, and [`Gone`](SaveError::Gone) if the handle has given its engine back
    /// or was dropped before.
    pub fn save(
        &self,
        path: impl AsRef<Path>,
        game: &GameTag,
        options: &Options,
    ) -> Result<Info, SaveError> {
        self.table.get().ok_or(SaveError::Gone)?.save(path.as_ref(), game, options)
    }
}

impl<G: GameState + 'static> Clone for Saver<G> {
    fn clone(&self) -> Self {
        Self { table: self.table.clone() }
    }
}

impl<G: GameState + 'static> fmt::Debug for Saver<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Saver").finish_non_exhaustive()
    }
}
