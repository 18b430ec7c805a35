//! Random calls of handles from several threads, at tiny limits: all return, and nothing is left
//! alive.

use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use playtree::alphabeta::ParallelMode;
use playtree::budget::Depth;
use playtree::mcts::{LockPolicy, Parallelism, Selection, Sharing};
use playtree::{AlphaBeta, Budget, GameState, Handle, Mcts, Solver};

use crate::Random;
use crate::dice::Dice;
use crate::faults::{doing, fault, watchdog};
use crate::noise::{Eval, Noise, Owned, some_shape};
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

type Game = Noise<2, Owned>;

enum Engine {
    Mcts(Handle<Mcts<Game>>),
    AlphaBeta(Handle<AlphaBeta<Game, Eval>>),
    Solver(Handle<Solver<Game>>),
    /// Between two.
    None,
}

/// Calls, and callbacks of handles.
#[derive(Default)]
struct Counts {
    calls: AtomicU64,
    callbacks: AtomicU64,
}

static COUNTS: Counts = Counts { calls: AtomicU64::new(0), callbacks: AtomicU64::new(0) };

const THREADS: u64 = 3;
const CALLS: u64 = 60;

pub(crate) fn run(args: &Args) -> String {
    watchdog(60);
    let idle = threads();
    let begin = Instant::now();
    let before = alive();
    let mut seed = args.random.seed;
    while begin.elapsed() < Duration::from_secs(args.random.seconds) {
        let mut dice = Dice::new(seed);
        let mut shape = some_shape(&mut dice);
        shape.branching = dice.pick(&[(1, 3), (2, 6), (20, 40)]);
        let game = Game::new(shape);
        let engine = Mutex::new(fresh(&mut dice, &game, args.tree));
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (engine, game) = (&engine, game.clone());
                let what = format!("seed {seed}, thread {thread}");
                let dice = Dice::new(seed.wrapping_mul(10).wrapping_add(thread));
                scope.spawn(move || call_at_random(engine, &game, dice, &what, args.tree));
            }
        });
        doing(format!("seed {seed}, drop"));
        drop(engine);
        seed = seed.wrapping_add(1);
    }
    let (left, threads) = (settle_alive(before) - before, settle_threads(idle) - idle);
    if left != 0 || threads > 0 {
        fault!("{left} values and {threads} threads are left");
    }
    let (calls, callbacks) = (COUNTS.calls.load(Relaxed), COUNTS.callbacks.load(Relaxed));
    let handles = seed - args.random.seed;
    format!("{handles} handles, {calls} calls, {callbacks} callbacks, {} MiB", resident_mib())
}

fn some_budget(dice: &mut Dice) -> Budget {
    match dice.below(5) {
        0 => Budget::unlimited(),
        1 => Budget::simulations(1 + dice.below(3_000)).and_nodes(1 << 40),
        2 => Budget::time(Duration::from_micros(dice.below(4_000))),
        3 => Budget::time(Duration::MAX),
        _ => Budget::nodes(1 + dice.below(2_000)),
    }
}

fn fresh(dice: &mut Dice, game: &Game, small_trees: bool) -> Engine {
    let budget = some_budget(dice);
    if dice.one_in(4) {
        let modes = [ParallelMode::RootTasks, ParallelMode::SplitPoints, ParallelMode::SharedTable];
        let builder = AlphaBeta::builder(Eval).threads(dice.pick(&[1, 2, 4])).oversubscribe(true);
        let engine = builder.mode(dice.pick(&modes)).build().unwrap();
        return Engine::AlphaBeta(engine.start(game, &budget));
    }
    if dice.one_in(4) {
        let builder = Solver::builder().threads(dice.pick(&[1, 2, 4])).oversubscribe(true);
        let solver = builder.memory_limit(dice.pick(&[64, 60_000, 4 << 20])).build().unwrap();
        return Engine::Solver(solver.start(game, &budget));
    }
    let parallelism = [
        Parallelism::Shared,
        Parallelism::Shared,
        Parallelism::Rounds,
        Parallelism::Simulated { workers: 5 },
    ];
    let tree = dice.one_in(5) && small_trees;
    let mcts = Mcts::builder()
        .threads(dice.pick(&[1, 2, 4, 8]))
        .oversubscribe(true)
        .memory_limit(dice.pick(&[Some(10_000), Some(60_000), Some(200_000), None]))
        .seed(dice.next())
        .parallelism(dice.pick(&parallelism))
        .selection(if dice.one_in(3) { Selection::grave() } else { Selection::default() })
        .sharing(if tree { Sharing::PerPath } else { Sharing::Shared })
        .lock_policy(dice.pick(&[LockPolicy::Block, LockPolicy::Yield, LockPolicy::Defer]))
        .proofs(dice.one_in(2))
        .reuse(dice.below(4) > 0)
        .build();
    // A limit may be too small for that many workers.
    mcts.map_or(Engine::None, |mcts| Engine::Mcts(mcts.start(game, &budget)))
}

