//! A hash for the numbers of nodes, which are looked up once for each line.

use std::hash::{BuildHasherDefault, Hasher};

/// Makes the hashers of maps by the number of a node.
pub(super) type ByNumber = BuildHasherDefault<NumberHasher>;

/// Spreads a number over all bits by one multiplication.
#[derive(Debug, Default)]
pub(super) struct NumberHasher(u64);

/// Odd, so that no two numbers have the same hash: 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(byte.into());
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(FACTOR);
    }
}
