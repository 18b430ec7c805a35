//! The table of bounds: what is known of positions that were searched before.
//!
//! A bucket is one cache line with four entries. An entry is two words, `hash ^ data` and `data`,
//! each read and written as a whole and without a lock. A reader that meets an entry half written
//! gets a first word that does not fit the second one, and takes it for another position (Hyatt
//! and Mann, A lock-less transposition table for parallel search chess engines, 2002).
//!
//! **Verified** means that all 64 bits of the hash of the key agree. Keys themselves are not kept:
//! two positions with the same hash are taken for one, which among `n` positions in the table
//! happens to a look-up with a chance of `n / 2^64`. The move of an entry is a number in the list
//! of legal moves, and is only used if the list is that long: so even then nothing illegal is
//! played.

use crate::sync::{AtomicU64, Ordering};

use super::score::{LEAST_WIN, WIN};

/// What an entry says of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing.
    None,
    /// The value is at most that.
    AtMost,
    /// The value is at least that.
    AtLeast,
    /// The value is that.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Counted from the position itself.
    pub(super) value: i32,
    pub(super) kind: Kind,
    /// Plies that were searched below the position, 0 to 255.
    pub(super) depth: u8,
    /// Whether it is so of the whole game, whatever the depth.
    pub(super) solved: bool,
    /// The number of the best move.
    pub(super) mv: Option<u16>,
}

/// A line of four entries.
#[repr(align(64))]
struct Bucket([Slot; ENTRIES]);

/// `hash ^ data` and `data`. Both are 0 in a new table.
struct Slot([AtomicU64; 2]);

const ENTRIES: usize = 4;

#[cfg(not(loom))]
const _: () = assert!(size_of::<Bucket>() == 64);

/// Bytes of an entry.
const ENTRY_BYTES: usize = 16;

/// The least a table takes: one bucket.
pub(super) const LEAST_BYTES: usize = ENTRIES * ENTRY_BYTES;

/// The bounds of positions, shared by all workers.
pub(super) struct Bounds {
    buckets: Box<[Bucket]>,
    /// The number of the search, in a byte.
    generation: u8,
}

// The fields of the data word, from the low bits on. The value is kept as a number above 0.
const VALUE_BITS: u32 = 24;
const DEPTH: u32 = VALUE_BITS;
const KIND: u32 = DEPTH + 8;
const SOLVED: u32 = KIND + 2;
const GENERATION: u32 = SOLVED + 1;
const MOVE: u32 = GENERATION + 8;
const USED: u32 = MOVE + 17;

const _: () = assert!(2 * WIN < 1 << VALUE_BITS && LEAST_WIN > 0 && USED < 64);

/// As a number of a move: none.
const NO_MOVE: u64 = (1 << 17) - 1;

/// By how much the depth of an entry counts less for each search that has begun since.
const AGEING: i32 = 8;

impl Bounds {
    /// A table of at most so many bytes, at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        let slot = || Slot([AtomicU64::new(0), AtomicU64::new(0)]);
        let bucket = |_| Bucket(std::array::from_fn(|_| slot()));
        let count = (bytes / size_of::<Bucket>()).max(1);
        Self { buckets: (0..count).map(bucket).collect(), generation: 0 }
    }

    /// Bytes of the table.
    pub(super) fn bytes(&self) -> u64 {
        size_of_val(&*self.buckets) as u64
    }

    /// Entries that it has room for.
    pub(super) fn entries(&self) -> u64 {
        (self.buckets.len() * ENTRIES) as u64
    }

    /// Says that another search begins.
    pub(super) fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.0.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        }
        self.generation = 0;
    }

    /// The share of entries in use, from 0 to 1, measured on the first thousand buckets.
    pub(super) fn used(&self) -> f64 {
        let sample = &self.buckets[..self.buckets.len().min(1_000)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots.filter(|slot| slot.0[1].load(Ordering::Relaxed) != 0).count();
        used as f64 / (sample.len() * ENTRIES) as f64
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &Bucket {
        // Multiply and shift: any number of buckets will do.
        let at = (u128::from(hash) * self.buckets.len() as u128) >> 64;
        &self.buckets[at as usize]
    }

    /// Asks for the memory where a position may be.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        crate::prefetch::prefetch(self.bucket(hash));
    }

    /// What is known of the position with this hash.
    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<Entry> {
        // Relaxed throughout: an entry that is not of one piece is told by its first word, and an
        // old one is as right as a new one.
        self.bucket(hash).0.iter().find_map(|slot| {
            let data = slot.0[1].load(Ordering::Relaxed);
            let fits = slot.0[0].load(Ordering::Relaxed) ^ data == hash;
            (fits && data != 0).then(|| unpack(data))
        })
    }

    /// Writes down what is known of a position: in its own place, or in that of the entry of its
    /// bucket that is worth least.
    pub(super) fn put(&self, hash: u64, mut entry: Entry) {
        let mut place = None;
        let mut least = i32::MAX;
        for slot in &self.bucket(hash).0 {
            let data = slot.0[1].load(Ordering::Relaxed);
            if slot.0[0].load(Ordering::Relaxed) ^ data == hash && data != 0 {
                let old = unpack(data);
                if old.solved && !entry.solved {
                    return;
                }
                // Who has no move to tell keeps the one that is known.
                entry.mv = entry.mv.or(old.mv);
                place = Some(slot);
                break;
            }
            let worth = self.worth(data);
            if worth < least {
                (place, least) = (Some(slot), worth);
            }
        }
        let Some(slot) = place else { return };
        let data = pack(entry) | u64::from(self.generation) << GENERATION;
        slot.0[0].store(hash ^ data, Ordering::Relaxed);
        slot.0[1].store(data, Ordering::Relaxed);
    }

    /// What would be lost with an entry.
    #[inline]
    fn worth(&self, data: u64) -> i32 {
        if data == 0 {
            return i32::MIN;
        }
        let age = self.generation.wrapping_sub((data >> GENERATION) as u8);
        let exact = i32::from(data >> KIND & 3 == Kind::Exact as u64);
        i32::from((data >> DEPTH) as u8) + exact - AGEING * i32::from(age)
    }
}

