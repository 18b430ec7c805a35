//! Safe games that are wrong about their keys, at the memory limit: is a dropped key or move ever
//! used, or dropped again?

use std::panic::{AssertUnwindSafe, catch_unwind};

use playtree::{Budget, Mcts};

use crate::dice::mix;
use crate::faults::{doing, fault, other_panics_are_faults, watchdog};
use crate::inject::{Spot, arm, disarm};
use crate::noise::{Evil, Noise, Owned, Shape};
use crate::tracked::{alive, misuses, settle_alive};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// 0: no law broken, 1: keys change, 2: a Hash panics, 3: a Drop panics; all of them if not
    /// given
    case: Option<usize>,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Engines of each case and number of workers
    #[arg(long, default_value_t = 30)]
    engines: u64,
}

const CASES: [(&str, Evil, Spot); 4] = [
    ("no law broken", Evil::No, Spot::Nowhere),
    ("keys change", Evil::KeyChanges, Spot::Nowhere),
    ("a Hash panics once", Evil::No, Spot::Hash),
    ("a Drop of a key or move panics once", Evil::No, Spot::ValueDrop),
];

pub(crate) fn run(args: &Args) -> String {
    watchdog(120);
    other_panics_are_faults();
    let (mut searches, mut panics) = (0, 0);
    for (number, &(name, evil, spot)) in CASES.iter().enumerate() {
        if args.case.is_some_and(|case| case != number) {
            continue;
        }
        for workers in [1, 2] {
            let (before, misused) = (alive(), misuses());
            for seed in args.seed..args.seed + args.engines {
                doing(format!("{name}, {workers} workers, seed {seed}"));
                let (more, caught) = one(evil, spot, workers, seed);
                searches += more;
                panics += caught;
            }
            let leaked = settle_alive(before) - before;
            let (dead, twice) = (misuses().0 - misused.0, misuses().1 - misused.1);
            println!(
                "{name}, {workers} workers: used after drop {dead}, dropped twice {twice}, \
                 leaked {leaked}"
            );
            // What a Drop that panics leaves behind may leak.
            if leaked != 0 && spot != Spot::ValueDrop {
                fault!("{leaked} values leaked: {name}, {workers} workers");
            }
        }
    }
    format!("{searches} searches, {panics} panics handed on")
}

/// Searches with an engine that is at its limit; the searches and the panics.
fn one(evil: Evil, spot: Spot, workers: usize, seed: u64) -> (u64, u64) {
    let shape = Shape { ends: 1_000, evil, ..Shape::tree(seed, 60) };
    let game = Noise::<2, Owned>::new(shape);
    let builder = Mcts::builder().threads(workers).oversubscribe(true).seed(seed);
    let mut mcts = builder.memory_limit(Some(100_000)).build().unwrap();
    if spot != Spot::Nowhere {
        // Warm: the memory is full, an eviction is near.
        let _ = mcts.search(&game, &Budget::simulations(3_000));
        arm(spot, (mix(seed, 3) % 100_000) as i64);
    }
    let mut panics = 0;
    for _ in 0..3 {
        let search =
            || mcts.search(&game, &Budget::simulations(20_000)).map(|report| report.evicted);
        panics += u64::from(catch_unwind(AssertUnwindSafe(search)).is_err());
    }
    disarm();
    if let Err(inconsistency) = mcts.audit()
        && evil == Evil::No
    {
        fault!("audit: {inconsistency}: {spot:?}, {workers} workers, seed {seed}");
    }
    drop(mcts);
    (3, panics)
}
