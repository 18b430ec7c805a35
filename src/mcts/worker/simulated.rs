//! Simulated workers: many workers played by one thread, each result applied late.
//!
//! What a worker finds out reaches the tree only after all the others have selected once: this is
//! what is under way in a search with the same number of real workers. What that costs, and what
//! the in-flight policies save of it, can be measured here without the cores and without chance
//! (the idea is R. Segal's, *On the Scalability of Parallel UCT*, 2010).

use std::panic::{self, AssertUnwindSafe};

use crate::error::SearchError;
use crate::game::GameState;
use crate::mcts::claims::Pace;
use crate::mcts::round::{Counts, Supply};
use crate::mcts::tree::epoch::Pin;
use crate::rng::{Rng, mix};

use super::{Search, Worker};

impl<G: GameState> Search<'_, G> {
    /// A search in which `workers` take turns. With one it is the search of one real worker.
    pub(super) fn simulate(&self, workers: &mut [Worker<G>]) -> Result<Counts, SearchError> {
        let mut turn = 0;
        let pins: Vec<_> =
            (0..workers.len()).map(|number| self.tree.eviction.epoch.pin(number)).collect();
        let turns = AssertUnwindSafe(|| self.take_turns(workers, &pins, &mut turn));
        let result = panic::catch_unwind(turns);
        // The worker whose turn it was has nothing under way, the others come back now.
        for turn in (turn + 1).saturating_sub(workers.len())..turn {
            self.come_back(workers, &pins, turn);
        }
        match result {
            Ok(Ok(())) => Ok(Counts::sum(workers.iter().map(|worker| worker.round.counts))),
            Ok(Err(error)) => Err(error),
            Err(payload) => panic::resume_unwind(payload),
        }
    }

    fn take_turns(
        &self,
        workers: &mut [Worker<G>],
        pins: &[Pin<'_>],
        turn: &mut usize,
    ) -> Result<(), SearchError> {
        let mut pace = Pace::new(self.claims);
        let numbers = 0..workers.len() as u64;
        let mut rngs: Vec<_> =
            numbers.map(|number| Rng::from_seed(mix(self.seed, number))).collect();
        for worker in &mut *workers {
            worker.round.reset_counts();
        }
        loop {
            pace.take_turn();
            if *turn >= workers.len() {
                self.come_back(workers, pins, *turn);
            }
            let number = *turn % workers.len();
            let Worker { round, allotment } = &mut workers[number];
            let Some(count) = self.claim(round, allotment, &mut pace) else { return Ok(()) };
            let supply = &mut Supply { rng: &mut rngs[number], allotment, pace: &mut pace };
            round.set_out(self.origin(), count, supply)?;
            *turn += 1;
        }
    }

    /// Applies what the worker whose turn it is has found the last time.
    fn come_back(&self, workers: &mut [Worker<G>], pins: &[Pin<'_>], turn: usize) {
        let number = turn % workers.len();
        let Worker { round, allotment } = &mut workers[number];
        round.back_up(self.tree);
        self.end_round(round, allotment, &pins[number]);
    }
}
