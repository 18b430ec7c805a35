//! Random games, settings and tiny memory limits; an audit after each search, and nothing left at
//! the end.

use std::time::{Duration, Instant};

use playtree::mcts::{
    self, Expansion, InFlight, LockPolicy, Parallelism, RoundSize, Selection, Sharing, TableLocks,
};
use playtree::{Budget, GameState, Mcts, MctsBuilder, SearchError};

use crate::Random;
use crate::dice::Dice;
use crate::faults::{doing, fault, watchdog};
use crate::noise::{Kind, Noise, Owned, Plain, Text, some_shape};
use crate::process::{resident_mib, settle_threads, threads};
use crate::tracked::{alive, settle_alive};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    random: Random,
    /// Trees at the smallest limits too
    #[arg(long)]
    tree: bool,
}

/// What all engines together have done.
#[derive(Default)]
struct Counts {
    engines: u64,
    refused: u64,
    simulations: u64,
    evicted: u64,
    full: u64,
}

pub(crate) fn run(args: &Args) -> String {
    let mut counts = Counts::default();
    let tree = args.tree;
    for_each_seed(&args.random, |seed, dice| match dice.below(9) {
        0 => one::<1, Owned>(dice, seed, tree, &mut counts),
        1 => one::<3, Owned>(dice, seed, tree, &mut counts),
        2 => one::<8, Plain>(dice, seed, tree, &mut counts),
        3 => one::<2, Text>(dice, seed, tree, &mut counts),
        4 => one::<2, Plain>(dice, seed, tree, &mut counts),
        _ => one::<2, Owned>(dice, seed, tree, &mut counts),
    });
    let Counts { engines, refused, simulations, evicted, full } = counts;
    format!(
        "{engines} engines, {refused} refused, {simulations} simulations, {evicted} evicted, {full} \
         searches at the limit, {} MiB",
        resident_mib()
    )
}

/// Attacks with one seed after the other: nothing that was made with a seed is left after it, and
/// no thread at the end.
pub(super) fn for_each_seed(random: &Random, mut attack: impl FnMut(u64, &mut Dice)) {
    watchdog(60);
    let idle = threads();
    let begin = Instant::now();
    let mut seed = random.seed;
    while begin.elapsed() < Duration::from_secs(random.seconds) {
        let before = alive();
        attack(seed, &mut Dice::new(seed));
        if settle_alive(before) != before {
            fault!("{} values leaked: seed {seed}", alive() - before);
        }
        seed = seed.wrapping_add(1);
    }
    let left = settle_threads(idle) - idle;
    if left > 0 {
        fault!("{left} threads are left");
    }
}

/// Settings at random; `small_trees` says whether a tree may have the smallest limits.
pub(super) fn settings<G: GameState>(
    dice: &mut Dice,
    limit: Option<usize>,
    small_trees: bool,
) -> MctsBuilder<G> {
    let tree = dice.one_in(5) && (small_trees || limit.is_none_or(|limit| limit >= 300_000));
    let builder = Mcts::builder()
        .threads(dice.pick(&[1, 1, 2, 3, 4, 8]))
        .oversubscribe(true)
        .memory_limit(limit)
        .seed(dice.next())
        .parallelism(match dice.below(6) {
            0 => Parallelism::Rounds,
            1 => Parallelism::Simulated { workers: dice.pick(&[1, 2, 7, 33]) },
            _ => Parallelism::Shared,
        })
        .lock_policy(dice.pick(&[LockPolicy::Block, LockPolicy::Yield, LockPolicy::Defer]))
        .selection(match dice.below(4) {
            0 => Selection::Ucb1Tuned,
            1 => Selection::grave(),
            _ => Selection::Ucb1 { exploration: dice.pick(&[0.0, 0.3, 1.0, 10.0]) },
        })
        .sharing(if tree { Sharing::PerPath } else { Sharing::Shared })
        .table(match dice.below(2) {
            0 => TableLocks::OneLock,
            _ => TableLocks::Shards(dice.pick(&[1, 2, 64])),
        })
        .in_flight(match dice.below(3) {
            0 => InFlight::Ignore,
            1 => InFlight::VirtualLoss { weight: 1.0 },
            _ => InFlight::Count,
        })
        .expansion(match dice.below(4) {
            // Without a limit a simulation takes up to 300 positions of 400 moves, which no machine
            // holds for long.
            0 if limit.is_some() => Expansion::Everything,
            1 => Expansion::OnePerSimulation { from_visit: dice.pick(&[1, 2, 9]) },
            _ => Expansion::Adaptive,
        })
        .round_size(match dice.below(2) {
            0 => RoundSize::Fixed(dice.pick(&[1, 3, 64, 4_096])),
            _ => RoundSize::default(),
        })
        .proofs(dice.below(3) > 0)
        .reuse(dice.below(6) > 0)
        .rollouts_per_leaf(dice.pick(&[1, 4, 64]))
        .rollout_limit(dice.pick(&[1, 40, 300]));
    if dice.one_in(5) { builder.contempt(0, 0.2) } else { builder }
}

