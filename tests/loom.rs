//! Models of the concurrent protocols, in which loom tries the interleavings of the threads
//! and the values that the memory model lets each load return. `ci/loom.sh` runs them.
//!
//! Each model is a client of the public API. A model that waits for something that never
//! comes fails as well: loom reports a deadlock, or gives up after 1 000 steps.
#![cfg(loom)]

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;
use playtree::StopToken;
use playtree::lock::{DeferLock, NodeLock, ReadGuard};

// ---- the client of the lock -------------------------------------------------------------

/// As a node of the search: counters that are never changed by one atomic step, so that
/// nothing but the lock stands between two updates.
#[derive(Default)]
struct Node {
    lock: NodeLock,
    visits: AtomicU32,
    score: AtomicU32,
    /// Holds nothing. Loom fails the model if two accesses, one of them a write, are not
    /// ordered; atomics alone could not tell it that a reader was overtaken by a writer.
    witness: UnsafeCell<()>,
}

// SAFETY: no thread dereferences the pointer of `witness`; the other fields are `Sync`.
unsafe impl Sync for Node {}

impl Node {
    fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// Counts a visit. The caller holds the lock alone.
    fn update(&self, score: u32) {
        self.witness.with_mut(|_| ());
        self.visits.store(self.visits.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        self.score.store(self.score.load(Ordering::Relaxed) + score, Ordering::Relaxed);
    }

    /// Visits and score. Only a holder of the guard of this node's lock may ask.
    fn totals(&self, _reading: &ReadGuard<'_>) -> (u32, u32) {
        self.witness.with(|_| ());
        (self.visits.load(Ordering::Relaxed), self.score.load(Ordering::Relaxed))
    }
}

/// Runs `work` on the node in another thread.
fn spawn<T: 'static>(
    node: &Arc<Node>,
    work: impl FnOnce(&Node) -> T + 'static,
) -> thread::JoinHandle<T> {
    let node = node.clone();
    thread::spawn(move || work(&node))
}

// ---- many readers or one writer ---------------------------------------------------------

#[test]
fn readers_share() {
    loom::model(|| {
        let node = Node::new();
        let reading = node.lock.read();
        // Joined with the guard in hand: a reader that waited for it would wait for ever.
        let other = spawn(&node, |node| node.totals(&node.lock.read()));
        assert_eq!(other.join().unwrap(), node.totals(&reading));
    });
}

#[test]
fn a_reader_beyond_the_limit_waits_for_a_share() {
    loom::model(|| {
        let node = Node::new();
        let came_in = Arc::new(AtomicU32::new(0));
        // The limit is 2 in a model.
        let (first, second) = (node.lock.read(), node.lock.read());
        let third = came_in.clone();
        let third = spawn(&node, move |node| {
            let _reading = node.lock.read();
            third.store(1, Ordering::Relaxed);
        });
        assert_eq!(came_in.load(Ordering::Relaxed), 0);
        drop(first);
        third.join().unwrap();
        drop(second);
        assert!(node.lock.try_write().is_some());
    });
}

#[test]
fn a_writer_excludes_a_reader() {
    loom::model(|| {
        let node = Node::new();
        let writer = spawn(&node, |node| {
            let _writing = node.lock.write();
            node.update(1);
        });
        let reading = node.lock.read();
        // All of the update or nothing of it.
        let (visits, score) = node.totals(&reading);
        assert_eq!(visits, score);
        drop(reading);
        writer.join().unwrap();
        assert_eq!(node.totals(&node.lock.read()), (1, 1));
    });
}

#[test]
fn a_writer_excludes_a_writer() {
    loom::model(|| {
        let node = Node::new();
        let write = |node: &Node| {
            for _ in 0..2 {
                let _writing = node.lock.write();
                node.update(1);
            }
        };
        let other = spawn(&node, write);
        write(&node);
        other.join().unwrap();
        assert_eq!(node.totals(&node.lock.read()), (4, 4));
    });
}