/// A move on from `state`, or the start where the game would be over.
fn next(dice: &mut Dice, state: &Game, game: &Game) -> Game {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    if moves.is_empty() {
        return game.clone();
    }
    let next = state.apply(&moves[dice.below(moves.len() as u64) as usize]);
    if next.outcome().is_some() { game.clone() } else { next }
}

fn call_at_random(
    engine: &Mutex<Engine>,
    game: &Game,
    mut dice: Dice,
    what: &str,
    small_trees: bool,
) {
    let mut state = game.clone();
    for turn in 0..CALLS {
        let call = dice.below(13);
        doing(format!("{what}, turn {turn}, call {call}"));
        COUNTS.calls.fetch_add(1, Relaxed);
        if call == 11 || call == 12 && dice.below(3) > 0 {
            std::thread::sleep(Duration::from_micros(dice.below(1_500)));
            continue;
        }
        let mut guard = engine.lock().unwrap();
        macro_rules! call {
            ($handle:expr) => {
                match call {
                    0 => {
                        $handle.think(&state, &some_budget(&mut dice));
                    }
                    1 => {
                        $handle.ponder(&state);
                    }
                    2 | 3 => {
                        $handle.set_budget(&some_budget(&mut dice));
                    }
                    4 => drop(black_box($handle.report())),
                    5 => {
                        let watcher = $handle.watcher();
                        drop(black_box(watcher.snapshot()));
                        if dice.below(4) == 0 {
                            watcher.stop();
                            assert!(watcher.wait_for(Duration::from_secs(100)), "it never stops");
                        }
                    }
                    6 => drop(black_box($handle.stop())),
                    7 => {
                        let time = Budget::time(Duration::from_micros(500));
                        $handle.set_budget(&time.and(Depth(3)));
                        drop($handle.wait());
                    }
                    8 => {
                        let interval = Duration::from_micros(dice.pick(&[0, 100, 3_000]));
                        $handle.on_report(interval, |report| {
                            black_box(report.clone());
                            COUNTS.callbacks.fetch_add(1, Relaxed);
                        });
                    }
                    9 => {
                        state = next(&mut dice, &state, game);
                        $handle.think(&state, &some_budget(&mut dice));
                    }
                    _ => {
                        $handle.on_report(Duration::MAX, |_| ());
                        $handle.on_end(|ended| {
                            black_box(ended.result.is_ok());
                            COUNTS.callbacks.fetch_add(1, Relaxed);
                        });
                    }
                }
            };
        }
        if call < 11 {
            match &mut *guard {
                Engine::Mcts(handle) => call!(handle),
                Engine::AlphaBeta(handle) => call!(handle),
                Engine::Solver(handle) => call!(handle),
                Engine::None => {}
            }
            continue;
        }
        *guard = match std::mem::replace(&mut *guard, Engine::None) {
            Engine::Mcts(handle) => {
                let mut mcts = handle.into_engine();
                for simulations in [200, 1] {
                    if let Err(inconsistency) = mcts.audit() {
                        fault!("audit: {inconsistency}: {what}");
                    }
                    drop(mcts.search(game, &Budget::simulations(simulations)));
                }
                match dice.one_in(2) {
                    true => Engine::Mcts(mcts.start(game, &some_budget(&mut dice))),
                    false => fresh(&mut dice, game, small_trees),
                }
            }
            Engine::AlphaBeta(handle) => {
                let engine = handle.into_engine();
                Engine::AlphaBeta(engine.start(game, &some_budget(&mut dice)))
            }
            Engine::Solver(handle) => {
                let solver = handle.into_engine();
                Engine::Solver(solver.start(game, &some_budget(&mut dice)))
            }
            Engine::None => fresh(&mut dice, game, small_trees),
        };
    }
}
