//! The table of facts: between which limits the worth of a position is known to be.
//!
//! They lie in [`Slots`]. A slot is found by one hash of the key and checked by another one, of 64
//! bits, that has nothing to do with the first: a look-up takes a position for another one with a
//! chance of about four in 2^64, however full the table is.
//!
//! A fact is true for ever: a full table forgets, and is never wrong. It forgets first what cost
//! least to find out.

use std::sync::Arc;

use crate::pool::bank::{Charge, Purse};
use crate::slots::{BUCKET_BYTES, Entry, Slots};
use crate::solvable::{POINTS_LIMIT, STEP};

/// Where a position is in the table, and how it is distinguished from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) bucket: u64,
    pub(super) check: u64,
}

/// What is known of a position: numbers of its worth for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) least: i32,
    pub(super) most: i32,
    /// The number of the move to try first, among the moves to solve.
    pub(super) mv: Option<u16>,
    /// The binary logarithm of the positions that were searched to find this out, 0 to 31.
    pub(super) effort: u8,
}

/// The facts, shared by all workers.
pub(super) struct Facts {
    slots: Slots,
    /// Given back behind the table.
    _charge: Option<Charge>,
}

// The fields of the data word, from the low bits on. Numbers of a worth are kept above 0.
const WORTH_BITS: u32 = 22;
const MOST: u32 = WORTH_BITS;
const MOVE: u32 = 2 * WORTH_BITS;
const MOVE_BITS: u32 = 14;
const EFFORT: u32 = MOVE + MOVE_BITS;
const USED: u32 = EFFORT + 5;

/// Added to the number of a worth.
const OFFSET: i32 = 1 << (WORTH_BITS - 1);

const _: () = assert!(POINTS_LIMIT * STEP < OFFSET && USED < 64);

/// As a number of a move: none.
const NO_MOVE: u64 = (1 << MOVE_BITS) - 1;

/// As a number of a move: these are no facts, but what is left to do in a proof.
pub(super) const NUMBERS: u16 = NO_MOVE as u16 - 1;

/// What a saved data word means: to be changed when a field or its meaning is.
pub(super) const DATA_FORM: u32 = 1;

impl Facts {
    /// A table of at most this many bytes, at least one bucket. `None` if there is no memory for
    /// it.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        Some(Self { slots: Slots::new(bytes)?, _charge: None })
    }

    /// The same, paid for.
    pub(super) fn charged(charge: Charge) -> Option<Self> {
        Some(Self { slots: Slots::new(charge.bytes())?, _charge: Some(charge) })
    }

    /// A table of at most `bytes` bytes, or of a half, a quarter and so on where there is no memory
    /// for it; and of at most those that are left to the engine, or one bucket.
    pub(super) fn paid(bytes: usize, purse: &Arc<Purse>) -> Self {
        let charge = purse.pay_table(bytes, BUCKET_BYTES);
        let bytes = charge.as_ref().map_or(0, Charge::bytes);
        Self { slots: Slots::at_most(bytes), _charge: charge }
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.bytes()
    }

    pub(super) fn buckets(&self) -> usize {
        self.slots.buckets()
    }

    /// The slots in use, each with the number of its bucket, in their order.
    pub(super) fn entries(&self) -> impl Iterator<Item = (usize, Entry)> {
        self.slots.entries()
    }

    /// Takes in a slot that was saved. If its bucket is full, the cheapest fact goes; then it
    /// returns false.
    pub(super) fn keep(&self, bucket: usize, entry: Entry) -> bool {
        self.slots.keep(bucket, entry, cost)
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.slots.clear();
    }

    /// The share of slots in use, from 0 to 1, measured on a sample.
    pub(super) fn used(&self) -> f64 {
        self.slots.used()
    }

    /// Asks for the memory where a position may be.
    #[inline]
    pub(super) fn prefetch(&self, place: Place) {
        self.slots.prefetch(place.bucket);
    }

    /// What is known of the position at this place.
    #[inline]
    pub(super) fn get(&self, place: Place) -> Option<Fact> {
        self.slots.get(place.bucket, place.check).map(unpack)
    }

    /// Writes down what is known of a position, with what was known before: in its own slot, or in
    /// the one of its bucket that cost least.
    #[inline]
    pub(super) fn put(&self, place: Place, fact: Fact) {
        let mv = fact.mv.filter(|&mv| mv < NUMBERS);
        self.write(place, Fact { mv, ..fact }, true);
    }

    /// Writes down what is no fact and takes the place of what was there before.
    #[inline]
    pub(super) fn replace(&self, place: Place, fact: Fact) {
        self.write(place, fact, false);
    }

    fn write(&self, place: Place, mut fact: Fact, adds_up: bool) {
        self.slots.put(place.bucket, place.check, cost, |old| {
            if let Some(old) = old.map(unpack) {
                if adds_up {
                    fact.least = fact.least.max(old.least);
                    fact.most = fact.most.min(old.most);
                }
                fact.mv = fact.mv.or(old.mv);
                fact.effort = fact.effort.max(old.effort);
            }
            Some(pack(fact))
        });
    }
}

/// What a fact cost, with the bit that says it is one.
#[inline]
fn cost(data: u64) -> u64 {
    data >> EFFORT
}

