//! The search in the background: it can be read, changed, stopped and dropped at any moment, and
//! a panic reaches the caller.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use playtree::games::{ConnectFour, Othello, TicTacToe};
use playtree::{
    Budget, GameState, Mcts, MctsBuilder, Notation, Outcome, Parallelism, Report, RoundSize,
    SearchError, StopReason, Thinking, ValueScheme,
};

use crate::panics::panic_of;

fn two_workers<G: GameState>() -> MctsBuilder<G> {
    Mcts::builder().threads(2).oversubscribe(true).seed(1)
}

fn start<G: GameState + 'static>(state: &G) -> Thinking<G> {
    two_workers().build().unwrap().start(state, &Budget::unlimited())
}

/// Waits until the search has made some simulations.
fn well_under_way<G: GameState + 'static>(thinking: &Thinking<G>) -> Report<G::Move> {
    let more_than = |count: u64| loop {
        let report = thinking.report().unwrap();
        if report.simulations >= count {
            return report;
        }
        thread::yield_now();
    };
    more_than(thinking.report().unwrap().simulations + 2_000)
}

fn is_legal<G: GameState>(state: &G, mv: &G::Move) -> bool {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.contains(mv)
}

/// Reads a search under way again and again: whatever is seen makes sense by itself, and
/// everything agrees in the end.
fn reads_make_sense<G: GameState + 'static>(builder: MctsBuilder<G>, state: &G, until: u64) {
    let mut thinking = builder.build().unwrap().start(state, &Budget::unlimited());
    let mut before = thinking.report().unwrap();
    while before.simulations < until {
        let now = thinking.report().unwrap();
        assert_eq!(now.stop_reason, StopReason::Running);
        assert!(is_legal(state, &now.best_move));
        assert!(now.simulations >= before.simulations);
        assert!(now.visits() >= now.simulations, "{} of {}", now.visits(), now.simulations);
        assert!(now.elapsed >= before.elapsed);
        for known in &now.moves {
            let visits = |report: &Report<G::Move>| {
                report.moves.iter().find(|mv| mv.mv == known.mv).unwrap().visits
            };
            assert!(known.visits >= visits(&before), "visits fall");
            assert!(known.win_rate.is_none_or(|rate| (0.0..=1.0).contains(&rate)));
            let mut line = state.clone();
            for mv in &known.pv {
                assert!(is_legal(&line, mv), "the variation leaves the rules");
                line = line.apply(mv);
            }
        }
        before = now;
    }
    let end = thinking.stop().unwrap();
    assert_eq!(end.stop_reason, StopReason::Stopped);
    assert!(end.simulations >= before.simulations && end.visits() >= before.visits());
    thinking.into_engine().audit().unwrap();
}

#[test]
fn a_search_can_be_read_while_it_runs() {
    reads_make_sense(two_workers(), &Othello::new(), 20_000);
    reads_make_sense(two_workers().parallelism(Parallelism::Rounds), &Othello::new(), 20_000);
    let simulated = Parallelism::Simulated { workers: 4 };
    reads_make_sense(two_workers().parallelism(simulated), &Othello::new(), 10_000);
}

/// What a reader has found is not given out again before it is done.
#[test]
fn a_search_can_be_read_while_positions_are_evicted() {
    for scheme in [ValueScheme::Graph, ValueScheme::Tree] {
        let builder = two_workers().memory_limit(Some(300_000)).value_scheme(scheme);
        reads_make_sense(builder, &ConnectFour::new(), 200_000);
    }
}

#[test]
fn in_the_background_the_same_is_found() {
    let state = ConnectFour::new();
    let budget = Budget::simulations(5_000);
    let engine = || Mcts::builder().threads(1).seed(7).build().unwrap();
    let mut thinking = engine().start(&state, &budget);
    let behind = thinking.wait().unwrap();
    let before = engine().search(&state, &budget).unwrap();
    let text = |report: &Report<_>| {
        report.moves.iter().map(|m| (format!("{:?}", m.mv), m.visits)).collect::<Vec<_>>()
    };
    assert_eq!(text(&behind), text(&before));
    assert_eq!((behind.simulations, behind.stop_reason), (5_000, StopReason::Simulations));
    // What has ended says the same again.
    assert!(!thinking.is_thinking());
    assert_eq!(text(&thinking.report().unwrap()), text(&before));
    assert_eq!(text(&thinking.stop().unwrap()), text(&before));
}

/// The bound is generous, for machines under load; an idle one takes a fraction of a millisecond.
#[test]
fn stop_answers_soon() {
    let mut thinking = start(&Othello::new());
    let mut fastest = Duration::MAX;
    for _ in 0..20 {
        thinking.think(&Othello::new(), &Budget::unlimited());
        well_under_way(&thinking);
        let begun = Instant::now();
        thinking.stop().unwrap();
        fastest = fastest.min(begun.elapsed());
    }
    println!("the fastest stop took {fastest:?}");
    assert!(fastest < Duration::from_millis(100), "{fastest:?}");
}

