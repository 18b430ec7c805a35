//! The options of one search: which moves of the root, how much about them, which to play, and what
//! was played before.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::SearchError;
use crate::game::GameState;
use crate::root_options::RootOptions;

use super::round::select::Floor;

/// What one search is to do at its root, for [`Mcts::search_with`](super::Mcts::search_with).
///
/// The default asks for nothing: [`search`](super::Mcts::search) is a search with it.
///
/// # Examples
/// The second best move, and how likely each is to be played at a temperature of 1:
/// ```
/// use playtree::games::ConnectFour;
/// use playtree::{Budget, Mcts, mcts};
///
/// let (state, budget) = (ConnectFour::new(), Budget::simulations(10_000));
/// let mut mcts = Mcts::builder().threads(1).build()?;
/// let best = mcts.best_move(&state, &budget)?;
///
/// let others = mcts::Options::new().except([best]).detailed(3);
/// let report = mcts.search_with(&state, &budget, &others)?;
/// assert_ne!(report.best_move, best);
/// assert_eq!(report.moves.len(), 6);
///
/// let varied = mcts::Options::new().temperature(1.0);
/// let played = mcts.search_with(&state, &budget, &varied)?.best_move;
/// # let _ = played;
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
    pub(super) detailed: Option<usize>,
    visit_floor: u32,
    #[serde(deserialize_with = "temperature")]
    pub(super) temperature: f64,
}

impl<G: GameState> Default for Options<G> {
    fn default() -> Self {
        Self { root: RootOptions::default(), detailed: None, visit_floor: 0, temperature: 0.0 }
    }
}

impl<G: GameState> Options<G> {
    /// No option set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Searches only these moves. The others get no simulations and are not in the report,
    /// and a proof is one for the best of these moves. Default: every legal move.
    ///
    /// What such a search finds out about the positions below is shared with all searches; its root
    /// is a node of its own, so no search takes the value of some moves for that of the position.
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
    /// equals the root is taken for the root. Default: none.
    ///
    /// What follows from them stays in nodes of this search: neither another search nor a saved
    /// table knows of it. Only the positions that can come again matter
    /// ([`GameState::reversible_plies`]). Where one of those has been there as often as the game
    /// allows ([`GameState::REPETITIONS`]), nothing is taken for proven that its next coming could
    /// prevent.
    pub fn played(mut self, positions: impl IntoIterator<Item = G>) -> Self {
        self.root.played = positions.into_iter().collect();
        self
    }

    /// How many of the best moves are reported in detail: with their principal variation, and
    /// with at least [`visit_floor`](Self::visit_floor) visits. The others' variation is the
    /// move alone. Default: all.
    pub fn detailed(mut self, moves: usize) -> Self {
        self.detailed = Some(moves);
        self
    }

    /// Visits that each move reported in [detail](Self::detailed) gets, unless it is proven.
    ///
    /// While one of the best moves has fewer, every second simulation goes to those: the floor is
    /// reached when the root has twice the visits of all the floors together. A search that ends
    /// before that ends without it. Default: 0.
    pub fn visit_floor(mut self, visits: u32) -> Self {
        self.visit_floor = visits;
        self
    }

    /// How the move to be played is drawn: each with a probability proportional to
    /// `visits^(1 / temperature)` (Silver et al., Mastering the game of Go without human
    /// knowledge, 2017), by the random numbers of the engine. At 0 it is the best move. At least
    /// 0, finite. Default: 0.
    ///
    /// A proven win is played and a proven loss avoided all the same. The order of
    /// [`Report::moves`](crate::mcts::Report::moves) stays the best first, so
    /// [`Report::best_move`](crate::mcts::Report::best_move) may be another than the first of them.
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = temperature;
        self
    }

    /// The visits that some moves are to get, if any are.
    pub(super) fn floor(&self) -> Option<Floor> {
        let moves =
            self.detailed.map_or(u32::MAX, |moves| u32::try_from(moves).unwrap_or(u32::MAX));
        (self.visit_floor > 0 && moves > 0).then_some(Floor { visits: self.visit_floor, moves })
    }

    /// The moves to be searched, in the order of the game; `None` for all.
    ///
    /// # Errors
    /// If an option cannot be followed, or the game breaks a law.
    pub(super) fn allowed(&self, state: &G) -> Result<Option<Vec<G::Move>>, SearchError> {
        check_temperature(self.temperature)?;
        self.root.allowed(state)
    }
}

fn check_temperature(found: f64) -> Result<(), SearchError> {
    let is_right = found >= 0.0 && found.is_finite();
    if is_right { Ok(()) } else { Err(SearchError::Temperature { found }) }
}

/// Reads a temperature.
fn temperature<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let found = f64::deserialize(deserializer)?;
    check_temperature(found).map_err(D::Error::custom)?;
    Ok(found)
}

impl<G: GameState> fmt::Debug for Options<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("root", &self.root)
            .field("detailed", &self.detailed)
            .field("visit_floor", &self.visit_floor)
            .field("temperature", &self.temperature)
            .finish()
    }
}
