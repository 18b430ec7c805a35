//! `playtree bench --latency`: how late an answer comes after the time is up, and after a call to
//! stop.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use playtree::games::GameInfo;
use playtree::{Budget, StopReason, StopToken};
use playtree_session::settings::MctsSettings;
use playtree_session::{Engine, Report, Root};
use serde::Serialize;

use super::{BenchArgs, Measured};
use crate::error::{CliError, session_error};
use crate::games;
use crate::options::values;
use crate::output::{self, Align, Table};
use crate::player::Record;

/// The games measured if none is named.
pub(super) const DEFAULT_GAMES: [&str; 3] = ["connect4", "othello", "hex"];

/// The options of `--latency`.
#[derive(Args, Debug)]
#[command(next_help_heading = "With --latency")]
pub(crate) struct LatencyArgs {
    /// Measure how late answers come instead of the speed.
    #[arg(long, conflicts_with_all = ["simulations", "repetitions"])]
    pub(super) latency: bool,
    /// Calls of each kind and game.
    #[arg(long, value_name = "N", default_value = "500", value_parser = values::small)]
    #[arg(allow_hyphen_values = true, requires = "latency")]
    pub(super) calls: u32,
    /// The time limit of half of the calls, and the time after which the others are stopped.
    #[arg(long, value_name = "T", default_value = "20ms", value_parser = values::duration)]
    #[arg(allow_hyphen_values = true, requires = "latency")]
    time: Duration,
}

/// How late the answers in one game came.
#[derive(Serialize)]
struct GameLatency {
    game: &'static str,
    position: String,
    workers: usize,
    calls: u32,
    time_ms: f64,
    overshoot_ms: Distribution,
    stop_latency_ms: Distribution,
}

/// Some durations in milliseconds: half of them are at most `p50`, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Distribution {
    p50: f64,
    p90: f64,
    p99: f64,
    max: f64,
}

/// Measures the chosen games.
pub(super) fn run(
    args: &BenchArgs,
    chosen: &[&'static GameInfo],
    out: &mut impl Write,
) -> Result<(), CliError> {
    super::each_game(args, chosen, 2 * u64::from(args.latency.calls), out, |info, bar| {
        measure(args, info, bar)
    })
}

/// The calls of one game, all of them with one engine.
fn measure(args: &BenchArgs, info: &GameInfo, bar: &ProgressBar) -> Result<GameLatency, CliError> {
    let (game, start) = games::start(info)?;
    let LatencyArgs { calls, time, .. } = args.latency;
    let settings = MctsSettings {
        threads: Some(args.most_workers()),
        seed: Some(args.seed),
        ..args.engine.settings(game)?
    };
    let mut engine = game.mcts(&settings).map_err(session_error)?;
    let (mut overshoots, mut latencies) = (Vec::new(), Vec::new());
    // By turns, so that a slow minute of the machine falls on both.
    for _ in 0..calls {
        overshoots.push(overshoot(&mut *engine, &start, time, info)?);
        bar.inc(1);
        latencies.push(stop_latency(&mut *engine, &start, time, info)?);
        bar.inc(1);
    }
    Ok(GameLatency {
        game: game.name(),
        position: start.last().position_text(),
        workers: engine.workers(),
        calls,
        time_ms: millis(time),
        overshoot_ms: Distribution::of(overshoots),
        stop_latency_ms: Distribution::of(latencies),
    })
}

/// The milliseconds after the time limit until the caller has the report and an empty table.
fn overshoot(
    engine: &mut dyn Engine,
    start: &Record,
    time: Duration,
    info: &GameInfo,
) -> Result<f64, CliError> {
    let budget = Budget::time(time);
    let begin = Instant::now();
    let report = engine.search(start.as_played(), &budget, &Root::new()).map_err(session_error)?;
    engine.forget();
    let taken = begin.elapsed();
    expect_reason(&report, StopReason::Time, info, time)?;
    Ok(millis(taken.saturating_sub(time)))
}

/// The milliseconds after [`StopToken::stop`] in another thread until the caller has the
/// report.
fn stop_latency(
    engine: &mut dyn Engine,
    start: &Record,
    time: Duration,
    info: &GameInfo,
) -> Result<f64, CliError> {
    let token = StopToken::new();
    let budget = Budget::until(&token);
    let (report, stopped, answered) = thread::scope(|scope| {
        let stopper = scope.spawn(|| {
            thread::sleep(time);
            let stopped = Instant::now();
            token.stop();
            stopped
        });
        let report = engine.search(start.as_played(), &budget, &Root::new());
        let answered = Instant::now();
        let stopped = stopper.join().expect("it only sleeps");
        (report, stopped, answered)
    });
    let report = report.map_err(session_error)?;
    engine.forget();
    expect_reason(&report, StopReason::Stopped, info, time)?;
    Ok(millis(answered.saturating_duration_since(stopped)))
}

/// Refuses a search that was over before its time.
fn expect_reason(
    report: &Report,
    reason: StopReason,
    info: &GameInfo,
    time: Duration,
) -> Result<(), CliError> {
    let Report::Mcts(report) = report else { unreachable!("it was a Monte Carlo search") };
    if report.stop_reason == reason {
        return Ok(());
    }
    Err(CliError::usage(format_args!(
        "--latency: expected a game that is searched for longer than {time:?}, found {}, whose \
         search ended after {:.1?} ({})",
        info.name, report.elapsed, report.stop_reason
    )))
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

impl Distribution {
    /// `pN` is the least of the values that at least N % of them do not exceed; 0 of no values.
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |percent: usize| {
            let place = (values.len() * percent).div_ceil(100).saturating_sub(1);
            values.get(place).copied().unwrap_or_default()
        };
        Self { p50: at(50), p90: at(90), p99: at(99), max: at(100) }
    }
}

impl Measured for GameLatency {
    fn write(&self, out: &mut impl Write) -> Result<(), CliError> {
        writeln!(
            out,
            "{}: milliseconds until the answer, {} calls of {} ms each, {} worker{}",
            self.game,
            output::grouped(u64::from(self.calls)),
            self.time_ms,
            self.workers,
            if self.workers == 1 { "" } else { "s" }
        )?;
        let mut table = Table::new(&[
            ("after", Align::Left),
            ("p50", Align::Right),
            ("p90", Align::Right),
            ("p99", Align::Right),
            ("max", Align::Right),
        ]);
        for (after, times) in
            [("the time limit", self.overshoot_ms), ("a stop", self.stop_latency_ms)]
        {
            let Distribution { p50, p90, p99, max } = times;
            let [p50, p90, p99, max] = [p50, p90, p99, max].map(|time| format!("{time:.3}"));
            table.row([after.into(), p50, p90, p99, max]);
        }
        output::write_table(out, table)?;
        Ok(writeln!(out)?)
    }
}

#[cfg(test)]
mod tests {
    use super::Distribution;

    #[test]
    fn a_quantile_is_one_of_the_values() {
        let times = Distribution::of((1..=200).rev().map(f64::from).collect());
        assert_eq!(times, Distribution { p50: 100.0, p90: 180.0, p99: 198.0, max: 200.0 });
        let times = Distribution::of(vec![3.0]);
        assert_eq!(times, Distribution { p50: 3.0, p90: 3.0, p99: 3.0, max: 3.0 });
    }
}
