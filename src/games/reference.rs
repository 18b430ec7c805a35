//! What a reference game says of itself, and code that works with any of them.

use std::fmt::Debug;

use crate::evaluate::Evaluate;
use crate::game::{GameState, Notation, NotationError, Saveable};
use crate::save::GameTag;
use crate::solvable::Solvable;

/// What a person needs to know to play or search a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameInfo {
    /// The name that [`with_game`](super::with_game) knows, in lower case.
    pub name: &'static str,
    /// The rules in a sentence or two.
    pub rules: &'static str,
    /// The text of the position that the game starts from.
    pub start: &'static str,
    /// The columns and rows of the board of `start`; `None` for a game without a board.
    pub board: Option<[u32; 2]>,
    /// How a position is written.
    pub position_help: &'static str,
    /// How a move is written.
    pub move_help: &'static str,
}

/// A game of this library: what it says of itself besides its rules, for code that works with any
/// of them, as the command line does.
///
/// [`INFO`](Self::INFO) is **supplied**, the rest is **provided**. A game of your own needs none of
/// this to be searched: see [`GameState`].
///
/// # Examples
/// ```
/// use playtree::games::{ConnectFour, Hex, ReferenceGame};
///
/// assert_eq!(ConnectFour::INFO.name, "connect4");
/// assert!(ConnectFour::evaluation().is_some());
/// assert!(Hex::evaluation().is_none());
/// ```
pub trait ReferenceGame: Notation + Saveable + Solvable + Debug + 'static {
    /// The name, the rules and the notation.
    const INFO: GameInfo;

    /// Whether a Monte Carlo search plays better by the [evaluation](Self::evaluation) of the
    /// positions that it comes to ([`cut_off`](crate::MctsBuilder::cut_off) after 0 plies) than by
    /// rollouts. The program and the page let it, where nothing else is said. Provided:
    /// `false`.
    const VALUES_AT_ONCE: bool = false;

    /// What positions are worth before the game has ended, if there is something to know. Provided:
    /// `None`; [`NoEvaluation`](crate::evaluate::NoEvaluation) can stand in.
    fn evaluation() -> Option<Box<dyn Evaluate<Self>>> {
        None
    }

    /// The tag of the saved tables of this position's game. It tells what the keys leave out, such
    /// as the size of the board, and has another encoding when the meaning of keys or moves
    /// changes. Provided: the name, and the encoding 1.
    fn tag(&self) -> GameTag {
        GameTag::new(Self::INFO.name, 1)
    }

    /// Hands the position that `text` describes to `visitor`. Provided: as a position of this type.
    /// A game with a type for each size of its board takes the type that fits.
    ///
    /// # Errors
    /// If the text is not a position.
    fn with_position<V: GameVisitor>(text: &str, visitor: V) -> Result<V::Output, NotationError> {
        Ok(visitor.visit(Self::parse_position(text)?))
    }
}

/// Code that works with any game: what [`with_game`](super::with_game) calls.
///
/// # Examples
/// ```
/// use playtree::games::{GameVisitor, ReferenceGame, with_game};
///
/// struct CountMoves;
///
/// impl GameVisitor for CountMoves {
///     type Output = usize;
///     fn visit<G: ReferenceGame>(self, position: G) -> usize {
///         let mut moves = Vec::new();
///         position.moves(&mut moves);
///         moves.len()
///     }
/// }
///
/// assert_eq!(with_game("hex", Some("5: c3"), CountMoves)?, 24);
/// # Ok::<(), playtree::games::GameError>(())
/// ```
pub trait GameVisitor {
    /// What the visit comes to.
    type Output;

    /// Works with `position`.
    fn visit<G: ReferenceGame>(self, position: G) -> Self::Output;
}

/// Fails to compile if a position or a key has another size than these, in bytes: the search copies
/// positions and stores keys, so neither must grow unseen.
pub(super) const fn assert_sizes<G: GameState>(position: usize, key: usize) {
    assert!(size_of::<G>() == position, "a position has another size");
    assert!(size_of::<G::Key>() == key, "a key has another size");
}
