//! A convolution of 3x3, and what follows it.

use std::cell::RefCell;
use std::sync::Arc;

use candle_core::{
    CpuStorage, CustomOp2, CustomOp3, Device, Error, Layout, Result, Shape, Storage, Tensor,
};

use super::filter::{Filter, Then};
use super::form::{Form, PLACES, form_turned};
use super::tiles::{Lines, Tiles};
use crate::weights::NEIGHBOURS;

/// A layer of kind [`Squares`](crate::weights::Kind::Squares), and what follows it: with zeros
/// beyond the board, `max(0, weights * neighbours(input) + bias)`, or with a third argument that is
/// added before negative numbers become 0.
///
/// The input has a row for each plane, with the numbers of all positions for the first square,
/// then for the second, and so on; and so has the output. So [what is done](super::tiles) to a
/// square is done to whole runs of numbers.
#[derive(Clone, Debug)]
pub(super) struct Convolution {
    pub(super) tiles: Tiles,
    pub(super) filters: Arc<Filters>,
}

/// The weights of a convolution as they are multiplied with.
#[derive(Clone, Debug)]
pub(super) struct Filters {
    forward: Filter,
    backward: Filter,
}

impl Filters {
    /// Of the weights of a layer.
    pub(super) fn new(weights: &[f32], outputs: usize, inputs: usize) -> Self {
        Self {
            forward: Filter::new(weights, outputs, inputs),
            backward: Filter::turned(weights, outputs, inputs),
        }
    }
}

/// What gradients by weights are worked out in: in memory of their own it would have to be cleared
/// each time.
#[derive(Debug, Default)]
struct Memory {
    forms: Form,
    products: Form,
    lines: Lines,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

impl Convolution {
    /// The output. `weights` are those of [`filters`](Self::filters): of them the bias is taken.
    fn forward(&self, input: &[f32], weights: &[f32], added: Option<&[f32]>) -> Vec<f32> {
        let row = NEIGHBOURS.len() * (input.len() / self.tiles.plane()) + 1;
        let biases: Vec<f32> = weights.iter().skip(row - 1).step_by(row).copied().collect();
        let then = Then { biases: Some(&biases), added, is_rectified: true };
        self.filters.forward.apply(self.tiles, input, then)
    }

    /// By how much the result changes with the sum before negative numbers became 0, with the
    /// weights, and with the input if that is asked for.
    fn backward(
        &self,
        input: &[f32],
        output: &[f32],
        gradient: &[f32],
        is_input_asked: bool,
    ) -> (Vec<f32>, Vec<f32>, Option<Vec<f32>>) {
        let (plane, run) = (self.tiles.plane(), self.tiles.run());
        let (inputs, outputs) = (input.len() / plane, output.len() / plane);
        let by_sum = gradient.iter().zip(output);
        let by_sum = by_sum.map(|(&number, &output)| if output > 0.0 { number } else { 0.0 });
        let by_sum: Vec<f32> = by_sum.collect();
        let bias: Vec<f32> = by_sum.chunks_exact(plane).map(|plane| plane.iter().sum()).collect();
        let mut by_forms = vec![0.0; PLACES * outputs * inputs];
        MEMORY.with_borrow_mut(|Memory { forms, products, lines }| {
            let (forms, products) = (forms.room(inputs, run), products.room(outputs, run));
            for tiles in 0..self.tiles.down() {
                for (number, input) in input.chunks_exact(plane).enumerate() {
                    self.tiles.inputs(input, tiles, lines, forms, number);
                }
                for (number, by_sum) in by_sum.chunks_exact(plane).enumerate() {
                    self.tiles.outputs_turned(by_sum, tiles, lines, products, number);
                }
                for (place, sum) in by_forms.chunks_exact_mut(outputs * inputs).enumerate() {
                    products.matrix(place).add_product(forms.matrix(place).turned(), sum);
                }
            }
        });
        let by_input = is_input_asked
            .then(|| self.filters.backward.apply(self.tiles, &by_sum, Then::default()));
        (by_sum, form_turned(&by_forms, &bias, inputs), by_input)
    }

