//! What the page and its server say to each other: plain data, as JSON.

mod board;
mod errors;
mod requests;

use playtree::mcts::NodeReport;
use playtree_session::Report;
use playtree_session::settings::Settings;
use serde::{Deserialize, Serialize};

pub use board::{Board, Grid, Lattice, Move};
pub use errors::{Kind, Refusal};
pub use requests::{
    ExportFormat, ExportQuery, MoveText, NewEngine, NewPosition, NewSession, NodeQuery, Nothing,
    Plies, Think,
};

/// A game that can be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct GameAbout {
    /// The name that the other messages use.
    pub name: String,
    pub title: String,
    pub players: usize,
    /// Whether it has an evaluation, which alpha-beta and some settings need.
    pub evaluation: bool,
    /// Whether the solver takes it.
    pub solvable: bool,
    /// The rules in a sentence or two.
    pub rules: String,
    /// How a position is written.
    pub position_format: String,
    /// How a move is written.
    pub move_format: String,
    /// Positions to begin with, the usual one first.
    pub starts: Vec<Start>,
}

/// A position to begin with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// What it is called, such as the size of its board.
    pub name: String,
    /// The position.
    pub position: String,
    /// Whether the server has a network for it.
    #[serde(default)]
    pub network: bool,
}

/// A game under way, as a board shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// The session; empty where there is only one.
    #[serde(default)]
    pub session: String,
    /// Counts the changes of the game and of its engine.
    pub version: u64,
    /// The name of the game.
    pub game: String,
    /// Its title.
    pub title: String,
    /// The present position.
    pub position: String,
    /// Its board.
    pub board: Board,
    /// The side to move, from 0.
    pub mover: usize,
    /// The number of players.
    pub players: usize,
    /// The legal moves; none when the game is over.
    pub moves: Vec<Move>,
    /// The position that the game began with.
    pub start: String,
    /// The moves that were played.
    pub played: Vec<String>,
    /// How many moves `redo` can play again.
    pub undone: usize,
    /// How the game has ended, if it has.
    pub outcome: Option<End>,
    /// The number of the search under way, if there is one.
    pub thinking: Option<u64>,
    /// The settings of the engine.
    pub settings: Settings,
    /// Whether the engine asks the network that the server has for the game.
    #[serde(default)]
    pub network: bool,
    /// What stands behind the address of the page to come back to this game.
    pub link: String,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The score of each player: 1 won, 1/2 a draw, 0 lost.
    pub scores: Vec<f64>,
    /// The same in words.
    pub text: String,
}

/// A search, under way or at its end.
#[derive(Clone, Debug, Serialize)]
pub struct Search {
    /// Its number: no other search of the session has it.
    pub search: u64,
    /// The position that is searched.
    pub position: String,
    /// How many moves had been played there.
    pub ply: usize,
    /// Whether it goes on.
    pub thinking: bool,
    /// Whether its threads wait for their turn in the pool, and nothing is new since the last
    /// event.
    pub waiting: bool,
    /// What it has found; nothing in its first moments.
    pub report: Option<Report>,
    /// Simulations a second; positions a second of the other searchers.
    pub simulations_per_second: f64,
    /// The memory of its table.
    pub memory_bytes: u64,
    /// The visits of its position that the table had when it began.
    pub known_before: u64,
    /// Why it has ended without a report, if it has.
    pub error: Option<Refusal>,
}

impl Search {
    /// A number that grows while the search goes on.
    #[must_use]
    pub fn progress(&self) -> u64 {
        match &self.report {
            Some(Report::Mcts(report)) => report.simulations,
            Some(Report::AlphaBeta(report)) => report.nodes,
            Some(Report::Solver(solution)) => solution.nodes,
            _ => 0,
        }
    }
}

/// A search that has been begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// Its number.
    pub search: u64,
}

/// A search that was stopped.
#[derive(Clone, Debug, Serialize)]
pub struct Stopped {
    /// Its number.
    pub search: u64,
    /// What it has found.
    pub report: Report,
}

/// A session that was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closed {}

/// What a page may know of the other side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct About {
    pub version: String,
    /// The most threads that search at a time.
    pub workers: usize,
    /// The memory of each session, in bytes.
    pub memory_bytes: usize,
    pub sessions: usize,
    pub idle_seconds: u64,
    pub longest_search_seconds: u64,
}

/// What is known of a position below the one that is searched.
#[derive(Clone, Debug, Serialize)]
pub struct Node {
    /// The position.
    pub position: String,
    /// Its board; the last move of the line is marked.
    pub board: Board,
    /// The moves of the line, each as it is written where it is played.
    pub moves_text: Vec<String>,
    /// How the game has ended there, if it has.
    pub outcome: Option<End>,
    /// What the tree knows, the side to move there too.
    #[serde(flatten)]
    pub known: Known,
}

/// What the tree knows of a position: a report of its node, or one with nothing in it.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Known {
    /// It has the position.
    Report(NodeReport<String>),
    /// It has not.
    Nothing(NothingKnown),
}

/// The fields of a [`NodeReport`] of a position that the tree does not have.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "each is a field of the report, by its name")]
pub struct NothingKnown {
    pub number: Option<u32>,
    pub plies: u32,
    pub mover: usize,
    pub visits: u64,
    pub rollouts: u64,
    pub win_rate: Option<f64>,
    pub scores: Vec<f64>,
    pub proven: Option<String>,
    pub proven_plies: Option<u32>,
    pub branch_count: usize,
    pub branches: Vec<String>,
}