/// `cargo test --release --test background measure_stop -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn measure_stop() {
    for (threads, size) in [(1, None), (2, None), (1, Some(2_048)), (2, Some(2_048))] {
        let rounds = size.map_or(RoundSize::default(), RoundSize::Fixed);
        let builder = Mcts::builder().threads(threads).round_size(rounds);
        let mut thinking = builder.build().unwrap().start(&Othello::new(), &Budget::unlimited());
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
            "{threads} worker(s), {rounds:?}: stop took {median:?} (median), \
             {most_of_all:?} (99 of 100), {longest:?} at most"
        );
    }
}

#[test]
fn what_is_stopped_before_it_begins_has_an_answer() {
    let state = Othello::new();
    for _ in 0..50 {
        let mut thinking = start(&state);
        assert!(is_legal(&state, &thinking.stop().unwrap().best_move));
        thinking.ponder(&state);
        thinking.set_budget(&Budget::simulations(10));
        thinking.think(&state, &Budget::unlimited());
        assert!(thinking.stop().is_ok());
    }
}

#[test]
fn the_budget_can_be_changed() {
    let mut thinking = start(&Othello::new());
    well_under_way(&thinking);
    let before = thinking.report().unwrap();
    thinking.set_budget(&Budget::simulations(3_000));
    let report = thinking.wait().unwrap();
    assert_eq!((report.simulations, report.stop_reason), (3_000, StopReason::Simulations));
    assert!(report.visits() >= before.visits() + 3_000, "nothing is lost");
    // The clock runs from the change on, not from the start.
    thinking.set_budget(&Budget::time(Duration::from_millis(5)));
    let report = thinking.wait().unwrap();
    assert_eq!(report.stop_reason, StopReason::Time);
    assert!(report.elapsed >= Duration::from_millis(5));
    thinking.into_engine().audit().unwrap();
}

/// There is no table to find the position by.
#[test]
fn a_change_of_budget_keeps_a_tree_without_a_table() {
    let state = Othello::new();
    let mcts = two_workers().value_scheme(ValueScheme::Tree).build().unwrap();
    let mut thinking = mcts.start(&state, &Budget::simulations(1_000));
    thinking.wait().unwrap();
    thinking.set_budget(&Budget::simulations(1_000));
    assert_eq!(thinking.wait().unwrap().visits(), 2_000);
    // But not that of another position, when the one asked for has none.
    thinking.think(&Othello::parse_position(OVER).unwrap(), &Budget::unlimited());
    assert!(matches!(thinking.wait(), Err(SearchError::GameOver(_))));
    thinking.set_budget(&Budget::simulations(10));
    assert!(matches!(thinking.wait(), Err(SearchError::GameOver(_))));
    thinking.think(&state, &Budget::simulations(10));
    assert_eq!(thinking.wait().unwrap().visits(), 10);
}

/// One disc, and neither side can move.
const OVER: &str = "X--------------------------------------------------------------- X";

#[test]
fn a_handle_can_be_given_to_another_thread() {
    fn is_sendable<T: Send + Sync>() {}
    is_sendable::<Thinking<Othello>>();
}

/// Positions that say when they are gone.
#[derive(Clone)]
struct Traced {
    inner: ConnectFour,
    alive: Arc<()>,
    armed: Arc<AtomicBool>,
}

impl Traced {
    fn new() -> Self {
        Self { inner: ConnectFour::new(), alive: Arc::default(), armed: Arc::default() }
    }
}

impl GameState for Traced {
    type Key = <ConnectFour as GameState>::Key;
    type Move = <ConnectFour as GameState>::Move;

    fn key(&self) -> Self::Key {
        self.inner.key()
    }

    fn mover(&self) -> usize {
        self.inner.mover()
    }

    fn plies(&self) -> u32 {
        self.inner.plies()
    }

    fn moves(&self, moves: &mut Vec<Self::Move>) {
        self.inner.moves(moves);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.inner.outcome()
    }

    fn apply(&self, mv: &Self::Move) -> Self {
        assert!(!self.armed.load(Ordering::Relaxed), "armed");
        Self { inner: self.inner.apply(mv), ..self.clone() }
    }
}

#[test]
fn a_drop_stops_and_joins() {
    let state = Traced::new();
    let thinking = start(&state);
    well_under_way(&thinking);
    assert!(Arc::strong_count(&state.alive) > 1);
    drop(thinking);
    assert_eq!(Arc::strong_count(&state.alive), 1, "somebody still searches");
    // Not yet begun, or just so.
    drop(start(&state));
    assert_eq!(Arc::strong_count(&state.alive), 1);
}

#[test]
fn a_panic_of_the_game_reaches_the_caller() {
    let state = Traced::new();
    let mut thinking = start(&state);
    well_under_way(&thinking);
    state.armed.store(true, Ordering::Relaxed);
    assert_eq!(panic_of(|| thinking.wait()), "armed");
    assert!(thinking.report().is_none());
    assert_eq!(thinking.wait().unwrap_err(), SearchError::Panicked);
    // The engine stays usable, in the handle and out of it.
    state.armed.store(false, Ordering::Relaxed);
    thinking.think(&state, &Budget::simulations(500));
    assert_eq!(thinking.stop().map(|report| report.visits() > 2_000), Ok(true));
    let mut mcts = thinking.into_engine();
    mcts.audit().unwrap();
    assert!(mcts.search(&state, &Budget::simulations(500)).is_ok());
    // No call meets this panic: the handle can be dropped all the same.
    let thinking = mcts.start(&state, &Budget::unlimited());
    well_under_way(&thinking);
    state.armed.store(true, Ordering::Relaxed);
    while thinking.is_thinking() {
        thread::yield_now();
    }
    drop(thinking);
    assert_eq!(Arc::strong_count(&state.alive), 1);
}

