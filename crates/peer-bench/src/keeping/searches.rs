//! The searches: each engine with each limit, of each position with each seed.

use super::contender::Contender;
use super::measure::Measure;
use super::positions::{Labelled, Measured};
use super::progress::Progress;
use crate::Failure;
use crate::engine::Limit;
use crate::parallel::in_parallel;
use crate::rollouts::mixed;

/// What to search.
pub(super) struct Plan<'a, G: Measured> {
    /// The positions; each counts for some measure.
    pub(super) positions: &'a [&'a Labelled<G>],
    /// The engines.
    pub(super) contenders: &'a [Contender],
    /// The limits, from small to large.
    pub(super) limits: &'a [Limit],
    /// Searches of each position.
    pub(super) seeds: usize,
    /// Fixes the seeds of the searches.
    pub(super) seed: u64,
    /// Workers of a search.
    pub(super) threads: usize,
    /// Searches at a time.
    pub(super) concurrency: usize,
}

/// A search of the plan, each part an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    limit: usize,
    position: usize,
    seed: usize,
    contender: usize,
}

/// What a search has found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searched {
    /// What its move is worth.
    worth: i32,
    /// Simulations done, `None` if the crate does not tell.
    simulations: Option<u64>,
    seconds: f64,
}

/// What all the searches of a plan have found, in its order.
#[derive(Clone, Debug)]
pub(super) struct Results(Vec<Searched>);

/// What the searches of one engine with one limit took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Work {
    /// Simulations of a search on average.
    pub(super) simulations: f64,
    /// Simulations per second.
    pub(super) speed: f64,
}

impl<G: Measured> Plan<'_, G> {
    fn len(&self) -> usize {
        self.limits.len() * self.positions.len() * self.seeds * self.contenders.len()
    }

    /// The search of this number. Engines take turns, so that each meets the machine in the same
    /// state.
    fn place(&self, index: usize) -> Place {
        let (index, contender) = (index / self.contenders.len(), index % self.contenders.len());
        let (index, seed) = (index / self.seeds, index % self.seeds);
        let (limit, position) = (index / self.positions.len(), index % self.positions.len());
        Place { limit, position, seed, contender }
    }

    /// The number of this search.
    fn index(&self, place: Place) -> usize {
        let index = place.limit * self.positions.len() + place.position;
        (index * self.seeds + place.seed) * self.contenders.len() + place.contender
    }

    /// Does all the searches. They share nothing, so that with limits in simulations and one
    /// worker the moves do not depend on the concurrency.
    pub(super) fn run(&self) -> Result<Results, Failure> {
        for contender in self.contenders {
            contender.check::<G>(self.threads)?;
        }
        let progress = Progress::new("searches", self.len());
        let searches = in_parallel(self.len(), self.concurrency, |index| {
            let searched = self.search(self.place(index));
            progress.step();
            searched
        });
        Ok(Results(searches?))
    }

    /// Does one search. Its seed is that of the other engines and limits as well.
    fn search(&self, place: Place) -> Result<Searched, Failure> {
        let position = self.positions[place.position];
        let contender = &self.contenders[place.contender];
        let seed = mixed(self.seed, (place.position * self.seeds + place.seed) as u64);
        let limit = self.limits[place.limit];
        let found = contender.search(&position.state, limit, self.threads, seed)?;
        let worth = position.worth(&found.best).ok_or_else(|| {
            format!("expected a legal move of engine '{}', found another", contender.name)
        })?;
        Ok(Searched { worth, simulations: found.simulations, seconds: found.seconds })
    }

    /// The positions that count for `measure`, by their index.
    pub(super) fn counted(&self, measure: Measure) -> Vec<usize> {
        let all = self.positions.iter().enumerate();
        all.filter(|(_, position)| position.counts_for(measure)).map(|(index, _)| index).collect()
    }

    /// The mean loss over the seeds, as `measure` counts, in each of the positions that count.
    pub(super) fn losses(
        &self,
        results: &Results,
        measure: Measure,
        limit: usize,
        contender: usize,
    ) -> Vec<f64> {
        let loss = |position: usize| {
            let best = self.positions[position].best();
            let searches = (0..self.seeds).map(|seed| {
                let place = Place { limit, position, seed, contender };
                measure.loss(best, results.0[self.index(place)].worth)
            });
            searches.sum::<f64>() / self.seeds as f64
        };
        self.counted(measure).into_iter().map(loss).collect()
    }

    /// What the searches of an engine with a limit took; `None` if its crate does not tell.
    pub(super) fn work(&self, results: &Results, limit: usize, contender: usize) -> Option<Work> {
        let (mut searches, mut simulations, mut seconds) = (0.0, 0.0, 0.0);
        for (index, searched) in results.0.iter().enumerate() {
            let place = self.place(index);
            if (place.limit, place.contender) != (limit, contender) {
                continue;
            }
            if let Some(count) = searched.simulations {
                searches += 1.0;
                simulations += count as f64;
                seconds += searched.seconds;
            }
        }
        let work = Work { simulations: simulations / searches, speed: simulations / seconds };
        (searches > 0.0).then_some(work)
    }
}

#[cfg(test)]
mod tests {
    use playtree::games::ConnectFour;

    use super::{Plan, Results};
    use crate::engine::Limit;
    use crate::keeping::contender::Contender;
    use crate::keeping::measure::Measure;
    use crate::keeping::positions::{Labelled, Measured};

    /// Two positions whose winning moves are invented, except for the first one's: three stones
    /// stand side by side there, free at both ends.
    fn positions() -> Vec<Labelled<ConnectFour>> {
        let text = "314151\t-1 1 -1 -1 -1 1 -1\n1234567\t1 -1 0 0 0 0 0\n";
        ConnectFour::read(text).unwrap().positions
    }

    fn results(concurrency: usize, limits: &[Limit]) -> (Vec<Vec<f64>>, Vec<u64>) {
        let positions = positions();
        let positions: Vec<_> = positions.iter().collect();
        let contenders: Vec<Contender> =
            ["plain", "peer=treant"].map(|text| text.parse().unwrap()).into();
        let plan = Plan {
            positions: &positions,
            contenders: &contenders,
            limits,
            seeds: 3,
            seed: 5,
            threads: 1,
            concurrency,
        };
        for index in 0..plan.len() {
            assert_eq!(plan.index(plan.place(index)), index);
        }
        let results: Results = plan.run().unwrap();
        let mut losses = Vec::new();
        for limit in 0..limits.len() {
            for contender in 0..contenders.len() {
                losses.push(plan.losses(&results, Measure::Value, limit, contender));
                let work = plan.work(&results, limit, contender).expect("both tell");
                assert!(work.simulations > 0.0 && work.speed > 0.0);
            }
        }
        let simulations = results.0.iter().map(|searched| searched.simulations.unwrap()).collect();
        (losses, simulations)
    }

    #[test]
    fn searches_do_not_depend_on_the_concurrency() {
        let limits = [Limit::Simulations(20), Limit::Simulations(500)];
        let alone = results(1, &limits);
        assert_eq!(alone, results(3, &limits));
        // A win at once is found by all.
        for losses in &alone.0[2..] {
            assert_eq!(losses[0], 0.0);
        }
    }
}
