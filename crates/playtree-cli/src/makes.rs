//! Who makes the engines: this process, or a program that has more than one.

use std::fmt;

use playtree_session::engine::MctsEngine;
use playtree_session::settings::MctsSettings;
use playtree_session::{Error, Game};
use serde_json::Value;

/// What makes the engines of the Monte Carlo search.
pub trait Makes: fmt::Debug + Send + Sync {
    /// An engine with these settings.
    ///
    /// # Errors
    /// As [`Game::mcts`].
    fn mcts(&self, game: Game, settings: &MctsSettings) -> Result<Box<dyn MctsEngine>, Error>;

    /// What is to be said of the last search besides its report, if there is something.
    fn about(&self) -> Option<About> {
        None
    }
}

/// What is said of a search besides its report.
#[derive(Clone, Debug)]
pub struct About {
    /// The field `cluster` of the JSON form.
    pub json: Value,
    /// A line for people.
    pub text: String,
}

/// Engines of this process alone.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl Makes for Here {
    fn mcts(&self, game: Game, settings: &MctsSettings) -> Result<Box<dyn MctsEngine>, Error> {
        game.mcts(settings)
    }
}
