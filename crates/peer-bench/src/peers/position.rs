//! What `treant` and `mcts` have in common: the first descends from the second, and their
//! traits of one name have one shape.

use std::time::Instant;

use super::first_player_value;
use crate::engine::{Found, Game, Limit};
use crate::rollouts::Rollouts;

/// A position as the two crates want it.
#[derive(Clone)]
pub(crate) struct Position<G>(pub(crate) G);

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
    ($peer:ident) => {
        impl<G: Game> $peer::GameState for Position<G> {
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
                (vec![(); moves.len()], first_player_value(self.outcome(&state.0)))
            }

            #[inline]
            fn evaluate_existing_state(
                &self,
                state: &Position<G>,
                _: &i8,
                _: $peer::SearchHandle<'_, S>,
            ) -> i8 {
                first_player_value(self.outcome(&state.0))
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
adapt!(treant);
