//! The settings behind the keys of a spec: read by the same code as options of the command line.

use std::ops::Range;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser};
use playtree::Budget;
use playtree_session::{Game, settings};

use super::SpecError;
use super::scan::Item;
use crate::error::{CliError, Refusal, argument_error};
use crate::options::{EngineOptions, LimitOptions, config_error, values};

/// Short names of keys.
const ALIASES: [(&str, &str); 2] = [("c", "exploration"), ("ucb", "selection")];
/// Keys that are options elsewhere and have no meaning in a match: a clock that is the same at
/// each move is none.
const WITHOUT_MEANING: [&str; 3] = ["clock", "lag", "expected-plies"];

/// What all settings have in common: the parts are the keys, there is no help option.
macro_rules! settings {
    ($(#[$doc:meta])* $name:ident { $($body:tt)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Parser)]
        #[command(no_binary_name = true, disable_help_flag = true)]
        pub(crate) struct $name { $($body)* }
    };
}

settings! {
    /// No settings.
    NoSettings {}
}

settings! {
    /// The settings of the Monte Carlo search.
    MctsSettings {
        #[command(flatten)]
        limits: LimitOptions,
        #[command(flatten)]
        engine: EngineOptions,
        #[command(flatten)]
        play: PlayOptions,
    }
}

/// How the search is used from move to move.
#[derive(Args, Clone, Debug)]
struct PlayOptions {
    #[arg(long, value_parser = values::threads, allow_hyphen_values = true)]
    threads: Option<usize>,
    #[arg(long)]
    no_proofs: bool,
    /// Every move is searched from an empty table.
    #[arg(long)]
    fresh: bool,
}

settings! {
    /// The settings of a program.
    ProgramSettings {
        /// Of each move.
        #[arg(long, value_parser = values::duration)]
        pub(crate) time: Option<Duration>,
        /// Plies that it is to search.
        #[arg(long, value_parser = values::small)]
        pub(crate) depth: Option<u32>,
        /// Nodes that it is to search.
        #[arg(long, value_parser = values::whole)]
        pub(crate) nodes: Option<u64>,
        /// Its strength, set by `--level=N` on its command line, as GNU programs understand it.
        #[arg(long, value_parser = values::small)]
        pub(crate) level: Option<u32>,
        #[arg(long, value_parser = values::threads)]
        pub(crate) threads: Option<usize>,
        /// What it calls the game.
        #[arg(long)]
        pub(crate) variant: Option<String>,
        /// Its command line, parts divided by blanks.
        #[arg(long, allow_hyphen_values = true)]
        pub(crate) args: Option<String>,
        /// `NAME=VALUE` of its own options, divided by semicolons.
        #[arg(long, value_parser = own_options)]
        pub(crate) options: Option<OwnOptions>,
        /// A move that takes longer is a loss; other answers have times of their own.
        #[arg(long, value_parser = values::duration)]
        pub(crate) timeout: Option<Duration>,
    }
}

/// Options of a program, by its own names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnOptions(pub(crate) Vec<(String, String)>);

fn own_options(text: &str) -> Result<OwnOptions, Refusal> {
    let pairs = text.split(';').map(str::trim).filter(|pair| !pair.is_empty());
    let pair = |pair: &str| match pair.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err(Refusal::value("options such as Hash=64;Style=solid", pair)),
    };
    pairs.map(pair).collect::<Result<_, _>>().map(OwnOptions)
}

impl PlayOptions {
    /// These settings as well; `threads` if they do not say how many.
    fn add_to(
        &self,
        settings: settings::MctsSettings,
        threads: Option<usize>,
    ) -> settings::MctsSettings {
        settings::MctsSettings {
            proofs: Some(!self.no_proofs),
            reuse: Some(!self.fresh),
            threads: self.threads.or(threads),
            ..settings
        }
    }
}

impl MctsSettings {
    /// The settings of an engine of the game; `threads` if these do not say how many, `None` for
    /// what the library takes.
    pub(crate) fn settings(
        &self,
        game: Game,
        threads: Option<usize>,
    ) -> Result<settings::MctsSettings, CliError> {
        Ok(self.play.add_to(self.engine.settings(game)?, threads))
    }

    /// The most memory that they name, in bytes.
    pub(crate) fn bytes(&self) -> Option<usize> {
        self.engine.memory()
    }

    /// The limits of a move, or this time if there are none.
    pub(crate) fn budget(&self, time: Duration) -> Budget {
        let budget = self.limits.and_limits(Budget::unlimited());
        if budget.is_unlimited() { budget.and_time(time) } else { budget }
    }

    /// The budget of a move on a clock and the limits of a move but that of its time.
    pub(crate) fn on_a_clock(&self, clock: Budget) -> Budget {
        self.limits.and_limits_but_time(clock)
    }

    /// Whether they limit the time of a move.
    pub(super) fn has_time(&self) -> bool {
        self.limits.has_time()
    }

