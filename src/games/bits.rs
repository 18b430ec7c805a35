//! Picking set bits and drawing small random numbers: shared by the bitboard games.

use crate::rng::Rng;

/// The lowest bit of each byte.
pub(super) const BYTES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
pub(super) const TOP_BITS: u64 = BYTES << 7;

/// `SELECT[b][k]` is the index of the `k`-th set bit of the byte `b`; 0 if there is none.
static SELECT: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut k) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][k] = bit as u8;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// In each pair of bits, each four and each byte the number of its set bits. No sum leaves its bits;
/// without a check for that the compiler makes vector instructions of it.
#[inline(always)]
pub(super) fn set_bits(word: u64) -> [u64; 3] {
    let pairs = word.wrapping_sub(word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333).wrapping_add(pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = fours.wrapping_add(fours >> 4) & 0x0f0f_0f0f_0f0f_0f0f;
    [pairs, fours, bytes]
}

/// Byte `i` is the number of set bits in the bytes `0..=i` of `word`.
#[inline]
fn running_counts(word: u64) -> u64 {
    set_bits(word)[2].wrapping_mul(BYTES)
}

/// Finds the byte by comparing all running counts at once, then looks the bit up: no
/// branch, and no instruction that plain x86-64 lacks.
#[inline]
fn select_with(word: u64, counts: u64, k: u64) -> usize {
    // The top bit of a byte stays set where its running count is at most `k`.
    let passed = (((k * BYTES) | TOP_BITS) - counts) & TOP_BITS;
    let shift = (passed >> 7).wrapping_mul(BYTES) >> 56 << 3;
    let before = counts << 8 >> shift & 0xff;
    let byte = (word >> shift & 0xff) as usize;
    shift as usize + usize::from(SELECT[byte][((k - before) & 7) as usize])
}

/// The index of the `k`-th set bit of `word`, counted from 0; `k` must be less than the
/// number of set bits.
#[inline]
pub(super) fn select(word: u64, k: usize) -> usize {
    debug_assert!(k < word.count_ones() as usize);
    select_with(word, running_counts(word), k as u64)
}

/// The first of the words in which a bit is set; 0 if there is none. Without a jump.
#[inline(always)]
pub(super) fn first_some<const COUNT: usize>(words: [u64; COUNT]) -> u64 {
    words.into_iter().rev().fold(0, |rest, word| if word != 0 { word } else { rest })
}

/// The index of a uniformly random set bit of `word`, which must not be 0.
#[inline]
pub(super) fn random_bit(word: u64, rng: &mut Rng) -> usize {
    debug_assert!(word != 0);
    let counts = running_counts(word);
    select_with(word, counts, rng.below((counts >> 56) as usize) as u64)
}

/// A uniformly random member of a set of several words, which must have `count` of them.
#[inline]
pub(super) fn random_member<const WORDS: usize>(
    words: &[u64; WORDS],
    count: usize,
    rng: &mut Rng,
) -> usize {
    let mut k = rng.below(count);
    for (i, &word) in words.iter().enumerate() {
        let here = word.count_ones() as usize;
        if k < here {
            return 64 * i + select(word, k);
        }
        k -= here;
    }
    0
}

/// Many small uniform numbers out of one of 64 bits: its digits in a mixed base.
///
/// After draws below `a`, `b`, `c`, ... the bias is below `a * b * c * ... / 2^64`.
#[derive(Debug)]
pub(super) struct Digits(u64);

impl Digits {
    /// Takes one number from `rng`.
    #[inline]
    pub(super) fn new(rng: &mut Rng) -> Self {
        Self(rng.next_u64())
    }

    /// The next digit: uniform in `0..n`.
    #[inline]
    pub(super) fn below(&mut self, n: u32) -> u32 {
        let wide = u128::from(self.0) * u128::from(n);
        self.0 = wide as u64;
        (wide >> 64) as u32
    }
}

/// A set of several words, by their index.
///
/// A plain loop: without link-time optimization the compiler does not see through
/// `std::array::from_fn`, and a rollout of Hex takes four times as long.
#[inline(always)]
pub(super) fn each_word<const WORDS: usize>(mut of: impl FnMut(usize) -> u64) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (i, word) in words.iter_mut().enumerate() {
        *word = of(i);
    }
    words
}

/// The same set with every member `by` places higher, 1 to 63; what leaves the last word is lost.
#[inline]
pub(super) fn up<const WORDS: usize>(words: &[u64; WORDS], by: usize) -> [u64; WORDS] {
    debug_assert!((1..64).contains(&by));
    each_word(|i| words[i] << by | if i > 0 { words[i - 1] >> (64 - by) } else { 0 })
}

/// The same set with every member `by` places lower, 1 to 63; what leaves the first word is lost.
#[inline]
pub(super) fn down<const WORDS: usize>(words: &[u64; WORDS], by: usize) -> [u64; WORDS] {
    debug_assert!((1..64).contains(&by));
    each_word(|i| words[i] >> by | if i + 1 < WORDS { words[i + 1] << (64 - by) } else { 0 })
}

/// The set bits of `word` as indices, lowest first.
#[inline]
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}

/// The members of a set of several words, lowest first.
#[inline]
pub(super) fn members<const WORDS: usize>(
    words: &[u64; WORDS],
) -> impl Iterator<Item = usize> + use<'_, WORDS> {
    (0..).step_by(64).zip(words).flat_map(|(first, &word)| ones(word).map(move |bit| first + bit))
}

#[cfg(test)]
mod tests {
    use super::{Digits, ones, random_bit, select};
    use crate::rng::Rng;

    #[test]
    fn select_agrees_with_a_scan() {
        let mut rng = Rng::from_seed(1);
        let words = (0..2000).map(|i| match i % 4 {
            0 => rng.next_u64(),
            1 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
            2 => 1 << rng.below(64),
            _ => !(1 << rng.below(64)),
        });
        for word in words.chain([u64::MAX]) {
            for (k, bit) in ones(word).enumerate() {
                assert_eq!(select(word, k), bit, "{word:#x} {k}");
            }
        }
    }

    #[test]
    fn random_bits_and_digits_are_uniform() {
        let mut rng = Rng::from_seed(2);
        let word = 0x8000_1000_0400_0013;
        let (mut bits, mut digits) = ([0u32; 64], [0u32; 6]);
        for _ in 0..10_000 {
            bits[random_bit(word, &mut rng)] += 1;
            let mut draws = Digits::new(&mut rng);
            for _ in 0..6 {
                digits[draws.below(6) as usize] += 1;
            }
        }
        // Means 1667 and 10 000, standard deviations 37 and 91.
        assert!(ones(word).all(|b| (1450..1900).contains(&bits[b])), "{bits:?}");
        assert_eq!(bits.iter().sum::<u32>(), 10_000);
        assert!(digits.iter().all(|d| (9500..10_500).contains(d)), "{digits:?}");
    }
}
