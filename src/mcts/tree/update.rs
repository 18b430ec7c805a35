//! Backup: how what a simulation found changes a node and its edges.
//!
//! For an edge with `n` visits and the value `q` seen through it last, to a child whose
//! value is now `Q`, after `d` more visits:
//!
//! ```text
//! S += (n + d) * Q - n * q;    q = Q;    n += d;    N += d;    mean = S / (N - lost)
//! ```
//!
//! `S` is `score`, `N` is `visits` and `lost` is `lost` of the [`Node`]; `n` and `q` are the
//! [`Edge`]'s. So `S` is always the node's own rollouts plus the sum of `n * q` over its
//! edges: on a tree the running mean, on a graph the recomputation of D. Wu's "Monte-Carlo
//! Graph Search from First Principles" (KataGo, 2023) for the edge that was passed, without
//! its scan. An edge whose child is no node keeps the mean of its own rollouts as `q`.
//!
//! All of it is integers, so it is exact and does not depend on the order of updates. Counts that
//! come near the end of 32 bits are [halved](crate::mcts::tree::halving).

use crate::game::GameState;
use crate::lock::Holder;
use crate::sync::{AtomicU64, Ordering};

use super::halving::keep_in_range;
use super::mailbox::{Content, EdgeResult, EdgeUpdate};
use super::node::{Edge, EdgeStats, Node, NodeId};
use super::planes::PlaneLayout;
use super::value::{Bounds, ONE, Value};
use super::{Planes, Tree};

/// What updates have newly proven of edges of one node, for [`refresh`] to narrow the bounds of the
/// node by: once for all of them, as it may have to look at every edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrowed {
    /// The highest lower limit of these edges, and the lowest upper limit.
    low: u8,
    high: u8,
    /// Plies to the end behind the one of them that is won soonest.
    win: u32,
}

impl Narrowed {
    pub(crate) const NOTHING: Self = Self { low: 0, high: 2, win: 0 };

    pub(crate) fn add(&mut self, bounds: Bounds, distance: u32) {
        if bounds == Bounds::Win {
            self.win = if self.low < 2 { distance } else { self.win.min(distance) };
        }
        self.low = self.low.max(bounds.low());
        self.high = self.high.min(bounds.high());
    }
}

/// Applies one update of an edge of `node`. Under its write lock; [`refresh`], with what is noted
/// in `narrowed`, must follow before the lock is freed. `planes` are the means (for a child) or
/// sums of the further planes.
#[inline(always)]
pub(crate) fn apply<G: GameState>(
    tree: &Tree<G>,
    (id, node): (NodeId, &Node),
    edge: &Edge,
    update: &EdgeUpdate,
    planes: &[u64],
    narrowed: &mut Narrowed,
) {
    let old = edge.stats();
    let (before, added) = (u64::from(old.visits), u64::from(update.visits));
    let visits = before + added;
    let result = match update.result {
        EdgeResult::Child { value, .. } => value,
        EdgeResult::Sum(sum) => {
            let seen = before * u64::from(old.value.score());
            Value::new(((seen + sum + visits / 2) / visits) as u32, Bounds::Open)
        }
    };
    // Mostly nothing is proven.
    let is_open = result.is_open() && old.value.is_open();
    let new = if is_open {
        result
    } else {
        // What was once proven stays: both may be right when one is newer.
        let bounds = result.bounds().and(old.value.bounds());
        // An older result, which comes after a newer one, must not gainsay the proof.
        Value::within(bounds, result.score(), tree.draws().draw(node.mover()))
    };
    edge.set_stats(EdgeStats { visits: visits as u32, value: new });
    node.add_score(visits * u64::from(new.score()), before * u64::from(old.value.score()));
    node.add_visits(update.visits);

    if let Some(kept) = tree.planes() {
        apply_planes(kept, id, update, before, planes);
    }
    // Without proofs the bounds of an edge only say that it leads to the end of the game.
    if !is_open
        && tree.proofs()
        && (new.bounds() != old.value.bounds() || new.bounds() == Bounds::Loss)
    {
        apply_bounds(tree, node, edge, update, (old, new.bounds()), narrowed);
    }
}