    /// [`forward`](Self::forward), as candle has it.
    fn output(&self, input: &[f32], weights: &[f32], added: Option<&[f32]>) -> (CpuStorage, Shape) {
        let (output, plane) = (self.forward(input, weights, added), self.tiles.plane());
        let shape = (output.len() / plane, plane).into();
        (CpuStorage::F32(output), shape)
    }

    /// [`backward`](Self::backward) of tensors.
    fn gradients(
        &self,
        input: &Tensor,
        output: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Tensor, Tensor, Option<Tensor>)> {
        let is_asked = input.track_op();
        let (sum, weights, by_input) = with_numbers(input, |input| {
            with_numbers(output, |output| {
                with_numbers(gradient, |gradient| self.backward(input, output, gradient, is_asked))
            })
        })???;
        let plane = self.tiles.plane();
        let row = NEIGHBOURS.len() * input.dim(0)? + 1;
        let by_input = by_input.map(|numbers| matrix(numbers, plane)).transpose()?;
        Ok((matrix(sum, plane)?, matrix(weights, row)?, by_input))
    }
}

/// Numbers as a matrix with rows of this length.
fn matrix(numbers: Vec<f32>, length: usize) -> Result<Tensor> {
    let rows = numbers.len() / length;
    Tensor::from_vec(numbers, (rows, length), &Device::Cpu)
}

/// Does something with the numbers of a tensor, row after row.
fn with_numbers<T>(tensor: &Tensor, work: impl FnOnce(&[f32]) -> T) -> Result<T> {
    let tensor = tensor.contiguous()?;
    let (storage, layout) = tensor.storage_and_layout();
    match &*storage {
        Storage::Cpu(storage) => Ok(work(numbers(storage, layout)?)),
        _ => Err(Error::Msg("expected numbers of the processor's own".to_owned())),
    }
}

/// The numbers of a tensor without gaps.
fn numbers<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match layout.contiguous_offsets() {
        Some((first, end)) => Ok(&storage.as_slice::<f32>()?[first..end]),
        None => Err(Error::Msg("expected a matrix without gaps".to_owned())),
    }
}

impl CustomOp2 for Convolution {
    fn name(&self) -> &'static str {
        "convolution"
    }

    fn cpu_fwd(
        &self,
        input: &CpuStorage,
        input_layout: &Layout,
        weights: &CpuStorage,
        weights_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let input = numbers(input, input_layout)?;
        Ok(self.output(input, numbers(weights, weights_layout)?, None))
    }

    fn bwd(
        &self,
        input: &Tensor,
        _: &Tensor,
        output: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (_, weights, input) = self.gradients(input, output, gradient)?;
        Ok((input, Some(weights)))
    }
}

