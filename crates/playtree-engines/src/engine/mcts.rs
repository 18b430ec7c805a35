//! The Monte Carlo search of a game.

use std::path::Path;
use std::sync::Arc;

use playtree::games::ReferenceGame;
#[cfg(feature = "exchange")]
use playtree::mcts::exchange::{Absorbed, Exchange, ExchangeError, Lines};
use playtree::mcts::{self, NodeReport, Options};
use playtree::save::{self, Info, Loaded};
use playtree::{
    Budget, GameState, GameTag, Handle, LoadError, Mcts, SaveError, SearchError, Watcher,
};

#[cfg(feature = "exchange")]
use super::desk::Seat;
use super::desk::{Desk, GameSearcher, Saves};
use super::{MctsEngine, Saver};
use crate::Position;
use crate::kind::typed;
use crate::report::Report;
use crate::root::Root;
use playtree_searches::Error;

impl<G: ReferenceGame> GameSearcher for Mcts<G> {
    const NAME: &'static str = "mcts";

    fn options(played: Vec<G>, root: &Root) -> Options<G> {
        let (only, except) = root.moves::<G>();
        let mut options = Options::new().except(except).played(played);
        if let Some(only) = only {
            options = options.only(only);
        }
        if let Some(moves) = root.detailed {
            options = options.detailed(moves);
        }
        if let Some(visits) = root.visit_floor {
            options = options.visit_floor(visits);
        }
        options.temperature(root.temperature)
    }

    fn search_with(
        &mut self,
        state: &G,
        budget: &Budget,
        options: &Options<G>,
    ) -> Result<mcts::Report<G::Move>, SearchError> {
        Mcts::search_with(self, state, budget, options)
    }

    fn start_with(self, state: &G, budget: &Budget, options: &Options<G>) -> Handle<Self> {
        Mcts::start_with(self, state, budget, options)
    }

    #[inline(never)]
    fn in_notation(report: &mcts::Report<G::Move>, state: &G) -> Report {
        Report::Mcts(report.in_notation(state))
    }

    fn workers(&self) -> usize {
        Mcts::workers(self)
    }

    fn forget(&mut self) {
        Mcts::forget(self);
    }

    fn node(
        watcher: &Watcher<Self>,
        line: &[G::Move],
        at_most: usize,
    ) -> Option<NodeReport<<G as GameState>::Move>> {
        watcher.node(line, at_most)
    }

    fn node_at_rest(
        &self,
        line: &[G::Move],
        at_most: usize,
    ) -> Option<NodeReport<<G as GameState>::Move>> {
        Mcts::node(self, line, at_most)
    }
}

impl<G: ReferenceGame> Saves for Mcts<G> {
    fn load(&mut self, file: &Path, tag: &GameTag) -> Result<Loaded, LoadError> {
        Mcts::load(self, file, tag)
    }

    fn save(&self, file: &Path, tag: &GameTag, options: &save::Options) -> Result<Info, SaveError> {
        Mcts::save(self, file, tag, options)
    }
}

impl<G: ReferenceGame> MctsEngine for Desk<Mcts<G>> {
    fn saver(&self, game: &Position) -> Result<Saver, Error> {
        let tag = typed::<G>(game)?.tag();
        let saver = self.handle().ok_or(Error::NoSearch)?.saver();
        Ok(Arc::new(move |file, options| saver.save(file, &tag, options)))
    }

    #[cfg(feature = "exchange")]
    fn exchange_lines(
        &mut self,
        exchange: &mut Exchange,
        at_most: usize,
    ) -> Result<Lines, ExchangeError> {
        match self.seat() {
            Seat::Idle(engine) => exchange.lines(engine, at_most),
            Seat::Thinking(handle) => exchange.lines(handle, at_most),
            Seat::Empty => Err(ExchangeError::NothingSearched),
        }
    }

    #[cfg(feature = "exchange")]
    fn exchange_share(
        &mut self,
        exchange: &mut Exchange,
        lines: &Lines,
    ) -> Result<Vec<i64>, ExchangeError> {
        match self.seat() {
            Seat::Idle(engine) => exchange.share(engine, lines),
            Seat::Thinking(handle) => exchange.share(handle, lines),
            Seat::Empty => Err(ExchangeError::NothingSearched),
        }
    }

    #[cfg(feature = "exchange")]
    fn exchange_absorb(
        &mut self,
        exchange: &mut Exchange,
        sum: &[i64],
    ) -> Result<Absorbed, ExchangeError> {
        match self.seat() {
            Seat::Idle(engine) => exchange.absorb(engine, sum),
            Seat::Thinking(handle) => exchange.absorb(handle, sum),
            Seat::Empty => Err(ExchangeError::NothingSearched),
        }
    }
}
