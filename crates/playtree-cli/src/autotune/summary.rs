//! What was measured, for people and as JSON. The order of the fields is part of that.

use std::io::Write;
use std::time::Duration;

use playtree::alphabeta::{Autotune, AutotuneTrial};
use serde::Serialize;

use crate::error::CliError;
use crate::output::{self, Align, Table};
use crate::spec::Spec;

/// The whole result.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    game: &'static str,
    positions: Vec<String>,
    /// `null` if it was stopped before it was known.
    depth: Option<u32>,
    threads: usize,
    repetitions: u32,
    /// Whether it was measured to the end.
    complete: bool,
    /// The limits that were chosen; `null` if nothing could be compared.
    min_split_depth: Option<u32>,
    max_threads_per_split: Option<usize>,
    /// The player with these limits.
    spec: Option<String>,
    depth_trials: Vec<Trial>,
    thread_trials: Vec<Trial>,
}

/// All positions with one pair of limits.
#[derive(Clone, Debug, Serialize)]
struct Trial {
    min_split_depth: u32,
    max_threads_per_split: usize,
    positions: usize,
    nodes: u64,
    wasted_nodes: u64,
    seconds: f64,
    /// Seconds divided by the least of the trials beside it.
    relative: f64,
    chosen: bool,
}

impl Summary {
    /// What `tuned` says of the positions of a game, each searched `repetitions` times to `depth`
    /// plies by `threads` threads; `spec` is the player without the limits.
    pub(super) fn new(
        (game, positions, depth, threads, repetitions): (
            &'static str,
            Vec<String>,
            Option<u32>,
            usize,
            u32,
        ),
        spec: &Spec,
        tuned: Option<&Autotune>,
    ) -> Self {
        let known = tuned.filter(|tuned| !tuned.depth_trials.is_empty());
        let spec = |tuned: &Autotune| {
            let (plies, most) = (tuned.min_split_depth, tuned.max_threads_per_split);
            spec.with(&format!(
                "threads={threads},min-split-depth={plies},max-threads-per-split={most}"
            ))
        };
        let all = |trials: fn(&Autotune) -> &[AutotuneTrial],
                   same: fn(&Autotune, &AutotuneTrial) -> bool| {
            known.map_or(Vec::new(), |tuned| {
                let trials = trials(tuned);
                let least = trials.iter().map(|trial| trial.elapsed).min().unwrap_or_default();
                trials.iter().map(|trial| Trial::new(trial, least, same(tuned, trial))).collect()
            })
        };
        Self {
            game,
            positions,
            depth,
            threads,
            repetitions,
            complete: tuned.is_some_and(|tuned| tuned.is_complete),
            min_split_depth: known.map(|tuned| tuned.min_split_depth),
            max_threads_per_split: known.map(|tuned| tuned.max_threads_per_split),
            spec: known.map(spec),
            depth_trials: all(
                |tuned| &tuned.depth_trials,
                |tuned, trial| trial.min_split_depth == tuned.min_split_depth,
            ),
            thread_trials: all(
                |tuned| &tuned.thread_trials,
                |tuned, trial| trial.max_threads_per_split == tuned.max_threads_per_split,
            ),
        }
    }

    /// Writes the result for people; the last line is the player.
    pub(super) fn write(&self, out: &mut impl Write) -> Result<(), CliError> {
        let depth = self.depth.map_or_else(String::new, |depth| format!(" to depth {depth}"));
        writeln!(
            out,
            "{}: {} positions{depth}, {} threads, sums of medians of {}",
            self.game,
            self.positions.len(),
            self.threads,
            self.repetitions,
        )?;
        for trials in [&self.depth_trials, &self.thread_trials] {
            write_trials(out, trials)?;
        }
        if !self.complete {
            writeln!(out, "stopped by Ctrl-C")?;
        }
        match &self.spec {
            Some(spec) => writeln!(out, "{spec}")?,
            None => writeln!(out, "nothing to compare yet")?,
        }
        Ok(())
    }
}

impl Trial {
    fn new(trial: &AutotuneTrial, least: Duration, chosen: bool) -> Self {
        let seconds = trial.elapsed.as_secs_f64();
        Self {
            min_split_depth: trial.min_split_depth,
            max_threads_per_split: trial.max_threads_per_split,
            positions: trial.positions,
            nodes: trial.nodes,
            wasted_nodes: trial.wasted_nodes,
            seconds,
            relative: seconds / least.as_secs_f64(),
            chosen,
        }
    }
}

/// A table of trials beside each other, and an empty line; nothing of none.
fn write_trials(out: &mut impl Write, trials: &[Trial]) -> Result<(), CliError> {
    if trials.is_empty() {
        return Ok(());
    }
    let right = |heading| (heading, Align::Right);
    let mut table = Table::new(&[
        right("least depth"),
        right("most threads"),
        right("positions"),
        right("nodes"),
        right("wasted"),
        right("seconds"),
        right("ratio"),
        ("", Align::Left),
    ])
    .keys(2);
    for trial in trials {
        table.row([
            trial.min_split_depth.to_string(),
            trial.max_threads_per_split.to_string(),
            trial.positions.to_string(),
            output::grouped(trial.nodes),
            output::grouped(trial.wasted_nodes),
            format!("{:.3}", trial.seconds),
            format!("{:.3}", trial.relative),
            if trial.chosen { "chosen".into() } else { String::new() },
        ]);
    }
    output::write_table(out, table)?;
    Ok(writeln!(out)?)
}
