//! The handle of an alpha-beta search, where it is not as that of every searcher: its evaluator,
//! its table, what it says to the rules of a budget, and games on a clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use playtree::alphabeta::{self, ParallelMode, ScoreBound};
use playtree::budget::{Depth, GameClock, Hint, Progress, Settled, StopRule, TimeManager};
use playtree::games::{ConnectFour, Othello};
use playtree::{
    AlphaBeta, AlphaBetaBuilder, Budget, Evaluate, GameState, Handle, Notation, Proven,
    SearchError, StopReason,
};

use crate::handle;
use crate::panics::panic_of;
use crate::positions::Gate;
use crate::subject::{Move, Restrictable, Subject, check_line, is_legal, measure_stops};

const LONG: Duration = Duration::from_secs(60);

const MODES: [ParallelMode; 3] =
    [ParallelMode::RootTasks, ParallelMode::SplitPoints, ParallelMode::SharedTable];

/// The number of moves, and ways for a test to look on and to meddle.
#[derive(Clone, Default)]
pub(crate) struct Moves {
    /// Each evaluator that is left holds it.
    alive: Arc<()>,
    /// The next evaluation panics.
    armed: Arc<AtomicBool>,
    /// Passed for each evaluation.
    gate: Arc<Gate>,
}

impl<G: GameState> Evaluate<G> for Moves {
    fn evaluate(&self, state: &G) -> i32 {
        assert!(!self.armed.load(Ordering::Relaxed), "armed");
        self.gate.pass();
        let mut moves = Vec::with_capacity(32);
        state.moves(&mut moves);
        10 * moves.len() as i32
    }
}

fn builder<G: GameState>(evaluator: Moves, threads: usize) -> AlphaBetaBuilder<G, Moves> {
    AlphaBeta::builder(evaluator).threads(threads).oversubscribe(true).table_bytes(Some(4 << 20))
}

impl<G: GameState + 'static> Subject for AlphaBeta<G, Moves> {
    const VARIANTS: usize = MODES.len();
    const SPENT: StopReason = StopReason::Nodes;

    fn build(variant: usize, threads: usize) -> Self {
        let builder = builder(Moves::default(), threads).mode(MODES[variant]);
        builder.random_choice(true).seed(3).build().unwrap()
    }

    fn start(self, state: &G, budget: &Budget) -> Handle<Self> {
        AlphaBeta::start(self, state, budget)
    }

    fn search(&mut self, state: &G, budget: &Budget) -> Result<Self::Report, SearchError> {
        AlphaBeta::search(self, state, budget)
    }

    fn budget(count: u64) -> Budget {
        Budget::nodes(count)
    }

    fn work(report: &Self::Report) -> u64 {
        report.nodes
    }

    fn stop_reason(report: &Self::Report) -> StopReason {
        report.stop_reason
    }

    fn elapsed(report: &Self::Report) -> Duration {
        report.elapsed
    }

    fn best(report: &Self::Report) -> Move<Self> {
        report.best_move.clone()
    }

    fn moves(report: &Self::Report) -> Vec<Move<Self>> {
        report.moves.iter().map(|found| found.mv.clone()).collect()
    }

    fn text(report: &Self::Report) -> String {
        let mut report = report.clone();
        (report.elapsed, report.idle) = (Duration::ZERO, Duration::ZERO);
        format!("{report:?}")
    }

    fn is_far(report: &Self::Report) -> bool {
        report.depth >= 7
    }

    fn check(state: &G, before: &Self::Report, now: &Self::Report) {
        assert!(now.depth >= before.depth, "{} after {}", now.depth, before.depth);
        assert_eq!(now.best_move, now.moves[0].mv);
        assert_eq!(now.pv[0], now.best_move);
        assert!(now.depth == 0 || now.moves[0].score.is_some(), "{now:?}");
        assert!((0.0..=1.0).contains(&now.win_rate));
        // What is better than the iteration before belongs to the next one.
        assert!(now.moves[0].depth <= now.depth + 1, "{now:?}");
        for known in &now.moves {
            check_line(state, &known.pv);
        }
    }

    /// What the table knows shows in the positions that the next search takes alone:
    /// [`a_change_of_budget_keeps_the_table`].
    fn check_kept(_: &Self::Report, _: &Self::Report) {}

    fn is_drawn(report: &Self::Report) -> bool {
        report.proven == Some(Proven::Draw) && report.score == alphabeta::Score::Draw
    }
}

impl<G: GameState + 'static> Restrictable for AlphaBeta<G, Moves> {
    fn start_with(
        self,
        state: &G,
        budget: &Budget,
        options: &alphabeta::Options<G>,
    ) -> Handle<Self> {
        AlphaBeta::start_with(self, state, budget, options)
    }

    fn without(mv: G::Move) -> alphabeta::Options<G> {
        alphabeta::Options::new().except([mv])
    }
}