const LIMITS: [Option<usize>; 11] = [
    Some(1 << 10),
    Some(2 << 10),
    Some(5_000),
    Some(10_000),
    Some(30_000),
    Some(60_000),
    Some(100_000),
    Some(300_000),
    Some(1 << 20),
    Some(3 << 20),
    None,
];

/// Below this limit the root and the first blocks may take more.
const EXACT_FROM: usize = 20_000;

fn one<const P: usize, K: Kind>(
    dice: &mut Dice,
    seed: u64,
    small_trees: bool,
    counts: &mut Counts,
) {
    let mut shape = some_shape(dice);
    if dice.below(3) > 0 && shape.layers > 0 {
        shape.layers = shape.layers.max(12);
    }
    let game = Noise::<P, K>::new(shape.clone());
    let limit = dice.pick(&LIMITS);
    let builder = settings(dice, limit, small_trees && shape.branching.1 < 100);
    let what =
        format!("seed {seed}, {P} players, {}, {shape:?}, {builder:?}", std::any::type_name::<K>());
    doing(what.clone());
    counts.engines += 1;
    let Ok(mut mcts) = builder.build() else {
        counts.refused += 1;
        return;
    };
    let mut state = game.clone();
    for turn in 0..dice.below(6) + 1 {
        doing(format!("turn {turn}, {what}"));
        let budget = match dice.below(3) {
            0 => Budget::time(Duration::from_millis(dice.pick(&[1, 5, 30]))),
            _ => Budget::simulations(dice.pick(&[1, 10, 500, 5_000, 20_000])),
        };
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let options = if dice.one_in(4) && moves.len() > 1 {
            let count = 1 + dice.below(moves.len() as u64) as usize;
            mcts::Options::new().only(moves.iter().take(count).cloned())
        } else {
            mcts::Options::new()
        };
        match mcts.search_with(&state, &budget, &options) {
            Ok(report) => {
                counts.simulations += report.simulations;
                counts.evicted += report.evicted;
                counts.full += u64::from(report.memory_full);
                let over =
                    limit.filter(|&limit| limit >= EXACT_FROM && report.bytes > limit as u64);
                if let Some(limit) = over {
                    fault!("{} bytes over {limit}: {what}", report.bytes);
                }
                if let Err(inconsistency) = mcts.audit() {
                    fault!("audit: {inconsistency}: turn {turn}, {what}");
                }
            }
            Err(SearchError::GameOver(_)) => {
                state = game.clone();
                continue;
            }
            Err(error) => fault!("{error}: {what}"),
        }
        match dice.below(7) {
            0 => mcts.forget(),
            1 => mcts.clear(),
            2 => state = game.clone(),
            _ => {
                let next = state.apply(&moves[dice.below(moves.len() as u64) as usize]);
                if next.outcome().is_none() {
                    state = next;
                }
            }
        }
    }
}
