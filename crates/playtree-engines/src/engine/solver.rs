//! The solver of a game.

use std::fmt;
use std::path::Path;

use playtree::games::ReferenceGame;
use playtree::report::Words;
use playtree::save::{self, Info, Loaded};
use playtree::solver::{
    self, Limits, Options, Solution, SolvedMove, StrategyKind, StrategyOptions,
};
use playtree::{Budget, Handle, SearchError, Solver};
use playtree_searches::Error;
use serde::{Serialize, Serializer};

use super::desk::{Desk, GameSearcher};
use super::{Saved, SolverEngine, Strategy};
use crate::Position;
use crate::kind::typed;
use crate::report::Report;
use crate::root::Root;

impl<G: ReferenceGame> GameSearcher for Solver<G> {
    const NAME: &'static str = "solver";

    fn options(_played: Vec<G>, _root: &Root) -> Options {
        Options::new()
    }

    fn search_with(
        &mut self,
        state: &G,
        budget: &Budget,
        _options: &Options,
    ) -> Result<Solution<G::Move>, SearchError> {
        self.solve(state, budget)
    }

    fn start_with(self, state: &G, budget: &Budget, _options: &Options) -> Handle<Self> {
        self.start(state, budget)
    }

    #[inline(never)]
    fn in_notation(solution: &Solution<G::Move>, state: &G) -> Report {
        Report::Solver(solution.in_notation(state))
    }

    fn workers(&self) -> usize {
        Solver::workers(self)
    }

    fn forget(&mut self) {
        Solver::forget(self);
    }
}

impl<G: ReferenceGame> Saved for Desk<Solver<G>> {
    fn load(&mut self, file: &Path, game: &Position) -> Result<Loaded, Error> {
        let tag = typed::<G>(game)?.tag();
        Ok(self.engine().load(file, &tag)?)
    }

    fn save(
        &mut self,
        file: &Path,
        game: &Position,
        options: &save::Options,
    ) -> Result<Info, Error> {
        let tag = typed::<G>(game)?.tag();
        Ok(self.engine().save(file, &tag, options)?)
    }
}

impl<G: ReferenceGame> SolverEngine for Desk<Solver<G>> {
    fn reply(&mut self, position: &Position, budget: &Budget) -> Result<SolvedMove<String>, Error> {
        let state = typed::<G>(position)?;
        Ok(self.engine().reply(state, budget)?.in_notation(state))
    }

    fn strategy(
        &mut self,
        position: &Position,
        options: &StrategyOptions,
        budget: &Budget,
    ) -> Result<Box<dyn Strategy>, Error> {
        let state = typed::<G>(position)?;
        Ok(Box::new(Typed(self.engine().strategy(state, options, budget)?)))
    }
}

/// A strategy of the game `G`.
struct Typed<G: ReferenceGame>(solver::Strategy<G>);

impl<G: ReferenceGame> Strategy for Typed<G> {
    fn len(&self) -> usize {
        self.0.positions.len()
    }

    fn position(&self, number: usize) -> (Limits, StrategyKind, Vec<(String, usize)>) {
        let position = &self.0.positions[number];
        let text = |mv| position.state.move_text(mv);
        let moves = position.moves.iter().map(|found| (text(&found.mv), found.to));
        (position.limits, position.kind, moves.collect())
    }

    fn is_complete(&self) -> bool {
        self.0.is_complete
    }

    fn add_cost(&mut self, report: &Report) {
        let Report::Solver(first) = report else { return };
        let strategy = &mut self.0;
        strategy.nodes += first.nodes;
        strategy.elapsed += first.elapsed;
        strategy.peak_bytes = strategy.peak_bytes.max(first.peak_bytes);
        strategy.workers = strategy.workers.max(first.workers);
    }

    fn cost(&self, words: &Words) -> String {
        self.0.cost(words)
    }
}

impl<G: ReferenceGame> fmt::Display for Typed<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<G: ReferenceGame> Serialize for Typed<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
