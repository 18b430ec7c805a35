//! The options that end a search.

use std::time::Duration;

use clap::Args;
use playtree::Budget;
use playtree::budget::{Bytes, CannotBeOvertaken, Depth, GameClock, OnlyMove, Settled};

use super::clock::{self, ManagerOptions};
use super::values;
use crate::error::Refusal;

/// The limits of a search, in any combination: the first one reached stops it.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitOptions {
    /// Stop after this time, such as 250ms, 1.5s or 2m [default: until Ctrl-C if no limit is
    /// given].
    #[arg(long, value_name = "TIME", value_parser = values::duration, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Stop after this time if the best move is settled then, else when it is.
    #[arg(long, value_name = "TIME", value_parser = values::duration, allow_hyphen_values = true)]
    #[arg(requires = "time")]
    soft_time: Option<Duration>,
    /// Think as long as this game clock allows: 10s/move, 5m (sudden death), 5m+3s (Fischer),
    /// 10m+3x30s or 3x30s (byo-yomi), 5m/40 (forty moves to go).
    #[arg(long, value_name = "CLOCK", value_parser = clock::parse, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["time", "soft_time"])]
    clock: Option<GameClock>,
    #[command(flatten)]
    manager: ManagerOptions,
    /// Stop after exactly this many simulations.
    #[arg(long, value_name = "N", value_parser = values::whole, allow_hyphen_values = true)]
    simulations: Option<u64>,
    /// Stop when the table holds this many nodes.
    #[arg(long, value_name = "N", value_parser = values::whole, allow_hyphen_values = true)]
    nodes: Option<u64>,
    /// Stop when the search holds this much memory, such as 64MiB (--memory goes on).
    #[arg(long, value_name = "SIZE", value_parser = values::size, allow_hyphen_values = true)]
    bytes: Option<usize>,
    /// Stop when the search is this many plies deep somewhere.
    #[arg(long, value_name = "PLIES", value_parser = values::small, allow_hyphen_values = true)]
    depth: Option<u32>,
    /// Stop when the best move has been the same for N simulations, or for this time.
    #[arg(long, value_name = "N|TIME", value_parser = settled, allow_hyphen_values = true)]
    settled: Option<Settled>,
    /// Stop when the best move leads by more than this part of the simulations left; with 1
    /// the answer is that of the whole budget.
    #[arg(long, value_name = "PART", value_parser = values::share, allow_hyphen_values = true)]
    cannot_be_overtaken: Option<f64>,
    /// Do not search a position with one legal move (--clock does not either).
    #[arg(long)]
    only_move: bool,
}

impl LimitOptions {
    /// The budget of these options for a position after `plies` plies; unlimited if nothing is
    /// sure to end the search.
    pub(crate) fn budget(&self, plies: u32) -> Budget {
        let clock = self.clock.map(|clock| self.manager.manager().budget(clock, plies));
        self.and_limits(clock.unwrap_or_default())
    }

    /// Whether there is a limit of time for each move.
    pub(crate) fn has_time(&self) -> bool {
        self.time.is_some()
    }

    /// This budget and the limits of these options, the clock apart.
    pub(crate) fn and_limits(&self, mut budget: Budget) -> Budget {
        if let Some(time) = self.time {
            budget = budget.and_time(time);
        }
        if let Some(time) = self.soft_time {
            budget = budget.and_soft_time(time);
        }
        self.and_limits_but_time(budget)
    }

    /// As [`and_limits`](Self::and_limits), without those of the time: a clock takes their place.
    pub(crate) fn and_limits_but_time(&self, mut budget: Budget) -> Budget {
        if let Some(simulations) = self.simulations {
            budget = budget.and_simulations(simulations);
        }
        if let Some(nodes) = self.nodes {
            budget = budget.and_nodes(nodes);
        }
        if let Some(bytes) = self.bytes {
            budget = budget.and(Bytes(bytes as u64));
        }
        if let Some(depth) = self.depth {
            budget = budget.and(Depth(depth));
        }
        if let Some(settled) = self.settled {
            budget = budget.and(settled);
        }
        if let Some(share) = self.cannot_be_overtaken {
            budget = budget.and(CannotBeOvertaken { share });
        }
        if self.only_move {
            budget = budget.and(OnlyMove);
        }
        budget
    }
}

/// A number of simulations or a duration.
fn settled(text: &str) -> Result<Settled, Refusal> {
    const EXPECTED: &str = "a number of simulations or a duration such as 500ms";
    let time = |_| values::duration(text).map(Settled::Time);
    values::whole(text)
        .map(Settled::Simulations)
        .or_else(time)
        .map_err(|_| Refusal::value(EXPECTED, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulations_and_times_are_told_apart() {
        assert_eq!(settled("50_000"), Ok(Settled::Simulations(50_000)));
        assert_eq!(settled("2s"), Ok(Settled::Time(Duration::from_secs(2))));
        assert!(settled("0").is_err() && settled("0s").is_err() && settled("s").is_err());
    }

    #[test]
    fn what_might_never_stop_is_unlimited() {
        let options = LimitOptions { only_move: true, ..LimitOptions::default() };
        assert!(options.budget(0).is_unlimited());
        let options = LimitOptions { bytes: Some(9), ..LimitOptions::default() };
        assert!(!options.budget(0).is_unlimited());
        let options = LimitOptions { depth: Some(9), ..LimitOptions::default() };
        assert!(!options.budget(0).is_unlimited());
    }
}
