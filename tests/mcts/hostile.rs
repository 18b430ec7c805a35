//! Games in safe code whose keys and moves break a law or panic, with positions that are evicted,
//! forgotten and replaced all the time: no value is used after it was dropped, or dropped twice.

use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use playtree::game::{Played, RolloutPolicy, random_move};
use playtree::games::TicTacToe;
use playtree::mcts::{self, Parallelism, RoundSize};
use playtree::{Budget, GameState, GameTag, Mcts, MctsBuilder, Outcome, Rng, SearchError, save};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What became of the values of one test. All of them are made in its thread.
#[derive(Default)]
struct Log {
    /// Whether a value is alive, by its number.
    alive: Mutex<Vec<bool>>,
    used_dead: AtomicU32,
    dropped_twice: AtomicU32,
    old_hashed: AtomicU32,
    /// One in this number of drops of old values panics; 0: none.
    drops_for_panic: AtomicU32,
    drops: AtomicU32,
    /// Whether a key is another one each time it is asked for, and how often it was.
    keys_change: AtomicU32,
    keys: AtomicU64,
}

thread_local! {
    static LOG: &'static Log = Box::leak(Box::default());
}

/// A value is old when this number of others were made after it: it has been stored.
const OLD: usize = 1_000;

impl Log {
    fn here() -> &'static Self {
        LOG.with(|log| *log)
    }

    fn let_drops_panic(&self, drops_for_panic: u32) {
        self.drops_for_panic.store(drops_for_panic, Ordering::Relaxed);
    }

    fn alive(&self) -> usize {
        self.alive.lock().unwrap().iter().filter(|&&alive| alive).count()
    }

    fn check(&self) {
        let faults = [&self.used_dead, &self.dropped_twice];
        let faults = faults.map(|count| count.load(Ordering::Relaxed));
        assert_eq!(faults, [0, 0], "uses after a drop, and second drops");
    }
}

/// A number that knows whether it is alive. No memory belongs to it, so that the test that finds a
/// fault can say so.
#[derive(Debug)]
struct Watched {
    log: &'static Log,
    number: usize,
    value: u64,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Log")
    }
}

impl Watched {
    fn new(value: u64) -> Self {
        let log = Log::here();
        let mut alive = log.alive.lock().unwrap();
        alive.push(true);
        Self { log, number: alive.len() - 1, value }
    }

    fn used(&self) -> u64 {
        if !self.log.alive.lock().unwrap()[self.number] {
            self.log.used_dead.fetch_add(1, Ordering::Relaxed);
        }
        self.value
    }

    fn is_old(&self) -> bool {
        self.log.alive.lock().unwrap().len() > self.number + OLD
    }
}

impl Clone for Watched {
    fn clone(&self) -> Self {
        Self::new(self.used())
    }
}

impl PartialEq for Watched {
    fn eq(&self, other: &Self) -> bool {
        self.used() == other.used()
    }
}

impl Eq for Watched {}

impl Hash for Watched {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.log.old_hashed.fetch_add(u32::from(self.is_old()), Ordering::Relaxed);
        self.used().hash(state);
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let log = self.log;
        let was_alive = std::mem::replace(&mut log.alive.lock().unwrap()[self.number], false);
        log.dropped_twice.fetch_add(u32::from(!was_alive), Ordering::Relaxed);
        let every = log.drops_for_panic.load(Ordering::Relaxed);
        if every > 0 && self.is_old() && !std::thread::panicking() {
            let drops = log.drops.fetch_add(1, Ordering::Relaxed);
            assert!(drops % every != every - 1, "a drop panics");
        }
    }
}

impl Serialize for Watched {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.used().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Watched {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer).map(Self::new)
    }
}

/// Thirty plies with four moves each; nearly every position is another one.
#[derive(Clone)]
struct Wild {
    at: u64,
    plies: u32,
}

const START: Wild = Wild { at: 1, plies: 0 };

impl GameState for Wild {
    type Key = Watched;
    type Move = Watched;

