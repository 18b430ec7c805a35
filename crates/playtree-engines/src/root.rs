//! What one search is to do at its root.

use playtree::GameState;
use playtree::dynamic::AnyMove;

/// What a search is given besides its game so far and its budget. The default: all moves, all of
/// what is found.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Root {
    /// The moves to be searched, `None` for all legal ones.
    pub only: Option<Vec<AnyMove>>,
    /// Moves to be left out.
    pub except: Vec<AnyMove>,
    /// How many of the best moves get a line of play ([`Options`](playtree::mcts::Options::detailed));
    /// Monte Carlo search only, as all that follows.
    pub detailed: Option<usize>,
    /// The least visits of each of those.
    pub visit_floor: Option<u32>,
    /// The best move is drawn by visits^(1/T); 0 takes the best.
    pub temperature: f64,
}

impl Root {
    /// All moves.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// `only` and `except` as moves of `G`; one of another game is none.
    pub(crate) fn moves<G: GameState<Move: 'static>>(
        &self,
    ) -> (Option<Vec<G::Move>>, Vec<G::Move>) {
        let own = |moves: &[AnyMove]| moves.iter().filter_map(|mv| mv.get().cloned()).collect();
        (self.only.as_deref().map(own), own(&self.except))
    }
}