/// The planes' part of [`apply`]; `before` are the visits before the update.
fn apply_planes(kept: &Planes, id: NodeId, update: &EdgeUpdate, before: u64, planes: &[u64]) {
    let visits = before + u64::from(update.visits);
    let seen = kept.seen.range(update.edge, 1);
    let totals = kept.totals.range(id.0, 1);
    for ((seen, total), &plane) in seen.iter().zip(totals).zip(planes) {
        let was = u64::from(seen.load(Ordering::Relaxed));
        let now = match update.result {
            EdgeResult::Child { .. } => plane,
            EdgeResult::Sum(_) => (before * was + plane + visits / 2) / visits,
        };
        seen.store(now as u32, Ordering::Relaxed);
        add(total, visits * now, before * was);
    }
}

/// What an update means for what is proven, where an edge was `old` and has the bounds `new` now.
fn apply_bounds<G: GameState>(
    tree: &Tree<G>,
    node: &Node,
    edge: &Edge,
    update: &EdgeUpdate,
    (old, new): (EdgeStats, Bounds),
    narrowed: &mut Narrowed,
) {
    if new == Bounds::Loss {
        let known = old.value.bounds() == Bounds::Loss;
        let newly = update.visits + if known { 0 } else { old.visits };
        node.add_lost(newly);
    }
    if new != old.value.bounds() {
        let distance = match update.result {
            EdgeResult::Child { distance, .. } => distance,
            EdgeResult::Sum(_) => 0,
        };
        // The child was evicted in the meantime, or never was what proves this: a solver's answer
        // does, which another worker did not get.
        let proves_it = |child| tree.node(child).value().is_exact();
        if distance > 0 && !edge.child().is_some_and(proves_it) {
            edge.forget_child(distance);
        }
        narrowed.add(new, distance);
    }
}

/// The mean of each further plane of a node with this value, as `viewer` sees it. Returns the value,
/// if it is in one of them. Under a lock of the node.
#[inline]
pub(crate) fn see_planes<G: GameState>(
    kept: &Planes,
    layout: PlaneLayout,
    (id, node, value): (NodeId, &Node, Value),
    viewer: usize,
    means: &mut [u64],
) -> Option<Value> {
    let visits = u64::from(node.visits().max(1));
    for (mean, total) in means.iter_mut().zip(kept.totals.range(id.0, 1)) {
        *mean = total.load(Ordering::Relaxed) / visits;
    }
    if G::PLAYERS == 2 && viewer != node.mover() {
        layout.flip(value.score(), means);
    }
    let plane = layout.score_plane(viewer)?;
    Some(Value::new(means[plane] as u32, Bounds::Open))
}

/// A branch whose end is known before it is visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// Its number.
    pub(crate) branch: u32,
    /// How it ends, for the side to move before it.
    pub(crate) bounds: Bounds,
    /// Plies from the position that it leads to: 0 if that is the end of the game.
    pub(crate) plies: u32,
}

impl End {
    /// Writes it into a new edge, which no other worker knows yet.
    pub(super) fn write(&self, edge: &Edge, draw: u32) {
        let value = Value::within(self.bounds, ONE / 2, draw);
        edge.set_stats(EdgeStats { visits: 0, value });
        edge.forget_child(self.plies);
    }
}

/// Adds the ends that edges of `node` were [born with](Tree::expand) to what narrows its bounds.
/// Under its write lock; [`refresh`] must follow. Only if proofs are kept.
///
/// The numbers are those of the moves that one worker was given, and the edges may be another's. A
/// game that breaks the law of `moves` may have given that one others.
pub(crate) fn add_ends<G: GameState>(
    tree: &Tree<G>,
    node: &Node,
    ends: &[End],
    narrowed: &mut Narrowed,
) {
    let edges = tree.edges_of(node);
    for end in ends {
        let Some(edge) = edges.get(end.branch as usize) else { continue };
        let bounds = edge.stats().value.bounds();
        if bounds.is_exact() {
            narrowed.add(bounds, tree.distance_below(edge));
        }
    }
}

