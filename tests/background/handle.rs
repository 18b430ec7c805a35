//! The handle of every searcher: a search in the background can be read, changed, stopped and
//! dropped at any moment, and a panic reaches the caller.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use playtree::game::Failure;
use playtree::games::{ConnectFour, Othello, TicTacToe};
use playtree::{
    AlphaBeta, Budget, GameState, Handle, Mcts, Notation, Outcome, SearchError, Solver, StopReason,
};

use crate::alphabeta::Moves;
use crate::panics::panic_of;
use crate::positions::{FrailMoves, Traced};
use crate::subject::{
    Restrictable, Subject, check, check_reports, check_spent, is_legal, start, well_under_way,
};

/// Makes a test for each searcher of each of these behaviours, with a game to search.
macro_rules! for_every_searcher {
    ($($behaviour:ident: $game:ident;)*) => {
        mod monte_carlo {
            $(#[test]
            fn $behaviour() {
                super::$behaviour::<super::Mcts<super::$game>>();
            })*
        }

        mod alpha_beta {
            $(#[test]
            fn $behaviour() {
                super::$behaviour::<super::AlphaBeta<super::$game, super::Moves>>();
            })*
        }

        mod exact_solver {
            $(#[test]
            fn $behaviour() {
                super::$behaviour::<super::Solver<super::$game>>();
            })*
        }
    };
}

for_every_searcher! {
    a_search_can_be_read_while_it_runs: Othello;
    in_the_background_the_same_is_found: ConnectFour;
    stop_answers_soon: Othello;
    what_is_stopped_before_it_begins_has_an_answer: Othello;
    the_budget_can_be_changed: Othello;
    a_handle_can_be_given_to_another_thread: Othello;
    a_drop_stops_and_joins: Traced;
    a_panic_of_the_game_reaches_the_caller: Traced;
    a_game_that_fails_ends_its_search_with_its_own_error: Traced;
    a_drop_that_panics_loses_no_order: FrailMoves;
    a_drop_that_panics_loses_no_engine: FrailMoves;
    errors_come_with_the_answer: TicTacToe;
    the_callback_is_called: Othello;
    a_panic_of_the_callback_ends_the_search_and_reaches_the_caller: Othello;
}

fn a_search_can_be_read_while_it_runs<S: Subject<State = Othello>>() {
    for variant in 0..S::VARIANTS {
        for threads in [1, 3] {
            check_reports(S::build(variant, threads), &Othello::new(), S::is_far);
        }
    }
}

fn in_the_background_the_same_is_found<S: Subject<State = ConnectFour>>() {
    // In the second the Monte Carlo search has rounds of nearly a thousand simulations.
    for work in [5_000, 250_000] {
        check_the_same_is_found::<S>(work);
    }
}

fn check_the_same_is_found<S: Subject<State = ConnectFour>>(work: u64) {
    let state = ConnectFour::new();
    let budget = S::budget(work);
    let mut thinking = S::build(0, 1).start(&state, &budget);
    let behind = thinking.wait().unwrap();
    let mut engine = S::build(0, 1);
    let before = S::text(&engine.search(&state, &budget).unwrap());
    assert_eq!(S::text(&behind), before);
    check_spent::<S>(&behind, work);
    // What has ended says the same again.
    assert!(!thinking.is_thinking());
    assert_eq!(S::text(&thinking.report().unwrap()), before);
    assert_eq!(S::text(&thinking.stop().unwrap()), before);
    // And in the next search, of another position.
    let next = state.apply(&S::best(&behind));
    thinking.think(&next, &budget);
    let behind = S::text(&thinking.wait().unwrap());
    assert_eq!(behind, S::text(&engine.search(&next, &budget).unwrap()));
}

/// The bound is generous, for machines under load; an idle one takes a fraction of a millisecond.
fn stop_answers_soon<S: Subject<State = Othello>>() {
    let mut thinking = start::<S>(&Othello::new());
    let mut fastest = Duration::MAX;
    for _ in 0..20 {
        thinking.think(&Othello::new(), &Budget::unlimited());
        well_under_way(&thinking);
        let begun = Instant::now();
        assert!(thinking.stop().is_ok());
        fastest = fastest.min(begun.elapsed());
    }
    println!("the fastest stop took {fastest:?}");
    assert!(fastest < Duration::from_millis(100), "{fastest:?}");
}

fn what_is_stopped_before_it_begins_has_an_answer<S: Subject<State = Othello>>() {
    let state = Othello::new();
    for round in 0..50 {
        let engine = S::build(round % S::VARIANTS, 2);
        let mut thinking = engine.start(&state, &Budget::unlimited());
        assert!(is_legal(&state, &S::best(&thinking.stop().unwrap())));
        thinking.ponder(&state);
        thinking.set_budget(&S::budget(10));
        thinking.think(&state, &Budget::unlimited());
        assert!(thinking.stop().is_ok());
    }
}

