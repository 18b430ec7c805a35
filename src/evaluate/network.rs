//! Networks: what answers many positions at a time, each with its worth and with how good its moves
//! look.

mod answers;
mod cached;
mod elsewhere;
mod one_by_one;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::game::GameState;

pub use answers::Answers;
pub use cached::Cached;
pub use elsewhere::Elsewhere;
pub use one_by_one::OneByOne;

/// A network, or whatever else says of many positions at a time what they are worth and which of
/// their moves are good.
///
/// A search that has one ([`MctsBuilder::network`](crate::MctsBuilder::network)) plays no rollouts:
/// each simulation ends with a question. The search asks about positions together, never about one
/// where the game is over or that is proven, and holds no lock meanwhile.
///
/// The same network has to answer the same questions in the same way; then the search gives the
/// same report. Answers may differ in their last bits with what stands beside a question: values
/// and shares of moves are rounded to 1/65536.
///
/// An error ends the search with [`SearchError::Network`](crate::SearchError::Network), and so do
/// answers that are none. A panic reaches the caller of the search. The engine stays usable after
/// each of them.
///
/// # Examples
/// Tic-tac-toe, where all that is known is that the middle is a good move:
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::evaluate::{Answers, Network, NetworkError, Question};
/// use playtree::games::TicTacToe;
/// use playtree::{Budget, Mcts, Notation};
///
/// struct Middle;
///
/// impl Network<TicTacToe> for Middle {
///     fn evaluate(
///         &self,
///         questions: &[Question<'_, TicTacToe>],
///         answers: &mut Answers,
///     ) -> Result<(), NetworkError> {
///         for (number, question) in questions.iter().enumerate() {
///             answers.value(number, 0.5);
///             for (logit, mv) in answers.policy(number).iter_mut().zip(question.moves) {
///                 *logit = if question.state.move_text(mv) == "5" { 2.0 } else { 0.0 };
///             }
///         }
///         Ok(())
///     }
/// }
///
/// let mut mcts = Mcts::builder().threads(1).network(Middle).build()?;
/// let report = mcts.search(&TicTacToe::new(), &Budget::simulations(50))?;
/// assert_eq!(TicTacToe::new().move_text(&report.best_move), "5");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Network<G: GameState>: Send + Sync {
    /// Answers every question: `answers` has a place for each, in the same order. Every question
    /// needs a value; where the policy is left as it is, all moves look alike.
    ///
    /// # Errors
    /// If there are no answers. The search ends then.
    fn evaluate(
        &self,
        questions: &[Question<'_, G>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError>;

    /// The number of positions that are best asked about together, at least 1. Asked once, when the
    /// engine is built. Provided: 32.
    ///
    /// More of them are rarely in one call, and a search of few visits asks about fewer: at most
    /// one in eight of the visits of its root is under way at a time. Several workers fill their
    /// calls; one worker asks about what one round has come to.
    fn batch(&self) -> usize {
        32
    }

    /// The number of calls that may be under way at a time, at least 1: 1 for what can do only one,
    /// as a graphics card; while that is busy other workers gather the next call. Asked once, when
    /// the engine is built. Provided: any number, as for a network that each worker runs on its core.
    fn calls(&self) -> usize {
        usize::MAX
    }
}

/// What a network is asked: a position where the game goes on, and its legal moves.
pub struct Question<'a, G: GameState> {
    /// The position.
    pub state: &'a G,
    /// Its legal moves, in the order of [`GameState::moves`].
    pub moves: &'a [G::Move],
}

impl<G: GameState> Clone for Question<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: GameState> Copy for Question<'_, G> {}

impl<G: GameState> fmt::Debug for Question<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("plies", &self.state.plies())
            .field("moves", &self.moves)
            .finish_non_exhaustive()
    }
}

/// Why a network has no answers: an error of its own.
///
/// It reaches the caller of the search as the same error: [`get`](Self::get) gives it back, to be
/// downcast. Two of them are equal if they are clones of one.
#[derive(Clone)]
pub struct NetworkError(Arc<dyn Error + Send + Sync>);

impl NetworkError {
    /// Of an error, or of a text.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(Arc::from(error.into()))
    }

    /// The network's own error.
    #[must_use]
    pub fn get(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl PartialEq for NetworkError {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Error for NetworkError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// A network behind a pointer answers as the network does.
macro_rules! behind {
    ($($pointer:ident),+) => {$(
        impl<G: GameState, N: Network<G> + ?Sized> Network<G> for $pointer<N> {
            fn evaluate(
                &self,
                questions: &[Question<'_, G>],
                answers: &mut Answers,
            ) -> Result<(), NetworkError> {
                (**self).evaluate(questions, answers)
            }

            fn batch(&self) -> usize {
                (**self).batch()
            }

            fn calls(&self) -> usize {
                (**self).calls()
            }
        }
    )+};
}

behind!(Box, Arc);
