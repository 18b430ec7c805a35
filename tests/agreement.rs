//! Every searcher against a plain one: whatever the options, the mode and the number of threads,
//! the value is that of plain negamax, and so are the best moves.
//!
//! The evaluator is a hash of the position, which no ordering and no window can guess. Options that
//! change the value on purpose are off (reductions, null move), and the table answers only for the
//! depth that is asked for (`exact_depth`).
//!
//! Searchers agree on broken laws too: each says the same of a game, or an evaluation, that breaks
//! one.
//!
//! A game is added with one line in `every_game_agrees`, and one in
//! `every_game_agrees_in_every_way`.

#![cfg(feature = "games")]

#[path = "common/data.rs"]
mod data;
#[path = "agreement/plain.rs"]
mod plain;
#[path = "common/trees.rs"]
mod trees;

use std::fmt::Debug;

use playtree::alphabeta::{self, ParallelMode};
use playtree::budget::Depth;
use playtree::game::random_move;
use playtree::games::{Breakthrough, ConnectFour, Gomoku, Othello, TicTacToe, Xiangqi};
use playtree::mcts::{Parallelism, Selection};
use playtree::solver::Method;
use playtree::{
    AlphaBeta, AlphaBetaBuilder, Budget, Evaluate, GameState, Mcts, MctsBuilder, Notation, Outcome,
    Rng, Scores, Solvable, Solver, StopReason,
};

use plain::{Hashed, number, plain};
use trees::{Explicit, indices, rows, scores};

/// The options that must not change anything, as bits of a number.
const OPTIONS: u32 = 32;

fn builder<G: GameState>(options: u32, values: u64) -> AlphaBetaBuilder<G, Hashed> {
    let on = |bit: u32| options >> bit & 1 == 1;
    AlphaBeta::builder(Hashed { values })
        .oversubscribe(true)
        .exact_depth(true)
        .null_move(false)
        .reductions(false)
        .min_split_depth(1)
        .pvs(on(0))
        .aspiration(on(1).then_some(5))
        .table_bytes(on(2).then_some(1 << 16))
        .killers(on(3))
        .history(on(3))
        .random_choice(on(4))
}

const MODES: [ParallelMode; 3] =
    [ParallelMode::RootTasks, ParallelMode::SplitPoints, ParallelMode::SharedTable];

/// Compares a report with what a plain search has found.
#[track_caller]
fn compare<M: Debug + PartialEq>(
    report: &alphabeta::Report<M>,
    (value, best): &(i32, Vec<M>),
    all: bool,
    place: &str,
) {
    assert_eq!(number(report.score), *value, "{place}: {report:?}");
    assert!(best.contains(&report.best_move), "{place}: {report:?}");
    assert_eq!(report.pv.first(), Some(&report.best_move), "{place}");
    if all {
        let found: Vec<_> = report.best_moves().collect();
        assert!(found.iter().all(|mv| best.contains(mv)), "{place}: {found:?}, not {best:?}");
        assert_eq!(found.len(), best.len(), "{place}: {found:?}, not {best:?}: {report:?}");
    }
}

/// In how many ways a position is searched by several threads.
#[derive(Clone, Copy)]
enum Ways {
    /// Each mode with 2, 4 and 8 threads, with options drawn at random.
    Drawn,
    /// Each mode with 2 to 8 threads, with all options.
    All,
}

