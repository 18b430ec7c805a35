//! An engine that takes part: one of this library with its settings, or a peer.

use std::str::FromStr;

use super::by_points;
use super::positions::Measured;
use super::tuning::Tuning;
use crate::Failure;
use crate::engine::{Entry, Found, Limit, Settings};
use crate::peers::playtree::found;
use clap::ValueEnum;

/// An engine and its name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Contender {
    /// The name in the tables.
    pub(super) name: String,
    kind: Kind,
}

/// What kind of engine it is.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// One of this library, with settings.
    Ours(Box<Tuning>),
    /// One of this library that plays for points, not to win.
    ByPoints {
        /// The constant of UCB1, `None` for the default.
        exploration: Option<f64>,
    },
    /// An entry of the other subcommands.
    Entry {
        /// Which one.
        entry: Entry,
        /// The constant of its formula, `None` for its default.
        exploration: Option<f64>,
    },
}

impl Default for Contender {
    /// The engine of this library as it comes.
    fn default() -> Self {
        Self { name: "default".to_owned(), kind: Kind::Ours(Box::default()) }
    }
}

impl FromStr for Contender {
    type Err = String;

    /// Reads `name=settings`, `name=peer` or `name=peer:constant`; `by-points` is as a peer.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, settings) = text.split_once('=').unwrap_or((text, ""));
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Err(format!("expected a name, '=' and settings, found '{text}'"));
        }
        let (peer, constant) = settings.split_once(':').unwrap_or((settings, ""));
        let kind = if peer == BY_POINTS {
            Kind::ByPoints { exploration: exploration(BY_POINTS, true, constant)? }
        } else if let Ok(entry) = Entry::from_str(peer, false) {
            let (name, has_exploration) = (entry.name(), entry.has_exploration());
            Kind::Entry { entry, exploration: exploration(&name, has_exploration, constant)? }
        } else {
            Kind::Ours(Box::new(settings.parse()?))
        };
        Ok(Self { name, kind })
    }
}

/// The name of the engine that plays for points.
const BY_POINTS: &str = "by-points";

/// The constant of an engine of this name, which may have none; `None` if it is not given.
fn exploration(name: &str, has_exploration: bool, constant: &str) -> Result<Option<f64>, String> {
    if constant.is_empty() {
        return Ok(None);
    }
    if !has_exploration {
        return Err(format!("expected no constant for {name}, found '{constant}'"));
    }
    let expected = |_| format!("expected the constant of {name}, found '{constant}'");
    constant.parse().map(Some).map_err(expected)
}

impl Contender {
    /// Says what is wrong with its settings, for this game.
    pub(super) fn check<G: Measured>(&self, threads: usize) -> Result<(), Failure> {
        let fault = match &self.kind {
            Kind::Ours(tuning) => tuning.engine::<G>(threads, 0).map(|_| ()),
            Kind::ByPoints { .. } if G::MAX_POINTS == 1 => {
                Err("expected a game of points for by-points: othello".into())
            }
            Kind::ByPoints { .. } => Ok(()),
            Kind::Entry { entry, .. } => entry.check::<G>(),
        };
        Ok(fault.map_err(|error| format!("engine '{}': {error}", self.name))?)
    }

    /// What a new engine finds, with this seed.
    pub(super) fn search<G: Measured>(
        &self,
        state: &G,
        limit: Limit,
        threads: usize,
        seed: u64,
    ) -> Result<Found<G::Move>, Failure> {
        match &self.kind {
            Kind::Ours(tuning) => Ok(found(&mut tuning.engine(threads, seed)?, state, limit)?),
            Kind::ByPoints { exploration } => {
                by_points::search(state, limit, *exploration, (threads, seed))
            }
            Kind::Entry { entry, exploration } => {
                let settings = Settings {
                    threads: threads.min(entry.most_threads()),
                    exploration: *exploration,
                    seed,
                    proofs: true,
                    split_freeing: false,
                };
                Ok(entry.make::<G>(settings).search(state, limit))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use playtree::games::ConnectFour;

    use super::{Contender, Kind};
    use crate::engine::Entry;

    #[test]
    fn engines_are_read() {
        let contender: Contender = "eager=exploration=0.8,proofs=off".parse().unwrap();
        assert_eq!(contender.name, "eager");
        let expected = "exploration=0.8,proofs=off".parse().unwrap();
        assert_eq!(contender.kind, Kind::Ours(Box::new(expected)));
        for text in ["default", "default="] {
            assert_eq!(text.parse(), Ok(Contender::default()));
        }
        let peer: Contender = "peer=treant:0.7".parse().unwrap();
        assert_eq!(peer.kind, Kind::Entry { entry: Entry::Treant, exploration: Some(0.7) });
        let points: Contender = "discs=by-points:0.2".parse().unwrap();
        assert_eq!(points.kind, Kind::ByPoints { exploration: Some(0.2) });
        let error = points.check::<ConnectFour>(1).unwrap_err().to_string();
        assert_eq!(error, "engine 'discs': expected a game of points for by-points: othello");
        let peer: Contender = "peer=treant-table".parse().unwrap();
        assert_eq!(peer.kind, Kind::Entry { entry: Entry::TreantTable, exploration: None });
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = [
            ("=proofs=off", "expected a name, '=' and settings"),
            ("peer=treant:x", "expected the constant of treant, found 'x'"),
            ("peer=minimax:1", "expected no constant for minimax, found '1'"),
            ("peer=unknown", "expected a setting"),
        ];
        for (text, expected) in wrong {
            let error = text.parse::<Contender>().unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        let grave: Contender = "raves=selection=grave".parse().unwrap();
        let error = grave.check::<ConnectFour>(1).unwrap_err().to_string();
        assert!(error.starts_with("engine 'raves': "), "{error}");
    }
}