#[test]
fn blocking_writers_get_in_between_readers() {
    loom::model(|| {
        let node = Node::new();
        let write = |node: &Node| {
            let _writing = node.lock.write();
            node.update(1);
        };
        let other = spawn(&node, write);
        let reader = spawn(&node, |node| {
            for _ in 0..2 {
                let (visits, score) = node.totals(&node.lock.read());
                assert_eq!(visits, score);
            }
        });
        write(&node);
        other.join().unwrap();
        reader.join().unwrap();
        assert_eq!(node.totals(&node.lock.read()), (2, 2));
        // Whichever thread was waited for, no mark of it is left.
        assert!(node.lock.try_write().is_some());
    });
}

#[test]
fn a_writer_waits_for_every_reader() {
    loom::model(|| {
        let node = Node::new();
        let read = |node: &Node| node.totals(&node.lock.read());
        let readers = [spawn(&node, read), spawn(&node, read)];
        let writing = node.lock.write();
        node.update(1);
        drop(writing);
        for reader in readers {
            let (visits, score) = reader.join().unwrap();
            assert_eq!(visits, score);
        }
    });
}

// ---- policy yield -----------------------------------------------------------------------

#[test]
fn a_yielding_writer_never_waits() {
    loom::model(|| {
        let node = Node::new();
        let yielding = |node: &Node| node.lock.try_write().is_some();
        // Joined while the lock is held: a writer that waited would wait for ever.
        let reading = node.lock.read();
        assert!(!spawn(&node, yielding).join().unwrap());
        drop(reading);
        let writing = node.lock.write();
        assert!(!spawn(&node, yielding).join().unwrap());
        drop(writing);
        // And it never refuses a lock that is idle.
        assert!(spawn(&node, yielding).join().unwrap());
    });
}

#[test]
fn yielding_writers_count_or_drop_each_update() {
    loom::model(|| {
        let node = Node::new();
        let update = |node: &Node| match node.lock.try_write() {
            Some(_writing) => {
                node.update(1);
                1
            }
            None => 0,
        };
        let others = [spawn(&node, update), spawn(&node, update)];
        let mut counted = update(&node);
        for other in others {
            counted += other.join().unwrap();
        }
        // The thread that came first found the lock idle.
        assert!(counted >= 1);
        assert_eq!(node.totals(&node.lock.read()), (counted, counted));
    });
}

// ---- policy defer -----------------------------------------------------------------------

/// A node with a lock of the policy defer in place of its own, and a mailbox with a slot for each
/// record. The slots are read and written `Relaxed`, so that nothing but the announcement makes a
/// record visible: a mailbox with a lock of its own would hide an ordering that is missing in ours.
#[derive(Default)]
struct Deferring {
    lock: DeferLock,
    node: Node,
    mailbox: [AtomicU32; 3],
}

impl Deferring {
    fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// Leaves a record in a slot of its own.
    fn leave(&self, slot: usize, score: u32) {
        self.mailbox[slot].store(score, Ordering::Relaxed);
    }

    /// Does the work that was left. The caller holds the lock.
    fn collect(&self) {
        for slot in &self.mailbox {
            let score = slot.load(Ordering::Relaxed);
            if score != 0 {
                slot.store(0, Ordering::Relaxed);
                self.node.update(score);
            }
        }
    }

    /// An update by the policy defer. Says whether the record was left to another.
    fn update(&self, slot: usize, score: u32) -> bool {
        let (mut holder, left) = match self.lock.try_hold() {
            Some(holder) => {
                self.node.update(score);
                (holder.release(), false)
            }
            None => {
                self.leave(slot, score);
                let holder = self.lock.announce();
                let left = holder.is_none();
                (holder, left)
            }
        };
        while let Some(held) = holder {
            self.collect();
            holder = held.release();
        }
        left
    }

