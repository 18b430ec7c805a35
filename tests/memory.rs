//! The memory limit: it is kept, as the allocator sees it, the search goes on at
//! it, nothing is lost or freed twice, and what is known agrees all the time.

#![cfg(feature = "games")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use playtree::games::{ConnectFour, Hex};
use playtree::mcts::{self, LockPolicy, RoundSize, Selection, Sharing};
use playtree::{Budget, GameState, Mcts, Outcome};

/// Counts the bytes that the program holds.
struct Counting;

static HELD: AtomicI64 = AtomicI64::new(0);
static MOST: AtomicI64 = AtomicI64::new(0);

fn changed(by: i64) {
    let now = HELD.fetch_add(by, Ordering::Relaxed) + by;
    MOST.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        changed(layout.size() as i64);
        // SAFETY: as the caller says.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        changed(layout.size() as i64);
        // SAFETY: as the caller says.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        changed(-(layout.size() as i64));
        // SAFETY: as the caller says.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The counts are of the whole program: one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[test]
fn the_allocator_sees_what_the_limit_allows() {
    let _alone = alone();
    for workers in [1, 2] {
        for limit in [1_500_000, 2_500_000] {
            stays_below(&ConnectFour::new(), workers, limit);
            stays_below(&Hex::default(), workers, limit);
        }
    }
}

fn stays_below<G: GameState>(start: &G, workers: usize, limit: usize) {
    let before = HELD.load(Ordering::Relaxed);
    let mut mcts = Mcts::builder()
        .threads(workers)
        .oversubscribe(true)
        .memory_limit(Some(limit))
        .build()
        .unwrap();
    MOST.store(HELD.load(Ordering::Relaxed), Ordering::Relaxed);
    let report = search_until_evicted(&mut mcts, start, 150_000);
    let most = MOST.load(Ordering::Relaxed) - before;
    println!("{workers} worker(s), limit {limit}: the allocator saw {most} bytes at most");
    assert!(report.memory_full);
    assert_eq!(report.simulations, 150_000);
    assert!(report.bytes <= limit as u64);
    // Threads, the report and the lists of chunks are not counted, and a round that goes
    // deeper than the one before may need more than its worker's share.
    assert!(most <= limit as i64 * 102 / 100 + 30_000, "{most} of {limit}");
    // Nor does the limit leave much unused.
    assert!(report.bytes >= limit as u64 * 4 / 5, "{} of {limit}", report.bytes);
    mcts.audit().unwrap();
    mcts.clear();
    drop(report);
    let held = HELD.load(Ordering::Relaxed) - before;
    assert!(held < limit as i64 / 10, "cleared, and still {held} bytes are held");
}

/// Searches of this length until one has evicted positions.
///
/// One worker reaches the limit at the same simulation each time. With more of them the system
/// decides when each runs: the limit may be reached in the last rounds, and an eviction waits until
/// every worker has ended its round, which one without a core does not.
fn search_until_evicted<G: GameState>(
    mcts: &mut Mcts<G>,
    start: &G,
    simulations: u64,
) -> mcts::Report<G::Move> {
    for _ in 0..100 {
        let report = mcts.search(start, &Budget::simulations(simulations)).unwrap();
        if report.evicted > 0 {
            return report;
        }
        assert!(mcts.workers() > 1, "one worker reaches the limit in {simulations} simulations");
    }
    panic!("no eviction in a hundred searches of {simulations} simulations");
}

#[test]
fn whatever_the_settings_what_is_known_agrees() {
    let _alone = alone();
    let settings = [
        (LockPolicy::Block, Sharing::Shared, Selection::default()),
        (LockPolicy::Yield, Sharing::Shared, Selection::default()),
        (LockPolicy::Defer, Sharing::Shared, Selection::default()),
        (LockPolicy::Block, Sharing::PerPath, Selection::default()),
        (LockPolicy::Block, Sharing::Shared, Selection::Ucb1Tuned),
    ];
    for (lock_policy, scheme, selection) in settings {
        for (workers, round) in [(1, 1), (4, 64)] {
            let mut mcts = Mcts::builder()
                .threads(workers)
                .oversubscribe(true)
                .lock_policy(lock_policy)
                .sharing(scheme)
                .selection(selection)
                .round_size(RoundSize::Fixed(round))
                .memory_limit(Some(400_000))
                .build()
                .unwrap();
            let mut state = ConnectFour::new();
            let mut evicted = 0;
            while state.plies() < 12 {
                let report = mcts.search(&state, &Budget::simulations(30_000)).unwrap();
                mcts.audit().unwrap_or_else(|wrong| {
                    panic!("{lock_policy:?} {scheme:?} {selection:?} {workers}: {wrong}")
                });
                evicted += report.evicted;
                state = state.apply(&report.best_move);
            }
            println!("{lock_policy:?} {scheme:?} {workers}: {evicted}");
            assert!(evicted > 1_000, "{lock_policy:?} {scheme:?} {workers}: {evicted}");
        }
    }
}

#[test]
fn a_seed_fixes_the_search_at_the_limit_too() {
    let _alone = alone();
    let run = || {
        let builder = Mcts::builder().threads(1).seed(5).memory_limit(Some(300_000));
        let mut mcts = builder.build().unwrap();
        let report = mcts.search(&ConnectFour::new(), &Budget::simulations(100_000)).unwrap();
        let visits: Vec<u64> = report.moves.iter().map(|mv| mv.visits).collect();
        (visits, report.nodes, report.evicted)
    };
    assert_eq!(run(), run());
}

/// A proof does not need the positions that it was made of.
#[test]
fn proofs_survive_the_limit() {
    let _alone = alone();
    let start: playtree::games::NormalNim = playtree::Notation::parse_position("5,6,7").unwrap();
    let mut mcts = Mcts::builder().threads(1).memory_limit(Some(120_000)).build().unwrap();
    let report = mcts.search(&start, &Budget::simulations(2_000_000)).unwrap();
    assert!(report.evicted > 0);
    assert!(matches!(report.proven, Some(playtree::Proven::Win { .. })), "{:?}", report.proven);
    mcts.audit().unwrap();
}

/// Moves and keys that own memory, and are counted.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

#[derive(Debug, PartialEq, Eq, Hash)]
struct Counted(Box<u32>);

impl Counted {
    fn new(value: u32) -> Self {
        ALIVE.fetch_add(1, Ordering::Relaxed);
        Self(Box::new(value))
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self::new(*self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Twelve plies; each adds a digit of 0 to 4 to a sum: even sums win.
#[derive(Clone)]
struct Sum {
    sum: u32,
    plies: u32,
}

impl GameState for Sum {
    type Key = Counted;
    type Move = Counted;

    fn key(&self) -> Counted {
        Counted::new(self.sum << 8 | self.plies)
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<Counted>) {
        moves.extend((0..5).map(Counted::new));
    }

    fn outcome(&self) -> Option<Outcome> {
        let win = Outcome::Win(self.sum.count_ones() as usize % 2);
        (self.plies == 12).then_some(win)
    }

    fn apply(&self, mv: &Counted) -> Self {
        Self { sum: self.sum * 5 + *mv.0, plies: self.plies + 1 }
    }
}

#[test]
fn moves_and_keys_are_dropped_once() {
    let _alone = alone();
    for scheme in [Sharing::Shared, Sharing::PerPath] {
        let mut mcts = Mcts::builder()
            .threads(2)
            .oversubscribe(true)
            .sharing(scheme)
            .memory_limit(Some(150_000))
            .build()
            .unwrap();
        let start = Sum { sum: 0, plies: 0 };
        let report = search_until_evicted(&mut mcts, &start, 60_000);
        mcts.audit().unwrap();
        drop(report);
        mcts.forget();
        // The workers keep lists, and no moves in them: that would be up to which worker did what.
        assert_eq!(ALIVE.load(Ordering::Relaxed), 0, "{scheme:?}, forgotten");
        mcts.search(&start, &Budget::simulations(30_000)).unwrap();
        drop(mcts);
        assert_eq!(ALIVE.load(Ordering::Relaxed), 0, "{scheme:?}, dropped");
    }
}