    /// Refuses what an engine of every game would refuse.
    pub(super) fn check(&self) -> Result<(), CliError> {
        let settings = self.play.add_to(self.engine.general()?, Some(1));
        settings.check().map_err(|error| config_error(&error))
    }
}

/// A combination of settings that cannot be, as an error of the item that is named last: it is the
/// one that was too much.
pub(super) fn in_spec(error: &CliError, text: &str, items: &[Item]) -> SpecError {
    let named = match error {
        CliError::Refused(refusal) => refusal.options(),
        _ => Vec::new(),
    };
    let spelled = |name: &&str| items.iter().rfind(|item| full_name(&item.key) == **name);
    let wrong = named.iter().rev().find_map(spelled);
    at_item(error, text, wrong.map_or(0..text.len(), Item::whole), items)
}

/// The settings that these items spell.
pub(super) fn read<T: Parser + CommandFactory>(
    text: &str,
    engine: &str,
    items: &[Item],
) -> Result<T, SpecError> {
    let arguments: Vec<String> = items
        .iter()
        .map(|item| {
            let key = full_name(&item.key);
            match &item.value {
                Some(value) => format!("--{key}={}", full_value(&key, value)),
                None => format!("--{key}"),
            }
        })
        .collect();
    let known = known_keys::<T>();
    if let Some(item) = items.iter().find(|item| !known.contains(&full_name(&item.key))) {
        let expected = match known.as_slice() {
            [] => format!("nothing after {engine}"),
            known => format!("a key of {engine} ({})", known.join(", ")),
        };
        let names = known.iter().map(String::as_str).chain(ALIASES.map(|(short, _)| short));
        return Err(SpecError::mistyped(text, item.key_at.clone(), expected, &item.key, names));
    }
    T::try_parse_from(&arguments).map_err(|error| {
        // The later one of two that exclude each other is the one that was too much.
        let keys =
            [ContextKind::InvalidArg, ContextKind::PriorArg].map(|kind| key_of(&error, kind));
        let item = items.iter().rfind(|item| keys.contains(&full_name(&item.key)));
        let at = match (item, error.kind()) {
            (Some(item), ErrorKind::ValueValidation | ErrorKind::InvalidValue)
                if item.value.is_some() =>
            {
                item.value_at.clone()
            }
            (Some(item), _) => item.whole(),
            (None, _) => {
                items.first().map_or(text.len()..text.len(), |first| first.key_at.start..text.len())
            }
        };
        let typed: Vec<String> =
            items.iter().map(|item| format!("--{}", full_name(&item.key))).collect();
        at_item(&argument_error(&error, &typed), text, at, items)
    })
}

/// The key of the option that an error names, empty if it names none.
fn key_of(error: &clap::Error, kind: ContextKind) -> String {
    let named = match error.get(kind) {
        Some(ContextValue::String(name)) => name.as_str(),
        Some(ContextValue::Strings(names)) => names.first().map_or("", String::as_str),
        _ => "",
    };
    let key = named.trim_start_matches("--").split([' ', '=', '<']).next();
    key.unwrap_or_default().to_owned()
}

/// What is wrong with the part `at` of a spec that has these items.
fn at_item(error: &CliError, text: &str, at: Range<usize>, items: &[Item]) -> SpecError {
    let CliError::Refused(refusal) = error else {
        let found = text[at.clone()].to_owned();
        return SpecError::new(text, at, error.to_string(), found);
    };
    let write = |name: &str, value: Option<&str>| as_spelled(items, name, value);
    SpecError::phrased(text, at, refusal.expected.text(write), refusal.found.text(write))
}

/// An option and its value as a key and a value, with the short names where these items have them.
fn as_spelled(items: &[Item], name: &str, value: Option<&str>) -> String {
    let item = items.iter().find(|item| full_name(&item.key) == name);
    let key = item.map_or(name, |item| item.key.as_str());
    let Some(value) = value else { return key.to_owned() };
    let spelled = item.and_then(|item| item.value.as_deref());
    let spelled = spelled.filter(|spelled| full_value(name, spelled) == value);
    format!("{key} {}", spelled.unwrap_or(value))
}

fn known_keys<T: CommandFactory>() -> Vec<String> {
    let command = T::command();
    let keys = command.get_arguments().filter_map(|argument| argument.get_long());
    keys.filter(|key| !WITHOUT_MEANING.contains(key)).map(str::to_owned).collect()
}

/// The key without abbreviation.
pub(super) fn full_name(key: &str) -> String {
    let key = key.replace('_', "-");
    ALIASES.iter().find(|(short, _)| *short == key).map_or(key, |(_, full)| (*full).to_owned())
}

fn full_value<'a>(key: &str, value: &'a str) -> &'a str {
    if key == "selection" && value == "tuned" { "ucb1-tuned" } else { value }
}
