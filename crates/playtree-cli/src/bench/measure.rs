//! One measurement: a search, and rollouts alone with the same number of threads.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use playtree::game::RolloutPolicy;
use playtree::{Budget, GameState, MctsBuilder, Outcome, Rng};

use crate::error::CliError;
use crate::options::config_error;

/// What one measurement gave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) simulations_per_second: f64,
    pub(crate) rollouts_per_second: f64,
    pub(crate) nodes: u64,
    pub(crate) bytes_per_node: f64,
    /// Dropped updates per simulation, in `[0, 1]`.
    pub(crate) drop_rate: f64,
}

/// A search with a fresh engine, then `simulations` rollouts. Blocks until both are done.
pub(crate) fn sample<G: GameState>(
    start: &G,
    builder: MctsBuilder<G>,
    workers: usize,
    simulations: u64,
    seed: u64,
) -> Result<Sample, CliError> {
    let budget = Budget::simulations(simulations);
    // The engine and its memory are gone before the rollouts are measured.
    let report = {
        let mut engine = builder.build().map_err(|error| config_error(&error))?;
        engine.search(start, &budget).map_err(CliError::usage)?
    };
    Ok(Sample {
        simulations_per_second: report.simulations_per_second(),
        rollouts_per_second: rollouts_per_second(start, workers, simulations, seed),
        nodes: report.nodes,
        bytes_per_node: report.bytes as f64 / report.nodes.max(1) as f64,
        drop_rate: report.dropped as f64 / report.simulations.max(1) as f64,
    })
}

/// The number of rollouts that one thread plays in half a second, rounded down to one digit and
/// zeros: 10 000 to 1 000 000.
pub(crate) fn default_simulations<G: GameState>(start: &G) -> u64 {
    const FEWEST: u64 = 10_000;
    const MOST: u64 = 1_000_000;
    /// A shorter measurement is repeated with more rollouts.
    const TRIAL_SECONDS: f64 = 0.05;
    let mut trial = 500;
    let rate = loop {
        let rate = rollouts_per_second(start, 1, trial, 0);
        if trial >= MOST || trial as f64 / rate >= TRIAL_SECONDS {
            break rate;
        }
        trial *= 4;
    };
    let simulations = ((rate / 2.0) as u64).clamp(FEWEST, MOST);
    let digit = 10u64.pow(simulations.ilog10());
    simulations / digit * digit
}

/// Random games from `start`, `rollouts` in all, shared among `threads`. The clock runs from
/// the moment when all threads are there until the last one is done.
fn rollouts_per_second<G: GameState>(start: &G, threads: usize, rollouts: u64, seed: u64) -> f64 {
    /// Rollouts that a thread takes at a time: few, so that all threads end together.
    const BATCH: u64 = 64;
    let ready = Barrier::new(threads + 1);
    let taken = AtomicU64::new(0);
    let begin = thread::scope(|scope| {
        for thread in 0..threads {
            let (ready, taken) = (&ready, &taken);
            scope.spawn(move || {
                let mut rng = Rng::from_seed(seed ^ (thread as u64) << 32);
                let mut buffer = Vec::new();
                let policy = G::rollouts();
                let at_once = policy.side_by_side().min(BATCH as usize);
                let (starts, mut outcomes) = (vec![start; at_once], vec![Outcome::Draw; at_once]);
                ready.wait();
                // Relaxed: the counter hands out work and orders nothing else.
                while let left @ 1.. =
                    rollouts.saturating_sub(taken.fetch_add(BATCH, Ordering::Relaxed))
                {
                    let mut left = left.min(BATCH) as usize;
                    while at_once > 1 && left >= at_once {
                        let starts = black_box(&starts);
                        policy.play_side_by_side(starts, &mut rng, &mut outcomes, &mut []);
                        black_box(&outcomes);
                        left -= at_once;
                    }
                    for _ in 0..left {
                        black_box(rollout(&policy, black_box(start), &mut rng, &mut buffer));
                    }
                }
            });
        }
        ready.wait();
        Instant::now()
    });
    rollouts as f64 / begin.elapsed().as_secs_f64()
}

/// One game of a policy: at once if it can do that, else move by move.
fn rollout<G: GameState>(
    policy: &impl RolloutPolicy<G>,
    start: &G,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
) -> Option<Outcome> {
    if let Some(outcome) = policy.play(start, rng) {
        return Some(outcome);
    }
    let mut state = start.clone();
    loop {
        if let Some(outcome) = state.outcome() {
            return Some(outcome);
        }
        let mv = policy.next_move(&state, rng, buffer)?;
        state.apply_in_place(&mv);
    }
}

/// The middle value, or the mean of the two in the middle; 0 of nothing.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => values[odd / 2],
        even => f64::midpoint(values[even / 2 - 1], values[even / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), 2.5);
    }
}
