//! Why a search could not be run, or broke a law of the game.

use crate::budget::Quantity;
use crate::evaluate::{NetworkError, VALUE_LIMIT};
use crate::game::{Failure, GameState, Outcome};

/// Why a search could not be run, or broke a law of [`GameState`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The position to be searched is the end of a game.
    #[error("expected a position with a side to move, found a finished game ({0:?})")]
    GameOver(Outcome),
    /// The game could not go on, for a reason [of its own](GameState::failure).
    #[error("expected a game that can go on, found that it has failed: {0}")]
    Game(#[source] Failure),
    /// The budget has no limit, so the search might never end.
    #[error(
        "expected a budget with a limit (time, simulations, nodes, bytes, depth or a stop token), \
         found none"
    )]
    Unlimited,
    /// The budget counts simulations, and the searcher makes none.
    #[error(
        "expected a budget of time or positions for a search that makes no simulations, found one \
         of {found} simulations"
    )]
    Simulations {
        /// The limit of simulations.
        found: u64,
    },
    /// The budget has a rule that could never stop the search, as the search does not count what
    /// the rule waits for.
    #[error("expected rules that can stop {searcher}, found {found}, which waits for {quantity}")]
    Uncounted {
        /// What searches.
        searcher: &'static str,
        /// The rule, as `Debug` shows it.
        found: String,
        /// What the rule waits for.
        quantity: Quantity,
    },
    /// The game is not over and has no legal move.
    #[error("expected a legal move while the game goes on, found none after {plies} plies")]
    NoMoves {
        /// Plies played in the position.
        plies: u32,
    },
    /// A [rollout policy](crate::RolloutPolicy) has no move where the game goes on and there are some.
    #[error("expected a move of the rollout policy after {plies} plies, found none")]
    PolicyMove {
        /// Plies played in the position.
        plies: u32,
    },
    /// The position has other moves, or another side to move, in the table that was loaded: that is
    /// of another game, or of another version of its rules, or was changed. [`Mcts::forget`]
    /// forgets it.
    ///
    /// [`Mcts::forget`]: crate::Mcts::forget
    #[error(
        "expected a loaded table with the legal moves of the position after {plies} plies, found \
         other moves"
    )]
    ForeignTable {
        /// Plies played in the position.
        plies: u32,
    },
    /// More legal moves than an edge can number.
    #[error("expected at most 65535 legal moves, found {found} after {plies} plies")]
    TooManyMoves {
        /// How many there are.
        found: usize,
        /// Plies played in the position.
        plies: u32,
    },
    /// The game named a side to move that it does not have.
    #[error("expected a side to move below {players}, found {found} after {plies} plies")]
    Mover {
        /// The side named.
        found: usize,
        /// `GameState::PLAYERS`.
        players: usize,
        /// Plies played in the position.
        plies: u32,
    },
    /// An outcome is not one of the game: its winner is no player, or the scores of two players do
    /// not add up to 1.
    #[error(
        "expected an outcome for {players} players, the scores of two adding up to 1, found \
         {found:?} {position}"
    )]
    Outcome {
        /// The outcome given.
        found: Outcome,
        /// `GameState::PLAYERS`.
        players: usize,
        /// Where: plies played, and the legal moves if the game goes on there.
        position: String,
    },
    /// An evaluation values a position beyond [`VALUE_LIMIT`].
    #[error(
        "{evaluation}: expected a value from -{limit} to {limit}, found {found} {position}",
        limit = VALUE_LIMIT
    )]
    Value {
        /// The type of the evaluation.
        evaluation: &'static str,
        /// Its value.
        found: i32,
        /// Where: plies played, and the legal moves.
        position: String,
    },
    /// An evaluation makes of a value what is no win rate.
    #[error(
        "{evaluation}: expected a win rate in [0, 1], found {found} for the value {value} \
         {position}"
    )]
    WinRate {
        /// The type of the evaluation.
        evaluation: &'static str,
        /// The value.
        value: i32,
        /// What it makes of it.
        found: f64,
        /// Where: plies played, and the legal moves.
        position: String,
    },
    /// A [network](crate::Network) has no answers, for a reason of its own.
    #[error("{network}: expected answers, found that it has failed: {error}")]
    Network {
        /// The type of the network.
        network: &'static str,
        /// Its own error.
        #[source]
        error: NetworkError,
    },
    /// The engine has no network, so there are no questions that the caller could answer.
    #[error("expected an engine with a network, whose questions are to be answered, found none")]
    NoNetwork,
    /// A network has answered a question with scores that are none, or with no value at all.
    #[error(
        "{network}: expected a score in [0, 1] for each player, those of two adding up to 1, found \
         {found:?} {position}"
    )]
    NetworkScores {
        /// The type of the network.
        network: &'static str,
        /// The scores; not a number where none was given.
        found: Vec<f32>,
        /// Where: plies played, and the legal moves.
        position: String,
    },
    /// A network has answered a question with a policy that no shares can be made of.
    #[error("{network}: expected a finite number for each move, found {found} {position}")]
    NetworkPolicy {
        /// The type of the network.
        network: &'static str,
        /// The first number that is not finite.
        found: f32,
        /// Where: plies played, and the legal moves.
        position: String,
    },
    /// A [selection policy](crate::mcts::SelectionPolicy) has picked a branch that is none, or that
    /// may not be picked.
    #[error(
        "{policy}: expected one of the {open} branches of {branches} that may be picked, found \
         branch {found} {position}"
    )]
    SelectionPick {
        /// The type of the policy.
        policy: &'static str,
        /// The place of the branch.
        found: usize,
        /// How many may be picked.
        open: usize,
        /// How many there are.
        branches: usize,
        /// Where: plies played, and the legal moves.
        position: String,
    },
    /// A [selection policy](crate::mcts::SelectionPolicy) has a score for a branch that is not a
    /// number.
    #[error(
        "{policy}: expected a score that is a number, found NaN for branch {branch} {position}"
    )]
    SelectionScore {
        /// The type of the policy.
        policy: &'static str,
        /// The place of the branch.
        branch: usize,
        /// Where: plies played, and the legal moves.
        position: String,
    },
    /// The points of the end of a game are out of their range.
    #[error(
        "expected points from -{most} to {most} of {outcome:?}, found {found} after {plies} plies"
    )]
    Points {
        /// The points given.
        found: i32,
        /// `Solvable::MAX_POINTS`.
        most: i32,
        /// How the game has ended.
        outcome: Outcome,
        /// Plies played in the position.
        plies: u32,
    },
    /// A move did not add one to the number of plies played, as
    /// [`GameState::plies`] must.
    #[error("expected one ply more than {before} after a move, found {found} plies")]
    Plies {
        /// Plies played before the move.
        before: u32,
        /// Plies played after it, by the game.
        found: u32,
    },
    /// A move that the search is to try, or to leave out, is not legal.
    #[error("expected moves that are legal after {plies} plies, found {found}")]
    IllegalMove {
        /// The move, as `Debug` shows it.
        found: String,
        /// Plies played in the position.
        plies: u32,
    },
    /// The search is to leave out every legal move.
    #[error("expected a move to search among the {legal} legal ones, found all of them left out")]
    NothingAllowed {
        /// How many there are.
        legal: usize,
    },
    /// The temperature is out of range.
    #[error("expected a temperature of at least 0 that is finite, found {found}")]
    Temperature {
        /// The one given.
        found: f64,
    },
    /// The search in the background has panicked, and the panic has reached the caller before.
    #[error("expected a search that ends with a report, found one that has panicked")]
    Panicked,
    /// The handle of the search was dropped, or gave its engine back, before the search had begun.
    #[error("expected a search that begins, found its handle dropped before")]
    Abandoned,
    /// The system has no thread left for a search in the background.
    #[error("expected a thread of the system for a search in the background, found none: {found}")]
    NoThread {
        /// What the system says.
        found: String,
    },
    /// The player whose strategy is asked for is not one of the game.
    #[error("expected a player below {players}, found {found}")]
    Player {
        /// The one given.
        found: usize,
        /// `GameState::PLAYERS`.
        players: usize,
    },
    /// A strategy is asked for in a game of three and more players, where no player can make sure
    /// of anything alone.
    #[error("expected a game of 1 or 2 players, found one of {players}")]
    ManyPlayers {
        /// `GameState::PLAYERS`.
        players: usize,
    },
    /// A line of play has not ended within the plies that a solver follows.
    #[error("expected every line of play to end within {plies} plies, found one that goes on")]
    TooDeep {
        /// The most plies.
        plies: u32,
    },
}

