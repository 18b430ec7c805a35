//! What is known of a game besides its rules: the worth of a position, and hints for a search.

mod network;

use crate::game::GameState;
use crate::maths::logistic;

pub use network::{Answers, Cached, Elsewhere, Network, NetworkError, OneByOne, Question};

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
/// [`SearchError::Value`](crate::SearchError::Value) or
/// [`SearchError::WinRate`](crate::SearchError::WinRate).
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

    /// The [promise](Self::promise) of each of these moves, in their order, in `promises`, which is
    /// empty. Provided: one by one. For an evaluation that finds the same numbers faster together.
    /// One that is missing counts as 0.
    #[inline]
    fn promises(&self, state: &G, moves: &[G::Move], promises: &mut Vec<i32>) {
        promises.extend(moves.iter().map(|mv| self.promise(state, mv)));
    }

    /// Names a move for the tables of experience (killers and history) whatever the position:
    /// below 65 536, the same number for moves that are alike. Provided: `None`, which keeps no
    /// experience.
    #[inline]
    fn slot(&self, state: &G, mv: &G::Move) -> Option<u16> {
        let _ = (state, mv);
        None
    }

    /// Appends the legal moves that may change the value at once (captures, promotions): a position
    /// is only evaluated when the search has looked at these (quiescence search). Called only where
    /// [`is_forced`](Self::is_forced) is false. Provided: none, so positions are evaluated as they
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

/// The [promises](Evaluate::promises) of these moves, one for each, whatever the evaluation puts
/// down.
#[inline]
pub(crate) fn list_promises<G: GameState, E: Evaluate<G> + ?Sized>(
    evaluation: &E,
    state: &G,
    moves: &[G::Move],
    promises: &mut Vec<i32>,
) {
    promises.clear();
    evaluation.promises(state, moves, promises);
    promises.resize(moves.len(), 0);
}

/// What is in the box: `Box<dyn Evaluate<G>>` serves where the type is not known before the program
/// runs.
impl<G: GameState, E: Evaluate<G> + ?Sized> Evaluate<G> for Box<E> {
    #[inline]
    fn evaluate(&self, state: &G) -> i32 {
        (**self).evaluate(state)
    }

    #[inline]
    fn win_rate(&self, value: i32) -> f64 {
        (**self).win_rate(value)
    }

    #[inline]
    fn promise(&self, state: &G, mv: &G::Move) -> i32 {
        (**self).promise(state, mv)
    }

    #[inline]
    fn promises(&self, state: &G, moves: &[G::Move], promises: &mut Vec<i32>) {
        (**self).promises(state, moves, promises);
    }

    #[inline]
    fn slot(&self, state: &G, mv: &G::Move) -> Option<u16> {
        (**self).slot(state, mv)
    }

    #[inline]
    fn noisy_moves(&self, state: &G, moves: &mut Vec<G::Move>) {
        (**self).noisy_moves(state, moves);
    }

    #[inline]
    fn is_forced(&self, state: &G) -> bool {
        (**self).is_forced(state)
    }

    #[inline]
    fn pass(&self, state: &G) -> Option<G> {
        (**self).pass(state)
    }
}

/// No knowledge: every position is an even game. An alpha-beta search with it sees how games end,
/// and nothing else.
///
/// # Examples
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::alphabeta::Score;
/// use playtree::evaluate::NoEvaluation;
/// use playtree::games::ConnectFour;
/// use playtree::{AlphaBeta, Budget, Notation};
///
/// let position = ConnectFour::parse_position("4455")?;
/// let mut engine = AlphaBeta::builder(NoEvaluation).threads(1).build()?;
/// let report = engine.search(&position, &Budget::nodes(100_000))?;
/// assert_eq!(report.score, Score::Win { plies: 3 });
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoEvaluation;

impl<G: GameState> Evaluate<G> for NoEvaluation {
    /// 0.
    #[inline]
    fn evaluate(&self, _: &G) -> i32 {
        0
    }

    /// 1/2.
    #[inline]
    fn win_rate(&self, _: i32) -> f64 {
        0.5
    }
}

#[cfg(all(test, feature = "games"))]
mod tests {
    use super::{Evaluate, NoEvaluation};
    use crate::game::{GameState, Notation};
    use crate::games::{Hex, Xiangqi, XiangqiEvaluation};

    #[test]
    fn a_box_answers_as_what_is_in_it() {
        let boxed: Box<dyn Evaluate<Xiangqi>> = Box::new(XiangqiEvaluation);
        let plain = XiangqiEvaluation;
        // Red can take a horse; Red is in check.
        for text in ["3k5/9/9/9/9/9/n8/9/9/R3K4 w", "4k4/4r4/9/9/9/9/9/9/9/R3K4 w"] {
            let state = Xiangqi::parse_position(text).unwrap();
            let value = plain.evaluate(&state);
            assert_eq!(Evaluate::evaluate(&boxed, &state), value);
            assert_eq!(Evaluate::<Xiangqi>::win_rate(&boxed, value), win_rate(value));
            assert_eq!(Evaluate::is_forced(&boxed, &state), plain.is_forced(&state));
            assert_eq!(Evaluate::pass(&boxed, &state), plain.pass(&state));
            let (mut moves, mut noisy) = (Vec::new(), Vec::new());
            Evaluate::noisy_moves(&boxed, &state, &mut noisy);
            plain.noisy_moves(&state, &mut moves);
            assert_eq!(noisy, moves);
            moves.clear();
            state.moves(&mut moves);
            let mut promises = Vec::new();
            Evaluate::promises(&boxed, &state, &moves, &mut promises);
            assert_eq!(promises.len(), moves.len());
            for (mv, together) in moves.iter().zip(promises) {
                assert_eq!(Evaluate::promise(&boxed, &state, mv), plain.promise(&state, mv));
                assert_eq!(together, plain.promise(&state, mv));
                assert_eq!(Evaluate::slot(&boxed, &state, mv), plain.slot(&state, mv));
            }
        }
    }

    fn win_rate(value: i32) -> f64 {
        Evaluate::<Xiangqi>::win_rate(&XiangqiEvaluation, value)
    }

    #[test]
    fn without_knowledge_every_position_is_even() {
        let state = Hex::parse_position("5: c3").unwrap();
        assert_eq!(NoEvaluation.evaluate(&state), 0);
        assert_eq!(Evaluate::<Hex>::win_rate(&NoEvaluation, 300), 0.5);
    }
}
