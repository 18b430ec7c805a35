//! How what other engines have found enters a tree.
//!
//! A position gets it as [backup](crate::mcts::tree::update) would bring it, under its lock, the
//! deepest positions first. A branch gets visits, and the value of the position that it leads to. If
//! that one is in the lines and was before, it gets what is new there in detail. If not, the visits
//! become rollouts of its own, worth what the others have seen: else
//! its next visit would forget them. So each visit comes once, and `visits = own rollouts + visits of
//! the branches` holds at every position, whatever way leads there.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::iter;

use crate::game::GameState;
use crate::mcts::tree::Tree;
use crate::mcts::tree::mailbox::{EdgeResult, EdgeUpdate};
use crate::mcts::tree::node::{Edge, Node, NodeId};
use crate::mcts::tree::planes::PlaneLayout;
use crate::mcts::tree::update::{self, Narrowed};
use crate::mcts::tree::value::{Bounds, ONE, Value, to_fixed, to_score};
use crate::prefetch::prefetch_to_write;

use super::lines::{Layout, Lines, Parts};
use super::number::ByNumber;
use super::proof::{self, Said};
use super::sums::Foreign;
use super::{Absorbed, Entries, NODES_AHEAD};

/// What enters a tree, and what that is accounted for in.
pub(super) struct Absorption<'a, G: GameState> {
    pub(super) tree: &'a Tree<G>,
    pub(super) lines: &'a Lines,
    pub(super) layout: &'a Layout,
    pub(super) foreign: &'a Foreign,
    /// The node of each line.
    pub(super) nodes: &'a [Option<NodeId>],
    /// The entries of the nodes, and the mark of those that are theirs still.
    pub(super) entries: &'a mut Entries,
    pub(super) mark: u8,
}

/// The lines of the nodes that have one.
type LineOf = HashMap<u32, usize, ByNumber>;

/// What a position is worth to the side to move at the one before it.
#[derive(Clone, Copy, Debug)]
struct Seen {
    value: Value,
    distance: u32,
}

/// Memory that is used for one position after the other.
#[derive(Debug, Default)]
struct Scratch {
    /// What each branch leads to, if that is wanted and known.
    seen: Vec<Option<Seen>>,
    /// The means of its further planes.
    means: Vec<u64>,
    sums: Vec<u64>,
}