/// Whether a data word that was saved is one that a search could have written, of a game whose
/// numbers are at most `farthest`.
pub(super) fn is_sound(data: u64, farthest: i32) -> bool {
    let Fact { least, most, mv, .. } = unpack(data);
    let in_order = if mv == Some(NUMBERS) {
        // Something is left to do both ways.
        (1..OFFSET).contains(&least) && (1..OFFSET).contains(&most)
    } else {
        -farthest <= least && least <= most && most <= farthest
    };
    data >> USED == 1 && in_order
}

#[inline]
fn pack(fact: Fact) -> u64 {
    let mv = fact.mv.map_or(NO_MOVE, |mv| u64::from(mv).min(NO_MOVE));
    ((fact.least + OFFSET) as u64)
        | ((fact.most + OFFSET) as u64) << MOST
        | mv << MOVE
        | u64::from(fact.effort.min(31)) << EFFORT
        | 1 << USED
}

#[inline]
fn unpack(data: u64) -> Fact {
    let worth = |at: u32| (data >> at & ((1 << WORTH_BITS) - 1)) as i32 - OFFSET;
    let mv = data >> MOVE & NO_MOVE;
    Fact {
        least: worth(0),
        most: worth(MOST),
        mv: (mv != NO_MOVE).then_some(mv as u16),
        effort: (data >> EFFORT & 31) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::{Fact, Facts, NUMBERS, Place, is_sound};
    use crate::slots::BUCKET_BYTES;

    const PLACE: Place = Place { bucket: 7 << 50, check: 12 };

    fn fact(least: i32, most: i32, effort: u8) -> Fact {
        Fact { least, most, mv: Some(3), effort }
    }

    #[test]
    fn what_is_put_is_got() {
        let facts = Facts::new(1 << 12).unwrap();
        assert_eq!(facts.get(PLACE), None);
        for written in [
            Fact { least: -1_024_000, most: 1_024_000, mv: None, effort: 0 },
            Fact { least: -1, most: 1_024_000, mv: Some(16_381), effort: 31 },
            Fact { least: 5, most: 5, mv: Some(0), effort: 7 },
        ] {
            let facts = Facts::new(1 << 12).unwrap();
            facts.put(PLACE, written);
            assert_eq!(facts.get(PLACE), Some(written));
            assert_eq!(facts.get(Place { check: 13, ..PLACE }), None);
        }
    }

    #[test]
    fn facts_about_one_position_add_up() {
        let facts = Facts::new(BUCKET_BYTES).unwrap();
        facts.put(PLACE, fact(-10, 20, 4));
        facts.put(PLACE, Fact { mv: None, ..fact(-20, 3, 2) });
        assert_eq!(facts.get(PLACE), Some(fact(-10, 3, 4)));
    }

    #[test]
    fn a_table_of_a_fourth_of_the_size_holds_the_costliest_of_what_was_saved() {
        let [large, small] = [64, 16].map(|buckets| Facts::new(buckets * BUCKET_BYTES).unwrap());
        let place = |number: u64| Place { bucket: number << 56 | number << 40, check: number };
        for number in 0..200 {
            large.put(place(number), fact(-5, 5, (number % 31) as u8));
        }
        let entries: Vec<_> = large.entries().collect();
        assert!(entries.iter().all(|(_, entry)| is_sound(entry.data, 5)));
        let lost = entries.iter().filter(|(at, entry)| !small.keep(at / 4, *entry)).count();
        assert_eq!(small.entries().count() + lost, entries.len());
        let mut found = 0;
        for number in 0..200 {
            let (old, new) = (large.get(place(number)), small.get(place(number)));
            assert!(new.is_none() || new == old, "{number}");
            found += usize::from(new.is_some());
            // The costliest one of its bucket is there.
            assert!(number % 31 < 30 || old.is_none() || new.is_some(), "{number}");
        }
        assert_eq!(found, small.entries().count());
        assert!(lost > 0 && found > 40, "{lost} lost, {found} found");
    }

    #[test]
    fn words_that_no_search_writes_are_recognized() {
        let word = |fact| super::pack(fact);
        let numbers = |least, most| Fact { least, most, mv: Some(NUMBERS), effort: 0 };
        assert!(is_sound(word(fact(-10, 10, 3)), 10) && is_sound(word(numbers(1, 90)), 10));
        for data in [
            0,
            word(fact(0, 0, 0)) & !(1 << 63),
            word(fact(-11, 0, 0)),
            word(fact(0, 11, 0)),
            word(fact(3, 2, 0)),
            word(numbers(0, 1)),
            word(numbers(1, -1)),
        ] {
            assert!(!is_sound(data, 10), "{data:#x}");
        }
    }

    #[test]
    fn the_cheapest_fact_goes_first() {
        let facts = Facts::new(BUCKET_BYTES).unwrap();
        let place = |check| Place { bucket: 0, check };
        for check in 1..=4 {
            facts.put(place(check), fact(0, 1, 10 + check as u8));
        }
        facts.put(place(5), fact(0, 1, 3));
        assert_eq!(facts.get(place(1)), None);
        assert!((2..=5).all(|check| facts.get(place(check)).is_some()));
        assert!((facts.used() - 1.0).abs() < 1e-9);
    }
}
