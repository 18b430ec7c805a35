//! Boards and moves as data: a page draws them without knowing the rules.

use serde::{Deserialize, Serialize};

/// What there is to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Board {
    /// A board of cells.
    Grid(Grid),
    /// Piles of objects.
    Piles {
        /// How many objects each has.
        piles: Vec<u32>,
    },
    /// Hands of cards.
    Cards {
        /// The cards of each player, from the lowest up.
        hands: Vec<Vec<String>>,
        /// The play on the table that is to be beaten.
        to_beat: Option<Vec<String>>,
    },
}

/// A board of cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// How many columns there are.
    pub columns: usize,
    /// How many rows there are.
    pub rows: usize,
    /// From the top row down, each from left to right: nothing, or a piece. A stone is the number
    /// of its player; a piece of Xiangqi is its letter.
    pub cells: Vec<String>,
    /// The cells of the last move.
    pub last: Vec<usize>,
    /// How the cells lie.
    #[serde(rename = "wrap")]
    pub lattice: Lattice,
    /// What stands at the columns.
    pub files: Vec<String>,
    /// What stands at the rows, from the top.
    pub ranks: Vec<String>,
}

/// How the cells of a board lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lattice {
    /// Squares.
    Square,
    /// Hexagons: each row is half a cell further to the right.
    Hex,
    /// Points where lines cross.
    Points,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// The move, as the other messages name it.
    pub text: String,
    /// The cell, or the pile, that something leaves.
    pub from: Option<usize>,
    /// The cell that something comes to.
    pub to: Option<usize>,
    /// All cells that change.
    pub cells: Vec<usize>,
    /// What a button for it says.
    pub label: String,
}
