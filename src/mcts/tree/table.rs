//! The table that finds a position's node, behind one lock or one lock per shard.
//!
//! A shard is an array of 8-byte slots with open addressing and linear probing. A slot holds
//! a node's index and 32 bits of its key's hash; the keys themselves lie beside the nodes.
//! So a key is read only where those bits agree, a shard grows without reading any key, and
//! a worker that knows a hash can ask for the slot's cache line before it needs the lock.

use std::hash::Hash;
use std::ptr;

use ahash::RandomState;

use crate::prefetch::{prefetch_address, prefetch_to_write};
use crate::sync::{AtomicPtr, AtomicUsize, Mutex, MutexGuard, Ordering};

use super::arena::Meter;
use super::node::NodeId;

/// Position key to node. Looking up and adding a key happen under one lock, so two workers
/// that reach a position at the same moment get the same node.
pub(crate) struct Table {
    shards: Box<[Shard]>,
    hasher: RandomState,
    /// Times the table was cleared. A shard that was not clears itself when it is next used: no
    /// worker waits for all of them.
    clears: u32,
}

/// A shard on cache lines of its own, so that locks do not share one.
#[repr(align(128))]
struct Shard {
    slots: OwnLine<Mutex<Slots>>,
    hint: OwnLine<Hint>,
}

/// What [`Table::prefetch`] has to know: where the slots lie, and how many there are less one. Not
/// in the line of the lock, which others write to all the time.
struct Hint {
    start: AtomicPtr<u64>,
    mask: AtomicUsize,
}

/// On a cache line of its own.
#[repr(align(64))]
struct OwnLine<T>(T);

/// The slots of a shard. A slot is 0 or `hash << 32 | index + 1`.
#[derive(Default)]
struct Slots {
    /// Their number is a power of two, and at least one of them is 0.
    slots: Vec<u64>,
    used: usize,
    clears: u32,
}

/// The hash of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyHash(pub(crate) u64);

impl KeyHash {
    /// The half that a slot keeps. Its low bits say where the search for a key begins.
    fn kept(self) -> u32 {
        self.0 as u32
    }
}

/// Where a [sweep](Table::sweep) stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sweep {
    shard: usize,
    /// The number of slots that the shard had when it was last looked at.
    slots: usize,
    /// The next slot to look at.
    next: usize,
}

/// Slots that one step of a sweep looks at, at most, under the lock of their shard: a few
/// microseconds.
const SLOTS_OF_STRETCH: usize = 1024;

/// Bits of the hash that choose the shard: none of those that a slot keeps.
const SHARD_SHIFT: u32 = 40;

/// Slots that are copied under a lock at a time: some microseconds.
const SLOTS_AT_ONCE: usize = 4096;

/// Slots of a shard when its first key is added.
const FIRST_SLOTS: usize = 16;

impl Table {
    /// A table with `shards` locks, rounded up to a power of two.
    pub(crate) fn new(shards: usize) -> Self {
        // Fixed seeds: the order of nodes must not differ from run to run. The hash decides
        // only where a key lies, never what a search does.
        let hasher = RandomState::with_seeds(
            0x243f_6a88_85a3_08d3,
            0x1319_8a2e_0370_7344,
            0xa409_3822_299f_31d0,
            0x082e_fa98_ec4e_6c89,
        );
        let shard = |_| Shard {
            slots: OwnLine(Mutex::new(Slots::default())),
            hint: OwnLine(Hint {
                start: AtomicPtr::new(ptr::null_mut()),
                mask: AtomicUsize::new(0),
            }),
        };
        let shards = (0..shards.next_power_of_two()).map(shard).collect();
        Self { shards, hasher, clears: 0 }
    }

    /// The hash of a key, the same in every run.
    #[inline]
    pub(crate) fn hash<K: Hash>(&self, key: &K) -> KeyHash {
        KeyHash(self.hasher.hash_one(key))
    }

