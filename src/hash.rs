//! The hash of a key, the same on every machine.
//!
//! Which positions share a bucket of the table decides what it forgets, and so what a search does.
//! A hasher that differs from machine to machine, as the fast ones do that use what the processor
//! has, would make the search differ too.

use std::hash::{Hash, Hasher};

use crate::rng::mix;

/// The hash of `key`.
#[inline]
pub(crate) fn hash_of<K: Hash>(key: &K) -> u64 {
    let mut hasher = Folding(START);
    key.hash(&mut hasher);
    hasher.finish()
}

/// Two hashes of `key` that have nothing to do with each other: a place in a table, and a check
/// that the position found there is the one looked for.
#[inline]
pub(crate) fn two_hashes_of<K: Hash>(key: &K) -> (u64, u64) {
    let mut hasher = Two(Folding(START), Folding(OTHER_START));
    key.hash(&mut hasher);
    (hasher.0.finish(), hasher.1.finish())
}

/// Multiplies with a constant, and folds the upper half of the product into the lower one.
struct Folding(u64);

/// The first digits of pi and of e after the point: nothing-up-my-sleeve numbers.
const START: u64 = 0x243f_6a88_85a3_08d3;
const FACTOR: u64 = 0xb7e1_5162_8aed_2a6b;
/// The next digits of pi.
const OTHER_START: u64 = 0x1319_8a2e_0370_7344;

impl Folding {
    #[inline]
    fn add(&mut self, word: u64) {
        // The state is turned, so that a word is not taken back by the same one after it.
        let product = u128::from(self.0.rotate_left(23) ^ word) * u128::from(FACTOR);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

/// The methods of a hasher for numbers, by its `add`.
macro_rules! add_words {
    () => {
        #[inline]
        fn write_u8(&mut self, word: u8) {
            self.add(u64::from(word));
        }

        #[inline]
        fn write_u16(&mut self, word: u16) {
            self.add(u64::from(word));
        }

        #[inline]
        fn write_u32(&mut self, word: u32) {
            self.add(u64::from(word));
        }

        #[inline]
        fn write_u64(&mut self, word: u64) {
            self.add(word);
        }

        #[inline]
        fn write_u128(&mut self, word: u128) {
            self.add(word as u64);
            self.add((word >> 64) as u64);
        }

        #[inline]
        fn write_usize(&mut self, word: usize) {
            self.add(word as u64);
        }
    };
}

impl Hasher for Folding {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.add(u64::from_le_bytes(word.try_into().expect("eight bytes")));
        }
        let rest = words.remainder();
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            // The length tells a byte that is 0 from one that is not there.
            self.add(u64::from_le_bytes(word) ^ (rest.len() as u64) << 56);
        }
    }

    add_words!();

    #[inline]
    fn finish(&self) -> u64 {
        mix(self.0, 0)
    }
}

/// Two hashers side by side. The second one gets each word turned, so that two keys that come to
/// the same in the one do not do so in the other.
struct Two(Folding, Folding);

impl Two {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0.add(word);
        self.1.add(word.rotate_left(32) ^ FACTOR);
    }
}

impl Hasher for Two {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
        self.1.write(bytes);
        self.1.add(FACTOR);
    }

    add_words!();

    #[inline]
    fn finish(&self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{hash_of, two_hashes_of};
    use std::collections::HashSet;

    #[test]
    fn keys_that_differ_little_get_hashes_that_differ_much() {
        let mut all = HashSet::new();
        let mut buckets = [0u32; 256];
        for high in 0..64u64 {
            for low in 0..1_024u64 {
                let hash = hash_of(&[low, high]);
                all.insert(hash);
                buckets[(hash >> 56) as usize] += 1;
            }
        }
        assert_eq!(all.len(), 1 << 16);
        // Each bucket has mean 256 and standard deviation 16.
        assert!(buckets.iter().all(|&count| (160..352).contains(&count)), "{buckets:?}");
    }

    #[test]
    fn the_hash_is_fixed() {
        assert_eq!(hash_of(&0x1234_5678_9abc_def0u64), 0x2d03_3c09_e717_36b3);
        assert_ne!(hash_of(&[0u8; 3]), hash_of(&[0u8; 4]));
        assert_ne!(hash_of(&(1u32, 2u32)), hash_of(&(2u32, 1u32)));
    }

    #[test]
    fn the_two_hashes_are_not_alike() {
        let mut agreeing = 0;
        for key in 0..1_000u64 {
            let (place, check) = two_hashes_of(&key);
            assert_eq!(place, hash_of(&key));
            agreeing += (place ^ check).count_zeros();
        }
        // Half of the 64 000 bits agree: 126 is the standard deviation.
        assert!((31_300..32_700).contains(&agreeing), "{agreeing}");
    }
}
