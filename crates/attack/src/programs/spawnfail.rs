//! The system gives no more threads: does a search return with those there are? To be run under a
//! limit of threads (`prlimit --nproc`, not as root) or of memory (`ulimit -v`).

use std::time::{Duration, Instant};

use playtree::alphabeta::ParallelMode;
use playtree::budget::Depth;
use playtree::mcts::Parallelism;
use playtree::{AlphaBeta, Budget, Mcts, Solver};

use crate::faults::{doing, fault, watchdog, without_panic};
use crate::noise::{Eval, Noise, Plain, Shape};
use crate::process::settle_threads;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What is asked for helpers; all of them if not given
    #[arg(value_parser = MODES)]
    mode: Option<String>,
    /// Workers asked for
    #[arg(long, default_value_t = 16)]
    workers: usize,
}

const MODES: [&str; 7] =
    ["shared", "rounds", "ponder", "split-points", "root-tasks", "shared-table", "solver"];

pub(crate) fn run(args: &Args) -> String {
    watchdog(20);
    let modes =
        MODES.iter().filter(|&&mode| args.mode.as_ref().is_none_or(|wanted| wanted == mode));
    let mut answers = Vec::new();
    for &mode in modes {
        doing(mode);
        let begin = Instant::now();
        let answer = without_panic(mode, || one(mode, args.workers)).unwrap_or_default();
        let threads = settle_threads(2);
        if threads > 2 {
            fault!("{threads} threads are left: {mode}");
        }
        println!("{mode}: {answer} after {:?}", begin.elapsed());
        answers.push(mode);
    }
    format!("{} modes with {} workers", answers.len(), args.workers)
}

fn one(mode: &str, workers: usize) -> String {
    let game = Noise::<2, Plain>::new(Shape::tree(1, 40));
    let mcts = |parallelism| {
        let builder = Mcts::builder().threads(workers).oversubscribe(true);
        builder.parallelism(parallelism).build().unwrap()
    };
    let alpha_beta = |mode| {
        let builder = AlphaBeta::builder(Eval).threads(workers).oversubscribe(true).mode(mode);
        let budget = Budget::nodes(300_000).and(Depth(20));
        let report = builder.build().unwrap().search(&game, &budget).unwrap();
        format!("depth {}, {} workers", report.depth, report.workers)
    };
    let simulations = Budget::simulations(500_000);
    let searched = |parallelism| {
        let report = mcts(parallelism).search(&game, &simulations).unwrap();
        assert_eq!(report.simulations, 500_000);
        format!("{} simulations, {} workers", report.simulations, report.workers)
    };
    match mode {
        "shared" => searched(Parallelism::Shared),
        "rounds" => searched(Parallelism::Rounds),
        "ponder" => {
            let mut handle = mcts(Parallelism::Shared).start(&game, &Budget::unlimited());
            std::thread::sleep(Duration::from_millis(500));
            match handle.stop() {
                Ok(report) => format!("{} workers", report.workers),
                Err(error) => format!("error: {error}"),
            }
        }
        "split-points" => alpha_beta(ParallelMode::SplitPoints),
        "root-tasks" => alpha_beta(ParallelMode::RootTasks),
        "shared-table" => alpha_beta(ParallelMode::SharedTable),
        _ => {
            let builder = Solver::builder().threads(workers).oversubscribe(true);
            let solution = builder.build().unwrap().solve(&game, &Budget::nodes(1_000_000));
            format!("{:?}", solution.unwrap().stop_reason)
        }
    }
}
