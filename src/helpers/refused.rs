//! Searches where the system refuses threads: they end, with the workers that there are.

use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use super::refusal::with_threads;
use super::{drop_elsewhere, run_with_helpers};
use crate::alphabeta::ParallelMode;
use crate::budget::{Budget, StopReason};
use crate::error::SearchError;
use crate::evaluate::Evaluate;
use crate::games::{ConnectFour, TicTacToe};
use crate::mcts::Parallelism;
use crate::solver::Method;
use crate::{AlphaBeta, Mcts, Solver};

/// Workers asked for.
const WORKERS: usize = 8;

/// Threads that the system has.
const LEFT: [usize; 2] = [0, 2];

struct Nothing;

impl Evaluate<ConnectFour> for Nothing {
    fn evaluate(&self, _: &ConnectFour) -> i32 {
        0
    }
}

#[test]
fn the_lead_learns_how_many_helpers_have_begun() {
    for left in LEFT {
        let helpers = (0..WORKERS).map(|number| move || number).collect();
        let (begun, helped) = with_threads(left, || run_with_helpers(helpers, |begun| begun));
        assert_eq!((begun, helped), (left, (0..left).collect()));
    }
}

#[test]
fn what_cannot_be_dropped_elsewhere_is_dropped_here() {
    let value = Arc::new(());
    with_threads(0, || drop_elsewhere(Arc::clone(&value)));
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn a_monte_carlo_search_goes_on_with_fewer_workers() {
    for parallelism in
        [Parallelism::Shared, Parallelism::Rounds, Parallelism::Simulated { workers: 3 }]
    {
        for left in LEFT {
            let builder = Mcts::builder().threads(WORKERS).oversubscribe(true).seed(1);
            let mut mcts = builder.parallelism(parallelism).build().unwrap();
            let budget = Budget::simulations(20_000);
            let report = with_threads(left, || mcts.search(&ConnectFour::new(), &budget)).unwrap();
            assert_eq!(report.simulations, 20_000, "{parallelism:?}");
            let simulated = matches!(parallelism, Parallelism::Simulated { .. });
            let workers = if simulated { 1 } else { 1 + left };
            assert_eq!(report.workers, workers, "{parallelism:?}");
            mcts.audit().unwrap();
        }
    }
}

#[test]
fn an_alpha_beta_search_goes_on_with_fewer_workers() {
    for mode in [ParallelMode::RootTasks, ParallelMode::SplitPoints, ParallelMode::SharedTable] {
        for left in LEFT {
            let builder = AlphaBeta::builder(Nothing).threads(WORKERS).oversubscribe(true);
            let mut engine = builder.mode(mode).max_root_tasks(7).build().unwrap();
            let budget = Budget::nodes(30_000);
            let report =
                with_threads(left, || engine.search(&ConnectFour::new(), &budget)).unwrap();
            assert_eq!(report.stop_reason, StopReason::Nodes, "{mode:?}");
            assert_eq!(report.workers, 1 + left, "{mode:?}");
        }
    }
}

#[test]
fn a_solver_goes_on_with_fewer_workers() {
    for method in [Method::AlphaBeta, Method::ProofNumbers] {
        for left in LEFT {
            let builder = Solver::builder().threads(WORKERS).oversubscribe(true);
            let mut solver = builder.method(method).memory_limit(1 << 20).build().unwrap();
            let budget = Budget::unlimited();
            let solution = with_threads(left, || solver.solve(&TicTacToe::new(), &budget)).unwrap();
            assert_eq!((solution.points(), solution.workers), (Some(0), 1 + left), "{method:?}");
        }
    }
}

#[test]
fn a_handle_without_a_thread_says_so_and_asks_again() {
    let state = ConnectFour::new();
    let budget = Budget::simulations(1_000);
    let mcts = Mcts::builder().threads(1).build().unwrap();
    let mut thinking = with_threads(0, || mcts.start(&state, &Budget::unlimited()));
    assert!(!thinking.is_thinking() && thinking.report().is_none());
    for _ in 0..2 {
        let error = thinking.wait().unwrap_err();
        assert!(matches!(&error, SearchError::NoThread { .. }), "{error}");
    }
    with_threads(0, || thinking.set_budget(&budget));
    assert!(matches!(thinking.stop().unwrap_err(), SearchError::NoThread { .. }));
    thinking.think(&state, &budget);
    assert_eq!(thinking.wait().unwrap().simulations, 1_000);

    // A callback that has no thread is called after the next order that finds one.
    let (send, calls) = mpsc::channel();
    with_threads(0, || {
        thinking.on_report(Duration::from_millis(1), move |_| {
            let _ = send.send(());
        });
    });
    assert!(!thinking.is_reporting());
    assert!(thinking.wait().is_ok(), "the search does without it");
    thinking.ponder(&state);
    assert!(thinking.is_reporting());
    calls.recv().unwrap();
    assert!(thinking.into_engine().search(&state, &budget).is_ok());
}

#[test]
fn a_handle_without_a_thread_gives_the_engine_back() {
    let state = ConnectFour::new();
    let engine = AlphaBeta::builder(Nothing).threads(1).build().unwrap();
    let thinking = with_threads(0, || engine.start(&state, &Budget::unlimited()));
    let mut engine = thinking.into_engine();
    assert!(engine.search(&state, &Budget::nodes(1_000)).is_ok());
    drop(with_threads(0, || engine.start(&state, &Budget::unlimited())));

    let (state, budget) = (TicTacToe::new(), Budget::unlimited());
    let solver = Solver::builder().threads(1).build().unwrap();
    let mut solver = with_threads(0, || solver.start(&state, &budget)).into_engine();
    assert_eq!(solver.solve(&state, &budget).unwrap().points(), Some(0));
}
