//! Random numbers that follow from a seed, and from nothing else.

/// Two numbers made into a third that looks random.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut z = a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17) ^ 0xdead_beef_1234_5678;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A sequence of random numbers.
pub(crate) struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, thrown: 0 }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.thrown += 1;
        mix(self.seed, self.thrown)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// True once in `times` on average.
    pub(crate) fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}
