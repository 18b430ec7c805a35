//! Checks that any game can run on itself.
//!
//! [`check_game`], [`check_rollouts`], [`check_notation`] and [`check_solvable`] play random games
//! and compare what a game says with the laws of [`GameState`], [`Notation`](crate::Notation) and
//! [`Solvable`](crate::Solvable); [`perft`], [`leaves`] and [`positions`] count, so that the rules
//! can be compared with published numbers. A game of your own needs one test:
//!
//! ```
//! # #[cfg(feature = "games")] {
//! use playtree::games::TicTacToe;
//! use playtree::testing::{check_game, check_notation, check_solvable};
//!
//! check_game(&TicTacToe::new(), 200, 1)?;
//! check_notation(&TicTacToe::new(), 20, 1)?;
//! check_solvable(&TicTacToe::new(), 200, 1)?;
//! # }
//! # Ok::<(), playtree::testing::LawBroken>(())
//! ```

mod counts;
mod notation;
mod reversible;
mod rollouts;
mod rules;
mod solving;

use std::fmt;
use std::panic::{self, AssertUnwindSafe};

use crate::game::{GameState, assert_players};
use crate::rng::Rng;

pub use counts::{leaves, perft, positions};
pub use notation::check_notation;
pub use rollouts::{check_rollouts, check_uniform};
pub use rules::check_game;
pub use solving::check_solvable;

/// A random game is given up after this many plies: it may go in circles.
const LONGEST_GAME: u32 = 10_000;
/// If this many random games were given up, and none has ended, the check is at an end.
const ENDLESS_GAMES: usize = 8;

/// A law that a game has broken, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{law}: expected {expected}, found {found} ({place})")]
pub struct LawBroken {
    /// Which law.
    pub law: Law,
    /// What the law asks for.
    pub expected: String,
    /// What the game did.
    pub found: String,
    /// Where in the random games.
    pub place: Place,
}

/// A position in the random games of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the random game, from 0.
    pub game: usize,
    /// Plies played in it, from the position that the check began with.
    pub ply: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, ply {}", self.game, self.ply)
    }
}

impl Place {
    fn broken(self, law: Law, expected: impl fmt::Display, found: impl fmt::Display) -> LawBroken {
        LawBroken { law, expected: expected.to_string(), found: found.to_string(), place: self }
    }
}

/// The laws that [`check_game`], [`check_notation`] and [`check_solvable`] know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Law {
    /// No method panics on a position of the game.
    #[error("no method of the game panics")]
    NoPanic,
    /// Some game of random moves ends within 10 000 plies.
    #[error("games of random moves end")]
    Ends,
    /// `key`, `mover`, `plies`, `moves` and `outcome` are functions of the position: they give the
    /// same answer each time, and for a clone.
    #[error("a position, and a clone of it, give the same answers each time")]
    SameAnswers,
    /// `apply` is a function of the position and the move: no chance.
    #[error("a move leads from a position to the same one each time it is played")]
    SameMove,
    /// `mover` is below `PLAYERS`.
    #[error("the side to move is one of the players")]
    Mover,
    /// `moves` is empty exactly if `outcome` is `Some`.
    #[error("there are moves exactly while the game goes on")]
    MovesUntilTheEnd,
    /// `moves` holds no move twice.
    #[error("no move is listed twice")]
    DistinctMoves,
    /// `moves` appends, and gives the same moves in the same order each time.
    #[error("moves are appended in an order fixed by the position")]
    FixedMoves,
    /// An outcome names a player of the game, its scores are in `[0, 1]`, and those of
    /// two players add up to 1.
    #[error("an outcome gives each player a score in [0, 1], two players 1 together")]
    Scores,
    /// `apply` gives one more ply.
    #[error("a move is one ply")]
    Plies,
    /// `apply` leaves the position as it was.
    #[error("playing a move leaves the old position as it was")]
    Unchanged,
    /// Positions with equal keys have the same mover, moves and outcome, and so have those that the
    /// same move leads to from each of them.
    #[error("equal keys mean the same side to move, moves and outcome, now and after each move")]
    Keys,
    /// No position comes again from before the last of its `reversible_plies`.
    #[error("no position comes again from before its reversible plies")]
    ReversiblePlies,
    /// An end that is [foreseen](crate::GameState::foreseen) can be forced, within its plies.
    #[error("an end that is foreseen can be forced, within its plies")]
    Foreseen,
    /// A move that ends the game at once is one that [may end](crate::GameState::may_end) it.
    #[error("a move that ends the game at once may end it")]
    MayEnd,
    /// `apply_in_place` does what `apply` does.
    #[error("apply_in_place does what apply does")]
    ApplyInPlace,
    /// The moves of a rollout policy are legal, and there is one while the game goes on.
    #[error("a rollout policy plays legal moves")]
    PolicyMove,
    /// A rollout policy names a move that [wins at once](crate::RolloutPolicy::winning_move) where
    /// there is one, and no other move.
    #[error("a rollout policy names a move that wins at once where there is one")]
    WinningMove,
    /// A rollout policy draws each legal move equally often.
    #[error("a rollout policy draws each legal move equally often")]
    UniformMoves,
    /// Whole rollouts, also side by side, give each outcome as often as the moves of the policy do.
    #[error("a rollout ends as the moves of its policy do")]
    Rollout,
    /// A rollout that notes its moves notes the first move for the side to move.
    #[error("a rollout that notes its moves notes the first one")]
    Noting,
    /// `parse_position` reads what `position_text` wrote.
    #[error("the text of a position reads back")]
    PositionText,
    /// `parse_move` reads what `move_text` wrote, and only legal moves.
    #[error("the text of a move reads back, and only legal moves do")]
    MoveText,
    /// `board_text` does not end in a line feed.
    #[error("the board ends without a line feed")]
    BoardText,
    /// No position comes again on a line of play
    /// ([`Solvable::SETTLED_BY_KEY`](crate::Solvable::SETTLED_BY_KEY)).
    #[error("no position of a game to be solved comes again")]
    NoRepetition,
    /// Positions with equal keys are worth the same, in points and plies.
    #[error("what a position is worth depends on its key alone")]
    SettledByKey,
    /// `points` are at most `MAX_POINTS` both ways, those of two players cancel out, more than half
    /// a point of score has more than 0, half a point 0, less has less, and of two
    /// [scores](crate::Outcome::Scores) the higher one has more points.
    #[error("points are those of the outcome, within MAX_POINTS, and of two players 0 together")]
    Points,
    /// A position is worth no less than the least of its `limits`, and no more than the most.
    #[error("a position is worth what its limits allow")]
    Limits,
    /// `points_at_once` gives the points of best play, or a limit of them beyond the window.
    #[error("points found at once are those of best play")]
    PointsAtOnce,
    /// Positions with equal canonical keys are worth the same to their sides to move.
    #[error("positions with the same canonical key are worth the same")]
    CanonicalKey,
    /// `moves_to_solve` appends legal moves, at least one, and a best one is among them.
    #[error("moves to solve are appended, legal, and a best one is among them")]
    MovesToSolve,
}