#[inline]
fn pack(entry: Entry) -> u64 {
    let mv = entry.mv.map_or(NO_MOVE, u64::from);
    ((entry.value + WIN) as u64)
        | u64::from(entry.depth) << DEPTH
        | (entry.kind as u64) << KIND
        | u64::from(entry.solved) << SOLVED
        | mv << MOVE
        | 1 << USED
}

#[inline]
fn unpack(data: u64) -> Entry {
    let kind = match data >> KIND & 3 {
        0 => Kind::None,
        1 => Kind::AtMost,
        2 => Kind::AtLeast,
        _ => Kind::Exact,
    };
    let mv = data >> MOVE & NO_MOVE;
    Entry {
        value: (data & ((1 << VALUE_BITS) - 1)) as i32 - WIN,
        kind,
        depth: (data >> DEPTH) as u8,
        solved: data >> SOLVED & 1 == 1,
        mv: (mv != NO_MOVE).then_some(mv as u16),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn entry(value: i32, depth: u8, mv: Option<u16>) -> Entry {
        Entry { value, kind: Kind::Exact, depth, solved: false, mv }
    }

    #[test]
    fn what_is_put_in_comes_out() {
        let bounds = Bounds::new(1 << 20);
        let mut rng = Rng::from_seed(1);
        for value in [-WIN, -1, 0, 1, WIN] {
            for kind in [Kind::None, Kind::AtMost, Kind::AtLeast, Kind::Exact] {
                for mv in [None, Some(0), Some(u16::MAX)] {
                    let solved = rng.below(2) == 1;
                    let entry = Entry { value, kind, depth: rng.below(256) as u8, solved, mv };
                    let hash = rng.next_u64();
                    assert_eq!(bounds.get(hash), None);
                    bounds.put(hash, entry);
                    assert_eq!(bounds.get(hash), Some(entry));
                    assert_eq!(bounds.get(hash ^ 1), None);
                }
            }
        }
        assert_eq!(bounds.bytes(), 1 << 20);
    }

    #[test]
    fn a_full_bucket_loses_the_shallowest_and_the_oldest() {
        let mut bounds = Bounds::new(64);
        for hash in 1..=4 {
            bounds.put(hash, entry(0, 10 + hash as u8, None));
        }
        bounds.put(5, entry(0, 1, None));
        assert_eq!(bounds.get(1), None, "the shallowest");
        assert!((2..=5).all(|hash| bounds.get(hash).is_some()));
        bounds.next_generation();
        bounds.put(6, entry(0, 9, None));
        bounds.put(7, entry(0, 9, None));
        bounds.put(8, entry(0, 9, None));
        let left = (1..=8).filter(|&hash| bounds.get(hash).is_some());
        assert_eq!(left.collect::<Vec<_>>(), [4, 6, 7, 8], "deep and old ones go before new ones");
        assert_eq!(bounds.used(), 1.0);
    }

    #[test]
    fn a_solved_entry_stays_and_a_move_is_kept() {
        let bounds = Bounds::new(64);
        let solved = Entry { solved: true, ..entry(0, 3, Some(2)) };
        bounds.put(9, solved);
        bounds.put(9, entry(50, 20, Some(1)));
        assert_eq!(bounds.get(9), Some(solved));
        bounds.put(7, entry(1, 1, Some(5)));
        bounds.put(7, entry(2, 2, None));
        assert_eq!(bounds.get(7), Some(entry(2, 2, Some(5))));
    }

    #[test]
    fn torn_entries_are_not_found() {
        let bounds = Bounds::new(64);
        std::thread::scope(|scope| {
            for thread in 0..3u64 {
                let bounds = &bounds;
                scope.spawn(move || {
                    let mut rng = Rng::from_seed(thread);
                    for _ in 0..200_000 {
                        // The value is a function of the hash: what is found must be its own.
                        let hash = rng.below(64) as u64 + 1;
                        bounds.put(hash, entry(hash as i32 * 1_000, hash as u8, None));
                        let hash = rng.below(64) as u64 + 1;
                        if let Some(found) = bounds.get(hash) {
                            assert_eq!(found.value, hash as i32 * 1_000);
                        }
                    }
                });
            }
        });
    }
}
