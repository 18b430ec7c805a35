//! What `treant` and `mcts` have in common: the first descends from the second, and their
//! traits of one name have one shape.

use std::time::Instant;

use treant::ProvenValue;

use super::first_player_value;
use crate::engine::{Found, Game, Limit};
use crate::rollouts::Rollouts;

/// A position as the two crates want it.
#[derive(Clone)]
pub(crate) struct Position<G> {
    pub(crate) state: G,
    /// The player whose move led here: at the end of a game `mover` may name either player.
    just_moved: u8,
}

impl<G: Game> Position<G> {
    /// A position at which the game goes on.
    pub(crate) fn new(state: G) -> Self {
        let just_moved = 1 - state.mover() as u8;
        Self { state, just_moved }
    }
}

/// A crate's search of one position, which may have been searched before.
pub(crate) trait Manager<G: Game> {
    /// Searches on. The simulations found are those of this search, the visits that the tree
    /// had before left out; they are right on a tree only.
    fn search(&mut self, limit: Limit, threads: usize) -> Found<G::Move>;

    /// Visits of the root's edges.
    fn visits(&self) -> u64;
}

/// Implements a crate's traits for [`Position`] and [`Rollouts`], and [`Manager`] for its
/// search.
macro_rules! adapt {
    ($peer:ident $(, $more:item)?) => {
        impl<G: Game> $peer::GameState for Position<G> {
            type Move = G::Move;
            type Player = u8;
            type MoveList = Vec<G::Move>;

            #[inline]
            fn current_player(&self) -> u8 {
                self.state.mover() as u8
            }

            #[inline]
            fn available_moves(&self) -> Vec<G::Move> {
                let mut moves = Vec::new();
                self.state.moves(&mut moves);
                moves
            }

            #[inline]
            fn make_move(&mut self, mv: &G::Move) {
                self.just_moved = self.state.mover() as u8;
                self.state.apply_in_place(mv);
            }

            $($more)?
        }

        impl<G: Game, S> $peer::Evaluator<S> for Rollouts
        where
            S: $peer::MCTS<State = Position<G>, TreePolicy = $peer::tree_policy::UCTPolicy>,
        {
            type StateEvaluation = i8;

            #[inline]
            fn evaluate_new_state(
                &self,
                state: &Position<G>,
                moves: &Vec<G::Move>,
                _: Option<$peer::SearchHandle<'_, S>>,
            ) -> (Vec<()>, i8) {
                (vec![(); moves.len()], first_player_value(self.outcome(&state.state)))
            }

            #[inline]
            fn evaluate_existing_state(
                &self,
                state: &Position<G>,
                _: &i8,
                _: $peer::SearchHandle<'_, S>,
            ) -> i8 {
                first_player_value(self.outcome(&state.state))
            }

            #[inline]
            fn interpret_evaluation_for_player(&self, value: &i8, player: &u8) -> i64 {
                i64::from(if *player == 0 { *value } else { -*value })
            }
        }

        impl<G: Game, S> Manager<G> for $peer::MCTSManager<S>
        where
            S: $peer::MCTS<
                    State = Position<G>,
                    TreePolicy = $peer::tree_policy::UCTPolicy,
                    ExtraThreadData = (),
                >,
        {
            fn search(&mut self, limit: Limit, threads: usize) -> Found<G::Move> {
                let kept = self.visits();
                let start = Instant::now();
                match limit {
                    Limit::Simulations(count) if threads == 1 => self.playout_n(count),
                    Limit::Simulations(count) => {
                        let count =
                            u32::try_from(count).expect("the crate counts simulations in 32 bits");
                        self.playout_n_parallel(count, threads);
                    }
                    Limit::Time(time) => self.playout_parallel_for(time, threads),
                }
                Found {
                    seconds: start.elapsed().as_secs_f64(),
                    best: self.best_move().expect("a position to be searched"),
                    // Saturating: with a table an edge shows the visits by every path.
                    simulations: Some(self.visits().saturating_sub(kept)),
                    freeing_seconds: 0.0,
                }
            }

            fn visits(&self) -> u64 {
                self.tree().root_node().moves().map(|edge| edge.visits()).sum()
            }
        }
    };
}

adapt!(mcts);
adapt!(
    treant,
    fn terminal_value(&self) -> Option<ProvenValue> {
        let score = self.state.outcome()?.score(usize::from(1 - self.just_moved));
        Some(match score {
            0.5 => ProvenValue::Draw,
            score if score > 0.5 => ProvenValue::Win,
            _ => ProvenValue::Loss,
        })
    }
);
