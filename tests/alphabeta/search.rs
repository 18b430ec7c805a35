//! The alpha-beta searcher: proofs of real positions, budgets, options of the root, errors, panics.

#![cfg(feature = "games")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use playtree::alphabeta::{
    self, AutotuneOptions, AutotuneProgress, AutotuneTrial, ParallelMode, Score,
};
use playtree::budget::{Depth, OnlyMove, Simulations};
use playtree::game::random_move;
use playtree::games::{ConnectFour, Othello, TicTacToe};
use playtree::{
    AlphaBeta, AlphaBetaBuilder, Budget, Evaluate, GameState, Notation, Outcome, Proven,
    SearchError, StopReason, StopToken,
};
use serde_json::Value;

use crate::data::data;

const LONG: Duration = Duration::from_secs(60);

const MODES: [ParallelMode; 3] =
    [ParallelMode::RootTasks, ParallelMode::SplitPoints, ParallelMode::SharedTable];

/// Knows nothing: only proofs count.
struct Nothing;

impl<G: GameState> Evaluate<G> for Nothing {
    fn evaluate(&self, _: &G) -> i32 {
        0
    }
}

/// Othello by the number of moves, and a little order.
#[derive(Clone)]
struct Moves;

impl Evaluate<Othello> for Moves {
    fn evaluate(&self, state: &Othello) -> i32 {
        let mut moves = Vec::with_capacity(32);
        state.moves(&mut moves);
        10 * moves.len() as i32
    }

    fn promise(&self, state: &Othello, mv: &<Othello as GameState>::Move) -> i32 {
        // Few replies first.
        let mut moves = Vec::with_capacity(32);
        let next = state.apply(mv);
        next.moves(&mut moves);
        -(moves.len() as i32)
    }

    fn slot(&self, _: &Othello, mv: &<Othello as GameState>::Move) -> Option<u16> {
        mv.square().map(|square| square as u16)
    }
}

fn builder<G: GameState, E: Evaluate<G>>(evaluator: E, threads: usize) -> AlphaBetaBuilder<G, E> {
    AlphaBeta::builder(evaluator).threads(threads).oversubscribe(true).table_bytes(Some(4 << 20))
}

fn depth(plies: u32) -> Budget {
    Budget::unlimited().and(Depth(plies))
}

#[test]
fn connect_four_endgames_are_solved_with_their_distance() {
    let Some(text) = data("connect4/Test_L3_R1.txt") else { return };
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mut searched = 0;
    for (index, line) in lines.iter().step_by(5).enumerate() {
        let (moves, score) = line.split_once(' ').unwrap();
        let score: i32 = score.trim().parse().unwrap();
        let state = ConnectFour::parse_position(moves).unwrap();
        let (mode, threads) = (MODES[index % 3], [1, 1, 1, 2, 4][index % 5]);
        let mut engine = builder(Nothing, threads).mode(mode).build().unwrap();
        let report = engine.search(&state, &Budget::time(LONG)).unwrap();
        // Who wins with his own (22 - score)th stone: that many plies from now.
        let stones = state.plies() as i32;
        let mover = stones % 2;
        let last = |winner: i32, score: i32| (2 * (22 - score) - 1 + winner - stones) as u32;
        let expected = match score {
            0 => Proven::Draw,
            1.. => Proven::Win { plies: last(mover, score) },
            _ => Proven::Loss { plies: last(1 - mover, -score) },
        };
        assert_eq!(report.proven, Some(expected), "{moves}, {mode:?} x{threads}");
        assert_eq!(report.stop_reason, StopReason::Proven);
        searched += report.nodes;
    }
    println!("{} positions, {searched} searched", lines.len().div_ceil(5));
}

