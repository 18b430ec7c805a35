//! The one trait that a game implements, how a game ends, and how it is played out.

use std::fmt::{self, Debug};
use std::hash::Hash;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};

use crate::proven::Proven;

mod failure;
mod played;
mod rollout;

pub use crate::repetition::{Line, Record};
pub use failure::Failure;
pub use played::Played;
pub(crate) use rollout::DefaultUse;
pub use rollout::{MoveCodes, MoveCoding, RolloutPolicy, UniformMoves, random_move};

/// The most players a game can have.
pub const MAX_PLAYERS: usize = 8;

/// The most rollouts that a policy is asked for at a time.
pub(crate) const MOST_ROLLOUTS_AT_ONCE: usize = 64;

/// A position of a turn-based game: what the user of the library writes.
///
/// Six methods and two types are **supplied** by the game; everything else is
/// **provided** and is overridden only where it pays. A value of the type is one
/// position; the search clones positions freely and sends them between threads, so they
/// should be small (a few machine words for a bitboard game).
///
/// # Laws
/// A search believes a game; one that breaks a law gets wrong answers and false proofs, and an
/// error only where that costs nothing to see. [`testing::check_game`](crate::testing::check_game)
/// checks these laws on random games, in this order:
/// - `key`, `mover`, `plies`, `moves` and `outcome` are functions of the position: they give the
///   same answer each time, and for a clone;
/// - `mover` is below [`PLAYERS`](Self::PLAYERS), at the end of the game too;
/// - `moves` is empty exactly if `outcome` is `Some`, and holds no move twice;
/// - an outcome names a player of the game, and two players share one point;
/// - `apply` is a function of the position and the move: the same move leads to the same position
///   each time it is played. So there is no chance in it: dice and hidden cards are no part of
///   such a game;
/// - `apply` gives a position with one more ply, and leaves `self` as it was;
/// - positions that are equal for all future play have equal keys, and positions with
///   equal keys have the same mover, moves and outcome, now and after each move;
/// - no position comes again from before the last of its
///   [`reversible_plies`](Self::reversible_plies);
/// - `apply_in_place`, if overridden, does what `apply` does;
/// - [`may_end`](Self::may_end) says yes of each move that ends the game at once;
/// - the [rollout policy](RolloutPolicy) that a game offers plays legal moves, and its whole games
///   are such as its moves make, one by one;
/// - games of random moves end, and no method panics.
///
/// # Cycles
/// A key that leaves out the history makes positions that come again equal. A game then ends
/// when one is there for the time that [`REPETITIONS`] says ([`Record`]). A search
/// ends a line at the first return, be it to a position of its own path or to one that was
/// played before its root; the verdict of [`repetition`] stays out of the shared statistics.
///
/// # Failures
/// A game whose rules run elsewhere may be unable to go on. It says [`Outcome::Failed`] then, and
/// why as its [`failure`](Self::failure): the search ends with that error.
///
/// # Panics
/// A panic in the game's own code ends the search and reaches the caller of the search;
/// the searcher stays usable.
///
/// [`repetition`]: GameState::repetition
/// [`reversible_plies`]: GameState::reversible_plies
/// [`REPETITIONS`]: GameState::REPETITIONS
///
/// # Examples
/// Nim with one pile: take one, two or three; the player who takes the last one wins.
/// ```
/// use playtree::{GameState, Outcome};
///
/// #[derive(Clone)]
/// struct Pile { left: u32, plies: u32 }
///
/// impl GameState for Pile {
///     type Key = (u32, usize);
///     type Move = u32;
///     fn key(&self) -> Self::Key { (self.left, self.mover()) }
///     fn mover(&self) -> usize { self.plies as usize % 2 }
///     fn plies(&self) -> u32 { self.plies }
///     fn moves(&self, moves: &mut Vec<u32>) { moves.extend(1..=self.left.min(3)) }
///     fn outcome(&self) -> Option<Outcome> {
///         (self.left == 0).then(|| Outcome::Win(1 - self.mover()))
///     }
///     fn apply(&self, take: &u32) -> Self {
///         Pile { left: self.left - take, plies: self.plies + 1 }
///     }
/// }
/// ```
///
/// # Sizes
/// A position, a key and a move are kept on the stack, some of each at a time: builders refuse one
/// of more than 64 KiB, what it points to aside.
pub trait GameState: Clone + Send + Sync {
    /// Identifies a position: two positions with the same key share their statistics.
    type Key: Clone + Eq + Hash + Send + Sync;
    /// A move. Compared with `==` and shown with `Debug`.
    type Move: Clone + PartialEq + Debug + Send + Sync;