fn the_budget_can_be_changed<S: Subject<State = Othello>>() {
    let mut thinking = start::<S>(&Othello::new());
    well_under_way(&thinking);
    let before = thinking.report().unwrap();
    thinking.set_budget(&S::budget(3_000));
    let report = thinking.wait().unwrap();
    check_spent::<S>(&report, 3_000);
    S::check_kept(&before, &report);
    // The clock runs from the change on, not from the start.
    let time = Duration::from_millis(5);
    thinking.set_budget(&Budget::time(time));
    let report = thinking.wait().unwrap();
    assert_eq!(S::stop_reason(&report), StopReason::Time);
    assert!(S::elapsed(&report) >= time);
    thinking.into_engine().audit();
}

fn a_handle_can_be_given_to_another_thread<S: Subject<State = Othello>>() {
    fn is_sendable<T: Send + Sync>() {}
    is_sendable::<Handle<S>>();
    let mut thinking = start::<S>(&Othello::new());
    assert!(thread::spawn(move || thinking.stop().is_ok()).join().unwrap());
}

fn a_drop_stops_and_joins<S: Subject<State = Traced>>() {
    for threads in [1, 3] {
        let state = Traced::new();
        let begin = || S::build(0, threads).start(&state, &Budget::unlimited());
        let thinking = begin();
        well_under_way(&thinking);
        assert!(!state.is_alone());
        drop(thinking);
        assert!(state.is_alone(), "a thread still searches");
        // Not yet begun, or just so.
        drop(begin());
        assert!(state.is_alone());
    }
}

fn a_panic_of_the_game_reaches_the_caller<S: Subject<State = Traced>>() {
    for variant in 0..S::VARIANTS {
        let state = Traced::new();
        let mut thinking = S::build(variant, 3).start(&state, &Budget::unlimited());
        let before = well_under_way(&thinking);
        state.arm(true);
        assert_eq!(panic_of(|| thinking.wait()), "armed");
        assert!(thinking.report().is_none());
        assert_eq!(thinking.wait().err(), Some(SearchError::Panicked));
        // The engine stays usable, in the handle and out of it.
        state.arm(false);
        thinking.think(&state, &S::budget(500));
        let report = thinking.wait().unwrap();
        check_spent::<S>(&report, 500);
        S::check_kept(&before, &report);
        let mut engine = thinking.into_engine();
        engine.audit();
        assert!(engine.search(&state, &S::budget(500)).is_ok());
        // No call meets this panic: the handle can be dropped all the same.
        let thinking = engine.start(&state, &Budget::unlimited());
        well_under_way(&thinking);
        state.arm(true);
        while thinking.is_thinking() {
            thread::yield_now();
        }
        drop(thinking);
        assert!(state.is_alone());
    }
}

/// An error of a game.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("line {0} is busy")]
struct Busy(u32);

fn a_game_that_fails_ends_its_search_with_its_own_error<S: Subject<State = Traced>>() {
    for variant in 0..S::VARIANTS {
        let state = Traced::new();
        let mut thinking = S::build(variant, 2).start(&state, &Budget::unlimited());
        well_under_way(&thinking);
        state.fail(Some(Failure::new(Busy(7))));
        let Err(SearchError::Game(failure)) = thinking.wait() else { panic!("it has failed") };
        assert_eq!(failure.get().downcast_ref(), Some(&Busy(7)));
        // At the root as well, and the engine stays usable.
        thinking.think(&state, &S::budget(300));
        let error = thinking.wait().err().expect("it has failed");
        assert!(error.to_string().ends_with("it has failed: line 7 is busy"), "{error}");
        state.fail(None);
        thinking.think(&state, &S::budget(300));
        check_spent::<S>(&thinking.wait().unwrap(), 300);
        thinking.into_engine().audit();
    }
}

fn a_drop_that_panics_loses_no_order<S: Subject<State = FrailMoves>>() {
    let state = FrailMoves::new();
    let budget = S::budget(200);
    let mut thinking = S::build(0, 1).start(&state, &budget);
    for turn in 0..4 {
        drop(thinking.wait().unwrap());
        // What is dropped is the report of the search before.
        state.fuse.light();
        let call = || {
            if turn % 2 == 0 {
                thinking.think(&state, &budget)
            } else {
                thinking.set_budget(&budget)
            }
        };
        assert_eq!(panic_of(call), "dropped");
    }
    check_spent::<S>(&thinking.wait().unwrap(), 200);
    thinking.into_engine().audit();
}

