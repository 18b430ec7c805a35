//! A tree whose paths share nothing, and a memory limit in which little more than the root has
//! room: does a search return within its time?

use std::time::{Duration, Instant};

use playtree::games::TicTacToe;
use playtree::mcts::Sharing;
use playtree::{Budget, Mcts};

use crate::faults::{doing, fault, watchdog};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Memory limits, in bytes
    #[arg(default_values_t = [1_000, 2_000, 4_000, 5_000, 8_000, 12_000, 20_000, 60_000])]
    limits: Vec<usize>,
}

pub(crate) fn run(args: &Args) -> String {
    watchdog(10);
    let (mut searches, mut refused) = (0, 0);
    for &limit in &args.limits {
        for scheme in [Sharing::Shared, Sharing::PerPath] {
            for workers in [1, 2] {
                let what = format!("{scheme:?}, {workers} workers, limit {limit}");
                doing(what.clone());
                let builder = Mcts::builder().threads(workers).oversubscribe(true);
                let builder = builder.sharing(scheme).memory_limit(Some(limit));
                let Ok(mut mcts) = builder.build() else {
                    refused += 1;
                    continue;
                };
                let time = Budget::time(Duration::from_millis(10));
                for _ in 0..3 {
                    let begin = Instant::now();
                    if let Err(error) = mcts.search(&TicTacToe::new(), &time) {
                        fault!("{error}: {what}");
                    }
                    if begin.elapsed() > Duration::from_secs(2) {
                        fault!("10 ms took {:?}: {what}", begin.elapsed());
                    }
                    searches += 1;
                }
                let mut handle = mcts.start(&TicTacToe::new(), &time);
                let _ = handle.report();
                if let Err(error) = handle.wait() {
                    fault!("{error} in the background: {what}");
                }
                searches += 1;
            }
        }
    }
    format!("{searches} searches, {refused} limits refused")
}
