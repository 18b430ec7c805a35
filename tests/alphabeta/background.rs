//! The alpha-beta search in the background: it can be read, changed, stopped and dropped at any
//! moment, a panic reaches the caller, and it plays on a clock.

#![cfg(feature = "games")]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use playtree::budget::{Depth, GameClock, Hint, Progress, Settled, StopRule, TimeManager};
use playtree::games::{ConnectFour, Othello, TicTacToe};
use playtree::{
    AlphaBeta, AlphaBetaBuilder, AlphaBetaOptions, AlphaBetaReport, AlphaBetaThinking, Budget,
    Evaluate, GameState, Notation, Outcome, ParallelMode, Score, ScoreBound, SearchError,
    StopReason,
};

use crate::panics::panic_of;

const LONG: Duration = Duration::from_secs(60);

const MODES: [ParallelMode; 3] =
    [ParallelMode::RootTasks, ParallelMode::SplitPoints, ParallelMode::SharedTable];

/// The number of moves, and ways for a test to look on and to meddle.
#[derive(Clone, Default)]
struct Moves {
    /// Each evaluator that is left holds it.
    alive: Arc<()>,
    /// The next evaluation panics.
    armed: Arc<AtomicBool>,
    gate: Arc<Gate>,
}

/// Keeps evaluations waiting while it is shut.
#[derive(Default)]
struct Gate {
    shut: AtomicBool,
    waiting: AtomicUsize,
    /// Evaluations begun.
    passed: AtomicUsize,
}

impl<G: GameState> Evaluate<G> for Moves {
    fn evaluate(&self, state: &G) -> i32 {
        assert!(!self.armed.load(Ordering::Relaxed), "armed");
        let Gate { shut, waiting, passed } = &*self.gate;
        passed.fetch_add(1, Ordering::SeqCst);
        if shut.load(Ordering::SeqCst) {
            waiting.fetch_add(1, Ordering::SeqCst);
            while shut.load(Ordering::SeqCst) {
                thread::yield_now();
            }
        }
        let mut moves = Vec::with_capacity(32);
        state.moves(&mut moves);
        10 * moves.len() as i32
    }
}

fn builder<G: GameState>(evaluator: Moves, threads: usize) -> AlphaBetaBuilder<G, Moves> {
    AlphaBeta::builder(evaluator).threads(threads).oversubscribe(true).table_bytes(Some(4 << 20))
}

fn depth(plies: u32) -> Budget {
    Budget::unlimited().and(Depth(plies))
}

fn start(mode: ParallelMode, threads: usize) -> AlphaBetaThinking<Othello, Moves> {
    let engine = builder(Moves::default(), threads).mode(mode).build().unwrap();
    engine.start(&Othello::new(), &Budget::unlimited())
}

/// Waits until the search has completed `plies` iterations.
fn at_depth<G: GameState + 'static>(
    thinking: &AlphaBetaThinking<G, Moves>,
    plies: u32,
) -> AlphaBetaReport<G::Move> {
    loop {
        let report = thinking.report().expect("it goes on");
        if report.depth >= plies {
            return report;
        }
        assert!(thinking.is_thinking(), "it has ended at depth {}", report.depth);
        thread::yield_now();
    }
}

fn is_legal<G: GameState>(state: &G, mv: &G::Move) -> bool {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.contains(mv)
}

#[test]
fn what_is_read_during_a_search_makes_sense() {
    let state = Othello::new();
    for mode in MODES {
        for threads in [1, 3] {
            let mut thinking = start(mode, threads);
            let mut before = thinking.report().unwrap();
            while before.depth < 7 {
                let now = thinking.report().unwrap();
                assert_eq!(now.stop_reason, StopReason::Running);
                assert!(now.depth >= before.depth, "{} after {}", now.depth, before.depth);
                assert!(now.nodes >= before.nodes && now.elapsed >= before.elapsed);
                assert_eq!((now.moves.len(), now.workers), (4, threads));
                assert_eq!(now.best_move, now.moves[0].mv);
                assert_eq!(now.pv[0], now.best_move);
                assert!(now.depth == 0 || now.moves[0].score.is_some(), "{now:?}");
                assert!((0.0..=1.0).contains(&now.win_rate));
                // What is better than the iteration before belongs to the next one.
                assert!(now.moves[0].depth <= now.depth + 1, "{now:?}");
                for known in &now.moves {
                    let mut line = state;
                    for mv in &known.pv {
                        assert!(is_legal(&line, mv), "the variation leaves the rules");
                        line = line.apply(mv);
                    }
                }
                before = now;
            }
            let end = thinking.stop().unwrap();
            assert_eq!(end.stop_reason, StopReason::Stopped);
            assert!(end.depth >= before.depth && end.nodes >= before.nodes, "{mode:?} x{threads}");
            assert!(!thinking.is_thinking());
            let again = thinking.report().unwrap();
            assert_eq!((again.nodes, again.pv), (end.nodes, end.pv));
        }
    }
}

