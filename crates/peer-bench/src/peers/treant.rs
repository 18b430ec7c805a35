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
use playtree::Evaluate;
use treant::transposition_table::{ApproxTable, TranspositionHash};
use treant::tree_policy::UCTPolicy;
use treant::{CycleBehaviour, Evaluator, MCTS, MCTSManager, ProvenValue, SearchHandle};

use super::first_player_value;
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

/// The crate's configuration: with its transposition table or without, and what a leaf is worth.
pub(crate) struct Spec<G, const TABLE: bool, L> {
    seed: u64,
    virtual_loss: i64,
    proofs: bool,
    types: PhantomData<fn() -> (G, L)>,
}

/// By rollouts.
pub(crate) type Alone<G> = Spec<G, false, Rollouts>;
/// By rollouts, with the table.
pub(crate) type WithTable<G> = Spec<G, true, Rollouts>;
/// By the game's evaluation.
pub(crate) type ByEvaluation<G> = Spec<G, false, Values<G>>;

/// A configuration that can be made.
pub(crate) trait Configuration<G: Game>:
    MCTS<State = Position<G>, TreePolicy = UCTPolicy, ExtraThreadData = ()>
{
    const TABLE: bool;
    /// What a game that was won counts.
    const WIN: i64;

    fn new(seed: u64, threads: usize, proofs: bool) -> Self;

    /// What leaves are worth, in a search with this seed.
    fn leaves(seed: u64) -> Self::Eval;

    /// A table, or none, with room for a number of nodes.
    fn table(nodes: usize) -> Self::TranspositionTable;
}

/// Implements the crate's trait, and the one above, for a type of configuration. One for all types
/// of leaves would be a circle of conditions.
macro_rules! configure {
    ($spec:ident, $leaves:ty, $win:expr, $make:expr, $has_table:expr, $table:ty, $room:expr) => {
        impl<G: Game> MCTS for $spec<G> {
            type State = Position<G>;
            type Eval = $leaves;
            type TreePolicy = UCTPolicy;
            type NodeData = ();
            type ExtraThreadData = ();
            type TranspositionTable = $table;

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
        }

        impl<G: Game> Configuration<G> for $spec<G> {
            const TABLE: bool = $has_table;
            const WIN: i64 = $win;

            fn new(seed: u64, threads: usize, proofs: bool) -> Self {
                let virtual_loss = super::virtual_loss(threads) * Self::WIN;
                Self { seed, virtual_loss, proofs, types: PhantomData }
            }

            fn leaves(seed: u64) -> $leaves {
                $make(seed)
            }

            fn table(nodes: usize) -> $table {
                $room(nodes)
            }
        }
    };
}

configure!(Alone, Rollouts, 1, Rollouts::new, false, (), |_| ());
configure!(WithTable, Rollouts, 1, Rollouts::new, true, ApproxTable<Self>, |nodes| {
    ApproxTable::<Self>::enough_to_hold(nodes)
});
configure!(ByEvaluation, Values<G>, Values::<G>::WIN, |_| Values::new(), false, (), |_| ());

/// The game's evaluation.
pub(crate) struct Values<G>(Box<dyn Evaluate<G>>);

impl<G: Game> Values<G> {
    /// The crate adds up whole numbers: this many steps from a draw to a win.
    const WIN: i64 = 10_000;

    fn new() -> Self {
        Self(G::evaluation().expect("a game that was checked"))
    }

    /// What the position is worth for the first player.
    #[inline]
    fn value(&self, state: &G) -> i64 {
        if let Some(outcome) = state.outcome() {
            return i64::from(first_player_value(outcome)) * Self::WIN;
        }
        let win_rate = self.0.win_rate(self.0.evaluate(state));
        let value = ((2.0 * win_rate - 1.0) * Self::WIN as f64) as i64;
        if state.mover() == 0 { value } else { -value }
    }
}

impl<G: Game, S> Evaluator<S> for Values<G>
where
    S: MCTS<State = Position<G>, TreePolicy = UCTPolicy>,
{
    type StateEvaluation = i64;

    #[inline]
    fn evaluate_new_state(
        &self,
        position: &Position<G>,
        moves: &Vec<G::Move>,
        _: Option<SearchHandle<'_, S>>,
    ) -> (Vec<()>, i64) {
        (vec![(); moves.len()], self.value(&position.state))
    }

    #[inline]
    fn evaluate_existing_state(&self, _: &Position<G>, value: &i64, _: SearchHandle<'_, S>) -> i64 {
        *value
    }

    #[inline]
    fn interpret_evaluation_for_player(&self, value: &i64, player: &u8) -> i64 {
        if *player == 0 { *value } else { -*value }
    }
}

