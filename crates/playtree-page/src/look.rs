//! How positions and moves look: each game as a [`Board`] that a page can draw.
//!
//! Each game answers by its own type, so no text is read.

mod cards;
mod grids;

use playtree::GameState;
use playtree::dynamic::AnyMove;
use playtree::games::{
    Breakthrough, ConnectFour, Doudizhu, Gomoku, Hex, LargeGomoku, LargeHex, MisereNim, NormalNim,
    Othello, OthelloBoard, TicTacToe, Xiangqi,
};
use playtree_session::Position;

use crate::messages::{Board, Move};

/// How a game of some type looks.
trait Look {
    /// The board, without a mark on the last move.
    fn board(&self) -> Board;

    /// Where a move of this position touches the board. One of another game touches nothing.
    fn touched(&self, mv: &AnyMove) -> Touched;
}

/// Where a move touches the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Touched {
    from: Option<usize>,
    to: Option<usize>,
    /// What a button for it says, if that is not the text of the move.
    label: Option<String>,
}

impl Touched {
    fn at(to: Option<usize>) -> Self {
        Self { to, ..Self::default() }
    }

    fn between(from: usize, to: usize) -> Self {
        Self { from: Some(from), to: Some(to), label: None }
    }
}

/// The first of these types that the position is one of.
macro_rules! first_of {
    ($position:expr => $($game:ty),+ $(,)?) => {{
        let position: &Position = $position;
        $(if let Some(state) = position.get::<$game>() {
            return Some(state);
        })+
        None
    }};
}

fn look(position: &Position) -> Option<&dyn Look> {
    first_of!(position =>
        TicTacToe, ConnectFour, Othello, OthelloBoard<6>, OthelloBoard<4>, Hex, LargeHex, NormalNim,
        MisereNim, Breakthrough, Gomoku, LargeGomoku, Xiangqi, Doudizhu,
    )
}

/// The board of a position that `last`, a position and its move, has led to.
///
/// # Examples
/// ```
/// use playtree_page::look;
/// use playtree_page::messages::Board;
/// use playtree_session::Game;
///
/// let (_, position) = Game::open("connect4", Some("44"))?;
/// let Board::Grid(grid) = look::board(&position, None) else { panic!("a grid") };
/// assert_eq!((grid.columns, grid.rows), (7, 6));
/// assert_eq!((grid.cells[38].as_str(), grid.cells[31].as_str()), ("0", "1"));
/// # Ok::<(), playtree::games::GameError>(())
/// ```
#[must_use]
pub fn board(position: &Position, last: Option<(&Position, &AnyMove)>) -> Board {
    // A game that this module does not know is shown as one cell with its text.
    let Some(look_of) = look(position) else {
        return grids::text(&position.board_text());
    };
    let mut board = look_of.board();
    if let (Board::Grid(grid), Some((before, mv))) = (&mut board, last) {
        let touched = look(before).map_or_else(Touched::default, |before| before.touched(mv));
        grid.last = touched.from.into_iter().chain(touched.to).collect();
    }
    board
}

/// The legal moves of a position, in the order of the game.
#[must_use]
pub fn moves(position: &Position) -> Vec<Move> {
    let mut legal = Vec::new();
    position.moves(&mut legal);
    let before = cells(position);
    legal.iter().map(|mv| one_move(position, mv, &before)).collect()
}

fn one_move(position: &Position, mv: &AnyMove, before: &[String]) -> Move {
    let text = position.move_text(mv);
    let touched = look(position).map_or_else(Touched::default, |look| look.touched(mv));
    let after = cells(&position.apply(mv));
    let changed = before.iter().zip(&after).enumerate().filter(|(_, (old, new))| old != new);
    Move {
        from: touched.from,
        to: touched.to,
        cells: changed.map(|(cell, _)| cell).collect(),
        label: touched.label.unwrap_or_else(|| text.clone()),
        text,
    }
}

/// The cells of the board, if it has any.
fn cells(position: &Position) -> Vec<String> {
    match look(position).map(Look::board) {
        Some(Board::Grid(grid)) => grid.cells,
        _ => Vec::new(),
    }
}
