//! Why a builder makes no searcher: a setting that cannot be used, or a game that cannot be
//! searched.

use std::fmt;
use std::ops::RangeInclusive;

use super::setting::{Number, Requirement, Setting};
use crate::game::GameState;

/// Why a builder makes no searcher.
///
/// Its text names the setting, or the part of the game that is to blame, and says what was expected
/// and what was found. A program with words of its own has the variants, and the parts of the text:
/// [`setting`](Self::setting), [`expected`](Self::expected) and [`found`](Self::found).
///
/// # Examples
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::error::{ConfigError, Setting};
/// use playtree::games::ConnectFour;
/// use playtree::Mcts;
///
/// let error = Mcts::<ConnectFour>::builder().threads(0).build().unwrap_err();
/// assert_eq!(error.setting(), Some(Setting::Threads));
/// assert_eq!(error.to_string(), "threads: expected 1 to 1024, found 0");
///
/// // The least memory limit depends on the other settings.
/// let builder = Mcts::<ConnectFour>::builder().threads(1);
/// match builder.clone().memory_limit(Some(1)).build() {
///     Err(ConfigError::MemoryLimit { least, .. }) => {
///         assert!(builder.memory_limit(Some(least)).build().is_ok());
///     }
///     other => panic!("{other:?}"),
/// }
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ConfigError {
    /// A number is out of its range.
    OutOfRange {
        /// Which number.
        setting: Setting,
        /// The least that it may be; for [`Setting::InFlight`] it must be above that.
        least: Number,
        /// The most that it may be; `None` for no limit.
        most: Option<Number>,
        /// The number given.
        found: Number,
    },
    /// A setting does not go with the game, or with another setting.
    Needs {
        /// Which setting.
        setting: Setting,
        /// What it needs.
        needs: Requirement,
    },
    /// A [memory limit](crate::MctsBuilder::memory_limit) has no room for one position and its
    /// moves.
    MemoryLimit {
        /// The least limit with these settings, in bytes.
        least: usize,
        /// The limit given, in bytes.
        found: usize,
    },
    /// A [`Pool`](crate::Pool) has no room for another engine.
    PoolMemory {
        /// What the engine needs at least with these settings, in bytes.
        least: u64,
        /// What the pool has left, in bytes.
        found: u64,
    },
    /// The system has no memory for a table.
    NoMemory {
        /// The setting that has the size of the table.
        setting: Setting,
        /// The size given, in bytes.
        bytes: usize,
    },
    /// A value of the game is too large for the stack of a thread.
    TooLarge {
        /// The type of the value.
        part: GamePart,
        /// The most bytes of such a value, what it points to aside.
        most: usize,
        /// Its bytes.
        found: usize,
    },
    /// The searcher is one for games of two players, and
    /// [`GameState::PLAYERS`] says another number.
    Players {
        /// The players of the game.
        found: usize,
    },
    /// [`Solvable::MAX_POINTS`](crate::Solvable::MAX_POINTS) is out of its range, from 1.
    MaxPoints {
        /// [`POINTS_LIMIT`](crate::solver::POINTS_LIMIT).
        most: i32,
        /// What the game says.
        found: i32,
    },
    /// Positions of the game come again, so that a solver cannot solve it
    /// ([`Solvable::SETTLED_BY_KEY`](crate::Solvable::SETTLED_BY_KEY)).
    Repetitions,
}

/// A type whose values are kept on the stack of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GamePart {
    /// The position.
    Position,
    /// [`GameState::Key`].
    Key,
    /// [`GameState::Move`].
    Move,
}

/// The most bytes of a position, a key or a move, what it points to aside. Some of each are on the
/// stack at a time, and a thread may have no more than 2 MiB.
const VALUE_BYTES_LIMIT: usize = 64 << 10;

