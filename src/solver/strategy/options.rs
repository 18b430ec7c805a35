//! What a strategy is to hold.

use serde::{Deserialize, Serialize};

use crate::error::SearchError;
use crate::game::GameState;

/// Whose strategy is wanted, and how deep, for [`Solver::strategy`](super::Solver::strategy).
/// The default is the winner's, to the end of the game.
///
/// # Examples
/// Two moves of the loser, with every answer to them:
/// ```
/// use playtree::solver::StrategyOptions;
///
/// let options = StrategyOptions::new().player(1).plies(4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[must_use]
pub struct StrategyOptions {
    pub(super) plies: u32,
    pub(super) player: Option<usize>,
}

impl Default for StrategyOptions {
    fn default() -> Self {
        Self { plies: u32::MAX, player: None }
    }
}

impl StrategyOptions {
    /// No option set.
    pub fn new() -> Self {
        Self::default()
    }

    /// The plies after which the strategy ends; with 0 it is the position alone. Default: to the
    /// end of the game.
    pub fn plies(mut self, plies: u32) -> Self {
        self.plies = plies;
        self
    }

    /// Whose strategy it is, the first player is 0. Default: that of the winner, or of the side to
    /// move if no player is known to win.
    pub fn player(mut self, player: usize) -> Self {
        self.player = Some(player);
        self
    }

    /// # Errors
    /// If the game has no such player, or more than two.
    pub(super) fn check<G: GameState>(&self) -> Result<(), SearchError> {
        if G::PLAYERS > 2 {
            return Err(SearchError::ManyPlayers { players: G::PLAYERS });
        }
        match self.player {
            Some(found) if found >= G::PLAYERS => {
                Err(SearchError::Player { found, players: G::PLAYERS })
            }
            _ => Ok(()),
        }
    }
}
