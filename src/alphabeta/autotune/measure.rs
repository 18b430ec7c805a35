//! The searches of a measurement, interleaved, and what they add up to.

use std::time::Duration;

use crate::alphabeta::{AlphaBeta, Options};
use crate::budget::{Budget, Depth};
use crate::error::SearchError;
use crate::evaluate::Evaluate;
use crate::game::GameState;

use super::{AutotuneOptions, AutotuneProgress, AutotuneTrial};

/// Times that differ by no more than this share of the shortest are taken for the same.
const MARGIN: f64 = 0.03;

/// A pair of limits of splitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) min_split_depth: u32,
    pub(super) max_threads_per_split: usize,
}

/// What is searched, and the callback that learns how far the measurement is.
pub(super) struct Measurement<'a, G, F> {
    pub(super) positions: &'a [G],
    /// In plies.
    pub(super) depth: u32,
    pub(super) options: &'a AutotuneOptions,
    pub(super) observe: F,
    /// Searches that are done.
    pub(super) searches: usize,
    /// Searches in all.
    pub(super) of: usize,
}

/// What one search was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sample {
    nodes: u64,
    wasted_nodes: u64,
    elapsed: Duration,
}

impl<G: GameState, F: FnMut(AutotuneProgress)> Measurement<'_, G, F> {
    /// Searches all positions with each of `tried`. If it is stopped, a position that was not
    /// searched with all of them counts as far as it was, so that each has the same work; there are
    /// no trials if no position was.
    pub(super) fn run<E: Evaluate<G>>(
        &mut self,
        engine: &mut AlphaBeta<G, E>,
        tried: &[Limits],
    ) -> Result<Vec<AutotuneTrial>, SearchError> {
        // By position, then by repetition, then by limits.
        let mut samples: Vec<Vec<Vec<Sample>>> = vec![Vec::new(); self.positions.len()];
        'all: for repetition in 0..self.options.repetitions as usize {
            for (position, (state, samples)) in self.positions.iter().zip(&mut samples).enumerate()
            {
                let mut turn = vec![Sample::default(); tried.len()];
                for place in 0..tried.len() {
                    // Each time another one begins, so that none is always the first.
                    let at = (place + repetition + position) % tried.len();
                    match self.sample(engine, state, tried[at])? {
                        Some(sample) => turn[at] = sample,
                        None => break 'all,
                    }
                }
                samples.push(turn);
            }
        }
        samples.retain(|turns| !turns.is_empty());
        if samples.is_empty() {
            return Ok(Vec::new());
        }
        let trial = |(at, limits)| trial(limits, &samples, at);
        Ok(tried.iter().copied().enumerate().map(trial).collect())
    }

    /// A search by an engine that knows nothing; `None` if it was stopped.
    fn sample<E: Evaluate<G>>(
        &mut self,
        engine: &mut AlphaBeta<G, E>,
        state: &G,
        limits: Limits,
    ) -> Result<Option<Sample>, SearchError> {
        let Limits { min_split_depth, max_threads_per_split } = limits;
        engine.settings.min_split_depth = min_split_depth;
        engine.settings.max_threads_per_split = max_threads_per_split;
        engine.forget();
        let mut budget = Budget::unlimited().and(Depth(self.depth));
        if let Some(stop) = &self.options.stop {
            budget = budget.and_until(stop);
        }
        let report = engine.search_with(state, &budget, &Options::new())?;
        if self.options.is_stopped() {
            return Ok(None);
        }
        self.searches += 1;
        (self.observe)(AutotuneProgress { searches: self.searches, of: self.of });
        Ok(Some(Sample {
            nodes: report.nodes,
            wasted_nodes: report.wasted_nodes,
            elapsed: report.elapsed,
        }))
    }
}

/// The sums over the positions of the medians over the repetitions, of the limits at this place.
fn trial(limits: Limits, samples: &[Vec<Vec<Sample>>], at: usize) -> AutotuneTrial {
    fn sum<T: Ord + std::iter::Sum>(
        samples: &[Vec<Vec<Sample>>],
        at: usize,
        value: fn(&Sample) -> T,
    ) -> T {
        samples
            .iter()
            .map(|turns| median(turns.iter().map(|turn| value(&turn[at])).collect()))
            .sum()
    }
    AutotuneTrial {
        max_threads_per_split: limits.max_threads_per_split,
        min_split_depth: limits.min_split_depth,
        positions: samples.len(),
        nodes: sum(samples, at, |sample| sample.nodes),
        wasted_nodes: sum(samples, at, |sample| sample.wasted_nodes),
        elapsed: sum(samples, at, |sample| sample.elapsed),
    }
}

/// The middle one of some values, the lesser of two in the middle.
fn median<T: Ord>(mut values: Vec<T>) -> T {
    values.sort_unstable();
    values.swap_remove((values.len() - 1) / 2)
}

/// The limits with the fewest nodes among those within [`MARGIN`] of the shortest time; `None` of
/// nothing.
pub(super) fn fastest(trials: &[AutotuneTrial]) -> Option<Limits> {
    let shortest = trials.iter().map(|trial| trial.elapsed).min()?;
    let enough = shortest.mul_f64(1.0 + MARGIN);
    let fast = trials.iter().filter(|trial| trial.elapsed <= enough);
    let chosen = fast.min_by_key(|trial| (trial.nodes, trial.elapsed))?;
    Some(Limits {
        min_split_depth: chosen.min_split_depth,
        max_threads_per_split: chosen.max_threads_per_split,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(nodes: u64, millis: u64) -> Sample {
        Sample { nodes, wasted_nodes: nodes / 10, elapsed: Duration::from_millis(millis) }
    }

    const LIMITS: Limits = Limits { min_split_depth: 4, max_threads_per_split: 2 };

    #[test]
    fn a_slow_repetition_does_not_count() {
        let turns = |samples: &[Sample]| samples.iter().map(|&one| vec![one]).collect::<Vec<_>>();
        let first = turns(&[sample(100, 10), sample(100, 900), sample(120, 12)]);
        // It was stopped before the third one.
        let second = turns(&[sample(300, 31), sample(310, 30)]);
        let found = trial(LIMITS, &[first, second], 0);
        assert_eq!((found.positions, found.nodes, found.wasted_nodes), (2, 400, 40));
        assert_eq!(found.elapsed, Duration::from_millis(12 + 30));
    }

    #[test]
    fn nodes_decide_only_between_times_that_are_the_same() {
        let chosen = |trials: &[(u64, u64)]| {
            let of = |(plies, &(nodes, millis)): (u32, &(u64, u64))| {
                let limits = Limits { min_split_depth: plies, ..LIMITS };
                trial(limits, &[vec![vec![sample(nodes, millis)]]], 0)
            };
            fastest(&(1..).zip(trials).map(of).collect::<Vec<_>>()).map(|best| best.min_split_depth)
        };
        assert_eq!(chosen(&[]), None);
        assert_eq!(chosen(&[(900, 1000), (500, 1020), (100, 1040)]), Some(2));
        assert_eq!(chosen(&[(500, 1020), (500, 1000)]), Some(2));
    }
}
