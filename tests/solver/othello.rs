//! Othello: the endgame problems of the French federation (FFO), and small boards.
//!
//! The table of a release build, one thread and up to 20 empty squares unless set otherwise:
//! `THREADS=1 EMPTY=20 cargo test --release --test solver othello::table -- --ignored --nocapture`

use std::collections::BTreeMap;
use std::time::Duration;

use playtree::games::othello::Placement;
use playtree::games::{Othello, OthelloBoard};
use playtree::solver::{RootMoves, Solution};
use playtree::{Budget, GameState, Notation, Outcome, Solvable, Solver};
use serde_json::Value;

use crate::data::data;

/// An endgame problem: every legal move and the final difference it leads to.
struct Problem {
    name: String,
    position: Othello,
    empty: u64,
    best: i32,
    scores: BTreeMap<String, i32>,
}

/// The problems of a file with at most `most` empty squares.
fn problems(file: &str, most: u64) -> Vec<Problem> {
    let text = data(&format!("othello/{file}")).unwrap_or_default();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let text_of = |value: &Value| value.as_str().expect("a text").to_owned();
    let number = |value: &Value| value.as_i64().expect("a number") as i32;
    rows.filter(|row| row["empties"].as_u64().is_some_and(|empty| empty <= most))
        .map(|row| Problem {
            name: text_of(&row["id"]),
            position: Othello::parse_position(&format!(
                "{} {}",
                text_of(&row["board"]),
                text_of(&row["to_move"])
            ))
            .expect("a position"),
            empty: row["empties"].as_u64().expect("a number"),
            best: number(&row["best_score"]),
            scores: row["move_scores"]
                .as_object()
                .expect("scores")
                .iter()
                .map(|(mv, score)| (mv.to_lowercase(), number(score)))
                .collect(),
        })
        .collect()
}

fn solve<G: Solvable>(state: &G, moves: RootMoves, threads: usize) -> Solution<G::Move> {
    let builder = Solver::builder().threads(threads).oversubscribe(true).root_moves(moves);
    let mut solver = builder.build().expect("right settings");
    let solution = solver.solve(state, &Budget::unlimited()).expect("a game that can be solved");
    assert!(solution.is_complete);
    solution
}

/// Solves a problem and checks its score, and the moves asked for.
fn check(problem: &Problem, moves: RootMoves, threads: usize) -> (Duration, u64) {
    let Problem { name, position, best, scores, .. } = problem;
    let solution = solve(position, moves, threads);
    assert_eq!(solution.points(), Some(*best), "{name}");
    if moves == RootMoves::All {
        let found: BTreeMap<String, i32> = solution
            .moves
            .iter()
            .map(|found| (position.move_text(&found.mv), found.points().expect("a score")))
            .collect();
        assert_eq!(&found, scores, "{name}");
    } else {
        let mut found: Vec<String> =
            solution.best_moves().map(|mv| position.move_text(mv)).collect();
        found.sort_unstable();
        let listed: Vec<&String> = scores.keys().filter(|mv| scores[*mv] == *best).collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), listed, "{name}");
    }
    (solution.elapsed, solution.nodes)
}

#[test]
fn problems_of_14_to_16_empty_squares_have_all_their_scores() {
    let problems = problems("ffo_1-19.jsonl", 16);
    for problem in &problems {
        check(problem, RootMoves::All, 1);
        check(problem, RootMoves::Best, 2);
    }
    println!("{} problems", problems.len());
}

#[test]
#[ignore = "seconds in a release build: cargo test --release --test solver -- --ignored of_17"]
fn problems_of_17_to_20_empty_squares_have_all_their_scores() {
    for problem in &problems("ffo_20-39.jsonl", 20) {
        check(problem, RootMoves::All, 1);
        check(problem, RootMoves::Best, 2);
    }
}

/// Four by four where an empty square is no player's: the discs are counted as they lie.
#[derive(Clone, Debug)]
struct Plain(OthelloBoard<4>);

impl GameState for Plain {
    type Key = [u64; 2];
    type Move = Placement;

    fn key(&self) -> [u64; 2] {
        self.0.key()
    }

    fn mover(&self) -> usize {
        self.0.mover()
    }

    fn plies(&self) -> u32 {
        self.0.plies()
    }

    fn moves(&self, moves: &mut Vec<Placement>) {
        self.0.moves(moves);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn apply(&self, mv: &Placement) -> Self {
        Self(self.0.apply(mv))
    }
}

impl Solvable for Plain {
    const MAX_POINTS: i32 = 16;
    const COUNTS_PLIES: bool = false;

    fn points(&self, _outcome: &Outcome, player: usize) -> i32 {
        let discs = self.0.discs().map(|discs| discs.count_ones() as i32);
        discs[player] - discs[1 - player]
    }
}

/// White wins by 11 to 3, with two squares left empty: by 8 as the discs lie, by 10 where the
/// winner gets the empty squares.
#[test]
fn four_by_four_is_lost_by_eight_discs() {
    for threads in [1, 2] {
        let start = OthelloBoard::<4>::new();
        assert_eq!(solve(&start, RootMoves::Best, threads).points(), Some(-10));
        let solution = solve(&Plain(start), RootMoves::All, threads);
        assert_eq!(solution.points(), Some(-8));
        // All first moves are alike.
        assert_eq!(solution.best_moves().count(), 4);
    }
}

#[test]
#[ignore = "a measurement"]
fn table() {
    let threads = std::env::var("THREADS").map_or(1, |text| text.parse().expect("threads"));
    let most = std::env::var("EMPTY").map_or(20, |text| text.parse().expect("empty squares"));
    println!(
        "| problem | empty | score | best moves, s | nodes | nodes/s | all moves, s | nodes |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let (mut seconds, mut sum) = ([0.0; 2], [0; 2]);
    for problem in problems("ffo_1-19.jsonl", most).iter().chain(&problems("ffo_20-39.jsonl", most))
    {
        let Problem { name, empty, best, .. } = problem;
        let (time, nodes) = check(problem, RootMoves::Best, threads);
        let (all_time, all_nodes) = check(problem, RootMoves::All, threads);
        let (time, all_time) = (time.as_secs_f64(), all_time.as_secs_f64());
        let speed = nodes as f64 / time / 1e6;
        println!(
            "| {name} | {empty} | {best:+} | {time:.3} | {nodes} | {speed:.2}M | {all_time:.3} | {all_nodes} |"
        );
        seconds = [seconds[0] + time, seconds[1] + all_time];
        sum = [sum[0] + nodes, sum[1] + all_nodes];
    }
    println!("| sum | | | {:.3} | {} | | {:.3} | {} |", seconds[0], sum[0], seconds[1], sum[1]);
}