fn text<M: std::fmt::Debug>(mut report: AlphaBetaReport<M>) -> String {
    (report.elapsed, report.idle) = (Duration::ZERO, Duration::ZERO);
    format!("{report:?}")
}

#[test]
fn in_the_background_the_same_is_found() {
    let state = Othello::new();
    let engine = || {
        let builder = builder(Moves::default(), 1).random_choice(true).seed(3);
        builder.build().unwrap()
    };
    let mut thinking = engine().start(&state, &depth(6));
    let behind = text(thinking.wait().unwrap());
    let mut engine = engine();
    assert_eq!(behind, text(engine.search(&state, &depth(6)).unwrap()));
    // And in the next search, of another position.
    let next = state.apply(&thinking.report().unwrap().best_move);
    thinking.think(&next, &Budget::nodes(5_000));
    let behind = text(thinking.wait().unwrap());
    assert_eq!(behind, text(engine.search(&next, &Budget::nodes(5_000)).unwrap()));
}

/// After a stop each worker that was busy goes back at the next position it comes to. Counted
/// in evaluations, not in time, so that it does not depend on how busy the machine is.
#[test]
fn a_stop_is_heard_at_the_next_position() {
    for threads in [1, 3] {
        let evaluator = Moves::default();
        let gate = Arc::clone(&evaluator.gate);
        // In this mode every worker is busy all the time.
        let engine = builder(evaluator, threads).mode(ParallelMode::SharedTable).build().unwrap();
        let mut thinking = engine.start(&Othello::new(), &Budget::unlimited());
        for plies in 2..6 {
            thinking.think(&Othello::new(), &Budget::unlimited());
            at_depth(&thinking, plies);
            gate.waiting.store(0, Ordering::SeqCst);
            gate.shut.store(true, Ordering::SeqCst);
            while gate.waiting.load(Ordering::SeqCst) < threads {
                thread::yield_now();
            }
            // Every worker is in the gate, and hears of the end behind it.
            let before = gate.passed.load(Ordering::SeqCst);
            thinking.think(&finished(), &Budget::unlimited());
            gate.shut.store(false, Ordering::SeqCst);
            assert!(matches!(thinking.wait(), Err(SearchError::GameOver(_))));
            let begun = gate.passed.load(Ordering::SeqCst) - before;
            assert!(begun <= threads, "{begun} positions evaluated after the stop");
        }
    }
}

/// One disc, and neither side can move.
fn finished() -> Othello {
    let text = format!("X{} X", "-".repeat(63));
    Othello::parse_position(&text).unwrap()
}

/// `cargo test --release --test alphabeta measure_stop -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn measure_stop() {
    for (mode, threads) in [(MODES[1], 1), (MODES[1], 2), (MODES[2], 2)] {
        let mut thinking = start(mode, threads);
        let mut took = Vec::new();
        for number in 0..200 {
            thinking.set_budget(&Budget::unlimited());
            thread::sleep(Duration::from_millis(5 + number % 20));
            let begun = Instant::now();
            thinking.stop().unwrap();
            took.push(begun.elapsed());
        }
        took.sort();
        let [median, most_of_all, longest] = [100, 198, 199].map(|at| took[at]);
        println!(
            "{mode:?} x{threads}: stop took {median:?} (median), {most_of_all:?} (99 of 100), \
             {longest:?} at most"
        );
    }
}