/// Adds rollouts that started at the node itself. Under its write lock, as [`apply`].
pub(crate) fn apply_own<G: GameState>(
    tree: &Tree<G>,
    id: NodeId,
    node: &Node,
    visits: u32,
    sum: u64,
    planes: &[u64],
) {
    node.add_score(sum, 0);
    node.add_visits(visits);
    node.add_own(visits);
    if let Some(kept) = tree.planes() {
        for (total, &plane) in kept.totals.range(id.0, 1).iter().zip(planes) {
            add(total, plane, 0);
        }
    }
}

/// `total += plus - minus`, of a plane. Under the write lock: a load and a store.
fn add(total: &AtomicU64, plus: u64, minus: u64) {
    let sum = total.load(Ordering::Relaxed).wrapping_add(plus).wrapping_sub(minus);
    total.store(sum, Ordering::Relaxed);
}

/// Narrows the bounds of a node some of whose edges have got new bounds: the side to move gets at
/// least its best lower limit and at most its best upper limit.
#[cold]
fn tighten<G: GameState>(tree: &Tree<G>, node: &Node, narrowed: Narrowed) {
    let old = node.value();
    let low = old.bounds().low().max(narrowed.low);
    let mut high = old.bounds().high();
    if narrowed.high < high {
        let edges = tree.edges_of(node).iter();
        let highs = edges.map(|edge| edge.stats().value.bounds().high());
        high = highs.max().unwrap_or(high).min(high);
    }
    // An upper limit below the lower one cannot come from a sound proof.
    let bounds = Bounds::new(low, high.max(low));
    if bounds.is_exact() && !old.is_exact() {
        let plies = 1 + match bounds {
            Bounds::Win => narrowed.win,
            // The longest defence among the moves that keep the value.
            _ => tree
                .edges_of(node)
                .iter()
                .filter(|edge| edge.stats().value.bounds() == bounds)
                .map(|edge| tree.distance_below(edge))
                .max()
                .unwrap_or(0),
        };
        node.set_distance(plies);
    }
    // Others read this word without the lock: already here its two parts agree.
    node.set_value(Value::within(bounds, old.score(), tree.draws().draw(node.mover())));
}

/// Ends updates of a node: halves its counts if they have become large, works out anew its bounds,
/// if any were `narrowed`, and its mean, and returns its value. Under its write lock.
#[inline]
pub(crate) fn refresh<G: GameState>(
    tree: &Tree<G>,
    (id, node): (NodeId, &Node),
    narrowed: Narrowed,
) -> Value {
    keep_in_range(tree, id, node);
    if narrowed.low > 0 || narrowed.high < 2 {
        tighten(tree, node, narrowed);
    }
    refresh_mean(tree, node)
}

/// Works out anew the mean of a node, and returns its value. Under its write lock.
pub(crate) fn refresh_mean<G: GameState>(tree: &Tree<G>, node: &Node) -> Value {
    let before = node.value();
    let (visits, lost) = (node.visits(), node.lost());
    // If every visit went to lost branches, there is nothing else to take the mean of.
    let counted = if visits > lost { visits - lost } else { visits };
    let mean = if counted == 0 { ONE / 2 } else { (node.score() / u64::from(counted)) as u32 };
    let value = if before.is_open() {
        Value::new(mean.min(ONE), Bounds::Open)
    } else {
        Value::within(before.bounds(), mean, tree.draws().draw(node.mover()))
    };
    node.set_value(value);
    value
}

