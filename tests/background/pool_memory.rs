//! The bytes of a pool, and the memory limit of an engine that searches.

use std::thread;
use std::time::{Duration, Instant};

use playtree::games::{ConnectFour, Othello};
use playtree::mcts::{Parallelism, Selection, Sharing};
use playtree::{AlphaBeta, Budget, ConfigError, Handle, Mcts, MctsBuilder, Pool, Solver};

use crate::alphabeta::Moves;

const MIB: u64 = 1 << 20;

/// Waits until something is so that others do in their time.
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
        thread::sleep(Duration::from_millis(1));
    }
}

fn pool(bytes: u64, engines: usize) -> Pool {
    Pool::builder().threads(2).memory(bytes).engines(engines).build().unwrap()
}

fn mcts(pool: &Pool, threads: usize) -> Mcts<Othello> {
    let builder = Mcts::builder().threads(threads).oversubscribe(true).seed(1);
    builder.pool(pool).build().unwrap()
}

/// Engines of all kinds come, search, and go, in some threads at once.
#[test]
fn the_bytes_of_a_pool_are_never_exceeded() {
    // Nine at a time, and some that are given back meanwhile.
    let (bytes, engines) = (36 * MIB, 18);
    let pool = pool(bytes, engines);
    let state = Othello::new();
    let check = || assert!(pool.memory_used() <= bytes, "{pool:?}");
    thread::scope(|scope| {
        for number in 0..3 {
            let (pool, state, check) = (&pool, &state, &check);
            scope.spawn(move || {
                for _ in 0..3 {
                    let alphabeta = AlphaBeta::builder(Moves::default()).threads(1).pool(pool);
                    let mut alphabeta = alphabeta.build().unwrap();
                    alphabeta.search(state, &Budget::nodes(2_000)).unwrap();
                    check();
                    let mut solver = Solver::builder().threads(2).pool(pool).build().unwrap();
                    solver.solve(state, &Budget::nodes(300_000)).unwrap();
                    check();
                    let mut thinking =
                        mcts(pool, 1 + number % 2).start(state, &Budget::unlimited());
                    wait_until("it is full", || {
                        check();
                        thinking.report().unwrap().memory_full
                    });
                    let report = thinking.stop().unwrap();
                    assert!(report.bytes <= bytes / engines as u64, "{} bytes", report.bytes);
                    thinking.into_engine().audit().unwrap();
                }
            });
        }
    });
    // A thread gives large trees back.
    wait_until("all is given back", || pool.memory_used() == 0);
}

#[test]
fn equal_engines_of_a_pool_have_equal_memory() {
    let bytes = 20 * MIB;
    let pool = pool(bytes, 1);
    let state = Othello::new();
    let engines: Vec<_> = (0..10).map(|_| mcts(&pool, 1)).collect();
    let start = |engine: Mcts<Othello>| engine.start(&state, &Budget::unlimited());
    let mut games: Vec<Handle<_>> = engines.into_iter().map(start).collect();
    wait_until("all are full", || games.iter().all(|game| game.report().unwrap().memory_full));
    let held: Vec<u64> = games.iter().map(|game| game.report().unwrap().bytes).collect();
    let (least, most) = (*held.iter().min().unwrap(), *held.iter().max().unwrap());
    assert!(most <= bytes / 10 && least >= bytes / 10 * 8 / 10, "{held:?}");
    assert!(pool.memory_used() <= bytes);
    // With fewer of them each has more.
    games.truncate(2);
    wait_until("they grow", || games.iter().all(|game| game.report().unwrap().bytes > 2 * most));
    assert!(pool.memory_used() <= bytes);
    for game in games {
        game.into_engine().audit().unwrap();
    }
}

#[test]
fn an_engine_without_room_is_refused() {
    let pool = pool(MIB, 1);
    let mut engines = Vec::new();
    let error = loop {
        match Mcts::<ConnectFour>::builder().threads(1).pool(&pool).build() {
            Ok(engine) => engines.push(engine),
            Err(error) => break error,
        }
    };
    assert!(engines.len() > 1 && pool.memory_used() <= MIB, "{} engines", engines.len());
    let ConfigError::PoolMemory { least, found } = error else { panic!("{error}") };
    assert!(least > found, "{least} {found}");
    // Each has what it needs to search at all, and a place is free when one goes.
    for engine in &mut engines {
        let report = engine.search(&ConnectFour::new(), &Budget::simulations(2_000)).unwrap();
        assert_eq!(report.simulations, 2_000);
        engine.audit().unwrap();
    }
    engines.pop();
    assert!(Mcts::<ConnectFour>::builder().threads(1).pool(&pool).build().is_ok());
    assert!(matches!(Pool::builder().engines(0).build(), Err(ConfigError::OutOfRange { .. })));
}

#[test]
fn a_table_that_is_loaded_fits_into_what_is_left() {
    let file = std::env::temp_dir().join(format!("playtree-pooled-{}", std::process::id()));
    let tag = playtree::GameTag::new("pool-memory", 1);
    let state = Othello::new();
    let mut engine = Mcts::builder().threads(1).seed(1).build().unwrap();
    engine.search(&state, &Budget::nodes(40_000)).unwrap();
    engine.save(&file, &tag, &Default::default()).unwrap();
    let pool = pool(4 * MIB, 1);
    let mut small = mcts(&pool, 1);
    let loaded = small.load(&file, &tag).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(loaded.left_out > 0 && pool.memory_used() <= 4 * MIB, "{loaded:?} {pool:?}");
    assert!(small.search(&state, &Budget::simulations(20_000)).unwrap().visits() > 20_000);
    small.audit().unwrap();
}