#[test]
fn what_is_stopped_before_it_begins_has_an_answer() {
    let state = Othello::new();
    for round in 0..50 {
        let mut thinking = start(MODES[round % 3], 2);
        assert!(is_legal(&state, &thinking.stop().unwrap().best_move));
        thinking.ponder(&state);
        thinking.set_budget(&depth(2));
        thinking.think(&state, &Budget::unlimited());
        assert!(thinking.stop().is_ok());
    }
}

#[test]
fn a_handle_can_be_given_to_another_thread() {
    fn is_sendable<T: Send + Sync>() {}
    is_sendable::<AlphaBetaThinking<Othello, Moves>>();
}

#[test]
fn a_drop_stops_and_joins() {
    for threads in [1, 3] {
        let evaluator = Moves::default();
        let alive = Arc::clone(&evaluator.alive);
        let engine = || builder(evaluator.clone(), threads).build().unwrap();
        let thinking = engine().start(&Othello::new(), &Budget::unlimited());
        at_depth(&thinking, 3);
        assert_eq!(Arc::strong_count(&alive), 3);
        drop(thinking);
        assert_eq!(Arc::strong_count(&alive), 2, "somebody still searches");
        // Not yet begun, or just so.
        drop(engine().start(&Othello::new(), &Budget::unlimited()));
        assert_eq!(Arc::strong_count(&alive), 2);
    }
}

#[test]
fn a_panic_of_the_evaluator_reaches_the_caller() {
    for mode in MODES {
        let evaluator = Moves::default();
        let armed = Arc::clone(&evaluator.armed);
        let engine = builder(evaluator, 3).mode(mode).build().unwrap();
        let mut thinking = engine.start(&Othello::new(), &Budget::unlimited());
        at_depth(&thinking, 2);
        armed.store(true, Ordering::Relaxed);
        assert_eq!(panic_of(|| thinking.wait()), "armed");
        assert!(thinking.report().is_none());
        assert_eq!(thinking.wait().unwrap_err(), SearchError::Panicked);
        // The searcher stays usable, in the handle and out of it.
        armed.store(false, Ordering::Relaxed);
        thinking.think(&Othello::new(), &depth(3));
        assert_eq!(thinking.wait().unwrap().depth, 3);
        let mut engine = thinking.into_engine();
        assert!(engine.search(&Othello::new(), &depth(3)).is_ok());
    }
}

#[test]
fn a_callback_is_called_and_its_panic_reaches_the_caller() {
    let mut thinking = start(ParallelMode::SplitPoints, 2);
    let (send, reports) = mpsc::channel();
    thinking.on_report(Duration::from_millis(1), move |report| {
        let _ = send.send((report.depth, report.nodes, report.stop_reason));
    });
    let mut before = (0, 0);
    for _ in 0..5 {
        let (depth, nodes, stop_reason) = reports.recv().unwrap();
        assert!(depth >= before.0 && nodes >= before.1 && stop_reason == StopReason::Running);
        before = (depth, nodes);
    }
    thinking.on_report(Duration::from_millis(1), |_| panic!("callback"));
    assert_eq!(panic_of(|| thinking.wait()), "callback");
    // What was found until then is there.
    assert_eq!(thinking.wait().unwrap().stop_reason, StopReason::Stopped);
}

#[test]
fn errors_come_with_the_answer() {
    let over = TicTacToe::parse_position("XXXOO....").unwrap();
    let engine = builder(Moves::default(), 1).build().unwrap();
    let mut thinking = engine.start(&over, &Budget::unlimited());
    assert_eq!(thinking.wait().unwrap_err(), SearchError::GameOver(Outcome::Win(0)));
    assert!(thinking.report().is_none());
    thinking.think(&TicTacToe::new(), &Budget::simulations(7));
    assert_eq!(thinking.wait().unwrap_err(), SearchError::Simulations { found: 7 });
    thinking.think(&TicTacToe::new(), &Budget::unlimited());
    let report = thinking.wait().unwrap();
    assert_eq!((report.score, report.stop_reason), (Score::Draw, StopReason::Proven));
}

