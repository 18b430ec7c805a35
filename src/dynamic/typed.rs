//! A position with its type as an object.

use std::any::Any;

use crate::game::{Failure, Notation, NotationError, Outcome};
use crate::proven::Proven;
use crate::repetition::Line;

use super::{AnyGame, AnyKey, AnyMove};

/// A position of the game `G`.
pub(super) struct Typed<G>(pub(super) G);

/// The position behind an object, if it is one of `G`.
pub(super) fn get<G: 'static>(game: &dyn AnyGame) -> Option<&G> {
    let game: &dyn Any = game;
    game.downcast_ref().map(|Typed(state)| state)
}

/// # Panics
/// Where a move is of another game.
fn own<G: Notation + 'static>(mv: &AnyMove) -> &G::Move
where
    G::Move: 'static,
{
    mv.get().unwrap_or_else(|| {
        panic!("expected a move of {}, found {mv:?} of another game", std::any::type_name::<G>())
    })
}

impl<G> AnyGame for Typed<G>
where
    G: Notation + 'static,
    G::Key: 'static,
    G::Move: 'static,
{
    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(Self(self.0.clone()))
    }

    fn players(&self) -> usize {
        G::PLAYERS
    }

    fn key(&self) -> AnyKey {
        AnyKey::new(self.0.key())
    }

    fn mover(&self) -> usize {
        self.0.mover()
    }

    fn plies(&self) -> u32 {
        self.0.plies()
    }

    fn moves(&self, moves: &mut Vec<AnyMove>) {
        let mut own = Vec::new();
        self.0.moves(&mut own);
        moves.extend(own.into_iter().map(AnyMove::new));
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn play(&mut self, mv: &AnyMove) {
        self.0.apply_in_place(own::<G>(mv));
    }

    fn reversible_plies(&self) -> u32 {
        self.0.reversible_plies()
    }

    fn repetition_key(&self) -> Option<AnyKey> {
        self.0.repetition_key().map(AnyKey::new)
    }

    fn repetition(&self, line: &[&dyn AnyGame]) -> Outcome {
        // Those of another game cannot be the same position.
        let line: Vec<&G> = line.iter().filter_map(|game| get(*game)).collect();
        self.0.repetition(&Line::new(&line, &self.0))
    }

    fn failure(&self) -> Option<Failure> {
        self.0.failure()
    }

    fn foreseen(&self) -> Option<Proven> {
        self.0.foreseen()
    }

    fn position_text(&self) -> String {
        self.0.position_text()
    }

    fn board_text(&self) -> String {
        self.0.board_text()
    }

    fn move_text(&self, mv: &AnyMove) -> String {
        self.0.move_text(own::<G>(mv))
    }

    fn parse_move(&self, text: &str) -> Result<AnyMove, NotationError> {
        self.0.parse_move(text).map(AnyMove::new)
    }
}
