//! What a search that knows the game before its root makes of it: [nodes apart](crate::mcts::tree)
//! take the verdicts on repetitions, and no other node does.

use crate::game::{GameState, Outcome};
use crate::mcts::claims::Pace;
use crate::mcts::tree::apart::Takes;
use crate::mcts::tree::node::NodeId;
use crate::mcts::tree::value::Bounds;
use crate::mcts::tree::{Allotment, Tree};
use crate::repetition::{Before, Line, hash_for_repetition, is_same};

use super::{Place, Round};

impl<G: GameState> Round<G> {
    /// Begins with the hash of the root.
    #[inline]
    pub(super) fn start_history(&mut self, root: &G) {
        if self.history.is_some() {
            self.hashes.clear();
            self.hashes.push(hash_for_repetition(root));
        }
    }

    /// Keeps the hashes beside the steps where one takes no move.
    #[inline]
    pub(super) fn stay_in_history(&mut self) {
        if self.history.is_some() {
            self.hashes.push(0);
        }
    }

    /// The positions before `state`, which follows the step `at`, since the last move that cannot
    /// be undone: those before the root as far as they are known, then those of the path.
    pub(super) fn line(&self, mut at: usize, state: &G) -> Vec<&G> {
        let most = state.reversible_plies() as usize;
        let mut line = Vec::new();
        while line.len() < most {
            line.push(&self.states[at]);
            if at == 0 {
                break;
            }
            at = self.steps[at].parent as usize;
        }
        if let Some(before) = &self.history {
            let left = most - line.len();
            line.extend(before.positions().iter().rev().take(left));
        }
        line.reverse();
        line
    }

    /// Whether a new step leads to a position that is on its path or was there before the root.
    /// Then it ends there with the verdict, if its node is apart; else it is withheld.
    pub(super) fn comes_again(&mut self, tree: &Tree<G>, at: usize, mv: &G::Move) -> bool {
        let parent = self.steps[at].parent as usize;
        let state = self.states[parent].apply(mv);
        let hash = hash_for_repetition(&state);
        self.hashes.push(hash);
        let Some(before) = &self.history else { return false };
        if !self.has_been(before, parent, &state, hash) {
            return false;
        }
        self.states.push(state);
        if tree.is_apart(self.steps[parent].node) {
            self.end_by_repetition(at);
        } else {
            self.steps[at].place = Place::Withheld;
        }
        true
    }

    /// Ends a new step, whose position has been there, with the verdict of the game.
    pub(super) fn end_by_repetition(&mut self, at: usize) {
        let (step, state) = (&self.steps[at], &self.states[at]);
        let line = self.line(step.parent as usize, state);
        let outcome = state.repetition(&Line::new(&line, state));
        self.check_outcome(at, &outcome);
        let step = &mut self.steps[at];
        step.place = Place::Repetition;
        let (viewer, visits) = (usize::from(step.mover), step.visits);
        self.score(at, &outcome, viewer, visits);
    }

    /// Whether the position of a new step is on the path to it. Where each path has nodes of its
    /// own none is met again, and what comes again is seen when its node would be made.
    pub(super) fn returns(&self, at: usize) -> bool {
        let state = &self.states[at];
        let (mut at, mut left) = (at, state.reversible_plies());
        while at > 0 && left > 0 {
            at = self.steps[at].parent as usize;
            left -= 1;
            if is_same(&self.states[at], state) {
                return true;
            }
        }
        false
    }

    /// Whether a position that follows the step `at` is on the path to it, or was there before.
    fn has_been(&self, before: &Before<G>, mut at: usize, state: &G, hash: u64) -> bool {
        let mut left = state.reversible_plies() as usize;
        while left > 0 {
            if self.hashes[at] == hash && is_same(&self.states[at], state) {
                return true;
            }
            left -= 1;
            if at == 0 {
                break;
            }
            at = self.steps[at].parent as usize;
        }
        if at > 0 || left == 0 || !before.may_hold(hash) {
            return false;
        }
        let positions = before.positions();
        let first = positions.len().saturating_sub(left);
        let mut known = before.hashes()[first..].iter().zip(&positions[first..]);
        known.any(|(&known, position)| known == hash && is_same(position, state))
    }

