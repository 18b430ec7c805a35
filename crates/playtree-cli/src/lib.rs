//! The command line of playtree: commands over the reference games.
//!
//! As a library it is [`main`], and for programs that search in another way with the same words the
//! [`Shared`] commands: `playtree-mpi` is one.

mod analyze;
mod autotune;
mod bench;
mod error;
mod external;
mod foreign;
mod games;
mod gtp;
mod harmless;
mod interrupt;
mod lines;
mod makes;
mod matches;
mod options;
mod output;
mod paint;
mod perft;
mod piskvork;
mod play;
mod player;
mod positions;
mod progress;
mod protocols;
mod report;
mod saved;
mod serve;
mod shared;
mod shell;
mod solve;
mod spec;
mod suggest;
mod trace;
mod uci;
mod xboard;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use crate::makes::{About, Here, Makes};
pub use crate::shared::{Shared, read_shared};

use crate::error::CliError;

/// Parallel game-tree search over the reference games.
#[derive(Debug, Parser)]
#[command(name = "playtree", version, arg_required_else_help = true, max_term_width = 80)]
#[command(after_help = shell::MORE)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Games(games::GamesArgs),
    Play(Box<play::PlayArgs>),
    Analyze(Box<analyze::AnalyzeArgs>),
    Solve(Box<solve::SolveArgs>),
    Perft(perft::PerftArgs),
    Table(saved::TableArgs),
    Trace(trace::TraceArgs),
    Bench(Box<bench::BenchArgs>),
    Autotune(autotune::AutotuneArgs),
    Match(Box<matches::MatchArgs>),
    Gtp(gtp::GtpArgs),
    Uci(uci::UciArgs),
    Xboard(xboard::XboardArgs),
    Piskvork(piskvork::PiskvorkArgs),
    Serve(serve::ServeArgs),
    #[command(hide = true)]
    Completions(shell::CompletionsArgs),
    #[command(hide = true)]
    Man(shell::ManArgs),
}

/// Does what the arguments of this process say.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match shell::parse::<Cli>() {
        Ok(cli) => cli,
        Err(error) => return error::report_arguments(&error),
    };
    error::report(run(&cli.command))
}

fn run(command: &Command) -> Result<(), CliError> {
    let mut out = BufWriter::new(io::stdout().lock());
    match command {
        Command::Games(args) => games::run(args, &mut out),
        Command::Play(args) => play::run(args, io::BufReader::new(io::stdin()), &mut out),
        Command::Analyze(args) => analyze::run(args, &Here, &mut out),
        Command::Solve(args) => solve::run(args, io::BufReader::new(io::stdin()), &mut out),
        Command::Perft(args) => perft::run(args, &mut out),
        Command::Table(args) => saved::run(args, &mut out),
        Command::Trace(args) => trace::run(args, &mut io::stdin().lock(), &mut out),
        Command::Bench(args) => bench::run(args, &mut out),
        Command::Autotune(args) => autotune::run(args, &mut out),
        Command::Match(args) => matches::run(args, &Here, &mut out),
        Command::Completions(args) => shell::complete(args, &mut out),
        Command::Man(args) => shell::write_man(args, &mut out),
        Command::Gtp(args) => gtp::run(args, io::BufReader::new(io::stdin()), &mut out),
        Command::Xboard(args) => xboard::run(args, io::BufReader::new(io::stdin()), &mut out),
        Command::Piskvork(args) => piskvork::run(args, io::BufReader::new(io::stdin()), &mut out),
        Command::Uci(args) => uci::run(args, io::BufReader::new(io::stdin()), &mut out),
        Command::Serve(args) => serve::run(args, &mut out),
    }?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn every_option_takes_a_number_below_0_and_says_what_is_wrong_with_it() {
        let mut other = Vec::new();
        let program = Cli::command();
        for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
            let options = command.get_arguments().filter(|option| option.get_long().is_some());
            for option in options.filter(|option| option.get_action().takes_values()) {
                let name = option.get_value_names().and_then(|names| names.first());
                let name = name.map(|name| name.as_str()).unwrap_or_default();
                let is_number = ["N", "TIME", "SIZE", "PLIES", "S", "P", "C"].contains(&name);
                if is_number
                    && !option.is_allow_hyphen_values_set()
                    && !option.is_allow_negative_numbers_set()
                {
                    let long = option.get_long().unwrap_or_default();
                    other.push(format!("{} --{long} {name}", command.get_name()));
                }
            }
        }
        assert_eq!(other, Vec::<String>::new());
    }
}
