//! Endgames of Dou Dizhu: those of the data, and harder ones dealt at random, with the time and
//! memory that each takes.

use std::time::Instant;

use playtree::games::Doudizhu;
use playtree::games::doudizhu::Rules;
use playtree::solver::{Aim, Solution};
use playtree::{Budget, Notation, Rng, Solver};
use serde_json::Value;

use crate::{Wishes, data};

/// The number of endgames dealt, and of the cards in both hands of each.
const DEALT: u64 = 40;
const CARDS: std::ops::RangeInclusive<usize> = 20..=30;

/// The memory limit of the small ones and of the large ones, in MiB.
const SMALL: usize = 256;
const LARGE: usize = 1024;

pub(crate) fn run(wishes: &Wishes) {
    let threads = wishes.number("threads").unwrap_or(1);
    println!("\nDou Dizhu, {threads} thread(s), winner and all winning first moves\n");
    println!(
        "| endgames | number | median, ms | 90 %, ms | longest, ms | positions, mean | most memory, MiB |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for name in ["generated", "published"] {
        let Some(text) = data(&format!("doudizhu/endgames_{name}.jsonl")) else { return };
        let rows = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
        let hand = |row: &Value, whose: &str| row[whose].as_str().unwrap().to_owned();
        let games = rows.map(|row| {
            let text = format!("{}/{}", hand(&row, "first"), hand(&row, "second"));
            Doudizhu::parse_position(&text).unwrap()
        });
        table_row(name, games, threads, wishes.number("memory").unwrap_or(SMALL), false);
    }
    let dealt = (0..DEALT).map(deal);
    let each = wishes.has("each");
    table_row(
        "dealt, 20 to 30 cards",
        dealt,
        threads,
        wishes.number("memory").unwrap_or(LARGE),
        each,
    );
}

/// The endgame of a seed: 20 to 30 cards, shared out evenly.
fn deal(seed: u64) -> Doudizhu {
    let mut rng = Rng::from_seed(seed);
    let cards = (CARDS.start() + rng.below(CARDS.end() - CARDS.start() + 1)) as u32;
    Doudizhu::deal(&mut rng, cards / 2, cards - cards / 2, Rules::Classic).unwrap()
}

fn solve(state: &Doudizhu, threads: usize, mebibytes: usize) -> (f64, Solution<impl Sized>) {
    let builder = Solver::builder().threads(threads).aim(Aim::Points);
    let mut solver = builder.memory_limit(mebibytes << 20).build().unwrap();
    let start = Instant::now();
    let solution = solver.solve(state, &Budget::unlimited()).unwrap();
    (start.elapsed().as_secs_f64() * 1e3, solution)
}

/// Solves these with a solver each, and prints a row of the table; with `each` a line for each too.
fn table_row(
    name: &str,
    games: impl Iterator<Item = Doudizhu>,
    threads: usize,
    mebibytes: usize,
    each: bool,
) {
    let (mut times, mut nodes, mut memory) = (Vec::new(), 0, 0);
    let mut lines = Vec::new();
    for state in games {
        let (time, solution) = solve(&state, threads, mebibytes);
        assert!(solution.is_complete);
        let result = if solution.points() == Some(1) { "win" } else { "loss" };
        lines.push(format!(
            "{}: {result}, {time:.0} ms, {} positions, {} MiB",
            state.position_text(),
            solution.nodes,
            solution.peak_bytes >> 20
        ));
        times.push(time);
        nodes += solution.nodes;
        memory = memory.max(solution.peak_bytes);
    }
    times.sort_by(f64::total_cmp);
    let count = times.len();
    println!(
        "| {name} | {count} | {:.2} | {:.1} | {:.1} | {} | {} |",
        times[count / 2],
        times[count * 9 / 10],
        times[count - 1],
        nodes / count as u64,
        memory >> 20
    );
    if each {
        println!("\n{}", lines.join("\n"));
    }
}