/// Brings the values that all edges of a node have seen up to date with their children, which other
/// workers may have visited since. Under the write lock of `node`; [`refresh`] must follow. Called
/// when the visits have doubled, so that it costs little per visit.
#[inline(never)]
pub(crate) fn catch_up<G: GameState>(
    tree: &Tree<G>,
    node: &Node,
    layout: PlaneLayout,
    players: usize,
) {
    // With planes a child's mean would have to be read from its lock; those edges wait for
    // their own next visit.
    if layout.count() > 0 {
        return;
    }
    let draw = tree.draws().draw(node.mover());
    for edge in tree.edges_of(node) {
        let stats = edge.stats();
        let Some(child) = edge.child() else { continue };
        if stats.visits == 0 || stats.value.is_exact() {
            continue;
        }
        let child = tree.node(child);
        if child.visits() == 0 {
            continue;
        }
        // One word, read without the child's lock: at worst the value of a moment ago.
        let score = child.value().seen_by(players, child.mover(), node.mover()).score();
        // The bounds wait for the next visit, which also brings the distance.
        let value = Value::within(stats.value.bounds(), score, draw);
        let n = u64::from(stats.visits);
        node.add_score(n * u64::from(value.score()), n * u64::from(stats.value.score()));
        edge.set_stats(EdgeStats { value, ..stats });
    }
}

/// Opens the letters left for a node. Under its write lock.
pub(crate) fn open_letters<G: GameState>(tree: &Tree<G>, id: NodeId, node: &Node) {
    let mut narrowed = Narrowed::NOTHING;
    for letter in tree.mailbox.collect(id) {
        match &letter.content {
            Content::Edge(update) => {
                let edge = tree.edge(update.edge);
                apply(tree, (id, node), edge, update, &letter.planes, &mut narrowed);
            }
            Content::Own { visits, sum } => {
                apply_own(tree, id, node, *visits, *sum, &letter.planes);
            }
        }
        // Each worker may have left a letter for every round since the holder was put aside.
        keep_in_range(tree, id, node);
    }
    refresh(tree, (id, node), narrowed);
}

/// Takes the lock of a node in a way that every lock policy allows, and says whether it had
/// to wait. Free it with [`release`].
pub(crate) fn hold(node: &Node) -> (Holder<'_>, bool) {
    let mut waited = false;
    loop {
        if let Some(holder) = node.lock().try_hold() {
            return (holder, waited);
        }
        waited = true;
        // A reader's way in waits for the holder, and leaves at once.
        drop(node.lock().read());
    }
}

/// Frees the lock of a node, after the work that others have left for its holder.
pub(crate) fn release<G: GameState>(tree: &Tree<G>, id: NodeId, node: &Node, holder: Holder<'_>) {
    let mut holder = holder.release();
    while let Some(held) = holder {
        open_letters(tree, id, node);
        holder = held.release();
    }
}

#[cfg(all(test, feature = "games", not(loom)))]
mod tests {
    use super::{End, Narrowed, add_ends, apply, refresh};
    use crate::game::GameState;
    use crate::games::ConnectFour;
    use crate::mcts::tree::mailbox::{EdgeResult, EdgeUpdate};
    use crate::mcts::tree::node::NodeId;
    use crate::mcts::tree::value::{Bounds, DrawScores, ONE, Value};
    use crate::mcts::tree::{Allotment, Tree, TreeRules};

    fn new_tree() -> Tree<ConnectFour> {
        Tree::new(TreeRules {
            shards: Some(1),
            planes: 0,
            priors: false,
            amaf_codes: None,
            proofs: true,
            draws: DrawScores::new(2, 0, 0.0),
            rounds: 2,
            memory_limit: None,
            reserved: 0,
        })
    }

    /// A tree with the start, which has its branches, with these ends.
    fn expanded(ends: &[End]) -> (Tree<ConnectFour>, NodeId) {
        let (state, tree) = (ConnectFour::new(), new_tree());
        let mut allotment = Allotment::default();
        let id = tree.add_outside(&state, 0, &mut allotment).expect("there is memory");
        let mut moves = Vec::new();
        state.moves(&mut moves);
        assert!(tree.expand(id, &mut moves, (&[], ends), &mut allotment));
        (tree, id)
    }

