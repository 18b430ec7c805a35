//! The evaluation of a game, and what stands in where a game has none.

use playtree::Evaluate;
use playtree::evaluate::NoEvaluation;
use playtree::games::ReferenceGame;

/// What the searchers are given.
pub(crate) type Evaluation<G> = Box<dyn Evaluate<G>>;

/// The evaluation of the game. Without one every position is even, and an alpha-beta search sees
/// how games end and nothing else.
pub(crate) fn of_game<G: ReferenceGame>() -> Evaluation<G> {
    G::evaluation().unwrap_or_else(|| Box::new(NoEvaluation))
}
