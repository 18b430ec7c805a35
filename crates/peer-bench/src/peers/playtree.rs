//! This library as one entry among the others.

use std::time::Instant;

use playtree::{Budget, Mcts, Selection};

use crate::engine::{Engine, Found, Game, Limit, Settings};

/// An engine of this library. Everything that [`Settings`] leaves open is at its default.
#[derive(Debug)]
pub(crate) struct Playtree<G: Game> {
    engine: Mcts<G>,
}

impl<G: Game> Playtree<G> {
    /// Makes the engine.
    pub(crate) fn new(settings: Settings) -> Self {
        let mut builder =
            Mcts::builder().threads(settings.threads).seed(settings.seed).proofs(settings.proofs);
        if let Some(exploration) = settings.exploration {
            builder = builder.selection(Selection::Ucb1 { exploration });
        }
        Self { engine: builder.build().expect("the bench sets nothing out of range") }
    }
}

impl<G: Game> Engine<G> for Playtree<G> {
    fn search(&mut self, state: &G, limit: Limit) -> Found<G::Move> {
        let budget = match limit {
            Limit::Simulations(count) => Budget::simulations(count),
            Limit::Time(time) => Budget::time(time),
        };
        let start = Instant::now();
        let report = self.engine.search(state, &budget).expect("a position to be searched");
        Found {
            best: report.best_move,
            simulations: Some(report.simulations),
            seconds: start.elapsed().as_secs_f64(),
            freeing_seconds: 0.0,
        }
    }

    fn release(&mut self) {
        self.engine.forget();
    }
}
