//! The lines of a Gomoku board: its rows, and runs of stones.

/// A row without a gap: `columns` set bits.
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

/// Whether a bit is set; no bit behind the last word is.
#[inline]
pub(super) fn has<const WORDS: usize>(stones: &[u64; WORDS], bit: usize) -> bool {
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

#[cfg(test)]
mod tests {
    use super::{board, full, has, row, run};
    use crate::games::gomoku::{MAX_SIZE, MIN_SIZE};
    use crate::rng::Rng;

    #[test]
    fn rows_and_runs_are_seen_the_same_way() {
        let mut rng = Rng::from_seed(1);
        let mut runs = 0;
        for _ in 0..5000 {
            let [columns, rows] = [0; 2].map(|_| MIN_SIZE + rng.below(MAX_SIZE - MIN_SIZE + 1));
            let stride = columns + 1;
            let mut stones: [u64; 7] = board(columns, rows);
            assert_eq!(
                stones.iter().map(|word| word.count_ones()).sum::<u32>(),
                (columns * rows) as u32
            );
            let dense = rng.below(4);
            for word in &mut stones {
                *word &= (0..dense).fold(rng.next_u64(), |word, _| word | rng.next_u64());
            }
            for at in 0..rows {
                let found = row(&stones, columns, at);
                for column in 0..columns {
                    let bit = stride * at + column;
                    let stone = stones[bit / 64] >> (bit % 64) & 1 == 1;
                    assert_eq!(found >> column & 1 == 1, stone);
                    if stone {
                        for (right, step) in
                            [(1, 1), (-1, stride - 1), (0, stride), (1, stride + 1)]
                        {
                            let up = isize::from(step > 1);
                            let there = |away: isize| {
                                let (c, r) =
                                    (column as isize + right * away, at as isize + up * away);
                                let on = (0..columns as isize).contains(&c)
                                    && (0..rows as isize).contains(&r);
                                on && has(&stones, stride * r as usize + c as usize)
                            };
                            let ahead = (1..).take_while(|&away| there(away)).count();
                            let behind = (1..).take_while(|&away| there(-away)).count();
                            assert_eq!(run(&stones, bit, step), behind + 1 + ahead);
                            runs += usize::from(behind + ahead > 1);
                        }
                    }
                }
                assert_eq!(found & !full(columns), 0);
            }
        }
        assert!(runs > 10_000, "{runs}");
    }
}
