//! The answer of a search: which move, how good, and why, read from the root's edges.

pub(crate) mod node;
pub(crate) mod temperature;
pub(crate) mod view;

use std::cmp::Reverse;

use crate::budget::Leader;
use crate::game::{GameState, MAX_PLAYERS};
use crate::mcts::report::MoveReport;
use crate::prefetch::prefetch;
use crate::proven::Proven;
use crate::rng::Rng;
use crate::sync::Ordering;

use super::at_root::{self, AtRoot};
use super::tree::Tree;
use super::tree::halving::FullCounts;
use super::tree::node::{Edge, EdgeRange, Node, NodeId};
use super::tree::value::{Bounds, ONE, Value, to_score};

/// The longest principal variation given. Longer ones are of no use, and in a game with cycles a
/// line might have no end.
const LONGEST_PV: usize = 128;

/// Visits of a position from which on its best branch is part of a principal variation.
const TELLING: u32 = 32;

/// Edges of a cache line.
const EDGES_PER_LINE: usize = 64 / size_of::<Edge>();

/// Room for the moves of a principal variation at first.
const USUAL_PV: usize = 8;

/// One branch of a node as the answer sees it, from the node's side to move.
#[derive(Clone, Copy, Debug)]
struct Branch {
    /// The edge's index in the arena.
    edge: u32,
    visits: u64,
    value: Value,
    /// Plies to the end, if the value is proven.
    distance: u32,
}

impl Branch {
    /// Whether nothing but their order in the game tells the two branches apart.
    fn equals(&self, other: &Self) -> bool {
        (self.visits, self.value, self.distance) == (other.visits, other.value, other.distance)
    }
}

/// The root's own result.
#[derive(Debug)]
pub(crate) struct RootAnswer {
    pub(crate) win_rate: f64,
    pub(crate) scores: Vec<f64>,
    pub(crate) proven: Option<Proven>,
}

/// The result for the root itself. Without a visit and without a proof it is even for each player,
/// as [`Report::win_rate`](crate::mcts::Report::win_rate) says.
pub(crate) fn root<G: GameState>(tree: &Tree<G>, id: NodeId) -> RootAnswer {
    let node = tree.node(id);
    // For totals and visits that belong together.
    let _counts = FullCounts::of(tree, id);
    let mut value = node.value();
    let distance = node.distance();
    let is_unknown = node.visits() == 0 && !value.is_exact();
    if is_unknown {
        value = Value::within(value.bounds(), ONE / 2, tree.draws().draw(node.mover()));
    }
    let mut win_rate = to_score(value.score());
    let mut scores = vec![0.0; G::PLAYERS.min(MAX_PLAYERS)];
    match (G::PLAYERS, tree.planes()) {
        (..=2, _) | (_, None) => {
            for (player, score) in scores.iter_mut().enumerate() {
                *score = if player == node.mover() { win_rate } else { 1.0 - win_rate };
            }
        }
        (3.., _) if is_unknown => scores.fill(win_rate),
        (_, Some(planes)) => {
            let visits = f64::from(node.visits().max(1));
            for (score, total) in scores.iter_mut().zip(planes.totals.range(id.0, 1)) {
                let score_of_all = total.load(Ordering::Relaxed) as f64 / f64::from(ONE);
                // During a search the total may be newer than the visits.
                *score = (score_of_all / visits).min(1.0);
            }
            win_rate = scores.get(node.mover()).copied().unwrap_or(win_rate);
        }
    }
    RootAnswer { win_rate, scores, proven: proven(value.bounds(), distance) }
}

/// The branch that would be played now, beside the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaders {
    /// The index in the arena of the best one's edge.
    pub(crate) edge: u32,
    pub(crate) best: Leader,
    pub(crate) second: Option<Leader>,
    /// No other branch has a higher mean.
    pub(crate) best_is_highest: bool,
}

