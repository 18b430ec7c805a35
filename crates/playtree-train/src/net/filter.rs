//! A convolution of 3x3 by minimal filtering, with a vector of positions at a time.
//!
//! Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks" (2016), F(2x2, 3x3): two by
//! two outputs by 16 products in place of 36. Four by four inputs and the nine weights are brought
//! into a [form](super::form) in which a convolution is a product number by number, and the sums
//! over all inputs are brought back. That is done for a few tiles of two by two squares after one
//! another, so that what is worked in stays in the cache, and the sums of a product in registers.

use std::array::from_fn;
use std::cell::RefCell;
use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use super::form::{PLACES, weights};
use super::tiles::Tiles;
use crate::weights::NEIGHBOURS;

/// Outputs whose sums are in registers at the same time.
const OUTPUTS: usize = 4;

/// Tiles whose sums are. With 4 outputs that makes 8 sums, which keep both units of a core busy. 12
/// of them would fit in the 16 registers of AVX2, but the compiler moves one of them to memory and
/// back for each input, which takes twice as long.
const TILES: usize = 2;

/// Panels of these tiles whose outputs are written at a time. For each time the weights are read
/// again: for a board of Connect Four, twice.
const PANELS: usize = 3;

/// Numbers between the forms of a place and the next, so that what is written to all of them does
/// not fall on the same lines of the cache.
const APART: usize = 32;

/// Numbers in a line of the cache.
const LINE: usize = 16;

/// The weights of a layer, as they are multiplied with.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    inputs: usize,
    outputs: usize,
    /// For each number of a form, each four outputs, and each input: the weights of these outputs.
    weights: Vec<[f32; OUTPUTS]>,
}

/// What is done to the sums of a convolution, from the top to the bottom.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Then<'a> {
    /// What is added to each output, if anything.
    pub(super) biases: Option<&'a [f32]>,
    /// What is added to each number, if anything.
    pub(super) added: Option<&'a [f32]>,
    /// Whether negative numbers become 0.
    pub(super) is_rectified: bool,
}

impl Filter {
    /// Of the weights of a layer of kind [`Squares`](crate::weights::Kind::Squares).
    pub(super) fn new(numbers: &[f32], outputs: usize, inputs: usize) -> Self {
        let row = NEIGHBOURS.len() * inputs + 1;
        Self::of(outputs, inputs, |output, input, neighbour| {
            numbers[output * row + NEIGHBOURS.len() * input + neighbour]
        })
    }

    /// The transpose, without biases: by how much a result changes with the inputs, if this is how
    /// it changes with the outputs.
    pub(super) fn turned(numbers: &[f32], outputs: usize, inputs: usize) -> Self {
        let row = NEIGHBOURS.len() * inputs + 1;
        Self::of(inputs, outputs, |input, output, neighbour| {
            numbers[output * row + NEIGHBOURS.len() * (input + 1) - 1 - neighbour]
        })
    }

    /// By the weight for each output, input and neighbour.
    fn of(outputs: usize, inputs: usize, weight: impl Fn(usize, usize, usize) -> f32) -> Self {
        let in_place = outputs.div_ceil(OUTPUTS) * inputs;
        let mut all = vec![[0.0; OUTPUTS]; PLACES * in_place];
        for output in 0..outputs {
            for input in 0..inputs {
                let form = weights(from_fn(|y| from_fn(|x| weight(output, input, 3 * y + x))));
                let first = output / OUTPUTS * inputs + input;
                for (place, number) in form.as_flattened().iter().enumerate() {
                    all[place * in_place + first][output % OUTPUTS] = *number;
                }
            }
        }
        Self { inputs, outputs, weights: all }
    }

    /// The convolution of these planes, with zeros beyond the board.
    ///
    /// # Panics
    /// If the planes are not those of its inputs, or what is added has not a number for each output
    /// and each of its squares.
    pub(super) fn apply(&self, tiles: Tiles, input: &[f32], then: Then<'_>) -> Vec<f32> {
        assert_eq!(input.len(), self.inputs * tiles.plane(), "a plane for each input");
        let mut output = vec![0.0; self.outputs * tiles.plane()];
        MEMORY.with_borrow_mut(|memory| {
            let apply = Apply { filter: self, tiles, input, then, output: &mut output, memory };
            Arch::new().dispatch(apply);
        });
        output
    }
}

