//! Whole games, from the first position: Connect Four and Othello on six by six.

use std::time::Duration;

use playtree::games::{ConnectFour, OthelloBoard};
use playtree::solver::{RootMoves, Solution};
use playtree::{Budget, Notation, Solvable, Solver};

use crate::{MIB, Wishes, connect4};

pub(crate) fn connect4(wishes: &Wishes) {
    let start = ConnectFour::new();
    let solution = solve(&start, wishes);
    println!("Connect Four: {}, score {}", solution.limits, connect4::score(&start, &solution));
    figures(&start, &solution);
}

pub(crate) fn othello(wishes: &Wishes) {
    let start = OthelloBoard::<6>::new();
    let solution = solve(&start, wishes);
    println!("Othello 6x6: {}", solution.limits);
    figures(&start, &solution);
}

fn solve<G: Solvable + 'static>(start: &G, wishes: &Wishes) -> Solution<G::Move> {
    let builder = Solver::builder()
        .threads(wishes.number("threads").unwrap_or(2))
        .memory_limit(wishes.number("memory").unwrap_or(8192) * MIB);
    let solver = builder.root_moves(RootMoves::One).build().expect("the settings are in range");
    let mut solving = solver.start(start, &Budget::unlimited());
    solving.on_report(Duration::from_secs(60), |so_far| {
        let so_far = &so_far.report;
        let seconds = so_far.elapsed.as_secs();
        println!("{} after {} positions, {seconds} s", so_far.limits, so_far.nodes);
    });
    solving.wait().expect("a position")
}

fn figures<G: Solvable + Notation>(start: &G, solution: &Solution<G::Move>) {
    let seconds = solution.elapsed.as_secs_f64();
    println!(
        "{} workers, {seconds:.1} s, {} positions, {:.2} million a second, {} MiB, table used {:.2}",
        solution.workers,
        solution.nodes,
        solution.nodes as f64 / seconds / 1e6,
        solution.peak_bytes / MIB as u64,
        solution.table_used,
    );
    for found in &solution.moves {
        println!("{}: {}", start.move_text(&found.mv), found.limits);
    }
}
