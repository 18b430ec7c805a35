//! Every searcher against a plain one: whatever the options, the mode and the number of threads,
//! the value is that of plain negamax, and so are the best moves.
//!
//! The evaluator is a hash of the position, which no ordering and no window can guess. Options that
//! change the value on purpose are off (reductions, null move), and the table answers only for the
//! depth that is asked for (`exact_depth`).
//!
//! A game is added with one line in `every_game_agrees`, and one in `every_game_agrees_in_every_way`.

#![cfg(feature = "games")]

#[path = "common/data.rs"]
mod data;
#[path = "agreement/plain.rs"]
mod plain;
#[path = "common/trees.rs"]
mod trees;

use std::fmt::Debug;

use playtree::budget::Depth;
use playtree::games::{Breakthrough, ConnectFour, Gomoku, Othello, TicTacToe, Xiangqi};
use playtree::{
    AlphaBeta, AlphaBetaBuilder, AlphaBetaReport, Budget, GameState, Notation, ParallelMode, Rng,
    Solvable, StopReason,
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
    report: &AlphaBetaReport<M>,
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

/// Searches a position to a depth: with one thread with all options, with several in so many ways.
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
            let Some(mv) = state.random_move(&mut rng, &mut Vec::new()) else { break };
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
            let Some(mv) = state.random_move(&mut rng, &mut Vec::new()) else { break };
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
