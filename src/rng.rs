//! The random numbers of a search: one seed, the same numbers on every machine.

use rand::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A random number generator handed to the rollouts of a game.
///
/// It is xoshiro256++ (Blackman and Vigna 2019) behind a type of our own, so that a
/// new major version of the `rand` crates does not break the games written for this
/// library. The sequence for a seed is part of the stability promise: it changes only
/// with a breaking release.
///
/// # Examples
/// ```
/// let mut rng = playtree::Rng::from_seed(7);
/// let die = 1 + rng.below(6);
/// assert!((1..=6).contains(&die));
/// ```
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// A generator whose numbers are fixed by `seed`.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 uniformly random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniformly random number in `0..n`, or 0 for `n == 0`.
    ///
    /// Lemire's multiply-shift on 64 bits without the rejection step: the bias is below
    /// `n / 2^64`, far under what any search could notice, and no loop is needed.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// A uniformly random number in `[0, 1)`, with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

/// A seed made of two numbers (the finaliser of splitmix64, Steele, Lea and Flood 2014).
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_add(b.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn below_is_in_range_and_uniform() {
        let mut rng = Rng::from_seed(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        // Each count has mean 10 000 and standard deviation 93.
        assert!(counts.iter().all(|&c| (9_500..10_500).contains(&c)), "{counts:?}");
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn a_seed_fixes_the_sequence() {
        let (mut a, mut b) = (Rng::from_seed(42), Rng::from_seed(42));
        assert!((0..100).all(|_| a.next_u64() == b.next_u64()));
        assert_ne!(Rng::from_seed(43).next_u64(), Rng::from_seed(42).next_u64());
    }
}
