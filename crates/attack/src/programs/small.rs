//! Small scenarios for Miri and ThreadSanitizer: two workers, with evictions, handles, the solver
//! and alpha-beta.

use std::hint::black_box;
use std::time::Duration;

use playtree::alphabeta::ParallelMode;
use playtree::budget::Depth;
use playtree::mcts::{Expansion, LockPolicy, Parallelism, Selection, TableLocks};
use playtree::solver::Method;
use playtree::{AlphaBeta, Budget, Mcts, Solver};

use crate::faults::fault;
use crate::noise::{Eval, Evil, Noise, Owned, Shape};
use crate::tracked::settle_alive;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// One scenario; all of them if not given
    #[arg(value_parser = ["evict", "background", "solver", "alphabeta"])]
    scenario: Option<String>,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

type Game = Noise<2, Owned>;

/// An interpreter takes its time.
const TINY: bool = cfg!(miri);
const SEEDS: u64 = if TINY { 1 } else { 40 };

fn game(layers: u32) -> Game {
    let (branching, evil) = ((2, 4), Evil::No);
    Game::new(Shape { seed: 5, width: 30, layers, branching, ends: 12, rollout: true, evil })
}

pub(crate) fn run(args: &Args) -> String {
    let mut evicted = 0;
    let wanted = |name| args.scenario.as_ref().is_none_or(|scenario| scenario == name);
    for seed in args.seed..args.seed + SEEDS {
        if wanted("evict") {
            evicted += evict(seed);
        }
        if wanted("background") {
            background();
        }
        if wanted("solver") {
            solver();
        }
        if wanted("alphabeta") {
            alpha_beta();
        }
    }
    if wanted("evict") && evicted == 0 {
        fault!("no eviction was reached");
    }
    let left = settle_alive(0);
    if left != 0 {
        fault!("{left} values leaked");
    }
    format!("{SEEDS} seeds, {evicted} evicted")
}

fn evict(seed: u64) -> u64 {
    let mut evicted = 0;
    for policy in [LockPolicy::Block, LockPolicy::Yield, LockPolicy::Defer] {
        for parallelism in [Parallelism::Shared, Parallelism::Rounds] {
            let shape = Shape { branching: (2, 4), ends: 50, ..Shape::tree(seed, 30) };
            let start = Game::new(shape);
            let grave = seed.is_multiple_of(2);
            let mut mcts = Mcts::builder()
                .threads(2)
                .oversubscribe(true)
                .table(TableLocks::OneLock)
                .memory_limit(Some(if TINY { 40_000 } else { 60_000 }))
                .seed(seed)
                .lock_policy(policy)
                .parallelism(parallelism)
                .selection(if grave { Selection::grave() } else { Selection::Ucb1Tuned })
                .expansion(Expansion::Everything)
                .build()
                .unwrap();
            for _ in 0..3 {
                let budget = Budget::simulations(if TINY { 150 } else { 4_000 });
                evicted += mcts.search(&start, &budget).unwrap().evicted;
                mcts.audit().unwrap();
            }
        }
    }
    evicted
}

fn background() {
    let start = game(0);
    let builder = Mcts::builder().threads(2).oversubscribe(true);
    let limit = if TINY { 24_000 } else { 60_000 };
    let mcts = builder.memory_limit(Some(limit)).build().unwrap();
    let mut handle = mcts.start(&start, &Budget::unlimited());
    handle.on_report(Duration::from_millis(1), |report| drop(black_box(report.clone())));
    for turn in 0..if TINY { 2 } else { 20 } {
        black_box(handle.report());
        if turn % 3 == 0 {
            handle.set_budget(&Budget::simulations(if TINY { 20 } else { 2_000 }));
        }
        if turn % 4 == 1 {
            handle.ponder(&start);
        }
    }
    drop(handle.stop());
    let mut mcts = handle.into_engine();
    mcts.audit().unwrap();
    drop(mcts.search(&start, &Budget::simulations(20)));
}

fn solver() {
    for method in [Method::AlphaBeta, Method::ProofNumbers] {
        let builder = Solver::builder().threads(2).oversubscribe(true).method(method);
        let limit = if TINY { 16_384 } else { 100_000 };
        let mut solver = builder.memory_limit(limit).build().unwrap();
        let (layers, nodes) = if TINY { (4, 400) } else { (9, 50_000) };
        black_box(solver.solve(&game(layers), &Budget::nodes(nodes)).unwrap());
    }
}

fn alpha_beta() {
    for mode in [ParallelMode::SplitPoints, ParallelMode::RootTasks, ParallelMode::SharedTable] {
        let builder = AlphaBeta::builder(Eval).threads(2).oversubscribe(true).mode(mode);
        let table = if TINY { 640 } else { 100_000 };
        let builder = builder.min_split_depth(1).table_bytes(Some(table));
        let (layers, nodes) = if TINY { (5, 300) } else { (12, 20_000) };
        let budget = Budget::nodes(nodes).and(Depth(8));
        black_box(builder.build().unwrap().search(&game(layers), &budget).unwrap());
    }
}