    #[test]
    fn an_older_result_does_not_gainsay_a_proof() {
        let (tree, id) = expanded(&[]);
        let node = tree.node(id);
        let first = node.edge_range().unwrap().first();
        let back_up = |branch: u32, visits, result| {
            let _alone = node.lock().write();
            let edge = first + branch;
            let update = EdgeUpdate { edge, visits, result };
            let mut narrowed = Narrowed::NOTHING;
            apply(&tree, (id, node), tree.edge(edge), &update, &[], &mut narrowed);
            refresh(&tree, (id, node), narrowed).score()
        };
        let child =
            |score, bounds| EdgeResult::Child { value: Value::new(score, bounds), distance: 3 };
        assert_eq!(back_up(0, 1, child(ONE / 4, Bounds::Open)), ONE / 4);
        assert_eq!(back_up(1, 40, child(0, Bounds::Loss)), ONE / 4);
        // Another worker had read the child's value before the proof.
        assert_eq!(back_up(1, 5, child(ONE / 2, Bounds::Open)), ONE / 4);
        assert_eq!(back_up(1, 5, EdgeResult::Sum(3 * u64::from(ONE))), ONE / 4);
        let lost = tree.edge(first + 1).stats();
        assert_eq!((lost.visits, lost.value), (50, Value::new(0, Bounds::Loss)));
    }

    /// One look at all edges, however many of them end the game.
    #[test]
    fn ends_narrow_the_bounds_of_their_position_together() {
        let end = |branch, bounds| End { branch, bounds, plies: 2 };
        let ends = [0, 1, 2, 3, 4, 5, 6].map(|branch| end(branch, Bounds::Loss));
        let (tree, id) = expanded(&ends);
        let node = tree.node(id);
        for edge in tree.edges_of(node) {
            // Before anything else is done: another worker may be on its way already.
            assert_eq!(edge.stats().value.bounds(), Bounds::Loss);
            assert_eq!((edge.set_child(id), edge.kept_distance()), (None, 2));
        }
        let _alone = node.lock().write();
        let mut narrowed = Narrowed::NOTHING;
        add_ends(&tree, node, &ends[..6], &mut narrowed);
        add_ends(&tree, node, &ends[6..], &mut narrowed);
        // Of a game that has given another worker more moves than are here.
        let beyond = [7, u32::MAX].map(|branch| end(branch, Bounds::Win));
        add_ends(&tree, node, &beyond, &mut narrowed);
        assert_eq!(node.value().bounds(), Bounds::Open, "nothing is looked at before the end");
        assert_eq!(refresh(&tree, (id, node), narrowed).bounds(), Bounds::Loss);
        assert_eq!(node.distance(), 3);
    }

    /// One worker gets no answer of a solver and makes a node, the other gets one.
    #[test]
    fn a_proof_from_elsewhere_takes_the_place_of_a_node() {
        let (tree, id) = expanded(&[]);
        let node = tree.node(id);
        let range = node.edge_range().unwrap();
        let edge = tree.edge(range.first());
        let child = tree.add_outside(&ConnectFour::new(), 1, &mut Allotment::default());
        assert!(edge.set_child(child.unwrap()).is_some_and(|(_, new)| new));
        let value = Value::new(ONE, Bounds::Win);
        let result = EdgeResult::Child { value, distance: 5 };
        let update = EdgeUpdate { edge: range.first(), visits: 1, result };
        let _alone = node.lock().write();
        let mut narrowed = Narrowed::NOTHING;
        apply(&tree, (id, node), edge, &update, &[], &mut narrowed);
        assert_eq!(refresh(&tree, (id, node), narrowed).bounds(), Bounds::Win);
        assert_eq!((edge.child(), edge.kept_distance(), node.distance()), (None, 5, 6));
    }
}
