//! Simulations per second, interleaved, beside the rollouts alone.

use std::collections::BTreeMap;

use clap::Args;

use crate::Failure;
use crate::child::{Job, Sample, Subject, Way};
use crate::engine::Entry;
use crate::games::{self, GameName};
use crate::handover::handover_nanoseconds;
use crate::table::{Table, median, short};

/// What `speed` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct SpeedArgs {
    /// The games; all if none is given.
    pub(crate) games: Vec<GameName>,
    /// Measurements of each engine; their median is shown.
    #[arg(long, default_value_t = 5)]
    pub(crate) repetitions: u64,
    /// Simulations of each search; by default the game's usual number.
    #[arg(long)]
    pub(crate) simulations: Option<u64>,
    /// Numbers of workers; the others are compared with the first.
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    pub(crate) workers: Vec<usize>,
    /// The exploration constant of every engine that has one, on the scale of win rates: a
    /// smaller one makes deeper trees, which cost more.
    #[arg(long, default_value_t = 1.0)]
    pub(crate) exploration: f64,
    /// Leaves every engine its own default constant instead.
    #[arg(long, conflicts_with = "exploration")]
    pub(crate) own_defaults: bool,
    /// Leaves an engine out.
    #[arg(long, value_delimiter = ',', value_parser = Entry::compared())]
    pub(crate) without: Vec<Entry>,
}

/// The samples of one game.
type Samples = BTreeMap<(Subject, usize), Vec<Sample>>;

/// Prints a table per game.
pub(crate) fn run(args: &SpeedArgs) -> Result<(), Failure> {
    println!("## Speed\n");
    for game in games::or_default(&args.games, &GameName::ALL) {
        let simulations = args.simulations.unwrap_or_else(|| game.speed_simulations());
        let (samples, handovers) = measure(args, game, simulations)?;
        println!(
            "### {}: simulations per second, {simulations} simulations from the start, \
             medians of {}\n",
            game.title(),
            args.repetitions
        );
        println!("{}", table(args, &samples));
        for line in ratios(args, &samples) {
            println!("- {line}");
        }
        if let Some(line) = of_handovers(handovers) {
            println!("- {line}");
        }
        println!();
    }
    Ok(())
}

/// Every measurement once, then every one again, so that a slow minute of the machine meets
/// all of them. Before each time and after the last, how long a cache line takes from core to core.
fn measure(
    args: &SpeedArgs,
    game: GameName,
    simulations: u64,
) -> Result<(Samples, Vec<f64>), Failure> {
    let engines = Entry::ALL.into_iter().filter(|entry| !args.without.contains(entry));
    let ways = [Way::SideBySide, Way::OneByOne, Way::MoveByMove]
        .into_iter()
        .filter(|way| *way != Way::SideBySide || game.plays_side_by_side());
    let subjects: Vec<Subject> =
        ways.map(Subject::Rollouts).chain(engines.map(Subject::Engine)).collect();
    let mut samples = Samples::new();
    let mut handovers = Vec::from_iter(handover_nanoseconds());
    for repetition in 1..=args.repetitions {
        eprintln!("speed: {} {repetition}/{}", game.name(), args.repetitions);
        for &subject in &subjects {
            for &threads in &args.workers {
                if matches!(subject, Subject::Engine(entry) if threads > entry.most_threads()) {
                    continue;
                }
                let exploration = (!args.own_defaults).then_some(args.exploration);
                let job =
                    Job { game, subject, threads, simulations, exploration, seed: repetition };
                samples.entry((subject, threads)).or_default().push(job.run()?);
            }
        }
        handovers.extend(handover_nanoseconds());
    }
    Ok((samples, handovers))
}

/// What a cache line took from core to core, if that could be measured.
fn of_handovers(mut nanoseconds: Vec<f64>) -> Option<String> {
    nanoseconds.sort_by(f64::total_cmp);
    let (least, most) = (nanoseconds.first()?, nanoseconds.last()?);
    let middle = median(&nanoseconds);
    Some(format!(
        "a cache line took {middle:.0} ns from one core to another ({least:.0} to {most:.0})"
    ))
}

/// The median of what `of` tells of the samples, if there are any.
fn middle(
    samples: &Samples,
    subject: Subject,
    threads: usize,
    of: impl Fn(&Sample) -> f64,
) -> Option<f64> {
    let samples = samples.get(&(subject, threads))?;
    Some(median(&samples.iter().map(of).collect::<Vec<_>>()))
}

fn rate(samples: &Samples, subject: Subject, threads: usize) -> Option<f64> {
    middle(samples, subject, threads, Sample::rate)
}

