//! The commands that programs with another way of searching share with this one.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use playtree_session::{Game, Position, Report};

use crate::error::{self, CliError};
use crate::makes::{About, Makes};
use crate::{analyze, matches, shell};

/// A command with its options, read from the arguments of this process.
#[derive(Debug)]
pub struct Shared(Command);

#[derive(Debug, Subcommand)]
enum Command {
    Analyze(Box<analyze::AnalyzeArgs>),
    Match(Box<matches::MatchArgs>),
}

#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, max_term_width = 80)]
struct Cli<T: Args> {
    #[command(flatten)]
    options: T,
    #[command(subcommand)]
    command: Command,
}

/// Reads the arguments of this process: options of the program, and one of the commands `analyze`
/// and `match`. Help and errors are written here, if the process `speaks`: one of several that have
/// the same arguments does.
///
/// # Errors
/// If there is nothing to be done: the exit code.
pub fn read_shared<T: Args>(speaks: bool) -> Result<(T, Shared), ExitCode> {
    match shell::parse::<Cli<T>>() {
        Ok(Cli { options, command }) => Ok((options, Shared(command))),
        Err(error) if speaks => Err(error::report_arguments(&error)),
        Err(_) => Err(ExitCode::SUCCESS),
    }
}

impl Shared {
    /// Does it, with the engines of `maker`: for the one search of `analyze`, and for the first
    /// player of `match`.
    #[must_use]
    pub fn run(&self, maker: &dyn Makes) -> ExitCode {
        error::report(self.try_run(maker))
    }

    /// Writes what was found of a position in the form that was asked for; nothing if the command
    /// is not `analyze`. For a process that has not run the command, and has to answer.
    #[must_use]
    pub fn write(
        &self,
        game: Game,
        state: &Position,
        report: &Report,
        about: Option<About>,
    ) -> ExitCode {
        let Command::Analyze(args) = &self.0 else { return ExitCode::SUCCESS };
        let mut out = BufWriter::new(io::stdout().lock());
        let written = analyze::show(args, (game, state), report, about, &mut out);
        error::report(written.and_then(|()| Ok(out.flush()?)))
    }

    fn try_run(&self, maker: &dyn Makes) -> Result<(), CliError> {
        let mut out = BufWriter::new(io::stdout().lock());
        match &self.0 {
            Command::Analyze(args) => analyze::run(args, maker, &mut out),
            Command::Match(args) => {
                args.expect_one_at_a_time()?;
                matches::run(args, maker, &mut out)
            }
        }?;
        Ok(out.flush()?)
    }
}
