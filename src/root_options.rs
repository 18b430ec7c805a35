//! What every searcher can be asked about its root: which moves, and what was played before it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::SearchError;
use crate::game::GameState;
use crate::laws::check_moves;

/// The moves of the root that are searched, and the positions before it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(bound(
    serialize = "G: Serialize, G::Move: Serialize",
    deserialize = "G: Deserialize<'de>, G::Move: Deserialize<'de>"
))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RootOptions<G: GameState> {
    /// Only these; `None` for all.
    pub(crate) only: Option<Vec<G::Move>>,
    /// All but these.
    pub(crate) except: Vec<G::Move>,
    /// The positions of the game before the root, in order of play, with or without the root.
    pub(crate) played: Vec<G>,
}

impl<G: GameState> Default for RootOptions<G> {
    fn default() -> Self {
        Self { only: None, except: Vec::new(), played: Vec::new() }
    }
}

impl<G: GameState> RootOptions<G> {
    /// The positions before the root.
    pub(crate) fn before(&self, root: &G) -> &[G] {
        match self.played.split_last() {
            Some((last, before)) if last.key() == root.key() && last.plies() == root.plies() => {
                before
            }
            _ => &self.played,
        }
    }

    /// The moves to be searched, in the order of the game; `None` for all.
    ///
    /// # Errors
    /// If an option cannot be followed, or the game breaks a law.
    pub(crate) fn allowed(&self, root: &G) -> Result<Option<Vec<G::Move>>, SearchError> {
        if self.only.is_none() && self.except.is_empty() {
            return Ok(None);
        }
        let mut moves = Vec::new();
        root.moves(&mut moves);
        check_moves(root, &moves)?;
        if let Some(wrong) =
            self.only.iter().flatten().chain(&self.except).find(|mv| !moves.contains(mv))
        {
            let (found, plies) = (format!("{wrong:?}"), root.plies());
            return Err(SearchError::IllegalMove { found, plies });
        }
        let legal = moves.len();
        moves.retain(|mv| {
            self.only.as_ref().is_none_or(|only| only.contains(mv)) && !self.except.contains(mv)
        });
        match moves.len() {
            0 => Err(SearchError::NothingAllowed { legal }),
            allowed => Ok((allowed < legal).then_some(moves)),
        }
    }
}

impl<G: GameState> fmt::Debug for RootOptions<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RootOptions")
            .field("only", &self.only)
            .field("except", &self.except)
            .field("played", &self.played.len())
            .finish()
    }
}
