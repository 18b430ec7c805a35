//! Phase 4, backup: each node that was passed is updated once, the deepest first.

use crate::game::GameState;
use crate::mcts::config::LockPolicy;
use crate::mcts::tree::Tree;
use crate::mcts::tree::mailbox::{Content, Letter};
use crate::mcts::tree::mailbox::{EdgeResult, EdgeUpdate};
use crate::mcts::tree::node::{Edge, Node};
use crate::mcts::tree::update::{self, Narrowed};
use crate::mcts::tree::value::{ONE, Value};
use crate::prefetch::prefetch_to_write;
use crate::sync::HAS_THREADS;

use super::{Place, Round, Step};

/// The memory for a step is asked for this number of steps before its update.
const STEPS_AHEAD: usize = 8;

impl Step {
    /// What came back through the edge taken, if anything did.
    #[inline]
    fn edge_update(&self) -> Option<EdgeUpdate> {
        (self.returned > 0 && self.place != Place::Stay).then_some(EdgeUpdate {
            edge: self.edge,
            visits: self.returned,
            result: match self.value {
                Some(value) => EdgeResult::Child { value, distance: self.distance },
                None => EdgeResult::Sum(self.sum),
            },
        })
    }
}

impl<G: GameState> Round<G> {
    /// Phase 4, backup: each node that was passed is updated once, the deepest first.
    pub(crate) fn back_up(&mut self, tree: &Tree<G>) {
        self.update_later_moves(tree);
        self.learn();
        self.proven = 0;
        for at in (0..self.steps.len()).rev() {
            if let Some(ahead) = at.checked_sub(STEPS_AHEAD) {
                self.prefetch(tree, ahead);
            }
            let is_node = match self.steps[at].place {
                Place::Inner => true,
                Place::Joined => {
                    self.part(at);
                    false
                }
                place => {
                    let Step { returned, value, .. } = self.steps[at];
                    self.counts.simulations += u64::from(returned);
                    // An end with a score that proves nothing has no value.
                    let proven = place == Place::Known && value.is_some();
                    self.proven += if proven { returned } else { 0 };
                    place == Place::Own || self.move_in(tree, at)
                }
            };
            if is_node {
                if self.steps[at].returned > 0 {
                    self.update(tree, at);
                } else {
                    self.take_back_children(tree, at);
                }
            }
            if at > 0 {
                let Step { parent, returned, .. } = self.steps[at];
                self.steps[parent as usize].returned += returned;
            }
        }
        if let Some(scores) = &self.move_scores {
            scores.note(&self.steps, &self.codes);
        }
    }

    /// Asks for the memory that the update of a step will change: in a long round much of what was
    /// read on the way down has left the cache since, and more has been changed by others.
    #[inline]
    fn prefetch(&self, tree: &Tree<G>, at: usize) {
        let step = &self.steps[at];
        match step.place {
            Place::Inner | Place::Own => {
                prefetch_to_write(tree.node(step.node));
                if let [first, others @ ..] = &self.steps[self.children(at)] {
                    prefetch_to_write(tree.edge(first.edge));
                    prefetch_to_write(tree.edge(others.last().unwrap_or(first).edge));
                }
            }
            Place::Leaf => prefetch_to_write(tree.edge(step.edge)),
            _ => {}
        }
    }

    /// Takes back what belongs to a step whose simulations have joined those of another one, which
    /// lies behind it and so was updated before it.
    fn part(&mut self, at: usize) {
        let joint = self.steps[at].sum as usize;
        let Step { value, distance, returned, sum, parent, .. } = self.steps[joint];
        // If not all came back it is as good as any that these did.
        let own = returned.min(self.steps[at].visits);
        let share =
            |of: u64| if own == returned { of } else { of / u64::from(returned) * u64::from(own) };
        let own_sum = share(sum);
        self.steps[joint].returned -= own;
        self.steps[parent as usize].returned -= own;
        self.steps[joint].sum -= own_sum;
        let step = &mut self.steps[at];
        (step.value, step.distance, step.returned, step.sum) = (value, distance, own, own_sum);
        let planes = self.rules.layout.count();
        for plane in 0..planes {
            let of_joint = self.planes[joint * planes + plane];
            // The means are the same for both, sums are shared.
            let own = if value.is_some() { of_joint } else { share(of_joint) };
            self.planes[at * planes + plane] = own;
            if value.is_none() {
                self.planes[joint * planes + plane] -= own;
            }
        }
    }

