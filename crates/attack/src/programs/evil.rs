//! Games that break a law: an error, or an answer, which may be wrong. No hang, no panic, no leak.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use playtree::budget::Depth;
use playtree::mcts::{Parallelism, Selection};
use playtree::{AlphaBeta, Budget, Mcts, Solver};

use crate::dice::Dice;
use crate::faults::{doing, fault, other_panics_are_faults, watchdog, without_panic};
use crate::noise::{Eval, Evil, Noise, Owned, Shape};
use crate::process::resident_mib;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The number of the law that is broken; all of them if not given
    law: Option<usize>,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Games of each law
    #[arg(long, default_value_t = 60)]
    games: u64,
}

const LAWS: [Evil; 9] = [
    Evil::PliesZero,
    Evil::MoverOut,
    Evil::EmptyMoves,
    Evil::RandomNone,
    Evil::Outcomes,
    Evil::MovesChange,
    Evil::WinOut,
    Evil::PliesMax,
    Evil::KeyChanges,
];

pub(crate) fn run(args: &Args) -> String {
    watchdog(25);
    other_panics_are_faults();
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    let mut searches = 0;
    for (number, &law) in LAWS.iter().enumerate() {
        if args.law.is_some_and(|wanted| wanted != number) {
            continue;
        }
        for seed in args.seed..args.seed + args.games {
            let mut dice = Dice::new(seed.wrapping_mul(100).wrapping_add(number as u64));
            let shape = Shape {
                layers: dice.pick(&[0, 12, 40]),
                seed: dice.next(),
                width: dice.pick(&[5, 40, 1 << 40]),
                branching: dice.pick(&[(1, 4), (2, 6)]),
                ends: 30,
                rollout: dice.one_in(2),
                evil: law,
            };
            let workers = dice.pick(&[1, 2]);
            let what = format!("{law:?}, {}, seed {seed}: {shape:?}", MODES[seed as usize % 5]);
            doing(what.clone());
            let game = Noise::<2, Owned>::new(shape);
            let begin = Instant::now();
            let ended =
                without_panic(&what, || one(&game, seed, workers, law != Evil::Outcomes, &what));
            if begin.elapsed() > Duration::from_secs(10) {
                fault!("took {:?}, {} MiB: {what}", begin.elapsed(), resident_mib());
            }
            let text = match ended {
                Some(Ok(())) => "an answer".to_owned(),
                Some(Err(error)) => error.replace(|c: char| c.is_ascii_digit(), "#"),
                None => "a panic".to_owned(),
            };
            let mode = MODES[seed as usize % 5];
            *seen.entry(format!("{law:?}, {mode}: {text}")).or_default() += 1;
            searches += 1;
        }
    }
    for (what, count) in seen {
        println!("{count:4} {what}");
    }
    format!("{searches} searches")
}

const MODES: [&str; 5] = ["shared", "rounds", "shared again", "alpha-beta", "solver"];

fn one(
    game: &Noise<2, Owned>,
    seed: u64,
    workers: usize,
    game_is_consistent: bool,
    what: &str,
) -> Result<(), String> {
    let ended = match seed % 5 {
        mode @ 0..=2 => {
            let parallelism = if mode == 1 { Parallelism::Rounds } else { Parallelism::Shared };
            let selection =
                if seed.is_multiple_of(3) { Selection::grave() } else { Selection::default() };
            let builder = Mcts::builder().threads(workers).oversubscribe(true).rollout_limit(200);
            let builder = builder.memory_limit(seed.is_multiple_of(2).then_some(100_000));
            let mut mcts = builder.parallelism(parallelism).selection(selection).build().unwrap();
            let ended = mcts.search(game, &Budget::simulations(5_000)).map(drop);
            // Where outcomes change, what is proven of a position may contradict what its branches
            // say.
            if let Err(inconsistency) = mcts.audit()
                && game_is_consistent
            {
                fault!("audit: {inconsistency}: {what}");
            }
            ended
        }
        3 => {
            let builder = AlphaBeta::builder(Eval).threads(workers).oversubscribe(true);
            let budget = Budget::nodes(20_000).and(Depth(6));
            builder.build().unwrap().search(game, &budget).map(drop)
        }
        _ => {
            let builder = Solver::builder().threads(workers).oversubscribe(true);
            builder.build().unwrap().solve(game, &Budget::nodes(50_000)).map(drop)
        }
    };
    ended.map_err(|error| error.to_string())
}