/// What is worked in: in memory of its own it would have to be cleared each time.
#[derive(Debug, Default)]
struct Memory {
    boards: Vec<f32>,
    forms: Vec<f32>,
    sums: Vec<f32>,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// Vectors of this number, from the beginning of a line of the cache on, whatever is in them.
#[inline(always)]
fn vectors<S: Simd>(numbers: &mut Vec<f32>, count: usize) -> &mut [S::f32s] {
    let count = count * S::F32_LANES;
    if numbers.len() < count + LINE {
        numbers.resize(count + LINE, 0.0);
    }
    let first = numbers.as_ptr().align_offset(size_of::<[f32; LINE]>()).min(LINE);
    S::as_mut_simd_f32s(&mut numbers[first..][..count]).0
}

/// A call of [`Filter::apply`].
struct Apply<'a> {
    filter: &'a Filter,
    tiles: Tiles,
    input: &'a [f32],
    then: Then<'a>,
    output: &'a mut [f32],
    memory: &'a mut Memory,
}

/// Vectors for each place of a form: for each two tiles, each plane, and each of the two one.
struct Panels<'a, S: Simd> {
    vectors: &'a mut [S::f32s],
    place: usize,
    planes: usize,
}

impl<'a, S: Simd> Panels<'a, S> {
    #[inline(always)]
    fn new(numbers: &'a mut Vec<f32>, planes: usize) -> Self {
        let place = PANELS * TILES * planes + APART.div_ceil(S::F32_LANES);
        Self { vectors: vectors::<S>(numbers, PLACES * place), place, planes }
    }

    /// Where a tile is in each place, for the first plane; for the next ones it is `TILES` further.
    #[inline(always)]
    fn tile(&self, number: usize) -> usize {
        number / TILES * self.planes * TILES + number % TILES
    }
}

impl WithSimd for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { filter, tiles, input, then, output, memory } = self;
        let boards = Boards::of(tiles);
        let mut forms = Panels::<S>::new(&mut memory.forms, filter.inputs);
        let outputs = filter.outputs.next_multiple_of(OUTPUTS);
        let mut sums = Panels::<S>::new(&mut memory.sums, outputs);
        let padded = vectors::<S>(&mut memory.boards, filter.inputs * boards.size());
        padded.fill(simd.splat_f32s(0.0));
        for first in (0..tiles.positions).step_by(S::F32_LANES) {
            let positions = first..(first + S::F32_LANES).min(tiles.positions);
            boards.read(simd, input, positions.clone(), padded);
            let count = boards.down * boards.across;
            for first in (0..count).step_by(PANELS * TILES) {
                let some = first..(first + PANELS * TILES).min(count);
                boards.forms(simd, padded, some.clone(), &mut forms);
                filter.products(simd, some.len().div_ceil(TILES), &forms, &mut sums);
                boards.write(simd, &sums, some, positions.clone(), then, output);
            }
        }
    }
}

impl Filter {
    /// The sums over all inputs, for this number of panels.
    #[inline(always)]
    fn products<S: Simd>(
        &self,
        simd: S,
        panels: usize,
        forms: &Panels<'_, S>,
        sums: &mut Panels<'_, S>,
    ) {
        let (inputs, outputs) = (forms.planes, sums.planes);
        let places = forms.vectors.chunks_exact(forms.place);
        let places = places.zip(sums.vectors.chunks_exact_mut(sums.place));
        let weights = self.weights.chunks_exact(outputs / OUTPUTS * inputs);
        for ((forms, sums), weights) in places.zip(weights) {
            let forms = forms.chunks_exact(inputs * TILES).take(panels);
            for (forms, sums) in forms.zip(sums.chunks_exact_mut(outputs * TILES)) {
                let sums = sums.chunks_exact_mut(OUTPUTS * TILES);
                for (weights, sums) in weights.chunks_exact(inputs).zip(sums) {
                    product(simd, weights, forms, sums);
                }
            }
        }
    }
}

