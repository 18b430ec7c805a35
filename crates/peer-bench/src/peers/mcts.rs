//! Adapter to `mcts` 0.3: UCT, lock-free, one allocation per node; the ancestor of treant.
//!
//! Formula: `q + c * 2 * sqrt(ln(N + 1) / n)` with `q` in `[-1, 1]`. The crate has no default
//! constant; its example uses 0.5. Ties are broken by a generator with a fixed seed. A tree
//! cannot be moved to another root: every search starts with an empty one.

use std::marker::PhantomData;

use mcts::tree_policy::UCTPolicy;
use mcts::{CycleBehaviour, MCTS, MCTSManager};

use super::position::{Manager, Position};
use crate::engine::{Engine, Found, Game, Limit, Seeds, Settings};
use crate::rollouts::Rollouts;

/// The constant of the crate's example.
const DEFAULT_EXPLORATION: f64 = 0.5;

/// The crate's configuration.
pub(crate) struct Spec<G> {
    virtual_loss: i64,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> MCTS for Spec<G> {
    type State = Position<G>;
    type Eval = Rollouts;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ();

    fn virtual_loss(&self) -> i64 {
        self.virtual_loss
    }

    fn cycle_behaviour(&self) -> CycleBehaviour<Self> {
        CycleBehaviour::Ignore
    }
}

/// The crate's search.
pub(crate) struct Mcts<G: Game> {
    settings: Settings,
    seeds: Seeds,
    manager: Option<MCTSManager<Spec<G>>>,
}

impl<G: Game> Mcts<G> {
    /// Sets the search up.
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings, seeds: Seeds::new(settings.seed), manager: None }
    }
}

impl<G: Game> Engine<G> for Mcts<G> {
    fn search(&mut self, state: &G, limit: Limit) -> Found<G::Move> {
        let Settings { threads, exploration, .. } = self.settings;
        let manager = self.manager.insert(MCTSManager::new(
            Position::new(state.clone()),
            Spec { virtual_loss: super::virtual_loss(threads), game: PhantomData },
            Rollouts::new(self.seeds.next()),
            UCTPolicy::new(exploration.unwrap_or(DEFAULT_EXPLORATION)),
            (),
        ));
        manager.search(limit, threads)
    }

    fn played(&mut self, _: &G::Move) {
        self.manager = None;
    }

    fn release(&mut self) {
        self.manager = None;
    }
}
