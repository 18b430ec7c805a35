//! Engines without the type of their game.

mod alphabeta;
mod desk;
mod mcts;
mod solver;
mod steps;
mod watch;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use playtree::alphabeta::{Autotune, AutotuneOptions, AutotuneProgress};
use playtree::dynamic::AnyMove;
use playtree::mcts::NodeReport;
#[cfg(feature = "exchange")]
use playtree::mcts::exchange::{Absorbed, Exchange, ExchangeError, Lines};
use playtree::report::Words;
use playtree::save::{self, Info, Loaded};
use playtree::solver::{Limits, SolvedMove, StrategyKind, StrategyOptions};
use playtree::{Budget, SaveError, SearchId};
use playtree_searches::Error;

pub(crate) use desk::Desk;
pub use steps::InSteps;
pub use watch::{Ended, Seen, Watch};

use crate::report::Report;
use crate::root::Root;
use crate::{Position, Record};

/// Calls back with what a search has found so far.
pub type OnReport = Box<dyn FnMut(&Report) + Send>;

/// A searcher of a game, which keeps its table from search to search.
///
/// It searches in the thread of the caller ([`search`](Self::search)) or in one of its own
/// ([`think`](Self::think)); a search under way ends before another begins.
pub trait Engine: Send + fmt::Debug {
    /// The name of the searcher: `mcts`, `alphabeta` or `solver`.
    fn name(&self) -> &'static str;

    /// Searches the last position of `game`; what was played before counts for repetitions. Blocks
    /// until that is done.
    ///
    /// # Errors
    /// As the search of its kind, and if the position is one of another game.
    fn search(&mut self, game: &Record, budget: &Budget, root: &Root) -> Result<Report, Error>;

    /// Begins to search the last position of `game` in a thread of its own. Does not block for
    /// longer than an earlier search takes to notice. What is wrong is said by
    /// [`wait`](Self::wait).
    ///
    /// # Errors
    /// If the position is one of another game.
    fn think(&mut self, game: &Record, budget: &Budget, root: &Root) -> Result<SearchId, Error>;

    /// Goes on with a search of [`think`](Self::think) in the thread of the caller, for about this
    /// time: whether there is more to do. `now` is a moment by the clock of the caller, which the
    /// time limit goes by. Only [`InSteps`] has anything to do here.
    ///
    /// # Errors
    /// Those of the search, which is over then.
    fn step(&mut self, slice: Duration, now: Duration) -> Result<bool, Error> {
        let _ = (slice, now);
        Ok(false)
    }

    /// What is known of the position after these moves from the one that was
    /// [searched](Self::search) last, with at most `at_most` branches; `None` if that is nothing.
    /// For a search of [`think`](Self::think) its [watcher](Self::watcher) says it.
    fn node(&self, line: &[AnyMove], at_most: usize) -> Option<NodeReport<String>> {
        let _ = (line, at_most);
        None
    }

    /// Calls back every `interval` while a search of [`think`](Self::think) is under way. Where the
    /// system has no thread left it is not called.
    fn on_report(&mut self, interval: Duration, callback: OnReport);

    /// Whether a search of [`think`](Self::think) is under way.
    fn is_thinking(&self) -> bool;

    /// What the search under way has found so far, or the last one in the end; `None` if none has
    /// begun. Does not wait for the search.
    fn report(&self) -> Option<Report>;

    /// Waits for the end of the search of [`think`](Self::think): what it has found. A system
    /// without a thread to spare has this one.
    ///
    /// # Errors
    /// Those of the search, and if none was begun.
    fn wait(&mut self) -> Result<Report, Error>;

    /// Ends the search of [`think`](Self::think): what it has found.
    ///
    /// # Errors
    /// Those of the search, and if none was begun.
    fn stop(&mut self) -> Result<Report, Error>;

    /// Ends the search under way, and with it the threads that [`think`](Self::think) and
    /// [`on_report`](Self::on_report) have; the callback is gone.
    fn rest(&mut self);

    /// Worker threads.
    fn workers(&mut self) -> usize;

    /// Forgets what was found, and keeps the memory.
    fn forget(&mut self);

