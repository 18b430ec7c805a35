//! What can go wrong on the command line: one line for a person, an exit code for a script.

mod arguments;
mod refusal;

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;

pub(crate) use self::arguments::argument_error;
pub(crate) use self::refusal::{Part, Phrase, Refusal};
use crate::harmless::harmless;
use crate::options::config_error;
use crate::spec::SpecError;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The user gave something that cannot be used: what was expected, what was found.
    /// Exit code 2.
    Usage(String),
    /// As `Usage`, where options are named that may be keys of a spec. Exit code 2.
    Refused(Box<Refusal>),
    /// As `Usage`, in a part of a spec that is shown below the message. Exit code 2.
    Spec {
        /// The argument that holds the spec.
        place: String,
        error: SpecError,
    },
    /// The reader of the output has gone away, as in `playtree games | head -1`. Exit code 0.
    Closed,
    /// The system failed to read or write. Exit code 1.
    Io(io::Error),
}

impl CliError {
    /// An error of the user's input, with the place where it stands.
    pub(crate) fn at(place: impl Display, error: impl Display) -> Self {
        CliError::Usage(format!("{place}: {error}"))
    }

    /// An error of the user's input.
    pub(crate) fn usage(error: impl Display) -> Self {
        CliError::Usage(error.to_string())
    }

    /// As an error of the player whose spec stands at `place`: its options are keys there.
    pub(crate) fn of_player(self, place: &str) -> Self {
        match self {
            CliError::Usage(message) => CliError::at(place, message),
            CliError::Refused(refusal) => CliError::at(place, refusal.in_keys()),
            other => other,
        }
    }
}

/// An error of an engine or its settings, in the words of the command line.
pub(crate) fn session_error(error: playtree_session::Error) -> CliError {
    match error {
        playtree_session::Error::Library(playtree::Error::Config(error)) => config_error(&error),
        playtree_session::Error::NetworksLeftOut => CliError::at(
            "--network",
            "no networks in this build: cargo run --release --features network -- ...",
        ),
        other => CliError::usage(other),
    }
}

impl From<Refusal> for CliError {
    fn from(refusal: Refusal) -> Self {
        CliError::Refused(Box::new(refusal))
    }
}

impl Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliError::Usage(message) => f.write_str(message),
            CliError::Refused(refusal) => refusal.fmt(f),
            CliError::Spec { place, error } => write!(f, "{place}: {error}"),
            CliError::Closed => f.write_str("the output was closed"),
            CliError::Io(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CliError::Closed,
            _ => CliError::Io(error),
        }
    }
}

/// Turns the result of a command into its exit code, after one line on stderr if it failed.
pub(crate) fn report(result: Result<(), CliError>) -> ExitCode {
    match result {
        Ok(()) | Err(CliError::Closed) => ExitCode::SUCCESS,
        Err(error @ (CliError::Usage(_) | CliError::Refused(_))) => complain(&error.to_string(), 2),
        Err(CliError::Spec { place, error }) => {
            let code = complain(&format!("{place}: {error}"), 2);
            // Nothing is left to be done if stderr is closed.
            let _ = writeln!(io::stderr(), "{}", error.picture());
            code
        }
        Err(error @ CliError::Io(_)) => complain(&error.to_string(), 1),
    }
}

/// Turns what clap says about the arguments into an exit code: help and version are
/// printed as they are, an error is shortened to one line.
pub(crate) fn report_arguments(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => match error.print() {
            Ok(()) => ExitCode::from(error.exit_code() as u8),
            Err(error) => report(Err(error.into())),
        },
        _ => complain(&argument_error(error, &arguments::typed_options()).to_string(), 2),
    }
}

/// The most characters of a message.
const LONGEST_MESSAGE: usize = 4096;

fn complain(message: &str, code: u8) -> ExitCode {
    // A message that holds line feeds or escapes (from the user's own text) stays one line, and one
    // that a person can read.
    let line = message.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut message: String = line.clone().take(LONGEST_MESSAGE).collect();
    if line.count() > LONGEST_MESSAGE {
        message.push_str("...");
    }
    // Nothing is left to be done if stderr is closed.
    let _ = writeln!(io::stderr(), "playtree: {}", harmless(&message));
    ExitCode::from(code)
}
