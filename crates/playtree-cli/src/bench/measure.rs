//! One measurement: a search, and rollouts alone with the same number of threads.

use playtree::Budget;
use playtree_session::settings::MctsSettings;
use playtree_session::{Error, Game, Position, Report, Root};

use crate::player::Record;

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
pub(crate) fn sample(
    game: Game,
    record: &Record,
    settings: &MctsSettings,
    simulations: u64,
) -> Result<Sample, Error> {
    let budget = Budget::simulations(simulations);
    // The engine and its memory are gone before the rollouts are measured.
    let report = game.mcts(settings)?.search(record.as_played(), &budget, &Root::new())?;
    let Report::Mcts(report) = report else { unreachable!("it was a Monte Carlo search") };
    let (workers, seed) = (settings.threads.unwrap_or(1), settings.seed.unwrap_or(0));
    Ok(Sample {
        simulations_per_second: report.simulations_per_second(),
        rollouts_per_second: game.rollouts_per_second(record.last(), workers, simulations, seed)?,
        nodes: report.nodes,
        bytes_per_node: report.bytes as f64 / report.nodes.max(1) as f64,
        drop_rate: report.dropped as f64 / report.simulations.max(1) as f64,
    })
}

/// The number of rollouts that one thread plays in half a second, rounded down to one digit and
/// zeros: 10 000 to 1 000 000.
pub(crate) fn default_simulations(game: Game, start: &Position) -> Result<u64, Error> {
    const FEWEST: u64 = 10_000;
    const MOST: u64 = 1_000_000;
    /// A shorter measurement is repeated with more rollouts.
    const TRIAL_SECONDS: f64 = 0.05;
    let mut trial = 500;
    let rate = loop {
        let rate = game.rollouts_per_second(start, 1, trial, 0)?;
        if trial >= MOST || trial as f64 / rate >= TRIAL_SECONDS {
            break rate;
        }
        trial *= 4;
    };
    let simulations = ((rate / 2.0) as u64).clamp(FEWEST, MOST);
    let digit = 10u64.pow(simulations.ilog10());
    Ok(simulations / digit * digit)
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
