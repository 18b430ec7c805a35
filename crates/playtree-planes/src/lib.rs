//! Games of playtree as a neural network sees them.
//!
//! [`Planes`] says how a position becomes numbers and which number a move has; [`Form`] is that in
//! figures, and finds out whether a file of a network is one for this game; [`Symmetry`] is a way to
//! turn the board over. What trains networks and what asks them both use it.
//!
//! # The file
//! A network is an ONNX file of standard operators (version 13 of their set, or later). The batch is
//! of any size.
//!
//! | name | what | shape | numbers |
//! |---|---|---|---|
//! | [`POSITION`] | input | `[batch, planes, rows, columns]` | 0 or 1 |
//! | [`VALUE`] | output | `[batch, 1]` | the expected score of the side to move, 0 to 1 |
//! | [`POLICY`] | output | `[batch, moves]` | a logit for each move, any number |
//!
//! All are 32-bit floats. The planes, each with a number for every square of the board:
//!
//! | plane | 1 where |
//! |---|---|
//! | 0 | the side to move has a stone |
//! | 1 | the other side has a stone |
//! | 2 | the side to move may place a stone |
//! | 3 | the board is: on every square |
//! | 4 | on every square, if the number of stones on the board is even |
//!
//! | game | name | rows and columns | row 0, column 0 | moves |
//! |---|---|---|---|---|
//! | [`ConnectFour`](playtree::games::ConnectFour) | `connect4` | 6, 7 | bottom, left | the column, 0 to 6 |
//! | [`OthelloBoard`](playtree::games::OthelloBoard) | `othello`, `othello 6`, `othello 4` | 8, 6 or 4 | a1 | `columns * row + column`; last, the pass |
//!
//! The metadata of the file tell what it is: [`Form::metadata`].
//!
//! # Examples
//! ```
//! use playtree::Notation;
//! use playtree::games::ConnectFour;
//! use playtree_planes::{Form, Planes};
//!
//! let position = ConnectFour::parse_position("4")?;
//! let Form { planes, rows, columns, moves, .. } = ConnectFour::FORM;
//! assert_eq!([planes, rows, columns, moves], [5, 6, 7, 7]);
//! let mut numbers = Vec::new();
//! playtree_planes::write(&position, &mut numbers);
//! assert_eq!(numbers.len(), 5 * 6 * 7);
//! assert_eq!(numbers[6 * 7 + 3], 1.0); // the other side has a stone at the bottom of column 4
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod form;
mod games;
mod symmetry;

use playtree::GameState;

pub use answer::{Outputs, WrongSize, answer};
pub use form::{Foreign, Form, POLICY, POSITION, VALUE};
pub use symmetry::Symmetry;

/// The number of planes of a position.
pub const PLANES: usize = 5;

/// A game that a network can be asked about: stones on a board of at most 64 squares.
pub trait Planes: GameState {
    /// The game's name and its sizes.
    const FORM: Form;

    /// The ways to turn the board over that change nothing in the rules, the first of them none.
    const SYMMETRIES: &'static [Symmetry];

    /// The planes of a position, a bit for each square: that in `row` and `column` is bit
    /// `FORM.columns * row + column`.
    fn planes(&self) -> [u64; PLANES];

    /// The number of a move in the policy, below `FORM.moves`.
    fn move_number(mv: &Self::Move) -> usize;
}

/// Appends the planes of a position as the numbers that a network is given.
pub fn write<G: Planes>(state: &G, numbers: &mut Vec<f32>) {
    write_planes(&state.planes(), &G::FORM, numbers);
}

/// Appends planes as the numbers that a network is given.
pub fn write_planes(planes: &[u64; PLANES], form: &Form, numbers: &mut Vec<f32>) {
    for plane in planes {
        numbers.extend((0..form.squares()).map(|square| (plane >> square & 1) as f32));
    }
}
