//! What only the type of a game can do, as an object. All code here is compiled once for each game.

use playtree::game::NotationError;
use playtree::games::ReferenceGame;
use playtree::{GameTag, Outcome, Pool};
use playtree_searches::{Error, Searches};
#[cfg(feature = "sizes")]
use playtree_searches_sizes as sizes;
use {playtree_searches_boards as boards, playtree_searches_lines as lines};

use crate::Position;
use crate::engine::{AlphaBetaEngine, Desk, Engine, MctsEngine, SolverEngine};
use crate::settings::{AlphaBetaSettings, MctsSettings, Settings, SolverSettings};

/// Each game of this build.
static KINDS: &[&dyn Kind] = &[
    &Of(&lines::TIC_TAC_TOE),
    &Of(&lines::CONNECT_FOUR),
    &Of(&lines::GOMOKU),
    &Of(&lines::NORMAL_NIM),
    &Of(&lines::MISERE_NIM),
    &Of(&boards::BREAKTHROUGH),
    &Of(&boards::OTHELLO),
    &Of(&boards::HEX),
    &Of(&boards::XIANGQI),
    &Of(&boards::DOUDIZHU),
    #[cfg(feature = "sizes")]
    &Of(&sizes::OTHELLO_4),
    #[cfg(feature = "sizes")]
    &Of(&sizes::OTHELLO_6),
    #[cfg(feature = "sizes")]
    &Of(&sizes::LARGE_HEX),
    #[cfg(feature = "sizes")]
    &Of(&sizes::LARGE_GOMOKU),
];

/// What can be done with the game of this position, if this build has it.
#[must_use]
pub fn kind(position: &Position) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|kind| kind.is_of(position))
}

/// What can be done with a game: the methods of `Game` in `playtree-session`.
#[allow(missing_docs, reason = "each is a method of Game, by its name")]
#[allow(clippy::missing_errors_doc, reason = "as above")]
pub trait Kind: Send + Sync {
    fn is_of(&self, position: &Position) -> bool;
    fn players(&self) -> usize;
    fn has_evaluation(&self) -> bool;
    fn values_at_once(&self) -> bool;
    fn has_move_codes(&self) -> bool;
    fn is_solvable(&self) -> bool;
    fn position(&self, text: &str) -> Result<Position, NotationError>;
    fn points(&self, position: &Position, outcome: &Outcome, player: usize) -> Result<i32, Error>;
    fn tag(&self, position: &Position) -> Result<GameTag, Error>;
    fn perft(&self, position: &Position, depth: u32) -> Result<u64, Error>;
    fn engine(&self, settings: &Settings, pool: Option<&Pool>) -> Result<Box<dyn Engine>, Error> {
        Ok(match settings {
            Settings::Mcts(settings) => self.mcts(settings, pool)?,
            Settings::AlphaBeta(settings) => self.alphabeta(settings, pool)?,
            Settings::Solver(settings) => self.solver(settings, pool)?,
        })
    }
    fn mcts(
        &self,
        settings: &MctsSettings,
        pool: Option<&Pool>,
    ) -> Result<Box<dyn MctsEngine>, Error>;
    fn alphabeta(
        &self,
        settings: &AlphaBetaSettings,
        pool: Option<&Pool>,
    ) -> Result<Box<dyn AlphaBetaEngine>, Error>;
    fn solver(
        &self,
        settings: &SolverSettings,
        pool: Option<&Pool>,
    ) -> Result<Box<dyn SolverEngine>, Error>;
    fn rollouts_per_second(
        &self,
        start: &Position,
        threads: usize,
        rollouts: u64,
        seed: u64,
    ) -> Result<f64, Error>;
}

/// The kind of the game of these searches.
struct Of<G: ReferenceGame>(&'static Searches<G>);

/// The position with its type.
///
/// # Errors
/// If it is one of another game.
pub(crate) fn typed<G: ReferenceGame>(position: &Position) -> Result<&G, Error> {
    position
        .get()
        .ok_or_else(|| Error::OtherGame { expected: G::INFO.name, found: position.position_text() })
}

/// These positions with their type.
///
/// # Errors
/// If one is of another game.
pub(crate) fn typed_all<G: ReferenceGame>(positions: &[Position]) -> Result<Vec<G>, Error> {
    positions.iter().map(|position| typed(position).cloned()).collect()
}

impl<G: ReferenceGame> Kind for Of<G> {
    fn is_of(&self, position: &Position) -> bool {
        position.get::<G>().is_some()
    }

    fn players(&self) -> usize {
        G::PLAYERS
    }

    fn has_evaluation(&self) -> bool {
        G::evaluation().is_some()
    }

    fn values_at_once(&self) -> bool {
        G::VALUES_AT_ONCE
    }

    fn has_move_codes(&self) -> bool {
        G::move_codes().is_some()
    }

    fn is_solvable(&self) -> bool {
        G::SETTLED_BY_KEY
    }

    fn position(&self, text: &str) -> Result<Position, NotationError> {
        G::parse_position(text).map(Position::of)
    }

    fn points(&self, position: &Position, outcome: &Outcome, player: usize) -> Result<i32, Error> {
        Ok(typed::<G>(position)?.points(outcome, player))
    }

    fn tag(&self, position: &Position) -> Result<GameTag, Error> {
        Ok(typed::<G>(position)?.tag())
    }

    fn perft(&self, position: &Position, depth: u32) -> Result<u64, Error> {
        Ok((self.0.perft)(typed(position)?, depth))
    }

    fn mcts(
        &self,
        settings: &MctsSettings,
        pool: Option<&Pool>,
    ) -> Result<Box<dyn MctsEngine>, Error> {
        Ok(Box::new(Desk::new((self.0.mcts)(settings, pool)?, self.0)))
    }

    fn alphabeta(
        &self,
        settings: &AlphaBetaSettings,
        pool: Option<&Pool>,
    ) -> Result<Box<dyn AlphaBetaEngine>, Error> {
        Ok(Box::new(Desk::new((self.0.alphabeta)(settings, pool)?, self.0)))
    }

    fn solver(
        &self,
        settings: &SolverSettings,
        pool: Option<&Pool>,
    ) -> Result<Box<dyn SolverEngine>, Error> {
        Ok(Box::new(Desk::new((self.0.solver)(settings, pool)?, self.0)))
    }

    fn rollouts_per_second(
        &self,
        start: &Position,
        threads: usize,
        rollouts: u64,
        seed: u64,
    ) -> Result<f64, Error> {
        Ok((self.0.rollouts_per_second)(typed(start)?, threads, rollouts, seed))
    }
}
