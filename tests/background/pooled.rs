//! Searchers in one pool: at most its threads search at a time, all of them advance, and none waits
//! for a thread that waits for it.

use std::thread;
use std::time::{Duration, Instant};

use playtree::games::{ConnectFour, Othello};
use playtree::mcts::Parallelism;
use playtree::{AlphaBeta, Budget, ConfigError, Handle, Mcts, Pool, Solver, StopReason};

use crate::alphabeta::Moves;
use crate::subject::{Subject, check_spent};

/// Searches with more threads than the pool has, and ways to share the work.
fn all_kinds(
    pool: &Pool,
    number: u64,
) -> (Mcts<Othello>, AlphaBeta<Othello, Moves>, Solver<Othello>) {
    use playtree::alphabeta::ParallelMode::{RootTasks, SharedTable, SplitPoints};
    let place = number as usize % 3;
    let parallelism =
        [Parallelism::Shared, Parallelism::Rounds, Parallelism::Simulated { workers: 3 }][place];
    let mcts = Mcts::builder().threads(3).oversubscribe(true).parallelism(parallelism);
    let alphabeta = AlphaBeta::builder(Moves::default()).threads(3).oversubscribe(true);
    let solver = Solver::builder().threads(3).oversubscribe(true).memory_limit(1 << 20);
    (
        mcts.seed(number).pool(pool).build().unwrap(),
        alphabeta.mode([RootTasks, SplitPoints, SharedTable][place]).pool(pool).build().unwrap(),
        solver.pool(pool).build().unwrap(),
    )
}

/// Waits until a search has done this much.
fn advance<S: Subject>(thinking: &Handle<S>, work: u64) {
    while S::work(&thinking.report().expect("it goes on")) < work {
        thread::yield_now();
    }
}

#[test]
fn searches_of_all_kinds_share_a_pool() {
    let state = Othello::new();
    for threads in [1, 2] {
        let pool = Pool::new(threads).unwrap();
        let mut games: Vec<_> = (0..3)
            .map(|number| {
                let (mcts, alphabeta, solver) = all_kinds(&pool, number);
                let unlimited = Budget::unlimited();
                (
                    mcts.start(&state, &unlimited),
                    alphabeta.start(&state, &unlimited),
                    solver.start(&state, &unlimited),
                )
            })
            .collect();
        for (mcts, alphabeta, solver) in &games {
            assert!(pool.searching() <= threads);
            advance(mcts, 1_000);
            advance(alphabeta, 1_000);
            advance(solver, 1_000);
        }
        // Whoever waits is stopped as well, and goes on later.
        for (mcts, alphabeta, solver) in &mut games {
            assert_eq!(mcts.stop().unwrap().stop_reason, StopReason::Stopped);
            assert_eq!(alphabeta.stop().unwrap().stop_reason, StopReason::Stopped);
            assert!(solver.stop().is_ok());
            mcts.think(&state, &Budget::simulations(500));
            alphabeta.think(&state, &Budget::nodes(500));
            solver.think(&state, &Budget::nodes(500));
        }
        for (mcts, alphabeta, solver) in &mut games {
            check_spent::<Mcts<Othello>>(&mcts.wait().unwrap(), 500);
            check_spent::<AlphaBeta<Othello, Moves>>(&alphabeta.wait().unwrap(), 500);
            check_spent::<Solver<Othello>>(&solver.wait().unwrap(), 500);
            // A limit of time runs while it waits.
            mcts.think(&state, &Budget::time(Duration::from_millis(1)));
        }
        for (mcts, ..) in &mut games {
            let report = mcts.wait().unwrap();
            assert_eq!(report.stop_reason, StopReason::Time);
            assert!(!report.moves.is_empty());
        }
        drop(games);
        assert_eq!((pool.searching(), pool.waiting()), (0, 0), "{pool:?}");
    }
}

#[test]
fn a_pool_changes_nothing_that_is_found() {
    let (state, budget) = (ConnectFour::new(), Budget::simulations(20_000));
    let pool = Pool::new(1).unwrap();
    let builder = || Mcts::builder().threads(1).seed(3);
    let report = builder().build().unwrap().search(&state, &budget).unwrap();
    let mut engine = builder().pool(&pool).build().unwrap();
    let pooled = engine.search(&state, &budget).unwrap();
    assert_eq!(format!("{:?}", report.moves), format!("{:?}", pooled.moves));
    // In steps the seat is free between two of them.
    engine.forget();
    let mut steps = engine.begin(&state, &budget).unwrap();
    while steps.step(3_000).unwrap() {
        assert_eq!((pool.searching(), pool.waiting()), (0, 0));
    }
    let stepped = steps.finish().unwrap();
    assert_eq!(format!("{:?}", report.moves), format!("{:?}", stepped.moves));
    assert!(matches!(Pool::new(0), Err(ConfigError::OutOfRange { .. })));
    assert_eq!((pool.threads(), pool.clone().searching()), (1, 0));
}

/// `cargo test --release --test background measure_shares -- --ignored --nocapture`: how evenly
/// twenty equal searches advance on two threads, and how soon a stop is answered.
#[test]
#[ignore = "measures"]
fn measure_shares() {
    let pool = Pool::new(2).unwrap();
    let state = Othello::new();
    let mut games: Vec<_> = (0..20)
        .map(|seed| {
            let builder = Mcts::builder().threads(1).seed(seed).memory_limit(Some(16 << 20));
            builder.pool(&pool).build().unwrap().start(&state, &Budget::unlimited())
        })
        .collect();
    let begun = Instant::now();
    for second in [10, 30, 60] {
        thread::sleep(Duration::from_secs(second).saturating_sub(begun.elapsed()));
        let done: Vec<f64> =
            games.iter().map(|game| game.report().unwrap().simulations as f64).collect();
        let mean = done.iter().sum::<f64>() / done.len() as f64;
        let share = |count: f64| format!("{:+.1} %", 100.0 * (count / mean - 1.0));
        let (least, most) = (
            done.iter().fold(f64::MAX, |a, &b| a.min(b)),
            done.iter().fold(0.0_f64, |a, &b| a.max(b)),
        );
        println!("after {second} s: mean {mean:.0}, {} to {}", share(least), share(most));
    }
    let mut stops: Vec<_> = games
        .iter_mut()
        .map(|game| {
            let begun = Instant::now();
            game.stop().unwrap();
            begun.elapsed()
        })
        .collect();
    stops.sort();
    println!("stops: median {:?}, last {:?}", stops[10], stops[19]);
}
