//! The table from position key to node, behind one lock or one lock per shard.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use ahash::RandomState;

use crate::sync::Mutex;

use super::node::NodeId;

/// A shard on cache lines of its own, so that locks do not share one.
#[repr(align(128))]
struct Shard<K>(Mutex<HashMap<K, NodeId, RandomState>>);

/// Position key to node. Looking up and adding a key happen under one lock, so two workers
/// that reach a position at the same moment get the same node.
pub(crate) struct Table<K> {
    shards: Box<[Shard<K>]>,
    hasher: RandomState,
}

/// Bits of the hash that choose the shard: not the low ones, which the map's buckets use,
/// and not the highest seven, which it uses as tags.
const SHARD_SHIFT: u32 = 40;

impl<K: Eq + Hash> Table<K> {
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
        let shards = (0..shards.next_power_of_two())
            .map(|_| Shard(Mutex::new(HashMap::with_hasher(hasher.clone()))))
            .collect();
        Self { shards, hasher }
    }

    #[inline]
    fn shard(&self, key: &K) -> &Mutex<HashMap<K, NodeId, RandomState>> {
        if let [only] = &*self.shards {
            return &only.0;
        }
        let hash = self.hasher.hash_one(key);
        &self.shards[(hash >> SHARD_SHIFT) as usize & (self.shards.len() - 1)].0
    }

    /// The node of a key; if there is none, the one that `make` gives, which is added.
    /// `make` runs under the lock, and so do `Eq` and `Hash` of the user's key.
    #[inline]
    pub(crate) fn get_or_add(
        &self,
        key: K,
        make: impl FnOnce() -> Option<NodeId>,
    ) -> Option<NodeId> {
        match self.shard(&key).lock().entry(key) {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => make().map(|node| *entry.insert(node)),
        }
    }

    /// Forgets all keys, keeps the memory.
    pub(crate) fn clear(&mut self) {
        for shard in &mut self.shards {
            shard.0.get_mut().clear();
        }
    }

    /// Memory held by the maps, in bytes: a slot and a tag byte for each bucket.
    pub(crate) fn bytes(&self) -> u64 {
        let slot = size_of::<(K, NodeId)>() + 1;
        let held = |shard: &Shard<K>| {
            let capacity = shard.0.lock().capacity();
            // The map's load limit is 7/8, and its bucket count a power of two.
            if capacity == 0 { 0 } else { (capacity * 8 / 7).next_power_of_two() * slot }
        };
        let maps: usize = self.shards.iter().map(held).sum();
        (maps + size_of_val(&*self.shards)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::{NodeId, Table};

    #[test]
    fn a_key_has_one_node() {
        for shards in [1, 64] {
            let mut table = Table::<u64>::new(shards);
            for key in 0..1_000 {
                assert_eq!(
                    table.get_or_add(key, || Some(NodeId(key as u32))).unwrap().0,
                    key as u32
                );
            }
            assert_eq!(table.get_or_add(5, || unreachable!()), Some(NodeId(5)));
            assert_eq!(table.get_or_add(1_000, || None), None);
            assert!(table.bytes() > 1_000 * 16);
            table.clear();
            assert_eq!(table.get_or_add(5, || Some(NodeId(7))), Some(NodeId(7)));
        }
    }
}
