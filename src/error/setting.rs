//! The settings that a builder may refuse, and what they need.

use std::fmt;

/// Each setting with the name of its setter.
macro_rules! settings {
    ($($(#[$doc:meta])* $name:ident: $setter:literal,)+) => {
        /// A setting that a builder may refuse.
        ///
        /// Each is the setter that its name says, of one builder or of several, but for
        /// the numbers of a selection, such as [`Exploration`](Self::Exploration), of one setter.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Setting { $($(#[$doc])* $name),+ }

        impl Setting {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The name of the setter: `round_size`.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $setter),+ }
            }
        }
    };
}

settings! {
    /// Worker threads, of each builder, and of [`PoolBuilder`](crate::PoolBuilder).
    Threads: "threads",
    /// Engines, of [`PoolBuilder::engines`](crate::PoolBuilder::engines).
    Engines: "engines",
    /// The simulated workers of [`parallelism`](crate::MctsBuilder::parallelism).
    Parallelism: "parallelism",
    /// The policy of [`selection`](crate::MctsBuilder::selection).
    Selection: "selection",
    /// The exploration constant of [`selection`](crate::MctsBuilder::selection).
    Exploration: "selection",
    /// The bias of [`selection`](crate::MctsBuilder::selection), with [GRAVE](crate::mcts::Grave).
    Bias: "selection",
    /// The weight of [`selection`](crate::MctsBuilder::selection), with
    /// [progressive history](crate::mcts::ProgressiveHistory).
    HistoryWeight: "selection",
    /// The growth of [`selection`](crate::MctsBuilder::selection), with [PUCT](crate::mcts::Puct).
    Growth: "selection",
    /// The reduction of [`selection`](crate::MctsBuilder::selection), with
    /// [PUCT](crate::mcts::Puct).
    Reduction: "selection",
    /// The temperature of [`selection`](crate::MctsBuilder::selection), with
    /// [PUCT](crate::mcts::Puct).
    PolicyTemperature: "selection",
    /// The network of [`network`](crate::MctsBuilder::network).
    Network: "network",
    /// What is special about the root, of [`root`](crate::MctsBuilder::root).
    Root: "root",
    /// The noise of [`root`](crate::MctsBuilder::root): `alpha` of
    /// [`Dirichlet`](crate::mcts::Dirichlet), `noise` of [`Gumbel`](crate::mcts::Gumbel).
    RootNoise: "root",
    /// The share of noise of [`root`](crate::MctsBuilder::root), with
    /// [`Dirichlet`](crate::mcts::Dirichlet).
    RootShare: "root",
    /// The moves considered, of [`root`](crate::MctsBuilder::root), with
    /// [`Gumbel`](crate::mcts::Gumbel).
    RootMoves: "root",
    /// The scale of win rates, of [`root`](crate::MctsBuilder::root), with
    /// [`Gumbel`](crate::mcts::Gumbel).
    RootScale: "root",
    /// Visits that win rates count as if there were more, of [`root`](crate::MctsBuilder::root),
    /// with [`Gumbel`](crate::mcts::Gumbel).
    RootVisits: "root",
    /// Visits, of [`warm_up`](crate::MctsBuilder::warm_up).
    WarmUp: "warm_up",
    /// A difference of win rates, of
    /// [`first_play_urgency`](crate::MctsBuilder::first_play_urgency).
    FirstPlayUrgency: "first_play_urgency",
    /// The visit from which a position becomes a node, of
    /// [`expansion`](crate::MctsBuilder::expansion).
    Expansion: "expansion",
    /// Shards, of [`table`](crate::MctsBuilder::table).
    Table: "table",
    /// The weight of a virtual loss, of [`in_flight`](crate::MctsBuilder::in_flight).
    InFlight: "in_flight",
    /// Simulations, of [`round_size`](crate::MctsBuilder::round_size).
    RoundSize: "round_size",
    /// Bytes, of [`MctsBuilder::memory_limit`](crate::MctsBuilder::memory_limit) and
    /// [`SolverBuilder::memory_limit`](crate::SolverBuilder::memory_limit).
    MemoryLimit: "memory_limit",
    /// Plies, of [`rollout_limit`](crate::MctsBuilder::rollout_limit).
    RolloutLimit: "rollout_limit",
    /// What rollouts learn by, of [`rollout_moves`](crate::MctsBuilder::rollout_moves).
    RolloutMoves: "rollout_moves",
    /// The share of the best moves of [`rollout_moves`](crate::MctsBuilder::rollout_moves).
    RolloutShare: "rollout_moves",
    /// The temperature of [`rollout_moves`](crate::MctsBuilder::rollout_moves).
    RolloutTemperature: "rollout_moves",
    /// The least simulations of [`rollout_moves`](crate::MctsBuilder::rollout_moves), with
    /// [NST](crate::mcts::Nst).
    RolloutVisits: "rollout_moves",
    /// Rollouts, of [`rollouts_per_leaf`](crate::MctsBuilder::rollouts_per_leaf).
    RolloutsPerLeaf: "rollouts_per_leaf",
    /// The evaluation of [`cut_off`](crate::MctsBuilder::cut_off).
    CutOff: "cut_off",
    /// Visits, and the evaluation, of [`prior`](crate::MctsBuilder::prior).
    Prior: "prior",
    /// Bytes, of [`MctsBuilder::endgames`](crate::MctsBuilder::endgames) and
    /// [`AlphaBetaBuilder::endgames`](crate::AlphaBetaBuilder::endgames).
    Endgames: "endgames",
    /// A part of a point, and the player, of [`contempt`](crate::MctsBuilder::contempt).
    Contempt: "contempt",
    /// Bytes, of [`table_bytes`](crate::AlphaBetaBuilder::table_bytes).
    TableBytes: "table_bytes",
    /// A difference of values, of [`aspiration`](crate::AlphaBetaBuilder::aspiration).
    Aspiration: "aspiration",
    /// Moves of the root, of [`max_root_tasks`](crate::AlphaBetaBuilder::max_root_tasks).
    MaxRootTasks: "max_root_tasks",
    /// Threads, of [`max_threads_per_split`](crate::AlphaBetaBuilder::max_threads_per_split).
    MaxThreadsPerSplit: "max_threads_per_split",
    /// Plies, of [`min_split_depth`](crate::AlphaBetaBuilder::min_split_depth).
    MinSplitDepth: "min_split_depth",
}

