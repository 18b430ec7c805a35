//! Parallel Monte Carlo tree search over one trait, for any turn-based game.

pub mod budget;
mod error;
mod game;
#[cfg(feature = "games")]
pub mod games;
pub mod lock;
mod mcts;
mod report;
mod rng;
mod sync;
pub mod testing;

pub use budget::{Budget, StopReason, StopToken};
pub use error::{ConfigError, SearchError};
pub use game::{GameState, MAX_PLAYERS, Notation, NotationError, Outcome, Scores, ScoresError};
pub use mcts::{
    Audit, Expansion, InFlight, Inconsistency, LockPolicy, Mcts, MctsBuilder, RoundSize, Selection,
    Table, ValueScheme, WarmUpDraw,
};
pub use report::{MoveReport, Proven, Report};
pub use rng::Rng;
