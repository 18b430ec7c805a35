//! What clap says of the arguments, in the words of this command line.

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};

use super::{CliError, Part, Phrase, Refusal};
use crate::Cli;

/// Options that mean nothing without another one: that one, and those.
const NEEDED: [(&str, &[&str]); 7] = [
    ("--time", &["--soft-time"]),
    ("--clock", &["--lag", "--expected-plies"]),
    ("--save", &["--save-visits", "--save-every", "--compress"]),
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
pub(super) fn typed_options() -> Vec<String> {
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

/// What clap says of a command line with these options, as what was expected and what was found.
pub(crate) fn argument_error(error: &clap::Error, typed: &[String]) -> CliError {
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
    let argument = listed(&names, ", ");
    let found = text(ContextKind::InvalidValue);
    let refusal = match error.kind() {
        ErrorKind::InvalidValue if found.is_empty() => Refusal::new("a value", "none").at(argument),
        ErrorKind::InvalidValue => {
            let valid = texts(ContextKind::ValidValue);
            let expected = format!("one of {}", valid.join(", "));
            Refusal::name(expected, &found, valid.iter().map(String::as_str)).at(argument)
        }
        ErrorKind::ValueValidation => {
            let source = error.source();
            let refusal = source.and_then(|source| source.downcast_ref::<Refusal>());
            match (refusal, source) {
                (Some(refusal), _) => refusal.clone().at(argument),
                (None, Some(source)) => return CliError::at(argument, source),
                (None, None) => Refusal::value("another value", &found).at(argument),
            }
        }
        ErrorKind::TooManyValues => {
            Refusal::value(argument.clone().and(" without a value"), &found).at(argument)
        }
        ErrorKind::InvalidSubcommand => {
            let commands = Cli::command();
            let names: Vec<&str> = commands.get_subcommands().map(Command::get_name).collect();
            let expected = format!("one of {}", names.join(", "));
            Refusal::name(expected, &text(ContextKind::InvalidSubcommand), names)
        }
        ErrorKind::UnknownArgument => {
            let hint = match text(ContextKind::SuggestedArg) {
                hint if hint.is_empty() => hint,
                hint => format!("; is '{hint}' meant?"),
            };
            Refusal::new("an argument of this command", format!("'{argument}'{hint}"))
        }
        ErrorKind::ArgumentConflict => {
            // Of a group every member is named: only those that were typed say anything.
            let all = texts(ContextKind::PriorArg);
            let mut others: Vec<&str> = all.iter().map(|other| as_typed(other)).collect();
            if others.iter().any(|other| typed.iter().any(|typed| typed == other)) {
                others.retain(|other| typed.iter().any(|typed| typed == other));
            }
            if others.is_empty() {
                return CliError::usage(first_paragraph(&error.to_string()));
            }
            if others == names {
                Refusal::new(argument.and(" once"), "it more often")
            } else {
                Refusal::new(argument.and(" or ").and(listed(&others, ", ")), "both")
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let is_typed = |option: &&&str| typed.iter().any(|typed| typed == **option);
            let needy = NEEDED
                .iter()
                .filter(|(needed, _)| names.contains(needed))
                .find_map(|(_, options)| options.iter().find(is_typed));
            let expected = listed(&names, " and ");
            match needy {
                Some(option) => {
                    Refusal::new(expected.and(" beside it"), "nothing").at(listed(&[option], ""))
                }
                None => Refusal::new(expected, "nothing"),
            }
        }
        ErrorKind::InvalidUtf8 => Refusal::new("arguments in UTF-8", "other bytes"),
        _ => return CliError::usage(first_paragraph(&error.to_string())),
    };
    refusal.into()
}

/// These options or arguments with `between` between them.
fn listed(arguments: &[&str], between: &'static str) -> Phrase {
    let part = |argument: &&str| match argument.strip_prefix("--") {
        Some(name) => Part::option(name.to_owned()),
        None => Part::words((*argument).to_owned()),
    };
    Phrase::join(arguments.iter().map(part).map(Phrase::from), between)
}

/// Clap's own words up to the first empty line, as one line.
fn first_paragraph(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let lines: Vec<&str> = text.lines().map(str::trim).take_while(|l| !l.is_empty()).collect();
    lines.join(" ")
}