impl Setting {
    /// The range of its number in words: `at least 1 ply`, `1 to 64 rollouts`.
    pub(super) fn range_text(self, least: Number, most: Option<Number>) -> String {
        let range = match most {
            Some(most) => format!("{least} to {most}"),
            None => format!("at least {least}"),
        };
        let unit = match self {
            Self::Exploration => return format!("an exploration constant of {range}"),
            Self::Bias => return format!("a bias of {range}"),
            Self::HistoryWeight => return format!("a weight of {range}"),
            Self::Growth => return format!("a growth of {range}"),
            Self::Reduction => return format!("a reduction of {range}"),
            Self::RolloutShare => return format!("a share of {range}"),
            Self::RolloutTemperature | Self::PolicyTemperature => {
                return format!("a temperature of {range}");
            }
            Self::RootNoise => return format!("noise of {range}"),
            Self::RootShare => return format!("a share of {range}"),
            Self::RootScale => return format!("a scale of {range}"),
            Self::RootMoves => "move",
            Self::RootVisits => "visits",
            Self::RolloutVisits => "simulation",
            Self::Expansion => return "from the first visit or later".into(),
            Self::InFlight => {
                let most = most.map_or_else(String::new, |most| format!(", at most {most}"));
                return format!("a weight above {least}{most}");
            }
            Self::Parallelism => "simulated workers",
            Self::WarmUp => "visit",
            Self::Prior => "visits",
            Self::Table => "shards",
            Self::RoundSize => "simulations",
            Self::RolloutLimit | Self::MinSplitDepth => "ply",
            Self::RolloutsPerLeaf => "rollouts",
            Self::MaxRootTasks => "task",
            Self::Engines => "engine",
            Self::MemoryLimit | Self::TableBytes | Self::Endgames => "bytes",
            Self::Threads
            | Self::Selection
            | Self::RolloutMoves
            | Self::Network
            | Self::Root
            | Self::FirstPlayUrgency
            | Self::CutOff
            | Self::Contempt
            | Self::Aspiration
            | Self::MaxThreadsPerSplit => return range,
        };
        format!("{range} {unit}")
    }
}

