//! Watchers: any number of eyes on a search, which neither own it nor keep it alive.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use playtree::games::{ConnectFour, Othello};
use playtree::{
    AlphaBeta, Budget, GameState, Mcts, SearchError, Searcher, Solver, StopReason, Watcher,
};

use crate::alphabeta::Moves;
use crate::panics::panic_of;
use crate::positions::Traced;
use crate::subject::{Subject, check_spent, start, well_under_way};

/// Wakes the thread that waits for a future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The smallest executor: sleeps until it is woken.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// The end of a game.
fn finished(state: &Othello) -> Othello {
    let (mut state, mut moves) = (*state, Vec::new());
    while state.outcome().is_none() {
        moves.clear();
        state.moves(&mut moves);
        state = state.apply(&moves[0]);
    }
    state
}

/// Runs a behaviour for each searcher.
macro_rules! for_every_searcher {
    ($($behaviour:ident: $game:ident;)*) => {
        $(#[test]
        fn $behaviour() {
            check::$behaviour::<Mcts<$game>>();
            check::$behaviour::<AlphaBeta<$game, Moves>>();
            check::$behaviour::<Solver<$game>>();
        })*
    };
}

for_every_searcher! {
    watchers_see_what_the_handle_sees: Othello;
    a_watcher_stops_a_search_that_another_thread_waits_for: Othello;
    an_end_is_called_once_for_each_search: Othello;
    an_end_wakes_a_task: Othello;
    a_watcher_outlives_the_handle: Othello;
    a_panic_reaches_handle_and_watcher: Traced;
}

mod check {
    use super::*;

    pub(super) fn watchers_see_what_the_handle_sees<S: Subject<State = Othello>>() {
        let state = Othello::new();
        let mut thinking = start::<S>(&state);
        let watcher = thinking.watcher();
        let first = watcher.search();
        assert_eq!(first.to_string(), "1");
        well_under_way(&thinking);
        let seen = watcher.snapshot().expect("it is under way");
        assert_eq!((seen.search, seen.state.key()), (first, state.key()));
        assert_eq!(S::stop_reason(&seen.report), StopReason::Running);
        assert!(watcher.is_thinking() && !watcher.wait_for(Duration::from_millis(1)));
        assert!(thinking.wait_for(Duration::ZERO).is_none());

        let next = state.apply(&S::best(&seen.report));
        let second = thinking.think(&next, &S::budget(2_000));
        assert!(second > first && watcher.clone().search() == second);
        assert!(watcher.wait_for(Duration::MAX));
        let report = thinking.wait_for(Duration::MAX).expect("it has ended").unwrap();
        let seen = watcher.snapshot().expect("it has ended with a report");
        assert_eq!((seen.search, seen.state.key()), (second, next.key()));
        assert_eq!(S::text(&seen.report), S::text(&report));
        assert!(thinking.set_budget(&S::budget(10)) > second);
    }

    pub(super) fn a_watcher_stops_a_search_that_another_thread_waits_for<
        S: Subject<State = Othello>,
    >() {
        let mut thinking = start::<S>(&Othello::new());
        let watcher = thinking.watcher();
        let stops = thread::spawn(move || {
            while watcher.snapshot().is_none_or(|seen| S::work(&seen.report) < 1_000) {
                thread::yield_now();
            }
            watcher.stop();
            assert!(watcher.wait_for(Duration::MAX));
        });
        assert_eq!(S::stop_reason(&thinking.wait().unwrap()), StopReason::Stopped);
        stops.join().unwrap();
    }