    #[inline]
    fn shard(&self, hash: KeyHash) -> &Shard {
        &self.shards[(hash.0 >> SHARD_SHIFT) as usize & (self.shards.len() - 1)]
    }

    /// Asks for the memory where a key's slot is likely to be.
    #[inline]
    pub(crate) fn prefetch(&self, hash: KeyHash) {
        let Shard { slots: OwnLine(slots), hint: OwnLine(Hint { start, mask }) } = self.shard(hash);
        prefetch_to_write(slots);
        // Relaxed, both: the address is only a guess, and may be one of slots that are gone.
        let home = hash.kept() as usize & mask.load(Ordering::Relaxed);
        prefetch_address(start.load(Ordering::Relaxed).wrapping_add(home));
    }

    /// Locks the shard of a key.
    #[inline]
    pub(crate) fn lock(&self, hash: KeyHash) -> LockedShard<'_> {
        let shard = self.shard(hash);
        let mut slots = shard.slots.0.lock();
        if slots.clears != self.clears {
            slots.clear(self.clears);
        }
        LockedShard { slots, shard, hash }
    }

    /// Calls `visit` with every node, shard by shard, in no order. No lock is held meanwhile, and
    /// none for longer than it takes to copy [`SLOTS_AT_ONCE`]. Where others add and remove nodes
    /// at the same time, some may be left out, and some come twice.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(NodeId)) {
        let mut copy = Vec::with_capacity(SLOTS_AT_ONCE);
        for shard in &self.shards {
            let mut at = 0;
            loop {
                copy.clear();
                {
                    let slots = shard.slots.0.lock();
                    let some = slots.slots.get(at..).unwrap_or_default();
                    if slots.clears == self.clears {
                        copy.extend_from_slice(&some[..some.len().min(SLOTS_AT_ONCE)]);
                    }
                }
                let used = copy.iter().filter(|&&slot| slot != 0);
                used.for_each(|&slot| visit(NodeId(slot as u32 - 1)));
                if copy.len() < SLOTS_AT_ONCE {
                    break;
                }
                at += SLOTS_AT_ONCE;
            }
        }
    }

    /// Takes the nodes that are to `go` out of the next stretch of slots, and moves on; how many
    /// slots it has looked at. `None` behind the last shard.
    ///
    /// It asks for no key and no hash, which are the user's code and may answer twice differently:
    /// a sweep from the first shard to the last has found every slot of every node.
    pub(crate) fn sweep(
        &self,
        sweep: &mut Sweep,
        mut goes: impl FnMut(NodeId) -> bool,
    ) -> Option<usize> {
        let mut slots = self.shards.get(sweep.shard)?.slots.0.lock();
        // A shard that was not cleared with the others knows only nodes that are forgotten.
        let len = if slots.clears == self.clears { slots.slots.len() } else { 0 };
        // In a shard that has grown meanwhile the slots lie elsewhere.
        let first = if len == sweep.slots { sweep.next } else { 0 };
        let end = len.min(first + SLOTS_OF_STRETCH);
        for at in first..end {
            // Another slot may move into the place of one that goes.
            while slots.slots[at] != 0 && goes(NodeId(slots.slots[at] as u32 - 1)) {
                slots.remove(at);
            }
        }
        *sweep = match end == len {
            true => Sweep { shard: sweep.shard + 1, ..Sweep::default() },
            false => Sweep { shard: sweep.shard, slots: len, next: end },
        };
        Some(end - first)
    }

    /// Forgets all keys, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.clears = self.clears.wrapping_add(1);
    }

    /// Bytes of a table with this many locks that holds one key.
    pub(crate) fn least_bytes(shards: usize) -> u64 {
        Self::first_bytes(shards) + (FIRST_SLOTS * size_of::<u64>()) as u64
    }

    /// Bytes of an empty table with this many locks. What it grows by is taken from the meter.
    pub(crate) fn first_bytes(shards: usize) -> u64 {
        (size_of::<Shard>() * shards.next_power_of_two()) as u64
    }
}