fn legal<G: GameState>(state: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
}

/// At most `most` of the moves, drawn at random if there are more, each with its number.
fn sample<'a, M>(
    moves: &'a [M],
    most: usize,
    rng: &mut Rng,
) -> impl Iterator<Item = (usize, &'a M)> + use<'a, M> {
    // One of each stretch of the list.
    let (count, parts) = (moves.len(), most.min(moves.len()));
    let numbers: Vec<usize> = (0..parts)
        .map(|part| {
            let (first, end) = (part * count / parts, (part + 1) * count / parts);
            first + rng.below(end - first)
        })
        .collect();
    numbers.into_iter().map(move |number| (number, &moves[number]))
}

/// Plays random games from `start`, choosing among `moves`, and shows each position to
/// `see` with its legal moves. A panic of the game is an error, as are games that do not end.
fn random_games<G: GameState>(
    start: &G,
    games: usize,
    rng: &mut Rng,
    mut see: impl FnMut(&G, &[G::Move], Place, &mut Rng) -> Result<(), LawBroken>,
) -> Result<(), LawBroken> {
    assert_players::<G>();
    let mut has_ended = false;
    for game in 0..games {
        let mut place = Place { game, ply: 0 };
        has_ended |= guarded(&mut place, |place| {
            let mut state = start.clone();
            loop {
                let moves = legal(&state);
                see(&state, &moves, *place, rng)?;
                let Some(mv) = moves.get(rng.below(moves.len())) else { return Ok(true) };
                if place.ply == LONGEST_GAME {
                    return Ok(false);
                }
                state = state.apply(mv);
                place.ply += 1;
            }
        })?;
        if !has_ended && (game + 1 == games || game + 1 == ENDLESS_GAMES) {
            let expected = format!("a game of random moves that ends within {LONGEST_GAME} plies");
            let found = format!("none of {}", game + 1);
            return Err(place.broken(Law::Ends, expected, found));
        }
    }
    Ok(())
}

/// Does a part of a check. A panic there becomes an error that says where.
fn guarded<T>(
    place: &mut Place,
    part: impl FnOnce(&mut Place) -> Result<T, LawBroken>,
) -> Result<T, LawBroken> {
    match panic::catch_unwind(AssertUnwindSafe(|| part(place))) {
        Ok(done) => done,
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().copied();
            let text = text.or(payload.downcast_ref::<String>().map(String::as_str));
            let found = format!("a panic: {}", text.unwrap_or("without a text"));
            Err(place.broken(Law::NoPanic, "an answer", found))
        }
    }
}
