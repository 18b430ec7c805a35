//! A table of facts about positions that all workers share without a lock.
//!
//! A bucket is one cache line with four slots. A slot is two words, `check ^ data` and `data`, each
//! read and written as a whole. A reader that meets a slot half written gets a check that does not
//! fit, and takes it for that of another position (Hyatt and Mann, A lock-less transposition table
//! for parallel search chess engines, 2002).
//!
//! What the data say is for the owner of the table; no data are 0. A bucket is found by one hash of
//! a position, and the slot in it by a check, which may be the same hash or another one. If it is
//! the same, the table can grow ([`GrowingSlots`]).

mod growing;

pub(crate) use growing::GrowingSlots;

use crate::prefetch::prefetch;
use crate::sync::{AtomicU64, Ordering};
use crate::zeroed::{ZeroedSlice, zeroed};

/// Slots of a bucket.
pub(crate) const SLOTS: usize = 4;

/// A cache line, and the least a table takes.
pub(crate) const BUCKET_BYTES: usize = 64;

/// Of a slot.
pub(crate) const SLOT_BYTES: usize = BUCKET_BYTES / SLOTS;

#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

/// `check ^ data` and `data`. Both are 0 in a new table.
struct Slot([AtomicU64; 2]);

#[cfg(not(loom))]
const _: () = assert!(size_of::<Bucket>() == BUCKET_BYTES && size_of::<Slot>() == SLOT_BYTES);

zeroed!(Bucket(slots));
zeroed!(Slot(words));

/// What a slot in use holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) check: u64,
    pub(crate) data: u64,
}

impl Slot {
    // Relaxed throughout: a slot that is not of one piece is recognized by its check, and what it
    // held a moment ago is as right as what it holds now.

    /// What it holds; another check than any, most likely, if it is being written.
    #[inline]
    fn load(&self) -> Entry {
        let data = self.0[1].load(Ordering::Relaxed);
        Entry { check: self.0[0].load(Ordering::Relaxed) ^ data, data }
    }

    #[inline]
    fn store(&self, Entry { check, data }: Entry) {
        self.0[0].store(check ^ data, Ordering::Relaxed);
        self.0[1].store(data, Ordering::Relaxed);
    }
}

/// The worth of some data, at least 1, and 0 of a free slot.
#[inline]
fn worth_or_free(data: u64, worth: impl Fn(u64) -> u64) -> u64 {
    if data == 0 { 0 } else { worth(data).max(1) }
}

impl Bucket {
    /// The slots in use.
    fn entries(&self) -> impl Iterator<Item = Entry> {
        self.0.iter().map(Slot::load).filter(|entry| entry.data != 0)
    }

    fn clear(&self) {
        for word in self.0.iter().flat_map(|slot| &slot.0) {
            word.store(0, Ordering::Relaxed);
        }
    }

    #[inline]
    fn get(&self, check: u64) -> Option<u64> {
        let mut entries = self.0.iter().map(Slot::load);
        entries.find(|entry| entry.check == check && entry.data != 0).map(|entry| entry.data)
    }

    /// Whether an entry with this check overwrites no other one.
    #[inline]
    fn has_room(&self, check: u64) -> bool {
        let fits = |Entry { check: other, data }| data == 0 || other == check;
        self.0.iter().map(Slot::load).any(fits)
    }

    #[inline]
    fn put(
        &self,
        check: u64,
        worth: impl Fn(u64) -> u64,
        new: impl FnOnce(Option<u64>) -> Option<u64>,
    ) {
        let mut chosen = &self.0[0];
        let (mut least, mut old) = (u64::MAX, None);
        for slot in &self.0 {
            let entry = slot.load();
            if entry.check == check && entry.data != 0 {
                (chosen, old) = (slot, Some(entry.data));
                break;
            }
            let worth = worth_or_free(entry.data, &worth);
            if worth < least {
                (chosen, least) = (slot, worth);
            }
        }
        if let Some(data) = new(old) {
            chosen.store(Entry { check, data });
        }
    }
}

/// The share of the slots of some buckets that are in use, from 0 to 1, measured on the first
/// thousand.
fn share_in_use(buckets: &[Bucket]) -> f64 {
    let sample = &buckets[..buckets.len().min(1_000)];
    let used = sample.iter().flat_map(Bucket::entries).count();
    used as f64 / (sample.len() * SLOTS) as f64
}

/// The number of the bucket for a hash, of any number of buckets.
#[inline]
fn bucket_of(hash: u64, buckets: usize) -> usize {
    ((u128::from(hash) * buckets as u128) >> 64) as usize
}

/// A table of fixed size.
pub(crate) struct Slots {
    buckets: ZeroedSlice<Bucket>,
}

