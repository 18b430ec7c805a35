//! A network from a file: evaluations per second of a search, beside those of threads that do
//! nothing else.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use playtree::evaluate::{Answers, Network, Question};
use playtree::games::ConnectFour;
use playtree::{Budget, GameState, Mcts};
use playtree_onnx::OnnxNetwork;

use crate::Failure;
use crate::openings::opening;
use crate::table::{Table, median, short};

/// What `network` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct NetworkArgs {
    /// A network for Connect Four, an ONNX file.
    file: PathBuf,
    /// The most positions of a call.
    #[arg(long, value_delimiter = ',', default_value = "8,16,32")]
    batch: Vec<usize>,
    /// Numbers of workers, and of threads of the loop.
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    workers: Vec<usize>,
    /// Time of each search and of each loop, in milliseconds.
    #[arg(long, default_value_t = 500)]
    time: u64,
    /// Simulations before the clock runs: a new search may have few questions under way.
    #[arg(long, default_value_t = 1_024)]
    before: u64,
    /// Searches of each kind, by turns; medians are shown.
    #[arg(long, default_value_t = 9)]
    repetitions: usize,
}

/// The positions that the loop asks about, as different as those of a search.
const POSITIONS: usize = 64;

/// What was seen of a search beside a loop.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Evaluations per second.
    loop_rate: f64,
    rate: f64,
    mean_batch: f64,
}

/// Prints the table.
pub(crate) fn run(args: &NetworkArgs) -> Result<(), Failure> {
    let mut table = Table::new([
        "batch",
        "workers",
        "evaluations per second",
        "of a loop",
        "ratio",
        "mean batch",
        "of `batch`",
    ]);
    let kinds: Vec<(usize, usize)> = args
        .batch
        .iter()
        .flat_map(|&batch| args.workers.iter().map(move |&workers| (batch, workers)))
        .collect();
    let mut samples = vec![Vec::new(); kinds.len()];
    for repetition in 0..args.repetitions {
        eprintln!("network: {}/{}", repetition + 1, args.repetitions);
        for (&(batch, workers), samples) in kinds.iter().zip(&mut samples) {
            samples.push(measure(args, batch, workers, repetition)?);
        }
    }
    for (&(batch, workers), samples) in kinds.iter().zip(&samples) {
        let of = |what: fn(&Sample) -> f64| median(&samples.iter().map(what).collect::<Vec<_>>());
        let mean_batch = of(|sample| sample.mean_batch);
        table.row(vec![
            batch.to_string(),
            workers.to_string(),
            short(of(|sample| sample.rate)),
            short(of(|sample| sample.loop_rate)),
            format!("{:.1} %", 100.0 * of(|sample| sample.rate / sample.loop_rate)),
            format!("{mean_batch:.1}"),
            format!("{:.2}", mean_batch / batch as f64),
        ]);
    }
    println!(
        "## A network from a file\n\n\
         Connect Four from openings of two plies, {} ms each, searches after {} simulations, medians \
         of {} by turns.\n\n{table}",
        args.time, args.before, args.repetitions
    );
    Ok(())
}

/// A loop, a search, and a loop again: what the machine does meanwhile meets all of them.
fn measure(
    args: &NetworkArgs,
    batch: usize,
    workers: usize,
    repetition: usize,
) -> Result<Sample, Failure> {
    let network = Arc::new(OnnxNetwork::<ConnectFour>::open(&args.file)?.batch(batch));
    let time = Duration::from_millis(args.time);
    let state = opening(&ConnectFour::new(), 1, repetition);
    let mut mcts =
        Mcts::builder().threads(workers).proofs(false).network(Arc::clone(&network)).build()?;
    if args.before > 0 {
        mcts.search(&state, &Budget::simulations(args.before))?;
    }
    let before = loop_rate(&network, batch, workers, time / 2)?;
    let begin = Instant::now();
    let report = mcts.search(&state, &Budget::time(time))?;
    let seconds = begin.elapsed().as_secs_f64();
    let after = loop_rate(&network, batch, workers, time / 2)?;
    mcts.audit()?;
    let asked = report.network.ok_or("the search has a network")?;
    Ok(Sample {
        loop_rate: (before + after) / 2.0,
        rate: asked.evaluations as f64 / seconds,
        mean_batch: asked.mean_batch(),
    })
}

/// Evaluations per second of threads that call the network again and again.
fn loop_rate(
    network: &OnnxNetwork<ConnectFour>,
    batch: usize,
    threads: usize,
    time: Duration,
) -> Result<f64, Failure> {
    let states: Vec<_> =
        (0..POSITIONS).map(|number| opening(&ConnectFour::new(), 2, number)).collect();
    let begin = Instant::now();
    let evaluate = || -> Result<usize, Failure> {
        let mut moves = Vec::new();
        states[0].moves(&mut moves);
        let question = |state| Question { state, moves: &moves };
        let questions: Vec<_> = states.iter().cycle().take(batch).map(question).collect();
        let mut evaluations = 0;
        while begin.elapsed() < time {
            network.evaluate(&questions, &mut Answers::of(&questions))?;
            evaluations += batch;
        }
        Ok(evaluations)
    };
    let counts: Vec<Result<usize, Failure>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(evaluate)).collect();
        threads.into_iter().map(|thread| thread.join().expect("it returns its error")).collect()
    });
    let evaluations: usize = counts.into_iter().sum::<Result<_, _>>()?;
    Ok(evaluations as f64 / begin.elapsed().as_secs_f64())
}