impl ConfigError {
    /// The error as a name that stays the same from version to version, for programs that pass it
    /// on: `config.` and the variant.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::OutOfRange { .. } => "config.out-of-range",
            Self::Needs { .. } => "config.needs",
            Self::MemoryLimit { .. } => "config.memory-limit",
            Self::PoolMemory { .. } => "config.pool-memory",
            Self::NoMemory { .. } => "config.no-memory",
            Self::TooLarge { .. } => "config.too-large",
            Self::Players { .. } => "config.players",
            Self::MaxPoints { .. } => "config.max-points",
            Self::Repetitions => "config.repetitions",
        }
    }

    /// Refuses a number that is out of `range`.
    pub(crate) fn check_range<N: Copy + PartialOrd + Into<Number>>(
        setting: Setting,
        found: N,
        range: RangeInclusive<N>,
    ) -> Result<(), Self> {
        if range.contains(&found) {
            return Ok(());
        }
        let (least, most) = range.into_inner();
        let (least, most) = (least.into(), Some(most.into()));
        Err(Self::OutOfRange { setting, least, most, found: found.into() })
    }

    /// Refuses a number below `least`.
    pub(crate) fn check_least<N: Copy + PartialOrd + Into<Number>>(
        setting: Setting,
        found: N,
        least: N,
    ) -> Result<(), Self> {
        if found >= least {
            return Ok(());
        }
        Err(Self::OutOfRange { setting, least: least.into(), most: None, found: found.into() })
    }

    /// Refuses a setting unless what it needs is there.
    pub(crate) fn check_needs(
        setting: Setting,
        needs: Requirement,
        is_met: bool,
    ) -> Result<(), Self> {
        if is_met { Ok(()) } else { Err(Self::Needs { setting, needs }) }
    }

    /// Refuses a game with a position, a key or a move that is too large for the stack of a thread.
    pub(crate) fn check_sizes<G: GameState>() -> Result<(), Self> {
        let sizes = [
            (GamePart::Position, size_of::<G>()),
            (GamePart::Key, size_of::<G::Key>()),
            (GamePart::Move, size_of::<G::Move>()),
        ];
        match sizes.into_iter().find(|&(_, size)| size > VALUE_BYTES_LIMIT) {
            None => Ok(()),
            Some((part, found)) => Err(Self::TooLarge { part, most: VALUE_BYTES_LIMIT, found }),
        }
    }

    /// The setting that is to blame; `None` if it is the game, or what a pool has left.
    #[must_use]
    pub fn setting(&self) -> Option<Setting> {
        match *self {
            Self::OutOfRange { setting, .. }
            | Self::Needs { setting, .. }
            | Self::NoMemory { setting, .. } => Some(setting),
            Self::MemoryLimit { .. } => Some(Setting::MemoryLimit),
            Self::PoolMemory { .. }
            | Self::TooLarge { .. }
            | Self::Players { .. }
            | Self::MaxPoints { .. }
            | Self::Repetitions => None,
        }
    }

    /// The name of what is to blame: of the setter, or of the part of the game.
    fn subject(&self) -> &'static str {
        match self {
            Self::OutOfRange { setting, .. }
            | Self::Needs { setting, .. }
            | Self::NoMemory { setting, .. } => setting.as_str(),
            Self::MemoryLimit { .. } => Setting::MemoryLimit.as_str(),
            Self::PoolMemory { .. } => "pool",
            Self::TooLarge { part: GamePart::Position, .. } => "GameState",
            Self::TooLarge { part: GamePart::Key, .. } => "GameState::Key",
            Self::TooLarge { part: GamePart::Move, .. } => "GameState::Move",
            Self::Players { .. } => "GameState::PLAYERS",
            Self::MaxPoints { .. } => "Solvable::MAX_POINTS",
            Self::Repetitions => "Solvable::SETTLED_BY_KEY",
        }
    }

    /// What was expected, in words for a person: `1 to 64 rollouts`.
    #[must_use]
    pub fn expected(&self) -> String {
        match *self {
            Self::OutOfRange { setting, least, most, .. } => setting.range_text(least, most),
            Self::Needs { needs, .. } => needs.expected().into(),
            Self::MemoryLimit { least, .. } => {
                format!("at least {least} bytes with these settings")
            }
            Self::PoolMemory { least, .. } => {
                format!("at least {least} bytes that no engine has")
            }
            Self::NoMemory { .. } => "no more bytes than there is memory for".into(),
            Self::TooLarge { most, .. } => {
                format!("at most {most} bytes, not counting what it points to")
            }
            Self::Players { .. } => "2 players".into(),
            Self::MaxPoints { most, .. } => format!("1 to {most} points"),
            Self::Repetitions => "a game in which no position comes again".into(),
        }
    }

    /// What was found, in words for a person; of a number, its digits.
    #[must_use]
    pub fn found(&self) -> String {
        match *self {
            Self::OutOfRange { setting: Setting::Expansion, found, .. } => format!("visit {found}"),
            Self::OutOfRange { found, .. } => found.to_string(),
            Self::Needs { needs, .. } => needs.found(),
            Self::MemoryLimit { found: bytes, .. } | Self::NoMemory { bytes, .. } => {
                bytes.to_string()
            }
            Self::PoolMemory { found, .. } => found.to_string(),
            Self::TooLarge { found, .. } => format!("{found} bytes"),
            Self::Players { found } => found.to_string(),
            Self::MaxPoints { found, .. } => found.to_string(),
            Self::Repetitions => "one with repetitions".into(),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.subject(), self.expected(), self.found())
    }
}

impl std::error::Error for ConfigError {}