fn depth(plies: u32) -> Budget {
    Budget::unlimited().and(Depth(plies))
}

fn start(mode: ParallelMode, threads: usize) -> Handle<AlphaBeta<Othello, Moves>> {
    let engine = builder(Moves::default(), threads).mode(mode).build().unwrap();
    engine.start(&Othello::new(), &Budget::unlimited())
}

/// Waits until the search has completed `plies` iterations.
fn at_depth<G: GameState + 'static>(
    thinking: &Handle<AlphaBeta<G, Moves>>,
    plies: u32,
) -> alphabeta::Report<G::Move> {
    loop {
        let report = thinking.report().expect("it goes on");
        if report.depth >= plies {
            return report;
        }
        assert!(thinking.is_thinking(), "it has ended at depth {}", report.depth);
        thread::yield_now();
    }
}

#[test]
fn a_report_names_the_workers() {
    for mode in MODES {
        for threads in [1, 3] {
            let mut thinking = start(mode, threads);
            assert_eq!(thinking.report().unwrap().workers, threads);
            assert_eq!(at_depth(&thinking, 2).workers, threads);
            assert_eq!(thinking.stop().unwrap().workers, threads);
        }
    }
}

/// After a stop each worker that was busy goes back at the next position it comes to. Counted
/// in evaluations, not in time, so that it does not depend on how busy the machine is.
#[test]
fn a_stop_is_noticed_at_the_next_position() {
    for threads in [1, 3] {
        let evaluator = Moves::default();
        let gate = Arc::clone(&evaluator.gate);
        // In this mode every worker is busy all the time.
        let engine = builder(evaluator, threads).mode(ParallelMode::SharedTable).build().unwrap();
        let mut thinking = engine.start(&Othello::new(), &Budget::unlimited());
        for plies in 2..6 {
            thinking.think(&Othello::new(), &Budget::unlimited());
            at_depth(&thinking, plies);
            gate.shut(threads);
            // Every worker is in the gate, and learns of the end behind it.
            let before = gate.passed();
            thinking.think(&finished(), &Budget::unlimited());
            gate.open();
            assert!(matches!(thinking.wait(), Err(SearchError::GameOver(_))));
            let begun = gate.passed() - before;
            assert!(begun <= threads, "{begun} positions evaluated after the stop");
        }
    }
}

/// One disc, and neither side can move.
fn finished() -> Othello {
    let text = format!("X{} X", "-".repeat(63));
    Othello::parse_position(&text).unwrap()
}

/// `cargo test --release --test background measure_stop -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn measure_stop() {
    for (mode, threads) in [(MODES[1], 1), (MODES[1], 2), (MODES[2], 2)] {
        measure_stops(&format!("{mode:?} x{threads}"), start(mode, threads));
    }
}

#[test]
fn the_evaluator_goes_with_the_handle() {
    for threads in [1, 3] {
        let evaluator = Moves::default();
        let alive = Arc::clone(&evaluator.alive);
        let engine = || builder(evaluator.clone(), threads).build().unwrap();
        let thinking = engine().start(&Othello::new(), &Budget::unlimited());
        at_depth(&thinking, 3);
        assert_eq!(Arc::strong_count(&alive), 3);
        drop(thinking);
        assert_eq!(Arc::strong_count(&alive), 2, "a thread still searches");
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
fn options_last_until_the_next_position() {
    handle::check_options_last_until_the_next_position::<AlphaBeta<Othello, Moves>>();
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
fn rules_learn_how_long_the_best_move_has_been_the_best() {
    let text = "------------------XX------XXX-----OOOO----XOO-----X------------- O";
    let state = Othello::parse_position(text).unwrap();
    let listener = Listener::default();
    let engine = || builder(Moves::default(), 1).build().unwrap();
    let best = |plies| engine().search(&state, &depth(plies)).unwrap().best_move;
    let mut thinking = engine().start(&state, &depth(9).and(listener.clone()));
    let report = thinking.wait().unwrap();
    let asked = listener.0.lock().unwrap().clone();
    assert!(asked.iter().all(|now| now.unchanged_time <= now.elapsed));
    assert!(asked.iter().all(|now| now.unchanged_simulations <= now.simulations));
    assert!(asked.is_sorted_by_key(|now| (now.elapsed, now.nodes, now.depth)));
    // As the iterations end: settled, and valued.
    let ends: Vec<_> = (1..9)
        .map(|plies| asked.iter().find(|now| now.depth == plies).expect("asked at its end"))
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
