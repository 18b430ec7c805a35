//! A table that begins small and doubles, so that a short search neither clears nor walks through
//! the memory of a long one.
//!
//! Before it has its full size it overwrites nothing: a position that finds its bucket full makes
//! it grow instead. So a search by one worker finds what it would find in a table of full size.
//!
//! **It grows where it is.** The bucket of a hash `h` is number `h * buckets / 2^64`, so in a table
//! with more buckets what was in a bucket lies in the same one or behind it: from the last bucket
//! down each is emptied and its entries are put where they belong now. For that the check has to be
//! the hash. Others may use the table meanwhile, and may miss what is on its way or write where
//! none looks for it any more: such an entry is lost, as if it had been overwritten.
//!
//! The buckets lie in segments, each as large as all before it, which are made when they are
//! needed.

use std::sync::OnceLock;

use crate::prefetch::prefetch;
use crate::sync::{AtomicUsize, Mutex, Ordering};
use crate::zeroed::ZeroedSlice;

use super::{BUCKET_BYTES, Bucket, bucket_of, share_in_use};

/// Buckets of the first segment: 64 KiB, which is some pages, and stays in the cache.
const FIRST: usize = 1 << FIRST_BITS;
const FIRST_BITS: u32 = 10;

/// Segments of a table that fills all memory.
const SEGMENTS: usize = (usize::BITS - BUCKET_BYTES.ilog2() - FIRST_BITS) as usize + 1;

/// The table.
pub(crate) struct GrowingSlots {
    /// The first one has [`FIRST`] buckets, and each of the others the number of all before it; the
    /// last one of a table may have fewer.
    segments: [OnceLock<ZeroedSlice<Bucket>>; SEGMENTS],
    /// Buckets that are in use. Their segments are there.
    live: AtomicUsize,
    /// Buckets that there may be: fewer than `full` where there is no more memory.
    most: AtomicUsize,
    /// Buckets that were asked for.
    full: usize,
    /// Held by the worker that makes it grow.
    growing: Mutex<()>,
}

/// The segment that a bucket lies in, and its number there.
#[inline]
fn segment_of(bucket: usize) -> (usize, usize) {
    let segment = (usize::BITS - (bucket >> FIRST_BITS).leading_zeros()) as usize;
    (segment, bucket - before(segment))
}

/// Buckets before a segment: none before the first, [`FIRST`] before the second, and then twice the
/// number for each.
#[inline]
fn before(segment: usize) -> usize {
    ((FIRST << segment) >> 1) & !(FIRST - 1)
}

