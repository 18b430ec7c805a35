//! The options of one search: which moves of the root, and what was played before.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::GameState;
use crate::root_options::RootOptions;

/// What one alpha-beta search is to know or do at its root, for
/// [`AlphaBeta::search_with`](crate::AlphaBeta::search_with).
///
/// # Examples
/// The second best move:
/// ```
/// use playtree::games::ConnectFour;
/// use playtree::{AlphaBeta, Budget, Evaluate, alphabeta};
/// # struct Nothing;
/// # impl Evaluate<ConnectFour> for Nothing {
/// #     fn evaluate(&self, _: &ConnectFour) -> i32 { 0 }
/// # }
///
/// let (state, budget) = (ConnectFour::new(), Budget::nodes(10_000));
/// let mut engine = AlphaBeta::builder(Nothing).threads(1).build()?;
/// let best = engine.best_move(&state, &budget)?;
///
/// let others = alphabeta::Options::new().except([best]);
/// let report = engine.search_with(&state, &budget, &others)?;
/// assert_ne!(report.best_move, best);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(bound(
    serialize = "G: Serialize, G::Move: Serialize",
    deserialize = "G: Deserialize<'de>, G::Move: Deserialize<'de>"
))]
#[serde(default, deny_unknown_fields)]
#[must_use]
pub struct Options<G: GameState> {
    pub(super) root: RootOptions<G>,
}

impl<G: GameState> Default for Options<G> {
    fn default() -> Self {
        Self { root: RootOptions::default() }
    }
}

impl<G: GameState> Options<G> {
    /// No option set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Searches only these moves. The others are not in the report, and a proof is one for the
    /// best of these moves. Default: every legal move.
    pub fn only(mut self, moves: impl IntoIterator<Item = G::Move>) -> Self {
        self.root.only = Some(moves.into_iter().collect());
        self
    }

    /// Searches all moves but these, as [`only`](Self::only) does. Both may be given: what is
    /// in both is left out. Default: none.
    pub fn except(mut self, moves: impl IntoIterator<Item = G::Move>) -> Self {
        self.root.except = moves.into_iter().collect();
        self
    }

    /// The positions of the game before the root, in order of play. A line that returns to one of
    /// them is a repetition, as one that returns to a position of its own is. A last one that
    /// equals the root is taken for the root. What follows from them is not written to the table.
    /// Default: none.
    pub fn played(mut self, positions: impl IntoIterator<Item = G>) -> Self {
        self.root.played = positions.into_iter().collect();
        self
    }
}

impl<G: GameState> fmt::Debug for Options<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("root", &self.root).finish()
    }
}