#[test]
fn othello_endgames_are_solved() {
    let Some(text) = data("othello/ffo_1-19.jsonl") else { return };
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut played = 0;
    for row in rows.filter(|row| row["board"].is_string()).take(4) {
        let board =
            format!("{} {}", row["board"].as_str().unwrap(), row["to_move"].as_str().unwrap());
        let state = Othello::parse_position(&board).unwrap();
        let mut engine = builder(Moves, 2).table_bytes(Some(64 << 20)).build().unwrap();
        let report = engine.search(&state, &Budget::time(LONG)).unwrap();
        println!("{}: {} in {} nodes, {:?}", row["id"], report.score, report.nodes, report.elapsed);
        let score = report.proven.expect("solved").score();
        let expected = row["best_score"].as_i64().unwrap().signum() as f64 / 2.0 + 0.5;
        assert_eq!(score, expected, "{}", row["id"]);
        let best = state.move_text(&report.best_move).to_uppercase();
        let discs = row["move_scores"][&best].as_i64().unwrap();
        assert_eq!(discs.signum(), row["best_score"].as_i64().unwrap().signum(), "{best}");
        played += 1;
    }
    assert_eq!(played, 4);
}

#[test]
fn one_thread_gives_the_same_report_each_time() {
    let text = |mut report: alphabeta::Report<_>| {
        (report.elapsed, report.idle) = (Duration::ZERO, Duration::ZERO);
        format!("{report:?}")
    };
    let run = || {
        let mut engine = builder(Moves, 1).random_choice(true).seed(4).build().unwrap();
        let first = engine.search(&Othello::new(), &depth(6)).unwrap();
        let next = Othello::new().apply(&first.best_move);
        let second = engine.search(&next, &Budget::nodes(5_000)).unwrap();
        assert_eq!((second.nodes, second.stop_reason), (5_000, StopReason::Nodes));
        (text(first), text(second))
    };
    assert_eq!(run(), run());
}

#[test]
fn split_points_are_used_and_counted() {
    let state = Othello::parse_position(
        "------------------XX------XXX-----OOOO----XOO-----X------------- O",
    );
    let state = state.unwrap();
    let search = |engine: AlphaBetaBuilder<_, _>| {
        engine.exact_depth(true).build().unwrap().search(&state, &depth(8)).unwrap()
    };
    let alone = search(builder(Moves, 1));
    assert_eq!((alone.splits, alone.wasted_nodes), (0, 0));
    for (mode, threads) in
        [(MODES[1], 2), (MODES[1], 4), (MODES[1], 8), (MODES[0], 2), (MODES[0], 4), (MODES[2], 4)]
    {
        let mut report = search(builder(Moves, threads).mode(mode));
        // On a busy machine the search may be over before another thread has begun.
        for _ in 0..50 {
            if report.splits > 0 || mode == ParallelMode::SharedTable {
                break;
            }
            report = search(builder(Moves, threads).mode(mode));
        }
        println!(
            "{mode:?} x{threads}: {} nodes, {} splits, {} aborted, {} wasted, {:?} idle of {:?}",
            report.nodes,
            report.splits,
            report.aborted_splits,
            report.wasted_nodes,
            report.idle,
            report.elapsed
        );
        assert_eq!(report.score, alone.score, "{mode:?} x{threads}");
        assert_eq!(report.splits > 0, mode != ParallelMode::SharedTable);
        assert!(report.aborted_splits <= report.splits);
        assert!(report.wasted_nodes < report.nodes);
        assert_eq!(report.workers, threads);
    }
}

#[test]
fn budgets_are_kept_and_named() {
    for mode in MODES {
        for threads in [1, 3] {
            let run = |budget: Budget| {
                let engine = builder(Moves, threads).mode(mode);
                engine.build().unwrap().search(&Othello::new(), &budget).unwrap()
            };
            let place = format!("{mode:?} x{threads}");
            let report = run(depth(5));
            assert_eq!((report.stop_reason, report.depth), (StopReason::Depth, 5), "{place}");
            let report = run(Budget::time(LONG).and(Simulations(20_000)));
            assert_eq!(report.stop_reason, StopReason::Simulations, "{place}");
            let report = run(Budget::nodes(20_000));
            assert_eq!(report.stop_reason, StopReason::Nodes, "{place}");
            // Each other worker may have searched nodes that it had not reported.
            assert!((20_000..20_000 + 1_024).contains(&report.nodes), "{place}: {}", report.nodes);
            // Helpers may use up the positions while the lead waits for a core.
            let is_alone = threads == 1;
            assert!(!is_alone || report.pv.len() > 1 && report.depth > 1, "{place}: {report:?}");
            let report = run(Budget::time(Duration::from_millis(30)));
            assert_eq!(report.stop_reason, StopReason::Time, "{place}");
            assert!(report.elapsed >= Duration::from_millis(30), "{place}");
            println!("{place}: 30 ms took {:?}", report.elapsed);
            assert!(report.elapsed < LONG / 2, "{place}: {:?}", report.elapsed);
        }
    }
    let forced = ConnectFour::parse_position("112233").unwrap();
    let options = alphabeta::Options::new().only([forced.parse_move("7").unwrap()]);
    let mut engine = builder(Nothing, 1).build().unwrap();
    // The rule counts the moves that are searched.
    let budget = Budget::time(LONG).and(OnlyMove);
    let report = engine.search_with(&forced, &budget, &options).unwrap();
    assert_eq!((report.stop_reason, report.nodes), (StopReason::OnlyMove, 0));
}