/// Searches a position to a depth: with one thread with all options, with several in these `ways`.
#[track_caller]
fn agree<G: GameState<Move: PartialEq>>(state: &G, depth: u32, values: u64, seed: u64, ways: Ways) {
    let expected = plain(state, depth, &Hashed { values });
    let budget = Budget::unlimited().and(Depth(depth));
    let check = |builder: AlphaBetaBuilder<G, Hashed>, all: bool, place: &str| {
        let mut engine = builder.seed(seed).build().unwrap();
        // The second time the table knows something.
        for round in 0..2 {
            let report = engine.search(state, &budget).unwrap();
            compare(&report, &expected, all, &format!("{place}, round {round}"));
            let reasons = [StopReason::Depth, StopReason::Proven];
            assert!(reasons.contains(&report.stop_reason), "{place}: {}", report.stop_reason);
        }
    };
    for options in 0..OPTIONS {
        let place = format!("options {options:05b}, depth {depth}");
        check(builder(options, values).threads(1), options >> 4 & 1 == 1, &place);
    }
    let mut rng = Rng::from_seed(seed);
    let in_parallel = |mode: ParallelMode, threads: usize, options: u32| {
        let place = format!("options {options:05b}, depth {depth}, {mode:?} x{threads}");
        let builder = builder(options, values).threads(threads).mode(mode);
        let all = options >> 4 & 1 == 1;
        check(builder.clone(), all, &place);
        check(builder.max_root_tasks(2).max_threads_per_split(2), all, &place);
    };
    for mode in MODES {
        match ways {
            Ways::Drawn => [2, 4, 8].into_iter().for_each(|threads| {
                in_parallel(mode, threads, rng.below(OPTIONS as usize) as u32);
            }),
            Ways::All => (2..=8).for_each(|threads| {
                (0..OPTIONS).for_each(|options| in_parallel(mode, threads, options));
            }),
        }
    }
}

/// Positions of random games from `start`.
fn game_agrees<G: GameState>(start: &G, games: u64, plies: usize, depth: u32, ways: Ways) {
    for seed in 0..games {
        let mut rng = Rng::from_seed(seed);
        let mut state = start.clone();
        for _ in 0..rng.below(plies) {
            let Some(mv) = random_move(&state, &mut rng, &mut Vec::new()) else { break };
            let next = state.apply(&mv);
            if next.outcome().is_some() {
                break;
            }
            state = next;
        }
        // Many values, and few: so that there are ties.
        agree(&state, depth, 2_001, seed, ways);
        agree(&state, depth - 1, 5, seed, ways);
    }
}

#[test]
fn every_game_agrees() {
    let ways = Ways::Drawn;
    game_agrees(&TicTacToe::new(), 6, 5, 6, ways);
    game_agrees(&ConnectFour::new(), 6, 36, 5, ways);
    game_agrees(&Othello::new(), 6, 60, 4, ways);
    game_agrees(&Breakthrough::default(), 4, 60, 3, ways);
    let small = Breakthrough::parse_position("pppp/pppp/4/4/PPPP/PPPP w").unwrap();
    game_agrees(&small, 4, 20, 4, ways);
    game_agrees(&Gomoku::parse_position("5:").unwrap(), 3, 20, 3, ways);
    game_agrees(&Xiangqi::new(), 4, 120, 3, ways);
}

/// Eighty thousand searches.
#[test]
#[ignore = "takes minutes"]
fn every_game_agrees_in_every_way() {
    let ways = Ways::All;
    game_agrees(&TicTacToe::new(), 3, 5, 5, ways);
    game_agrees(&ConnectFour::new(), 3, 36, 4, ways);
    game_agrees(&Othello::new(), 3, 60, 3, ways);
    game_agrees(&Breakthrough::default(), 2, 60, 3, ways);
    game_agrees(&Xiangqi::new(), 2, 120, 3, ways);
    for seed in 0..3 {
        let tree = Explicit::<2, 1>::random(seed, 9, 8);
        agree(&tree, 6, 1_001, seed, ways);
    }
}

