//! The depth to measure at, if `--depth` is not given.

use std::time::Duration;

use indicatif::ProgressBar;
use playtree::{Budget, StopReason, StopToken};
use playtree_session::{Engine, Position, Record, Report, Root};

use crate::error::{CliError, Refusal, session_error};
use crate::options::values;

/// Time that all positions together get.
const PASS: Duration = Duration::from_secs(2);

/// With fewer plies nothing is ever split.
const LEAST: u32 = 2;

/// A depth at which there is something to compare.
pub(super) fn parse(text: &str) -> Result<u32, Refusal> {
    values::small(text)
        .ok()
        .filter(|&depth| depth >= LEAST)
        .ok_or_else(|| Refusal::value(format!("a depth of at least {LEAST} plies"), text))
}

/// The depth that half of the positions reach if all together get two seconds, those that are
/// solved before left out; `None` if it was stopped. Blocks for about that time. The bar has a step
/// for each position.
pub(super) fn find(
    engine: &mut dyn Engine,
    positions: &[Position],
    stop: &StopToken,
    bar: &ProgressBar,
) -> Result<Option<u32>, CliError> {
    let time = PASS / u32::try_from(positions.len()).unwrap_or(u32::MAX).max(1);
    let (mut open, mut solved) = (Vec::new(), Vec::new());
    for position in positions {
        engine.forget();
        let budget = Budget::time(time).and_until(stop);
        let record = Record::new(position.clone());
        let report = engine.search(&record, &budget, &Root::new()).map_err(session_error)?;
        if stop.is_stopped() {
            return Ok(None);
        }
        let Report::AlphaBeta(report) = report else { unreachable!("it is an alpha-beta search") };
        let depths = if report.stop_reason == StopReason::Proven { &mut solved } else { &mut open };
        depths.push(report.depth);
        bar.inc(1);
    }
    Ok(Some(typical(if open.is_empty() { solved } else { open })))
}

/// The median of these depths, the lesser of two in the middle, and not too few plies.
fn typical(mut depths: Vec<u32>) -> u32 {
    depths.sort_unstable();
    let middle = depths.len().saturating_sub(1) / 2;
    depths.get(middle).copied().unwrap_or(LEAST).max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::typical;

    #[test]
    fn half_of_the_positions_reach_the_depth() {
        assert_eq!(typical(vec![9, 5, 7, 6]), 6);
        assert_eq!(typical(vec![1]), 2);
    }
}
