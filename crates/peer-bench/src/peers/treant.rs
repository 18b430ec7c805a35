//! Adapter to `treant` 0.4: UCT, lock-free, one allocation per node.
//!
//! Formula: `q + c * 2 * sqrt(ln(N + 1) / n)` with `q` in `[-1, 1]`. The crate has no default
//! constant; its two-player examples use 1.0.
//!
//! Where ours proves, its solver is on, which the crate leaves off by default: it proves wins,
//! losses and draws upwards and stops when the root is proven.
//!
//! Without its table the tree is kept through a game: `advance` makes the child of the move
//! played the root and frees the rest. A move that was never expanded has no child, and the
//! next search starts with an empty tree. With the table every search does: a kept node may
//! point to one that it shares with a branch that `advance` frees, and would be left with a
//! pointer to freed memory.

use std::marker::PhantomData;

use ahash::RandomState;
use treant::transposition_table::{ApproxTable, TranspositionHash};
use treant::tree_policy::UCTPolicy;
use treant::{CycleBehaviour, MCTS, MCTSManager, ProvenValue};

use super::position::{Manager, Position};
use crate::engine::{Engine, Found, Game, Limit, Seeds, Settings};
use crate::rollouts::Rollouts;

/// The constant of the crate's two-player examples.
const DEFAULT_EXPLORATION: f64 = 1.0;

/// Nodes that the table has room for when a search is limited by time, per second and worker.
const NODES_PER_SECOND: f64 = 1_000_000.0;

impl<G: Game> TranspositionHash for Position<G> {
    #[inline]
    fn hash(&self) -> u64 {
        // Zero is reserved by the crate.
        RandomState::with_seeds(1, 2, 3, 4).hash_one(self.state.key()).max(1)
    }
}

/// The crate's configuration, with its transposition table or without.
pub(crate) struct Spec<G, const TABLE: bool> {
    seed: u64,
    virtual_loss: i64,
    proofs: bool,
    game: PhantomData<fn() -> G>,
}

/// The parts of the configuration that do not depend on the table.
macro_rules! common_configuration {
    ($state:ty) => {
        type State = Position<$state>;
        type Eval = Rollouts;
        type TreePolicy = UCTPolicy;
        type NodeData = ();
        type ExtraThreadData = ();

        fn rng_seed(&self) -> Option<u64> {
            Some(self.seed)
        }

        fn virtual_loss(&self) -> i64 {
            self.virtual_loss
        }

        fn solver_enabled(&self) -> bool {
            self.proofs
        }

        // The games of the bench have no cycles: looking for them would cost time.
        fn cycle_behaviour(&self) -> CycleBehaviour<Self> {
            CycleBehaviour::Ignore
        }
    };
}

impl<G: Game> MCTS for Spec<G, false> {
    type TranspositionTable = ();
    common_configuration!(G);
}

impl<G: Game> MCTS for Spec<G, true> {
    type TranspositionTable = ApproxTable<Self>;
    common_configuration!(G);
}

/// A configuration that knows how to make its table.
pub(crate) trait Configuration<G: Game>:
    MCTS<State = Position<G>, Eval = Rollouts, TreePolicy = UCTPolicy, ExtraThreadData = ()>
{
    /// A table, or none, with room for a number of nodes.
    fn table(nodes: usize) -> Self::TranspositionTable;
}

impl<G: Game> Configuration<G> for Spec<G, false> {
    fn table(_: usize) {}
}

impl<G: Game> Configuration<G> for Spec<G, true> {
    fn table(nodes: usize) -> ApproxTable<Self> {
        ApproxTable::<Self>::enough_to_hold(nodes)
    }
}

/// The crate's search.
pub(crate) struct Treant<G: Game, const TABLE: bool>
where
    Spec<G, TABLE>: Configuration<G>,
{
    settings: Settings,
    /// Makes the rollouts of a tree from a seed.
    rollouts: fn(u64) -> Rollouts,
    seeds: Seeds,
    manager: Option<MCTSManager<Spec<G, TABLE>>>,
}

