//! One trip down the tree and back, the four phases of a Monte Carlo tree search, on one page:
//!
//! | phase | method | file |
//! |---|---|---|
//! | 1. selection: which branches the simulations take | `select` | [`selection`](super::selection) |
//! | 2. expansion: which positions become nodes | `expand`, `link` | [`expansion`](super::expansion) |
//! | 3. rollout, or a question: how it ends from there | `roll_out` | [`rollout`](super::rollout) |
//! | 4. backup: what each node on the way learns | `back_up` | [`backup`](super::backup) |
//!
//! The first two go hand in hand, level by level. In rounds that all workers roll out together the
//! phases of two trips overlap ([`rounds`](crate::mcts::worker)); in all others they follow each
//! other.

use std::panic::{self, AssertUnwindSafe};

use crate::error::SearchError;
use crate::game::GameState;
use crate::mcts::claims::Pace;
use crate::mcts::tree::node::NodeId;
use crate::mcts::tree::{Allotment, Tree};
use crate::rng::Rng;

use super::Round;

/// Where simulations begin: the root of a search.
pub(crate) struct Origin<'a, G: GameState> {
    pub(crate) tree: &'a Tree<G>,
    pub(crate) root: NodeId,
    pub(crate) state: &'a G,
}

impl<G: GameState> Clone for Origin<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: GameState> Copy for Origin<'_, G> {}

/// What a worker gives its simulations: random numbers, memory for what is new in the tree, and
/// when to stop.
#[derive(Debug)]
pub(crate) struct Supply<'a, 'p> {
    pub(crate) rng: &'a mut Rng,
    pub(crate) allotment: &'a mut Allotment,
    pub(crate) pace: &'a mut Pace<'p>,
}

impl<G: GameState> Round<G> {
    /// `count` simulations down the tree and back.
    ///
    /// # Errors
    /// As [`set_out`](Self::set_out).
    pub(crate) fn trip(
        &mut self,
        from: Origin<'_, G>,
        count: u32,
        supply: &mut Supply<'_, '_>,
    ) -> Result<(), SearchError> {
        self.set_out(from, count, supply)?;
        self.back_up(from.tree);
        Ok(())
    }

    /// Phases 1 to 3 of `count` simulations: fewer if a node would be crowded, and the rest is
    /// given back, or if the pace says that the search is over. What they have found waits for
    /// phase 4.
    ///
    /// # Errors
    /// If the game breaks a law. The marks of the simulations are taken back then, also if
    /// the game panics.
    pub(crate) fn set_out(
        &mut self,
        from: Origin<'_, G>,
        count: u32,
        supply: &mut Supply<'_, '_>,
    ) -> Result<(), SearchError> {
        self.attempt(from.tree, |round| {
            round.select(from, count, supply)?;
            round.roll_out(from.tree, supply)
        })
    }

    /// Does a part of the round. If that fails the round is over: its marks are taken back.
    #[inline]
    pub(crate) fn attempt<T>(
        &mut self,
        tree: &Tree<G>,
        part: impl FnOnce(&mut Self) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        let done = panic::catch_unwind(AssertUnwindSafe(|| part(self)));
        let done = match (done, self.fault.take()) {
            (Ok(Ok(_)), Some(fault)) => Ok(Err(fault)),
            (done, _) => done,
        };
        match done {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) => {
                self.take_back_marks(tree);
                Err(error)
            }
            Err(payload) => {
                self.take_back_marks(tree);
                panic::resume_unwind(payload)
            }
        }
    }
}
