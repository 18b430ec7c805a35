//! What can go wrong on the command line: one line for a person, an exit code for a script.

use std::error::Error as _;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::harmless::harmless;
use crate::spec::SpecError;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The user gave something that cannot be used: what was expected, what was found.
    /// Exit code 2.
    Usage(String),
    /// As `Usage`, in a part of a spec that is shown below the message. Exit code 2.
    Spec {
        /// The argument that holds the spec.
        place: String,
        error: SpecError,
    },
    /// Nobody reads the output any more, as in `playtree games | head -1`. Exit code 0.
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
        Err(CliError::Usage(message)) => complain(&message, 2),
        Err(CliError::Spec { place, error }) => {
            let code = complain(&format!("{place}: {error}"), 2);
            // Nothing is left to be done if stderr is closed.
            let _ = writeln!(io::stderr(), "{}", error.picture());
            code
        }
        Err(CliError::Io(error)) => complain(&error.to_string(), 1),
    }
}

/// Turns what clap says about the arguments into an exit code: help and version are
/// printed as they are, an error is shortened to one line.
pub(crate) fn report_arguments(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Nothing is left to be done if the help cannot be shown.
            let _ = error.print();
            ExitCode::from(error.exit_code() as u8)
        }
        _ => complain(&argument_message(error), 2),
    }
}

fn complain(message: &str, code: u8) -> ExitCode {
    // A message that holds line feeds (from the user's own text) stays one line.
    let message = message.replace(['\n', '\r'], " ");
    // Nothing is left to be done if stderr is closed.
    let _ = writeln!(io::stderr(), "playtree: {}", harmless(&message));
    ExitCode::from(code)
}

/// One line with what was expected and what was found.
pub(crate) fn argument_message(error: &clap::Error) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) if !texts.is_empty() => Some(texts.join(", ")),
        _ => None,
    };
    let argument = text(ContextKind::InvalidArg).unwrap_or_default();
    let found = text(ContextKind::InvalidValue).unwrap_or_default();
    match error.kind() {
        ErrorKind::InvalidValue if found.is_empty() => {
            format!("{argument}: expected a value, found none")
        }
        ErrorKind::InvalidValue => {
            let valid = text(ContextKind::ValidValue).unwrap_or_default();
            format!("{argument}: expected one of {valid}, found '{found}'")
        }
        ErrorKind::ValueValidation => match error.source() {
            Some(source) => format!("{argument}: {source}"),
            None => format!("{argument}: expected another value, found '{found}'"),
        },
        ErrorKind::InvalidSubcommand => {
            let found = text(ContextKind::InvalidSubcommand).unwrap_or_default();
            format!(
                "expected one of games, analyze, solve, perft, table, trace, bench, autotune, match, gtp, found '{found}'"
            )
        }
        ErrorKind::UnknownArgument => {
            let hint = text(ContextKind::SuggestedArg);
            let hint = hint.map_or_else(String::new, |hint| format!("; is '{hint}' meant?"));
            format!("expected an argument of this command, found '{argument}'{hint}")
        }
        ErrorKind::ArgumentConflict => match text(ContextKind::PriorArg) {
            Some(other) if other == argument => {
                format!("expected {argument} once, found it more often")
            }
            Some(other) => format!("expected {argument} or {other}, found both"),
            None => first_paragraph(&error.to_string()),
        },
        ErrorKind::MissingRequiredArgument => format!("expected {argument}, found nothing"),
        _ => first_paragraph(&error.to_string()),
    }
}

/// Clap's own words up to the first empty line, as one line.
fn first_paragraph(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let lines: Vec<&str> = text.lines().map(str::trim).take_while(|l| !l.is_empty()).collect();
    lines.join(" ")
}
