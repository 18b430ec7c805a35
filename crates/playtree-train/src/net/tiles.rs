//! A board in tiles of two by two squares, and what gradients by weights need of them.
//!
//! As a [convolution](super::filter) is a product for each number of a form, so is the gradient by
//! the form of its weights: of the form of the inputs, and of that which the sums would have. Here
//! both are made for a row of tiles at a time: a number of the form is a run of numbers, for all
//! tiles of the row and all positions, and what is multiplied are whole matrices.

use super::form::Form;

/// The board in tiles of two by two squares; the last ones may reach beyond it. In a plane each
/// square is a run of numbers, one for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiles {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) positions: usize,
}

/// Rows of the board as they are worked with, each in a line of its own: zeros for the column
/// before the board, the odd columns, the even ones, and again zeros. So one side of all tiles is a
/// run.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    before: [Vec<f32>; 4],
    after: [Vec<f32>; 4],
}

impl Lines {
    /// Lines of this length, whatever is in them.
    fn of_length(&mut self, length: usize) -> (&mut [Vec<f32>; 4], &mut [Vec<f32>; 4]) {
        let Self { before, after } = self;
        before.iter_mut().chain(&mut *after).for_each(|line| line.resize(length, 0.0));
        (before, after)
    }
}

/// Sets each number by two others.
fn set(to: &mut [f32], one: &[f32], other: &[f32], of: impl Fn(f32, f32) -> f32) {
    to.iter_mut().zip(one).zip(other).for_each(|((to, one), other)| *to = of(*one, *other));
}

/// Sets each number to another one, with the other sign.
fn negate(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = -*from);
}

impl Tiles {
    /// Numbers of a plane.
    pub(super) fn plane(&self) -> usize {
        self.rows * self.columns * self.positions
    }

    /// Rows of tiles.
    pub(super) fn down(&self) -> usize {
        self.rows.div_ceil(2)
    }

    /// Tiles of a row.
    pub(super) fn across(&self) -> usize {
        self.columns.div_ceil(2)
    }

    /// Numbers of a run: all tiles of a row.
    pub(super) fn run(&self) -> usize {
        self.across() * self.positions
    }

    /// Where the even columns begin in a line.
    fn even(&self) -> usize {
        self.run() + self.positions
    }

    /// Numbers of a line.
    fn line(&self) -> usize {
        2 * self.even()
    }

    /// Where each column of a row is in a line, and where in a plane.
    fn columns(&self, row: usize) -> impl Iterator<Item = (usize, usize)> {
        let Self { columns, positions, .. } = *self;
        let (even, first) = (self.even(), row * columns * positions);
        (0..columns).map(move |column| {
            let of_line = (column / 2) * positions + if column % 2 == 0 { even } else { positions };
            (of_line, first + column * positions)
        })
    }

    /// The row of the board which lies so far below the first row around tiles.
    fn row(&self, tiles: usize, below: usize) -> Option<usize> {
        (2 * tiles + below).checked_sub(1).filter(|&row| row < self.rows)
    }

    /// A row of the board as a line; zeros, if there is none.
    fn read(&self, plane: &[f32], row: Option<usize>, line: &mut [f32]) {
        line.fill(0.0);
        if let Some(row) = row {
            for (to, from) in self.columns(row) {
                line[to..][..self.positions].copy_from_slice(&plane[from..][..self.positions]);
            }
        }
    }

    /// The form of four by four inputs around each tile of a row: of the plane of this number.
    pub(super) fn inputs(
        &self,
        plane: &[f32],
        tiles: usize,
        lines: &mut Lines,
        form: &mut Form,
        number: usize,
    ) {
        let (before, after) = lines.of_length(self.line());
        for (below, line) in before.iter_mut().enumerate() {
            self.read(plane, self.row(tiles, below), line);
        }
        let [a, b, c, d] = before;
        set(&mut after[0], a, c, |a, c| a - c);
        set(&mut after[1], b, c, |b, c| b + c);
        set(&mut after[2], b, c, |b, c| c - b);
        set(&mut after[3], b, d, |b, d| b - d);
        let (one, even, run) = (self.positions, self.even(), self.run());
        for (row, line) in after.iter().enumerate() {
            let [a, b, c, d] = [&line[..run], &line[even..], &line[one..], &line[even + one..]];
            set(form.row_mut(4 * row, number), a, c, |a, c| a - c);
            set(form.row_mut(4 * row + 1, number), b, c, |b, c| b + c);
            set(form.row_mut(4 * row + 2, number), b, c, |b, c| c - b);
            set(form.row_mut(4 * row + 3, number), b, d, |b, d| b - d);
        }
    }

    /// By how much the result changes with each number of a form of sums, by how it does with the
    /// outputs: the way back from sums to outputs, turned over.
    pub(super) fn outputs_turned(
        &self,
        plane: &[f32],
        tiles: usize,
        lines: &mut Lines,
        form: &mut Form,
        number: usize,
    ) {
        let (before, after) = lines.of_length(self.line());
        for (below, line) in before[..2].iter_mut().enumerate() {
            self.read(plane, self.row(tiles, below + 1), line);
        }
        let [top, bottom, ..] = before;
        after[0].copy_from_slice(top);
        set(&mut after[1], top, bottom, |top, bottom| top + bottom);
        set(&mut after[2], top, bottom, |top, bottom| top - bottom);
        negate(&mut after[3], bottom);
        let (one, even, run) = (self.positions, self.even(), self.run());
        for (row, line) in after.iter().enumerate() {
            let [even, odd] = [&line[even..], &line[one..]];
            form.row_mut(4 * row, number).copy_from_slice(&even[..run]);
            set(form.row_mut(4 * row + 1, number), even, odd, |even, odd| even + odd);
            set(form.row_mut(4 * row + 2, number), even, odd, |even, odd| even - odd);
            negate(form.row_mut(4 * row + 3, number), odd);
        }
    }
}
