//! The branches of a step chosen by a policy of the user's own.

use crate::error::SearchError;
use crate::game::GameState;
use crate::mcts::at_root::AtRoot;
use crate::mcts::config::NodeView;
use crate::mcts::tree::Tree;
use crate::mcts::tree::value::to_score;
use crate::rng::Rng;

use super::{Fork, Round};
use crate::mcts::round::select::own::Misstep;

impl<G: GameState> Round<G> {
    /// Chooses the branches for `visits` simulations that go on from the node of a step, at the
    /// root first those below the floor, by the policy of the user's own, and marks them as in
    /// flight if that is asked for.
    ///
    /// # Errors
    /// If the policy answers what it may not.
    #[cold]
    pub(super) fn choose_by_own(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        Fork { node, range, edges }: Fork<'_>,
        (visits, marking): (u32, bool),
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let squares = tree.planes().zip(self.rules.layout.square_plane(node.mover()));
        let squares = squares.map(|(planes, plane)| {
            (&planes.seen.range(range.first(), range.count())[plane..], planes.count)
        });
        let priors = tree.priors(range).map(|priors| (priors, 1));
        let lock = self.lock(node, false);
        let seen = NodeView {
            mover: node.mover(),
            is_root: at == 0,
            visits: node.visits(),
            mean: to_score(node.value().score()),
            branches: &[],
        };
        self.picker.copy_for_own(node, edges, [squares, priors]);
        drop(lock);
        if at == 0
            && let Some(AtRoot::Priors(priors)) = self.at_root.as_deref()
        {
            self.picker.show_priors(priors);
        }
        let floor = if at == 0 { self.floor } else { None };
        let together = self.plan.together;
        // The lock is free: this is the user's code.
        let divided = self.picker.divide_by_own(seen, (visits, together), floor, rng);
        divided.map_err(|misstep| self.of_misstep(at, misstep))?;
        if marking {
            let _lock = self.lock(node, true);
            self.mark(edges);
        }
        Ok(())
    }

    /// What a policy may not answer at the position of a step, as an error.
    #[cold]
    fn of_misstep(&self, at: usize, misstep: Misstep) -> SearchError {
        let policy = self.picker.own().map_or("", |own| own.name);
        let state = &self.states[at];
        match misstep {
            Misstep::Pick { found, open, branches } => {
                SearchError::of_selection_pick(policy, found, (open, branches), state)
            }
            Misstep::Score { branch } => SearchError::of_selection_score(policy, branch, state),
        }
    }
}
