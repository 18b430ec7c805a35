//! One trip down the tree and back, the four phases of a Monte Carlo tree search, on one page:
//!
//! | phase | method | file |
//! |---|---|---|
//! | 1. selection: which branches the simulations take | `select` | [`selection`](super::selection) |
//! | 2. expansion: which positions become nodes | `expand`, `link` | [`expansion`](super::expansion) |
//! | 3. rollout: how the game ends from there | `roll_out` | [`rollout`](super::rollout) |
//! | 4. backup: what each node on the way learns | `back_up` | [`backup`](super::backup) |
//!
//! The first two go hand in hand, level by level. In rounds that all workers roll out together the
//! phases of two trips overlap ([`rounds`](crate::mcts::worker)); in all others they follow each other.

use std::panic::{self, AssertUnwindSafe};

use crate::error::SearchError;
use crate::game::GameState;
use crate::mcts::claims::Pace;
use crate::mcts::tree::node::NodeId;
use crate::mcts::tree::{Allotment, Tree};
use crate::rng::Rng;

use super::Round;

impl<G: GameState> Round<G> {
    /// `count` simulations from `root`, down the tree and back.
    ///
    /// # Errors
    /// As [`set_out`](Self::set_out).
    pub(crate) fn trip(
        &mut self,
        tree: &Tree<G>,
        root: (NodeId, &G),
        count: u32,
        rng: &mut Rng,
        allotment: &mut Allotment,
        pace: &mut Pace<'_>,
    ) -> Result<(), SearchError> {
        self.set_out(tree, root, count, rng, allotment, pace)?;
        self.back_up(tree);
        Ok(())
    }

    /// Phases 1 to 3 of `count` simulations from `root`: fewer if a node would be crowded, and the
    /// rest is given back, or if `pace` says that the search is over. What they have found waits for
    /// phase 4.
    ///
    /// # Errors
    /// If the game breaks a law. The marks of the simulations are taken back then, also if
    /// the game panics.
    pub(crate) fn set_out(
        &mut self,
        tree: &Tree<G>,
        root: (NodeId, &G),
        count: u32,
        rng: &mut Rng,
        allotment: &mut Allotment,
        pace: &mut Pace<'_>,
    ) -> Result<(), SearchError> {
        self.attempt(tree, |round| {
            round.select(tree, root, count, rng, allotment, pace)?;
            round.roll_out(rng, pace)
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
