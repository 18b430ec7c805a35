//! Rounds: one worker selects and backs up, all of them roll out; the answer is the same for
//! any number of workers.

use std::sync::Arc;

use crate::error::SearchError;
use crate::game::GameState;
use crate::mcts::control::Pace;
use crate::mcts::round::{Batch, Counts, Hands};
use crate::rng::{Rng, mix};

use super::crew::{Crew, Dismissal};
use super::{Search, StopOthers, Worker};

impl<G: GameState> Search<'_, G> {
    /// The first worker of a search in rounds.
    pub(super) fn lead(
        &self,
        worker: &mut Worker<G>,
        crew: &Crew<G>,
    ) -> Result<Counts, SearchError> {
        let _dismissal = Dismissal(crew);
        let stop_others = StopOthers(self.control);
        let Worker { round, allotment } = worker;
        let mut rng = Rng::from_seed(mix(self.seed, 0));
        let mut pace = Pace::new(self.control);
        let mut batch = Arc::new(Batch::new(round.rules()));
        let mut hands = Hands::default();
        round.counts = Counts::default();
        for number in 1.. {
            let Some(count) = self.claim() else { break };
            let root = (self.root, self.state);
            round.attempt(self.tree, |round| {
                round.select(self.tree, root, count, &mut rng, allotment, &mut pace)
            })?;
            let free = Arc::get_mut(&mut batch).expect("every helper has let go of it");
            round.hand_over(free, mix(self.seed, number));
            let done =
                round.attempt(self.tree, |_| crew.roll_out(&batch, &mut hands, &mut pace))?;
            if !done {
                // The one who has failed tells the caller why.
                round.take_back_marks(self.tree);
                break;
            }
            round.take_results(&mut hands);
            round.back_up(self.tree);
            self.tree.settle(allotment);
        }
        std::mem::forget(stop_others);
        Ok(round.counts)
    }

    /// Each other worker of a search in rounds.
    pub(super) fn follow(&self, crew: &Crew<G>) -> Result<Counts, SearchError> {
        let stop_others = StopOthers(self.control);
        crew.serve(&mut Pace::new(self.control))?;
        std::mem::forget(stop_others);
        // The lead counts for everybody.
        Ok(Counts::default())
    }
}