/// The leading branches of a node; `None` if it has none. May be called during a search: each
/// branch is as it is when it is read.
pub(crate) fn leaders<G: GameState>(tree: &Tree<G>, id: NodeId) -> Option<Leaders> {
    let node = tree.node(id);
    let counts = FullCounts::of(tree, id);
    let first = best(root_branches(tree, node, &counts), tree.draws().draw(node.mover()))?;
    let others = root_branches(tree, node, &counts).filter(|branch| branch.edge != first.edge);
    let known = |branch: &Branch| branch.visits > 0 || branch.value.is_exact();
    let leader = |branch: Branch| {
        let win_rate = known(&branch).then(|| to_score(branch.value.score()));
        Leader { visits: branch.visits, win_rate }
    };
    let (mut second, mut best_is_highest) = (None::<Branch>, known(&first));
    for branch in others {
        let lost = branch.value.bounds() == Bounds::Loss;
        if !lost && second.is_none_or(|second| branch.visits > second.visits) {
            second = Some(branch);
        }
        best_is_highest &= !known(&branch) || branch.value.score() <= first.value.score();
    }
    Some(Leaders {
        edge: first.edge,
        best: leader(first),
        second: second.map(leader),
        best_is_highest,
    })
}

/// Every branch of the root, best first, `detailed` of them with their principal variation.
/// The root must be expanded. If several are the best, `rng` says which.
///
/// # Safety
/// The root, and every node that an edge leads to from now on, stays in use until this returns:
/// see [`Tree::moves`].
pub(crate) unsafe fn moves<G: GameState>(
    tree: &Tree<G>,
    id: NodeId,
    detailed: Option<usize>,
    at_root: Option<&AtRoot>,
    rng: &mut Rng,
) -> Vec<MoveReport<G::Move>> {
    let node = tree.node(id);
    let draw = tree.draws().draw(node.mover());
    let mut ranked: Vec<Branch> = root_branches(tree, node, &FullCounts::of(tree, id)).collect();
    ranked.sort_by_key(rank);
    // The rank orders what was searched; the choice may still prefer a proven draw.
    if let Some(best) = best(ranked.iter().copied(), draw) {
        let equals: Vec<usize> =
            (0..ranked.len()).filter(|&place| ranked[place].equals(&best)).collect();
        // No number is drawn where there is no choice.
        let chosen = if equals.len() > 1 { rng.below(equals.len()) } else { 0 };
        ranked[..=equals[chosen]].rotate_right(1);
    }
    let halved = at_root.and_then(AtRoot::halving).and_then(|halving| {
        let range = node.edge_range()?;
        let (seen, value) = at_root::look(node, tree.edges(range));
        Some((halving, seen, value, range.first()))
    });
    if let Some((halving, seen, value, first)) = &halved
        && !node.value().is_exact()
    {
        let is_lost = |at: usize| {
            let edge = tree.edge(first + at as u32);
            edge.stats().value.bounds() == Bounds::Loss
        };
        let chosen = halving.choose(seen, *value, |at| !is_lost(at));
        let place =
            chosen.and_then(|at| ranked.iter().position(|branch| branch.edge == first + at as u32));
        if let Some(place) = place {
            ranked[..=place].rotate_right(1);
        }
    }
    let policy = halved.map(|(halving, seen, value, first)| (halving.policy(&seen, value), first));
    // SAFETY: as the caller says.
    let lines =
        unsafe { principal_variations(tree, node, &ranked, detailed.unwrap_or(usize::MAX)) };
    let report = |(branch, line): (&Branch, Vec<G::Move>)| {
        // A line begins with the branch's own move.
        let mv = line[0].clone();
        let prior = tree.prior(branch.edge).map(to_score);
        let share = |(policy, first): &(Vec<f64>, u32)| policy[(branch.edge - first) as usize];
        MoveReport { prior, policy: policy.as_ref().map(share), ..report(branch, draw, mv, line) }
    };
    ranked.iter().zip(lines).map(report).collect()
}