impl CustomOp3 for Convolution {
    fn name(&self) -> &'static str {
        "convolution and sum"
    }

    fn cpu_fwd(
        &self,
        input: &CpuStorage,
        input_layout: &Layout,
        weights: &CpuStorage,
        weights_layout: &Layout,
        added: &CpuStorage,
        added_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (input, added) = (numbers(input, input_layout)?, numbers(added, added_layout)?);
        Ok(self.output(input, numbers(weights, weights_layout)?, Some(added)))
    }

    fn bwd(
        &self,
        input: &Tensor,
        _: &Tensor,
        _: &Tensor,
        output: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let (added, weights, input) = self.gradients(input, output, gradient)?;
        Ok((input, Some(weights), Some(added)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Convolution, Filters, Tiles};
    use crate::weights::NEIGHBOURS;

    fn some(count: usize, step: f32) -> Vec<f32> {
        (0..count).map(|at| ((at + 1) as f32 * step).sin()).collect()
    }

    /// The convolution as it is defined.
    fn expected(board: Tiles, input: &[f32], weights: &[f32], outputs: usize) -> Vec<f32> {
        let (plane, positions) = (board.rows * board.columns * board.positions, board.positions);
        let inputs = input.len() / plane;
        let at = |row: isize, column: isize, position: usize| {
            let row = usize::try_from(row).ok().filter(|&row| row < board.rows)?;
            let column = usize::try_from(column).ok().filter(|&column| column < board.columns)?;
            Some((row * board.columns + column) * positions + position)
        };
        let mut output = vec![0.0; outputs * plane];
        for (number, weights) in weights.chunks_exact(9 * inputs + 1).enumerate() {
            for row in 0..board.rows as isize {
                for column in 0..board.columns as isize {
                    for position in 0..positions {
                        let mut sum = weights[9 * inputs];
                        for input_plane in 0..inputs {
                            for (step, (down, right)) in NEIGHBOURS.into_iter().enumerate() {
                                if let Some(from) = at(row + down, column + right, position) {
                                    let number = input[input_plane * plane + from];
                                    sum += weights[9 * input_plane + step] * number;
                                }
                            }
                        }
                        let to = at(row, column, position).unwrap();
                        output[number * plane + to] = sum.max(0.0);
                    }
                }
            }
        }
        output
    }

    #[test]
    fn the_output_is_that_of_the_definition() {
        for (rows, columns, positions, inputs) in
            [(1, 1, 1, 1), (2, 3, 2, 2), (6, 7, 13, 3), (5, 4, 8, 1), (6, 6, 40, 32)]
        {
            let board = Tiles { rows, columns, positions };
            let outputs = 3;
            let input = some(inputs * rows * columns * positions, 0.7);
            let weights = some(outputs * (9 * inputs + 1), 0.37);
            let filters = Arc::new(Filters::new(&weights, outputs, inputs));
            let convolution = Convolution { tiles: board, filters };
            let found = convolution.forward(&input, &weights, None);
            let expected = expected(board, &input, &weights, outputs);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 2e-5, "{board:?}: {found}, {expected}");
            }
        }
    }

    #[test]
    fn gradients_are_those_of_the_definition() {
        for (rows, columns, positions) in [(1, 1, 1), (2, 3, 2), (3, 4, 9), (5, 4, 3), (6, 7, 5)] {
            gradients(Tiles { rows, columns, positions });
        }
    }

    /// Where nothing becomes 0 the output is linear in the input, and in the weights.
    fn gradients(board: Tiles) {
        let (inputs, outputs, plane) = (2, 3, board.plane());
        let input = some(inputs * plane, 0.7);
        let mut weights = some(outputs * (9 * inputs + 1), 0.37);
        weights.chunks_exact_mut(9 * inputs + 1).for_each(|row| row[9 * inputs] = 50.0);
        let filters = Arc::new(Filters::new(&weights, outputs, inputs));
        let convolution = Convolution { tiles: board, filters };
        let output = convolution.forward(&input, &weights, None);
        let gradient = some(output.len(), 0.11);
        let (sum, by_weights, by_input) = convolution.backward(&input, &output, &gradient, true);
        assert_eq!(sum, gradient);
        let dot = |one: &[f32], other: &[f32]| {
            one.iter().zip(other).map(|(a, b)| f64::from(a * b)).sum::<f64>()
        };
        let of = |input: &[f32], weights: &[f32]| {
            dot(&expected(board, input, weights, outputs), &gradient)
        };
        let before = of(&input, &weights);
        for at in 0..weights.len() {
            let mut weights = weights.clone();
            weights[at] += 1.0;
            let (found, expected) = (f64::from(by_weights[at]), of(&input, &weights) - before);
            assert!((found - expected).abs() < 1e-2, "weight {at}: {found}, {expected}");
        }
        let by_input = by_input.unwrap();
        for at in 0..input.len() {
            let mut input = input.clone();
            input[at] += 1.0;
            let (found, expected) = (f64::from(by_input[at]), of(&input, &weights) - before);
            assert!((found - expected).abs() < 1e-2, "input {at}: {found}, {expected}");
        }
        let (.., none) = convolution.backward(&input, &output, &gradient, false);
        assert_eq!(none, None);
    }
}