/// A move whose drop panics, once, in the thread that has lit the fuse.
#[derive(Clone, Debug)]
struct Frail {
    number: u32,
    fuse: Arc<Mutex<Option<ThreadId>>>,
}

impl PartialEq for Frail {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Drop for Frail {
    fn drop(&mut self) {
        let lit = self.fuse.lock().unwrap().take_if(|by| *by == thread::current().id()).is_some();
        if lit && !thread::panicking() {
            panic!("dropped");
        }
    }
}

/// Ten plies of three moves each.
#[derive(Clone)]
struct FrailMoves {
    plies: u32,
    path: u32,
    fuse: Arc<Mutex<Option<ThreadId>>>,
}

impl GameState for FrailMoves {
    type Key = (u32, u32);
    type Move = Frail;

    fn key(&self) -> Self::Key {
        (self.plies, self.path)
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<Self::Move>) {
        moves.extend((0..3).map(|number| Frail { number, fuse: Arc::clone(&self.fuse) }));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies >= 10).then_some(Outcome::Win(self.path as usize % 2))
    }

    fn apply(&self, mv: &Self::Move) -> Self {
        Self { plies: self.plies + 1, path: self.path * 3 + mv.number, ..self.clone() }
    }
}

#[test]
fn a_drop_that_panics_loses_no_order() {
    let fuse = Arc::new(Mutex::new(None));
    let state = FrailMoves { plies: 0, path: 0, fuse: Arc::clone(&fuse) };
    let budget = Budget::simulations(200);
    let mcts = Mcts::builder().threads(1).proofs(false).build().unwrap();
    let mut thinking = mcts.start(&state, &budget);
    for turn in 0..4 {
        drop(thinking.wait().unwrap());
        // What is dropped is the report of the search before.
        *fuse.lock().unwrap() = Some(thread::current().id());
        let call = || {
            if turn % 2 == 0 {
                thinking.think(&state, &budget)
            } else {
                thinking.set_budget(&budget)
            }
        };
        assert_eq!(panic_of(call), "dropped");
    }
    assert_eq!(thinking.wait().unwrap().simulations, 200);
    thinking.into_engine().audit().unwrap();
}

#[test]
fn errors_come_with_the_answer() {
    let over = TicTacToe::parse_position("XXXOO....").unwrap();
    let mut thinking = start(&over);
    assert_eq!(thinking.wait().unwrap_err(), SearchError::GameOver(Outcome::Win(0)));
    assert!(thinking.report().is_none());
    thinking.think(&TicTacToe::new(), &Budget::unlimited());
    assert!(thinking.wait().unwrap().proven.is_some(), "a proof ends it");
}

#[test]
fn the_callback_is_called() {
    let mut thinking = start(&Othello::new());
    let (send, reports) = mpsc::channel();
    thinking.on_report(Duration::from_millis(2), move |report| {
        let _ = send.send((report.visits(), report.stop_reason));
    });
    let (mut before, mut distinct) = (0, 0);
    while distinct < 5 {
        let (visits, stop_reason) = reports.recv().unwrap();
        assert!(visits >= before && stop_reason == StopReason::Running);
        distinct += usize::from(visits > before);
        before = visits;
    }
    // The next one replaces it: the sender of the first is gone.
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    thinking.on_report(Duration::from_millis(1), move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
    });
    while reports.recv().is_ok() {}
    while calls.load(Ordering::Relaxed) < 3 {
        thread::yield_now();
    }
    thinking.stop().unwrap();
    // Nothing is called when nothing is searched, and again when it is.
    thinking.on_report(Duration::from_millis(1), |_| unreachable!());
    assert!(thinking.wait().is_ok());
    thinking.on_report(Duration::from_millis(1), |_| panic!("called again"));
    thinking.think(&Othello::new(), &Budget::unlimited());
    assert_eq!(panic_of(|| thinking.wait()), "called again");
}

#[test]
fn a_panic_of_the_callback_ends_the_search_and_reaches_the_caller() {
    let mut thinking = start(&Othello::new());
    thinking.on_report(Duration::from_millis(1), |_| panic!("callback"));
    assert_eq!(panic_of(|| thinking.wait()), "callback");
    // What was found until then is there.
    assert_eq!(thinking.wait().unwrap().stop_reason, StopReason::Stopped);
    thinking.on_report(Duration::from_millis(1), |_| ());
    thinking.set_budget(&Budget::simulations(100));
    assert_eq!(thinking.wait().unwrap().simulations, 100);
    thinking.into_engine().audit().unwrap();
}
