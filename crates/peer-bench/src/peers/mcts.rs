//! Adapter to `mcts` 0.3: UCT, lock-free, one allocation per node; the ancestor of treant.
//!
//! Formula: `q + c * 2 * sqrt(ln(N + 1) / n)` with `q` in `[-1, 1]`. The crate has no default
//! constant; its example uses 0.5. Ties are broken by a generator with a fixed seed.

use std::marker::PhantomData;
use std::time::Instant;

use mcts::tree_policy::UCTPolicy;
use mcts::{CycleBehaviour, Evaluator, GameState, MCTS, MCTSManager, SearchHandle};

use super::first_player_value;
use crate::engine::{Engine, Found, Game, Limit, Seeds, Settings};
use crate::rollouts::Rollouts;

/// The constant of the crate's example.
const DEFAULT_EXPLORATION: f64 = 0.5;

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

impl<G: Game> Evaluator<Spec<G>> for Rollouts {
    type StateEvaluation = i8;

    #[inline]
    fn evaluate_new_state(
        &self,
        state: &Position<G>,
        moves: &Vec<G::Move>,
        _: Option<SearchHandle<'_, Spec<G>>>,
    ) -> (Vec<()>, i8) {
        (vec![(); moves.len()], first_player_value(self.outcome(&state.0)))
    }

    #[inline]
    fn evaluate_existing_state(
        &self,
        state: &Position<G>,
        _: &i8,
        _: SearchHandle<'_, Spec<G>>,
    ) -> i8 {
        first_player_value(self.outcome(&state.0))
    }

    #[inline]
    fn interpret_evaluation_for_player(&self, value: &i8, player: &u8) -> i64 {
        i64::from(if *player == 0 { *value } else { -*value })
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
            Position(state.clone()),
            Spec { virtual_loss: super::virtual_loss(threads), game: PhantomData },
            Rollouts::new(self.seeds.next()),
            UCTPolicy::new(exploration.unwrap_or(DEFAULT_EXPLORATION)),
            (),
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
        let simulations = manager.tree().root_node().moves().map(|edge| edge.visits()).sum();
        let best = manager.best_move().expect("a position to be searched");
        Found { best, simulations: Some(simulations), seconds, freeing_seconds: 0.0 }
    }

    fn release(&mut self) {
        self.manager = None;
    }
}
