//! The lines of a Gomoku board: runs of stones, and each line as a word of its own.

use crate::games::bits::ones;

use super::{MAX_SIZE, Rule};

/// The slanting lines of one direction on the largest board.
const SLANTS: usize = 2 * MAX_SIZE - 1;

/// A row without a gap: so many set bits.
#[inline]
pub(super) fn full(columns: usize) -> u32 {
    (1 << columns) - 1
}

/// The points of a board: its rows, and a bit between them.
#[inline]
pub(super) fn board<const WORDS: usize>(columns: usize, rows: usize) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for row in 0..rows {
        let (at, points) = ((columns + 1) * row, u64::from(full(columns)));
        words[at / 64 % WORDS] |= points << (at % 64);
        if at % 64 + columns > 64 {
            words[(at / 64 + 1) % WORDS] |= points >> (64 - at % 64);
        }
    }
    words
}

/// The stones of a row, the first column in the lowest bit.
#[inline]
pub(super) fn row<const WORDS: usize>(stones: &[u64; WORDS], columns: usize, row: usize) -> u32 {
    let at = (columns + 1) * row;
    let low = stones[at / 64 % WORDS] >> (at % 64);
    let high = stones[(at / 64 + 1) % WORDS].wrapping_shl(64 - (at % 64) as u32);
    let crosses = at % 64 + columns > 64;
    (low | if crosses { high } else { 0 }) as u32 & full(columns)
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

/// Where `k` bits side by side are set in a line: the lowest bit of each such row.
#[inline]
pub(super) fn in_row(line: u32, k: usize) -> u32 {
    let (mut found, mut length) = (line, 1);
    while length < k {
        let step = length.min(k - length);
        found &= found >> step;
        length += step;
    }
    found
}

/// Whether one of these lines has a row that wins.
#[inline]
pub(super) fn any_wins(lines: [u32; 4], k: usize, rule: Rule) -> bool {
    let mut won = 0;
    for line in lines {
        let rows = in_row(line, k);
        won |= match rule {
            Rule::KOrMore => rows,
            // A longer row holds several of `k` side by side.
            Rule::ExactlyK => rows & !(rows << 1 | rows >> 1),
        };
    }
    won != 0
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
    pub(super) fn new<const WORDS: usize>(
        stones: &[u64; WORDS],
        columns: usize,
        board_rows: usize,
    ) -> Self {
        let mut lines = Self {
            rows: [0; MAX_SIZE],
            columns: [0; MAX_SIZE],
            rising: [0; SLANTS],
            falling: [0; SLANTS],
        };
        for at in 0..board_rows {
            for column in ones(u64::from(row(stones, columns, at))) {
                lines.add(column, at);
            }
        }
        lines
    }

    /// The stones of a row, the first column in the lowest bit.
    #[inline]
    pub(super) fn row(&self, row: usize) -> u32 {
        self.rows[row]
    }

    /// Puts a stone down, and gives the four lines through it.
    #[inline]
    pub(super) fn add(&mut self, column: usize, row: usize) -> [u32; 4] {
        // No index leaves its array: columns and rows are below MAX_SIZE.
        [
            (&mut self.rows[row], column),
            (&mut self.columns[column], row),
            (&mut self.rising[row + MAX_SIZE - 1 - column], column),
            (&mut self.falling[row + column], column),
        ]
        .map(|(line, at)| {
            *line |= 1 << at;
            *line
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, any_wins, board, full, in_row, row, run};
    use crate::games::gomoku::{MAX_SIZE, MIN_SIZE, Rule};
    use crate::rng::Rng;

    #[test]
    fn rows_are_found_by_halves_as_by_steps() {
        let mut rng = Rng::from_seed(2);
        for round in 0..3000 {
            let k = 3 + round % 17;
            let line = (0..1 + round % 3).fold(0, |line, _| line | rng.next_u64() as u32);
            let line = line & full(MAX_SIZE);
            let expected = (0..k).fold(u32::MAX, |rows, step| rows & line >> step);
            assert_eq!(in_row(line, k), expected, "{line:b} {k}");
        }
    }

    #[test]
    fn words_and_lines_see_the_same_rows() {
        let mut rng = Rng::from_seed(1);
        let (mut short, mut exact, mut long) = (0, 0, 0);
        for _ in 0..5000 {
            let [columns, rows] = [0; 2].map(|_| MIN_SIZE + rng.below(MAX_SIZE - MIN_SIZE + 1));
            let k = MIN_SIZE + rng.below(columns.max(rows) - MIN_SIZE + 1).min(4);
            let stride = columns + 1;
            let mut stones: [u64; 6] = board(columns, rows);
            assert_eq!(
                stones.iter().map(|word| word.count_ones()).sum::<u32>(),
                (columns * rows) as u32
            );
            for word in &mut stones {
                *word &= rng.next_u64() | rng.next_u64();
            }
            for at in 0..rows {
                let found = row(&stones, columns, at);
                for column in 0..columns {
                    let bit = stride * at + column;
                    assert_eq!(found >> column & 1, (stones[bit / 64] >> (bit % 64) & 1) as u32);
                }
                assert_eq!(found & !full(columns), 0);
            }
            // One stone more, where there is none: how long are its rows?
            let bit = rng.below(stride * rows);
            if bit % stride == columns || stones[bit / 64] >> (bit % 64) & 1 == 1 {
                continue;
            }
            let mut lines = Lines::new(&stones, columns, rows);
            stones[bit / 64] |= 1 << (bit % 64);
            let runs = [1, stride - 1, stride, stride + 1].map(|step| run(&stones, bit, step));
            let lines = lines.add(bit % stride, bit / stride);
            let wins = |rule| any_wins(lines, k, rule);
            // Other rows of the random stones count in the lines only.
            let place = format!("{columns}x{rows}x{k}, bit {bit}, {runs:?}");
            assert!(wins(Rule::ExactlyK) || !runs.contains(&k), "{place}");
            assert!(wins(Rule::KOrMore) || runs.iter().all(|&run| run < k), "{place}");
            short += u32::from(runs.iter().all(|&run| run < k));
            exact += u32::from(runs.contains(&k));
            long += u32::from(runs.iter().any(|&run| run > k));
        }
        assert!(short > 100 && exact > 100 && long > 100, "{short} {exact} {long}");
    }
}
