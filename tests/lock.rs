//! The node lock under more threads than cores: every thread gets on, and nothing is lost.
//!
//! The runs stop by time, not by count: it is the time under load that finds races.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use playtree::lock::{DeferLock, NodeLock};

const THREADS: usize = if cfg!(miri) { 4 } else { 64 };
const STEPS: usize = if cfg!(miri) { 8 } else { 256 };
const LOAD: Duration = Duration::from_millis(if cfg!(miri) { 20 } else { 400 });

/// Counters that only the lock keeps from losing updates.
#[derive(Default)]
struct Node {
    lock: NodeLock,
    visits: AtomicU64,
    score: AtomicU64,
}

impl Node {
    /// Adds to both by a load and a store. The caller holds the lock alone.
    fn add(&self, score: u64) {
        self.visits.store(self.visits.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        self.score.store(self.score.load(Ordering::Relaxed) + score, Ordering::Relaxed);
    }

    /// Reads both. The caller holds the lock.
    fn totals(&self) -> (u64, u64) {
        (self.visits.load(Ordering::Relaxed), self.score.load(Ordering::Relaxed))
    }
}

/// Runs `step(thread, round)` on all threads again and again for as long as the load lasts,
/// and returns the sum of what it returned.
fn under_load(step: impl Fn(usize, u64) -> u64 + Sync) -> u64 {
    let start = Barrier::new(THREADS);
    thread::scope(|s| {
        let (start, step) = (&start, &step);
        let worker = |thread| {
            move || {
                start.wait();
                let end = Instant::now() + LOAD;
                let (mut sum, mut round) = (0, 0);
                while round == 0 || Instant::now() < end {
                    // No look at the clock in between: it would keep the threads apart.
                    for _ in 0..STEPS {
                        sum += step(thread, round);
                        round += 1;
                    }
                }
                sum
            }
        };
        let workers: Vec<_> = (0..THREADS).map(|thread| s.spawn(worker(thread))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    })
}

#[test]
fn readers_and_writers_of_all_kinds_get_on() {
    let node = Node::default();
    let written = under_load(|thread, round| match (thread as u64 + round) % 4 {
        0 => {
            let _writing = node.lock.write();
            node.add(3);
            1
        }
        1 => match node.lock.try_write() {
            Some(_writing) => {
                node.add(3);
                1
            }
            None => 0,
        },
        _ => {
            let _reading = node.lock.read();
            let (visits, score) = node.totals();
            assert_eq!(3 * visits, score, "a reader saw half an update");
            0
        }
    });
    assert!(written > 0);
    assert_eq!(node.totals(), (written, 3 * written));
    assert!(node.lock.try_write().is_some(), "the lock is left free: {:?}", node.lock);
}

#[test]
fn no_deferred_update_is_lost() {
    let (lock, node) = (DeferLock::new(), Node::default());
    let mailbox = Mutex::new(Vec::new());
    let updates = under_load(|thread, round| {
        if (thread as u64 + round).is_multiple_of(4) {
            let _reading = lock.read();
            let (visits, score) = node.totals();
            assert_eq!(3 * visits, score, "a reader saw half an update");
            return 0;
        }
        let mut holder = match lock.try_hold() {
            Some(holder) => {
                node.add(3);
                holder.release()
            }
            None => {
                mailbox.lock().push(3);
                lock.announce()
            }
        };
        while let Some(held) = holder {
            let left = std::mem::take(&mut *mailbox.lock());
            left.into_iter().for_each(|score| node.add(score));
            holder = held.release();
        }
        1
    });
    assert!(mailbox.lock().is_empty(), "a record was left behind");
    assert_eq!(node.totals(), (updates, 3 * updates));
    assert!(lock.try_hold().is_some(), "the lock is left free: {lock:?}");
}

/// Two readers take the lock in turn, and each keeps its share until the other has the next: the
/// lock is never without a reader, unless something keeps the next one out.
#[test]
fn readers_that_overlap_do_not_starve_a_writer() {
    let lock = NodeLock::new();
    let (turn, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let is_over = || over.load(Ordering::Relaxed);
    let patience = Duration::from_millis(if cfg!(miri) { 500 } else { 100 });
    let pass_on = |me: u64| {
        while !is_over() {
            if turn.load(Ordering::Relaxed) % 2 != me {
                thread::yield_now();
                continue;
            }
            let _reading = lock.read();
            let mine = turn.fetch_add(1, Ordering::Relaxed);
            // The other one is kept out if it does not come for long.
            let since = Instant::now();
            while turn.load(Ordering::Relaxed) == mine + 1
                && !is_over()
                && since.elapsed() < patience
            {
                thread::yield_now();
            }
        }
    };
    thread::scope(|s| {
        let pass_on = &pass_on;
        for me in [0, 1] {
            s.spawn(move || pass_on(me));
        }
        // Not before the readers overlap.
        while turn.load(Ordering::Relaxed) < 4 {
            thread::yield_now();
        }
        let writer = s.spawn(|| (0..3).for_each(|_| drop(lock.write())));
        let start = Instant::now();
        while !writer.is_finished() && start.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(1));
        }
        let starved = !writer.is_finished();
        over.store(true, Ordering::Relaxed);
        assert!(!starved, "three writes were not done in ten seconds: {lock:?}");
    });
}