/// The sums over all inputs, of four outputs for two tiles.
#[inline(always)]
fn product<S: Simd>(simd: S, weights: &[[f32; OUTPUTS]], forms: &[S::f32s], to: &mut [S::f32s]) {
    let mut sums = [[simd.splat_f32s(0.0); TILES]; OUTPUTS];
    for (weights, forms) in weights.iter().zip(forms.as_chunks::<TILES>().0) {
        for output in 0..OUTPUTS {
            let weight = simd.splat_f32s(weights[output]);
            for tile in 0..TILES {
                let sum = &mut sums[output][tile];
                *sum = simd.mul_add_e_f32s(weight, forms[tile], *sum);
            }
        }
    }
    for (to, sum) in to.iter_mut().zip(sums.as_flattened()) {
        *to = *sum;
    }
}

/// Boards with a margin of zeros, so that around each tile there are four by four squares.
#[derive(Clone, Copy)]
struct Boards {
    tiles: Tiles,
    /// Rows of tiles, and tiles of a row.
    down: usize,
    across: usize,
    /// Squares of a row with its margins.
    line: usize,
}

impl Boards {
    #[inline(always)]
    fn of(tiles: Tiles) -> Self {
        let (down, across) = (tiles.down(), tiles.across());
        Self { tiles, down, across, line: 2 * across + 2 }
    }

    /// Squares of a board with its margins.
    #[inline(always)]
    fn size(&self) -> usize {
        (2 * self.down + 2) * self.line
    }

    /// Reads a board of each plane.
    #[inline(always)]
    fn read<S: Simd>(&self, simd: S, input: &[f32], positions: Range<usize>, to: &mut [S::f32s]) {
        let Tiles { columns, positions: all, .. } = self.tiles;
        let planes = input.chunks_exact(self.tiles.plane());
        for (plane, board) in planes.zip(to.chunks_exact_mut(self.size())) {
            let rows = plane.chunks_exact(columns * all);
            for (row, line) in rows.zip(board.chunks_exact_mut(self.line).skip(1)) {
                for (square, to) in row.chunks_exact(all).zip(&mut line[1..]) {
                    *to = read(simd, &square[positions.clone()]);
                }
            }
        }
    }

    /// The form of each of some tiles, in each plane.
    #[inline(always)]
    fn forms<S: Simd>(
        &self,
        simd: S,
        boards: &[S::f32s],
        some: Range<usize>,
        to: &mut Panels<'_, S>,
    ) {
        for (number, tile) in some.enumerate() {
            let corner = tile / self.across * 2 * self.line + tile % self.across * 2;
            let first = to.tile(number);
            for (plane, board) in boards.chunks_exact(self.size()).enumerate() {
                let place = to.place;
                form(simd, &board[corner..], self.line, to.vectors, place, first + plane * TILES);
            }
        }
    }

    /// Writes the squares of some tiles, in each plane.
    #[inline(always)]
    fn write<S: Simd>(
        &self,
        simd: S,
        sums: &Panels<'_, S>,
        some: Range<usize>,
        positions: Range<usize>,
        then: Then<'_>,
        output: &mut [f32],
    ) {
        let Tiles { rows, columns, positions: all } = self.tiles;
        let (plane, count) = (self.tiles.plane(), positions.len());
        for (number, tile) in some.enumerate() {
            let (row, column) = (tile / self.across * 2, tile % self.across * 2);
            let places = [0, 1, 2, 3].map(|square| {
                let (row, column) = (row + square / 2, column + square % 2);
                let is_there = row < rows && column < columns;
                is_there.then_some((row * columns + column) * all + positions.start)
            });
            let first = sums.tile(number);
            for (number, output) in output.chunks_exact_mut(plane).enumerate() {
                let bias = then.biases.map_or(0.0, |biases| biases[number]);
                let bias = simd.splat_f32s(bias);
                let added = then.added.map(|added| &added[number * plane..][..plane]);
                let four = squares(simd, sums.vectors, sums.place, first + number * TILES);
                for (place, sum) in places.into_iter().zip(four) {
                    let Some(place) = place else { continue };
                    let mut sum = simd.add_f32s(sum, bias);
                    if let Some(added) = added {
                        sum = simd.add_f32s(sum, read(simd, &added[place..][..count]));
                    }
                    if then.is_rectified {
                        sum = simd.max_f32s(sum, simd.splat_f32s(0.0));
                    }
                    write(simd, &mut output[place..][..count], sum);
                }
            }
        }
    }
}

