//! The alpha-beta search of a game.

use playtree::alphabeta::{self, Autotune, AutotuneOptions, AutotuneProgress, Options};
use playtree::games::ReferenceGame;
use playtree::{AlphaBeta, Budget, Handle, SearchError};
use playtree_searches::{Error, Evaluation};

use super::AlphaBetaEngine;
use super::desk::{Desk, GameSearcher};
use crate::Position;
use crate::kind::typed_all;
use crate::report::Report;
use crate::root::Root;

impl<G: ReferenceGame> GameSearcher for AlphaBeta<G, Evaluation<G>> {
    const NAME: &'static str = "alphabeta";

    fn options(played: Vec<G>, root: &Root) -> Options<G> {
        let (only, except) = root.moves::<G>();
        let options = Options::new().except(except).played(played);
        match only {
            Some(only) => options.only(only),
            None => options,
        }
    }

    fn search_with(
        &mut self,
        state: &G,
        budget: &Budget,
        options: &Options<G>,
    ) -> Result<alphabeta::Report<G::Move>, SearchError> {
        AlphaBeta::search_with(self, state, budget, options)
    }

    fn start_with(self, state: &G, budget: &Budget, options: &Options<G>) -> Handle<Self> {
        AlphaBeta::start_with(self, state, budget, options)
    }

    #[inline(never)]
    fn in_notation(report: &alphabeta::Report<G::Move>, state: &G) -> Report {
        Report::AlphaBeta(report.in_notation(state))
    }

    fn workers(&self) -> usize {
        AlphaBeta::workers(self)
    }

    fn forget(&mut self) {
        AlphaBeta::forget(self);
    }
}

impl<G: ReferenceGame> AlphaBetaEngine for Desk<AlphaBeta<G, Evaluation<G>>> {
    fn autotune(
        &mut self,
        positions: &[Position],
        depth: u32,
        options: &AutotuneOptions,
        observe: &mut dyn FnMut(AutotuneProgress),
    ) -> Result<Autotune, Error> {
        let positions: Vec<G> = typed_all(positions)?;
        Ok(self.engine().autotune_with(&positions, depth, options, observe)?)
    }
}