/// With a solver for the end of the game only who wins is the same: its plies are an upper limit.
/// The plain search goes to the end of the game.
fn endgames_agree<G: Solvable + Debug + 'static>(start: &G, games: u64, plies: usize, depth: u32) {
    for seed in 0..games {
        let mut rng = Rng::from_seed(seed);
        let mut state = start.clone();
        for _ in 0..plies {
            let Some(mv) = random_move(&state, &mut rng, &mut Vec::new()) else { break };
            state = state.apply(&mv);
        }
        if state.outcome().is_some() {
            continue;
        }
        let (value, _) = plain(&state, depth, &Hashed { values: 5 });
        for (mode, threads) in [(MODES[1], 1), (MODES[0], 2), (MODES[1], 4), (MODES[2], 2)] {
            let options = rng.below(OPTIONS as usize) as u32;
            let builder = builder(options, 5).threads(threads).mode(mode).endgames(1 << 16);
            let budget = Budget::unlimited().and(Depth(depth));
            let report = builder.build().unwrap().search(&state, &budget).unwrap();
            let place = format!("{state:?}, options {options:05b}, {mode:?} x{threads}");
            assert_eq!(number(report.score).signum(), value.signum(), "{place}: {report:?}");
            assert!(report.proven.is_some(), "{place}: {report:?}");
        }
    }
}

#[test]
fn solved_endgames_agree() {
    endgames_agree(&ConnectFour::new(), 40, 32, 10);
    endgames_agree(&Othello::new(), 20, 53, 14);
}

#[test]
fn random_graphs_agree() {
    for seed in 0..12 {
        let tree = Explicit::<2, 1>::random(seed, 9, 8);
        for depth in [1, 3, 6, 9] {
            agree(&tree, depth, 1_001, seed, Ways::Drawn);
        }
    }
}

#[test]
fn the_random_trees_of_the_data_are_solved() {
    the_trees_are_solved::<1>("wdl2");
    the_trees_are_solved::<1>("wdl2_nonalt");
    the_trees_are_solved::<100>("score2");
}

fn the_trees_are_solved<const REACH: i32>(kind: &str) {
    for row in rows(kind) {
        let root = Explicit::<2, REACH>::of_row(&row);
        let exact = scores(&row["root_value"], REACH)[root.mover()];
        let best = indices(&row["best_moves"]);
        for (mode, threads) in
            [(MODES[1], 1)].into_iter().chain(MODES.into_iter().map(|mode| (mode, 4)))
        {
            let place = format!("{}, {mode:?} x{threads}", row["id"]);
            let engine = builder(0b11111, 1_001).exact_depth(false);
            let mut engine = engine.threads(threads).mode(mode).build().unwrap();
            let report = engine.search(&root, &Budget::nodes(1 << 24)).unwrap();
            assert_eq!(report.stop_reason, StopReason::Proven, "{place}");
            let score = match number(report.score) {
                won if won > 2_000_000 => 1.0,
                lost if lost < -2_000_000 => 0.0,
                value => f64::from(value) / 2_000_000.0 + 0.5,
            };
            assert!((score - exact).abs() < 1e-6, "{place}: {score}, not {exact}");
            assert!(best.contains(&report.best_move), "{place}: {}", report.best_move);
        }
        agree(&root, 3, 101, 1, Ways::Drawn);
    }
}

// ---- broken laws ------------------------------------------------------------------------

/// A pile of twelve; a move takes one, two or three; taking the last wins. `FLAW` says what is
/// wrong with positions of few sticks, which every searcher comes to.
#[derive(Clone)]
struct Flawed<const FLAW: u8, const PLAYERS: usize> {
    left: u32,
    plies: u32,
}

const NO_FLAW: u8 = 0;
const MOVER: u8 = 1;
const MOVER_AT_THE_END: u8 = 2;
const WINNER: u8 = 3;
const SUM: u8 = 4;
const POINTS: u8 = 5;

impl<const FLAW: u8, const PLAYERS: usize> Flawed<FLAW, PLAYERS> {
    fn new() -> Self {
        Self { left: 12, plies: 0 }
    }
}

impl<const FLAW: u8, const PLAYERS: usize> GameState for Flawed<FLAW, PLAYERS> {
    type Key = (u32, u32);
    type Move = u32;

    const PLAYERS: usize = PLAYERS;

    fn key(&self) -> (u32, u32) {
        (self.left, self.plies % PLAYERS as u32)
    }