/// A vector, or the beginning of one.
#[inline(always)]
fn read<S: Simd>(simd: S, from: &[f32]) -> S::f32s {
    match S::as_simd_f32s(from).0 {
        [whole] => *whole,
        _ => simd.partial_load_f32s(from),
    }
}

/// Writes a vector, or the beginning of one.
#[inline(always)]
fn write<S: Simd>(simd: S, to: &mut [f32], numbers: S::f32s) {
    match S::as_mut_simd_f32s(to) {
        ([whole], _) => *whole = numbers,
        (_, part) => simd.partial_store_f32s(part, numbers),
    }
}

/// The form of four by four numbers of a board: one for each place.
#[inline(always)]
fn form<S: Simd>(
    simd: S,
    board: &[S::f32s],
    line: usize,
    forms: &mut [S::f32s],
    place: usize,
    at: usize,
) {
    let [a, b, c, d] = [0, 1, 2, 3].map(|row| &board[row * line..][..4]);
    let mut half = [[simd.splat_f32s(0.0); 4]; 4];
    for column in 0..4 {
        let [a, b, c, d] = [a[column], b[column], c[column], d[column]];
        half[0][column] = simd.sub_f32s(a, c);
        half[1][column] = simd.add_f32s(b, c);
        half[2][column] = simd.sub_f32s(c, b);
        half[3][column] = simd.sub_f32s(b, d);
    }
    for (forms, [a, b, c, d]) in forms.chunks_exact_mut(4 * place).zip(half) {
        forms[at] = simd.sub_f32s(a, c);
        forms[place + at] = simd.add_f32s(b, c);
        forms[2 * place + at] = simd.sub_f32s(c, b);
        forms[3 * place + at] = simd.sub_f32s(b, d);
    }
}

/// The squares of a tile by a number for each place: the upper two, and the lower ones.
#[inline(always)]
fn squares<S: Simd>(simd: S, sums: &[S::f32s], place: usize, at: usize) -> [S::f32s; 4] {
    let mut half = [[simd.splat_f32s(0.0); 2]; 4];
    for (half, sums) in half.iter_mut().zip(sums.chunks_exact(4 * place)) {
        let (a, b) = (sums[at], sums[place + at]);
        let (c, d) = (sums[2 * place + at], sums[3 * place + at]);
        half[0] = simd.add_f32s(simd.add_f32s(a, b), c);
        half[1] = simd.sub_f32s(simd.sub_f32s(b, c), d);
    }
    let [a, b, c, d] = half;
    [
        simd.add_f32s(simd.add_f32s(a[0], b[0]), c[0]),
        simd.add_f32s(simd.add_f32s(a[1], b[1]), c[1]),
        simd.sub_f32s(simd.sub_f32s(b[0], c[0]), d[0]),
        simd.sub_f32s(simd.sub_f32s(b[1], c[1]), d[1]),
    ]
}

#[cfg(test)]
mod tests {
    use pulp::{Scalar, WithSimd};

    use super::{Apply, Filter, Memory, Then, Tiles};

    #[test]
    fn a_processor_without_vectors_finds_the_same() {
        let some = |count: usize, step: f32| -> Vec<f32> {
            (0..count).map(|at| ((at + 1) as f32 * step).sin()).collect()
        };
        for (rows, columns, positions) in [(6, 7, 37), (3, 3, 2), (8, 8, 16)] {
            let tiles = Tiles { rows, columns, positions };
            let (inputs, outputs) = (3, 6);
            let filter = Filter::new(&some(outputs * (9 * inputs + 1), 0.7), outputs, inputs);
            let input = some(inputs * tiles.plane(), 0.3);
            let (biases, added) = (some(outputs, 0.9), some(outputs * tiles.plane(), 0.2));
            let then = Then { biases: Some(&biases), added: Some(&added), is_rectified: true };
            let mut output = vec![0.0; outputs * tiles.plane()];
            let (filter, input, memory) = (&filter, input.as_slice(), &mut Memory::default());
            let found = filter.apply(tiles, input, then);
            Apply { filter, tiles, input, then, output: &mut output, memory }
                .with_simd(Scalar::new());
            assert!(output.contains(&0.0) && output.iter().any(|&number| number > 0.5));
            for (one, other) in found.iter().zip(&output) {
                assert!((one - other).abs() < 1e-5, "{tiles:?}: {one}, {other}");
            }
        }
    }
}
