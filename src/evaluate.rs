//! What is known of a game besides its rules: the worth of a position, and hints for a search.

use crate::game::GameState;
use crate::maths::logistic;

/// The greatest amount that [`Evaluate::evaluate`] may answer, on both sides of 0.
pub const VALUE_LIMIT: i32 = 1_000_000;

/// Whether an evaluation may answer this.
#[inline]
pub(crate) fn is_value(value: i32) -> bool {
    (-VALUE_LIMIT..=VALUE_LIMIT).contains(&value)
}

/// Knowledge of a two-player game: what a position is worth before the game has ended.
///
/// One method is **supplied**; the others are hints that make a search faster or deeper and are
/// **provided** as "nothing is known". A type of this kind is shared by all workers of a search.
///
/// # Units
/// Values are whole numbers for the side to move: above 0 it is better off, 0 is an even game
/// or a draw. The unit is the evaluator's own, and it says which; by custom a hundred is the
/// smallest advantage that decides a game between masters (a pawn). Proven wins and losses are no
/// values: the search keeps them apart. A value or a win rate out of its range ends the search with
/// [`SearchError::Evaluation`](crate::SearchError::Evaluation).
///
/// # Examples
/// Othello, by the number of moves:
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::games::Othello;
/// use playtree::{Evaluate, GameState};
///
/// struct Moves;
///
/// impl Evaluate<Othello> for Moves {
///     /// The number of moves.
///     fn evaluate(&self, state: &Othello) -> i32 {
///         let mut moves = Vec::new();
///         state.moves(&mut moves);
///         moves.len() as i32
///     }
/// }
/// assert_eq!(Moves.evaluate(&Othello::new()), 4);
/// # }
/// ```
pub trait Evaluate<G: GameState>: Send + Sync {
    /// The value of a position in which the game goes on, for the side to move there, from
    /// `-`[`VALUE_LIMIT`] to [`VALUE_LIMIT`].
    fn evaluate(&self, state: &G) -> i32;

    /// The chance of the side to move, in `[0, 1]`, that a value means: what its expected score
    /// would be between equal players. Provided: the logistic curve on which 100 is 64 %, as 100
    /// points of Elo are (`1 / (1 + 10^(-value / 400))`).
    #[inline]
    fn win_rate(&self, value: i32) -> f64 {
        logistic(f64::from(value) * (std::f64::consts::LN_10 / 400.0))
    }

    /// How promising a move looks, for the order of search: higher ones first; equal ones stay in
    /// the order of [`GameState::moves`]. A capture or another move that changes much should have
    /// at least 1; 0 and less is for quiet moves, which the search orders by its experience.
    /// Provided: 0.
    #[inline]
    fn promise(&self, state: &G, mv: &G::Move) -> i32 {
        let _ = (state, mv);
        0
    }

    /// Names a move for the tables of experience (killers and history) whatever the position:
    /// below 65 536, the same number for moves that are alike. Provided: `None`, which keeps no
    /// experience.
    #[inline]
    fn slot(&self, state: &G, mv: &G::Move) -> Option<u16> {
        let _ = (state, mv);
        None
    }

    /// Appends the legal moves that may change the value at once (captures, promotions): a
    /// position is only evaluated when the search has looked at these (quiescence search).
    /// Called only where [`is_forced`](Self::is_forced) is false. Provided: none, so positions are evaluated as they
    /// are.
    #[inline]
    fn noisy_moves(&self, state: &G, moves: &mut Vec<G::Move>) {
        let _ = (state, moves);
    }

    /// Whether the side to move has to answer a threat (is in check): such a position is searched
    /// a ply deeper, all its moves are looked at, and it is never evaluated as it is. Provided:
    /// never.
    #[inline]
    fn is_forced(&self, state: &G) -> bool {
        let _ = state;
        false
    }

    /// The position after a move that does nothing, if passing may be taken for a lower limit of
    /// what the side to move can do (null move pruning): not in check, and not where having to
    /// move may be a burden. Its key must differ from that of `state`. Provided: `None`.
    #[inline]
    fn pass(&self, state: &G) -> Option<G> {
        let _ = state;
        None
    }
}