#[test]
fn options_last_until_the_next_position() {
    let state = Othello::new();
    let engine = || builder(Moves::default(), 1).build().unwrap();
    let best = engine().best_move(&state, &depth(4)).unwrap();
    let without = AlphaBetaOptions::new().except([best]);
    let mut thinking = engine().start_with(&state, &depth(4), &without);
    let lacks = |report: AlphaBetaReport<_>| report.moves.iter().all(|known| known.mv != best);
    assert!(lacks(thinking.wait().unwrap()));
    thinking.set_budget(&depth(5));
    assert!(lacks(thinking.wait().unwrap()));
    thinking.think(&state, &depth(4));
    assert!(!lacks(thinking.wait().unwrap()));
    thinking.think_with(&state, &Budget::unlimited(), &without);
    at_depth(&thinking, 2);
    assert!(lacks(thinking.report().unwrap()) && lacks(thinking.stop().unwrap()));
}

#[test]
fn a_change_of_budget_keeps_the_table() {
    let state = Othello::new();
    let mut thinking = builder(Moves::default(), 1).build().unwrap().start(&state, &depth(9));
    let first = thinking.wait().unwrap();
    thinking.set_budget(&depth(9));
    let second = thinking.wait().unwrap();
    assert_eq!((second.depth, second.score), (9, first.score));
    println!("{} nodes, and {} again", first.nodes, second.nodes);
    assert!(second.nodes < first.nodes, "{} after {}", second.nodes, first.nodes);
}

#[test]
fn after_pondering_the_search_finds_the_table_warm() {
    let engine = || builder(Moves::default(), 1).build().unwrap();
    let mut thinking = engine().start(&Othello::new(), &depth(5));
    let ours = thinking.wait().unwrap();
    let theirs = Othello::new().apply(&ours.best_move);
    let hit = theirs.apply(ours.expected_reply().unwrap());
    let cold = engine().search(&hit, &depth(9)).unwrap();
    // On all replies: what is known of this one is bounds, and how many depends on the moment.
    thinking.ponder(&theirs);
    at_depth(&thinking, 6);
    // On this one. Pondering turns into searching, without a stop in between.
    thinking.ponder(&hit);
    at_depth(&thinking, 9);
    thinking.think(&hit, &depth(9));
    let warm = thinking.wait().unwrap();
    println!("{} nodes cold, {} warm", cold.nodes, warm.nodes);
    assert_eq!((warm.depth, warm.stop_reason), (9, StopReason::Depth));
    assert!(warm.nodes < cold.nodes, "{} of {}", warm.nodes, cold.nodes);
}

/// Keeps all progress that it gets, and never stops.
#[derive(Clone, Debug, Default)]
struct Listener(Arc<Mutex<Vec<Progress>>>);

impl StopRule for Listener {
    fn check(&self, progress: &Progress) -> Hint {
        self.0.lock().unwrap().push(progress.clone());
        Hint::go_on()
    }
}

#[test]
fn rules_are_told_how_long_the_best_move_has_been_the_best() {
    let text = "------------------XX------XXX-----OOOO----XOO-----X------------- O";
    let state = Othello::parse_position(text).unwrap();
    let listener = Listener::default();
    let engine = || builder(Moves::default(), 1).build().unwrap();
    let best = |plies| engine().search(&state, &depth(plies)).unwrap().best_move;
    let mut thinking = engine().start(&state, &depth(9).and(listener.clone()));
    let report = thinking.wait().unwrap();
    let told = listener.0.lock().unwrap().clone();
    assert!(told.iter().all(|now| now.unchanged_time <= now.elapsed));
    assert!(told.iter().all(|now| now.unchanged_simulations <= now.simulations));
    assert!(told.is_sorted_by_key(|now| (now.elapsed, now.nodes, now.depth)));
    // As the iterations end: settled, and valued.
    let ends: Vec<_> = (1..9)
        .map(|plies| told.iter().find(|now| now.depth == plies).expect("asked at its end"))
        .collect();
    assert!(ends.iter().all(|now| now.best_is_highest && now.best.win_rate.is_some()));
    let mut changes = 0;
    for (plies, pair) in (1..).zip(ends.windows(2)) {
        let changed = pair[1].elapsed - pair[1].unchanged_time >= pair[0].elapsed;
        changes += usize::from(changed);
        // It may change twice in an iteration, and be the same in the end.
        assert!(changed || best(plies) == best(plies + 1), "another move after {plies} plies");
    }
    assert!((1..7).contains(&changes), "{changes} changes: choose another position");
    assert_eq!(report.depth, 9);
}

