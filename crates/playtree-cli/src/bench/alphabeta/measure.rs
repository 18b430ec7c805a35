//! One search of one position to the depth, by a fresh searcher.

use playtree::Budget;
use playtree::budget::Depth;
use playtree::games::ReferenceGame;

use crate::error::CliError;
use crate::evaluations;
use crate::options::config_error;
use crate::spec::{AlphaBetaSettings, ModeName};

/// How a position is searched: what differs between the lines of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) mode: ModeName,
    pub(super) threads: usize,
    /// `None` for that of the settings.
    pub(super) min_split_depth: Option<u32>,
    /// `None` for that of the settings.
    pub(super) max_threads_per_split: Option<usize>,
}

impl Way {
    /// One thread: all modes are the same then.
    pub(super) const ONE: Self = Self {
        mode: ModeName::Split,
        threads: 1,
        min_split_depth: None,
        max_threads_per_split: None,
    };
}

/// What one search was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    pub(super) seconds: f64,
    pub(super) nodes: u64,
    pub(super) splits: u64,
    pub(super) aborted_splits: u64,
    pub(super) wasted_nodes: u64,
    pub(super) idle_seconds: f64,
    /// Plies of the last iteration; less than asked for if the position was solved before.
    pub(super) depth: u32,
    pub(super) table_bytes: u64,
    pub(super) table_entries: u64,
    /// The share of the table's entries in use at the end, in `[0, 1]`.
    pub(super) table_used: f64,
}

/// Searches `position` by a fresh searcher, whose table is made before the clock runs. Blocks
/// until that is done.
pub(super) fn sample<G: ReferenceGame>(
    position: &G,
    settings: &AlphaBetaSettings,
    way: Way,
    depth: u32,
) -> Result<Sample, CliError> {
    let mut builder = settings
        .builder(evaluations::of_game::<G>())
        .mode(way.mode.mode())
        .threads(way.threads)
        .oversubscribe(true);
    if let Some(plies) = way.min_split_depth {
        builder = builder.min_split_depth(plies);
    }
    if let Some(threads) = way.max_threads_per_split {
        builder = builder.max_threads_per_split(threads);
    }
    let mut engine = builder.build().map_err(|error| config_error(&error))?;
    let budget = Budget::unlimited().and(Depth(depth));
    let report = engine.search(position, &budget).map_err(CliError::usage)?;
    Ok(Sample {
        seconds: report.elapsed.as_secs_f64(),
        nodes: report.nodes,
        splits: report.splits,
        aborted_splits: report.aborted_splits,
        wasted_nodes: report.wasted_nodes,
        idle_seconds: report.idle.as_secs_f64(),
        depth: report.depth,
        table_bytes: report.table_bytes,
        table_entries: report.table_entries,
        table_used: report.table_used,
    })
}