fn a_drop_that_panics_loses_no_engine<S: Subject<State = FrailMoves>>() {
    let state = FrailMoves::new();
    let budget = S::budget(200);
    let mut thinking = S::build(0, 1).start(&state, &budget);
    drop(thinking.wait().unwrap());
    // What is dropped is the report of the search.
    state.fuse.light();
    let mut engine = thinking.into_engine();
    assert!(!state.fuse.is_lit(), "nothing was dropped");
    engine.audit();
    check_spent::<S>(&engine.search(&state, &budget).unwrap(), 200);
    // With the handle the engine goes as well, and whoever drops it learns of the panic.
    let mut thinking = engine.start(&state, &Budget::unlimited());
    well_under_way(&thinking);
    assert!(thinking.stop().is_ok());
    state.fuse.light();
    assert_eq!(panic_of(|| drop(thinking)), "dropped");
}

fn errors_come_with_the_answer<S: Subject<State = TicTacToe>>() {
    let over = TicTacToe::parse_position("XXXOO....").unwrap();
    let is_over = Some(SearchError::GameOver(Outcome::Win(0)));
    let mut thinking = start::<S>(&over);
    assert_eq!(thinking.wait().err(), is_over);
    assert!(thinking.report().is_none());
    // Another budget is for the same position.
    thinking.set_budget(&S::budget(10));
    assert_eq!(thinking.wait().err(), is_over);
    if S::SPENT != StopReason::Simulations {
        thinking.think(&TicTacToe::new(), &Budget::simulations(7));
        assert_eq!(thinking.wait().err(), Some(SearchError::Simulations { found: 7 }));
    }
    thinking.think(&TicTacToe::new(), &Budget::unlimited());
    let report = thinking.wait().unwrap();
    assert!(S::is_drawn(&report), "a proof ends it");
    assert_eq!(S::stop_reason(&report), StopReason::Proven);
}

fn the_callback_is_called<S: Subject<State = Othello>>() {
    let state = Othello::new();
    let mut thinking = start::<S>(&state);
    let (send, reports) = mpsc::channel();
    thinking.on_report(Duration::from_millis(2), move |snapshot| {
        let _ = send.send(snapshot.report.clone());
    });
    let (mut before, mut distinct) = (reports.recv().unwrap(), 0);
    while distinct < 5 {
        let now = reports.recv().unwrap();
        check::<S>(&state, &before, &now);
        assert_eq!(S::stop_reason(&now), StopReason::Running);
        distinct += usize::from(S::work(&now) > S::work(&before));
        before = now;
    }
    // The next one replaces it: the sender of the first is gone.
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let often = Duration::from_millis(1);
    thinking.on_report(often, move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
    });
    while reports.recv().is_ok() {}
    while calls.load(Ordering::Relaxed) < 3 {
        thread::yield_now();
    }
    assert!(thinking.stop().is_ok());
    // Nothing is called when nothing is searched, and again when it is.
    thinking.on_report(often, |_| unreachable!());
    assert!(thinking.wait().is_ok());
    thinking.on_report(often, |_| panic!("called again"));
    thinking.think(&state, &Budget::unlimited());
    assert_eq!(panic_of(|| thinking.wait()), "called again");
}

fn a_panic_of_the_callback_ends_the_search_and_reaches_the_caller<S: Subject<State = Othello>>() {
    let mut thinking = start::<S>(&Othello::new());
    let often = Duration::from_millis(1);
    thinking.on_report(often, |_| panic!("callback"));
    assert_eq!(panic_of(|| thinking.wait()), "callback");
    // What was found until then is there.
    assert_eq!(S::stop_reason(&thinking.wait().unwrap()), StopReason::Stopped);
    thinking.on_report(often, |_| ());
    thinking.set_budget(&S::budget(100));
    check_spent::<S>(&thinking.wait().unwrap(), 100);
    thinking.into_engine().audit();
}

/// Of the searchers that have any.
pub(crate) fn check_options_last_until_the_next_position<S: Restrictable<State = Othello>>() {
    let (state, budget) = (Othello::new(), S::budget(2_000));
    let engine = || S::build(0, 1);
    let best = S::best(&engine().search(&state, &budget).unwrap());
    let without = S::without(best);
    let lacks = |report: &S::Report| !S::moves(report).contains(&best);
    let mut thinking = engine().start_with(&state, &budget, &without);
    assert!(lacks(&thinking.wait().unwrap()));
    thinking.set_budget(&S::budget(3_000));
    assert!(lacks(&thinking.wait().unwrap()));
    thinking.think(&state, &budget);
    assert!(!lacks(&thinking.wait().unwrap()));
    thinking.think_with(&state, &Budget::unlimited(), &without);
    let report = well_under_way(&thinking);
    assert!(lacks(&report) && lacks(&thinking.stop().unwrap()));
}
