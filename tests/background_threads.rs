//! No thread of a search in the background outlives its handle. Alone in its program, because
//! it counts the program's threads.

#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};
use std::{fs, thread};

use playtree::games::Othello;
use playtree::{Budget, Mcts};

fn threads() -> usize {
    fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
fn no_thread_is_left_over() {
    let before = threads();
    let state = Othello::new();
    for round in 0..30 {
        let mcts = Mcts::builder().threads(3).oversubscribe(true).build().unwrap();
        let mut thinking = mcts.start(&state, &Budget::unlimited());
        thinking.on_report(Duration::from_millis(1), |_| ());
        thinking.on_report(Duration::from_millis(2), |_| ());
        assert!(thinking.report().is_some());
        assert!(threads() > before);
        if round % 3 == 0 {
            thinking.ponder(&state);
        }
        if round % 2 == 0 { drop(thinking) } else { drop(thinking.into_engine()) }
    }
    // The system may still be clearing away a thread that was joined.
    let patience = Instant::now();
    while threads() != before && patience.elapsed() < Duration::from_secs(10) {
        thread::yield_now();
    }
    assert_eq!(threads(), before);
}
