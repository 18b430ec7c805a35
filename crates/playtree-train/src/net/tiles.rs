//! Minimal filtering: two by two outputs of a 3x3 convolution by 16 products in place of 36.
//!
//! Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks" (2016), F(2x2, 3x3): four by
//! four inputs and the nine weights are brought into a [form](super::form) in which a convolution
//! is a product number by number, and the result is brought back. Here that is done for a row of
//! tiles of two by two squares at a time: a number of the form is a run of numbers, for all tiles
//! of the row and all positions.
//!
//! All is linear, so gradients go the same way from the end: for each function there is the one
//! that is it turned over.

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

/// Sets each number by three others.
fn set3(to: &mut [f32], [a, b, c]: [&[f32]; 3], of: impl Fn(f32, f32, f32) -> f32) {
    let all = to.iter_mut().zip(a).zip(b).zip(c);
    all.for_each(|(((to, a), b), c)| *to = of(*a, *b, *c));
}

/// Sets each number to another one, with the other sign.
fn negate(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = -*from);
}

/// Adds numbers, or what is made of them.
fn add(to: &mut [f32], from: &[f32], of: impl Fn(f32) -> f32) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += of(*from));
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

    /// Numbers of a run: all tiles of a row.
    pub(super) fn run(&self) -> usize {
        self.columns.div_ceil(2) * self.positions
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

    /// [`inputs`](Self::inputs), turned over: adds to a plane.
    pub(super) fn inputs_turned(
        &self,
        plane: &mut [f32],
        tiles: usize,
        lines: &mut Lines,
        form: &Form,
        number: usize,
    ) {
        let (before, after) = lines.of_length(self.line());
        let (one, even, run) = (self.positions, self.even(), self.run());
        for (row, line) in after.iter_mut().enumerate() {
            line.fill(0.0);
            let [a, b, c, d] = [0, 1, 2, 3].map(|column| form.row(4 * row + column, number));
            add(&mut line[..run], a, |a| a);
            add(&mut line[even + one..], d, |d| -d);
            let even = &mut line[even..][..run];
            add(even, d, |d| d);
            add(even, b, |b| b);
            add(even, c, |c| -c);
            let odd = &mut line[one..][..run];
            add(odd, a, |a| -a);
            add(odd, b, |b| b);
            add(odd, c, |c| c);
        }
        let [a, b, c, d] = after;
        before[0].copy_from_slice(a);
        set3(&mut before[1], [b, c, d], |b, c, d| b - c + d);
        set3(&mut before[2], [a, b, c], |a, b, c| b + c - a);
        negate(&mut before[3], d);
        for (below, line) in before.iter().enumerate() {
            if let Some(row) = self.row(tiles, below) {
                for (from, to) in self.columns(row) {
                    add(&mut plane[to..][..self.positions], &line[from..], |number| number);
                }
            }
        }
    }

    /// The outputs of a row of tiles: `write` is given where in a plane a square begins, and its
    /// numbers.
    pub(super) fn outputs(
        &self,
        tiles: usize,
        lines: &mut Lines,
        form: &Form,
        number: usize,
        mut write: impl FnMut(usize, &[f32]),
    ) {
        let (before, after) = lines.of_length(self.line());
        let (one, even, run) = (self.positions, self.even(), self.run());
        for (row, line) in after.iter_mut().enumerate() {
            let [a, b, c, d] = [0, 1, 2, 3].map(|column| form.row(4 * row + column, number));
            set3(&mut line[even..][..run], [a, b, c], |a, b, c| a + b + c);
            set3(&mut line[one..][..run], [b, c, d], |b, c, d| b - c - d);
        }
        let [a, b, c, d] = after;
        set3(&mut before[0], [a, b, c], |a, b, c| a + b + c);
        set3(&mut before[1], [b, c, d], |b, c, d| b - c - d);
        for (below, line) in before[..2].iter().enumerate() {
            if let Some(row) = self.row(tiles, below + 1) {
                self.columns(row).for_each(|(from, to)| write(to, &line[from..][..one]));
            }
        }
    }

    /// [`outputs`](Self::outputs), turned over.
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

#[cfg(test)]
mod tests {
    use super::{Form, Lines, Tiles};
    use crate::net::form::PLACES;

    const BOARDS: [Tiles; 4] = [
        Tiles { rows: 1, columns: 1, positions: 1 },
        Tiles { rows: 2, columns: 3, positions: 2 },
        Tiles { rows: 5, columns: 4, positions: 3 },
        Tiles { rows: 6, columns: 7, positions: 5 },
    ];

    fn some(count: usize, step: f32) -> Vec<f32> {
        (0..count).map(|at| ((at + 1) as f32 * step).sin()).collect()
    }

    fn dot(one: &[f32], other: &[f32]) -> f32 {
        one.iter().zip(other).map(|(one, other)| one * other).sum()
    }

    /// A form of two planes in which the second has these numbers.
    fn form(tiles: Tiles, step: f32) -> (Form, Vec<f32>) {
        let (mut form, run) = (Form::default(), tiles.run());
        form.room(2, run);
        let numbers = some(PLACES * run, step);
        for (place, numbers) in numbers.chunks_exact(run).enumerate() {
            form.row_mut(place, 0).fill(f32::NAN);
            form.row_mut(place, 1).copy_from_slice(numbers);
        }
        (form, numbers)
    }

    fn numbers(form: &Form) -> Vec<f32> {
        (0..PLACES).flat_map(|place| form.row(place, 1).to_vec()).collect()
    }

    #[test]
    fn what_is_turned_over_is_the_transpose() {
        // <f(x), y> = <x, turned(y)>, for each row of tiles; lines are those of other boards.
        let mut lines = Lines::default();
        let close = |one: f32, other: f32| assert!((one - other).abs() < 1e-4, "{one}, {other}");
        for board in BOARDS.into_iter().chain(BOARDS.into_iter().rev()) {
            for tiles in 0..board.down() {
                let plane = some(board.plane(), 0.7);
                let (mut found, _) = form(board, 0.1);
                let (other, other_numbers) = form(board, 0.3);
                let mut turned = vec![0.0; board.plane()];

                board.inputs(&plane, tiles, &mut lines, &mut found, 1);
                board.inputs_turned(&mut turned, tiles, &mut lines, &other, 1);
                close(dot(&numbers(&found), &other_numbers), dot(&plane, &turned));

                let mut outputs = vec![0.0; board.plane()];
                board.outputs(tiles, &mut lines, &other, 1, |at, numbers| {
                    outputs[at..][..numbers.len()].copy_from_slice(numbers);
                });
                board.outputs_turned(&plane, tiles, &mut lines, &mut found, 1);
                close(dot(&outputs, &plane), dot(&numbers(&found), &other_numbers));
            }
        }
    }
}