    /// What looks at the searches of [`think`](Self::think) from anywhere; `None` if none was begun.
    /// It is of no use any more once the engine [rests](Self::rest), or searches in the thread of
    /// the caller.
    fn watcher(&self) -> Option<Arc<dyn Watch>>;
}

/// An engine whose table can be written to a file.
pub trait Saved: Engine {
    /// Replaces the table by that of a file that was saved for the game of this position.
    ///
    /// # Errors
    /// As the library's `load`, and if the position is one of another game.
    fn load(&mut self, file: &Path, game: &Position) -> Result<Loaded, Error>;

    /// Writes the table to a file; not while it searches.
    ///
    /// # Errors
    /// As the library's `save`, and if the position is one of another game.
    fn save(
        &mut self,
        file: &Path,
        game: &Position,
        options: &save::Options,
    ) -> Result<Info, Error>;
}

/// Saves the table of an engine that may be searching.
pub type Saver = Arc<dyn Fn(&Path, &save::Options) -> Result<Info, SaveError> + Send + Sync>;

/// A Monte Carlo search.
pub trait MctsEngine: Saved {
    /// What saves the table for the game of this position while a search of
    /// [`think`](Engine::think) is under way.
    ///
    /// # Errors
    /// If none was begun, or the position is one of another game.
    fn saver(&self, game: &Position) -> Result<Saver, Error>;

    /// Chooses the positions of an exchange, as [`Exchange::lines`]. This and the next two may be
    /// called while a search of [`think`](Engine::think) is under way, always with the same
    /// exchange.
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "exchange")]
    fn exchange_lines(
        &mut self,
        exchange: &mut Exchange,
        at_most: usize,
    ) -> Result<Lines, ExchangeError>;

    /// What the engine itself has found there, as [`Exchange::share`].
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "exchange")]
    fn exchange_share(
        &mut self,
        exchange: &mut Exchange,
        lines: &Lines,
    ) -> Result<Vec<i64>, ExchangeError>;

    /// Takes what other engines have found, as [`Exchange::absorb`].
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "exchange")]
    fn exchange_absorb(
        &mut self,
        exchange: &mut Exchange,
        sum: &[i64],
    ) -> Result<Absorbed, ExchangeError>;
}

/// An alpha-beta search.
pub trait AlphaBetaEngine: Engine {
    /// Measures which limits of splitting suit the search of these positions, as
    /// [`AlphaBeta::autotune_with`](playtree::AlphaBeta::autotune_with). Blocks until that is done.
    ///
    /// # Errors
    /// Those of the searches, and if a position is one of another game.
    fn autotune(
        &mut self,
        positions: &[Position],
        depth: u32,
        options: &AutotuneOptions,
        observe: &mut dyn FnMut(AutotuneProgress),
    ) -> Result<Autotune, Error>;
}

/// A solver.
pub trait SolverEngine: Saved {
    /// A best move of a position, and what it is worth for certain. Blocks.
    ///
    /// # Errors
    /// As [`Solver::reply`](playtree::Solver::reply).
    fn reply(&mut self, position: &Position, budget: &Budget) -> Result<SolvedMove<String>, Error>;

    /// The strategy from a position on. Blocks.
    ///
    /// # Errors
    /// As [`Solver::strategy`](playtree::Solver::strategy).
    fn strategy(
        &mut self,
        position: &Position,
        options: &StrategyOptions,
        budget: &Budget,
    ) -> Result<Box<dyn Strategy>, Error>;
}

/// A [`Strategy`](playtree::solver::Strategy) without the type of its game: displayed as a tree,
/// serialized as it is.
pub trait Strategy: fmt::Display + erased_serde::Serialize {
    /// How many positions it holds.
    fn len(&self) -> usize;

    /// Whether it holds none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What it holds of a position: what that is worth, what it is, and its moves, each with the
    /// number of the position that it leads to.
    ///
    /// # Panics
    /// If there is no such position.
    fn position(&self, number: usize) -> (Limits, StrategyKind, Vec<(String, usize)>);

    /// Whether all positions are solved.
    fn is_complete(&self) -> bool;

    /// Counts a search that was done before for it.
    fn add_cost(&mut self, report: &Report);

    /// What it has taken and what has ended it, on one line.
    fn cost(&self, words: &Words) -> String;
}

erased_serde::serialize_trait_object!(Strategy);
