//! Explicit game trees and graphs with exact values, and the cases that other libraries test.
//!
//! The data lies beside the repository; where it is absent the tests say so and pass.

#![cfg(feature = "games")]

use playtree::games::TicTacToe;
use playtree::mcts::{self, RoundSize, Selection, Sharing};
use playtree::{Budget, GameState, Mcts, Notation, Outcome, Proven, Scores, StopReason};
use serde_json::Value;

use crate::data::data;
use crate::trees::{Explicit, Node, indices, number, rows, scores};

/// Replaces the payoffs of a row by their ranks among the player's payoffs, from -1 to 1. What
/// each player prefers stays as it was, and no two payoffs are nearly the same: between those
/// a search by visits decides late.
fn by_rank(row: &mut Value) {
    let ends = row["nodes"].as_array().unwrap().iter().filter(|node| node["v"].is_array());
    let ends: Vec<Vec<f64>> =
        ends.map(|node| node["v"].as_array().unwrap().iter().map(number).collect()).collect();
    let rank = |player: usize, payoff: f64| {
        let mut all: Vec<_> = ends.iter().map(|end| end[player]).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        let rank = all.iter().position(|&other| other == payoff).unwrap();
        2.0 * rank as f64 / (all.len() - 1) as f64 - 1.0
    };
    let ranked = |payoffs: &Value| -> Value {
        let payoffs = payoffs.as_array().unwrap().iter().enumerate();
        payoffs.map(|(player, payoff)| rank(player, number(payoff))).collect()
    };
    let root = ranked(&row["root_value"]);
    let nodes = row["nodes"].as_array().unwrap().iter();
    let values: Vec<_> =
        nodes.map(|node| node["v"].is_array().then(|| ranked(&node["v"]))).collect();
    for (at, value) in values.into_iter().enumerate() {
        if let Some(value) = value {
            row["nodes"][at]["v"] = value;
        }
    }
    row["root_value"] = root;
}

fn search<const PLAYERS: usize>(
    state: &Explicit<PLAYERS>,
    workers: usize,
    scheme: Sharing,
    exploration: f64,
    simulations: u64,
) -> mcts::Report<usize> {
    let builder = Mcts::builder().threads(workers).oversubscribe(true).sharing(scheme);
    let builder = builder.selection(Selection::Ucb1 { exploration });
    let mut mcts = builder.build().unwrap();
    let report = mcts.search(state, &Budget::simulations(simulations)).unwrap();
    mcts.audit().unwrap();
    report
}

const SCHEMES: [Sharing; 2] = [Sharing::Shared, Sharing::PerPath];

#[test]
fn wins_draws_and_losses_are_proven() {
    for kind in ["wdl2", "wdl2_nonalt", "dag2"] {
        let mut simulations = 0;
        for row in rows(kind) {
            let state = Explicit::<2>::of_row(&row);
            let exact = scores(&row["root_value"], 1)[state.mover()];
            for (workers, scheme) in [(1, SCHEMES[0]), (2, SCHEMES[0]), (1, SCHEMES[1])] {
                let report = search(&state, workers, scheme, 0.7, 200_000);
                let place = format!("{}, {workers} worker(s), {scheme:?}", row["id"]);
                assert_eq!(report.stop_reason, StopReason::Proven, "{place}");
                assert_eq!(report.win_rate, exact, "{place}");
                assert!(indices(&row["best_moves"]).contains(&report.best_move), "{place}");
                simulations += report.simulations;
            }
        }
        println!("{kind}: proven, {} simulations each", simulations / 36);
    }
}

/// With the small constant that plays well, a branch whose first rollouts were bad is tried
/// again after e to the power of many visits: to get to the limit takes a large one.
const EXPLORATION: f64 = 3.0;

/// Searches a kind that has no proofs to the limit: the best move, and the value nearly.
fn converge<const PLAYERS: usize>(kind: &str, undecided: &[&str]) {
    let (mut largest, mut wrong) = (0.0f64, 0);
    for mut row in rows(kind) {
        if undecided.contains(&row["id"].as_str().unwrap()) {
            continue;
        }
        by_rank(&mut row);
        let state = Explicit::<PLAYERS>::of_row(&row);
        for scheme in SCHEMES {
            let report = search(&state, 1, scheme, EXPLORATION, 1_000_000);
            let exact = scores(&row["root_value"], 1)[state.mover()];
            largest = largest.max((report.win_rate - exact).abs());
            if !indices(&row["best_moves"]).contains(&report.best_move) {
                println!("{}, {scheme:?}: move {}", row["id"], report.best_move);
                wrong += 1;
            }
        }
    }
    println!("{kind}: {wrong} wrong moves, values off by at most {largest:.3}");
    assert_eq!(wrong, 0);
    assert!(largest < 0.1);
}

