//! Small games, all of them or many positions, against lists and closed forms.

use playtree::games::{Breakthrough, Gomoku, Hex, MisereNim, NormalNim, TicTacToe};
use playtree::solver::{Aim, Method, RootMoves, Solution};
use playtree::{Budget, GameState, Notation, Solvable, Solver};
use serde_json::Value;

use crate::data::data;

fn solve<G: Solvable>(solver: &mut Solver<G>, state: &G) -> Solution<G::Move> {
    let solution = solver.solve(state, &Budget::unlimited()).expect("a game that can be solved");
    assert!(solution.is_complete);
    solution
}

fn solvers<G: Solvable>() -> [Solver<G>; 2] {
    [1, 2].map(|threads| {
        Solver::builder().threads(threads).oversubscribe(true).build().expect("right settings")
    })
}

#[test]
fn every_tic_tac_toe_position_has_its_value_distance_and_moves() {
    let Some(text) = data("smallgames/ttt_all.tsv") else { return };
    for mut solver in solvers() {
        let mut positions = 0;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let state = TicTacToe::parse_position(&fields[0].to_uppercase()).expect("a position");
            let solution = solve(&mut solver, &state);
            let plies: u32 = fields[2].parse().expect("plies");
            let value: i32 = fields[1].parse().expect("a value");
            assert_eq!(solution.points(), Some(value), "{line}");
            if value != 0 {
                assert_eq!(solution.distance(), Some(plies), "{line}");
            }
            let mut best: Vec<u32> = solution
                .best_moves()
                .map(|mv| state.move_text(mv).parse::<u32>().expect("a square") - 1)
                .collect();
            best.sort_unstable();
            let listed: Vec<u32> =
                fields[3].split(',').map(|square| square.parse().expect("a square")).collect();
            assert_eq!(best, listed, "{line}");
            positions += 1;
        }
        assert_eq!(positions, 4_520);
    }
}

/// Bouton's rule: lost is where the exclusive or of the piles is 0; in misère play the other way
/// round if no pile has more than one.
fn is_lost(piles: [u32; 3], misere: bool) -> bool {
    let sum = piles.iter().fold(0, |sum, pile| sum ^ pile);
    if misere && piles.iter().all(|&pile| pile < 2) { sum == 1 } else { sum == 0 }
}

fn check_nim<G: Notation + Solvable>(misere: bool) {
    for mut solver in solvers::<G>() {
        for piles in (0..512u32).map(|all| [all >> 6, all >> 3 & 7, all & 7]) {
            if piles == [0; 3] {
                continue;
            }
            let text = piles.map(|pile| pile.to_string()).join(",");
            let state = G::parse_position(&text).expect("piles");
            let solution = solve(&mut solver, &state);
            let lost = is_lost(piles, misere);
            assert_eq!(solution.points(), Some(if lost { -1 } else { 1 }), "{text}");
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let winning = moves.iter().filter(|mv| {
                let after = state.apply(mv).position_text();
                let mut left = [0; 3];
                let piles = after.split(' ').next().expect("piles").split(',');
                piles.zip(&mut left).for_each(|(pile, left)| *left = pile.parse().expect("a pile"));
                is_lost(left, misere)
            });
            if !lost {
                assert_eq!(solution.best_moves().count(), winning.count(), "{text}");
            }
        }
    }
}

#[test]
fn nim_follows_boutons_rule() {
    check_nim::<NormalNim>(false);
    check_nim::<MisereNim>(true);
}

#[test]
fn small_breakthrough_boards_have_their_winner_and_distance() {
    let Some(text) = data("smallgames/values.jsonl") else { return };
    let mut boards = 0;
    for row in text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
        if row["game"] != "breakthrough" {
            continue;
        }
        let size = |key: &str| row["params"][key].as_u64().expect("a number") as usize;
        let (rows, columns, filled) = (size("rows"), size("cols"), size("rows_of_pieces"));
        let row_of = |piece: &str| piece.repeat(columns);
        let mut board = vec![row_of("p"); filled];
        board.extend(vec![columns.to_string(); rows - 2 * filled]);
        board.extend(vec![row_of("P"); filled]);
        let text = format!("{} w", board.join("/"));
        let state = Breakthrough::parse_position(&text).expect("a board");
        for mut solver in solvers() {
            let solution = solve(&mut solver, &state);
            let first = row["value"]["winner"] == "first";
            assert_eq!(solution.points(), Some(if first { 1 } else { -1 }), "{text}");
            let plies = row["value"]["plies_with_best_play"].as_u64().expect("plies");
            assert_eq!(solution.distance().map(u64::from), Some(plies), "{text}");
        }
        boards += 1;
    }
    assert_eq!(boards, 10);
}