#[test]
fn a_settled_move_ends_the_search_and_one_that_is_not_does_not() {
    let mut thinking = start(ParallelMode::SplitPoints, 2);
    let soft = Duration::from_millis(30);
    thinking.set_budget(&Budget::soft_time(soft, LONG));
    let report = thinking.wait().unwrap();
    assert_eq!(report.stop_reason, StopReason::SoftTime);
    assert!(report.elapsed >= soft);
    thinking.set_budget(&Budget::time(LONG).and(Settled::Simulations(20_000)));
    let report = thinking.wait().unwrap();
    assert_eq!(report.stop_reason, StopReason::Settled);
    assert!(report.nodes >= 20_000);
}

/// The time of the clocks below: long waits for a core are no fault of the search.
const LAG: Duration = Duration::from_millis(250);

#[test]
fn one_legal_move_and_a_clock_without_time_are_answered_at_once() {
    let manager = TimeManager::new().lag(LAG);
    let clock = GameClock::SuddenDeath { remaining: LONG };
    let mut state = ConnectFour::new();
    // Six columns are full, and neither side has four in a row.
    for column in "111111222222333333555555666666777777".chars() {
        state = state.apply(&state.parse_move(&column.to_string()).unwrap());
    }
    assert_eq!((state.outcome(), state.plies()), (None, 36));
    let engine = builder(Moves::default(), 2).build().unwrap();
    let mut thinking = engine.start(&state, &manager.budget(clock, state.plies()));
    let report = thinking.wait().unwrap();
    assert_eq!((report.stop_reason, report.nodes), (StopReason::OnlyMove, 0));
    assert_eq!(state.move_text(&report.best_move), "4");

    let clock = GameClock::SuddenDeath { remaining: LAG };
    let state = ConnectFour::new();
    thinking.think(&state, &manager.budget(clock, 0));
    let report = thinking.wait().unwrap();
    assert!(is_legal(&state, &report.best_move));
    assert_eq!(report.stop_reason, StopReason::Time);
}

/// Two searchers; each ponders while the other one thinks. The clocks are charged with all the time
/// from the opponent's move to the answer.
#[test]
fn games_on_a_clock_are_not_lost_on_time() {
    let ms = Duration::from_millis;
    let manager = TimeManager::new().lag(LAG).expected_plies(42);
    for (clock, mode) in [
        (GameClock::PerMove { time: LAG + ms(25) }, MODES[0]),
        (GameClock::Fischer { remaining: ms(800), increment: LAG }, MODES[1]),
        (GameClock::ByoYomi { remaining: ms(200), period: LAG + ms(20), periods: 2 }, MODES[2]),
    ] {
        let mut state = ConnectFour::new();
        let mut clocks = [clock; 2];
        let mut sides = [1, 2].map(|threads| {
            let engine = builder(Moves::default(), threads).mode(mode).build().unwrap();
            engine.start(&state, &Budget::unlimited())
        });
        while state.outcome().is_none() {
            let begun = Instant::now();
            let side = state.mover();
            let budget = manager.budget(clocks[side], state.plies());
            let limit = budget.time_limit().unwrap();
            sides[side].think(&state, &budget);
            let report = sides[side].wait().unwrap();
            // How late an answer comes on a busy machine is not the engine's doing.
            let spent = begun.elapsed().min(limit + LAG);
            clocks[side] = clocks[side].after_move(spent).unwrap_or_else(|| {
                panic!("{:?} lost on time: {spent:?} for {limit:?}", clocks[side])
            });
            assert!(matches!(
                report.stop_reason,
                StopReason::Time
                    | StopReason::SoftTime
                    | StopReason::OnlyMove
                    | StopReason::Proven
                    | StopReason::Depth
            ));
            let known = |mv: &&_| **mv == report.best_move;
            let best = report.moves.iter().find(|mv| known(&&mv.mv)).unwrap();
            assert!(report.depth == 0 || best.bound != ScoreBound::AtMost, "{report:?}");
            state = state.apply(&report.best_move);
            if state.outcome().is_none() {
                sides[side].ponder(&state);
            }
        }
        assert!(state.plies() >= 7, "a whole game");
    }
}
