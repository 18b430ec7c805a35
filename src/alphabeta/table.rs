//! The table of bounds: what is known of positions that were searched before.
//!
//! They lie in [`GrowingSlots`], the hash of a position being its check too.
//!
//! **Verified** means that all 64 bits of the hash of the key agree. Keys themselves are not kept:
//! two positions with the same hash are taken for one, which among `n` positions in the table
//! happens to a look-up with a chance of `n / 2^64`. The move of an entry is a number in the list
//! of legal moves, and is only used if the list is that long: so even then nothing illegal is
//! played.

use std::sync::Arc;

use crate::pool::bank::Charge;
use crate::slots::{GrowingSlots, SLOT_BYTES};

use super::score::{Kind, LEAST_WIN, WIN};

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

/// The bounds of positions, shared by all workers.
pub(super) struct Bounds {
    slots: GrowingSlots,
    /// Given back behind the table.
    _charge: Option<Charge>,
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
const AGEING: u64 = 8;

impl Bounds {
    /// A table of at most this many bytes, at least one bucket. `None` if there is no memory for
    /// it.
    // Behind its pointer at once: to move it there takes code, in each game its own.
    pub(super) fn new(bytes: usize, charge: Option<Charge>) -> Option<Arc<Self>> {
        let slots = GrowingSlots::new(bytes)?;
        Some(Arc::new(Self { slots, _charge: charge, generation: 0 }))
    }

    /// Bytes of the table at full size.
    pub(super) fn bytes(&self) -> u64 {
        self.slots.bytes() as u64
    }

    /// Entries that it has room for.
    pub(super) fn entries(&self) -> u64 {
        self.bytes() / SLOT_BYTES as u64
    }

    /// Says that another search begins.
    pub(super) fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.generation = 0;
    }

    /// The share of those entries that are in use, from 0 to 1, measured on a sample.
    pub(super) fn used(&self) -> f64 {
        self.slots.used()
    }

    /// Asks for the memory where a position may be.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        self.slots.prefetch(hash);
    }

    /// What is known of the position with this hash.
    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<Entry> {
        self.slots.get(hash).map(unpack)
    }

    /// Writes down what is known of a position: in its own place, or in that of the entry of its
    /// bucket that is worth least.
    pub(super) fn put(&self, hash: u64, mut entry: Entry) {
        let worth = |data| self.worth(data);
        self.slots.put(hash, worth, |old| {
            if let Some(old) = old.map(unpack) {
                if old.solved && !entry.solved {
                    return None;
                }
                // An entry without a move keeps the one that is known.
                entry.mv = entry.mv.or(old.mv);
            }
            Some(pack(entry) | u64::from(self.generation) << GENERATION)
        });
    }

    /// What would be lost with an entry.
    #[inline]
    fn worth(&self, data: u64) -> u64 {
        let age = self.generation.wrapping_sub((data >> GENERATION) as u8);
        let exact = u64::from(data >> KIND & 3 == Kind::Exact as u64);
        AGEING * u64::from(u8::MAX - age) + u64::from((data >> DEPTH) as u8) + exact
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
        let bounds = Bounds::new(1 << 20, None).unwrap();
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
        let mut bounds = Bounds::new(64, None).unwrap();
        for hash in 1..=4 {
            bounds.put(hash, entry(0, 10 + hash as u8, None));
        }
        bounds.put(5, entry(0, 1, None));
        assert_eq!(bounds.get(1), None, "the shallowest");
        assert!((2..=5).all(|hash| bounds.get(hash).is_some()));
        Arc::get_mut(&mut bounds).unwrap().next_generation();
        bounds.put(6, entry(0, 9, None));
        bounds.put(7, entry(0, 9, None));
        bounds.put(8, entry(0, 9, None));
        let left = (1..=8).filter(|&hash| bounds.get(hash).is_some());
        assert_eq!(left.collect::<Vec<_>>(), [4, 6, 7, 8], "deep and old ones go before new ones");
        assert_eq!(bounds.used(), 1.0);
    }

    #[test]
    fn a_solved_entry_stays_and_a_move_is_kept() {
        let bounds = Bounds::new(64, None).unwrap();
        let solved = Entry { solved: true, ..entry(0, 3, Some(2)) };
        bounds.put(9, solved);
        bounds.put(9, entry(50, 20, Some(1)));
        assert_eq!(bounds.get(9), Some(solved));
        bounds.put(7, entry(1, 1, Some(5)));
        bounds.put(7, entry(2, 2, None));
        assert_eq!(bounds.get(7), Some(entry(2, 2, Some(5))));
    }
}
