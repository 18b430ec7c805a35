//! What the searches add up to, for people and as JSON.

use std::io::Write;

use serde::Serialize;

use super::measure::{Sample, Way};
use crate::bench::{Measured, cores, measure};
use crate::error::CliError;
use crate::output::{self, Align, Table};
use crate::spec::ModeName;

/// One game: every way to search, over all positions.
#[derive(Serialize)]
pub(super) struct GameResult {
    game: &'static str,
    depth: u32,
    repetitions: u32,
    /// Logical cores.
    cores: usize,
    table_bytes: u64,
    /// `null` without a table.
    bytes_per_entry: Option<f64>,
    /// Positions that one thread has solved before the depth was reached.
    solved_early: usize,
    positions: Vec<String>,
    results: Vec<WayResult>,
}

/// One way to search: sums over the positions of their medians over the repetitions.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct WayResult {
    /// `null` with one thread.
    mode: Option<&'static str>,
    threads: usize,
    /// More threads than cores: the times say little.
    oversubscribed: bool,
    min_split_depth: Option<u32>,
    max_threads_per_split: Option<usize>,
    nodes: u64,
    /// Nodes divided by those of one thread.
    overhead: f64,
    seconds: f64,
    /// Seconds of one thread divided by these.
    speed_up: f64,
    splits: u64,
    aborted_splits: u64,
    wasted_nodes: u64,
    /// Of all threads together.
    idle_seconds: f64,
    nodes_per_second: f64,
    /// The mean share of the table in use at the end of a search.
    table_used: f64,
    by_position: Vec<PositionResult>,
}

/// One position, one way: medians over the repetitions.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct PositionResult {
    nodes: u64,
    seconds: f64,
    /// The least of the repetitions.
    depth: u32,
}

impl GameResult {
    /// The figures of `samples`, by position and way; the first way is that of one thread.
    pub(super) fn new(
        game: &'static str,
        depth: u32,
        repetitions: u32,
        positions: Vec<String>,
        ways: &[Way],
        samples: &[Vec<Vec<Sample>>],
    ) -> Self {
        let mut results: Vec<WayResult> = Vec::with_capacity(ways.len());
        for (at, &way) in ways.iter().enumerate() {
            let samples: Vec<&[Sample]> = samples.iter().map(|ways| &ways[at][..]).collect();
            results.push(WayResult::new(way, &samples, results.first()));
        }
        let any = samples.first().and_then(|ways| ways.first()?.first());
        let any = any.copied().unwrap_or_default();
        let bytes_per_entry = any.table_bytes as f64 / any.table_entries as f64;
        let early = |first: &WayResult| {
            first.by_position.iter().filter(|position| position.depth < depth).count()
        };
        Self {
            game,
            depth,
            repetitions,
            cores: cores(),
            table_bytes: any.table_bytes,
            bytes_per_entry: (any.table_entries > 0).then_some(bytes_per_entry),
            solved_early: results.first().map_or(0, early),
            positions,
            results,
        }
    }
}

impl WayResult {
    /// The figures of one way, from the samples of each position, and from those of one thread.
    fn new(way: Way, positions: &[&[Sample]], one: Option<&Self>) -> Self {
        let sum = |value: fn(&Sample) -> f64| -> f64 {
            positions.iter().map(|samples| measure::median(samples.iter().map(value))).sum()
        };
        let (nodes, seconds) = (sum(|sample| sample.nodes as f64), sum(|sample| sample.seconds));
        let splits = way.threads > 1 && matches!(way.mode, ModeName::Split);
        let of = |samples: &&[Sample]| PositionResult {
            nodes: measure::median(samples.iter().map(|sample| sample.nodes as f64)) as u64,
            seconds: measure::median(samples.iter().map(|sample| sample.seconds)),
            depth: samples.iter().map(|sample| sample.depth).min().unwrap_or_default(),
        };
        Self {
            mode: (way.threads > 1).then(|| way.mode.mode().as_str()),
            threads: way.threads,
            oversubscribed: way.threads > cores(),
            min_split_depth: way.min_split_depth.filter(|_| splits),
            max_threads_per_split: way.max_threads_per_split.filter(|_| splits),
            nodes: nodes as u64,
            overhead: one.map_or(1.0, |one| nodes / one.nodes as f64),
            seconds,
            speed_up: one.map_or(1.0, |one| one.seconds / seconds),
            splits: sum(|sample| sample.splits as f64) as u64,
            aborted_splits: sum(|sample| sample.aborted_splits as f64) as u64,
            wasted_nodes: sum(|sample| sample.wasted_nodes as f64) as u64,
            idle_seconds: sum(|sample| sample.idle_seconds),
            nodes_per_second: nodes / seconds,
            table_used: sum(|sample| sample.table_used) / positions.len() as f64,
            by_position: positions.iter().map(of).collect(),
        }
    }

