//! Programs that use playtree as a hostile or careless user would: broken games, tiny limits,
//! hostile files, calls in any order. `README.md` says what each does.
//!
//! Each fault is a line that begins with `FAULT`; the last line counts them, and the exit status is
//! 1 if there was one. A call that does not return ends the program with status 99.

mod dice;
mod faults;
mod inject;
mod noise;
mod process;
mod programs;
mod tracked;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use programs::{
    cli, deep, dropwake, evil, extremes, files, limits, memory, panics, small, spawnfail, thinking,
    treehang, uaf, uaf_min,
};

#[derive(Parser)]
#[command(name = "attack", about = "Programs that attack playtree from outside")]
struct CommandLine {
    #[command(subcommand)]
    program: Program,
}

#[derive(Subcommand)]
enum Program {
    /// Keys that answer twice differently, a Hash or a Drop that panics during an eviction
    Uaf(uaf::Args),
    /// The first of them in safe code only, to be run under valgrind
    UafMin(uaf_min::Args),
    /// A panic in each method of a game, in each mode
    Panics(panics::Args),
    /// A tree whose paths share nothing, with little memory
    Treehang(treehang::Args),
    /// The system refuses threads: run it under a limit of threads
    Spawnfail(spawnfail::Args),
    /// The drop of an old report panics
    Dropwake,
    /// Long games, wide games, large positions, tiny tables
    Deep(deep::Args),
    /// Values without size, settings and budgets at the ends of their ranges
    Extremes,
    /// Games that break a law
    Evil(evil::Args),
    /// Random games and settings at tiny memory limits
    Limits(limits::Args),
    /// Memory limits that change while engines search, alone and in a pool
    Memory(memory::Args),
    /// Three threads call a handle at random
    Thinking(thinking::Args),
    /// Saved files, changed and sealed again
    Files(files::Args),
    /// Small scenarios for Miri and ThreadSanitizer
    Small(small::Args),
    /// The command line: hostile input, devices, programs that hang, flood and die
    Cli(cli::Args),
}

/// The random attacks: for how long, and where to begin.
#[derive(clap::Args)]
struct Random {
    /// Time to go on for
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let (name, summary) = match CommandLine::parse().program {
        Program::Uaf(args) => ("uaf", uaf::run(&args)),
        Program::UafMin(args) => ("uaf-min", uaf_min::run(&args)),
        Program::Panics(args) => ("panics", panics::run(&args)),
        Program::Treehang(args) => ("treehang", treehang::run(&args)),
        Program::Spawnfail(args) => ("spawnfail", spawnfail::run(&args)),
        Program::Dropwake => ("dropwake", dropwake::run()),
        Program::Deep(args) => ("deep", deep::run(&args)),
        Program::Extremes => ("extremes", extremes::run()),
        Program::Evil(args) => ("evil", evil::run(&args)),
        Program::Limits(args) => ("limits", limits::run(&args)),
        Program::Memory(args) => ("memory", memory::run(&args)),
        Program::Thinking(args) => ("thinking", thinking::run(&args)),
        Program::Files(args) => ("files", files::run(&args)),
        Program::Small(args) => ("small", small::run(&args)),
        Program::Cli(args) => ("cli", cli::run(&args)),
    };
    let faults = faults::count();
    println!("{name}: {summary}; {faults} faults");
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