impl GrowingSlots {
    /// A table of at most this many bytes, at least one bucket. `None` if there is no memory for
    /// it.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let full = (bytes / BUCKET_BYTES).max(1);
        if FREE_UNTIL_USED {
            // Not kept: only to learn whether it is there.
            drop(ZeroedSlice::<Bucket>::try_new(full)?);
        }
        let table = Self {
            segments: [const { OnceLock::new() }; SEGMENTS],
            live: AtomicUsize::new(0),
            most: AtomicUsize::new(full),
            full,
            growing: Mutex::new(()),
        };
        // Full size, halved while that leaves a first segment.
        table.provide(full >> (full >> FIRST_BITS).checked_ilog2().unwrap_or(0))?;
        Some(table)
    }

    /// Makes the segments of this number of buckets, and puts them into use. `None` if there is no
    /// memory for them.
    fn provide(&self, buckets: usize) -> Option<()> {
        for (number, segment) in self.segments.iter().enumerate() {
            let first = before(number);
            if first >= buckets {
                break;
            }
            if segment.get().is_none() {
                let made = ZeroedSlice::try_new(before(number + 1).min(self.full) - first)?;
                // No other thread makes one: the table is new, or `growing` is held.
                let _ = segment.set(made);
            }
        }
        // Release: pairs with the acquire in `live`, which then sees the segments.
        self.live.store(buckets, Ordering::Release);
        Some(())
    }

    #[inline]
    fn live(&self) -> usize {
        self.live.load(Ordering::Acquire)
    }

    /// Bytes of the table at full size.
    pub(crate) fn bytes(&self) -> usize {
        self.full * BUCKET_BYTES
    }

    /// The share of slots in use, from 0 to 1, of those at full size, measured on a sample.
    pub(crate) fn used(&self) -> f64 {
        let first = self.segments[0].get().map_or(0.0, |buckets| share_in_use(buckets));
        first * (self.live() as f64 / self.full as f64)
    }

    /// Forgets everything, and keeps its size.
    pub(crate) fn clear(&mut self) {
        (0..self.live()).for_each(|bucket| self.at(bucket).clear());
    }

    #[inline]
    fn at(&self, bucket: usize) -> &Bucket {
        let (segment, number) = segment_of(bucket);
        &self.segments[segment].get().expect("segments in use were made")[number]
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &Bucket {
        self.at(bucket_of(hash, self.live()))
    }

    /// Asks for the memory where a position may be.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(self.bucket(hash));
    }

    /// The data of a position.
    #[inline]
    pub(crate) fn get(&self, hash: u64) -> Option<u64> {
        self.bucket(hash).get(hash)
    }

    /// Writes the data of a position: in its own slot, or in the one of its bucket that is free or,
    /// if the table has its full size, has the lowest `worth`. `new` makes them of what was there
    /// before; `None` leaves it there.
    #[inline]
    pub(crate) fn put(
        &self,
        hash: u64,
        worth: impl Fn(u64) -> u64,
        new: impl FnOnce(Option<u64>) -> Option<u64>,
    ) {
        let mut bucket = self.bucket(hash);
        // Relaxed: seen late, one more position finds out that there is no more memory.
        if self.live() < self.most.load(Ordering::Relaxed) {
            while !bucket.has_room(hash) && self.grow(&worth) {
                bucket = self.bucket(hash);
            }
        }
        bucket.put(hash, worth, new);
    }

    /// Makes the table about twice as large. False if it cannot be, or is being made so.
    #[cold]
    #[inline(never)]
    fn grow(&self, worth: &impl Fn(u64) -> u64) -> bool {
        let Some(_growing) = self.growing.try_lock() else { return false };
        let (live, most) = (self.live(), self.most.load(Ordering::Relaxed));
        if live >= most {
            return false;
        }
        // Full size, halved: so that where it can be divided so, a bucket becomes two.
        let halvings = (self.full / (live + 1)).checked_ilog2().unwrap_or(0);
        let larger = self.full >> halvings;
        if self.provide(larger).is_none() {
            self.most.store(live, Ordering::Relaxed);
            return false;
        }
        for number in (0..live).rev() {
            let bucket = self.at(number);
            let mut entries = [None; super::SLOTS];
            for (place, entry) in entries.iter_mut().zip(bucket.entries()) {
                *place = Some(entry);
            }
            bucket.clear();
            for entry in entries.into_iter().flatten() {
                self.bucket(entry.check).put(entry.check, worth, |_| Some(entry.data));
            }
        }
        true
    }
}

/// Whether memory that is zero costs nothing until it is used: a page of a browser clears it by
/// hand.
const FREE_UNTIL_USED: bool = !cfg!(target_family = "wasm");

#[cfg(all(test, not(loom)))]
mod tests {
    use std::thread;

    use super::super::{BUCKET_BYTES, SLOT_BYTES, Slots};
    use super::{FIRST, GrowingSlots, before, segment_of};
    use crate::rng::Rng;

    /// Data are worth what they are.
    fn put(table: &GrowingSlots, hash: u64) {
        table.put(hash, |data| data, |_| Some(hash >> 7 | 1));
    }

    #[test]
    fn every_bucket_lies_in_one_segment() {
        assert_eq!(segment_of(0), (0, 0));
        for segment in 1..20 {
            let first = before(segment);
            assert_eq!(segment_of(first), (segment, 0));
            assert_eq!(segment_of(first - 1), (segment - 1, first - 1 - before(segment - 1)));
        }
        // The last segment that there may be.
        let last = usize::MAX / BUCKET_BYTES;
        assert_eq!(segment_of(last).0 + 1, super::SEGMENTS);
    }

