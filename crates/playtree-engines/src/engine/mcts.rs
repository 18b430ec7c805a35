//! The Monte Carlo search of a game.

use std::path::Path;
use std::sync::Arc;

use playtree::games::ReferenceGame;
#[cfg(feature = "exchange")]
use playtree::mcts::exchange::{Absorbed, Exchange, ExchangeError, Lines};
use playtree::mcts::{self, NodeReport, Options};
use playtree::save::{self, Info, Loaded};
use playtree::{Budget, GameState, Handle, Mcts, SearchError, Watcher};
use playtree_searches::Error;
#[cfg(feature = "exchange")]
use playtree_searches::Exchanging;

#[cfg(feature = "exchange")]
use super::desk::Seat;
use super::desk::{Desk, GameSearcher};
use super::{MctsEngine, Saved, Saver};
use crate::Position;
use crate::kind::typed;
use crate::report::Report;
use crate::root::Root;

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

#[cfg(feature = "exchange")]
impl<G: ReferenceGame> Desk<Mcts<G>> {
    fn exchanging(&mut self) -> Result<Exchanging<'_, G>, ExchangeError> {
        match self.seat() {
            Seat::Idle(engine) => Ok(Exchanging::Idle(engine)),
            Seat::Thinking(handle) => Ok(Exchanging::Thinking(handle)),
            Seat::Empty => Err(ExchangeError::NothingSearched),
        }
    }
}

impl<G: ReferenceGame> Saved for Desk<Mcts<G>> {
    fn load(&mut self, file: &Path, game: &Position) -> Result<Loaded, Error> {
        let tag = typed::<G>(game)?.tag();
        let load = self.searches().load;
        Ok(load(self.engine(), file, &tag)?)
    }

    fn save(
        &mut self,
        file: &Path,
        game: &Position,
        options: &save::Options,
    ) -> Result<Info, Error> {
        let tag = typed::<G>(game)?.tag();
        let save = self.searches().save;
        Ok(save(self.engine(), file, &tag, options)?)
    }
}

impl<G: ReferenceGame> MctsEngine for Desk<Mcts<G>> {
    fn saver(&self, game: &Position) -> Result<Saver, Error> {
        let tag = typed::<G>(game)?.tag();
        let saver = self.handle().ok_or(Error::NoSearch)?.saver();
        let save = self.searches().save_by;
        Ok(Arc::new(move |file, options| save(&saver, file, &tag, options)))
    }

    #[cfg(feature = "exchange")]
    fn exchange_lines(
        &mut self,
        exchange: &mut Exchange,
        at_most: usize,
    ) -> Result<Lines, ExchangeError> {
        let choose = self.searches().exchanges.lines;
        choose(exchange, self.exchanging()?, at_most)
    }

    #[cfg(feature = "exchange")]
    fn exchange_share(
        &mut self,
        exchange: &mut Exchange,
        lines: &Lines,
    ) -> Result<Vec<i64>, ExchangeError> {
        let share = self.searches().exchanges.share;
        share(exchange, self.exchanging()?, lines)
    }

    #[cfg(feature = "exchange")]
    fn exchange_absorb(
        &mut self,
        exchange: &mut Exchange,
        sum: &[i64],
    ) -> Result<Absorbed, ExchangeError> {
        let absorb = self.searches().exchanges.absorb;
        absorb(exchange, self.exchanging()?, sum)
    }
}