    fn key(&self) -> Watched {
        let log = Log::here();
        let asked = log.keys.fetch_add(1, Ordering::Relaxed);
        let changes = u64::from(log.keys_change.load(Ordering::Relaxed));
        Watched::new(self.at << 8 | u64::from(self.plies) ^ (asked * changes) << 40)
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<Watched>) {
        moves.extend((0..4).map(Watched::new));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies == 30).then_some(Outcome::Win(self.at.count_ones() as usize % 2))
    }

    fn apply(&self, mv: &Watched) -> Self {
        let at = (self.at * 4 + mv.used() + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24;
        Self { at, plies: self.plies + 1 }
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        CoinFlip
    }
}

struct CoinFlip;

impl RolloutPolicy<Wild> for CoinFlip {
    fn play(&self, _: &Wild, rng: &mut Rng) -> Option<Outcome> {
        Some(Outcome::Win(rng.below(2)))
    }
}

fn engine(seed: u64) -> Mcts<Wild> {
    Mcts::builder().threads(1).seed(seed).memory_limit(Some(100_000)).build().unwrap()
}

/// Whether the call has panicked.
fn panics<T>(call: impl FnOnce() -> T) -> bool {
    catch_unwind(AssertUnwindSafe(call)).is_err()
}

#[test]
fn a_key_that_changes_does_not_outlive_its_node() {
    let log = Log::here();
    log.keys_change.store(1, Ordering::Relaxed);
    for seed in 0..4 {
        let mut mcts = engine(seed);
        for _ in 0..3 {
            let report = mcts.search(&START, &Budget::simulations(4_000)).unwrap();
            assert!(report.evicted > 0);
            log.check();
        }
    }
    log.check();
    assert_eq!(log.alive(), 0);
}

/// So no `Hash` that panics or answers otherwise can stop an eviction half way.
#[test]
fn no_key_is_hashed_in_an_eviction() {
    let log = Log::here();
    let report = engine(1).search(&START, &Budget::simulations(10_000)).unwrap();
    assert!(report.evicted > 0);
    assert_eq!(log.old_hashed.load(Ordering::Relaxed), 0);
}

#[test]
fn a_drop_that_panics_leaves_no_value_to_be_dropped_again() {
    let log = Log::here();
    let mut panicked = 0;
    let mut mcts = engine(2);
    let mut search = || mcts.search(&START, &Budget::simulations(3_000)).unwrap();
    let (nodes, visits) = (search().nodes, 3_000);
    log.let_drops_panic(97);
    for _ in 0..40 {
        panicked += u32::from(panics(&mut search));
    }
    log.let_drops_panic(0);
    log.check();
    assert!(panicked >= 10, "{panicked} panics");
    let report = search();
    log.check();
    // Nothing but the values is lost: there is the same room as before.
    assert!(report.evicted > 0 && report.simulations == visits, "{report:?}");
    assert!(report.nodes > nodes / 2, "{} nodes, and {nodes} before", report.nodes);
    mcts.audit().unwrap();
    drop((report, mcts));
    log.check();
}

/// What a report says of the search.
fn facts(report: &mcts::Report<Watched>) -> (u64, u64, Vec<(u64, u64)>) {
    let moves = report.moves.iter().map(|branch| (branch.mv.value, branch.visits)).collect();
    (report.nodes, report.bytes, moves)
}

#[test]
fn a_drop_that_panics_leaves_an_empty_engine() {
    let log = Log::here();
    let fresh = facts(&engine(3).search(&START, &Budget::simulations(900)).unwrap());
    for clear in [false, true] {
        let mut mcts = engine(3);
        mcts.search(&START, &Budget::simulations(5_000)).unwrap();
        log.let_drops_panic(50);
        assert!(panics(|| if clear { mcts.clear() } else { mcts.forget() }));
        log.let_drops_panic(0);
        log.check();
        mcts.clear();
        let report = mcts.search(&START, &Budget::simulations(900)).unwrap();
        assert_eq!(facts(&report), fresh);
        mcts.audit().unwrap();
        log.let_drops_panic(50);
        assert!(panics(|| drop(mcts)));
        log.let_drops_panic(0);
        log.check();
    }
}

