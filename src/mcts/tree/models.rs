//! Models of how the workers share the tree, in which loom tries the interleavings and the
//! values that the memory model lets each load return. `ci/loom.sh` runs them.
//!
//! The clients are the real node, edge and table; what they publish is stood in for by a
//! witness, which holds nothing: loom fails a model in which a reader of it is not ordered
//! after its writer.

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

use super::arena::meter_of;
use super::epoch::Epoch;
use super::node::{Access, Edge, Node, NodeId};
use super::table::{KeyHash, Table};
use super::vacate::Closings;

/// What lies in the arena at one index: written by the thread that was given the index, before it
/// is published.
#[derive(Default)]
struct Witness(UnsafeCell<()>);

// SAFETY: no code dereferences the pointer of the cell.
unsafe impl Sync for Witness {}

impl Witness {
    fn write(&self) {
        self.0.with_mut(|_| ());
    }

    fn read(&self) {
        self.0.with(|_| ());
    }
}

/// A node, a branch and a table, and the witnesses of two indices.
struct Shared {
    node: Node,
    edge: Edge,
    table: Table,
    witnesses: [Witness; 2],
}

impl Shared {
    fn new() -> Arc<Self> {
        let shared = Self {
            node: Node::default(),
            edge: Edge::default(),
            table: Table::new(1),
            witnesses: Default::default(),
        };
        shared.node.reset(0, 0, 0);
        shared.edge.reset();
        Arc::new(shared)
    }
}

/// Runs `work` in two threads, numbered 0 and 1, beside `watch` in this one, and returns what
/// the two have answered.
fn race<T: 'static>(
    shared: &Arc<Shared>,
    work: fn(&Shared, usize) -> T,
    watch: impl FnOnce(&Shared),
) -> [T; 2] {
    let threads = [0, 1].map(|number| {
        let shared = shared.clone();
        thread::spawn(move || work(&shared, number))
    });
    watch(shared);
    threads.map(|thread| thread.join().unwrap())
}

#[test]
fn edges_are_published_once_and_whole() {
    loom::model(|| {
        let shared = Shared::new();
        // The edges of worker 0 begin at 10, those of worker 1 at 11.
        let expand = |shared: &Shared, number: usize| {
            shared.witnesses[number].write();
            // SAFETY: the witness stands for the edges and moves, and was written above.
            unsafe { shared.node.set_edges(10 + number as u32, 3) }
        };
        let look = |shared: &Shared| {
            if let Some(range) = shared.node.edge_range() {
                assert_eq!(range.count(), 3);
                shared.witnesses[range.first() as usize - 10].read();
            }
        };
        let won = race(&shared, expand, look);
        assert_eq!(won.iter().filter(|&&won| won).count(), 1);
        let winner = won.iter().position(|&won| won).unwrap() as u32;
        let range = shared.node.edge_range().map(|range| (range.first(), range.count()));
        assert_eq!(range, Some((10 + winner, 3)));
    });
}

#[test]
fn a_branch_gets_one_child_and_shows_it_whole() {
    loom::model(|| {
        let shared = Shared::new();
        let reach = |shared: &Shared, number: usize| {
            shared.witnesses[number].write();
            let (child, mine) = shared.edge.set_child(NodeId(number as u32)).unwrap();
            shared.witnesses[child.0 as usize].read();
            (child, mine)
        };
        let look = |shared: &Shared| {
            if let Some(child) = shared.edge.child() {
                shared.witnesses[child.0 as usize].read();
            }
        };
        let [one, two] = race(&shared, reach, look);
        assert_eq!(one.0, two.0);
        assert!(one.1 != two.1);
        assert_eq!(shared.edge.child(), Some(one.0));
    });
}

#[test]
fn marks_are_taken_back_beside_a_child_being_set() {
    loom::model(|| {
        let shared = Shared::new();
        let pass = |shared: &Shared, number: usize| {
            shared.edge.mark(2, Access::Shared);
            shared.edge.set_child(NodeId(number as u32));
            shared.edge.unmark(2, Access::Shared);
        };
        race(&shared, pass, |_| ());
        assert_eq!(shared.edge.in_flight(), 0);
        assert!(shared.edge.child().is_some());
    });
}

#[test]
fn a_key_gets_one_node_whoever_comes_first() {
    loom::model(|| {
        let shared = Shared::new();
        let find = |shared: &Shared, number: usize| {
            let mut shard = shared.table.lock(KeyHash(7));
            let node = shard.find(|_| true).unwrap_or_else(|| {
                shared.witnesses[number].write();
                assert!(shard.make_room(&meter_of(None)));
                shard.add(NodeId(number as u32));
                NodeId(number as u32)
            });
            drop(shard);
            shared.witnesses[node.0 as usize].read();
            node
        };
        let [one, two] = race(&shared, find, |_| ());
        assert_eq!(one, two);
    });
}

/// What a worker finds in an edge between two looks at the epoch it may use: the evictor takes
/// the child out of the edge first, and frees it only after the grace period.
#[test]
fn a_child_is_freed_when_nobody_can_know_it() {
    loom::model(|| {
        let shared = Shared::new();
        shared.edge.set_child(NodeId(0));
        let epoch = Arc::new(Epoch::new(1));
        let worker = {
            let (shared, epoch) = (shared.clone(), epoch.clone());
            thread::spawn(move || {
                let pin = epoch.pin(0);
                for _ in 0..2 {
                    if shared.edge.child().is_some() {
                        shared.witnesses[0].read();
                    }
                    pin.renew();
                }
            })
        };
        shared.edge.forget_child(0);
        let new = epoch.raise();
        while !epoch.all_have_seen(new) {
            thread::yield_now();
        }
        // Freed, and given out again.
        shared.witnesses[0].write();
        worker.join().unwrap();
    });
}

/// A worker takes from its block as long as it knows of no closing that the block is in: what is in
/// a closed chunk is given back only after the grace period. Another worker begins meanwhile, with
/// a block of an earlier search.
#[test]
fn a_block_is_left_before_its_chunk_is_given_back() {
    loom::model(|| {
        let shared = Shared::new();
        let tree = Arc::new((Epoch::new(2), Closings::default()));
        let workers = [0, 1].map(|number| {
            let (shared, tree) = (shared.clone(), tree.clone());
            thread::spawn(move || {
                let (epoch, closings) = &*tree;
                let pin = epoch.pin(number);
                for _ in 0..2 - number {
                    if closings.count() == 0 {
                        shared.witnesses[number].read();
                    }
                    pin.renew();
                }
            })
        });
        let (epoch, closings) = &*tree;
        closings.add();
        let new = epoch.raise();
        while !epoch.all_have_seen(new) {
            thread::yield_now();
        }
        shared.witnesses.iter().for_each(Witness::write);
        workers.into_iter().for_each(|worker| worker.join().unwrap());
    });
}