    /// The number of players, 1 to [`MAX_PLAYERS`]. Two players are zero-sum; with three
    /// and more each maximises his own score (max^n, Luckhardt and Irani 1986).
    ///
    /// Another number is an error of the compiler where the game is searched or checked:
    /// ```compile_fail
    /// # use playtree::{GameState, Mcts, Outcome};
    /// # #[derive(Clone)]
    /// # struct Nine;
    /// impl GameState for Nine {
    ///     const PLAYERS: usize = 9;
    /// #   type Key = u8;
    /// #   type Move = u8;
    /// #   fn key(&self) -> u8 { 0 }
    /// #   fn mover(&self) -> usize { 0 }
    /// #   fn plies(&self) -> u32 { 0 }
    /// #   fn moves(&self, moves: &mut Vec<u8>) {}
    /// #   fn outcome(&self) -> Option<Outcome> { None }
    /// #   fn apply(&self, _: &u8) -> Self { Nine }
    ///     // ...
    /// }
    /// let mcts = Mcts::<Nine>::builder().build();
    /// ```
    const PLAYERS: usize = 2;

    /// The time for which a position must be there for a game to end by
    /// [repetition](Self::repetition), at least 2. A search ends a line at the second time.
    const REPETITIONS: usize = 3;

    /// The key of this position. It must tell who is to move.
    fn key(&self) -> Self::Key;

    /// The side to move, in `0..PLAYERS`. At the end of the game any player may be named.
    fn mover(&self) -> usize;

    /// The number of plies played since the start of the game: each move adds one, whatever the key
    /// tells. By it the Monte Carlo search sees that a line of play returns to a position; one that
    /// does not count ends that search with [`SearchError::Plies`](crate::SearchError::Plies).
    fn plies(&self) -> u32;

    /// Appends the legal moves to `moves`, in an order fixed by the position; nothing at
    /// the end of the game.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// How the game has ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The position after a legal move: the same one each time.
    fn apply(&self, mv: &Self::Move) -> Self;

    /// Plays a legal move on this position. Provided: replaces `self` by [`apply`].
    ///
    /// [`apply`]: GameState::apply
    #[inline]
    fn apply_in_place(&mut self, mv: &Self::Move) {
        *self = self.apply(mv);
    }

    /// The plies, up to this position, since the last move that cannot be undone: no position
    /// before that move can come again. Provided: `u32::MAX`, nothing is known of that. A game in
    /// which nothing comes again says 0, and pays nothing for the rule of repetition.
    #[inline]
    fn reversible_plies(&self) -> u32 {
        u32::MAX
    }

    /// What this position is compared by with others of the same game to find a repetition, if
    /// that is not its [`key`](Self::key): a key that tells the plies to a draw, say, without
    /// them. Provided: `None`.
    #[inline]
    fn repetition_key(&self) -> Option<Self::Key> {
        None
    }

    /// The verdict on a position that has come again.
    ///
    /// `line` holds the positions before it, since the last move that
    /// [cannot be undone](Self::reversible_plies): those of the game where it is known, then those
    /// of the search. In a game this position has been among them `REPETITIONS - 1` times, in a
    /// search at least once. The line is empty for a random game that was broken off because it
    /// had become too long. Provided: a draw.
    #[inline]
    fn repetition(&self, line: &Line<'_, Self>) -> Outcome {
        let _ = line;
        Outcome::Draw
    }

