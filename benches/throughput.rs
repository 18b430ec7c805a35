//! Whole searches: simulations per second for each game with 1 to N workers, beside the
//! rollouts alone that one thread plays with the same game code.
//!
//! Proofs are off, so that no search ends early. Timed is the search; forgetting what it has
//! found, so that each search starts from nothing, is not.

use std::fmt::Debug;
use std::hint::black_box;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use playtree::game::RolloutPolicy;
use playtree::games::{GAMES, GameVisitor, with_game};
use playtree::{Budget, Mcts, Notation, Outcome, Rng};

const SIMULATIONS: u64 = 100_000;

/// 1, 2, 4, ... workers, up to the logical cores.
fn numbers_of_workers() -> impl Iterator<Item = usize> {
    let most = available_parallelism().map_or(1, usize::from);
    (0..).map(|power| 1 << power).take_while(move |&workers| workers <= most)
}

struct Bench<'a> {
    criterion: &'a mut Criterion,
    name: &'static str,
}

impl GameVisitor for Bench<'_> {
    type Output = ();

    fn visit<G: Notation + Debug + 'static>(self, start: G) {
        let mut group = self.criterion.benchmark_group(self.name);
        group.throughput(Throughput::Elements(1));
        let mut rng = Rng::from_seed(1);
        let policy = G::rollouts();
        assert!(policy.play(&start, &mut rng).is_some(), "{}: no rollout of its own", self.name);
        group.bench_function("rollouts alone", |b| {
            b.iter(|| policy.play(&start, black_box(&mut rng)));
        });
        let mut outcomes = vec![Outcome::Draw; policy.side_by_side()];
        if !outcomes.is_empty() {
            let starts = vec![&start; outcomes.len()];
            group.throughput(Throughput::Elements(outcomes.len() as u64));
            group.bench_function("rollouts side by side", |b| {
                b.iter(|| {
                    policy.play_side_by_side(&starts, black_box(&mut rng), &mut outcomes, &mut []);
                    black_box(&outcomes);
                });
            });
        }

        let budget = Budget::simulations(SIMULATIONS);
        for workers in numbers_of_workers() {
            let builder = Mcts::builder().threads(workers).proofs(false).seed(1);
            let mut mcts = builder.build().expect("the settings are in range");
            let report = mcts.search(&start, &budget).expect("the start can be searched");
            assert_eq!(report.simulations, SIMULATIONS, "{}: simulations are missing", self.name);
            let visits: u64 = report.moves.iter().map(|found| found.visits).sum();
            assert_eq!(visits, SIMULATIONS, "{}: visits are missing", self.name);
            mcts.audit().expect("the counts agree");

            group.throughput(Throughput::Elements(SIMULATIONS));
            group.bench_function(format!("search, workers: {workers}"), |b| {
                b.iter_custom(|searches| {
                    let mut spent = Duration::ZERO;
                    for _ in 0..searches {
                        mcts.forget();
                        let start_of_search = Instant::now();
                        black_box(mcts.search(&start, &budget)).expect("as before");
                        spent += start_of_search.elapsed();
                    }
                    spent
                });
            });
        }
        group.finish();
    }
}

fn throughput(criterion: &mut Criterion) {
    for game in GAMES {
        let bench = Bench { criterion, name: game.name };
        with_game(game.name, None, bench).expect("a listed game has a start");
    }
}

criterion_group! {
    name = games;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1_500));
    targets = throughput
}
criterion_main!(games);
