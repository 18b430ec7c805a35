//! A player as a text: `mcts:time=1s,exploration=0.7`, `random`, `gtp:gtp-rhino,level=2`.
//!
//! ```text
//! spec    = engine [":" pair {"," pair}]             mcts, alphabeta, random
//!         | protocol ":" program {"," pair}          uci, ucci, xboard, gtp
//! pair    = key ["=" value]
//! program, value = bare text without , and "  |  "quoted text" with \" and \\
//! ```
//!
//! The keys of `mcts` are the options of `playtree analyze` without their dashes.

mod alphabeta;
mod error;
mod scan;
mod settings;

use std::fmt;
use std::str::FromStr;

pub(crate) use self::alphabeta::{AlphaBetaSettings, ModeName};
pub(crate) use self::error::SpecError;
use self::scan::{Item, scan};
pub(crate) use self::settings::{MctsSettings, ProgramSettings};
use self::settings::{NoSettings, in_spec, read};
use crate::error::CliError;

/// A searcher, a program, or chance, with all its settings.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    /// Engine, program and settings in the form that is shown.
    text: String,
    pub(crate) player: PlayerSpec,
}

/// What kind of player, with the settings of its kind.
#[derive(Clone, Debug)]
pub(crate) enum PlayerSpec {
    /// A uniformly random legal move.
    Random,
    /// The Monte Carlo search.
    Mcts(Box<MctsSettings>),
    /// The alpha-beta search.
    AlphaBeta(Box<AlphaBetaSettings>),
    /// An external program.
    Program {
        protocol: Protocol,
        /// Its name, or where it is.
        program: String,
        settings: Box<ProgramSettings>,
    },
}

/// How a program is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Uci,
    Ucci,
    Xboard,
    Gtp,
}

impl Protocol {
    const ALL: [Self; 4] = [Self::Uci, Self::Ucci, Self::Xboard, Self::Gtp];

    /// As a spec begins.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Ucci => "ucci",
            Self::Xboard => "xboard",
            Self::Gtp => "gtp",
        }
    }
}

/// What a spec can begin with.
pub(crate) const ENGINES: [&str; 7] =
    ["mcts", "alphabeta", "random", "uci", "ucci", "xboard", "gtp"];

/// Reads the spec that stands at `place` of the command line.
pub(crate) fn parse(place: &str, text: &str) -> Result<Spec, CliError> {
    text.parse().map_err(|error| CliError::Spec { place: place.to_owned(), error })
}

/// Reads settings of the alpha-beta search that stand at `place` without its name: the spec that
/// they are, and what it says. Of no text all settings are those of the library.
pub(crate) fn alphabeta(place: &str, text: &str) -> Result<(Spec, AlphaBetaSettings), CliError> {
    const ENGINE: &str = "alphabeta";
    let whole = if text.is_empty() { ENGINE.into() } else { format!("{ENGINE}:{text}") };
    let spec: Spec = whole.parse().map_err(|error: SpecError| CliError::Spec {
        place: place.to_owned(),
        // As it was typed.
        error: error.without_beginning(ENGINE.len() + 1),
    })?;
    match &spec.player {
        PlayerSpec::AlphaBeta(settings) => {
            let settings = (**settings).clone();
            Ok((spec, settings))
        }
        _ => unreachable!("it begins with alphabeta"),
    }
}

impl Spec {
    /// Refuses a player with a time of its own, whose spec stands at `place`, where there is a
    /// clock.
    pub(crate) fn expect_no_time(&self, place: &str) -> Result<(), CliError> {
        if !self.has_time() {
            return Ok(());
        }
        let error = "expected a player without a time of its own with --clock";
        Err(CliError::at(place, format_args!("{error}, found '{self}'")))
    }

    /// Whether the player has a time of its own for each move.
    fn has_time(&self) -> bool {
        match &self.player {
            PlayerSpec::Random => false,
            PlayerSpec::Mcts(settings) => settings.has_time(),
            PlayerSpec::AlphaBeta(settings) => settings.has_time(),
            PlayerSpec::Program { settings, .. } => settings.time.is_some(),
        }
    }

    /// The text of this spec, which is that of a searcher of ours, with some more pairs.
    pub(crate) fn with(&self, pairs: &str) -> String {
        let sign = if self.text.contains(':') { ',' } else { ':' };
        format!("{self}{sign}{pairs}")
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let name_end = text.find(':').unwrap_or(text.len());
        let name = text[..name_end].trim();
        let body = text.get(name_end + 1..);
        let protocol = Protocol::ALL.into_iter().find(|protocol| protocol.name() == name);
        let mut items = body.map_or(Ok(Vec::new()), |_| scan(text, name_end + 1))?;
        let mut shown = name.to_owned();
        let player = if let Some(protocol) = protocol {
            let program = match items.first() {
                Some(Item { key, value: None, .. }) if !key.is_empty() => key.clone(),
                other => {
                    let (at, found) = other
                        .map_or((text.len()..text.len(), String::new()), |item| {
                            (item.whole(), text[item.whole()].to_owned())
                        });
                    return Err(SpecError::new(text, at, "the name of a program", found));
                }
            };
            items.remove(0);
            shown = format!("{name}:{}", scan::quoted(&program));
            let settings = Box::new(read::<ProgramSettings>(text, name, &items)?);
            PlayerSpec::Program { protocol, program, settings }
        } else {
            match name {
                "mcts" => {
                    let settings = read::<MctsSettings>(text, name, &items)?;
                    settings.check().map_err(|error| in_spec(&error, text, &items))?;
                    PlayerSpec::Mcts(Box::new(settings))
                }
                "alphabeta" => {
                    let settings = read::<AlphaBetaSettings>(text, name, &items)?;
                    settings.check().map_err(|error| in_spec(&error, text, &items))?;
                    PlayerSpec::AlphaBeta(Box::new(settings))
                }
                "random" => {
                    read::<NoSettings>(text, name, &items)?;
                    PlayerSpec::Random
                }
                _ => {
                    let expected = format!("one of {}", ENGINES.join(", "));
                    return Err(SpecError::mistyped(text, 0..name_end, expected, name, ENGINES));
                }
            }
        };
        for (number, item) in items.iter().enumerate() {
            shown.push(if number == 0 && protocol.is_none() { ':' } else { ',' });
            shown.push_str(&item.to_string());
        }
        Ok(Self { text: shown, player })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