    /// Why the game cannot go on, if that is so. Asked only where a search ends with an error, and
    /// of the position that was searched, not of the one that has failed: all positions of a game
    /// should know it. Provided: `None`, the game does not fail.
    #[inline]
    fn failure(&self) -> Option<Failure> {
        None
    }

    /// How the game ends with best play, for the side to move, if the position shows it without a
    /// search: a move that wins at once, or two threats and one move to answer them. With a win or
    /// a loss go the plies to the end of the game, at least 1. Provided: `None`.
    ///
    /// The Monte Carlo search takes it for proven, if it keeps
    /// [proofs](crate::MctsBuilder::proofs): it asks, where the game goes on, each position that a
    /// branch leads to when it gives a position its branches. So it should mostly take no longer
    /// than to list the [moves](Self::moves). Not asked with more than two players. It must be so
    /// whatever was played before: no repetition may come between. A game that is
    /// [solvable](crate::Solvable) may hand on what is certain there: `self.limits().proven()`.
    #[inline]
    fn foreseen(&self) -> Option<Proven> {
        None
    }

    /// Tells of each legal move whether it may end the game, now or as is
    /// [foreseen](Self::foreseen) after it: a question that is asked of each, once this has been
    /// worked out for the position. Provided: all of them may.
    ///
    /// A search that keeps [proofs](crate::MctsBuilder::proofs) looks at what these moves lead to
    /// when it gives a position its branches, and not at what the others do, so it is worth it where
    /// few moves can. It must say so of each move that ends the game at once.
    #[inline]
    fn may_end(&self) -> impl Fn(&Self::Move) -> bool {
        |_| true
    }

    /// How a search plays games out, unless it is given another [policy](RolloutPolicy): one that
    /// is faster, or plays better moves. Provided: [uniformly random moves](UniformMoves).
    #[inline]
    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        UniformMoves
    }

    /// The codes of the moves, if the game [has them](MoveCodes) and searches should use them, by
    /// default or [where they are asked to](MoveCoding::by_choice). Provided: `None`.
    #[inline]
    fn move_codes() -> Option<MoveCoding<Self>> {
        None
    }
}

/// A game whose keys and moves can be written to a file: every [`GameState`] whose two
/// types have serde's traits. There is nothing to implement.
pub trait Saveable:
    GameState<Key: Serialize + DeserializeOwned, Move: Serialize + DeserializeOwned>
{
}

impl<G> Saveable for G where
    G: GameState<Key: Serialize + DeserializeOwned, Move: Serialize + DeserializeOwned>
{
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// This player has won (score 1), every other player has lost (score 0).
    Win(#[serde(deserialize_with = "player")] usize),
    /// No player has won: score 1/2 for each.
    Draw,
    /// A score for each player.
    Scores(Scores),
    /// The game could not go on, as its [failure](GameState::failure) says. It has not ended: a
    /// search that comes here ends with an error. Score 0 for each.
    Failed,
}

/// Reads the number of a player.
fn player<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let found = usize::deserialize(deserializer)?;
    if found < MAX_PLAYERS {
        return Ok(found);
    }
    Err(D::Error::custom(format!("expected a player below {MAX_PLAYERS}, found {found}")))
}

/// That [`GameState::PLAYERS`] is in its range: an error of the compiler if not.
pub(crate) const fn assert_players<G: GameState>() {
    const {
        assert!(1 <= G::PLAYERS && G::PLAYERS <= MAX_PLAYERS, "GameState::PLAYERS is 1 to 8");
    }
}

/// By how much the scores of two players may miss a point together.
pub(crate) const SUM_TOLERANCE: f64 = 1e-9;

impl Outcome {
    /// Whether it names a player of the game, and two players share one point.
    #[inline]
    pub(crate) fn is_of<G: GameState>(&self) -> bool {
        match self {
            Outcome::Win(winner) => *winner < G::PLAYERS,
            Outcome::Draw => true,
            Outcome::Scores(scores) => {
                G::PLAYERS != 2 || (scores.get(0) + scores.get(1) - 1.0).abs() <= SUM_TOLERANCE
            }
            Outcome::Failed => false,
        }
    }

