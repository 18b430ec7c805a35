//! A game so far, as a player sees it.

use playtree::Outcome;
use playtree::dynamic::AnyMove;
use playtree_session::Position;

use crate::games::read_move;

/// The positions and moves of a game. What the rules say of a position that comes again is the
/// library's referee to say.
#[derive(Clone, Debug)]
pub(crate) struct Record(playtree_session::Record);

impl Record {
    /// A game that has not begun.
    pub(crate) fn new(start: Position) -> Self {
        Self(playtree_session::Record::new(start))
    }

    /// As an engine takes it.
    pub(crate) fn as_played(&self) -> &playtree_session::Record {
        &self.0
    }

    /// Every position, the start first.
    pub(crate) fn states(&self) -> &[Position] {
        self.0.positions()
    }

    /// The number of moves.
    pub(crate) fn len(&self) -> usize {
        self.0.moves().len()
    }

    /// The position after the last move.
    pub(crate) fn last(&self) -> &Position {
        self.0.position()
    }

    /// Plays a legal move.
    pub(crate) fn play(&mut self, mv: AnyMove) {
        self.0.play(mv);
    }

    /// Takes the last move back; whether there was one.
    pub(crate) fn take_back(&mut self) -> bool {
        self.0.take_back().is_some()
    }

    /// How the game has ended, by its last position or by repetition.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    /// How it has ended if its last position has come too often.
    pub(crate) fn repetition(&self) -> Option<Outcome> {
        self.0.repetition()
    }

    /// The legal moves that end the game at once with less than a draw for the side to move, by
    /// a repetition; none if there are no other moves.
    pub(crate) fn losing_repetitions(&self) -> Vec<AnyMove> {
        self.0.losing_repetitions()
    }

    /// A game from `start` by these moves.
    ///
    /// # Errors
    /// If one is none, or the game is over before: its number, what was expected, what was found.
    pub(crate) fn replay<T: AsRef<str>>(start: Position, moves: &[T]) -> Result<Self, String> {
        let mut record = Self::new(start);
        for (number, text) in (1..).zip(moves.iter().map(AsRef::as_ref)) {
            if record.outcome().is_some() {
                let found = format!("found '{text}'");
                return Err(format!("move {number}: expected no move in a finished game, {found}"));
            }
            let mv = read_move(record.last(), text);
            record.play(mv.map_err(|error| format!("move {number}: {error}"))?);
        }
        Ok(record)
    }

    /// The moves from the given number on, each as written where it was played.
    pub(crate) fn texts_from(&self, first: usize) -> impl Iterator<Item = String> {
        let moves = self.0.positions().iter().zip(self.0.moves()).skip(first);
        moves.map(|(state, mv)| state.move_text(mv))
    }
}
