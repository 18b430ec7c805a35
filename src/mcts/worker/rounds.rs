//! Rounds: one worker selects and backs up, all of them roll out; the answer is the same for
//! any number of workers.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use crate::error::SearchError;
use crate::game::GameState;
use crate::mcts::claims::Pace;
use crate::mcts::round::{Batch, Counts, Hands, Round, Supply};
use crate::mcts::tree::Allotment;
use crate::mcts::tree::epoch::Pin;
use crate::rng::{Rng, mix};

use super::crew::{Crew, Dismissal};
use super::{Search, StopOthers, Worker};

/// Rounds under way: while one is rolled out the next one is selected. However many workers
/// there are, or the report would depend on it.
pub(crate) const ROUNDS_UNDER_WAY: u32 = 2;

impl<G: GameState> Search<'_, G> {
    /// The first worker of a search in rounds.
    pub(super) fn lead(
        &self,
        worker: &mut Worker<G>,
        crew: &Crew<G>,
    ) -> Result<Counts, SearchError> {
        let _dismissal = Dismissal(crew);
        let stop_others = StopOthers(self.claims);
        let Worker { round, allotment } = worker;
        round.reset_counts();
        let mut spare = round.another(1);
        let eviction = &self.tree.eviction;
        let (one, two) = (Arc::new(round.batch()), Arc::new(spare.batch()));
        let first = Flight { round, batch: one, pin: eviction.epoch.pin(0) };
        let second = Flight { round: &mut spare, batch: two, pin: eviction.epoch.pin(1) };
        let mut flights = [first, second];
        let rounds = AssertUnwindSafe(|| self.alternate(&mut flights, crew, allotment));
        let result = panic::catch_unwind(rounds);
        for flight in &mut flights {
            // Whatever was not backed up will not be.
            flight.round.take_back_marks(self.tree);
        }
        let counts = Counts::sum(flights.iter().map(|flight| flight.round.counts));
        match result {
            Ok(Ok(())) => {
                std::mem::forget(stop_others);
                Ok(counts)
            }
            Ok(Err(error)) => Err(error),
            Err(payload) => panic::resume_unwind(payload),
        }
    }

    /// Rounds by turns: the next one is selected while the others roll out the one before.
    fn alternate(
        &self,
        [current, next]: &mut [Flight<'_, G>; 2],
        crew: &Crew<G>,
        allotment: &mut Allotment,
    ) -> Result<(), SearchError> {
        let (mut current, mut next) = (current, next);
        let mut rng = Rng::from_seed(mix(self.seed, 0));
        let mut pace = Pace::new(self.claims);
        let mut hands = Hands::default();
        let mut flying = false;
        for number in 1.. {
            pace.take_turn();
            let claimed = self.claim(next.round, allotment, &mut pace);
            if let Some(count) = claimed {
                let supply =
                    &mut Supply { rng: &mut rng, allotment: &mut *allotment, pace: &mut pace };
                let Flight { round, batch, .. } = &mut *next;
                round.attempt(self.tree, |round| round.select(self.origin(), count, supply))?;
                let free = Arc::get_mut(batch).expect("every helper has let go of it");
                let seed = mix(self.seed, number);
                round.attempt(self.tree, |round| round.hand_over(free, seed))?;
            }
            if flying {
                if !crew.roll_out(&current.batch, &mut hands, &mut pace)? {
                    // The worker that has failed tells the caller why.
                    break;
                }
                current.round.take_results(&mut hands);
                current.round.take_all_replies(&mut hands, self.tree, allotment);
                current.round.back_up(self.tree);
                self.end_round(current.round, allotment, &current.pin);
            }
            // Before any worker rolls out the next round: how much of it was done by then would be
            // up to the system.
            if claimed.is_none() || (flying && self.is_over()) {
                break;
            }
            std::mem::swap(&mut current, &mut next);
            crew.publish(&current.batch);
            flying = true;
        }
        Ok(())
    }

    /// Each other worker of a search in rounds.
    pub(super) fn follow(&self, crew: &Crew<G>) -> Result<Counts, SearchError> {
        let stop_others = StopOthers(self.claims);
        crew.serve(&mut Pace::new(self.claims))?;
        std::mem::forget(stop_others);
        // The lead counts for all workers.
        Ok(Counts::default())
    }
}

/// A round and what it wants to be rolled out.
struct Flight<'a, G: GameState> {
    round: &'a mut Round<G>,
    batch: Arc<Batch<G>>,
    /// Renewed when the round knows no node.
    pin: Pin<'a>,
}
