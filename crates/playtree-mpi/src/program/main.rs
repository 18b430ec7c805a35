//! `playtree-mpi`: `analyze` and `match` of the command line, searched by all ranks of a job of MPI.
//!
//! Rank 0 does what the arguments say. The others do what it orders: they search the positions that
//! it searches, and exchange what they find.

mod engine;
mod follow;
mod order;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::{self, ExitCode};
use std::time::Duration;
use std::{env, mem};

use playtree_cli::read_shared;
use playtree_mpi::{Carrier, Cluster, Fact, JoinError, MpiCarrier, Settings, common_facts, join};

use engine::Together;

/// How long all ranks have to begin.
const TIME_TO_JOIN: Duration = Duration::from_secs(60);

/// How long rank 0 waits at the end for ranks that do not answer.
const TIME_TO_LEAVE: Duration = Duration::from_secs(60);

/// The same with `--recover`, where such a rank is taken to be gone.
const TIME_TO_LEAVE_AT_ONCE: Duration = Duration::from_millis(200);

/// Search with all ranks of a job of MPI, as in: mpirun -n 4 playtree-mpi analyze othello
///
/// The commands are those of playtree. The Monte Carlo search of 'analyze', and of the first player
/// of 'match', is done by all ranks; all else by rank 0.
#[derive(Debug, clap::Args)]
struct Options {
    /// The most positions of an exchange.
    #[arg(long, global = true, value_name = "N", default_value = "512")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    exchange_lines: u32,
    /// The shortest time between two exchanges, in milliseconds.
    #[arg(long, global = true, value_name = "MS", default_value = "10")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=60_000))]
    exchange_every: u32,
    /// Answer when other ranks do not: each rank that waits in vain says what it has found. For
    /// jobs that go on when a rank dies, as with --enable-recovery of Open MPI.
    #[arg(long, global = true)]
    recover: bool,
}

impl Options {
    fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.lines = self.exchange_lines as usize;
        settings.interval = Duration::from_millis(self.exchange_every.into());
        settings.recovers = self.recover;
        settings
    }
}

fn main() -> ExitCode {
    let mut carrier = match MpiCarrier::begin() {
        Ok(carrier) => carrier,
        Err(error) => return complain(&error),
    };
    match join(&mut carrier, &facts(), TIME_TO_JOIN) {
        Ok(()) => {}
        // The rank that differs says in what: one line, not one for each rank.
        Err(JoinError::OthersDiffer { .. }) => return ExitCode::FAILURE,
        Err(error @ JoinError::Different { .. }) => return complain(&error),
        Err(error) => {
            complain(&error);
            // To end MPI is to wait for all.
            carrier.leave();
            process::exit(1);
        }
    }
    let is_first = carrier.rank() == 0;
    let (options, shared) = match read_shared::<Options>(is_first) {
        Ok(read) => read,
        // All ranks have read the same arguments, and come to the same end.
        Err(code) => return code,
    };
    let cluster = Cluster::new(carrier, options.settings());
    if !is_first {
        return follow::follow(cluster, &shared);
    }
    let maker = Together::new(cluster);
    let code = shared.run(&maker);
    let mut cluster = maker.into_cluster();
    let at_most = if options.recover { TIME_TO_LEAVE_AT_ONCE } else { TIME_TO_LEAVE };
    match cluster.quit(at_most) {
        Ok(true) => code,
        _ => {
            // What was found is written. To end MPI is to wait for a rank that does not answer.
            cluster.carrier().leave();
            mem::forget(cluster);
            if !options.recover {
                complain(&"expected all ranks to answer at the end, found one that does not");
            }
            process::exit(i32::from(!options.recover || code != ExitCode::SUCCESS))
        }
    }
}

/// What all ranks must have in common.
fn facts() -> Vec<Fact> {
    let arguments = env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    let arguments: Vec<String> = arguments.collect();
    let mut facts = common_facts();
    facts.push(("arguments", arguments.join(" ")));
    facts
}

/// Says why nothing was done, on one line.
fn complain(error: &dyn Display) -> ExitCode {
    // Nothing is left to be done if stderr is closed.
    let _ = writeln!(io::stderr(), "playtree-mpi: {error}");
    ExitCode::FAILURE
}