    /// Makes the rollouts from a leaf those of its node, if the position has got one meanwhile.
    /// False if it is no leaf, or has none.
    fn move_in(&mut self, tree: &Tree<G>, at: usize) -> bool {
        let step = &mut self.steps[at];
        // With planes they stay with the branch: the node does without.
        if step.place != Place::Leaf || step.returned == 0 || self.rules.layout.count() > 0 {
            return false;
        }
        let Some(child) = tree.edge(step.edge).child() else { return false };
        let mover = tree.node(child).mover() as u8;
        if G::PLAYERS == 2 && mover != step.mover {
            step.sum = u64::from(step.returned) * u64::from(ONE) - step.sum;
        }
        (step.place, step.node, step.mover) = (Place::Own, child, mover);
        true
    }

    /// Updates the node of a step, as the lock policy says.
    fn update(&mut self, tree: &Tree<G>, at: usize) {
        let id = self.steps[at].node;
        let node = tree.node(id);
        match self.rules.lock_policy {
            LockPolicy::Block => {
                let alone = node.lock().write();
                self.counts.contended += u64::from(alone.waited());
                self.apply(tree, at, node);
            }
            LockPolicy::Yield => match node.lock().try_write() {
                Some(_alone) => self.apply(tree, at, node),
                None => {
                    self.counts.contended += 1;
                    self.counts.dropped += u64::from(self.steps[at].returned);
                    self.steps[at].returned = 0;
                    self.take_back_children(tree, at);
                }
            },
            LockPolicy::Defer => match node.lock().try_hold() {
                Some(holder) => {
                    self.apply(tree, at, node);
                    update::release(tree, id, node, holder);
                }
                None if !HAS_THREADS => unreachable!("no other thread holds a lock"),
                None => {
                    self.counts.contended += 1;
                    self.defer(tree, at);
                    if let Some(holder) = node.lock().announce() {
                        // No worker holds the lock any more: the letters are ours to open.
                        update::open_letters(tree, id, node);
                        update::release(tree, id, node, holder);
                    }
                }
            },
        }
    }

    /// Changes the node of a step by all that came back. Under the node's write lock.
    fn apply(&mut self, tree: &Tree<G>, at: usize, node: &Node) {
        let Step { place, node: id, children: (first, count), .. } = self.steps[at];
        if count == 1 && place == Place::Inner && tree.planes().is_none() {
            let edge = tree.edge(self.steps[first as usize].edge);
            return self.apply_one(tree, (at, first as usize), node, edge);
        }
        let planes = self.rules.layout.count();
        let before = node.visits();
        if let Some(own) = self.own_rollouts(at) {
            let Step { returned, sum, .. } = self.steps[own];
            let sums = &self.planes[own * planes..][..planes];
            update::apply_own(tree, id, node, returned, sum, sums);
        }
        let mut narrowed = Narrowed::NOTHING;
        let children = self.children(at);
        if let Some(range) = node.edge_range() {
            let (first, edges) = (range.first(), tree.edges(range));
            let access = self.access();
            for (at, child) in children.clone().zip(&mut self.steps[children]) {
                if child.place == Place::Stay {
                    continue;
                }
                let edge = &edges[(child.edge - first) as usize];
                child.take_back(edge, access);
                if let Some(update) = child.edge_update() {
                    let planes =
                        if planes == 0 { &[] } else { &self.planes[at * planes..][..planes] };
                    update::apply(tree, (id, node), edge, &update, planes, &mut narrowed);
                }
            }
        }
        self.settle(tree, (at, node), before, narrowed);
    }

    /// As [`apply`](Self::apply), where one step follows, which has taken this edge, and there are
    /// no planes: at most nodes of most rounds.
    fn apply_one(&mut self, tree: &Tree<G>, (at, child): (usize, usize), node: &Node, edge: &Edge) {
        let id = self.steps[at].node;
        let (before, access) = (node.visits(), self.access());
        let child = &mut self.steps[child];
        child.take_back(edge, access);
        let mut narrowed = Narrowed::NOTHING;
        if let Some(update) = child.edge_update() {
            update::apply(tree, (id, node), edge, &update, &[], &mut narrowed);
        }
        self.settle(tree, (at, node), before, narrowed);
    }

