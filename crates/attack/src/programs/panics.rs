//! A panic in each method of the game, in each mode: is it handed on, and is the engine sound after
//! it?

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use playtree::alphabeta::ParallelMode;
use playtree::budget::Depth;
use playtree::mcts::{LockPolicy, Parallelism, Selection};
use playtree::solver::Method;
use playtree::{AlphaBeta, Budget, Mcts, MctsBuilder, Solver};

use crate::Random;
use crate::dice::Dice;
use crate::faults::{doing, fault, other_panics_are_faults, watchdog, without_panic};
use crate::inject::{SPOTS, Spot, arm, disarm, has_fired};
use crate::noise::{Eval, Evil, Noise, Owned, Shape};
use crate::process::{settle_threads, threads};
use crate::tracked::{alive, settle_alive};

type Game = Noise<2, Owned>;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    random: Random,
}

/// One run: a panic in one mode.
struct Case {
    what: String,
    game: Game,
    spot: Spot,
    after: i64,
    seed: u64,
    mode: u64,
    workers: usize,
    limit: Option<usize>,
    /// Threads before it, and room for one that clears up.
    threads: usize,
}

/// What became of the panics that have fired.
#[derive(Default)]
struct Counts {
    runs: u64,
    fired: u64,
    handed_on: u64,
}

pub(crate) fn run(args: &Args) -> String {
    watchdog(60);
    other_panics_are_faults();
    let begin = Instant::now();
    let mut counts = Counts::default();
    let base = threads();
    let mut seed = args.random.seed;
    while begin.elapsed() < Duration::from_secs(args.random.seconds) {
        let case = Case::new(seed, base + 1);
        doing(case.what.clone());
        let before = alive();
        counts.runs += 1;
        case.run(&mut counts);
        let Case { what, spot, .. } = case;
        // Where a Drop has panicked, what was to be dropped after it may be left.
        let left = settle_alive(before) - before;
        if left != 0 && !matches!(spot, Spot::ValueDrop | Spot::StateDrop) {
            fault!("{left} values leaked: {what}");
        }
        seed = seed.wrapping_add(1);
    }
    let Counts { runs, fired, handed_on } = counts;
    format!("{runs} runs, {fired} panics, {handed_on} handed on")
}

impl Case {
    fn new(seed: u64, threads: usize) -> Self {
        let mut dice = Dice::new(seed);
        let spot = dice.pick(&SPOTS);
        let workers = dice.pick(&[1, 2, 8]);
        let mode = dice.below(9);
        let shape = Shape {
            seed: dice.next(),
            width: dice.pick(&[5, 40, 1 << 40]),
            layers: if mode >= 5 { 12 } else { dice.pick(&[0, 12, 40]) },
            branching: dice.pick(&[(1, 4), (2, 6)]),
            ends: 20,
            rollout: dice.one_in(2),
            evil: Evil::No,
        };
        let after = dice.below(1_000) as i64 * dice.pick(&[0, 1, 30]);
        let limit = dice.pick(&[None, Some(30_000), Some(100_000)]);
        let what = format!(
            "seed {seed}, mode {mode}, {spot:?} after {after}, {workers} workers, limit {limit:?}, \
             {shape:?}"
        );
        Self { what, game: Game::new(shape), spot, after, seed, mode, workers, limit, threads }
    }

    fn run(&self, counts: &mut Counts) {
        match self.mode {
            0..=2 => self.search(counts),
            3 | 4 => self.search_in_background(counts),
            5..=7 => self.alpha_beta(counts),
            _ => self.solve(counts),
        }
    }

    fn builder(&self) -> MctsBuilder<Game> {
        let policies = [LockPolicy::Block, LockPolicy::Yield, LockPolicy::Defer];
        let grave = !self.seed.is_multiple_of(2);
        Mcts::builder()
            .threads(self.workers)
            .oversubscribe(true)
            .memory_limit(self.limit)
            .seed(self.seed)
            .lock_policy(policies[self.seed as usize % 3])
            .selection(if grave { Selection::grave() } else { Selection::default() })
            .parallelism(match self.mode {
                1 => Parallelism::Rounds,
                2 => Parallelism::Simulated { workers: self.workers },
                _ => Parallelism::Shared,
            })
    }