#[test]
fn scores_converge() {
    converge::<2>("score2", &[]);
}

#[test]
fn scores_of_a_single_player_converge() {
    converge::<1>("single", &[]);
}

#[test]
fn scores_of_three_players_converge() {
    // In these an opponent's best two moves are next to each other in rank, and the better one
    // is worth it only by the last visits of the position behind it: it takes far more.
    converge::<3>("maxn3", &["maxn3-00", "maxn3-02", "maxn3-08"]);
}

/// What a move of the engine as it comes, with proofs or without, loses after this number of
/// simulations: the mean of all trees of a kind in which some moves lose something, in parts of the
/// range of payoffs.
fn lost<const REACH: i32>(kind: &str, proofs: bool, simulations: u64) -> f64 {
    let (mut lost, mut searches) = (0.0, 0);
    for row in rows(kind) {
        let state = Explicit::<2, REACH>::of_row(&row);
        let worth = scores(&row["child_values"], REACH);
        let best = worth.iter().copied().fold(0.0, f64::max);
        if worth.iter().all(|&worth| worth == best) {
            continue;
        }
        for seed in 0..2 {
            let builder = Mcts::builder().threads(1).seed(seed).proofs(proofs);
            let budget = Budget::simulations(simulations);
            let report = builder.build().unwrap().search(&state, &budget).unwrap();
            lost += best - worth[report.best_move];
            searches += 1;
        }
    }
    lost / f64::from(searches.max(1))
}

#[test]
fn more_thinking_loses_no_more() {
    for proofs in [true, false] {
        for kind in ["wdl2", "wdl2_nonalt", "dag2"] {
            for simulations in [1_000, 10_000] {
                assert_eq!(lost::<1>(kind, proofs, simulations), 0.0, "{kind}, {simulations}");
            }
        }
        // Many moves are worth nearly the same.
        let [first, later] = [1_000, 10_000].map(|count| lost::<100>("score2", proofs, count));
        println!("score2, proofs {proofs}: {first:.5} lost, then {later:.5}");
        assert!(first < 0.002 && later < 0.002, "{first}, then {later}");
    }
}

// ---- cases of other libraries -----------------------------------------------------------

fn cases() -> Option<Value> {
    Some(serde_json::from_str(&data("peer_tests/cases.json")?).unwrap())
}

#[test]
fn tictactoe_cases_are_solved() {
    let Some(cases) = cases() else { return };
    let mut played = 0;
    for case in cases["ttt"].as_array().unwrap() {
        // X begins: a position where O has more stones is none of ours.
        let board = case["board"].as_str().unwrap().to_uppercase();
        let Ok(state) = TicTacToe::parse_position(&board) else { continue };
        if (state.mover() == 0) != (case["to_move"] == "x") {
            continue;
        }
        for seed in 0..10 {
            let mut mcts = Mcts::builder().threads(1).seed(seed).build().unwrap();
            let report = mcts.search(&state, &Budget::simulations(100_000)).unwrap();
            let square = report.best_move.index() as u64;
            if let Some(value) = case["value"].as_f64() {
                assert_eq!(report.win_rate, (value + 1.0) / 2.0, "{case}");
            }
            for squares in ["best", "block"] {
                if let Some(squares) = case[squares].as_array() {
                    assert!(squares.contains(&Value::from(square)), "{case}: {square}");
                }
            }
            if case["all_children_lose"] == true {
                assert!(matches!(report.proven, Some(Proven::Loss { .. })), "{case}");
            }
            if let Some(squares) = case["immediate_win"].as_array() {
                let shortest = squares.contains(&Value::from(square));
                println!("{}: immediate win {shortest}", case["name"]);
                assert!(matches!(report.proven, Some(Proven::Win { .. })), "{case}");
            }
        }
        played += 1;
    }
    println!("{played} positions");
    assert!(played >= 5);
}

