//! Connect Four: the four test sets of Pons, beside what he published for his solver.

use std::time::{Duration, Instant};

use playtree::games::ConnectFour;
use playtree::solver::{RootMoves, Solution};
use playtree::{Budget, GameState, Notation, Solver};

use crate::{MIB, Wishes, data, empty};

/// A test set, with the mean positions and microseconds for each of its 1 000 lines that the last
/// version of Pons' solver took for exact scores: one thread, a table of 40 MiB, cleared before
/// each position (blog.gamesolver.org, *Solving Connect 4*, part 12).
struct Set {
    name: &'static str,
    nodes: f64,
    micros: f64,
}

const SETS: [Set; 4] = [
    Set { name: "L3_R1", nodes: 51.28, micros: 4.568 },
    Set { name: "L2_R2", nodes: 39_900.0, micros: 3_212.0 },
    Set { name: "L1_R1", nodes: 3_298.0, micros: 254.6 },
    Set { name: "L1_R2", nodes: 1_201_000.0, micros: 96_630.0 },
];

fn solver(threads: usize, memory: usize) -> Solver<ConnectFour> {
    let builder = Solver::builder().threads(threads).memory_limit(memory);
    builder.root_moves(RootMoves::One).build().expect("the settings are in range")
}

/// The score as Pons counts it: how many stones of his own the winner has left.
pub(crate) fn score(
    state: &ConnectFour,
    solution: &Solution<<ConnectFour as GameState>::Move>,
) -> i32 {
    let worth = solution.limits.exact().expect("a solved position");
    let stones = (state.plies() + worth.plies).div_ceil(2) as i32;
    worth.points * (22 - stones)
}

pub(crate) fn run(wishes: &Wishes) {
    let memory = wishes.number("memory").unwrap_or(64) * MIB;
    let threads = wishes.number("threads");
    let threads = threads.map_or(vec![1, 2], |threads| vec![threads]);
    if wishes.has("empty") {
        return empty::connect4(wishes);
    }
    let names_a_set = SETS.iter().any(|set| wishes.has(set.name));
    println!("| set | threads | mean time | Pons | mean nodes | Pons | nodes to Pons | nodes/s |");
    println!("|---|---|---|---|---|---|---|---|");
    for set in SETS.iter().filter(|set| !names_a_set || wishes.has(set.name)) {
        let Some(text) = data(&format!("connect4/Test_{}.txt", set.name)) else { return };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let lines: Vec<&str> =
            lines.take(wishes.number("positions").unwrap_or(usize::MAX)).collect();
        for &threads in &threads {
            compare(set, &lines, threads, memory);
        }
    }
}

fn compare(set: &Set, lines: &[&str], threads: usize, memory: usize) {
    let mut solver = solver(threads, memory);
    let (mut nodes, mut spent) = (0, Duration::ZERO);
    for line in lines {
        let (moves, expected) = line.split_once(' ').expect("moves and a score");
        let state = ConnectFour::parse_position(moves).expect("moves");
        // Each position with an empty table.
        solver.forget();
        let start = Instant::now();
        let solution = solver.solve(&state, &Budget::unlimited()).expect("a position");
        spent += start.elapsed();
        assert_eq!(score(&state, &solution).to_string(), expected, "{moves}");
        nodes += solution.nodes;
    }
    let count = lines.len() as f64;
    let (nodes, micros) = (nodes as f64 / count, spent.as_secs_f64() * 1e6 / count);
    println!(
        "| {} | {threads} | {} | {} | {nodes:.1} | {} | {:.2} | {:.2} M |",
        set.name,
        time(micros),
        time(set.micros),
        set.nodes,
        nodes / set.nodes,
        nodes / micros,
    );
}

fn time(micros: f64) -> String {
    if micros < 1_000.0 { format!("{micros:.2} µs") } else { format!("{:.3} ms", micros / 1e3) }
}
