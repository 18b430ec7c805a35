//! No thread of a search in the background outlives its handle. Alone in its program, because
//! it counts the program's threads.

#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};
use std::{fs, thread};

use playtree::alphabeta::ParallelMode;
use playtree::games::Othello;
use playtree::{AlphaBeta, Budget, Evaluate, Handle, Mcts, Searcher, Solver};

struct Nothing;

impl Evaluate<Othello> for Nothing {
    fn evaluate(&self, _: &Othello) -> i32 {
        0
    }
}

fn threads() -> usize {
    fs::read_dir("/proc/self/task").unwrap().count()
}

fn use_and_drop<S: Searcher<State = Othello>>(
    mut thinking: Handle<S>,
    round: usize,
    before: usize,
) {
    thinking.on_report(Duration::from_millis(1), |_| ());
    thinking.on_report(Duration::from_millis(2), |_| ());
    assert!(thinking.report().is_some());
    assert!(threads() > before);
    if round.is_multiple_of(4) {
        thinking.ponder(&Othello::new());
    }
    if round.is_multiple_of(2) { drop(thinking) } else { drop(thinking.into_engine()) }
}

#[test]
fn no_thread_is_left_over() {
    let before = threads();
    let state = Othello::new();
    for round in 0..30 {
        let mcts = Mcts::builder().threads(3).oversubscribe(true).build().unwrap();
        use_and_drop(mcts.start(&state, &Budget::unlimited()), round, before);
        let modes = [ParallelMode::RootTasks, ParallelMode::SplitPoints, ParallelMode::SharedTable];
        let builder = AlphaBeta::builder(Nothing).threads(3).oversubscribe(true);
        let alpha_beta = builder.mode(modes[round % 3]).table_bytes(Some(1 << 20)).build().unwrap();
        use_and_drop(alpha_beta.start(&state, &Budget::unlimited()), round, before);
        let builder = Solver::builder().threads(3).oversubscribe(true);
        let solver = builder.memory_limit(1 << 20).build().unwrap();
        use_and_drop(solver.start(&state, &Budget::unlimited()), round, before);
    }
    // The system may still be clearing away a thread that was joined.
    let patience = Instant::now();
    while threads() != before && patience.elapsed() < Duration::from_secs(10) {
        thread::yield_now();
    }
    assert_eq!(threads(), before);
}
