//! The settings behind the keys of a spec: read by the same code as options of the command line.

use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser};
use playtree::games::Hex;
use playtree::{Budget, GameState, MctsBuilder, Solvable};

use super::SpecError;
use super::scan::Item;
use crate::error::{CliError, argument_message};
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
        /// A move that takes longer is a loss.
        #[arg(long, value_parser = values::duration)]
        pub(crate) timeout: Option<Duration>,
    }
}

/// Options of a program, by its own names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnOptions(pub(crate) Vec<(String, String)>);

fn own_options(text: &str) -> Result<OwnOptions, String> {
    let pairs = text.split(';').map(str::trim).filter(|pair| !pair.is_empty());
    let pair = |pair: &str| match pair.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err(format!("expected options such as Hash=64;Style=solid, found '{pair}'")),
    };
    pairs.map(pair).collect::<Result<_, _>>().map(OwnOptions)
}

impl PlayOptions {
    /// The builder with these settings.
    fn of<G: GameState>(&self, builder: MctsBuilder<G>) -> MctsBuilder<G> {
        let builder = builder.proofs(!self.no_proofs).reuse(!self.fresh);
        builder.threads(self.threads.unwrap_or(1))
    }
}

impl MctsSettings {
    /// A builder with these settings.
    pub(crate) fn builder<G: Solvable + 'static>(&self) -> Result<MctsBuilder<G>, CliError> {
        Ok(self.play.of(self.engine.builder()?))
    }

    /// This budget and the limits of a move.
    pub(crate) fn and_limits(&self, budget: Budget) -> Budget {
        self.limits.and_limits(budget)
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
    pub(super) fn check(&self) -> Result<(), Refused> {
        let engine = self.engine.settings::<Hex>().and_then(|builder| {
            self.play.of(builder).build().map(drop).map_err(|error| config_error(&error))
        });
        engine.map_err(Refused::by)
    }
}

/// A combination of settings that cannot be: what the engine says, in the words of the command
/// line.
pub(super) struct Refused(String);

impl Refused {
    /// What this error says.
    pub(super) fn by(error: CliError) -> Self {
        match error {
            CliError::Usage(message) => Self(message),
            other => Self(format!("{other:?}")),
        }
    }

    /// As an error of the item that it names last, which is the one that was too much.
    pub(super) fn in_spec(self, text: &str, items: &[Item]) -> SpecError {
        let place = |item: &Item| self.0.rfind(&format!("--{}", full_name(&item.key)));
        let wrong =
            items.iter().filter(|item| place(item).is_some()).max_by_key(|item| place(item));
        let at = wrong.map_or(0..text.len(), Item::whole);
        from_message(text, at, &self.0, items)
    }
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
        return Err(SpecError::new(text, item.key_at.clone(), expected, &*item.key));
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
        from_message(text, at, &argument_message(&error, &typed), items)
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

/// `--time: expected a duration, found '1x'` in the form of a spec that has these items.
fn from_message(
    text: &str,
    at: std::ops::Range<usize>,
    message: &str,
    items: &[Item],
) -> SpecError {
    let said = message.find("expected ").map_or(message, |start| &message[start + 9..]);
    let as_keys = |message| in_keys_of(message, items);
    match said.rsplit_once(", found ") {
        Some((expected, found)) => SpecError::phrased(text, at, as_keys(expected), as_keys(found)),
        None => {
            let found = text[at.clone()].to_owned();
            SpecError::new(text, at, as_keys(said), found)
        }
    }
}

/// A message that names options, in the words of a spec: keys have no dashes.
pub(crate) fn in_keys(message: &str) -> String {
    in_keys_of(message, &[])
}

/// As [`in_keys`], with the short names where these items have them.
fn in_keys_of(message: &str, items: &[Item]) -> String {
    let mut last: Option<&Item> = None;
    let words = message.split(' ').map(|word| {
        let item = last.take();
        let Some(key) = word.strip_prefix("--") else {
            // What follows a key is its value.
            let value = item.and_then(|item| Some((item, item.value.as_deref()?)));
            return match value {
                Some((item, value)) if full_value(&full_name(&item.key), value) == word => value,
                _ => word,
            };
        };
        let name = key.trim_end_matches([':', ',']);
        last = items.iter().find(|item| full_name(&item.key) == name);
        match last {
            Some(item) if name == key => &item.key,
            _ => key,
        }
    });
    words.collect::<Vec<_>>().join(" ")
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