    fn mover(&self) -> usize {
        match FLAW {
            MOVER if self.left == 4 => PLAYERS,
            MOVER_AT_THE_END if self.left == 0 => PLAYERS,
            _ => self.plies as usize % PLAYERS,
        }
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=self.left.min(3));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| match FLAW {
            WINNER => Outcome::Win(PLAYERS),
            SUM => Outcome::Scores(Scores::new(&[0.5, 0.6]).unwrap()),
            _ => Outcome::Win((self.plies as usize + PLAYERS - 1) % PLAYERS),
        })
    }

    fn apply(&self, take: &u32) -> Self {
        Self { left: self.left - take, plies: self.plies + 1 }
    }
}

impl<const FLAW: u8, const PLAYERS: usize> Solvable for Flawed<FLAW, PLAYERS> {
    fn points(&self, outcome: &Outcome, player: usize) -> i32 {
        let sign = if outcome.score(player) > 0.5 { 1 } else { -1 };
        if FLAW == POINTS { 2 * sign } else { sign }
    }
}

/// Knows nothing, and says that in a way that may be wrong where few sticks are left.
#[derive(Clone)]
struct Says {
    value: i32,
    win_rate: f64,
}

impl<const FLAW: u8> Evaluate<Flawed<FLAW, 2>> for Says {
    fn evaluate(&self, state: &Flawed<FLAW, 2>) -> i32 {
        if state.left < 9 { self.value } else { 0 }
    }

    fn win_rate(&self, value: i32) -> f64 {
        if value == 0 { 0.5 } else { self.win_rate }
    }
}

const RIGHT: Says = Says { value: 7, win_rate: 0.51 };

fn monte_carlo<G: GameState + 'static>(builder: MctsBuilder<G>, state: &G) -> Vec<String> {
    let ways = [Parallelism::Shared, Parallelism::Rounds, Parallelism::Simulated { workers: 2 }];
    let search = |way| {
        let mut mcts = builder.clone().parallelism(way).build().unwrap();
        let error = mcts.search(state, &Budget::simulations(2_000)).err();
        mcts.audit().unwrap();
        error.map_or_else(String::new, |error| error.to_string())
    };
    ways.map(search).to_vec()
}

fn untuned<G: GameState>() -> MctsBuilder<G> {
    Mcts::builder().threads(2).oversubscribe(true).selection(Selection::default())
}

fn alpha_beta<const FLAW: u8>(says: &Says) -> Vec<String> {
    let state = Flawed::<FLAW, 2>::new();
    let modes = [ParallelMode::RootTasks, ParallelMode::SplitPoints, ParallelMode::SharedTable];
    let search = |mode| {
        let builder = AlphaBeta::builder(says.clone()).mode(mode).threads(2).oversubscribe(true);
        let error = builder.build().unwrap().search(&state, &Budget::nodes(50_000)).err();
        error.map_or_else(String::new, |error| error.to_string())
    };
    modes.map(search).to_vec()
}

fn solver<const FLAW: u8, const PLAYERS: usize>() -> Vec<String> {
    let state = Flawed::<FLAW, PLAYERS>::new();
    let search = |method| {
        let builder = Solver::builder().method(method).threads(2).oversubscribe(true);
        let error = builder.build().unwrap().solve(&state, &Budget::nodes(50_000)).err();
        error.map_or_else(String::new, |error| error.to_string())
    };
    [Method::AlphaBeta, Method::ProofNumbers].map(search).to_vec()
}

/// Every searcher says the same of a game that breaks a law.
fn all_say<const FLAW: u8>(begin: &str) {
    let state = Flawed::<FLAW, 2>::new();
    let with_values = monte_carlo(untuned().cut_off(0, RIGHT), &state);
    let without_proofs = monte_carlo(untuned().proofs(false), &state);
    let searches =
        [monte_carlo(untuned(), &state), alpha_beta::<FLAW>(&RIGHT), solver::<FLAW, 2>()];
    for found in searches.into_iter().chain([with_values, without_proofs]).flatten() {
        let is_right = found.starts_with(begin) && found.is_empty() == begin.is_empty();
        assert!(is_right, "{FLAW}: {found}");
    }
}

