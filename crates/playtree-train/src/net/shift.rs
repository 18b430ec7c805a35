//! The neighbours of every square, as the rows of a matrix.

use candle_core::{CpuStorage, CustomOp1, Layout, Shape, Tensor};

use crate::weights::NEIGHBOURS;

/// Makes of planes, a row each for all positions of a batch, the [`NEIGHBOURS`] of each square:
/// nine rows for each plane, with zeros beyond the board, and last a row of ones for the bias.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbours {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// The other way: adds what came of each square in the rows of its neighbours.
#[derive(Clone, Copy, Debug)]
struct Together(Neighbours);

impl Neighbours {
    /// How far a step goes in a row of squares, and from which squares to which it goes: `from` is
    /// `to + offset`.
    fn overlap(&self, down: isize, right: isize, length: usize) -> (isize, std::ops::Range<usize>) {
        let offset = down * self.columns as isize + right;
        let first = (-offset).max(0) as usize;
        let end = length - offset.max(0) as usize;
        (offset, first..end)
    }

    /// Zeros the squares that a step from leads off the board.
    fn clear_edges(&self, down: isize, right: isize, row: &mut [f32]) {
        let (rows, columns) = (self.rows, self.columns);
        for board in row.chunks_exact_mut(rows * columns) {
            match down {
                -1 => board[..columns].fill(0.0),
                1 => board[(rows - 1) * columns..].fill(0.0),
                _ => {}
            }
            let at = match right {
                -1 => 0,
                1 => columns - 1,
                _ => continue,
            };
            board.iter_mut().skip(at).step_by(columns).for_each(|number| *number = 0.0);
        }
    }

    /// The matrix of the neighbours.
    fn apart(&self, planes: &[f32], length: usize) -> Vec<f32> {
        let count = planes.len() / length;
        // Each number is written once: it is a large matrix.
        let mut apart = Vec::with_capacity((9 * count + 1) * length);
        for plane in planes.chunks_exact(length) {
            for (down, right) in NEIGHBOURS {
                let (offset, to) = self.overlap(down, right, length);
                let (first, from) = (apart.len(), (to.start as isize + offset) as usize);
                apart.resize(first + to.start, 0.0);
                apart.extend_from_slice(&plane[from..from + to.len()]);
                apart.resize(first + length, 0.0);
                self.clear_edges(down, right, &mut apart[first..]);
            }
        }
        apart.resize(apart.len() + length, 1.0);
        apart
    }

    /// The planes whose squares have what their neighbours' rows say, in sum.
    fn together(&self, apart: &[f32], length: usize) -> Vec<f32> {
        let count = (apart.len() / length - 1) / 9;
        let mut planes = vec![0.0; count * length];
        let mut scratch = vec![0.0; length];
        let mut rows = apart.chunks_exact(length);
        for plane in planes.chunks_exact_mut(length) {
            for ((down, right), row) in NEIGHBOURS.into_iter().zip(&mut rows) {
                scratch.copy_from_slice(row);
                self.clear_edges(down, right, &mut scratch);
                let (offset, to) = self.overlap(down, right, length);
                let from = (to.start as isize + offset) as usize;
                let sums = &mut plane[from..from + to.len()];
                sums.iter_mut().zip(&scratch[to]).for_each(|(sum, number)| *sum += number);
            }
        }
        planes
    }
}

/// The numbers of a matrix without gaps, and its number of columns.
fn matrix<'a>(
    storage: &'a CpuStorage,
    layout: &Layout,
) -> Result<(&'a [f32], usize), candle_core::Error> {
    let (_, length) = layout.shape().dims2()?;
    let Some((first, end)) = layout.contiguous_offsets() else {
        return Err(candle_core::Error::Msg("expected a matrix without gaps".to_owned()));
    };
    Ok((&storage.as_slice::<f32>()?[first..end], length))
}

impl CustomOp1 for Neighbours {
    fn name(&self) -> &'static str {
        "neighbours"
    }

    fn cpu_fwd(
        &self,
        storage: &CpuStorage,
        layout: &Layout,
    ) -> Result<(CpuStorage, Shape), candle_core::Error> {
        let (planes, length) = matrix(storage, layout)?;
        let apart = self.apart(planes, length);
        let shape = (apart.len() / length, length).into();
        Ok((CpuStorage::F32(apart), shape))
    }

    fn bwd(
        &self,
        _: &Tensor,
        _: &Tensor,
        gradient: &Tensor,
    ) -> Result<Option<Tensor>, candle_core::Error> {
        gradient.contiguous()?.apply_op1_no_bwd(&Together(*self)).map(Some)
    }
}

impl CustomOp1 for Together {
    fn name(&self) -> &'static str {
        "together"
    }

    fn cpu_fwd(
        &self,
        storage: &CpuStorage,
        layout: &Layout,
    ) -> Result<(CpuStorage, Shape), candle_core::Error> {
        let (apart, length) = matrix(storage, layout)?;
        let planes = self.0.together(apart, length);
        let shape = (planes.len() / length, length).into();
        Ok((CpuStorage::F32(planes), shape))
    }
}

#[cfg(test)]
mod tests {
    use super::Neighbours;

    const BOARD: Neighbours = Neighbours { rows: 2, columns: 3 };

    #[test]
    fn neighbours_are_those_on_the_board() {
        // Two positions on 2x3 squares.
        let plane: Vec<f32> = (1..=12).map(|number| number as f32).collect();
        let apart = BOARD.apart(&plane, 12);
        let row = |at: usize| apart[12 * at..][..12].iter().map(|n| *n as u8).collect::<Vec<_>>();
        assert_eq!(row(0), [0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 7, 8]);
        assert_eq!(row(1), [0, 0, 0, 1, 2, 3, 0, 0, 0, 7, 8, 9]);
        assert_eq!(row(4), (1..=12).collect::<Vec<_>>());
        assert_eq!(row(5), [2, 3, 0, 5, 6, 0, 8, 9, 0, 11, 12, 0]);
        assert_eq!(row(8), [5, 6, 0, 0, 0, 0, 11, 12, 0, 0, 0, 0]);
        assert_eq!(row(9), [1; 12]);
        assert_eq!(apart.len(), 10 * 12);
    }

    #[test]
    fn each_square_gets_back_what_it_gave() {
        // <apart(x), y> = <x, together(y)>, without the row of ones.
        let numbers = |count: usize, step: f32| {
            (0..count).map(|at| (at as f32 * step).sin()).collect::<Vec<_>>()
        };
        let (plane, apart) = (numbers(24, 0.7), numbers(19 * 12, 0.3));
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let one = dot(&BOARD.apart(&plane, 12)[..18 * 12], &apart[..18 * 12]);
        let other = dot(&plane, &BOARD.together(&apart, 12));
        assert!((one - other).abs() < 1e-4, "{one} and {other}");
    }
}
