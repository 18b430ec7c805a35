//! How long a search with a large table takes to answer when it is stopped, and to give the memory
//! back.

use std::time::{Duration, Instant};

use playtree::games::Doudizhu;
use playtree::games::doudizhu::Rules;
use playtree::{Budget, Rng, Solver, StopToken};

use crate::Wishes;

/// The longest wait for memory to go back.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) fn run(wishes: &Wishes) {
    let threads = wishes.number("threads").unwrap_or(2);
    let bytes = wishes.number("memory").unwrap_or(1024) << 20;
    let state = Doudizhu::deal(&mut Rng::from_seed(1), 22, 22, Rules::Classic).unwrap();
    println!(
        "\n| search, s | in use | resident, MiB | stop to answer, ms | clear, ms | resident soon after, MiB |"
    );
    println!("|--:|--:|--:|--:|--:|--:|");
    for seconds in [5, 10, 15] {
        let mut solver = Solver::builder().threads(threads).memory_limit(bytes).build().unwrap();
        let token = StopToken::new();
        let stop = token.clone();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(seconds));
            let now = Instant::now();
            stop.stop();
            now
        });
        let solution = solver.solve(&state, &Budget::until(&token)).unwrap();
        let answered = Instant::now();
        let stopped = stopper.join().unwrap();
        let answer = answered.saturating_duration_since(stopped);
        let held = resident();
        let start = Instant::now();
        solver.clear();
        let clear = start.elapsed();
        while resident() > held / 64 && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(10));
        }
        println!(
            "| {seconds} | {:.0} % | {held} | {:.2} | {:.3} | {} |",
            100.0 * solution.table_used,
            answer.as_secs_f64() * 1e3,
            clear.as_secs_f64() * 1e3,
            resident()
        );
    }
}

/// Memory of this process that is in use, in MiB; 0 where the system does not say.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