    /// Runs what is attacked. What fires must be handed on, and no thread may be left.
    fn attack(&self, counts: &mut Counts, run: impl FnOnce()) {
        arm(self.spot, self.after);
        let result = catch_unwind(AssertUnwindSafe(run));
        disarm();
        counts.fired += u64::from(has_fired());
        counts.handed_on += u64::from(result.is_err());
        if has_fired() && result.is_ok() {
            fault!("a panic was swallowed: {}", self.what);
        }
        let left = settle_threads(self.threads);
        if left > self.threads {
            fault!("{left} threads are left: {}", self.what);
        }
    }

    fn audit(&self, mcts: &mut Mcts<Game>) {
        if let Err(inconsistency) = mcts.audit() {
            fault!("audit: {inconsistency}: {}", self.what);
        }
    }

    fn search(&self, counts: &mut Counts) {
        // A limit may be too small for the settings.
        let Ok(mut mcts) = self.builder().build() else { return };
        self.attack(counts, || drop(mcts.search(&self.game, &Budget::simulations(4_000))));
        self.audit(&mut mcts);
        for _ in 0..2 {
            let again = || mcts.search(&self.game, &Budget::simulations(3_000)).map(drop);
            without_panic(&self.what, again);
            self.audit(&mut mcts);
        }
    }

    fn search_in_background(&self, counts: &mut Counts) {
        let Ok(mcts) = self.builder().build() else { return };
        let budget = if self.mode == 3 { Budget::unlimited() } else { Budget::simulations(3_000) };
        arm(self.spot, self.after);
        let attack = || {
            let mut handle = mcts.start(&self.game, &budget);
            if self.seed.is_multiple_of(4) {
                handle.on_report(Duration::from_millis(1), |report| drop(report.clone()));
            }
            let mut panics = 0;
            for turn in 0..4 {
                let call = || match turn {
                    0 => {
                        std::thread::sleep(Duration::from_millis(2));
                        drop(handle.report());
                    }
                    2 => {
                        handle.think(&self.game, &Budget::simulations(500));
                        drop(handle.wait());
                    }
                    _ => drop(handle.stop()),
                };
                panics += u64::from(catch_unwind(AssertUnwindSafe(call)).is_err());
            }
            (catch_unwind(AssertUnwindSafe(|| handle.into_engine())).ok(), panics)
        };
        let result = catch_unwind(AssertUnwindSafe(attack));
        disarm();
        counts.fired += u64::from(has_fired());
        counts.handed_on += u64::from(!matches!(result, Ok((_, 0))));
        match result {
            // The engine goes with a call of `start` that panics.
            Err(_) => {}
            Ok((None, _)) => fault!("the engine is lost: {}", self.what),
            Ok((Some(mut mcts), _)) => {
                self.audit(&mut mcts);
                let again = || mcts.search(&self.game, &Budget::simulations(2_000)).map(drop);
                without_panic(&self.what, again);
                self.audit(&mut mcts);
            }
        }
    }

    fn alpha_beta(&self, counts: &mut Counts) {
        let modes = [ParallelMode::RootTasks, ParallelMode::SplitPoints, ParallelMode::SharedTable];
        let mode = modes[self.mode as usize - 5];
        let builder = AlphaBeta::builder(Eval).threads(self.workers).oversubscribe(true).mode(mode);
        let mut engine = builder.build().unwrap();
        let budget = |nodes, depth| Budget::nodes(nodes).and(Depth(depth));
        self.attack(counts, || drop(engine.search(&self.game, &budget(30_000, 7))));
        without_panic(&self.what, || engine.search(&self.game, &budget(20_000, 5)).map(drop));
    }

    fn solve(&self, counts: &mut Counts) {
        let proof_numbers = !self.seed.is_multiple_of(2);
        let builder = Solver::<Game>::builder().threads(self.workers).oversubscribe(true);
        let builder =
            builder.method(if proof_numbers { Method::ProofNumbers } else { Method::AlphaBeta });
        let mut solver = builder.memory_limit(self.limit.unwrap_or(8 << 20)).build().unwrap();
        self.attack(counts, || drop(solver.solve(&self.game, &Budget::nodes(100_000))));
        without_panic(&self.what, || solver.solve(&self.game, &Budget::nodes(20_000)).map(drop));
    }
}
