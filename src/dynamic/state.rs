//! A position of any game as a [`GameState`].

use std::fmt;

use crate::game::{Failure, GameState, MAX_PLAYERS, Notation, NotationError, Outcome};
use crate::proven::Proven;
use crate::repetition::Line;

use super::typed::{Typed, get};
use super::{AnyGame, AnyKey, AnyMove};

/// A position of any game with `PLAYERS` players.
///
/// It is a [`GameState`], so it can be searched as it is. That takes a call through a table and an
/// allocation for each move: a game in Rust is searched many times as fast by its own type.
///
/// # Examples
/// ```
/// use playtree::GameState;
/// use playtree::dynamic::AnyState;
/// use playtree::game::Record;
/// use playtree::games::{ConnectFour, TicTacToe};
///
/// let games: [AnyState; 2] = [AnyState::of(ConnectFour::new()), AnyState::of(TicTacToe::new())];
/// for start in games {
///     let mut moves = Vec::new();
///     start.moves(&mut moves);
///     let first = moves.remove(0);
///     let text = start.move_text(&first);
///     let mut game = Record::new(start);
///     game.play(first);
///     println!("after {text}:\n{}", game.position().board_text());
///     assert_eq!(game.position().plies(), 1);
/// }
/// ```
pub struct AnyState<const PLAYERS: usize = 2>(Box<dyn AnyGame>);

impl<const PLAYERS: usize> AnyState<PLAYERS> {
    /// A position of a game that is an object already.
    ///
    /// Two players are zero-sum, three and more maximise each his own score, so a game of two
    /// players is one of `AnyState<2>`. One of three to eight players may also be one of a greater
    /// number: those that it does not have never move and never score.
    ///
    /// # Errors
    /// If the game has another number of players.
    pub fn new(game: Box<dyn AnyGame>) -> Result<Self, PlayersError> {
        const { assert!(1 <= PLAYERS && PLAYERS <= MAX_PLAYERS, "PLAYERS is 1 to 8") };
        let found = game.players();
        if found == PLAYERS || PLAYERS > 2 && (3..=PLAYERS).contains(&found) {
            return Ok(Self(game));
        }
        Err(PlayersError { expected: PLAYERS, found })
    }

    /// A position with its type, which [`get`](Self::get) gives back. A game of another number of
    /// players, or of its own number of [repetitions](GameState::REPETITIONS), is an error of the
    /// compiler.
    #[must_use]
    pub fn of<G: Notation<Key: 'static, Move: 'static> + 'static>(state: G) -> Self {
        const { assert!(G::PLAYERS == PLAYERS, "the game has another number of players") };
        const {
            assert!(G::REPETITIONS == Self::REPETITIONS, "a game ends by three times the position");
        };
        Self(Box::new(Typed(state)))
    }

    /// The position, if it is one of `G` that was made by [`of`](Self::of).
    #[must_use]
    pub fn get<G: GameState + 'static>(&self) -> Option<&G> {
        get(&*self.0)
    }

    /// The object.
    #[must_use]
    pub fn game(&self) -> &dyn AnyGame {
        &*self.0
    }

    /// The number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.0.players()
    }

    /// The position as a text.
    #[must_use]
    pub fn position_text(&self) -> String {
        self.0.position_text()
    }

    /// The board for a person to look at: a few lines, no trailing line feed.
    #[must_use]
    pub fn board_text(&self) -> String {
        self.0.board_text()
    }

    /// The legal moves as texts, in the order of [`moves`](GameState::moves).
    #[must_use]
    pub fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.0.moves(&mut moves);
        moves.iter().map(|mv| self.0.move_text(mv)).collect()
    }

    /// A move of this position as a text.
    ///
    /// # Panics
    /// If the move is one of another game.
    #[must_use]
    pub fn move_text(&self, mv: &AnyMove) -> String {
        self.0.move_text(mv)
    }

    /// Reads a legal move of this position.
    ///
    /// # Errors
    /// If the text is no move, or the move is not legal here.
    pub fn parse_move(&self, text: &str) -> Result<AnyMove, NotationError> {
        self.0.parse_move(text)
    }
}

impl<const PLAYERS: usize> Clone for AnyState<PLAYERS> {
    fn clone(&self) -> Self {
        Self(self.0.boxed_clone())
    }
}

impl<const PLAYERS: usize> fmt::Debug for AnyState<PLAYERS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyState").field(&self.position_text()).finish()
    }
}

impl<const PLAYERS: usize> GameState for AnyState<PLAYERS> {
    type Key = AnyKey;
    type Move = AnyMove;
    const PLAYERS: usize = PLAYERS;

    fn key(&self) -> AnyKey {
        self.0.key()
    }

    fn mover(&self) -> usize {
        self.0.mover()
    }

    fn plies(&self) -> u32 {
        self.0.plies()
    }

    fn moves(&self, moves: &mut Vec<AnyMove>) {
        self.0.moves(moves);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn apply(&self, mv: &AnyMove) -> Self {
        let mut next = self.clone();
        next.0.play(mv);
        next
    }

    fn apply_in_place(&mut self, mv: &AnyMove) {
        self.0.play(mv);
    }

    fn reversible_plies(&self) -> u32 {
        self.0.reversible_plies()
    }

    fn repetition_key(&self) -> Option<AnyKey> {
        self.0.repetition_key()
    }

    fn repetition(&self, line: &Line<'_, Self>) -> Outcome {
        let games: Vec<&dyn AnyGame> = line.positions().iter().map(|state| state.game()).collect();
        self.0.repetition(&games)
    }

    fn failure(&self) -> Option<Failure> {
        self.0.failure()
    }

    fn foreseen(&self) -> Option<Proven> {
        self.0.foreseen()
    }
}

/// A game with another number of players than [`AnyState`] was to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a game of {expected} players, found one of {found}")]
pub struct PlayersError {
    /// The number of the type.
    pub expected: usize,
    /// The number of the game.
    pub found: usize,
}