    /// The score of `player`, in `[0, 1]`: 1 a win, 1/2 a draw, 0 a loss.
    #[inline]
    #[must_use]
    pub fn score(&self, player: usize) -> f64 {
        match self {
            Outcome::Win(winner) => f64::from(u8::from(*winner == player)),
            Outcome::Draw => 0.5,
            Outcome::Scores(scores) => scores.get(player),
            Outcome::Failed => 0.0,
        }
    }
}

/// A score in `[0, 1]` for each of up to [`MAX_PLAYERS`] players; 0 for a player not given.
///
/// For two players the scores must add up to 1 (zero-sum).
///
/// Serialized they are a list, without the zeros at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "Vec<f64>", try_from = "Vec<f64>")]
pub struct Scores([f64; MAX_PLAYERS]);

impl Scores {
    /// The given scores, the first player's first.
    ///
    /// # Errors
    /// If there are more than [`MAX_PLAYERS`], or one is not in `[0, 1]`.
    pub fn new(scores: &[f64]) -> Result<Self, ScoresError> {
        if scores.len() > MAX_PLAYERS {
            return Err(ScoresError::TooMany { found: scores.len() });
        }
        if let Some((player, &found)) =
            scores.iter().enumerate().find(|(_, s)| !(0.0..=1.0).contains(*s))
        {
            return Err(ScoresError::OutOfRange { player, found });
        }
        let mut all = [0.0; MAX_PLAYERS];
        all[..scores.len()].copy_from_slice(scores);
        Ok(Self(all))
    }

    /// The score of `player`, in `[0, 1]`; 0 if `player` is out of range.
    #[inline]
    #[must_use]
    pub fn get(&self, player: usize) -> f64 {
        self.0.get(player).copied().unwrap_or(0.0)
    }
}

/// What is written of scores.
impl From<Scores> for Vec<f64> {
    fn from(scores: Scores) -> Self {
        let count = scores.0.iter().rposition(|&score| score != 0.0).map_or(0, |last| last + 1);
        scores.0[..count].to_vec()
    }
}

impl TryFrom<Vec<f64>> for Scores {
    type Error = ScoresError;

    fn try_from(scores: Vec<f64>) -> Result<Self, ScoresError> {
        Self::new(&scores)
    }
}

/// Why [`Scores::new`] refused its input.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScoresError {
    /// More scores than players.
    #[error("expected at most {MAX_PLAYERS} scores, found {found}")]
    TooMany {
        /// How many were given.
        found: usize,
    },
    /// A score outside `[0, 1]`.
    #[error("expected a score in [0, 1] for player {player}, found {found}")]
    OutOfRange {
        /// Whose score.
        player: usize,
        /// The score given.
        found: f64,
    },
}

/// A game whose positions and moves can be written down.
///
/// Separate from [`GameState`], so that a game that is only searched needs no text. The
/// reference games implement it; the command line needs nothing else of them.
pub trait Notation: GameState {
    /// The position in the game's text form; `parse_position` reads it back.
    fn position_text(&self) -> String;

    /// Reads the text form of a position.
    ///
    /// # Errors
    /// If the text is not a position: what was expected, what was found, and where.
    fn parse_position(text: &str) -> Result<Self, NotationError>;

    /// A move of this position as text.
    fn move_text(&self, mv: &Self::Move) -> String;

    /// Reads a legal move of this position.
    ///
    /// # Errors
    /// If the text is no move, or the move is not legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// The board for a person to look at: a few lines, no trailing line feed.
    fn board_text(&self) -> String;
}

/// A text that is not a position or not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct NotationError {
    /// What would have been right.
    pub expected: String,
    /// What was there, and where.
    pub found: String,
}

impl NotationError {
    /// An error that says what was expected and what was found.
    pub fn new(expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self { expected: expected.to_string(), found: found.to_string() }
    }
}