/// The order of branches, best first: proven wins, the shortest first; then what is not
/// lost, by visits and value; then proven losses, the longest first.
fn rank(branch: &Branch) -> (u8, Reverse<u64>, Reverse<u64>, u32) {
    let (visits, score) = (Reverse(branch.visits), Reverse(branch.value.score().into()));
    let distance = u64::from(branch.distance);
    match branch.value.bounds() {
        Bounds::Win => (0, Reverse(u64::MAX - distance), visits, branch.edge),
        Bounds::Loss => (2, Reverse(distance), visits, branch.edge),
        _ => (1, visits, score, branch.edge),
    }
}

/// The branch to play: the first in rank, unless it promises less than a proven draw does,
/// which is worth `draw`.
fn best(branches: impl Iterator<Item = Branch> + Clone, draw: u32) -> Option<Branch> {
    let first = branches.clone().min_by_key(rank)?;
    let sure = |branch: &Branch| branch.value.bounds().low() > 0;
    if sure(&first) || first.value.score() > draw {
        return Some(first);
    }
    // What is proven not to be worse than a draw, as nothing better is in sight.
    branches.filter(sure).min_by_key(rank).or(Some(first))
}

/// Whether enough is known of a node for a principal variation to go on from it.
fn tells(node: &Node) -> bool {
    node.visits() >= TELLING || node.value().is_exact()
}

/// The edge of a node to go on with, of those visited or proven. None where few simulations have
/// gone on, and nothing is proven: where they happened to go says little.
///
/// Where nothing is proven, as nearly everywhere, the best in rank is the one whose visits and
/// score are highest.
fn best_known<G: GameState>(tree: &Tree<G>, node: &Node) -> Option<u32> {
    if !tells(node) {
        return None;
    }
    let range = node.edge_range()?;
    // The high half of a word is the visits, and the low one the score if nothing is proven.
    let edges = tree.edges(range);
    let (mut highest, mut bits) = (0, 0);
    for edge in edges {
        highest = edge.stats_word().max(highest);
        bits |= edge.stats_word() as u32;
    }
    if Value::from_bits(bits).is_open() {
        // The first of the highest. It may have changed since, in a search under way.
        let at = edges.iter().position(|edge| edge.stats_word() >= highest)?;
        return (highest >> 32 > 0).then_some(range.first() + at as u32);
    }
    let known = |branch: &Branch| branch.visits > 0 || branch.value.is_exact();
    let draw = tree.draws().draw(node.mover());
    Some(best(branches(tree, node).filter(known), draw)?.edge)
}

/// The branches of a node. Nothing is allocated.
fn branches<'a, G: GameState>(
    tree: &'a Tree<G>,
    node: &Node,
) -> impl Iterator<Item = Branch> + Clone + use<'a, G> {
    tree.indexed_edges(node).map(|(edge, statistics)| {
        let stats = statistics.stats();
        // Only a proven branch has a distance; the others' children are not looked at.
        let below = if stats.value.is_exact() { tree.distance_below(statistics) } else { 0 };
        Branch { edge, visits: stats.visits.into(), value: stats.value, distance: below + 1 }
    })
}

/// The branches of the root of a search, with the visits that halving has taken from them. Nothing
/// is allocated.
fn root_branches<'a, G: GameState>(
    tree: &'a Tree<G>,
    node: &Node,
    counts: &'a FullCounts<'_>,
) -> impl Iterator<Item = Branch> + Clone + use<'a, G> {
    branches(tree, node).enumerate().map(|(number, branch)| {
        let visits = branch.visits + counts.taken_of(number);
        Branch { visits, ..branch }
    })
}

fn report<M>(branch: &Branch, draw: u32, mv: M, pv: Vec<M>) -> MoveReport<M> {
    let (win_rate, proven) = worth(branch, draw);
    let lcb = win_rate.map(|mean| match proven {
        Some(_) => mean,
        None => wilson_lower_bound(mean, branch.visits as f64),
    });
    MoveReport { mv, visits: branch.visits, win_rate, lcb, proven, pv, prior: None, policy: None }
}

/// The win rate of a branch, `None` if it was never visited and nothing is proven, and its proven
/// value. A draw is worth `draw`.
fn worth(branch: &Branch, draw: u32) -> (Option<f64>, Option<Proven>) {
    let value = branch.value;
    let proven = proven(value.bounds(), branch.distance);
    let known = branch.visits > 0 || proven.is_some();
    (known.then(|| to_score(value.bounds().clamp(value.score(), draw))), proven)
}