#[test]
fn a_token_stops_a_search() {
    let mut latest = Duration::ZERO;
    for mode in MODES {
        let token = StopToken::new();
        let mut engine = builder(Moves, 3).mode(mode).build().unwrap();
        let stopped = thread::scope(|scope| {
            let stopper = scope.spawn(|| {
                thread::sleep(Duration::from_millis(30));
                token.stop();
                Instant::now()
            });
            let report = engine.search(&Othello::new(), &Budget::until(&token)).unwrap();
            assert_eq!(report.stop_reason, StopReason::Stopped);
            stopper.join().unwrap()
        });
        latest = latest.max(stopped.elapsed());
        // It goes on after that.
        assert!(engine.search(&Othello::new(), &depth(3)).is_ok());
    }
    println!("the latest answer came {latest:?} after the stop");
    // An idle machine takes a millisecond; a busy one may leave a worker without a core for long.
    assert!(latest < LONG / 2);
}

#[test]
fn a_win_on_the_spot_is_played_and_excluded_moves_are_not() {
    let state = ConnectFour::parse_position("112233").unwrap();
    let mut engine = builder(Nothing, 2).build().unwrap();
    let report = engine.search(&state, &Budget::time(LONG)).unwrap();
    assert_eq!((report.score, report.depth), (Score::Win { plies: 1 }, 1));
    assert_eq!(state.move_text(&report.best_move), "4");
    let options = alphabeta::Options::new().except([report.best_move]);
    let report = engine.search_with(&state, &depth(6), &options).unwrap();
    assert_eq!(report.moves.len(), 6);
    assert!(report.moves.iter().all(|mv| state.move_text(&mv.mv) != "4"));
    assert_ne!(report.score, Score::Win { plies: 1 });
    // What was left out has not spoilt the table.
    let report = engine.search(&state, &depth(6)).unwrap();
    assert_eq!(report.score, Score::Win { plies: 1 });
}

#[test]
fn equal_moves_are_drawn_by_the_seed() {
    let best = |seed| {
        let engine = builder(Nothing, 1).random_choice(true).seed(seed);
        engine.build().unwrap().search(&TicTacToe::new(), &Budget::time(LONG)).unwrap()
    };
    let reports: Vec<_> = (0..40).map(best).collect();
    assert!(reports.iter().all(|report| report.score == Score::Draw));
    assert!(reports.iter().all(|report| report.best_moves().count() == 9), "{:?}", reports[0]);
    let mut moves: Vec<_> = reports.iter().map(|report| report.best_move.index()).collect();
    moves.sort_unstable();
    moves.dedup();
    assert!(moves.len() >= 7, "{moves:?}");
}

#[test]
fn wrong_input_is_an_error_that_says_so() {
    let mut engine = builder(Nothing, 1).build().unwrap();
    let start = ConnectFour::new();
    let error = engine.search(&start, &Budget::simulations(5)).unwrap_err();
    assert_eq!(error, SearchError::Simulations { found: 5 });
    let error = engine.search(&start, &Budget::unlimited()).unwrap_err();
    assert_eq!(error, SearchError::Unlimited);
    let over = ConnectFour::parse_position("1212121").unwrap();
    let error = engine.search(&over, &depth(2)).unwrap_err();
    assert_eq!(error, SearchError::GameOver(Outcome::Win(0)));
    let refused = |builder: AlphaBetaBuilder<ConnectFour, Nothing>| {
        let checked = builder.check().unwrap_err();
        let error = builder.build().map(drop).unwrap_err();
        assert_eq!(checked, error);
        error.to_string()
    };
    let text = refused(AlphaBeta::builder(Nothing).threads(0));
    assert_eq!(text, "threads: expected 1 to 1024, found 0");
    let text = refused(AlphaBeta::builder(Nothing).max_threads_per_split(1));
    assert_eq!(text, "max_threads_per_split: expected 2 to 1024, found 1");
    let text = AlphaBeta::<Alone, _>::builder(Nothing).build().map(|_| ()).unwrap_err().to_string();
    assert_eq!(text, "GameState::PLAYERS: expected 2 players, found 1");
}

