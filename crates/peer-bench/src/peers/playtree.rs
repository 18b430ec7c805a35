//! This library as one entry among the others.
//!
//! The table is kept through a game, positions that can no longer be reached included: a game
//! of `n` simulations per move keeps at most one node per simulation, as one search of them
//! all would.

use std::time::Instant;

use playtree::mcts::Selection;
use playtree::{Budget, Mcts, MctsBuilder, SearchError};

use crate::engine::{Engine, Found, Game, Limit, Settings};

/// An engine of this library. Everything that [`Settings`] leaves open is at its default.
#[derive(Debug)]
pub(crate) struct Playtree<G: Game> {
    engine: Mcts<G>,
}

impl<G: Game> Playtree<G> {
    /// Makes the engine.
    pub(crate) fn new(settings: Settings) -> Self {
        Self::from(Mcts::builder(), settings)
    }

    /// The same with a leaf for each rollout.
    pub(crate) fn alone(settings: Settings) -> Self {
        Self::from(Mcts::builder().rollouts_per_leaf(1), settings)
    }

    /// The same with the game's evaluation in place of rollouts.
    pub(crate) fn by_evaluation(settings: Settings) -> Self {
        let evaluation = G::evaluation().expect("a game that was checked");
        Self::from(Mcts::builder().cut_off(0, evaluation), settings)
    }

    fn from(builder: MctsBuilder<G>, settings: Settings) -> Self {
        let mut builder =
            builder.threads(settings.threads).seed(settings.seed).proofs(settings.proofs);
        if let Some(exploration) = settings.exploration {
            builder = builder.selection(Selection::Ucb1 { exploration });
        }
        Self { engine: builder.build().expect("the bench sets nothing out of range") }
    }
}

/// What an engine of this library finds.
///
/// # Errors
/// As [`Mcts::search`].
pub(crate) fn found<G: Game>(
    engine: &mut Mcts<G>,
    state: &G,
    limit: Limit,
) -> Result<Found<G::Move>, SearchError> {
    let budget = match limit {
        Limit::Simulations(count) => Budget::simulations(count),
        Limit::Time(time) => Budget::time(time),
    };
    let start = Instant::now();
    let report = engine.search(state, &budget)?;
    Ok(Found {
        best: report.best_move,
        simulations: Some(report.simulations),
        seconds: start.elapsed().as_secs_f64(),
        freeing_seconds: 0.0,
    })
}

impl<G: Game> Engine<G> for Playtree<G> {
    fn search(&mut self, state: &G, limit: Limit) -> Found<G::Move> {
        found(&mut self.engine, state, limit).expect("a position to be searched")
    }

    /// Nothing to do: the next position is found by its key.
    fn played(&mut self, _: &G::Move) {}

    fn release(&mut self) {
        self.engine.forget();
    }
}

#[cfg(test)]
mod tests {
    use playtree::Budget;

    use super::Playtree;
    use crate::engine::{Engine, Limit};
    use crate::peers::tests::{Pile, settings};

    #[test]
    fn the_table_is_kept_until_it_is_released() {
        let next = Pile { left: 198, plies: 2 };
        for released in [false, true] {
            let mut engine = Playtree::new(settings(1));
            engine.search(&Pile { left: 200, plies: 0 }, Limit::Simulations(501));
            engine.played(&1);
            engine.played(&1);
            if released {
                engine.release();
            }
            let report = engine.engine.search(&next, &Budget::simulations(100)).unwrap();
            let visits: u64 = report.moves.iter().map(|mv| mv.visits).sum();
            assert_eq!(visits > 100, !released, "{visits} visits");
        }
    }
}
