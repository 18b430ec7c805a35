//! The node lock alone, beside `parking_lot::RwLock`: taken and given back by one thread, and
//! by two threads that want the same lock all the time.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use parking_lot::RwLock;
use playtree::lock::{DeferLock, NodeLock};

const THREADS: u64 = 2;

/// What an update of a node does: a load and a store that only the lock makes one step.
fn add_one(visits: &AtomicU64) {
    visits.store(visits.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

/// An update by the policy defer, whose work waits in a counter. Returns after it is done or
/// left to the holder.
fn add_one_or_leave_it(lock: &DeferLock, left: &AtomicU64, visits: &AtomicU64) {
    let mut holder = match lock.try_hold() {
        Some(holder) => {
            add_one(visits);
            holder.release()
        }
        None => {
            left.fetch_add(1, Ordering::Relaxed);
            lock.announce()
        }
    };
    while let Some(held) = holder {
        for _ in 0..left.swap(0, Ordering::Relaxed) {
            add_one(visits);
        }
        holder = held.release();
    }
}

fn alone(c: &mut Criterion) {
    let (ours, theirs) = (NodeLock::new(), RwLock::new(()));
    let deferring = DeferLock::new();
    let (left, visits) = (AtomicU64::new(0), AtomicU64::new(0));
    assert!(ours.try_write().is_some() && theirs.try_write().is_some(), "an idle lock refused");

    let mut group = c.benchmark_group("lock alone");
    group.bench_function("read", |b| b.iter(|| drop(black_box(&ours).read())));
    group.bench_function("read, parking_lot", |b| b.iter(|| drop(black_box(&theirs).read())));
    group.bench_function("write", |b| b.iter(|| drop(black_box(&ours).write())));
    group.bench_function("write, parking_lot", |b| b.iter(|| drop(black_box(&theirs).write())));
    group.bench_function("try_write", |b| b.iter(|| black_box(&ours).try_write().is_some()));
    group.bench_function("try_write, parking_lot", |b| {
        b.iter(|| black_box(&theirs).try_write().is_some());
    });
    group.bench_function("try_hold, update, release", |b| {
        b.iter(|| add_one_or_leave_it(black_box(&deferring), &left, &visits));
    });
    group.finish();
}

/// The time in which all threads together do `updates` updates.
fn time_updates(updates: u64, update: impl Fn() + Sync) -> Duration {
    let start = Barrier::new(THREADS as usize + 1);
    thread::scope(|s| {
        let (start, update) = (&start, &update);
        for thread in 0..THREADS {
            s.spawn(move || {
                start.wait();
                (thread..updates).step_by(THREADS as usize).for_each(|_| update());
            });
        }
        start.wait();
        Instant::now()
    })
    .elapsed()
}

/// Times an update of a counter by two threads, once it is seen that none is lost.
fn compare(c: &mut Criterion, name: &str, visits: &AtomicU64, update: impl Fn() + Sync) {
    const CHECKED: u64 = 100_000;
    visits.store(0, Ordering::Relaxed);
    time_updates(CHECKED, &update);
    assert_eq!(visits.load(Ordering::Relaxed), CHECKED, "{name}: updates were lost");
    c.benchmark_group("lock wanted by two threads")
        .bench_function(name, |b| b.iter_custom(|updates| time_updates(updates, &update)));
}

fn contended(c: &mut Criterion) {
    let (ours, theirs) = (NodeLock::new(), RwLock::new(()));
    let deferring = DeferLock::new();
    let (left, visits) = (AtomicU64::new(0), AtomicU64::new(0));
    compare(c, "block", &visits, || {
        let _writing = ours.write();
        add_one(&visits);
    });
    compare(c, "defer", &visits, || add_one_or_leave_it(&deferring, &left, &visits));
    compare(c, "parking_lot", &visits, || {
        let _writing = theirs.write();
        add_one(&visits);
    });
}

criterion_group! {
    name = lock;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = alone, contended
}
criterion_main!(lock);
