//! Turns in a pool as a program sees them: who waits, from when on time runs, and the threads.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use playtree::budget::TimeFrom;
use playtree::games::Othello;
use playtree::{AlphaBeta, Budget, Handle, Mcts, Pool, Searcher, Solver, StopReason};

use crate::alphabeta::Moves;

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
        thread::yield_now();
    }
}

/// A game in which the thread that asks for moves sleeps, and keeps its turn meanwhile.
#[derive(Clone)]
struct Slow(u32);

impl playtree::GameState for Slow {
    type Key = u32;
    type Move = u32;

    fn key(&self) -> u32 {
        self.0
    }

    fn mover(&self) -> usize {
        0
    }

    fn plies(&self) -> u32 {
        self.0
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        thread::sleep(NAP);
        moves.extend([1, 2]);
    }

    fn outcome(&self) -> Option<playtree::Outcome> {
        (self.0 >= 3).then_some(playtree::Outcome::Draw)
    }

    fn apply(&self, mv: &u32) -> Self {
        Self(self.0 + mv)
    }
}

/// Longer than all the time that the searches beside it may take.
const NAP: Duration = Duration::from_millis(300);

/// A search that keeps the only turn for at least a nap once it has begun.
fn keeper(pool: &Pool) -> Handle<Mcts<Slow>> {
    let engine = Mcts::builder().threads(1).pool(pool).proofs(false).build().unwrap();
    let keeper = engine.start(&Slow(0), &Budget::unlimited());
    wait_until("it has the turn", || pool.searching() == 1);
    keeper
}

fn check_waiting<S: Searcher>(pool: &Pool, begin: impl FnOnce() -> Handle<S>) {
    let mut keeper = keeper(pool);
    let mut thinking = begin();
    let watcher = thinking.watcher();
    wait_until("it waits", || thinking.is_waiting() && watcher.is_waiting());
    assert!(thinking.is_thinking());
    keeper.stop().unwrap();
    wait_until("it has its turn", || !watcher.is_waiting());
    thinking.stop().ok();
    assert!(!thinking.is_waiting() && !watcher.is_waiting());
}

#[test]
fn a_search_that_waits_says_so() {
    let pool = Pool::new(1).unwrap();
    let (state, unlimited) = (Othello::new(), Budget::unlimited());
    let mcts = Mcts::builder().threads(2).oversubscribe(true).pool(&pool).build().unwrap();
    check_waiting(&pool, || mcts.start(&state, &unlimited));
    let alphabeta = AlphaBeta::builder(Moves::default()).threads(2).pool(&pool).build().unwrap();
    check_waiting(&pool, || alphabeta.start(&state, &unlimited));
    let solver = Solver::builder().threads(1).pool(&pool).build().unwrap();
    check_waiting(&pool, || solver.start(&state, &unlimited));
    // Without a pool no search waits.
    let thinking = Mcts::builder().threads(1).build().unwrap().start(&state, &unlimited);
    wait_until("it searches", || thinking.report().unwrap().simulations > 0);
    assert!(!thinking.is_waiting());
}

#[test]
fn time_runs_from_the_call_or_from_the_first_turn() {
    let pool = Pool::new(1).unwrap();
    let state = Othello::new();
    let engine = || Mcts::builder().threads(1).pool(&pool).build().unwrap();
    let brief = Duration::from_millis(30);
    let search = |budget: &Budget| {
        let mut keeper = keeper(&pool);
        let begun = Instant::now();
        let mut thinking = engine().start(&state, budget);
        wait_until("it waits or is over", || thinking.is_waiting() || !thinking.is_thinking());
        if budget.counts_time_from() == TimeFrom::FirstTurn {
            // The keeper gives its turn up later than the time of this one would be over.
            thread::sleep((2 * brief).saturating_sub(begun.elapsed()));
            let so_far = thinking.report().unwrap();
            assert_eq!(so_far.stop_reason, StopReason::Running);
            assert_eq!((so_far.simulations, so_far.elapsed), (0, Duration::ZERO));
            keeper.stop().unwrap();
        }
        let report = thinking.wait().unwrap();
        drop(keeper);
        assert_eq!(report.stop_reason, StopReason::Time);
        (report, begun.elapsed())
    };
    let (report, _) = search(&Budget::time(brief));
    assert_eq!(report.simulations, 0, "it was over before its turn");
    let (report, took) = search(&Budget::time(brief).time_from(TimeFrom::FirstTurn));
    assert!(report.simulations > 0 && report.elapsed >= brief, "{report:?}");
    assert!(took >= 3 * brief, "{took:?}");
    // Without a pool, and in steps, the first turn is at once.
    let budget = Budget::time(brief).time_from(TimeFrom::FirstTurn);
    let mut alone = Mcts::builder().threads(1).build().unwrap();
    assert!(alone.search(&state, &budget).unwrap().elapsed >= brief);
    let mut engine = engine();
    let mut steps = engine.begin(&state, &budget).unwrap();
    while steps.step(1_000).unwrap() {}
    assert_eq!(steps.finish().unwrap().stop_reason, StopReason::Time);
}

#[test]
fn the_hook_is_called_in_each_thread_that_the_library_starts() {
    let names = Arc::new(Mutex::new(Vec::new()));
    let pool = {
        let names = Arc::clone(&names);
        let hook = move || {
            let thread = thread::current();
            names.lock().unwrap().push(thread.name().unwrap_or("none").to_owned());
            assert!(thread.name() != Some("playtree-3"), "a hook that panics");
        };
        Pool::builder().threads(2).on_thread_start(hook).build().unwrap()
    };
    let builder = Mcts::builder().threads(3).oversubscribe(true).pool(&pool);
    let mut thinking = builder.build().unwrap().start(&Othello::new(), &Budget::simulations(5_000));
    assert_eq!(thinking.wait().unwrap().simulations, 5_000);
    let mut found = names.lock().unwrap().clone();
    found.sort();
    assert_eq!(found, ["playtree-2", "playtree-3", "playtree-search"]);
}