    /// The limits of splitting that were asked for.
    fn limits(&self) -> String {
        let of = |limit: Option<String>| limit.unwrap_or_else(|| "*".into());
        match self.mode {
            Some("split_points") => format!(
                "{}, {}",
                of(self.min_split_depth.map(|plies| plies.to_string())),
                of(self.max_threads_per_split.map(|threads| threads.to_string()))
            ),
            _ => "-".into(),
        }
    }
}

impl Measured for GameResult {
    fn write(&self, out: &mut impl Write) -> Result<(), CliError> {
        let per_entry = self.bytes_per_entry.map_or_else(String::new, |bytes| {
            format!(", {} of table at {bytes} bytes per entry", output::bytes(self.table_bytes))
        });
        let heading = format!(
            "{}: {} positions to depth {} ({} solved before), sums of medians of {}{per_entry}",
            self.game,
            self.positions.len(),
            self.depth,
            self.solved_early,
            self.repetitions,
        );
        output::write_wrapped(out, &heading, 0)?;
        let right = |heading| (heading, Align::Right);
        let mut table = Table::new(&[
            ("mode", Align::Left),
            right("threads"),
            right("limits"),
            right("nodes"),
            right("overhead"),
            right("seconds"),
            right("speed-up"),
            right("splits"),
            right("aborted"),
            right("wasted"),
            right("idle"),
            right("nodes/s"),
            right("table used"),
        ])
        .keys(3);
        for line in &self.results {
            let mark = if line.oversubscribed { "+" } else { "" };
            let idle = line.idle_seconds / (line.seconds * line.threads as f64);
            table.row([
                line.mode.unwrap_or("one thread").to_owned(),
                format!("{}{mark}", line.threads),
                line.limits(),
                output::grouped(line.nodes),
                format!("{:.3}", line.overhead),
                format!("{:.3}", line.seconds),
                format!("{:.3}", line.speed_up),
                output::grouped(line.splits),
                output::grouped(line.aborted_splits),
                output::grouped(line.wasted_nodes),
                output::percent(idle),
                output::grouped(line.nodes_per_second as u64),
                output::percent(line.table_used),
            ]);
        }
        output::write_table(out, table)?;
        writeln!(
            out,
            "limits: least depth, most threads at a split point; * is that of the settings"
        )?;
        if self.results.iter().any(|line| line.oversubscribed) {
            writeln!(
                out,
                "+ more threads than the {} logical cores: times say little",
                self.cores
            )?;
        }
        Ok(writeln!(out)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(seconds: f64, nodes: u64) -> Sample {
        Sample { seconds, nodes, table_bytes: 64, table_entries: 4, depth: 5, ..Sample::default() }
    }

    #[test]
    fn medians_of_each_position_are_added_and_compared_with_one_thread() {
        let two = Way { threads: 2, ..Way::ONE };
        let samples = [
            vec![
                vec![sample(1.0, 100), sample(9.0, 100), sample(2.0, 100)],
                vec![sample(1.0, 110), sample(1.0, 130), sample(5.0, 120)],
            ],
            vec![
                vec![sample(4.0, 300), sample(4.0, 300), sample(40.0, 300)],
                vec![sample(2.0, 300), sample(2.0, 300), sample(2.0, 360)],
            ],
        ];
        let texts = vec!["a".into(), "b".into()];
        let result = GameResult::new("hex", 6, 3, texts, &[Way::ONE, two], &samples);
        let [one, both] = &result.results[..] else { panic!("two ways") };
        assert_eq!((one.nodes, one.seconds, one.overhead, one.speed_up), (400, 6.0, 1.0, 1.0));
        assert_eq!((both.nodes, both.seconds), (420, 3.0));
        assert_eq!((both.overhead, both.speed_up, both.nodes_per_second), (1.05, 2.0, 140.0));
        assert_eq!((result.bytes_per_entry, result.solved_early), (Some(16.0), 2));
    }
}
