//! The lines of a Gomoku board: runs of stones, and each line as a word of its own.

use crate::games::bits::ones;

use super::{MAX_SIZE, Rule};

/// The slanting lines of one direction on the largest board.
const SLANTS: usize = 2 * MAX_SIZE - 1;

/// `size` set bits.
#[inline]
pub(super) fn full(size: usize) -> u32 {
    (1 << size) - 1
}

/// The points of a board of `size` rows, each of `size` points and a bit between.
#[inline]
pub(super) fn board<const WORDS: usize>(size: usize) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for row in 0..size {
        let (at, points) = ((size + 1) * row, u64::from(full(size)));
        words[at / 64 % WORDS] |= points << (at % 64);
        if at % 64 + size > 64 {
            words[(at / 64 + 1) % WORDS] |= points >> (64 - at % 64);
        }
    }
    words
}

/// The stones of a row, the first column in the lowest bit.
#[inline]
pub(super) fn row<const WORDS: usize>(stones: &[u64; WORDS], size: usize, row: usize) -> u32 {
    let at = (size + 1) * row;
    let low = stones[at / 64 % WORDS] >> (at % 64);
    let high = stones[(at / 64 + 1) % WORDS].wrapping_shl(64 - (at % 64) as u32);
    let crosses = at % 64 + size > 64;
    (low | if crosses { high } else { 0 }) as u32 & full(size)
}

#[inline]
fn has<const WORDS: usize>(stones: &[u64; WORDS], bit: usize) -> bool {
    stones.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
}

/// How many stones in a row hold the one on `bit`, which must be there, counted in steps of
/// `step` bits both ways.
#[inline]
pub(super) fn run<const WORDS: usize>(stones: &[u64; WORDS], bit: usize, step: usize) -> usize {
    let (mut first, mut last) = (bit, bit);
    while has(stones, last + step) {
        last += step;
    }
    while first >= step && has(stones, first - step) {
        first -= step;
    }
    (last - first) / step + 1
}

/// One side's stones, line by line: rows, columns, and the slanting lines of both directions.
pub(super) struct Lines {
    rows: [u32; MAX_SIZE],
    columns: [u32; MAX_SIZE],
    /// Lines with the same row minus column, and with the same sum of both, by column.
    rising: [u32; SLANTS],
    falling: [u32; SLANTS],
}

impl Lines {
    pub(super) fn new<const WORDS: usize>(stones: &[u64; WORDS], size: usize) -> Self {
        let mut lines = Self {
            rows: [0; MAX_SIZE],
            columns: [0; MAX_SIZE],
            rising: [0; SLANTS],
            falling: [0; SLANTS],
        };
        for at in 0..size {
            for column in ones(u64::from(row(stones, size, at))) {
                lines.add(column, at, Rule::FiveOrMore);
            }
        }
        lines
    }

    /// The stones of a row, the first column in the lowest bit.
    #[inline]
    pub(super) fn row(&self, row: usize) -> u32 {
        self.rows[row]
    }

    /// Puts a stone down, and says whether one of its four lines now wins.
    #[inline]
    pub(super) fn add(&mut self, column: usize, row: usize, rule: Rule) -> bool {
        // No index leaves its array: columns and rows are below MAX_SIZE.
        let lines = [
            (&mut self.rows[row], column),
            (&mut self.columns[column], row),
            (&mut self.rising[row + MAX_SIZE - 1 - column], column),
            (&mut self.falling[row + column], column),
        ];
        let mut won = 0;
        for (line, at) in lines {
            *line |= 1 << at;
            let pairs = *line & *line >> 1;
            let fives = pairs & pairs >> 2 & *line >> 4;
            won |= match rule {
                Rule::FiveOrMore => fives,
                // A longer row holds several fives side by side.
                Rule::ExactlyFive => fives & !(fives << 1 | fives >> 1),
            };
        }
        won != 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, board, full, row, run};
    use crate::games::gomoku::{LargeGomoku, Rule};
    use crate::rng::Rng;

    #[test]
    fn words_and_lines_see_the_same_rows() {
        let mut rng = Rng::from_seed(1);
        for round in 0..3000 {
            let size = 5 + round % 15;
            let stride = size + 1;
            let mut stones: [u64; 6] = board(size);
            assert_eq!(
                stones.iter().map(|word| word.count_ones()).sum::<u32>(),
                (size * size) as u32
            );
            for word in &mut stones {
                *word &= rng.next_u64() | rng.next_u64();
            }
            let mut start = LargeGomoku::new(size, Rule::ExactlyFive).unwrap();
            for at in 0..size {
                let found = row(&stones, size, at);
                for column in 0..size {
                    let bit = stride * at + column;
                    assert_eq!(found >> column & 1, (stones[bit / 64] >> (bit % 64) & 1) as u32);
                }
                assert_eq!(found & !full(size), 0);
            }
            // One stone more, where there is none: does it win?
            let bit = rng.below(stride * size);
            if bit % stride == size || stones[bit / 64] >> (bit % 64) & 1 == 1 {
                continue;
            }
            let mut lines = Lines::new(&stones, size);
            stones[bit / 64] |= 1 << (bit % 64);
            start.stones[0] = stones;
            let exact =
                [1, stride - 1, stride, stride + 1].map(|step| run(&stones, bit, step) == 5);
            let before = lines.add(bit % stride, bit / stride, Rule::ExactlyFive);
            // Other fives of the random stones count in the lines only.
            assert!(before || !exact.contains(&true), "{start:?}");
        }
    }
}