    /// Nothing is lost, nothing is counted twice, and the lock is free.
    fn check(&self, visits: u32, score: u32) {
        assert_eq!(self.node.totals(&self.lock.read()), (visits, score));
        assert!(self.lock.try_hold().is_some());
    }
}

#[test]
fn no_deferred_update_is_lost() {
    loom::model(|| {
        let deferring = Deferring::new();
        let other = deferring.clone();
        let other = thread::spawn(move || {
            other.update(0, 1);
            other.update(1, 2);
        });
        deferring.update(2, 4);
        other.join().unwrap();
        deferring.check(3, 7);
    });
}

#[test]
fn no_deferred_update_of_three_is_lost() {
    loom::model(|| {
        let deferring = Deferring::new();
        let others = [1, 2].map(|slot| {
            let other = deferring.clone();
            thread::spawn(move || other.update(slot, 1 << slot))
        });
        deferring.update(0, 1);
        for other in others {
            other.join().unwrap();
        }
        deferring.check(3, 7);
    });
}

#[test]
fn an_announcer_races_with_the_release() {
    loom::model(|| {
        let deferring = Deferring::new();
        let mut holder = deferring.lock.try_hold();
        assert!(holder.is_some());
        // Two of them, so that one may find the announcement of the other.
        let others = [0, 1].map(|slot| {
            let other = deferring.clone();
            thread::spawn(move || other.update(slot, 1 << slot))
        });
        while let Some(held) = holder {
            holder = held.release();
            if holder.is_some() {
                deferring.collect();
            }
        }
        for other in others {
            other.join().unwrap();
        }
        deferring.check(2, 3);
    });
}

#[test]
fn an_announcer_does_not_wait_for_the_holder() {
    loom::model(|| {
        let deferring = Deferring::new();
        let holder = deferring.lock.try_hold().unwrap();
        // Joined while the lock is held: an announcer that waited would wait for ever.
        let other = deferring.clone();
        assert!(thread::spawn(move || other.update(0, 1)).join().unwrap());
        let holder = holder.release().unwrap();
        deferring.collect();
        assert!(holder.release().is_none());
        deferring.check(1, 1);
    });
}

#[test]
fn an_announcer_waits_for_readers_only() {
    loom::model(|| {
        let deferring = Deferring::new();
        let reader = deferring.clone();
        let reader = thread::spawn(move || {
            let (visits, score) = reader.node.totals(&reader.lock.read());
            assert_eq!(visits, score);
        });
        let other = deferring.clone();
        let other = thread::spawn(move || other.update(0, 1));
        deferring.update(1, 1);
        reader.join().unwrap();
        other.join().unwrap();
        deferring.check(2, 2);
    });
}

#[test]
fn a_mark_that_comes_too_late_is_not_made() {
    loom::model(|| {
        let deferring = Deferring::new();
        let reading = deferring.lock.read();
        // May meet the reader, and mark the lock as waited for when the reader is gone and the next
        // holder is there, which could never free the lock then.
        let other = deferring.clone();
        let other = thread::spawn(move || other.update(0, 1));
        drop(reading);
        deferring.update(1, 1);
        other.join().unwrap();
        deferring.check(2, 2);
    });
}

// ---- the stop flag ----------------------------------------------------------------------

#[test]
fn a_stop_token_ends_the_loop_of_a_worker() {
    loom::model(|| {
        let (token, node) = (StopToken::new(), Node::new());
        let seen = token.clone();
        let worker = spawn(&node, move |node| {
            let mut simulations = 0;
            while !seen.is_stopped() {
                let _writing = node.lock.write();
                node.update(1);
                simulations += 1;
                thread::yield_now();
            }
            simulations
        });
        token.stop();
        // The flag carries no data: the results are there because the worker is joined.
        let simulations = worker.join().unwrap();
        assert!(token.is_stopped());
        assert_eq!(node.totals(&node.lock.read()), (simulations, simulations));
    });
}

// ---- expansion, table insert ------------------------------------------------------------
