//! Memory limits that change while engines search, alone and in a pool whose bytes they share; an
//! audit of each engine, and nothing left at the end.

use std::hint::black_box;
use std::time::Duration;

use playtree::{Budget, GameState, Handle, Mcts, Pool};

use super::limits::{for_each_seed, settings};
use crate::Random;
use crate::dice::Dice;
use crate::faults::{doing, fault};
use crate::noise::{Kind, Noise, Owned, Plain, Text, some_shape};
use crate::process::{resident_mib, wait_until};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    random: Random,
}

/// What all engines together have done.
#[derive(Default)]
struct Counts {
    engines: u64,
    refused: u64,
    changes: u64,
    evicted: u64,
}

/// Limits that engines are built with, and changed to.
const LIMITS: [Option<usize>; 8] = [
    Some(20_000),
    Some(60_000),
    Some(150_000),
    Some(400_000),
    Some(1 << 20),
    Some(3 << 20),
    Some(8 << 20),
    None,
];

/// Bytes of a pool.
const BYTES: [u64; 4] = [200_000, 1 << 20, 4 << 20, 20 << 20];

pub(crate) fn run(args: &Args) -> String {
    let mut counts = Counts::default();
    for_each_seed(&args.random, |seed, dice| match dice.below(6) {
        0 => one::<1, Owned>(dice, seed, &mut counts),
        1 => one::<3, Owned>(dice, seed, &mut counts),
        2 => one::<2, Text>(dice, seed, &mut counts),
        3 => one::<2, Plain>(dice, seed, &mut counts),
        _ => one::<2, Owned>(dice, seed, &mut counts),
    });
    let Counts { engines, refused, changes, evicted } = counts;
    format!(
        "{engines} engines, {refused} refused, {changes} changes, {evicted} evicted, {} MiB",
        resident_mib()
    )
}

/// A pool with bytes, or none.
fn some_pool(dice: &mut Dice) -> Option<(Pool, u64)> {
    if dice.one_in(2) {
        return None;
    }
    let bytes = dice.pick(&BYTES);
    let builder = Pool::builder().threads(dice.pick(&[1, 2, 4])).memory(bytes);
    Some((builder.engines(dice.pick(&[1, 1, 3])).build().expect("in range"), bytes))
}

fn one<const P: usize, K: Kind>(dice: &mut Dice, seed: u64, counts: &mut Counts) {
    let mut shape = some_shape(dice);
    if shape.layers > 0 {
        shape.layers = shape.layers.max(12);
    }
    // Positions with few moves, so that there are many.
    shape.branching = dice.pick(&[(1, 3), (2, 6), (20, 40)]);
    let game = Noise::<P, K>::new(shape.clone());
    let what = format!("seed {seed}, {P} players, {}, {shape:?}", std::any::type_name::<K>());
    doing(what.clone());
    let pool = some_pool(dice);
    let mut handles: Vec<Handle<Mcts<Noise<P, K>>>> = Vec::new();
    for turn in 0..40 {
        doing(format!("turn {turn}, {what}"));
        check(pool.as_ref(), &what);
        if handles.is_empty() || dice.one_in(8) && handles.len() < 4 {
            let limit = dice.pick(&LIMITS);
            let mut builder = settings(dice, limit, false);
            if let Some((pool, _)) = &pool {
                builder = builder.pool(pool);
            }
            counts.engines += 1;
            match builder.build() {
                Ok(mcts) => handles.push(mcts.start(&game, &Budget::unlimited())),
                Err(_) => counts.refused += 1,
            }
            continue;
        }
        let at = dice.below(handles.len() as u64) as usize;
        let handle = &mut handles[at];
        match dice.below(10) {
            0..4 => {
                // One that has no room for a position is refused.
                counts.changes += u64::from(handle.set_memory_limit(dice.pick(&LIMITS)).is_ok());
            }
            4 => {
                let state = next(dice, &game);
                handle.think(&state, &Budget::unlimited());
            }
            5 => drop(black_box(handle.node(&[], 5))),
            6 => {
                let mut mcts = handles.swap_remove(at).into_engine();
                counts.evicted += audit(&mut mcts, &game, dice, &what);
                if dice.one_in(2) {
                    handles.push(mcts.start(&game, &Budget::unlimited()));
                }
            }
            _ => std::thread::sleep(Duration::from_micros(dice.below(8_000))),
        }
    }
    for handle in handles {
        counts.evicted += audit(&mut handle.into_engine(), &game, dice, &what);
    }
    if let Some((pool, _)) = &pool {
        wait_until(|| pool.memory_used() == 0);
        if pool.memory_used() != 0 {
            fault!("{} bytes of the pool are left: {what}", pool.memory_used());
        }
    }
}

/// A position after some moves at random.
fn next<const P: usize, K: Kind>(dice: &mut Dice, game: &Noise<P, K>) -> Noise<P, K> {
    let mut state = game.clone();
    for _ in 0..dice.below(4) {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let Some(mv) = moves.get(dice.below(moves.len().max(1) as u64) as usize) else { break };
        let next = state.apply(mv);
        if next.outcome().is_some() {
            break;
        }
        state = next;
    }
    state
}

/// The bytes of the pool are never exceeded.
fn check(pool: Option<&(Pool, u64)>, what: &str) {
    if let Some((pool, bytes)) = pool
        && pool.memory_used() > *bytes
    {
        fault!("{} bytes of a pool of {bytes}: {what}", pool.memory_used());
    }
}

/// Audits an engine before and after searches between two changes; the positions evicted in them.
fn audit<const P: usize, K: Kind>(
    mcts: &mut Mcts<Noise<P, K>>,
    game: &Noise<P, K>,
    dice: &mut Dice,
    what: &str,
) -> u64 {
    let mut evicted = 0;
    for simulations in [200, 2_000] {
        if let Err(inconsistency) = mcts.audit() {
            fault!("audit: {inconsistency}: {what}");
        }
        drop(mcts.set_memory_limit(dice.pick(&LIMITS)));
        match mcts.search(game, &Budget::simulations(simulations)) {
            Ok(report) => evicted += report.evicted,
            Err(error) => fault!("{error}: {what}"),
        }
        if dice.one_in(8) {
            mcts.forget();
        }
    }
    if let Err(inconsistency) = mcts.audit() {
        fault!("audit: {inconsistency}: {what}");
    }
    evicted
}