/// Small trees: payoffs of the side to move at the end, which is not the side to move before.
#[test]
fn explicit_cases_are_solved() {
    let Some(cases) = cases() else { return };
    for case in cases["explicit_trees"].as_array().unwrap() {
        let mut names = vec![case["root"].as_str().unwrap().to_owned()];
        let mut plies = vec![0usize];
        let mut nodes = Vec::new();
        while let Some(name) = names.get(nodes.len()).cloned() {
            let ply = plies[nodes.len()];
            let Some(next) = case["moves"][&name].as_array() else {
                let value = number(&case["terminal_value_for_player_to_move_there"][&name]);
                let mine = (value / 10.0 + 1.0) / 2.0;
                let mut scores = [mine; 2];
                scores[1 - ply % 2] = 1.0 - mine;
                // Wins and losses are 1 and -1; the other values are scores up to 10.
                let won = value.abs() == 1.0;
                nodes.push(Node::End(match value {
                    0.0 => Outcome::Draw,
                    1.0 => Outcome::Win(ply % 2),
                    _ if won => Outcome::Win(1 - ply % 2),
                    _ => Outcome::Scores(Scores::new(&scores).unwrap()),
                }));
                continue;
            };
            let first = names.len();
            names.extend(next.iter().map(|name| name.as_str().unwrap().to_owned()));
            plies.extend(next.iter().map(|_| ply + 1));
            nodes.push(Node::Moves(ply % 2, (first..names.len()).collect()));
        }
        let state = Explicit::<2>::new(nodes.clone());
        let report = search(&state, 1, Sharing::Shared, 0.7, 20_000);
        let value = number(&case["root_value"]);
        let name = &case["name"];
        println!("{name}: {:?}, {:.3}, {}", report.proven, report.win_rate, report.best_move);
        if let Some(best) = case["best"].as_array() {
            let Node::Moves(_, next) = &nodes[0] else { unreachable!() };
            let found = Value::from(names[next[report.best_move]].clone());
            assert!(best.contains(&found), "{name}: {found}");
        }
        if name.as_str().unwrap().starts_with("score") {
            let exact = (value / 10.0 + 1.0) / 2.0;
            assert!((report.win_rate - exact).abs() < 0.02, "{name}: {}", report.win_rate);
        } else {
            assert_eq!(report.stop_reason, StopReason::Proven, "{name}");
            assert_eq!(report.win_rate, (value + 1.0) / 2.0, "{name}");
        }
    }
}

/// From `left` take 1 to `MOST`; who takes the last wins. Lost exactly if `MOST + 1` divides
/// what is left.
#[derive(Clone, Copy)]
struct Subtraction<const MOST: u32> {
    left: u32,
    plies: u32,
}

impl<const MOST: u32> GameState for Subtraction<MOST> {
    type Key = (u32, u32);
    type Move = u32;

    fn key(&self) -> Self::Key {
        (self.left, self.plies % 2)
    }

    fn mover(&self) -> usize {
        (self.plies % 2) as usize
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=self.left.min(MOST));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::Win(1 - self.mover()))
    }

    fn apply(&self, take: &u32) -> Self {
        Self { left: self.left - take, plies: self.plies + 1 }
    }
}

fn subtraction<const MOST: u32>(left: u32, workers: usize) {
    let state = Subtraction::<MOST> { left, plies: 0 };
    let mut mcts = Mcts::builder().threads(workers).oversubscribe(true).build().unwrap();
    let report = mcts.search(&state, &Budget::simulations(3_000_000)).unwrap();
    println!("1 to {MOST} of {left}: {:?}, {} simulations", report.proven, report.simulations);
    let wins = !left.is_multiple_of(MOST + 1);
    assert_eq!(report.proven.map(Proven::score), Some(if wins { 1.0 } else { 0.0 }));
    if wins {
        assert_eq!(report.best_move, left % (MOST + 1));
    }
}

#[test]
fn subtraction_games_are_solved() {
    for workers in [1, 2] {
        for left in 1..=6 {
            subtraction::<2>(left, workers);
        }
    }
    subtraction::<10>(50, 1);
    // More than 10^50 paths: only sharing positions solves it.
    subtraction::<10>(500, 1);
}

/// Simulations until the game is proven from here, the median of some seeds.
fn simulations_to_prove<G: GameState>(state: &G, round_size: RoundSize) -> u64 {
    let mut simulations: Vec<_> = (0..7)
        .map(|seed| {
            let builder = Mcts::builder().threads(1).seed(seed).round_size(round_size);
            // A number at which the budget makes no round shorter.
            let budget = Budget::simulations(1_000_000);
            let report = builder.build().unwrap().search(state, &budget).unwrap();
            assert_eq!(report.stop_reason, StopReason::Proven, "seed {seed}");
            report.simulations
        })
        .collect();
    simulations.sort_unstable();
    simulations[3]
}

/// Long rounds take less than one and a half times the simulations of one at a time.
fn check_proofs_are_not_late<G: GameState>(state: &G) {
    let [alone, rounds] =
        [RoundSize::Fixed(1), RoundSize::default()].map(|size| simulations_to_prove(state, size));
    println!("one at a time {alone}, in rounds {rounds}");
    assert!(2 * rounds < 3 * alone, "{rounds} simulations, one at a time {alone}");
}

#[test]
fn long_rounds_prove_a_chain_of_positions_nearly_as_soon() {
    for left in [200, 400, 600] {
        check_proofs_are_not_late(&Subtraction::<10> { left, plies: 0 });
    }
}

#[test]
fn long_rounds_prove_a_whole_game_nearly_as_soon() {
    check_proofs_are_not_late(&TicTacToe::new());
}