#[test]
fn mnk_games_have_their_value() {
    let Some(text) = data("smallgames/values.jsonl") else { return };
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut games = 0;
    for row in rows.filter(|row| row["game"] == "mnk") {
        let [m, n, k] = ["m", "n", "k"].map(|key| row["params"][key].as_u64().expect("a number"));
        // The first player wins, or does not: the second cannot, as a stone more does no harm.
        let points = i32::from(row["value"] == "first");
        assert!(["first", "draw", "not"].iter().any(|value| row["value"] == *value), "{row}");
        let state = Gomoku::parse_position(&format!("{m}x{n}x{k}:")).expect("a board");
        for mut solver in solvers() {
            let solution = solve(&mut solver, &state);
            assert_eq!(solution.points(), Some(points), "{row}");
            println!("{m}x{n}x{k}: {} positions", solution.nodes);
        }
        games += 1;
    }
    assert_eq!(games, 5);
}

#[test]
fn hex_openings_have_their_winner() {
    let Some(text) = data("hex/openings.jsonl") else { return };
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut openings = 0;
    for row in rows.filter(|row| row["rows"] == row["cols"] && row["rows"].as_u64() < Some(5)) {
        let Some(size) = row["rows"].as_u64() else { continue };
        let stones = row["stones"].as_array().expect("stones").iter();
        let cells: Vec<_> = stones.map(|stone| stone[1].as_str().expect("a cell")).collect();
        let state = Hex::parse_position(&format!("{size}: {}", cells.join(" "))).expect("a board");
        assert_eq!(state.mover() == 0, row["to_move"] == "black", "{row}");
        let mine = row["winner"] == row["to_move"];
        for mut solver in solvers() {
            let solution = solve(&mut solver, &state);
            assert_eq!(solution.points(), Some(if mine { 1 } else { -1 }), "{row}");
        }
        openings += 1;
    }
    println!("{openings} openings");
    assert!(openings > 20);
}

/// Who has the shorter way wins, also as the second to move; where both ways are equal, the first
/// to move, unless the other side may take the first stone over.
#[test]
fn hex_is_won_by_the_shorter_way_or_the_swap() {
    for (board, points) in [
        ("3x2:", 1),
        ("4x3:", 1),
        ("4x2:", 1),
        ("2x3:", -1),
        ("3x4:", -1),
        ("2x4:", -1),
        ("3:", 1),
        ("2 swap:", -1),
        ("3 swap:", -1),
    ] {
        let state = Hex::parse_position(board).expect("a board");
        for mut solver in solvers() {
            assert_eq!(solve(&mut solver, &state).points(), Some(points), "{board}");
        }
    }
}

#[test]
fn tables_too_small_for_a_line_are_answers_all_the_same() {
    for method in [Method::AlphaBeta, Method::ProofNumbers] {
        for bytes in [64, 128, 1 << 10, 4 << 10, 16 << 10, 64 << 10] {
            for threads in [1, 2] {
                let builder = Solver::builder().threads(threads).oversubscribe(true);
                let mut solver = builder.method(method).memory_limit(bytes).build().unwrap();
                let place = format!("{method:?}, {bytes} bytes, {threads} thread(s)");
                let budget = Budget::nodes(20_000_000);
                let solution = solver.solve(&TicTacToe::new(), &budget).unwrap();
                assert_eq!((solution.points(), solution.is_complete), (Some(0), true), "{place}");
            }
        }
    }
}

/// What a solver finds out of all moves of a position of Hex on 6x6, with its positions searched.
#[test]
fn all_moves_of_a_game_with_proof_numbers_are_proven_by_them() {
    // One move after the other by alpha-beta that took 240 000 positions.
    let state = Hex::parse_position("6: c1 b1 e1 d2 b2 f3 f2 b4 a3 e4 d5 e5").unwrap();
    let builder = Solver::builder().threads(1).aim(Aim::Winner).root_moves(RootMoves::All);
    let solution = builder.build().unwrap().solve(&state, &Budget::nodes(10_000)).unwrap();
    assert!(solution.is_complete, "{solution:?}");
    assert_eq!((solution.points(), solution.moves.len()), (Some(1), 24));
    // The same by alpha-beta, where each move has been played.
    let mut solver =
        Solver::builder().threads(1).aim(Aim::Winner).method(Method::AlphaBeta).build().unwrap();
    for solved in &solution.moves {
        let after = solver.solve(&state.apply(&solved.mv), &Budget::unlimited()).unwrap();
        assert_eq!(after.points(), solved.points().map(|points| -points), "{:?}", solved.mv);
    }
}