#[test]
fn a_drop_that_panics_does_not_mix_the_tables_of_a_load() {
    let log = Log::here();
    let file = std::env::temp_dir().join(format!("playtree-hostile-{}", std::process::id()));
    let tag = GameTag::new("wild", 1);
    let mut saved = engine(4);
    saved.search(&START, &Budget::simulations(500)).unwrap();
    saved.save(&file, &tag, &save::Options::default()).unwrap();
    let mut other = engine(4);
    other.load(&file, &tag).unwrap();
    let budget = Budget::simulations(700);
    let expected = other.search(&START, &budget).unwrap();
    let mut mcts = engine(4);
    mcts.search(&START, &Budget::simulations(2_000)).unwrap();
    log.let_drops_panic(50);
    assert!(panics(|| mcts.load(&file, &tag).map(|_| ())));
    log.let_drops_panic(0);
    std::fs::remove_file(&file).unwrap();
    log.check();
    // The table of the file is there, and the next positions take no place of its own.
    let report = mcts.search(&START, &budget).unwrap();
    mcts.audit().unwrap();
    assert_eq!(report.moves.len(), expected.moves.len());
    let visits =
        |report: &mcts::Report<Watched>| report.moves.iter().map(|mv| mv.visits).sum::<u64>();
    assert_eq!(visits(&report), visits(&expected));
    drop((report, expected, mcts, other, saved));
    log.check();
}

/// A game in which nothing has to be chosen, and no position tells itself from the next one.
#[derive(Clone)]
struct Waiting(u32);

impl GameState for Waiting {
    type Key = ();
    type Move = ();

    fn key(&self) {}

    fn mover(&self) -> usize {
        self.0 as usize % 2
    }

    fn plies(&self) -> u32 {
        self.0
    }

    fn moves(&self, moves: &mut Vec<()>) {
        moves.push(());
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 5).then_some(Outcome::Win(0))
    }

    fn apply(&self, (): &()) -> Self {
        Self(self.0 + 1)
    }
}

#[test]
fn keys_and_moves_need_no_size() {
    for (limit, proofs) in [(None, false), (None, true), (Some(60_000), false)] {
        for scheme in [mcts::Sharing::PerPath, mcts::Sharing::Shared] {
            let builder = Mcts::builder().threads(1).sharing(scheme).proofs(proofs);
            let mut mcts = builder.memory_limit(limit).build().unwrap();
            let report = mcts.search(&Waiting(0), &Budget::simulations(200)).unwrap();
            assert_eq!((report.moves.len(), report.best_move), (1, ()));
            mcts.audit().unwrap();
            mcts.forget();
        }
    }
}

/// Says that it plays games side by side, and plays none.
struct Lazy;

impl RolloutPolicy<TicTacToe> for Lazy {
    fn side_by_side(&self) -> usize {
        8
    }
}

/// Plays more side by side each time that it is asked.
#[derive(Default)]
struct Growing(AtomicUsize);

impl RolloutPolicy<TicTacToe> for Growing {
    fn side_by_side(&self) -> usize {
        2 + self.0.fetch_add(1, Ordering::Relaxed)
    }

    fn play_side_by_side(
        &self,
        _: &[&TicTacToe],
        _: &mut Rng,
        outcomes: &mut [Outcome],
        _: &mut [Played],
    ) {
        outcomes.fill(Outcome::Draw);
    }
}

#[test]
fn policies_that_do_not_keep_their_word_end_no_program() {
    let search = |builder: MctsBuilder<TicTacToe>, parallelism| {
        let builder = builder.threads(1).proofs(false).round_size(RoundSize::Fixed(64));
        let mut mcts = builder.parallelism(parallelism).build().unwrap();
        let found = mcts.search(&TicTacToe::new(), &Budget::simulations(10_000));
        mcts.audit().unwrap();
        found.map(|report| report.simulations)
    };
    let gives_up = |state: &TicTacToe, rng: &mut Rng, moves: &mut Vec<_>| {
        random_move(state, rng, moves).filter(|_| state.plies() < 6)
    };
    for parallelism in [Parallelism::Shared, Parallelism::Rounds] {
        let found = search(Mcts::builder().rollouts(Lazy), parallelism);
        assert!(matches!(found, Err(SearchError::Outcome { .. })), "{found:?}");
        let found = search(Mcts::builder().rollouts(gives_up), parallelism);
        assert!(matches!(found, Err(SearchError::PolicyMove { plies: 6.. })), "{found:?}");
        let found = search(Mcts::builder().rollouts(Growing::default()), parallelism);
        assert_eq!(found, Ok(10_000));
    }
}