#[test]
fn a_limit_that_is_raised_lets_the_tree_grow() {
    let state = Othello::new();
    let builder = Mcts::builder().threads(2).oversubscribe(true).memory_limit(Some(MIB as usize));
    let thinking = builder.build().unwrap().start(&state, &Budget::unlimited());
    let watcher = thinking.watcher();
    let bytes = || watcher.snapshot().map_or(0, |seen| seen.report.bytes);
    for (before, limit) in [(1, 2), (2, 4)] {
        wait_until("it is full", || thinking.report().unwrap().memory_full);
        assert!(bytes() <= before * MIB);
        watcher.set_memory_limit(Some((limit * MIB) as usize)).unwrap();
        wait_until("it grows", || bytes() > limit * MIB * 3 / 4);
        assert!(bytes() <= limit * MIB);
        if limit == 2 {
            continue;
        }
        let error = thinking.set_memory_limit(Some(100)).unwrap_err();
        assert!(matches!(error, ConfigError::MemoryLimit { found: 100, .. }), "{error}");
    }
    thinking.into_engine().audit().unwrap();
    // The engine is gone.
    watcher.set_memory_limit(Some(MIB as usize)).unwrap();
}

/// Engines with all that lies beside nodes and edges: tables of later moves, further scores, no
/// table of positions, rounds that all workers share.
fn variants() -> Vec<MctsBuilder<Othello>> {
    let builder = || Mcts::builder().threads(2).oversubscribe(true).seed(1);
    vec![
        builder(),
        builder().selection(Selection::Ucb1Tuned),
        builder().sharing(Sharing::PerPath),
        builder().parallelism(Parallelism::Rounds),
    ]
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_that_is_lowered_is_followed_by_a_search_that_goes_on() {
    let state = Othello::new();
    for (number, builder) in variants().into_iter().enumerate() {
        let engine = builder.memory_limit(Some(8 << 20)).build().unwrap();
        let mut thinking = engine.start(&state, &Budget::unlimited());
        wait_until("it is full", || thinking.report().unwrap().memory_full);
        for (turn, mib) in [4, 3, 8, 4].into_iter().enumerate() {
            let bytes = || thinking.report().unwrap().bytes;
            let before = thinking.report().unwrap();
            thinking.set_memory_limit(Some(mib << 20)).unwrap();
            let limit = (mib as u64) << 20;
            if limit < before.bytes {
                wait_until("it gives back", || bytes() <= limit);
                assert!(thinking.report().unwrap().visits() >= before.visits(), "{number} {turn}");
            } else {
                wait_until("it grows again", || bytes() > limit * 3 / 4);
            }
            // It searches and evicts within what it has.
            let done = thinking.report().unwrap().simulations;
            wait_until("it goes on", || {
                let report = thinking.report().unwrap();
                assert!(report.bytes <= limit, "{number} {turn}: {} bytes", report.bytes);
                report.simulations > done + 20_000
            });
            if turn % 2 == 1 {
                // The end of a search in the midst of it, and another one.
                thinking.set_memory_limit(Some(1 << 20)).unwrap();
                thinking.stop().unwrap();
                thinking.think(&state, &Budget::unlimited());
            }
        }
        thinking.stop().unwrap();
        let mut engine = thinking.into_engine();
        engine.audit().unwrap();
        // Between two searches, and forgotten.
        engine.set_memory_limit(Some(4 << 20)).unwrap();
        engine.audit().unwrap();
        let report = engine.search(&state, &Budget::simulations(1_000)).unwrap();
        assert!(report.bytes <= 4 << 20, "{number}: {} bytes", report.bytes);
        engine.audit().unwrap();
        engine.forget();
        let report = engine.search(&state, &Budget::simulations(1_000)).unwrap();
        assert_eq!(report.visits(), 1_000);
        engine.audit().unwrap();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_engine_that_comes_gets_its_share_of_one_that_searches() {
    let bytes = 12 * MIB;
    let pool = pool(bytes, 1);
    let state = Othello::new();
    let mut one = mcts(&pool, 2).start(&state, &Budget::unlimited());
    wait_until("it has all", || one.report().unwrap().memory_full);
    let alone = one.report().unwrap().bytes;
    assert!(alone > bytes * 3 / 4, "{alone} bytes");
    // Until there is room.
    let begun = Instant::now();
    let two = loop {
        let builder = Mcts::<Othello>::builder().threads(1).pool(&pool);
        match builder.build() {
            Ok(engine) => break engine,
            Err(error) => assert!(begun.elapsed() < Duration::from_secs(60), "{error}"),
        }
        // Only an engine that is there lowers the share of the others.
        one.set_memory_limit(Some(10 << 20)).unwrap();
        thread::sleep(Duration::from_millis(5));
    };
    one.set_memory_limit(None).unwrap();
    let two = two.start(&state, &Budget::unlimited());
    let half = bytes / 2;
    wait_until("each has its half", || {
        assert!(pool.memory_used() <= bytes, "{pool:?}");
        let held = [&one, &two].map(|game| game.report().unwrap().bytes);
        held.iter().all(|&held| held <= half && held > half / 2)
    });
    drop(two);
    wait_until("it grows again", || one.report().unwrap().bytes > half);
    one.stop().unwrap();
    one.into_engine().audit().unwrap();
}
