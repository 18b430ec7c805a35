//! Connect Four against exact scores: Pons' test sets, and the score of every column.

use playtree::games::ConnectFour;
use playtree::solver::{RootMoves, Worth};
use playtree::{Budget, GameState, Notation, Solver};

use crate::data::data;

fn solver(threads: usize, moves: RootMoves) -> Solver<ConnectFour> {
    let builder = Solver::builder().threads(threads).oversubscribe(true).root_moves(moves);
    builder.memory_limit(64 << 20).build().expect("right settings")
}

/// The score of Tromp and Pons for the side to move: for a win the stones that the winner has left,
/// of 21, and one more; for a loss the same number below 0.
fn score(state: &ConnectFour, worth: Worth) -> i32 {
    let stones = (state.plies() + worth.plies).div_ceil(2) as i32;
    worth.points * (22 - stones)
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// Solves every `step`th position of a set, with both numbers of threads in turn.
fn check_set(name: &str, step: usize) {
    let Some(text) = data(&format!("connect4/Test_{name}.txt")) else { return };
    let mut solvers = [1, 2].map(|threads| solver(threads, RootMoves::One));
    let mut positions = 0;
    for (line, turn) in lines(&text).step_by(step).zip([0, 1].into_iter().cycle()) {
        let (moves, expected) = line.split_once(' ').expect("moves and a score");
        let state = ConnectFour::parse_position(moves).expect("moves");
        let solution = solvers[turn].solve(&state, &Budget::unlimited()).expect("a position");
        assert!(solution.is_complete);
        let worth = solution.limits.exact().expect("a solved position");
        assert_eq!(score(&state, worth).to_string(), expected, "{moves}");
        // The move that is said to be best is worth the same.
        let best = &solution.moves[0];
        assert_eq!(best.limits.least, worth, "{moves}");
        positions += 1;
    }
    assert_eq!(positions, 1_000_usize.div_ceil(step));
}

#[test]
fn endgames_have_their_exact_scores() {
    check_set("L3_R1", 1);
}

#[test]
fn some_positions_of_the_other_sets_have_their_exact_scores() {
    check_set("L2_R2", 50);
    check_set("L1_R1", 25);
}

/// `cargo test --release --test solver -- --ignored connect4`
#[test]
#[ignore = "minutes: for an optimised build"]
fn all_positions_of_the_other_sets_have_their_exact_scores() {
    check_set("L2_R2", 1);
    check_set("L1_R1", 1);
    check_set("L1_R2", 1);
}

/// Solves every `step`th position of a list that says what each column is worth, if it is among
/// those with at least `least_plies` plies behind them. Returns how many there were.
fn check_columns(name: &str, least_plies: u32, step: usize) -> usize {
    let Some(text) = data(name) else { return 0 };
    let mut solvers = [1, 2].map(|threads| solver(threads, RootMoves::All));
    let positions = lines(&text).map(|line| {
        let (moves, scores) = line.split_once('\t').expect("moves and scores");
        let moves = if moves == "(empty)" { "" } else { moves };
        (ConnectFour::parse_position(moves).expect("moves"), scores)
    });
    let late = positions.filter(|(state, _)| state.plies() >= least_plies).step_by(step);
    let mut positions = 0;
    for ((state, scores), turn) in late.zip([0, 1].into_iter().cycle()) {
        let solution = solvers[turn].solve(&state, &Budget::unlimited()).expect("a position");
        let mut found = vec!["-".to_string(); 7];
        for column in &solution.moves {
            let worth = column.worth().expect("a solved move");
            found[column.mv.index()] = score(&state, worth).to_string();
        }
        assert_eq!(found.join(" "), scores, "{state:?}");
        positions += 1;
    }
    positions
}

#[test]
fn every_column_has_its_exact_score_in_late_positions() {
    const LIST: &str = "connect4/random_midgame_allmoves.tsv";
    if data(LIST).is_some() {
        assert_eq!(check_columns(LIST, 22, 1), 40);
    }
}

/// `cargo test --release --test solver -- --ignored connect4`
#[test]
#[ignore = "minutes: for an optimised build"]
fn every_column_has_its_exact_score() {
    const LIST: &str = "connect4/random_midgame_allmoves.tsv";
    if data(LIST).is_some() {
        assert_eq!(check_columns(LIST, 0, 1), 300);
    }
}
