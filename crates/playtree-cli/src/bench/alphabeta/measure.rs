//! One search of one position to the depth, by a fresh searcher.

use playtree::Budget;
use playtree::budget::Depth;
use playtree_session::{Game, Position, Record, Report, Root};

use crate::error::{CliError, session_error};
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
pub(super) fn sample(
    game: Game,
    position: &Position,
    settings: &AlphaBetaSettings,
    way: Way,
    depth: u32,
) -> Result<Sample, CliError> {
    let mut settings = settings.settings();
    settings.mode = Some(way.mode.mode());
    settings.threads = Some(way.threads);
    settings.oversubscribe = Some(true);
    settings.min_split_depth = way.min_split_depth.or(settings.min_split_depth);
    settings.max_threads_per_split = way.max_threads_per_split.or(settings.max_threads_per_split);
    let mut engine = game.alphabeta(&settings).map_err(session_error)?;
    let budget = Budget::unlimited().and(Depth(depth));
    let record = Record::new(position.clone());
    let report = engine.search(&record, &budget, &Root::new()).map_err(session_error)?;
    let Report::AlphaBeta(report) = report else { unreachable!("it was an alpha-beta search") };
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