#[test]
fn broken_laws_are_said_by_every_searcher() {
    all_say::<NO_FLAW>("");
    all_say::<MOVER>("expected a side to move below 2, found 2 after ");
    let outcome = "expected an outcome for 2 players, the scores of two adding up to 1, found ";
    all_say::<WINNER>(&format!("{outcome}Win(2) after "));
    all_say::<SUM>(&format!("{outcome}Scores("));
    // A Monte Carlo search has no use for the side to move at the end of the game.
    for found in
        alpha_beta::<MOVER_AT_THE_END>(&RIGHT).into_iter().chain(solver::<MOVER_AT_THE_END, 2>())
    {
        assert!(found.starts_with("expected a side to move below 2, found 2 after "), "{found}");
    }
    for found in solver::<POINTS, 2>().into_iter().chain(solver::<POINTS, 3>()) {
        assert!(found.starts_with("expected points from -1 to 1 of Win("), "{found}");
    }
    for found in solver::<WINNER, 3>() {
        assert!(found.starts_with("expected an outcome for 3 players"), "{found}");
    }
    assert_eq!(solver::<NO_FLAW, 3>(), ["", ""]);
}

#[test]
fn an_evaluation_out_of_its_range_is_named_with_its_position() {
    let state = Flawed::<NO_FLAW, 2>::new();
    let value = "agreement::Says: expected a value from -1000000 to 1000000, found ";
    let rate = "agreement::Says: expected a win rate in [0, 1], found ";
    for (says, expected) in [
        (Says { value: i32::MAX, ..RIGHT }, format!("{value}2147483647 after ")),
        (Says { value: i32::MIN, ..RIGHT }, format!("{value}-2147483648 after ")),
        (Says { value: 1_000_001, ..RIGHT }, format!("{value}1000001 after ")),
        (Says { win_rate: f64::NAN, ..RIGHT }, format!("{rate}NaN for the value 7 after ")),
        (Says { win_rate: f64::INFINITY, ..RIGHT }, format!("{rate}inf for the value 7 after ")),
        (Says { win_rate: 1.5, ..RIGHT }, format!("{rate}1.5 for the value 7 after ")),
        (Says { win_rate: -0.1, ..RIGHT }, format!("{rate}-0.1 for the value 7 after ")),
    ] {
        let mut found = monte_carlo(untuned().cut_off(0, says.clone()), &state);
        found.extend(monte_carlo(untuned().cut_off(2, says.clone()), &state));
        found.extend(monte_carlo(untuned().prior(3, says.clone()), &state));
        // What alpha-beta makes of a win rate it asks only of values at the root.
        if !RIGHT.win_rate.eq(&says.win_rate) {
            let at_root = Flawed::<NO_FLAW, 2> { left: 8, plies: 4 };
            let mut searcher = AlphaBeta::builder(says).build().unwrap();
            found.extend(
                searcher.search(&at_root, &Budget::nodes(100)).err().map(|e| e.to_string()),
            );
            assert_eq!(found.len(), 10);
        } else {
            found.extend(alpha_beta::<NO_FLAW>(&says));
        }
        for found in found {
            assert!(found.starts_with(&expected), "{found}");
            assert!(found.contains(" plies, where the moves are [1, 2"), "{found}");
        }
    }
}

#[test]
fn endgames_need_proofs_and_a_table() {
    let builder = || Mcts::<ConnectFour>::builder().threads(1);
    let error = builder().endgames(1 << 20).proofs(false).build().unwrap_err();
    assert_eq!(error.to_string(), "endgames: expected proofs beside it, found proofs that are off");
    let error = builder().endgames(0).build().unwrap_err();
    assert_eq!(error.to_string(), "endgames: expected at least 64 bytes, found 0");
}
