//! The form in which a convolution is a product, number by number: 16 of each four by four inputs,
//! and of each nine weights. With many planes each of the 16 is a product of matrices.

use std::array::from_fn;
use std::ops::Range;

use super::product::Matrix;
use crate::weights::NEIGHBOURS;

/// The numbers of a form.
pub(super) const PLACES: usize = 16;

/// Numbers between the matrix of a place and the next, so that what is written to all of them does
/// not fall on the same lines of the cache.
const APART: usize = 16;

/// Matrices for each place of a form: a row for each plane.
#[derive(Debug, Default)]
pub(super) struct Form {
    numbers: Vec<f32>,
    planes: usize,
    run: usize,
}

impl Form {
    /// Room for matrices of this number of planes and of numbers of each, whatever is in them.
    pub(super) fn room(&mut self, planes: usize, run: usize) -> &mut Self {
        (self.planes, self.run) = (planes, run);
        let count = PLACES * (planes * run + APART);
        if self.numbers.len() < count {
            self.numbers.resize(count, 0.0);
        }
        self
    }

    fn place(&self, place: usize) -> Range<usize> {
        let count = self.planes * self.run;
        let first = place * (count + APART);
        first..first + count
    }

    pub(super) fn matrix(&self, place: usize) -> Matrix<'_> {
        Matrix::new(&self.numbers[self.place(place)], self.planes, self.run)
    }

    pub(super) fn row_mut(&mut self, place: usize, plane: usize) -> &mut [f32] {
        let first = self.place(place).start + plane * self.run;
        &mut self.numbers[first..][..self.run]
    }
}

/// The form of each output's weights for each input, turned over, with a number for each output in
/// place of its bias.
pub(super) fn form_turned(forms: &[f32], biases: &[f32], inputs: usize) -> Vec<f32> {
    let outputs = biases.len();
    let mut weights = Vec::with_capacity(outputs * (NEIGHBOURS.len() * inputs + 1));
    for (output, bias) in biases.iter().enumerate() {
        for input in 0..inputs {
            let number = |place: usize| forms[(place * outputs + output) * inputs + input];
            let square = from_fn(|y| from_fn(|x| number(4 * y + x)));
            weights.extend(weights_turned(square).as_flattened());
        }
        weights.push(*bias);
    }
    weights
}

/// Does something along rows, and then along columns.
fn both_ways<const N: usize, const M: usize>(
    square: [[f32; N]; N],
    along: impl Fn([f32; N]) -> [f32; M],
) -> [[f32; M]; M] {
    let rows = square.map(&along);
    let mut result = [[0.0; M]; M];
    for column in 0..M {
        let done = along(rows.map(|row| row[column]));
        result.iter_mut().zip(done).for_each(|(row, number)| row[column] = number);
    }
    result
}

/// The form of nine weights.
pub(super) fn weights(square: [[f32; 3]; 3]) -> [[f32; 4]; 4] {
    both_ways(square, |[a, b, c]| [a, 0.5 * (a + b + c), 0.5 * (a - b + c), c])
}

/// [`weights`], turned over.
fn weights_turned(square: [[f32; 4]; 4]) -> [[f32; 3]; 3] {
    both_ways(square, |[a, b, c, d]| [a + 0.5 * (b + c), 0.5 * (b - c), 0.5 * (b + c) + d])
}

#[cfg(test)]
mod tests {
    use super::{weights, weights_turned};

    #[test]
    fn what_is_turned_over_is_the_transpose() {
        // <f(x), y> = <x, turned(y)>
        let number = |at: usize, step: f32| ((at + 1) as f32 * step).sin();
        let nine = [0, 1, 2].map(|y| [0, 1, 2].map(|x| number(3 * y + x, 0.7)));
        let form = [0, 1, 2, 3].map(|y| [0, 1, 2, 3].map(|x| number(4 * y + x, 0.3)));
        let dot = |one: &[f32], other: &[f32]| {
            one.iter().zip(other).map(|(one, other)| one * other).sum::<f32>()
        };
        let one = dot(weights(nine).as_flattened(), form.as_flattened());
        let other = dot(nine.as_flattened(), weights_turned(form).as_flattened());
        assert!((one - other).abs() < 1e-5, "{one}, {other}");
    }
}