/// A walk on a ring of positions, which never ends by itself.
#[derive(Clone, Debug)]
struct Ring<const PLAYERS: usize> {
    at: u32,
    plies: u32,
}

type Alone = Ring<1>;

/// Places of the ring. From the last one Player 0 may leave it, and wins.
const RING: u32 = 6;

impl<const PLAYERS: usize> GameState for Ring<PLAYERS> {
    type Key = (u32, usize);
    type Move = i32;
    const PLAYERS: usize = PLAYERS;

    fn key(&self) -> (u32, usize) {
        (self.at, self.mover())
    }

    fn mover(&self) -> usize {
        (self.plies % 2) as usize
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<i32>) {
        if self.at < RING {
            moves.extend([1, -1]);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.at == RING).then_some(Outcome::Win(0))
    }

    fn apply(&self, step: &i32) -> Self {
        Self { at: self.at.saturating_add_signed(*step), plies: self.plies + 1 }
    }
}

#[test]
fn a_repetition_is_a_draw_and_no_proof() {
    // Player 1 always steps back: neither player ever gets to the end.
    let state = Ring::<2> { at: 3, plies: 0 };
    for threads in [1, 4] {
        let mut engine = builder(Nothing, threads).build().unwrap();
        let report = engine.search(&state, &depth(30)).unwrap();
        assert_eq!((report.score, report.proven), (Score::Value(0), None));
        assert_eq!(report.stop_reason, StopReason::Depth);
    }
}

/// Loves the place with this number.
struct Loves(u32);

impl Evaluate<Ring<2>> for Loves {
    fn evaluate(&self, state: &Ring<2>) -> i32 {
        let value = 100 * i32::from(state.at == self.0);
        if state.mover() == 0 { value } else { -value }
    }
}

#[test]
fn what_was_played_before_counts_as_a_repetition() {
    let root = Ring::<2> { at: 2, plies: 2 };
    let search = |played: &[Ring<2>]| {
        let mut engine = builder(Loves(3), 1).build().unwrap();
        let options = alphabeta::Options::new().played(played.to_vec());
        engine.search_with(&root, &depth(1), &options).unwrap()
    };
    let report = search(&[]);
    assert_eq!((report.best_move, report.score), (1, Score::Value(100)));
    // Back to where Player 1 was to move at 3 is a draw now.
    let before = Ring { at: 3, plies: 1 };
    let report = search(&[Ring { at: 2, plies: 0 }, before, root.clone()]);
    assert_eq!(report.score, Score::Value(0));
}

/// One line of play, of large positions and large moves, in which a side may pass.
#[derive(Clone)]
struct Bulky<const BYTES: usize> {
    plies: u32,
    mover: usize,
    ballast: [u8; BYTES],
}

/// A large move.
type Bulk = [u8; 32 << 10];

impl<const BYTES: usize> GameState for Bulky<BYTES> {
    type Key = (u32, usize);
    type Move = Bulk;

    fn key(&self) -> Self::Key {
        (self.plies, self.mover)
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<Bulk>) {
        moves.push([7; 32 << 10]);
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies >= 1_000).then_some(Outcome::Draw)
    }

    fn apply(&self, mv: &Bulk) -> Self {
        let mut next = self.clone();
        next.plies += 1;
        next.mover = 1 - self.mover;
        next.ballast[0] ^= mv[0];
        next
    }
}

/// Values of some noise, and passes.
struct Passes;