impl fmt::Display for Setting {
    /// The name of the setter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a setting needs of the game, or of the other settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requirement {
    /// A game of two players.
    TwoPlayers {
        /// The players of the game.
        found: usize,
    },
    /// A player of the game.
    Player {
        /// The player given.
        found: usize,
        /// The players of the game; the last one has the number before.
        players: usize,
    },
    /// A game that gives its moves codes ([`MoveCodes`](crate::game::MoveCodes)).
    MoveCodes,
    /// Moves with codes to learn by
    /// ([`RolloutPolicy::move_codes`](crate::RolloutPolicy::move_codes)).
    CodesToLearn,
    /// An evaluation: [`cut_off`](crate::MctsBuilder::cut_off) or
    /// [`prior`](crate::MctsBuilder::prior).
    Evaluation,
    /// [`proofs`](crate::MctsBuilder::proofs) that are on.
    Proofs,
    /// No [`warm_up`](crate::MctsBuilder::warm_up).
    NoWarmUp,
    /// Another selection than [GRAVE](crate::mcts::Grave).
    NoGrave,
    /// Another selection than [progressive history](crate::mcts::ProgressiveHistory).
    NoHistory,
    /// Another selection than [UCB1-Tuned](crate::mcts::Selection::Ucb1Tuned).
    NoUcb1Tuned,
    /// No [`select_by`](crate::MctsBuilder::select_by).
    NoSelectBy,
    /// A [selection policy](crate::mcts::SelectionPolicy) that needs no squares.
    NoSquares,
    /// A [`network`](crate::MctsBuilder::network).
    Network,
    /// No [`network`](crate::MctsBuilder::network).
    NoNetwork,
    /// Another expansion than [`Everything`](crate::mcts::Expansion::Everything).
    NotEverything,
}

impl Requirement {
    /// What was expected, in words.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::TwoPlayers { .. } => "a game of two players",
            Self::Player { .. } => "a player of the game",
            Self::MoveCodes => {
                "a game that gives its moves codes (GameState::move_codes) with GRAVE"
            }
            Self::CodesToLearn => {
                "a game that gives its moves codes (RolloutPolicy::move_codes) to learn by"
            }
            Self::Evaluation => "cut_off or prior",
            Self::Proofs => "proofs beside it",
            Self::NoWarmUp => "no warm_up beside it",
            Self::NoGrave => "another selection than GRAVE, which has its own",
            Self::NoHistory => "another selection than progressive history, which has its own",
            Self::NoUcb1Tuned => "another selection than UCB1-Tuned",
            Self::NoSelectBy => "no select_by beside it",
            Self::NoSquares => "a selection that needs no squares",
            Self::Network => "a network with PUCT",
            Self::NoNetwork => "no network beside it",
            Self::NotEverything => "at most one new position for each simulation with a network",
        }
    }

    /// What was found, in words.
    pub(super) fn found(self) -> String {
        match self {
            Self::TwoPlayers { found } => format!("a game of {found} players"),
            Self::Player { found, players } => format!("player {found} of {players}"),
            Self::MoveCodes | Self::CodesToLearn => "one that gives none".into(),
            Self::Evaluation => "neither".into(),
            Self::Proofs => "proofs that are off".into(),
            Self::NoWarmUp | Self::NoNetwork | Self::NoSelectBy => "one".into(),
            Self::NoSquares => "one that does".into(),
            Self::Network => "none".into(),
            Self::NotEverything => "one of every position".into(),
            Self::NoGrave | Self::NoHistory | Self::NoUcb1Tuned => "it".into(),
        }
    }
}

/// A number of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number, of any type that a setter takes.
    Whole(i128),
    /// Any number; `NaN` is out of every range.
    Real(f64),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => fmt::Display::fmt(number, f),
            Self::Real(number) => fmt::Display::fmt(number, f),
        }
    }
}

impl From<u32> for Number {
    fn from(number: u32) -> Self {
        Self::Whole(number.into())
    }
}

impl From<i32> for Number {
    fn from(number: i32) -> Self {
        Self::Whole(number.into())
    }
}

impl From<usize> for Number {
    fn from(number: usize) -> Self {
        Self::Whole(number as i128)
    }
}

impl From<f64> for Number {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}
