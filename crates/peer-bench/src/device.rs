//! A device that answers one call at a time: how busy a search keeps it, and how full calls are.
//!
//! The device is simulated: a call sleeps for as long as it would take. So nothing is measured but
//! what the engine does between two calls, on any machine.

mod bridge;
mod simulated;

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use playtree::games::ConnectFour;
use playtree::{Budget, Mcts};

use crate::Failure;
use crate::table::{Table, median, short};
use simulated::{Cost, Device, Tally};

/// What `device` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct DeviceArgs {
    /// Time of a call, in microseconds.
    #[arg(long, default_value_t = 5_000)]
    call: u64,
    /// Time of each position in it, in microseconds.
    #[arg(long, default_value_t = 20)]
    position: u64,
    /// The most positions of a call.
    #[arg(long, value_delimiter = ',', default_value = "32")]
    batch: Vec<usize>,
    /// Numbers of workers.
    #[arg(long, value_delimiter = ',', default_value = "1,2,4,8")]
    workers: Vec<usize>,
    /// Threads of treant, which has a position under way for each.
    #[arg(long, value_delimiter = ',', default_value = "2,8,32,64")]
    peer_threads: Vec<usize>,
    /// Time of a search, in milliseconds.
    #[arg(long, default_value_t = 1_000)]
    time: u64,
    /// Simulations of ours before the clock runs: a new search may have few questions under way.
    #[arg(long, default_value_t = 2_048)]
    before: u64,
    /// Searches of each kind, by turns; medians are shown.
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
}

/// Who asks.
#[derive(Clone, Copy, Debug)]
enum Asker {
    /// A loop that makes full calls, one after the other.
    Bare,
    Playtree,
    Treant,
}

/// What was seen of a search.
#[derive(Clone, Copy, Debug)]
struct Sample {
    tally: Tally,
    seconds: f64,
}

/// Prints the table.
pub(crate) fn run(args: &DeviceArgs) -> Result<(), Failure> {
    let cost = Cost {
        call: Duration::from_micros(args.call),
        position: Duration::from_micros(args.position),
    };
    let mut table = Table::new([
        "batch",
        "asked by",
        "workers",
        "evaluations per second",
        "of the loop's",
        "mean batch",
        "busy",
    ]);
    for &batch in &args.batch {
        let ours = args.workers.iter().map(|&workers| (Asker::Playtree, workers));
        let peer = args.peer_threads.iter().map(|&threads| (Asker::Treant, threads));
        let askers: Vec<_> = [(Asker::Bare, 1)].into_iter().chain(ours).chain(peer).collect();
        let mut samples = vec![Vec::new(); askers.len()];
        for repetition in 0..args.repetitions {
            eprintln!("device: batch {batch}, {}/{}", repetition + 1, args.repetitions);
            for (&(asker, workers), samples) in askers.iter().zip(&mut samples) {
                samples.push(ask(args, cost, batch, asker, workers)?);
            }
        }
        let of = |samples: &[Sample], what: &dyn Fn(&Sample) -> f64| {
            median(&samples.iter().map(what).collect::<Vec<_>>())
        };
        let rate = |sample: &Sample| sample.tally.positions as f64 / sample.seconds;
        let bare = of(&samples[0], &rate);
        for (&(asker, workers), samples) in askers.iter().zip(&samples) {
            let busy = |sample: &Sample| sample.tally.busy.as_secs_f64() / sample.seconds;
            table.row(vec![
                batch.to_string(),
                match asker {
                    Asker::Bare => "a loop".to_owned(),
                    Asker::Playtree => "playtree".to_owned(),
                    Asker::Treant => "treant".to_owned(),
                },
                workers.to_string(),
                short(of(samples, &rate)),
                format!("{:.1} %", 100.0 * of(samples, &rate) / bare),
                format!("{:.1}", of(samples, &|sample| sample.tally.mean_batch())),
                format!("{:.1} %", 100.0 * of(samples, &busy)),
            ]);
        }
    }
    println!(
        "## A device of {} us a call and {} us a position, one call at a time\n\n\
         Connect Four from the start, {} ms, ours after {} simulations, medians of {}.\n\n{table}",
        args.call, args.position, args.time, args.before, args.repetitions
    );
    Ok(())
}

/// One search, or one loop.
fn ask(
    args: &DeviceArgs,
    cost: Cost,
    batch: usize,
    asker: Asker,
    workers: usize,
) -> Result<Sample, Failure> {
    let device = Arc::new(Device::new(cost, batch));
    let time = Duration::from_millis(args.time);
    let begin;
    match asker {
        Asker::Bare => {
            begin = Instant::now();
            while begin.elapsed() < time {
                device.work(batch);
            }
        }
        Asker::Playtree => {
            let mut mcts = Mcts::builder().threads(workers).network(Arc::clone(&device)).build()?;
            if args.before > 0 {
                mcts.search(&ConnectFour::new(), &Budget::simulations(args.before))?;
                device.forget();
            }
            begin = Instant::now();
            mcts.search(&ConnectFour::new(), &Budget::time(time))?;
            mcts.audit()?;
        }
        Asker::Treant => {
            begin = Instant::now();
            bridge::search(&device, batch, time, workers);
        }
    }
    Ok(Sample { tally: device.tally(), seconds: begin.elapsed().as_secs_f64() })
}
