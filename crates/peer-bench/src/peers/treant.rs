//! Adapter to `treant` 0.4: UCT, lock-free, one allocation per node.
//!
//! Formula: `q + c * 2 * sqrt(ln(N + 1) / n)` with `q` in `[-1, 1]`. The crate has no default
//! constant; its two-player examples use 1.0.

use std::marker::PhantomData;
use std::time::Instant;

use ahash::RandomState;
use treant::transposition_table::{ApproxTable, TranspositionHash, TranspositionTable};
use treant::tree_policy::UCTPolicy;
use treant::{CycleBehaviour, Evaluator, GameState, MCTS, MCTSManager, SearchHandle};

use super::first_player_value;
use crate::engine::{Engine, Found, Game, Limit, Seeds, Settings};
use crate::rollouts::Rollouts;

/// The constant of the crate's two-player examples.
const DEFAULT_EXPLORATION: f64 = 1.0;

/// Nodes that the table has room for when a search is limited by time, per second and worker.
const NODES_PER_SECOND: f64 = 1_000_000.0;

/// A position as the crate wants it.
#[derive(Clone)]
pub(crate) struct Position<G>(G);

impl<G: Game> GameState for Position<G> {
    type Move = G::Move;
    type Player = u8;
    type MoveList = Vec<G::Move>;

    #[inline]
    fn current_player(&self) -> u8 {
        self.0.mover() as u8
    }

    #[inline]
    fn available_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.0.moves(&mut moves);
        moves
    }

    #[inline]
    fn make_move(&mut self, mv: &G::Move) {
        self.0.apply_in_place(mv);
    }
}

impl<G: Game> TranspositionHash for Position<G> {
    #[inline]
    fn hash(&self) -> u64 {
        // Zero is reserved by the crate.
        RandomState::with_seeds(1, 2, 3, 4).hash_one(self.0.key()).max(1)
    }
}

/// The crate's configuration, with its transposition table or without.
pub(crate) struct Spec<G, const TABLE: bool> {
    seed: u64,
    virtual_loss: i64,
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

impl<G: Game, const TABLE: bool> Evaluator<Spec<G, TABLE>> for Rollouts
where
    Spec<G, TABLE>: MCTS<State = Position<G>, TreePolicy = UCTPolicy>,
{
    type StateEvaluation = i8;

    #[inline]
    fn evaluate_new_state(
        &self,
        state: &Position<G>,
        moves: &Vec<G::Move>,
        _: Option<SearchHandle<'_, Spec<G, TABLE>>>,
    ) -> (Vec<()>, i8) {
        (vec![(); moves.len()], first_player_value(self.outcome(&state.0)))
    }

    #[inline]
    fn evaluate_existing_state(
        &self,
        state: &Position<G>,
        _: &i8,
        _: SearchHandle<'_, Spec<G, TABLE>>,
    ) -> i8 {
        first_player_value(self.outcome(&state.0))
    }

    #[inline]
    fn interpret_evaluation_for_player(&self, value: &i8, player: &u8) -> i64 {
        i64::from(if *player == 0 { *value } else { -*value })
    }
}

/// A table, or none, with room for a number of nodes.
pub(crate) trait Room {
    /// Makes it.
    fn with_room(nodes: usize) -> Self;
}

impl Room for () {
    fn with_room(_: usize) -> Self {}
}

impl<G: Game> Room for ApproxTable<Spec<G, true>> {
    fn with_room(nodes: usize) -> Self {
        Self::enough_to_hold(nodes)
    }
}

/// The crate's search.
pub(crate) struct Treant<G: Game, const TABLE: bool>
where
    Spec<G, TABLE>: MCTS,
{
    settings: Settings,
    seeds: Seeds,
    manager: Option<MCTSManager<Spec<G, TABLE>>>,
}

impl<G: Game, const TABLE: bool> Treant<G, TABLE>
where
    Spec<G, TABLE>: MCTS,
{
    /// Sets the search up.
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings, seeds: Seeds::new(settings.seed), manager: None }
    }
}

impl<G: Game, const TABLE: bool> Engine<G> for Treant<G, TABLE>
where
    Spec<G, TABLE>: MCTS<
            State = Position<G>,
            Eval = Rollouts,
            TreePolicy = UCTPolicy,
            ExtraThreadData = (),
            TranspositionTable: TranspositionTable<Spec<G, TABLE>> + Room,
        >,
{
    fn search(&mut self, state: &G, limit: Limit) -> Found<G::Move> {
        let Settings { threads, exploration, .. } = self.settings;
        let seed = self.seeds.next();
        let nodes = match limit {
            Limit::Simulations(count) => count as usize,
            Limit::Time(time) => (time.as_secs_f64() * NODES_PER_SECOND) as usize * threads,
        };
        let rollouts = Rollouts::new(seed);
        let manager = self.manager.insert(MCTSManager::new(
            Position(state.clone()),
            Spec { seed, virtual_loss: super::virtual_loss(threads), game: PhantomData },
            rollouts,
            UCTPolicy::new(exploration.unwrap_or(DEFAULT_EXPLORATION)),
            Room::with_room(nodes),
        ));
        let start = Instant::now();
        match limit {
            Limit::Simulations(count) if threads == 1 => manager.playout_n(count),
            Limit::Simulations(count) => {
                let count = u32::try_from(count).expect("the crate counts simulations in 32 bits");
                manager.playout_n_parallel(count, threads);
            }
            Limit::Time(time) => manager.playout_parallel_for(time, threads),
        }
        let seconds = start.elapsed().as_secs_f64();
        // With the table an edge shows the visits of its child by every path.
        let visits = || manager.tree().root_node().moves().map(|edge| edge.visits()).sum();
        let simulations = match limit {
            Limit::Simulations(count) if TABLE => Some(count),
            Limit::Time(_) if TABLE => None,
            _ => Some(visits()),
        };
        let best = manager.best_move().expect("a position to be searched");
        Found { best, simulations, seconds, freeing_seconds: 0.0 }
    }

    fn release(&mut self) {
        self.manager = None;
    }
}