impl Slots {
    /// A table of at most this many bytes, at least one bucket. `None` if there is no memory for
    /// it.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let buckets = ZeroedSlice::try_new((bytes / BUCKET_BYTES).max(1))?;
        Some(Self { buckets })
    }

    /// A table of at most `bytes` bytes, or of a half, a quarter and so on where there is no memory
    /// for it.
    pub(crate) fn at_most(bytes: usize) -> Self {
        let sizes = std::iter::successors(Some(bytes), |bytes| Some(bytes / 2));
        let mut tables = sizes.take_while(|&bytes| bytes >= BUCKET_BYTES).filter_map(Self::new);
        // If there is no memory even for one bucket, this allocation reports it.
        tables.next().unwrap_or_else(|| Self { buckets: ZeroedSlice::new(1) })
    }

    /// Bytes of the table.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.buckets)
    }

    pub(crate) fn buckets(&self) -> usize {
        self.buckets.len()
    }

    /// The slots in use, each with the number of its bucket, in their order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, Entry)> {
        let buckets = self.buckets.iter().enumerate();
        buckets.flat_map(|(number, bucket)| bucket.entries().map(move |entry| (number, entry)))
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.buckets.iter().for_each(Bucket::clear);
    }

    /// The share of slots in use, from 0 to 1, measured on a sample.
    pub(crate) fn used(&self) -> f64 {
        share_in_use(&self.buckets)
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &Bucket {
        &self.buckets[bucket_of(hash, self.buckets.len())]
    }

    /// Asks for the memory where a position may be.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(self.bucket(hash));
    }

    /// The data of a position.
    #[inline]
    pub(crate) fn get(&self, hash: u64, check: u64) -> Option<u64> {
        self.bucket(hash).get(check)
    }

    /// Writes the data of a position: in its own slot, or in the one of its bucket that is free or
    /// has the lowest `worth`. `new` makes them of what was there before; `None` leaves it there.
    #[inline]
    pub(crate) fn put(
        &self,
        hash: u64,
        check: u64,
        worth: impl Fn(u64) -> u64,
        new: impl FnOnce(Option<u64>) -> Option<u64>,
    ) {
        self.bucket(hash).put(check, worth, new);
    }

    /// Takes in an entry that was saved, in a free slot of its bucket or instead of one that is
    /// worth less. Returns whether nothing is lost by it.
    pub(crate) fn keep(&self, bucket: usize, entry: Entry, worth: impl Fn(u64) -> u64) -> bool {
        let worth = |data| worth_or_free(data, &worth);
        let slots = self.buckets[bucket].0.iter();
        let Some(slot) = slots.min_by_key(|slot| worth(slot.load().data)) else { return false };
        let least = worth(slot.load().data);
        if least < worth(entry.data) {
            slot.store(entry);
        }
        least == 0
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{BUCKET_BYTES, SLOTS, Slots};
    use crate::rng::Rng;

    /// The data of number n are worth n.
    fn put(table: &Slots, number: u64) {
        table.put(7 << 50, number, |data| data, |_| Some(number));
    }

    #[test]
    fn a_full_bucket_loses_what_is_worth_least() {
        let table = Slots::new(1).unwrap();
        assert_eq!((table.bytes(), table.used()), (BUCKET_BYTES, 0.0));
        for number in [3, 9, 4, 8, 1, 7] {
            put(&table, number);
        }
        let held = [1, 3, 4, 7, 8, 9].map(|number| table.get(7 << 50, number).is_some());
        // 1 takes the place of 3, and 7 that of 1.
        assert_eq!(held, [false, false, true, true, true, true]);
        assert_eq!(table.used(), 1.0);
        table.clear();
        assert_eq!(table.entries().count(), 0);
    }

    #[test]
    fn data_of_a_position_are_made_of_those_before() {
        let table = Slots::new(1 << 12).unwrap();
        put(&table, 5);
        table.put(7 << 50, 5, |data| data, |old| Some(old.unwrap() + 10));
        assert_eq!(table.get(7 << 50, 5), Some(15));
        table.put(7 << 50, 5, |data| data, |_| None);
        assert_eq!(table.get(7 << 50, 5), Some(15));
    }

    #[test]
    fn torn_slots_are_not_found() {
        let table = Slots::new(BUCKET_BYTES).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let table = &table;
                scope.spawn(move || {
                    let mut rng = Rng::from_seed(thread);
                    for _ in 0..if cfg!(miri) { 300 } else { 200_000 } {
                        // The data are a function of the check: what is found must be its own.
                        let check = rng.below(16 * SLOTS) as u64 + 1;
                        table.put(0, check, |data| data, |_| Some(check * 1_000));
                        let check = rng.below(16 * SLOTS) as u64 + 1;
                        assert!(table.get(0, check).is_none_or(|data| data == check * 1_000));
                    }
                });
            }
        });
    }

    #[test]
    #[cfg_attr(miri, ignore = "the interpreter ends where there is no memory")]
    fn a_table_is_as_large_as_there_is_memory_for() {
        assert!(Slots::new(usize::MAX).is_none());
        assert_eq!(Slots::at_most(1 << 12).bytes(), 1 << 12);
        // Of what no address can tell something is left.
        assert!(Slots::at_most(usize::MAX).bytes() >= 1 << 20);
        assert_eq!(Slots::at_most(0).bytes(), BUCKET_BYTES);
    }
}