    /// Ends the update of the node of a step, which had `before` visits.
    #[inline]
    fn settle(
        &mut self,
        tree: &Tree<G>,
        (at, node): (usize, &Node),
        before: u32,
        narrowed: Narrowed,
    ) {
        if before.leading_zeros() != node.visits().leading_zeros() && before > 0 {
            update::catch_up(tree, node, self.rules.layout, G::PLAYERS);
        }
        node.touch(tree.eviction.begun());
        let value = update::refresh(tree, (self.steps[at].node, node), narrowed);
        self.show_parent(tree, at, node, value);
    }

    /// The step that holds the rollouts from the node of a step itself, if there were any.
    #[inline]
    fn own_rollouts(&self, at: usize) -> Option<usize> {
        if self.steps[at].place == Place::Own {
            return Some(at);
        }
        // One that stays comes behind those that go on.
        self.children(at).last().filter(|&last| self.steps[last].place == Place::Stay)
    }

    /// Puts the value of an updated node into its step, as the parent's side to move sees it.
    #[inline]
    fn show_parent(&mut self, tree: &Tree<G>, at: usize, node: &Node, value: Value) {
        let viewer = self.steps[self.steps[at].parent as usize].mover;
        let flipped = G::PLAYERS == 2 && viewer != self.steps[at].mover;
        let mut seen = if flipped { value.flip() } else { value };
        if tree.planes().is_some() {
            seen = self.show_planes(tree, at, node, value).unwrap_or(seen);
        }
        let step = &mut self.steps[at];
        step.value = Some(seen);
        step.distance = node.distance();
    }

    /// The same for the further planes. Returns the value, if it is in one of them.
    fn show_planes(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        node: &Node,
        value: Value,
    ) -> Option<Value> {
        let kept = tree.planes()?;
        let viewer = self.steps[self.steps[at].parent as usize].mover;
        let layout = self.rules.layout;
        let means = &mut self.planes[at * layout.count()..][..layout.count()];
        let id = self.steps[at].node;
        update::see_planes::<G>(kept, layout, (id, node, value), usize::from(viewer), means)
    }

    /// Leaves all that came back to the node of a step in the mailbox. Its value is not
    /// known then; the parent gets the sum of the scores.
    fn defer(&mut self, tree: &Tree<G>, at: usize) {
        let step = self.steps[at];
        let planes = self.rules.layout.count();
        let (mut sum, mut sums) = (0, vec![0; planes]);
        let mut letters = Vec::new();
        if let Some(own) = self.own_rollouts(at) {
            let Step { returned: visits, sum: of_own, .. } = self.steps[own];
            sum += of_own;
            let planes = &self.planes[own * planes..][..planes];
            for (sum, plane) in sums.iter_mut().zip(planes) {
                *sum += plane;
            }
            let content = Content::Own { visits, sum: of_own };
            letters.push(Letter { node: step.node, content, planes: planes.into() });
        }
        for child in self.children(at) {
            self.take_back(tree, child);
            let Some(update) = self.steps[child].edge_update() else { continue };
            let times = match update.result {
                EdgeResult::Child { value, .. } => {
                    sum += u64::from(update.visits) * u64::from(value.score());
                    u64::from(update.visits)
                }
                EdgeResult::Sum(of_child) => {
                    sum += of_child;
                    1
                }
            };
            let planes = &self.planes[child * planes..][..planes];
            for (sum, plane) in sums.iter_mut().zip(planes) {
                *sum += times * plane;
            }
            let content = Content::Edge(update);
            letters.push(Letter { node: step.node, content, planes: planes.into() });
        }
        self.counts.deferred += letters.len() as u64;
        tree.mailbox.leave(step.node, letters);
        // From the node's side to move to the parent's.
        let viewer = self.steps[step.parent as usize].mover;
        let returned = u64::from(step.returned);
        if G::PLAYERS == 2 && viewer != step.mover {
            if let [squares] = &mut sums[..] {
                *squares = (returned * u64::from(ONE) + *squares).saturating_sub(2 * sum);
            }
            sum = returned * u64::from(ONE) - sum;
        } else if let Some(plane) = self.rules.layout.score_plane(usize::from(viewer)) {
            sum = sums[plane];
        }
        self.planes[at * planes..][..planes].copy_from_slice(&sums);
        self.steps[at].sum = sum;
        self.steps[at].value = None;
    }
}