impl<G: Game, const TABLE: bool> Treant<G, TABLE>
where
    Spec<G, TABLE>: Configuration<G>,
{
    /// Sets the search up, with the game's own rollouts.
    pub(crate) fn new(settings: Settings) -> Self {
        let seeds = Seeds::new(settings.seed);
        Self { settings, rollouts: Rollouts::new, seeds, manager: None }
    }

    /// The same with uniformly random moves in the rollouts.
    pub(crate) fn uniform(settings: Settings) -> Self {
        Self { rollouts: Rollouts::uniform, ..Self::new(settings) }
    }

    /// An empty tree, the table with room for a search of `limit`.
    fn empty(&mut self, state: &G, limit: Limit) -> MCTSManager<Spec<G, TABLE>> {
        let Settings { threads, exploration, proofs, .. } = self.settings;
        let seed = self.seeds.next();
        let nodes = match limit {
            Limit::Simulations(count) => count as usize,
            Limit::Time(time) => (time.as_secs_f64() * NODES_PER_SECOND) as usize * threads,
        };
        let mut manager = MCTSManager::new(
            Position::new(state.clone()),
            Spec { seed, virtual_loss: super::virtual_loss(threads), proofs, game: PhantomData },
            (self.rollouts)(seed),
            UCTPolicy::new(exploration.unwrap_or(DEFAULT_EXPLORATION)),
            Spec::table(nodes),
        );
        // It takes a proven root for a limit of nodes, and writes so.
        manager.print_on_playout_error(false);
        manager
    }
}

impl<G: Game, const TABLE: bool> Engine<G> for Treant<G, TABLE>
where
    Spec<G, TABLE>: Configuration<G>,
{
    fn search(&mut self, state: &G, limit: Limit) -> Found<G::Move> {
        let threads = self.settings.threads;
        let kept = self.manager.take();
        let kept = kept.filter(|kept| kept.tree().root_state().state.key() == state.key());
        let manager = kept.unwrap_or_else(|| self.empty(state, limit));
        let manager = self.manager.insert(manager);
        let found = manager.search(limit, threads);
        if !TABLE {
            return found;
        }
        // With the table an edge shows the visits of its child by every path.
        let simulations = match limit {
            Limit::Simulations(count) if manager.root_proven_value() == ProvenValue::Unknown => {
                Some(count)
            }
            _ => None,
        };
        Found { simulations, ..found }
    }

    fn played(&mut self, mv: &G::Move) {
        let advanced = !TABLE && self.manager.as_mut().is_some_and(|kept| kept.advance(mv).is_ok());
        if !advanced {
            self.manager = None;
        }
    }

    fn release(&mut self) {
        self.manager = None;
    }
}

#[cfg(test)]
mod tests {
    use super::{Configuration, Manager, Spec, Treant};
    use crate::engine::{Engine, Limit};
    use crate::peers::tests::{Pile, settings};

    const LIMIT: Limit = Limit::Simulations(501);

    /// Searches, takes two moves, and searches again: the visits that the root has kept if
    /// there is one, those that it has at the end, and what the second search says that it did.
    fn followed<const TABLE: bool>(first: Limit) -> (Option<u64>, Option<u64>, Option<u64>)
    where
        Spec<Pile, TABLE>: Configuration<Pile>,
    {
        let mut engine = Treant::<Pile, TABLE>::new(settings(1));
        engine.search(&Pile { left: 200, plies: 0 }, first);
        engine.played(&1);
        engine.played(&2);
        let visits = |engine: &Treant<_, TABLE>| engine.manager.as_ref().map(Manager::visits);
        let kept = visits(&engine);
        let found = engine.search(&Pile { left: 197, plies: 2 }, LIMIT);
        (kept, visits(&engine), found.simulations)
    }

    #[test]
    fn the_tree_is_kept_and_only_new_simulations_count() {
        let (kept, visits, simulations) = followed::<false>(LIMIT);
        let kept = kept.expect("both moves have been searched");
        assert!(kept > 10, "{kept} visits kept");
        assert_eq!((visits, simulations), (Some(kept + 501), Some(501)));
    }

    #[test]
    fn a_move_that_was_never_expanded_starts_anew() {
        // One simulation expands one move of three, and none after it.
        assert_eq!(followed::<false>(Limit::Simulations(1)), (None, Some(501), Some(501)));
    }

    #[test]
    fn nothing_is_kept_with_the_table() {
        let (kept, _, simulations) = followed::<true>(LIMIT);
        assert_eq!((kept, simulations), (None, Some(501)));
    }
}