impl<const BYTES: usize> Evaluate<Bulky<BYTES>> for Passes {
    fn evaluate(&self, state: &Bulky<BYTES>) -> i32 {
        (state.plies * 7 % 11) as i32
    }

    fn pass(&self, state: &Bulky<BYTES>) -> Option<Bulky<BYTES>> {
        Some(Bulky { mover: 1 - state.mover, ..state.clone() })
    }
}

#[test]
fn lines_of_large_positions_and_moves_fit_in_a_small_stack() {
    for threads in [1, 2] {
        let work = move || {
            let state = Bulky { plies: 0, mover: 0, ballast: [0; 16 << 10] };
            let mut engine = builder(Passes, threads).build().unwrap();
            engine.search(&state, &depth(60)).map(|report| report.depth)
        };
        // As in a thread of a server.
        let thread = thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap();
        assert_eq!(thread.join().unwrap(), Ok(60), "{threads} thread(s)");
    }
    let error = AlphaBeta::<Bulky<65_536>, _>::builder(Passes).build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "GameState: expected at most 65536 bytes, not counting what it points to, found 65552 bytes",
    );
}

#[test]
fn what_was_played_before_stays_out_of_the_table() {
    let new = || builder(Loves(3), 1).build().unwrap();
    let root = Ring::<2> { at: 2, plies: 2 };
    let played = alphabeta::Options::new().played([Ring { at: 3, plies: 1 }]);
    let mut engine = new();
    let ruled = engine.search_with(&root, &depth(1), &played).unwrap();
    assert_eq!(ruled.score, Score::Value(0));
    // From one step before, where the value of `root` decides.
    let above = Ring { at: 1, plies: 1 };
    let up = alphabeta::Options::new().only([1]);
    let [after, alone] =
        [engine, new()].map(|mut engine| engine.search_with(&above, &depth(2), &up).unwrap());
    assert_eq!((after.score, after.proven), (alone.score, alone.proven));
    assert_eq!(alone.score, Score::Value(-100));
}

/// Panics at the given call.
struct Fragile {
    calls: AtomicU64,
    last: u64,
}

impl Evaluate<Othello> for Fragile {
    fn evaluate(&self, _: &Othello) -> i32 {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        assert_ne!(call, self.last, "as it was told to");
        (call % 7) as i32
    }
}

#[test]
fn a_panic_reaches_the_caller_and_leaves_the_searcher_usable() {
    for mode in MODES {
        for (threads, last) in [(1, 100), (2, 3_000), (4, 20_000), (4, 20_011), (8, 30_000)] {
            let evaluator = Fragile { calls: AtomicU64::new(0), last };
            let mut engine = builder(evaluator, threads).mode(mode).build().unwrap();
            let search =
                std::panic::AssertUnwindSafe(|| engine.search(&Othello::new(), &depth(14)));
            let payload = std::panic::catch_unwind(search).expect_err("it panics");
            let text = payload.downcast_ref::<String>().expect("a text");
            assert!(text.contains("as it was told to"), "{text}");
            assert!(engine.search(&Othello::new(), &depth(3)).is_ok());
        }
    }
}

#[test]
fn autotune_tries_both_limits_and_changes_nothing() {
    let mut engine = builder(Moves, 3).build().unwrap();
    let before = format!("{engine:?}");
    let options = AutotuneOptions::new().repetitions(2);
    let mut seen = Vec::new();
    let tuned = engine
        .autotune_with(&[Othello::new()], 5, &options, |step| seen.push((step.searches, step.of)))
        .unwrap();
    assert_eq!(format!("{engine:?}"), before);
    // Two repetitions of one position with each of six pairs.
    assert_eq!(seen, (1..=12).map(|searches| (searches, 12)).collect::<Vec<_>>());
    assert!(tuned.is_complete);
    let limits = |trials: &[AutotuneTrial]| -> Vec<(u32, usize)> {
        trials.iter().map(|trial| (trial.min_split_depth, trial.max_threads_per_split)).collect()
    };
    // No deeper than the search, and no more threads than there are.
    assert_eq!(limits(&tuned.depth_trials), [(2, 3), (3, 3), (4, 3), (5, 3)]);
    let plies = tuned.min_split_depth;
    assert_eq!(limits(&tuned.thread_trials), [(plies, 2), (plies, 3)]);
    assert!(limits(&tuned.thread_trials).contains(&(plies, tuned.max_threads_per_split)));
    let trials = tuned.depth_trials.iter().chain(&tuned.thread_trials);
    for trial in trials {
        assert!(trial.positions == 1 && trial.nodes > 0 && trial.wasted_nodes <= trial.nodes);
    }
    let shortest = tuned.depth_trials.iter().map(|trial| trial.elapsed).min().unwrap();
    let chosen = tuned.depth_trials.iter().find(|trial| trial.min_split_depth == plies).unwrap();
    assert!(chosen.elapsed <= shortest.mul_f64(1.03), "{:?}", tuned.depth_trials);
}

