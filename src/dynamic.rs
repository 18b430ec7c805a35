//! Games as objects: positions whose game is known only when the program runs.
//!
//! The searchers are generic over the game, so that rules and search become one piece of machine
//! code. Where nothing has to be fast - around a board on a screen, in a protocol, in a record of a
//! game - one type for all games is simpler: [`AnyState`]. It is also the way in for a game whose
//! rules are not written in Rust: [`AnyGame`] is a trait that can be an object.

mod state;
mod typed;
mod value;

use std::any::Any;

use crate::game::{Failure, NotationError, Outcome};
use crate::proven::Proven;

pub use state::{AnyState, PlayersError};
pub use value::{AnyKey, AnyMove};

/// A position of some game: what [`GameState`](crate::GameState) and
/// [`Notation`](crate::Notation) say of it, as a trait that can be an object.
///
/// Every position with a notation has it by [`AnyState::of`]. Implement it for a game whose rules
/// run elsewhere, such as one of another language; [`AnyState::new`] makes a
/// [`GameState`](crate::GameState) of it, which every searcher of the Monte Carlo kind and
/// alpha-beta take. What each method means is said there. A game that cannot go on says
/// [`Outcome::Failed`] and why as its [`failure`](Self::failure): the search ends with that error.
///
/// # Examples
/// Nim with one pile, with moves that are numbers:
/// ```
/// use playtree::dynamic::{AnyGame, AnyKey, AnyMove, AnyState};
/// use playtree::{Budget, Mcts, Outcome};
///
/// #[derive(Clone)]
/// struct Pile { left: u32, plies: u32 }
///
/// impl AnyGame for Pile {
///     fn boxed_clone(&self) -> Box<dyn AnyGame> { Box::new(self.clone()) }
///     fn key(&self) -> AnyKey { AnyKey::new((self.left, self.mover())) }
///     fn mover(&self) -> usize { self.plies as usize % 2 }
///     fn plies(&self) -> u32 { self.plies }
///     fn moves(&self, moves: &mut Vec<AnyMove>) {
///         moves.extend((1..=self.left.min(3)).map(AnyMove::new));
///     }
///     fn outcome(&self) -> Option<Outcome> {
///         (self.left == 0).then(|| Outcome::Win(1 - self.mover()))
///     }
///     fn play(&mut self, mv: &AnyMove) {
///         self.left -= mv.get::<u32>().expect("a move of this game");
///         self.plies += 1;
///     }
///     fn position_text(&self) -> String { format!("{}", self.left) }
/// }
///
/// let start = AnyState::<2>::new(Box::new(Pile { left: 6, plies: 0 }))?;
/// let report = Mcts::builder().build()?.search(&start, &Budget::simulations(1_000))?;
/// assert_eq!(start.move_text(&report.best_move), "2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnyGame: Any + Send + Sync {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnyGame>;

    /// The number of players, 1 to [`MAX_PLAYERS`](crate::game::MAX_PLAYERS), the same in all
    /// positions of a game. Provided: two.
    fn players(&self) -> usize {
        2
    }

    /// What tells this position from others. It must tell who is to move.
    fn key(&self) -> AnyKey;

    /// The side to move, in `0..players()`.
    fn mover(&self) -> usize;

    /// The plies played since the start of the game.
    fn plies(&self) -> u32;

    /// Appends the legal moves, in an order fixed by the position.
    fn moves(&self, moves: &mut Vec<AnyMove>);

    /// How the game has ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Plays a legal move.
    fn play(&mut self, mv: &AnyMove);

    /// The plies since the last move that cannot be undone. Provided: `u32::MAX`.
    fn reversible_plies(&self) -> u32 {
        u32::MAX
    }

    /// What this position is compared by to find a repetition. Provided: its key.
    fn repetition_key(&self) -> Option<AnyKey> {
        None
    }

    /// The verdict on this position, which has come again after those of `line`, all of the same
    /// game and in order of play. Provided: a draw.
    fn repetition(&self, line: &[&dyn AnyGame]) -> Outcome {
        let _ = line;
        Outcome::Draw
    }

    /// Why the game cannot go on, if that is so. Provided: `None`.
    fn failure(&self) -> Option<Failure> {
        None
    }

    /// How the game ends with best play, for the side to move, if the position shows it: see
    /// [`GameState::foreseen`](crate::GameState::foreseen). Provided: `None`.
    fn foreseen(&self) -> Option<Proven> {
        None
    }

    /// The position as a text.
    fn position_text(&self) -> String;

    /// The board for a person to look at, without a line feed at its end. Provided: the
    /// [text](Self::position_text) of the position.
    fn board_text(&self) -> String {
        self.position_text()
    }

    /// A move of this position as a text. Provided: as `Debug` shows the move.
    fn move_text(&self, mv: &AnyMove) -> String {
        format!("{mv:?}")
    }

    /// Reads a legal move of this position. Provided: the one with this
    /// [text](Self::move_text).
    ///
    /// # Errors
    /// If there is no such legal move.
    fn parse_move(&self, text: &str) -> Result<AnyMove, NotationError> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let found = moves.iter().position(|mv| self.move_text(mv) == text);
        found.map(|place| moves.swap_remove(place)).ok_or_else(|| {
            let texts: Vec<String> = moves.iter().map(|mv| self.move_text(mv)).collect();
            NotationError::new(
                format_args!("a move ({})", texts.join(", ")),
                format_args!("'{text}'"),
            )
        })
    }
}

#[cfg(all(test, feature = "games", not(loom)))]
mod tests;
