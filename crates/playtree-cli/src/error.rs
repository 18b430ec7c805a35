//! What can go wrong on the command line: one line for a person, an exit code for a script.

use std::error::Error as _;
use std::fmt::{self, Display};
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
}

impl Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliError::Usage(message) => f.write_str(message),
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
        Err(error @ CliError::Usage(_)) => complain(&error.to_string(), 2),
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
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Nothing is left to be done if the help cannot be shown.
            let _ = error.print();
            ExitCode::from(error.exit_code() as u8)
        }
        _ => complain(&argument_message(error, &typed_options()), 2),
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

/// Options that mean nothing without another one: that one, and those.
const NEEDED: [(&str, &[&str]); 7] = [
    ("--time", &["--soft-time"]),
    ("--clock", &["--lag", "--expected-plies"]),
    ("--save", &["--save-visits", "--compress"]),
    ("--strategy", &["--strategy-format"]),
    ("--latency", &["--calls", "--time"]),
    ("--depth", &["--alphabeta"]),
    (
        "--alphabeta",
        &[
            "--depth",
            "--modes",
            "--max-threads-per-split",
            "--min-split-depth",
            "--positions",
            "--openings",
            "--openings-plies",
        ],
    ),
];

/// The options of this command line, as far as they begin with two dashes, without their values.
fn typed_options() -> Vec<String> {
    let arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let options = arguments.filter(|argument| argument.starts_with("--"));
    options.map(|option| option.split('=').next().unwrap_or_default().to_owned()).collect()
}

/// `--time <TIME>` or `--strategy [<PLIES>]` as a user types it; `<GAME>` as it is.
fn as_typed(argument: &str) -> &str {
    match argument.starts_with("--") {
        true => argument.split([' ', '[', '=']).next().unwrap_or(argument),
        false => argument,
    }
}

/// One line with what was expected and what was found, of a command line with these options.
pub(crate) fn argument_message(error: &clap::Error, typed: &[String]) -> String {
    let texts = |kind| -> Vec<String> {
        match error.get(kind) {
            Some(ContextValue::String(text)) => vec![text.clone()],
            Some(ContextValue::Strings(texts)) => texts.clone(),
            _ => Vec::new(),
        }
    };
    let text = |kind| texts(kind).join(", ");
    let arguments = texts(ContextKind::InvalidArg);
    let names: Vec<&str> = arguments.iter().map(|argument| as_typed(argument)).collect();
    let argument = names.join(", ");
    let found = text(ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::InvalidValue if found.is_empty() => {
            format!("{argument}: expected a value, found none")
        }
        ErrorKind::InvalidValue => {
            let valid = text(ContextKind::ValidValue);
            format!("{argument}: expected one of {valid}, found '{found}'")
        }
        ErrorKind::ValueValidation => match error.source() {
            Some(source) => format!("{argument}: {source}"),
            None => format!("{argument}: expected another value, found '{found}'"),
        },
        ErrorKind::TooManyValues => {
            format!("{argument}: expected {argument} without a value, found '{found}'")
        }
        ErrorKind::InvalidSubcommand => {
            let found = text(ContextKind::InvalidSubcommand);
            format!(
                "expected one of games, analyze, solve, perft, table, trace, bench, autotune, match, gtp, found '{found}'"
            )
        }
        ErrorKind::UnknownArgument => {
            let hint = match text(ContextKind::SuggestedArg) {
                hint if hint.is_empty() => hint,
                hint => format!("; is '{hint}' meant?"),
            };
            format!("expected an argument of this command, found '{argument}'{hint}")
        }
        ErrorKind::ArgumentConflict => {
            // Of a group every member is named: only those that were typed say anything.
            let all = texts(ContextKind::PriorArg);
            let mut others: Vec<&str> = all.iter().map(|other| as_typed(other)).collect();
            if others.iter().any(|other| typed.iter().any(|typed| typed == other)) {
                others.retain(|other| typed.iter().any(|typed| typed == other));
            }
            match others[..] {
                [] => first_paragraph(&error.to_string()),
                [other] if other == argument => {
                    format!("expected {argument} once, found it more often")
                }
                _ => format!("expected {argument} or {}, found both", others.join(", ")),
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let is_typed = |option: &&&str| typed.iter().any(|typed| typed == **option);
            let needy = NEEDED
                .iter()
                .filter(|(needed, _)| names.contains(needed))
                .find_map(|(_, options)| options.iter().find(is_typed));
            match needy {
                Some(option) => {
                    let expected = names.join(" and ");
                    format!("{option}: expected {expected} beside it, found nothing")
                }
                None => format!("expected {}, found nothing", names.join(" and ")),
            }
        }
        _ => first_paragraph(&error.to_string()),
    }
}

/// Clap's own words up to the first empty line, as one line.
fn first_paragraph(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let lines: Vec<&str> = text.lines().map(str::trim).take_while(|l| !l.is_empty()).collect();
    lines.join(" ")
}