    #[test]
    fn it_holds_what_a_table_of_full_size_holds() {
        // Less than it begins with, what can be halved twice, a prime number, and a power of two.
        // Where buckets are not halves of others, one may overflow while it grows.
        let sizes = [(100, true), (4 * 1_031, true), (8_191, false), (16 * FIRST, true)];
        // The interpreter looks at the whole of a segment whenever a bucket is asked for.
        let count = if cfg!(miri) { 1 } else { sizes.len() };
        for (buckets, is_exact) in sizes.into_iter().take(count) {
            let bytes = buckets * BUCKET_BYTES;
            let (growing, fixed) = (GrowingSlots::new(bytes).unwrap(), Slots::new(bytes).unwrap());
            assert_eq!(growing.bytes(), bytes);
            let mut rng = Rng::from_seed(buckets as u64);
            let hashes: Vec<_> = (0..10 * buckets).map(|_| rng.next_u64()).collect();
            for (number, &hash) in hashes.iter().enumerate() {
                put(&growing, hash);
                fixed.put(hash, hash, |data| data, |_| Some(hash >> 7 | 1));
                if number % 997 == 0 {
                    let differing = hashes[..=number]
                        .iter()
                        .filter(|&&hash| growing.get(hash) != fixed.get(hash, hash))
                        .count();
                    let most = if is_exact { 0 } else { number / 100 };
                    assert!(differing <= most, "{differing} after {number} of {buckets}");
                }
            }
            assert_eq!(growing.live(), buckets, "it has been full");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "it takes the interpreter tens of minutes")]
    fn it_is_as_small_as_what_it_holds() {
        let mut table = GrowingSlots::new(1 << 30).unwrap();
        let mut rng = Rng::from_seed(1);
        assert_eq!((table.live(), table.used()), (FIRST, 0.0));
        for _ in 0..2 {
            let hashes: Vec<_> = (0..10_000).map(|_| rng.next_u64()).collect();
            hashes.iter().for_each(|&hash| put(&table, hash));
            assert!(hashes.iter().all(|&hash| table.get(hash) == Some(hash >> 7 | 1)));
            // With more buckets the first full one comes sooner: here with a twentieth in use.
            let slots = table.live() * BUCKET_BYTES / SLOT_BYTES;
            assert!((60_000..1_000_000).contains(&slots), "{slots}");
            let expected = 10_000.0 / (table.bytes() / SLOT_BYTES) as f64;
            assert!((table.used() / expected - 1.0).abs() < 0.2, "{}", table.used());
            table.clear();
            assert!(hashes.iter().all(|&hash| table.get(hash).is_none()));
            assert_eq!(table.live() * BUCKET_BYTES / SLOT_BYTES, slots);
        }
    }

    #[test]
    fn workers_may_use_it_while_it_grows() {
        let count = if cfg!(miri) { 2_500 } else { 20_000 };
        let table = GrowingSlots::new(1 << 30).unwrap();
        let hashes_of = |seed| {
            let mut rng = Rng::from_seed(seed);
            (0..count).map(|_| rng.next_u64()).collect::<Vec<_>>()
        };
        thread::scope(|scope| {
            for number in 0..4 {
                let (table, hashes) = (&table, hashes_of(number));
                scope.spawn(move || {
                    for hash in hashes {
                        put(table, hash);
                        assert!(table.get(hash).is_none_or(|data| data == hash >> 7 | 1));
                    }
                });
            }
        });
        // Of those that came while it grew some are lost, and most of them where the worker that
        // makes it grow has to wait for a core. None is lost of those that come now.
        let hashes = hashes_of(4);
        hashes.iter().for_each(|&hash| put(&table, hash));
        assert!(hashes.iter().all(|&hash| table.get(hash) == Some(hash >> 7 | 1)));
    }
}