impl SearchError {
    /// The error as a name that stays the same from version to version, for programs that pass it
    /// on: `search.` and the variant.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::GameOver(_) => "search.game-over",
            Self::Game(_) => "search.game",
            Self::Unlimited => "search.unlimited",
            Self::Simulations { .. } => "search.simulations",
            Self::Uncounted { .. } => "search.uncounted",
            Self::NoMoves { .. } => "search.no-moves",
            Self::PolicyMove { .. } => "search.policy-move",
            Self::ForeignTable { .. } => "search.foreign-table",
            Self::TooManyMoves { .. } => "search.too-many-moves",
            Self::Mover { .. } => "search.mover",
            Self::Outcome { .. } => "search.outcome",
            Self::Value { .. } => "search.value",
            Self::WinRate { .. } => "search.win-rate",
            Self::Network { .. } => "search.network",
            Self::NoNetwork => "search.no-network",
            Self::NetworkScores { .. } => "search.network-scores",
            Self::NetworkPolicy { .. } => "search.network-policy",
            Self::SelectionPick { .. } => "search.selection-pick",
            Self::SelectionScore { .. } => "search.selection-score",
            Self::Points { .. } => "search.points",
            Self::Plies { .. } => "search.plies",
            Self::IllegalMove { .. } => "search.illegal-move",
            Self::NothingAllowed { .. } => "search.nothing-allowed",
            Self::Temperature { .. } => "search.temperature",
            Self::Panicked => "search.panicked",
            Self::Abandoned => "search.abandoned",
            Self::NoThread { .. } => "search.no-thread",
            Self::Player { .. } => "search.player",
            Self::ManyPlayers { .. } => "search.many-players",
            Self::TooDeep { .. } => "search.too-deep",
        }
    }

    /// That the side to move at this position is none of the game.
    #[cold]
    pub(crate) fn of_mover<G: GameState>(state: &G) -> Self {
        Self::Mover { found: state.mover(), players: G::PLAYERS, plies: state.plies() }
    }

    /// That a game or a rollout from this position has ended as none of the game can.
    #[cold]
    pub(crate) fn of_outcome<G: GameState>(found: Outcome, state: &G) -> Self {
        Self::Outcome { found, players: G::PLAYERS, position: where_is(state) }
    }

    /// That an evaluation values a position beyond [`VALUE_LIMIT`].
    #[cold]
    pub(crate) fn of_value<G: GameState>(evaluation: &'static str, found: i32, state: &G) -> Self {
        Self::Value { evaluation, found, position: where_is(state) }
    }

    /// That an evaluation makes no win rate of a value.
    #[cold]
    pub(crate) fn of_win_rate<G: GameState>(
        evaluation: &'static str,
        (value, found): (i32, f64),
        state: &G,
    ) -> Self {
        Self::WinRate { evaluation, value, found, position: where_is(state) }
    }
}