/// The limit of an engine: rollouts alone, side by side if it is ours and the game can.
fn limit(subject: Subject, samples: &Samples) -> Subject {
    let side_by_side = Subject::Rollouts(Way::SideBySide);
    let is_peer = matches!(subject, Subject::Engine(entry) if !entry.is_ours());
    if !is_peer && samples.keys().any(|(subject, _)| *subject == side_by_side) {
        side_by_side
    } else {
        Subject::Rollouts(Way::OneByOne)
    }
}

fn speed_up(samples: &Samples, subject: Subject, from: usize, to: usize) -> Option<f64> {
    Some(rate(samples, subject, to)? / rate(samples, subject, from)?)
}

fn table(args: &SpeedArgs, samples: &Samples) -> Table {
    let base = args.workers[0];
    let mut headings = vec!["engine".to_owned()];
    for &threads in &args.workers {
        headings.push(format!("{threads} worker(s)"));
        headings.push("of the limit".to_owned());
        if threads != base {
            headings.push("speed-up".to_owned());
        }
    }
    headings.push("freeing, ms".to_owned());
    let mut table = Table::new(headings);
    let mut subjects: Vec<Subject> = samples.keys().map(|(subject, _)| *subject).collect();
    subjects.dedup();
    let shown = |value: Option<f64>, show: &dyn Fn(f64) -> String| {
        value.map_or_else(|| "–".to_owned(), show)
    };
    for subject in subjects {
        let label = match subject {
            Subject::Rollouts(Way::SideBySide) => "rollouts, side by side",
            Subject::Rollouts(Way::OneByOne) => "rollouts, one by one",
            Subject::Rollouts(Way::MoveByMove) => "rollouts, move by move",
            Subject::Engine(entry) => entry.label(),
        };
        let mut row = vec![label.to_owned()];
        for &threads in &args.workers {
            let speed = rate(samples, subject, threads);
            let limit = rate(samples, limit(subject, samples), threads);
            row.push(shown(speed, &short));
            let part = speed.zip(limit).map(|(speed, limit)| 100.0 * speed / limit);
            row.push(shown(part, &|part| format!("{part:.0} %")));
            if threads != base {
                let gain = speed_up(samples, subject, base, threads);
                row.push(shown(gain, &|gain| format!("{gain:.2}")));
            }
        }
        if matches!(subject, Subject::Engine(_)) {
            let freeing = middle(samples, subject, base, |sample| sample.freeing_seconds);
            row.push(shown(freeing, &|seconds| format!("{:.1}", 1e3 * seconds)));
        }
        table.row(row);
    }
    table
}

/// Ours against the fastest peer, and our speed-up against that of the rollouts.
fn ratios(args: &SpeedArgs, samples: &Samples) -> Vec<String> {
    let ours = Entry::ALL.into_iter().filter(|entry| entry.is_ours());
    ours.flat_map(|entry| ratios_of(entry, args, samples)).collect()
}

fn ratios_of(entry: Entry, args: &SpeedArgs, samples: &Samples) -> Vec<String> {
    let ours = Subject::Engine(entry);
    let our_name = entry.name();
    let base = args.workers[0];
    let mut lines = Vec::new();
    for &threads in &args.workers {
        let Some(our_rate) = rate(samples, ours, threads) else { continue };
        for (which, solvers_too) in [("fastest peer", true), ("fastest without a solver", false)] {
            let peers = Entry::ALL
                .into_iter()
                .filter(|entry| !entry.is_ours() && (solvers_too || !entry.stops_at_solved()));
            // A peer with fewer workers competes with those it has.
            let rates = peers.filter_map(|peer| {
                let most = threads.min(peer.most_threads());
                Some((rate(samples, Subject::Engine(peer), most)?, peer))
            });
            if let Some((fastest, peer)) = rates.max_by(|a, b| a.0.total_cmp(&b.0)) {
                let ratio = our_rate / fastest;
                let name = peer.name();
                lines.push(format!(
                    "{our_name}, {threads} worker(s): {ratio:.2} times the {which} ({name})"
                ));
            }
        }
        let of_limit = speed_up(samples, limit(ours, samples), base, threads);
        let gains = speed_up(samples, ours, base, threads).zip(of_limit);
        if let Some((gain, limit)) = gains.filter(|_| threads != base) {
            let part = 100.0 * gain / limit;
            lines.push(format!(
                "{our_name}, speed-up from {base} to {threads} workers: {gain:.2}, {part:.0} % of \
                 that of the rollouts ({limit:.2})"
            ));
        }
    }
    lines
}
