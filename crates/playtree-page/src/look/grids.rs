//! Games on a board.

use playtree::dynamic::AnyMove;
use playtree::games::breakthrough::Advance;
use playtree::games::connect4::Column;
use playtree::games::gomoku::{GomokuBoard, Point};
use playtree::games::hex::{Cell, HexBoard};
use playtree::games::othello::Placement;
use playtree::games::tictactoe::Square;
use playtree::games::xiangqi::Step;
use playtree::games::{Breakthrough, ConnectFour, OthelloBoard, TicTacToe, Xiangqi};

use super::{Look, Touched};
use crate::messages::{Board, Grid, Lattice};

/// The columns and rows of tic-tac-toe.
const THREE: usize = 3;
/// The columns of Connect Four.
const COLUMNS: usize = 7;
/// Its rows.
const ROWS: usize = 6;
/// The columns of Xiangqi.
const FILES: usize = 9;
/// Its rows.
const RANKS: usize = 10;

/// A board with what `piece` says of the cell in a column and a row from the top.
fn grid(
    lattice: Lattice,
    (columns, rows): (usize, usize),
    piece: impl Fn(usize, usize) -> String,
) -> Grid {
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let cells = cells.map(|(column, row)| piece(column, row)).collect();
    Grid { columns, rows, cells, last: Vec::new(), lattice, files: Vec::new(), ranks: Vec::new() }
}

impl Grid {
    /// With letters at the columns, and `ranks` at the rows, from the top.
    fn named(mut self, ranks: impl Iterator<Item = usize>) -> Board {
        let letters = (b'a'..=b'z').map(|letter| char::from(letter).to_string());
        self.files = letters.take(self.columns).collect();
        self.ranks = ranks.map(|rank| rank.to_string()).collect();
        Board::Grid(self)
    }
}

/// A stone of this player.
fn stone(player: Option<usize>) -> String {
    player.map_or_else(String::new, |player| player.to_string())
}

/// The player of whom this bit is set.
fn owner(stones: [u64; 2], bit: usize) -> Option<usize> {
    (0..2).find(|&player| stones[player] >> bit & 1 == 1)
}

/// A text as a board of one cell.
pub(super) fn text(text: &str) -> Board {
    Board::Grid(grid(Lattice::Square, (1, 1), |_, _| text.to_owned()))
}

impl Look for TicTacToe {
    fn board(&self) -> Board {
        let mark =
            |column, row| Square::new(THREE * row + column).and_then(|at| self.marked_by(at));
        Board::Grid(grid(Lattice::Square, (THREE, THREE), |column, row| stone(mark(column, row))))
    }

    fn touched(&self, mv: &AnyMove) -> Touched {
        Touched::at(mv.get::<Square>().map(|square| square.index()))
    }
}

impl Look for ConnectFour {
    fn board(&self) -> Board {
        let stones = self.stones();
        let mut board = grid(Lattice::Square, (COLUMNS, ROWS), |column, row| {
            stone(owner(stones, COLUMNS * column + ROWS - 1 - row))
        });
        board.files = (1..=COLUMNS).map(|column| column.to_string()).collect();
        Board::Grid(board)
    }

    fn touched(&self, mv: &AnyMove) -> Touched {
        let stones = self.stones();
        Touched::at(mv.get::<Column>().and_then(|column| {
            let free = |row: &usize| owner(stones, COLUMNS * column.index() + row).is_none();
            let landing = (0..ROWS).find(free)?;
            Some(COLUMNS * (ROWS - 1 - landing) + column.index())
        }))
    }
}

impl<const SIZE: usize> Look for OthelloBoard<SIZE> {
    fn board(&self) -> Board {
        let discs = self.discs();
        grid(Lattice::Square, (SIZE, SIZE), |column, row| stone(owner(discs, 8 * row + column)))
            .named(1..=SIZE)
    }

    fn touched(&self, mv: &AnyMove) -> Touched {
        let square = mv.get::<Placement>().and_then(|placement| placement.square());
        Touched::at(square.map(|square| SIZE * (square / 8) + square % 8))
    }
}

impl<const WORDS: usize> Look for HexBoard<WORDS> {
    fn board(&self) -> Board {
        let at = |column, row| self.cell(row, column).and_then(|cell| self.stone(cell));
        let sides = (self.columns(), self.rows());
        grid(Lattice::Hex, sides, |column, row| stone(at(column, row))).named(1..=self.rows())
    }

    fn touched(&self, mv: &AnyMove) -> Touched {
        Touched::at(mv.get::<Cell>().map(|cell| cell.index()))
    }
}

impl<const WORDS: usize> Look for GomokuBoard<WORDS> {
    fn board(&self) -> Board {
        let (columns, rows) = (self.columns(), self.rows());
        let at = |column, row| self.point(column, rows - 1 - row).and_then(|at| self.stone(at));
        grid(Lattice::Points, (columns, rows), |column, row| stone(at(column, row)))
            .named((1..=rows).rev())
    }

    fn touched(&self, mv: &AnyMove) -> Touched {
        let cell = |at: &Point| self.columns() * (self.rows() - 1 - at.row()) + at.column();
        Touched::at(mv.get::<Point>().map(cell))
    }
}

impl Look for Breakthrough {
    fn board(&self) -> Board {
        let ((columns, rows), pieces) = (self.size(), self.pieces());
        grid(Lattice::Square, (columns, rows), |column, row| {
            stone(owner(pieces, 8 * (rows - 1 - row) + column))
        })
        .named((1..=rows).rev())
    }

    fn touched(&self, mv: &AnyMove) -> Touched {
        let (columns, rows) = self.size();
        let cell = |square: usize| columns * (rows - 1 - square / 8) + square % 8;
        let between = |mv: &Advance| Touched::between(cell(mv.from()), cell(mv.to()));
        mv.get::<Advance>().map_or_else(Touched::default, between)
    }
}

impl Look for Xiangqi {
    fn board(&self) -> Board {
        let letter = |column, row| {
            let piece = self.piece(FILES * (RANKS - 1 - row) + column);
            piece.map_or_else(String::new, |(kind, side)| kind.letter(side).to_string())
        };
        grid(Lattice::Points, (FILES, RANKS), letter).named((0..RANKS).rev())
    }

    fn touched(&self, mv: &AnyMove) -> Touched {
        let cell = |point: usize| FILES * (RANKS - 1 - point / FILES) + point % FILES;
        let between = |mv: &Step| Touched::between(cell(mv.from()), cell(mv.to()));
        mv.get::<Step>().map_or_else(Touched::default, between)
    }
}