    /// Gives back the simulations of a step that is withheld, when the nodes on its way have been
    /// copied. Without memory for that they are rolled out from there, as if the position were new.
    pub(super) fn withhold(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        allotment: &mut Allotment,
        pace: &Pace<'_>,
    ) {
        if self.copy_path(tree, self.steps[at].parent as usize, allotment).is_some() {
            pace.give_back(self.steps[at].visits);
        } else {
            self.steps[at].place = Place::Leaf;
        }
    }

    /// Copies the nodes of the table on the path to a step, its own included.
    #[cold]
    fn copy_path(&self, tree: &Tree<G>, at: usize, allotment: &mut Allotment) -> Option<NodeId> {
        let step = &self.steps[at];
        if tree.is_apart(step.node) {
            return Some(step.node);
        }
        if tree.node(step.node).is_unchecked() {
            // Its moves are those of a file: not to be applied before they were compared.
            return None;
        }
        // The root is apart.
        let parent = (at > 0).then_some(step.parent as usize)?;
        let above = self.copy_path(tree, parent, allotment)?;
        let from = tree.node(self.steps[parent].node).edge_range()?;
        let to = tree.node(above).edge_range()?;
        if from.count() != to.count() {
            // The game has given the copy other moves, of a node that was made anew meanwhile.
            return None;
        }
        let branch = step.edge.checked_sub(from.first())?;
        let edge = tree.edges(to).get(branch as usize)?;
        let child = edge.child();
        if child.is_some_and(|child| tree.is_apart(child)) {
            // Another worker, or another step, was first.
            return child;
        }
        let before = self.history.as_deref()?;
        let takes = |next: &G| {
            if self.has_been(before, at, next, hash_for_repetition(next)) {
                Takes::Nothing
            } else if before.is_critical() && next.reversible_plies() as usize > self.plies(at) {
                Takes::Value
            } else {
                Takes::All
            }
        };
        // SAFETY: this round has found the node, and its pin is renewed after it.
        let copy = unsafe { tree.copy_apart(step.node, &self.states[at], takes, allotment) }?;
        edge.turn_to(child, copy).filter(|&child| tree.is_apart(child))
    }

    /// Moves from the root to a step.
    fn plies(&self, mut at: usize) -> usize {
        let mut plies = 0;
        while at > 0 {
            at = self.steps[at].parent as usize;
            plies += 1;
        }
        plies
    }

    /// Whether what is proven of the node of a step may be wrong in this game: the proof is one of
    /// the position, and a line of it could come to one that ends the game now.
    #[inline]
    pub(super) fn is_doubtful(&self, tree: &Tree<G>, at: usize) -> bool {
        let Some(before) = &self.history else { return false };
        before.is_critical()
            && !tree.is_apart(self.steps[at].node)
            && self.states[at].reversible_plies() as usize >= self.plies(at)
    }

    /// A step whose node is proven, and the proof may be wrong in this game: its simulations are
    /// given back, to look for themselves below a copy that knows of no proof. Without memory for
    /// one they take the value, and that alone.
    #[cold]
    pub(super) fn doubt(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        allotment: &mut Allotment,
        pace: &Pace<'_>,
    ) {
        if self.copy_path(tree, at, allotment).is_some() {
            self.steps[at].place = Place::Withheld;
            pace.give_back(self.steps[at].visits);
            return;
        }
        let step = &self.steps[at];
        let (node, visits) = (tree.node(step.node), step.visits);
        let viewer = usize::from(self.steps[step.parent as usize].mover);
        let outcome = match node.value().seen_by(G::PLAYERS, node.mover(), viewer).bounds() {
            Bounds::Win => Outcome::Win(viewer),
            Bounds::Loss => Outcome::Win(viewer ^ 1),
            _ => Outcome::Draw,
        };
        self.steps[at].place = Place::Repetition;
        self.score(at, &outcome, viewer, visits);
    }
}