/// The shard of a key, locked.
pub(crate) struct LockedShard<'a> {
    slots: MutexGuard<'a, Slots>,
    shard: &'a Shard,
    hash: KeyHash,
}

impl LockedShard<'_> {
    /// The node of the key, of those with its hash the one that `is_it` knows.
    #[inline]
    pub(crate) fn find(&self, mut is_it: impl FnMut(NodeId) -> bool) -> Option<NodeId> {
        let slots = &self.slots.slots;
        let mask = slots.len().wrapping_sub(1);
        let mut at = self.hash.kept() as usize;
        // Ends: at least one slot is 0.
        while let Some(&slot) = slots.get(at & mask) {
            if slot == 0 {
                return None;
            }
            let node = NodeId(slot as u32 - 1);
            if (slot >> 32) as u32 == self.hash.kept() && is_it(node) {
                return Some(node);
            }
            at = at.wrapping_add(1);
        }
        None
    }

    /// Whether a key can be added. Grows the shard for it if `meter` allows that.
    #[inline]
    pub(crate) fn make_room(&mut self, meter: &Meter) -> bool {
        let (len, used) = (self.slots.slots.len(), self.slots.used + 1);
        // Three quarters full at most: linear probing then looks at 2.5 slots for a key that
        // is there and 8.5 for one that is not (Knuth, volume 3, section 6.4).
        used * 4 <= len * 3 || self.grow(meter) || used * 16 <= len * 15
    }

    /// Adds the key's node. The key is not in the table, and there is room for it.
    pub(crate) fn add(&mut self, node: NodeId) {
        let hash = self.hash.kept();
        self.slots.put(u64::from(hash) << 32 | u64::from(node.0 + 1));
        self.slots.used += 1;
    }

    #[cold]
    fn grow(&mut self, meter: &Meter) -> bool {
        let slots = &mut *self.slots;
        let before = slots.slots.len();
        let len = (before * 2).max(FIRST_SLOTS);
        if !meter.take(((len - before) * size_of::<u64>()) as u64) {
            return false;
        }
        let old = std::mem::replace(&mut slots.slots, vec![0; len]);
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            slots.put(slot);
        }
        self.shard.hint.0.start.store(slots.slots.as_mut_ptr(), Ordering::Relaxed);
        self.shard.hint.0.mask.store(len - 1, Ordering::Relaxed);
        true
    }
}

