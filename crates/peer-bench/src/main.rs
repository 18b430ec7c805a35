//! playtree and its peers, measured in one run: the same game code behind every engine.
//!
//! Results go to standard output as Markdown, progress to standard error. See `README.md` for
//! how each peer is set up and what could not be made equal.

mod all;
#[cfg(feature = "onnx")]
mod batches;
mod child;
mod clocks;
mod device;
mod engine;
mod games;
mod handicap;
mod handover;
mod keeping;
mod matches;
mod memory;
#[cfg(feature = "onnx")]
mod network;
mod openings;
mod overshoot;
mod parallel;
mod peers;
mod ponder;
mod rollouts;
mod speed;
mod start;
mod status;
mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Whatever ends the bench early.
type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Parser)]
#[command(name = "peer-bench", version, about = "playtree and its peers in one run")]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulations per second, beside the rollouts alone
    Speed(speed::SpeedArgs),
    /// Peak memory of a search
    Memory(memory::MemoryArgs),
    /// How late a search with a time limit returns
    Overshoot(overshoot::OvershootArgs),
    /// Playing strength
    Matches(matches::MatchArgs),
    /// The factor of time at which a peer scores one half (not in `all`)
    Handicap(handicap::HandicapArgs),
    /// How soon a search is at full speed (not in `all`)
    Start(start::StartArgs),
    /// What thinking in the opponent's time is worth (not in `all`)
    Ponder(ponder::PonderArgs),
    /// What the time manager is worth (not in `all`)
    Clocks(clocks::ClockArgs),
    /// How well moves keep an exact value, by budget (not in `all`)
    Keeping(keeping::KeepingArgs),
    /// How busy a search keeps a device that does one call at a time (not in `all`)
    Device(device::DeviceArgs),
    /// Evaluations per second of a network from a file, beside a bare loop (not in `all`)
    #[cfg(feature = "onnx")]
    Network(network::NetworkArgs),
    /// What it costs in strength to ask a network in batches (not in `all`)
    #[cfg(feature = "onnx")]
    Batches(batches::BatchesArgs),
    /// All the tables
    All(all::AllArgs),
    #[command(hide = true)]
    One(child::OneArgs),
    #[command(hide = true)]
    Serve(overshoot::ServeArgs),
}

fn main() -> ExitCode {
    let result = match CommandLine::parse().command {
        Command::Speed(args) => speed::run(&args),
        Command::Memory(args) => memory::run(&args),
        Command::Overshoot(args) => overshoot::run(&args),
        Command::Matches(args) => matches::run(&args),
        Command::Handicap(args) => handicap::run(&args),
        Command::Start(args) => start::run(&args),
        Command::Ponder(args) => ponder::run(&args),
        Command::Clocks(args) => clocks::run(&args),
        Command::Keeping(args) => keeping::run(&args),
        Command::Device(args) => device::run(&args),
        #[cfg(feature = "onnx")]
        Command::Network(args) => network::run(&args),
        #[cfg(feature = "onnx")]
        Command::Batches(args) => batches::run(&args),
        Command::All(args) => all::run(&args),
        Command::One(args) => child::one(&args),
        Command::Serve(args) => overshoot::serve(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("peer-bench: {failure}");
            ExitCode::FAILURE
        }
    }
}