#[test]
fn an_autotune_that_is_stopped_compares_what_it_has() {
    let mut engine = builder(Moves, 2).build().unwrap();
    let positions = [Othello::new(), Othello::new()];
    // Depths 2 to 4 of the first position, and one search of the second.
    let stopped_after = |engine: &mut AlphaBeta<Othello, Moves>, searches| {
        let stop = StopToken::new();
        let options = AutotuneOptions::new().until(&stop);
        let observe = |step: AutotuneProgress| {
            if step.searches == searches {
                stop.stop();
            }
        };
        engine.autotune_with(&positions, 4, &options, observe).unwrap()
    };
    let tuned = stopped_after(&mut engine, 4);
    assert_eq!((tuned.is_complete, tuned.depth_trials.len()), (false, 3));
    assert!(tuned.depth_trials.iter().all(|trial| trial.positions == 1 && trial.nodes > 0));
    assert_eq!(tuned.thread_trials, []);
    // Nothing to compare: the limits that the searcher had.
    let tuned = stopped_after(&mut engine, 2);
    assert_eq!((tuned.is_complete, tuned.depth_trials.len()), (false, 0));
    assert_eq!((tuned.min_split_depth, tuned.max_threads_per_split), (4, 2));
}

/// Nodes and time to a fixed depth by threads. Run by hand:
/// `cargo test --release --test alphabeta measure -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn measure_overhead() {
    let depth_wanted = std::env::var("DEPTH").map_or(11, |text| text.parse().unwrap());
    let mut rng = playtree::Rng::from_seed(5);
    let positions: Vec<_> = (0..6)
        .map(|_| {
            let mut state = Othello::new();
            for _ in 0..16 {
                let mv = random_move(&state, &mut rng, &mut Vec::new()).unwrap();
                state = state.apply(&mv);
            }
            state
        })
        .collect();
    let mut first = None;
    for (mode, threads, depth_limit, most) in [
        (MODES[1], 1, 4, 8),
        (MODES[1], 2, 4, 8),
        (MODES[1], 4, 4, 8),
        (MODES[1], 8, 4, 8),
        (MODES[1], 16, 4, 8),
        (MODES[1], 8, 1, 8),
        (MODES[1], 8, 6, 8),
        (MODES[1], 8, 4, 3),
        (MODES[1], 16, 4, 3),
        (MODES[2], 2, 4, 8),
        (MODES[0], 2, 4, 8),
    ] {
        let (mut nodes, mut time, mut idle) = (0, 0.0, 0.0);
        let (mut splits, mut aborted, mut wasted) = (0, 0, 0);
        for state in &positions {
            let engine = builder(Moves, threads).mode(mode).min_split_depth(depth_limit);
            let engine = engine.max_threads_per_split(most).table_bytes(Some(64 << 20));
            let report = engine.build().unwrap().search(state, &depth(depth_wanted)).unwrap();
            nodes += report.nodes;
            time += report.elapsed.as_secs_f64();
            idle += report.idle.as_secs_f64();
            splits += report.splits;
            aborted += report.aborted_splits;
            wasted += report.wasted_nodes;
        }
        let (one_nodes, one_time) = *first.get_or_insert((nodes as f64, time));
        println!(
            "{mode:?} x{threads} min {depth_limit} most {most}: {nodes} nodes ({:.3}), {time:.2} s \
             ({:.2}), idle {idle:.2} s, {splits} splits, {aborted} aborted, {wasted} wasted",
            nodes as f64 / one_nodes,
            one_time / time,
        );
    }
}
