//! What one search is to do at its root.

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
}
