//! What a page asks for. A field that there is not is an error, so that a mistake is found.

use playtree_session::settings::Settings;
use serde::{Deserialize, Serialize};

/// A new session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewSession {
    /// The name of the game.
    pub game: String,
    /// The position, the usual start without one.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves from there that are played at once.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The engine.
    #[serde(default)]
    pub settings: Option<Settings>,
    /// Whether it asks the network that the server has for the game.
    #[serde(default)]
    pub network: bool,
}

/// A move to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveText {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
}

/// How many moves are taken back, or played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plies {
    /// At least one.
    #[serde(default = "one")]
    pub plies: usize,
}

fn one() -> usize {
    1
}

/// A request that says all by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Another position of the same game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewPosition {
    /// The position, the usual start without one.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves from there that are played at once.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A search; without a limit it goes on until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Think {
    /// The most time, from the moment of the request.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// The most simulations.
    #[serde(default)]
    pub simulations: Option<u64>,
    /// The most nodes.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// The greatest depth of alpha-beta, in plies.
    #[serde(default)]
    pub depth: Option<u32>,
    /// The only moves that count.
    #[serde(default)]
    pub only: Option<Vec<String>>,
    /// Moves that do not count.
    #[serde(default)]
    pub except: Vec<String>,
}

/// Another engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewEngine {
    /// Its settings.
    pub settings: Settings,
    /// Whether it asks the network that the server has for the game.
    #[serde(default)]
    pub network: bool,
}

/// What is known after these moves from the position that is searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeQuery {
    /// The moves.
    #[serde(default)]
    pub line: Vec<String>,
    /// The most branches that are listed.
    #[serde(default = "branches")]
    pub at_most: usize,
}

fn branches() -> usize {
    12
}

/// The top of the tree as a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportQuery {
    /// JSON without a word.
    #[serde(default)]
    pub format: ExportFormat,
    /// How many plies below the root.
    #[serde(default = "depth")]
    pub depth: usize,
    /// The most positions.
    #[serde(default = "positions")]
    pub at_most: usize,
}

fn depth() -> usize {
    3
}

fn positions() -> usize {
    200
}

/// How a tree is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// As JSON.
    #[default]
    Json,
    /// For Graphviz.
    Dot,
}
