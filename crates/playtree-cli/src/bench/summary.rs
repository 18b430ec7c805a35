//! What the measurements of a game add up to, for people and as JSON.

use std::io::Write;

use serde::Serialize;

use super::Measured;
use super::measure::{self, Sample};
use crate::error::CliError;
use crate::output::{self, Align, Table};

/// A number of workers is recommended if no other is faster by more than this share.
const MARGIN: f64 = 0.03;

/// The speed of the search in one game.
#[derive(Serialize)]
pub(super) struct GameResult {
    game: &'static str,
    position: String,
    simulations: u64,
    repetitions: u32,
    recommended_workers: usize,
    workers: Vec<WorkersResult>,
}

/// What a number of workers reaches: medians over the repetitions.
#[derive(Clone, Debug, Serialize)]
pub(super) struct WorkersResult {
    workers: usize,
    simulations_per_second: f64,
    rollouts_per_second: f64,
    ratio: f64,
    speed_up: f64,
    rollout_speed_up: f64,
    nodes: u64,
    bytes_per_node: f64,
    drop_rate: f64,
}

impl GameResult {
    /// The medians of the samples of 1, 2, ... workers.
    pub(super) fn new(
        game: &'static str,
        position: String,
        simulations: u64,
        repetitions: u32,
        samples: &[Vec<Sample>],
    ) -> Self {
        let workers = summarise(samples);
        let recommended_workers = recommended(&workers);
        Self { game, position, simulations, repetitions, recommended_workers, workers }
    }
}

impl Measured for GameResult {
    fn write(&self, out: &mut impl Write) -> Result<(), CliError> {
        writeln!(
            out,
            "{}: {} simulations, median of {}, proofs off",
            self.game,
            output::grouped(self.simulations),
            self.repetitions
        )?;
        let columns = [
            "workers",
            "simulations/s",
            "rollouts/s",
            "of limit",
            "speed-up",
            "rollout speed-up",
            "bytes a node",
            "dropped",
        ];
        let mut table = Table::new(&columns.map(|heading| (heading, Align::Right)));
        for line in &self.workers {
            table.row([
                line.workers.to_string(),
                output::grouped(line.simulations_per_second as u64),
                output::grouped(line.rollouts_per_second as u64),
                output::percent(line.ratio),
                format!("{:.2}", line.speed_up),
                format!("{:.2}", line.rollout_speed_up),
                format!("{:.1}", line.bytes_per_node),
                output::percent(line.drop_rate),
            ]);
        }
        output::write_table(out, table)?;
        Ok(writeln!(out, "recommended workers: {}\n", self.recommended_workers)?)
    }
}

/// One line for each number of workers, from the samples of 1, 2, ... workers.
fn summarise(samples: &[Vec<Sample>]) -> Vec<WorkersResult> {
    let mut results: Vec<WorkersResult> = Vec::with_capacity(samples.len());
    for (workers, samples) in (1..).zip(samples) {
        let median = |value: fn(&Sample) -> f64| measure::median(samples.iter().map(value));
        let simulations = median(|sample| sample.simulations_per_second);
        let rollouts = median(|sample| sample.rollouts_per_second);
        let single = results.first();
        results.push(WorkersResult {
            workers,
            simulations_per_second: simulations,
            rollouts_per_second: rollouts,
            ratio: simulations / rollouts,
            speed_up: single.map_or(1.0, |one| simulations / one.simulations_per_second),
            rollout_speed_up: single.map_or(1.0, |one| rollouts / one.rollouts_per_second),
            nodes: median(|sample| sample.nodes as f64) as u64,
            bytes_per_node: median(|sample| sample.bytes_per_node),
            drop_rate: median(|sample| sample.drop_rate),
        });
    }
    results
}

/// The smallest number of workers within [`MARGIN`] of the fastest.
fn recommended(results: &[WorkersResult]) -> usize {
    let best = results.iter().map(|r| r.simulations_per_second).fold(0.0, f64::max);
    let enough = results.iter().find(|r| r.simulations_per_second >= best * (1.0 - MARGIN));
    enough.map_or(1, |result| result.workers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(simulations_per_second: f64) -> Sample {
        Sample {
            simulations_per_second,
            rollouts_per_second: 2.0 * simulations_per_second,
            nodes: 10,
            bytes_per_node: 64.0,
            drop_rate: 0.0,
        }
    }

    #[test]
    fn medians_are_compared_with_one_worker() {
        let samples = [
            vec![sample(90.0), sample(100.0), sample(500.0)],
            vec![sample(150.0), sample(1.0), sample(200.0)],
        ];
        let results = summarise(&samples);
        assert_eq!(results[0].simulations_per_second, 100.0);
        assert_eq!((results[0].speed_up, results[1].speed_up), (1.0, 1.5));
        assert_eq!(results[1].ratio, 0.5);
    }

    #[test]
    fn the_fewest_workers_that_are_fast_enough_are_recommended() {
        let of = |rates: &[f64]| {
            let samples: Vec<_> = rates.iter().map(|&rate| vec![sample(rate)]).collect();
            recommended(&summarise(&samples))
        };
        assert_eq!(of(&[100.0]), 1);
        assert_eq!(of(&[98.0, 100.0]), 1);
        assert_eq!(of(&[50.0, 97.5, 100.0, 60.0]), 2);
    }
}