fn proven(bounds: Bounds, plies: u32) -> Option<Proven> {
    match bounds {
        Bounds::Win => Some(Proven::Win { plies }),
        Bounds::Draw => Some(Proven::Draw),
        Bounds::Loss => Some(Proven::Loss { plies }),
        _ => None,
    }
}

/// The moves from each of these branches of a node on, each the best of its node, for the first
/// `detailed` of them; of the others the move alone.
///
/// All lines grow together: the memory of one comes while the others are read. A wide root has a
/// line for each move, and the caller waits.
///
/// # Safety
/// As [`moves`], of the node and those below it.
unsafe fn principal_variations<G: GameState>(
    tree: &Tree<G>,
    node: &Node,
    branches: &[Branch],
    detailed: usize,
) -> Vec<Vec<G::Move>> {
    let Some(range) = node.edge_range() else { return Vec::new() };
    let move_of = |range: EdgeRange<'_>, edge: u32| {
        // SAFETY: the range is that of a node in use, says the caller.
        let moves = unsafe { tree.moves(range) };
        moves[(edge - range.first()) as usize].clone()
    };
    let line = |branch: &Branch| {
        let mut line = Vec::with_capacity(USUAL_PV);
        line.push(move_of(range, branch.edge));
        line
    };
    let mut lines: Vec<_> = branches.iter().map(line).collect();
    // Where a line goes on.
    let mut ends: Vec<_> = (0..branches.len().min(detailed))
        .filter_map(|line| Some((line, tree.edge(branches[line].edge).child()?)))
        .collect();
    // The nodes that the lines have passed: those of all on one level, then those on the next.
    let mut passed = Vec::new();
    while !ends.is_empty() {
        for &(_, end) in &ends {
            prefetch(tree.node(end));
        }
        for &(_, end) in &ends {
            let node = tree.node(end);
            if tells(node) {
                tree.edges_of(node).iter().step_by(EDGES_PER_LINE).for_each(prefetch);
            }
        }
        let level = passed.len();
        passed.resize(level + branches.len(), None);
        ends.retain_mut(|(number, end)| {
            let line = &mut lines[*number];
            let mut above = passed[..level].iter().skip(*number).step_by(branches.len());
            if above.any(|&node| node == Some(*end)) || line.len() >= LONGEST_PV {
                return false;
            }
            passed[level + *number] = Some(*end);
            let node = tree.node(*end);
            let Some(range) = node.edge_range() else { return false };
            let Some(best) = best_known(tree, node) else { return false };
            line.push(move_of(range, best));
            let Some(child) = tree.edge(best).child() else { return false };
            *end = child;
            true
        });
    }
    lines
}

/// The lower end of the 95 % interval of a mean score after `n` visits.
///
/// E. B. Wilson: Probable Inference, the Law of Succession, and Statistical Inference, 1927.
/// For scores between 0 and 1 that are not only 0 and 1 the interval is wider than needed,
/// never narrower.
fn wilson_lower_bound(mean: f64, n: f64) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    if n <= 0.0 {
        return 0.0;
    }
    let centre = mean + Z * Z / (2.0 * n);
    let spread = Z * (mean * (1.0 - mean) / n + Z * Z / (4.0 * n * n)).sqrt();
    ((centre - spread) / (1.0 + Z * Z / n)).clamp(0.0, mean)
}

#[cfg(test)]
mod tests {
    use super::wilson_lower_bound;

    #[test]
    fn the_interval_closes_with_visits() {
        // 8 of 10: Wilson's interval begins at 0.4902.
        assert!((wilson_lower_bound(0.8, 10.0) - 0.4902).abs() < 1e-4);
        assert!(wilson_lower_bound(0.8, 1e6) > 0.799);
        assert_eq!(wilson_lower_bound(0.0, 5.0), 0.0);
        assert_eq!(wilson_lower_bound(0.5, 0.0), 0.0);
    }
}