/// The crate's search.
pub(crate) struct Treant<G: Game, C: Configuration<G>> {
    settings: Settings,
    /// Makes the leaves of a tree from a seed.
    leaves: fn(u64) -> C::Eval,
    seeds: Seeds,
    manager: Option<MCTSManager<C>>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> Treant<G, Alone<G>> {
    /// With uniformly random moves in the rollouts.
    pub(crate) fn uniform(settings: Settings) -> Self {
        Self { leaves: Rollouts::uniform, ..Self::new(settings) }
    }
}

impl<G: Game, C: Configuration<G>> Treant<G, C> {
    /// Sets the search up.
    pub(crate) fn new(settings: Settings) -> Self {
        let seeds = Seeds::new(settings.seed);
        Self { settings, leaves: C::leaves, seeds, manager: None, game: PhantomData }
    }

    /// An empty tree, the table with room for a search of `limit`.
    fn empty(&mut self, state: &G, limit: Limit) -> MCTSManager<C> {
        let Settings { threads, exploration, proofs, .. } = self.settings;
        let seed = self.seeds.next();
        let nodes = match limit {
            Limit::Simulations(count) => count as usize,
            Limit::Time(time) => (time.as_secs_f64() * NODES_PER_SECOND) as usize * threads,
        };
        let mut manager = MCTSManager::new(
            Position::new(state.clone()),
            C::new(seed, threads, proofs),
            (self.leaves)(seed),
            UCTPolicy::new(exploration.unwrap_or(DEFAULT_EXPLORATION) * C::WIN as f64),
            C::table(nodes),
        );
        // It takes a proven root for a limit of nodes, and writes so.
        manager.print_on_playout_error(false);
        manager
    }
}

impl<G: Game, C: Configuration<G>> Engine<G> for Treant<G, C> {
    fn search(&mut self, state: &G, limit: Limit) -> Found<G::Move> {
        let threads = self.settings.threads;
        let kept = self.manager.take();
        let kept = kept.filter(|kept| kept.tree().root_state().state.key() == state.key());
        let manager = kept.unwrap_or_else(|| self.empty(state, limit));
        let manager = self.manager.insert(manager);
        let found = manager.search(limit, threads);
        if !C::TABLE {
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
        let advanced =
            !C::TABLE && self.manager.as_mut().is_some_and(|kept| kept.advance(mv).is_ok());
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
    use super::{Alone, Configuration, Manager, Treant, WithTable};
    use crate::engine::{Engine, Limit};
    use crate::peers::tests::{Pile, settings};

    const LIMIT: Limit = Limit::Simulations(501);

    /// Searches, takes two moves, and searches again: the visits that the root has kept if
    /// there is one, those that it has at the end, and what the second search says that it did.
    fn followed<C: Configuration<Pile>>(first: Limit) -> (Option<u64>, Option<u64>, Option<u64>) {
        let mut engine = Treant::<Pile, C>::new(settings(1));
        engine.search(&Pile { left: 200, plies: 0 }, first);
        engine.played(&1);
        engine.played(&2);
        let visits = |engine: &Treant<_, C>| engine.manager.as_ref().map(Manager::visits);
        let kept = visits(&engine);
        let found = engine.search(&Pile { left: 197, plies: 2 }, LIMIT);
        (kept, visits(&engine), found.simulations)
    }

    #[test]
    fn the_tree_is_kept_and_only_new_simulations_count() {
        let (kept, visits, simulations) = followed::<Alone<Pile>>(LIMIT);
        let kept = kept.expect("both moves have been searched");
        assert!(kept > 10, "{kept} visits kept");
        assert_eq!((visits, simulations), (Some(kept + 501), Some(501)));
    }

    #[test]
    fn a_move_that_was_never_expanded_starts_anew() {
        // One simulation expands one move of three, and none after it.
        assert_eq!(followed::<Alone<Pile>>(Limit::Simulations(1)), (None, Some(501), Some(501)));
    }

    #[test]
    fn nothing_is_kept_with_the_table() {
        let (kept, _, simulations) = followed::<WithTable<Pile>>(LIMIT);
        assert_eq!((kept, simulations), (None, Some(501)));
    }
}