/// What a network may not answer.
impl SearchError {
    /// That a network answers with scores that are none of the game.
    #[cold]
    pub(crate) fn of_network_scores<G: GameState>(
        network: &'static str,
        found: &[f32],
        state: &G,
    ) -> Self {
        Self::NetworkScores { network, found: found.to_vec(), position: where_is(state) }
    }

    /// That a network answers with a policy that is none.
    #[cold]
    pub(crate) fn of_network_policy<G: GameState>(
        network: &'static str,
        found: f32,
        state: &G,
    ) -> Self {
        Self::NetworkPolicy { network, found, position: where_is(state) }
    }
}

/// What a selection policy may not answer.
impl SearchError {
    /// That a policy has picked a branch which it may not, where there are some branches and fewer
    /// that are open.
    #[cold]
    pub(crate) fn of_selection_pick<G: GameState>(
        policy: &'static str,
        found: usize,
        (open, branches): (usize, usize),
        state: &G,
    ) -> Self {
        Self::SelectionPick { policy, found, open, branches, position: where_is(state) }
    }

    /// That a policy has a score that is not a number.
    #[cold]
    pub(crate) fn of_selection_score<G: GameState>(
        policy: &'static str,
        branch: usize,
        state: &G,
    ) -> Self {
        Self::SelectionScore { policy, branch, position: where_is(state) }
    }
}

/// The most moves by which a position is distinguished from others.
const MOVES_SHOWN: usize = 8;

/// Which position this is, as far as any game can say.
fn where_is<G: GameState>(state: &G) -> String {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let shown: Vec<_> = moves.iter().take(MOVES_SHOWN).collect();
    let plies = state.plies();
    match moves.len() {
        0 => format!("after {plies} plies"),
        count if count <= MOVES_SHOWN => {
            format!("after {plies} plies, where the moves are {shown:?}")
        }
        count => format!("after {plies} plies, where the first of {count} moves are {shown:?}"),
    }
}
