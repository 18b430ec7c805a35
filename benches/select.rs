//! Selection over 7, 30 and 121 branches, one simulation at a time and in rounds.
//!
//! The game is over after one move and costs next to nothing, so that a simulation is one
//! selection and one backup at the root. Divided by the number of simulations, a round shows
//! what is saved by going over the branches once for all of them.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use playtree::mcts::{RoundSize, Selection};
use playtree::{Budget, GameState, Mcts, Outcome, Scores};

/// A choice among branches; the last one is the best.
#[derive(Clone)]
struct Choice {
    branches: u32,
    taken: Option<u32>,
}

impl GameState for Choice {
    type Key = Option<u32>;
    type Move = u32;
    const PLAYERS: usize = 1;

    fn key(&self) -> Option<u32> {
        self.taken
    }

    fn mover(&self) -> usize {
        0
    }

    fn plies(&self) -> u32 {
        u32::from(self.taken.is_some())
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        if self.taken.is_none() {
            moves.extend(0..self.branches);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let score = f64::from(self.taken? + 1) / f64::from(self.branches + 1);
        Some(Outcome::Scores(Scores::new(&[score]).expect("between 0 and 1")))
    }

    fn apply(&self, mv: &u32) -> Self {
        Self { taken: Some(*mv), ..*self }
    }
}

const SIMULATIONS: u64 = 20_000;

fn select(criterion: &mut Criterion) {
    let policies =
        [("UCB1", Selection::Ucb1 { exploration: 0.5 }), ("UCB1-Tuned", Selection::Ucb1Tuned)];
    let sizes = [("one by one", RoundSize::Fixed(1)), ("rounds of 64", RoundSize::Fixed(64))];
    let budget = Budget::simulations(SIMULATIONS);
    for branches in [7, 30, 121] {
        let mut group = criterion.benchmark_group(format!("select among {branches}"));
        group.throughput(Throughput::Elements(SIMULATIONS));
        let root = Choice { branches, taken: None };
        for (policy, selection) in policies {
            for (size, round_size) in sizes {
                let name = format!("{policy}, {size}");
                let builder = Mcts::builder().threads(1).proofs(false).selection(selection);
                let builder = builder.round_size(round_size);
                let mut mcts = builder.build().expect("the settings are in range");
                let report = mcts.search(&root, &budget).expect("the root can be searched");
                assert_eq!(report.best_move, branches - 1, "{name}: a worse branch");
                let visits: u64 = report.moves.iter().map(|found| found.visits).sum();
                assert_eq!(visits, SIMULATIONS, "{name}: visits are missing");
                assert!(report.moves.iter().all(|found| found.visits > 0), "{name}: not visited");

                group.bench_function(name, |b| {
                    b.iter(|| {
                        mcts.forget();
                        black_box(mcts.search(&root, &budget)).expect("as before");
                    });
                });
            }
        }
        group.finish();
    }
}

criterion_group! {
    name = selection;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = select
}
criterion_main!(selection);