impl<G: GameState> Absorption<'_, G> {
    pub(super) fn run(mut self) -> Absorbed {
        let Self { tree, nodes, foreign, .. } = self;
        let mut absorbed = Absorbed { engines: foreign.engines as u32, ..Absorbed::default() };
        let numbers = nodes.iter().enumerate();
        let mut order: Vec<(usize, NodeId)> =
            numbers.filter_map(|(line, &id)| Some((line, id?))).collect();
        let line_of: LineOf = order.iter().map(|&(line, id)| (id.0, line)).collect();
        order.sort_by_key(|&(line, id)| (Reverse(tree.node(id).ply()), Reverse(line)));
        let mut scratch = Scratch::default();
        tree.exchanged.note_absorbed();
        for (at, &(line, id)) in order.iter().enumerate() {
            if let Some(&(_, ahead)) = order.get(at + NODES_AHEAD) {
                tree.prefetch_edges(tree.node(ahead));
            }
            if let Some(&(line, next)) = order.get(at + 1) {
                self.prefetch_below(line, next);
            }
            let parts = self.layout.parts(line, &self.lines.places[line], &foreign.words);
            let node = tree.node(id);
            // Remade since: what the entry says is true no more.
            if node.exchange_mark() != self.mark {
                self.entries.remove(&id.0);
            }
            self.look_below(node, &parts, &line_of, &mut scratch);
            absorbed.proofs += self.take((id, node), &parts, &mut scratch);
            if let Some(entry) = self.entries.get_mut(&id.0) {
                entry.add_groups(parts.groups.iter().map(|&more| more as u64));
            }
            self.take_table(id, node, &parts);
            absorbed.positions += 1;
            if line == 0 {
                let visits = parts.groups.iter().step_by(self.layout.stride);
                absorbed.visits = visits.map(|&visits| visits as u64).sum();
            }
        }
        absorbed
    }

    /// Asks for the memory of the positions that a line's branches bring something to.
    fn prefetch_below(&self, line: usize, id: NodeId) {
        let parts = self.layout.parts(line, &self.lines.places[line], &self.foreign.words);
        let groups = parts.groups.chunks_exact(self.layout.stride).skip(1);
        for (edge, group) in self.tree.edges_of(self.tree.node(id)).iter().zip(groups) {
            if let Some(child) = edge.child().filter(|_| group[0] > 0) {
                prefetch_to_write(self.tree.node(child));
            }
        }
    }

    fn planes(&self) -> PlaneLayout {
        PlaneLayout::of_count(G::PLAYERS, self.tree.plane_count())
    }

    /// Gives the positions below a node what they get by their branches, and looks what they are
    /// worth.
    fn look_below(
        &mut self,
        node: &Node,
        parts: &Parts<'_>,
        line_of: &LineOf,
        scratch: &mut Scratch,
    ) {
        let (tree, stride, planes) = (self.tree, self.layout.stride, self.planes().count());
        let edges = tree.edges_of(node);
        scratch.seen.clear();
        scratch.means.clear();
        scratch.means.resize(edges.len() * planes, 0);
        for (branch, (edge, group)) in
            edges.iter().zip(parts.groups[stride..].chunks_exact(stride)).enumerate()
        {
            let has_proof = parts.proofs.get(branch).is_some_and(|&word| word != 0);
            let child = edge
                .child()
                .filter(|child| group[0] > 0 || has_proof || line_of.contains_key(&child.0));
            let Some(child) = child else {
                scratch.seen.push(None);
                continue;
            };
            let in_detail =
                line_of.get(&child.0).is_some_and(|&line| self.lines.places[line].goes_on);
            if group[0] > 0 && !in_detail {
                self.give_rollouts(child, node.mover(), group, &mut scratch.sums);
            }
            let means = &mut scratch.means[branch * planes..][..planes];
            scratch.seen.push(self.see(child, node.mover(), means));
        }
    }

    /// Makes the visits of a branch rollouts of the position that it leads to, where the branch's
    /// side to move is `viewer`.
    fn give_rollouts(&mut self, id: NodeId, viewer: usize, group: &[i64], sums: &mut Vec<u64>) {
        let (tree, node) = (self.tree, self.tree.node(id));
        let visits = group[0] as u64;
        let most = visits * u64::from(ONE);
        sums.clear();
        sums.extend(group[1..].iter().map(|&sum| sum as u64));
        if G::PLAYERS == 2 && viewer != node.mover() {
            if let [sum, square] = &mut sums[..] {
                // The sum of (1 - r)^2.
                *square = (most + *square).saturating_sub(2 * *sum).min(most);
            }
            sums[0] = most - sums[0];
        } else if let Some(plane) = self.planes().score_plane(node.mover()) {
            sums[0] = sums[1 + plane];
        }
        let (holder, _) = update::hold(node);
        update::apply_own(tree, id, node, visits as u32, sums[0], &sums[1..]);
        update::refresh(tree, (id, node), Narrowed::NOTHING);
        update::release(tree, id, node, holder);
        if node.exchange_mark() == self.mark
            && let Some(entry) = self.entries.get_mut(&id.0)
        {
            entry.add_groups(iter::once(visits).chain(sums.iter().copied()));
        }
    }

    /// What a position is worth to `viewer`; `None` if nothing is known of it.
    fn see(&self, id: NodeId, viewer: usize, means: &mut [u64]) -> Option<Seen> {
        let (tree, node) = (self.tree, self.tree.node(id));
        let Some(kept) = tree.planes() else {
            // One word, read without the lock: at worst the value of a moment ago.
            let value = node.value();
            let value_seen = value.seen_by(G::PLAYERS, node.mover(), viewer);
            let is_known = node.visits() > 0 || value.is_exact();
            return is_known.then(|| Seen { value: value_seen, distance: node.distance() });
        };
        let (holder, _) = update::hold(node);
        let value = node.value();
        let place = (id, node, value);
        let by_plane = update::see_planes::<G>(kept, self.planes(), place, viewer, means);
        let is_known = node.visits() > 0 || value.is_exact();
        let distance = node.distance();
        update::release(tree, id, node, holder);
        let value = by_plane.unwrap_or_else(|| value.seen_by(G::PLAYERS, node.mover(), viewer));
        is_known.then_some(Seen { value, distance })
    }

    /// Changes a position itself: how many of its branches others have proven, and this engine had
    /// not.
    fn take(
        &mut self,
        (id, node): (NodeId, &Node),
        parts: &Parts<'_>,
        scratch: &mut Scratch,
    ) -> u32 {
        let (tree, stride, planes) = (self.tree, self.layout.stride, self.planes().count());
        let (own, branches) = parts.groups.split_at(stride);
        let (holder, _) = update::hold(node);
        node.touch(tree.eviction.begun());
        let Scratch { seen, means, sums } = scratch;
        if own[0] > 0 {
            sums.clear();
            sums.extend(own[1..].iter().map(|&sum| sum as u64));
            update::apply_own(tree, id, node, own[0] as u32, sums[0], &sums[1..]);
        }
        let (mut narrowed, mut proofs) = (Narrowed::NOTHING, 0);
        let places = tree.indexed_edges(node).zip(branches.chunks_exact(stride));
        for (branch, ((index, edge), group)) in places.enumerate() {
            let said = match parts.proofs.get(branch) {
                Some(&word) => proof::read(word, self.foreign.engines),
                None => Said::Nothing,
            };
            let means = &mut means[branch * planes..][..planes];
            let mut result = self.result(edge, seen[branch], group, means);
            if let Said::Value(bounds, plies) = said
                && let Some(value) = self.newly_proven(node, edge, result, bounds)
            {
                tree.exchanged.note_proof();
                // As if the position had been evicted since: the branch knows all that it needs.
                let distance = plies.max(1);
                set_square(value, means);
                result = Some(EdgeResult::Child { value, distance });
                proofs += 1;
            }
            let visits = group[0] as u32;
            // Not visited and nothing proven: there is nothing to be kept.
            let is_proven = matches!(
                result, Some(EdgeResult::Child { value, .. }) if value.is_exact()
            );
            if visits == 0 && !is_proven && edge.stats().visits == 0 {
                continue;
            }
            if let Some(result) = result {
                let update = EdgeUpdate { edge: index, visits, result };
                update::apply(tree, (id, node), edge, &update, means, &mut narrowed);
            }
        }
        update::refresh(tree, (id, node), narrowed);
        update::release(tree, id, node, holder);
        proofs
    }

    /// What a branch has come to by the visits of others; `None` if nothing has changed.
    fn result(
        &self,
        edge: &Edge,
        seen: Option<Seen>,
        group: &[i64],
        means: &mut [u64],
    ) -> Option<EdgeResult> {
        let value = edge.stats().value;
        if let Some(Seen { value, distance }) = seen {
            return Some(EdgeResult::Child { value, distance });
        }
        if group[0] == 0 {
            return None;
        }
        if value.is_exact() {
            set_square(value, means);
            return Some(EdgeResult::Child { value, distance: self.tree.distance_below(edge) });
        }
        for (mean, &sum) in means.iter_mut().zip(&group[2..]) {
            *mean = sum as u64;
        }
        Some(EdgeResult::Sum(group[1] as u64))
    }

    /// The value of a branch that others have proven, if this engine has not and does not know
    /// better.
    fn newly_proven(
        &self,
        node: &Node,
        edge: &Edge,
        result: Option<EdgeResult>,
        proven: Bounds,
    ) -> Option<Value> {
        let known = edge.stats().value;
        let below = match result {
            Some(EdgeResult::Child { value, .. }) => value.bounds(),
            _ => Bounds::Open,
        };
        let fits = |bounds: Bounds| {
            !bounds.is_exact() && bounds.low() <= proven.low() && proven.high() <= bounds.high()
        };
        let is_new = self.tree.proofs() && fits(known.bounds()) && fits(below);
        let draw = self.tree.draws().draw(node.mover());
        is_new.then(|| Value::within(proven, known.score(), draw))
    }

    fn take_table(&mut self, id: NodeId, node: &Node, parts: &Parts<'_>) {
        let Some(table) = self.tree.amaf(node) else { return };
        if parts.counts.first().is_none_or(|&rollouts| rollouts == 0) {
            return;
        }
        let words = parts.counts.iter().zip(parts.points);
        let words = words.map(|(&count, &points)| (points as u64) << 32 | count as u64);
        if table.add_words(words.clone())
            && let Some(entry) = self.entries.get_mut(&id.0)
        {
            entry.add_table(words);
        }
    }
}

/// Makes the mean of the squares, if there is one, that of an exact value.
fn set_square(value: Value, means: &mut [u64]) {
    if let [square] = means {
        *square = to_fixed(to_score(value.score()).powi(2)).into();
    }
}