impl Slots {
    /// Writes a slot to the first free place from its home on.
    fn put(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    /// Takes out the slot at `hole`, which is in use. Slots before it stay where they are.
    fn remove(&mut self, mut hole: usize) {
        let mask = self.slots.len() - 1;
        // Every slot behind that its home allows moves into the hole, and leaves another one
        // (Knuth, volume 3, section 6.4, algorithm R).
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            let home = (slot >> 32) as usize;
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.slots[hole] = slot;
                hole = at;
            }
        }
        self.slots[hole] = 0;
        self.used -= 1;
    }

    #[cold]
    fn clear(&mut self, clears: u32) {
        self.slots.fill(0);
        self.used = 0;
        self.clears = clears;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::collections::HashMap;

    use super::{KeyHash, NodeId, Sweep, Table};
    use crate::mcts::tree::arena::meter_of;

    /// The node of a key, added if it is not there.
    fn get_or_add(table: &Table, keys: &mut Vec<u64>, key: u64, hash: KeyHash) -> NodeId {
        let mut shard = table.lock(hash);
        if let Some(node) = shard.find(|node| keys[node.0 as usize] == key) {
            return node;
        }
        keys.push(key);
        let node = NodeId(keys.len() as u32 - 1);
        assert!(shard.make_room(&meter_of(None)));
        shard.add(node);
        node
    }

    #[test]
    fn a_key_has_one_node() {
        for shards in [1, 64] {
            let (mut table, mut keys) = (Table::new(shards), Vec::new());
            for round in 0..2 {
                for key in 0..5_000 {
                    let hash = table.hash(&key);
                    table.prefetch(hash);
                    assert_eq!(get_or_add(&table, &mut keys, key, hash).0, key as u32, "{round}");
                }
            }
            table.clear();
            let hash = table.hash(&5u64);
            assert_eq!(table.lock(hash).find(|_| true), None);
            keys.clear();
            assert_eq!(get_or_add(&table, &mut keys, 5, hash), NodeId(0));
        }
    }

    /// Sweeps the whole table; between two stretches, `meanwhile` is done.
    fn sweep(table: &Table, goes: impl Fn(NodeId) -> bool, mut meanwhile: impl FnMut()) {
        let mut at = Sweep::default();
        while table.sweep(&mut at, &goes).is_some() {
            meanwhile();
        }
    }

    #[test]
    fn nodes_that_are_swept_out_are_gone_and_the_others_stay() {
        for (shards, homes) in [(1, 50), (1, u64::MAX), (4, u64::MAX)] {
            let (table, mut keys) = (Table::new(shards), Vec::new());
            // With few homes the slots of different keys are mixed, also around the end.
            let hash = |key: u64| KeyHash((key * 7 % homes).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            for key in 0..3_000 {
                get_or_add(&table, &mut keys, key, hash(key));
            }
            // Keys that are added while the sweep is under way, until the shards have grown.
            let mut new = 3_000..6_000;
            let add = || {
                for key in new.by_ref().take(700) {
                    get_or_add(&table, &mut keys, key, hash(key));
                }
            };
            sweep(&table, |node| node.0 < 3_000 && node.0 % 3 == 0, add);
            assert!(new.start > 3_700, "{shards} {homes}: {new:?}");
            for key in 0..new.start {
                let found = table.lock(hash(key)).find(|node| u64::from(node.0) == key);
                assert_eq!(found.is_some(), key >= 3_000 || key % 3 != 0, "{shards} {homes} {key}");
            }
        }
    }

    #[test]
    fn a_node_is_swept_out_under_whatever_hash_it_was_added() {
        let mut table = Table::new(64);
        for number in 0..500 {
            let mut shard = table.lock(KeyHash(u64::from(number % 7).wrapping_mul(1 << 50 | 977)));
            assert!(shard.make_room(&meter_of(None)));
            shard.add(NodeId(number));
        }
        sweep(&table, |node| node.0 % 2 == 0, || ());
        let left = |table: &Table| {
            let mut left = Vec::new();
            table.for_each(|node| left.push(node.0));
            left.sort_unstable();
            left
        };
        assert!(left(&table).into_iter().eq((1..500).step_by(2)));
        table.clear();
        sweep(&table, |_| unreachable!("the table is empty"), || ());
        assert!(left(&table).is_empty());
    }

    #[test]
    fn a_full_shard_without_memory_takes_no_more() {
        let (table, meter) = (Table::new(1), meter_of(Some(16 * 8)));
        let mut shard = table.lock(KeyHash(3));
        let mut added = 0;
        while shard.make_room(&meter) {
            shard.add(NodeId(added));
            added += 1;
        }
        assert_eq!(added, 15);
        assert_eq!(shard.find(|node| node.0 == 99), None);
    }

    #[test]
    fn keys_of_the_same_hash_are_told_apart() {
        let (table, mut keys, mut known) = (Table::new(4), Vec::new(), HashMap::new());
        for turn in 0..600u64 {
            let (key, hash) = (turn % 200, KeyHash(turn % 3));
            let node = get_or_add(&table, &mut keys, key * 3 + turn % 3, hash);
            assert_eq!(*known.entry((key, turn % 3)).or_insert(node), node);
        }
        assert_eq!(keys.len(), known.len());
    }
}