    pub(super) fn an_end_is_called_once_for_each_search<S: Subject<State = Othello>>() {
        let (state, (send, ends)) = (Othello::new(), mpsc::channel());
        let mut thinking = start::<S>(&state);
        let first = thinking.watcher().search();
        thinking.on_end(move |ended| {
            let reason = ended.result.as_ref().map(S::stop_reason);
            send.send((ended.search, ended.state.plies(), reason.map_err(Clone::clone))).unwrap();
        });
        let report = well_under_way(&thinking);
        let next = state.apply(&S::best(&report));
        // The first is replaced, the second ends by itself, the third has nothing to search.
        let second = thinking.think(&next, &S::budget(500));
        assert!(thinking.wait().is_ok());
        let over = finished(&state);
        let third = thinking.think(&over, &Budget::unlimited());
        let error = thinking.wait().map(|report| S::stop_reason(&report));
        assert!(matches!(error, Err(SearchError::GameOver(_))));
        let ended: Vec<_> = ends.iter().take(3).collect();
        assert_eq!(ended[0], (first, 0, Ok(StopReason::Stopped)));
        assert_eq!(ended[1], (second, 1, Ok(S::SPENT)));
        assert_eq!(ended[2], (third, over.plies(), error));
        drop(thinking);
        assert!(ends.recv().is_err(), "no more calls, and the callback is gone");
    }

    pub(super) fn an_end_wakes_a_task<S: Subject<State = Othello>>() {
        let mut thinking = start::<S>(&Othello::new());
        let watcher = thinking.watcher();
        let waits = thread::spawn(move || block_on(watcher.ended()));
        let end = thinking.watcher().ended();
        well_under_way(&thinking);
        // Another search takes its place: its end is waited for.
        let last = thinking.think(&Othello::new(), &S::budget(700));
        let seen = waits.join().unwrap().unwrap();
        assert_eq!(seen.search, last);
        check_spent::<S>(&seen.report, 700);
        // What has ended is there at once.
        assert_eq!(block_on(end).unwrap().search, last);
    }

    pub(super) fn a_watcher_outlives_the_handle<S: Subject<State = Othello>>() {
        for wait in [true, false] {
            let mut thinking = start::<S>(&Othello::new());
            let watcher = thinking.watcher();
            let end = watcher.ended();
            let waits = thread::spawn(move || block_on(end));
            if wait {
                well_under_way(&thinking);
            } else {
                thinking.ponder(&Othello::new());
            }
            drop(thinking);
            assert!(!watcher.is_thinking() && watcher.wait_for(Duration::MAX));
            match waits.join().unwrap() {
                Ok(seen) => assert_eq!(S::stop_reason(&seen.report), StopReason::Stopped),
                Err(error) => assert_eq!((error, wait), (SearchError::Abandoned, false)),
            }
        }
    }

    pub(super) fn a_panic_reaches_handle_and_watcher<S: Subject<State = Traced>>() {
        let state = Traced::new();
        let mut thinking = S::build(0, 1).start(&state, &Budget::unlimited());
        let watcher = thinking.watcher();
        well_under_way(&thinking);
        state.arm(true);
        let error = block_on(watcher.ended()).err();
        assert_eq!((error, watcher.snapshot().is_none()), (Some(SearchError::Panicked), true));
        assert_eq!(panic_of(|| thinking.wait()), "armed");
        state.arm(false);
        // A callback at the end may panic as well, and the next wait goes on with it.
        thinking.on_end(|_| panic!("at the end"));
        thinking.think(&state, &S::budget(100));
        let begun = Arc::new(AtomicBool::new(false));
        while !begun.load(Ordering::Relaxed) {
            let waited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| thinking.wait()));
            begun.store(waited.is_err(), Ordering::Relaxed);
        }
        thinking.on_end(|_| ());
        thinking.think(&state, &S::budget(100));
        assert!(thinking.wait().is_ok());
        thinking.into_engine().audit();
    }
}

#[test]
fn watchers_go_anywhere() {
    fn goes<T: Send + Sync + Clone + 'static>() {}
    goes::<Watcher<Mcts<ConnectFour>>>();
    fn is_send<T: Send + 'static>(_: T) {}
    is_send(start::<Mcts<ConnectFour>>(&ConnectFour::new()).watcher().ended());
    fn is_searcher<S: Searcher>(_: &Watcher<S>) {}
    is_searcher(&start::<Mcts<ConnectFour>>(&ConnectFour::new()).watcher());
}
