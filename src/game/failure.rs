//! A game that cannot go on.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Why a game could not go on: an error of its own, for a game whose rules run elsewhere, in
/// another language or another process.
///
/// It reaches the caller of the search as [`SearchError::Game`](crate::SearchError::Game), as the
/// same error: [`get`](Self::get) gives it back, to be downcast. Two failures are equal if they are
/// clones of one.
///
/// # Examples
/// A game that asks another process for its moves, which has gone:
/// ```
/// use std::sync::{Arc, OnceLock};
/// use playtree::game::Failure;
/// use playtree::{Budget, GameState, Mcts, Outcome, SearchError};
///
/// #[derive(Clone)]
/// struct Remote {
///     plies: u32,
///     /// All positions of a game see it.
///     failure: Arc<OnceLock<Failure>>,
/// }
///
/// impl GameState for Remote {
///     type Key = u32;
///     type Move = u8;
///     fn key(&self) -> u32 { self.plies }
///     fn mover(&self) -> usize { self.plies as usize % 2 }
///     fn plies(&self) -> u32 { self.plies }
///     fn moves(&self, moves: &mut Vec<u8>) { moves.extend([0, 1]) }
///     fn outcome(&self) -> Option<Outcome> {
///         if self.plies > 5 {
///             self.failure.get_or_init(|| Failure::new("connection lost"));
///         }
///         self.failure.get().map(|_| Outcome::Failed)
///     }
///     fn apply(&self, _: &u8) -> Self { Self { plies: self.plies + 1, ..self.clone() } }
///     fn failure(&self) -> Option<Failure> { self.failure.get().cloned() }
/// }
///
/// let start = Remote { plies: 0, failure: Arc::default() };
/// let result = Mcts::builder().build()?.search(&start, &Budget::simulations(100));
/// let Err(SearchError::Game(failure)) = result else { panic!("the game has failed") };
/// assert_eq!(failure.to_string(), "connection lost");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Failure(Arc<dyn Error + Send + Sync>);

impl Failure {
    /// Of an error, or of a text.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(Arc::from(error.into()))
    }

    /// The game's own error.
    #[must_use]
    pub fn get(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl PartialEq for Failure {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Failure {}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
