//! Reading any position of the tree, between two searches or during one.

use crate::background::{Handle, Watcher};
use crate::game::GameState;
use crate::mcts::Mcts;
use crate::mcts::report::{BranchReport, NodeReport};
use crate::mcts::tree::Tree;
use crate::mcts::tree::halving::FullCounts;
use crate::mcts::tree::node::{Node, NodeId};
use crate::mcts::tree::value::to_score;

use super::{Branch, rank, root, root_branches, worth};

/// Where a position is looked for.
#[derive(Debug)]
pub(crate) enum Place<'a, G: GameState> {
    /// At the end of a line of moves from the root.
    Line(&'a [G::Move]),
    /// In the table.
    Position(&'a G),
}

impl<G: GameState> Clone for Place<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: GameState> Copy for Place<'_, G> {}

/// What is known of the position at a place, with at most this number of branches; `None` if the
/// tree does not have it. Nothing is changed, and no random number is drawn.
///
/// # Safety
/// The root, if there is one, is that of the tree, and no eviction frees a node until this returns:
/// no search runs, or the caller holds a pin.
pub(crate) unsafe fn report<G: GameState>(
    tree: &Tree<G>,
    root: Option<NodeId>,
    place: Place<'_, G>,
    at_most: usize,
) -> Option<NodeReport<G::Move>> {
    let id = match place {
        // SAFETY: as the caller says.
        Place::Line(line) => unsafe { follow(tree, root?, line) }?,
        Place::Position(state) => tree.find(state)?,
    };
    // SAFETY: the node was found from the root or in the table, and is not freed until this
    // returns, says the caller.
    Some(unsafe { of_node(tree, id, at_most) })
}

/// The node at the end of a line from another.
///
/// # Safety
/// As [`report`].
unsafe fn follow<G: GameState>(tree: &Tree<G>, root: NodeId, line: &[G::Move]) -> Option<NodeId> {
    line.iter().try_fold(root, |id, mv| {
        let range = tree.node(id).edge_range()?;
        // SAFETY: the node is the root or was found from it, and is not freed meanwhile.
        let place = unsafe { tree.moves(range) }.iter().position(|known| known == mv)?;
        tree.edges(range)[place].child()
    })
}

/// # Safety
/// The node is in use, and is not freed until this returns.
unsafe fn of_node<G: GameState>(tree: &Tree<G>, id: NodeId, at_most: usize) -> NodeReport<G::Move> {
    let node = tree.node(id);
    let answer = root(tree, id);
    let (visits, rollouts) = counts(tree, id, node);
    let known = visits > 0 || answer.proven.is_some();
    let mut ranked: Vec<Branch> = root_branches(tree, node, &FullCounts::of(tree, id)).collect();
    ranked.sort_by_key(rank);
    let branch_count = ranked.len();
    ranked.truncate(at_most);
    let branches = node.edge_range().map(|range| {
        // SAFETY: the node is in use until this returns, says the caller.
        let moves = unsafe { tree.moves(range) };
        let report = |branch: &Branch| {
            let mv = moves[(branch.edge - range.first()) as usize].clone();
            of_branch(tree, branch, mv, node)
        };
        ranked.iter().map(report).collect()
    });
    NodeReport {
        number: id.0,
        plies: node.ply(),
        mover: node.mover(),
        visits,
        rollouts,
        win_rate: known.then_some(answer.win_rate),
        scores: answer.scores,
        proven: answer.proven,
        branch_count,
        branches: branches.unwrap_or_default(),
    }
}

/// The visits of a node and its own rollouts, those that halving has taken from the root of the
/// search included.
fn counts<G: GameState>(tree: &Tree<G>, id: NodeId, node: &Node) -> (u64, u64) {
    let counts = FullCounts::of(tree, id);
    let taken_of_edges: u64 = (0..node.edge_count() as usize).map(|at| counts.taken_of(at)).sum();
    let taken_of_own = counts.taken().saturating_sub(taken_of_edges);
    (u64::from(node.visits()) + counts.taken(), u64::from(node.own()) + taken_of_own)
}

fn of_branch<G: GameState>(
    tree: &Tree<G>,
    branch: &Branch,
    mv: G::Move,
    node: &Node,
) -> BranchReport<G::Move> {
    let edge = tree.edge(branch.edge);
    let (win_rate, proven) = worth(branch, tree.draws().draw(node.mover()));
    let child = edge.child();
    BranchReport {
        mv,
        visits: branch.visits,
        in_flight: edge.in_flight(),
        win_rate,
        proven,
        child: child.map(|id| id.0),
        child_visits: child.map_or(0, |id| tree.node(id).visits().into()),
        prior: tree.prior(branch.edge).map(to_score),
    }
}

impl<G: GameState> Mcts<G> {
    /// What is known of the position at the end of a line of moves from the root of the last
    /// search, with at most this number of branches. `None` if the tree does not have it: the line
    /// was not searched, or not often enough, or was evicted; or nothing was searched.
    ///
    /// Nothing is searched or changed by it, and no random number is drawn. If the last search had
    /// [some moves only](crate::mcts::Options::only), the root has no others.
    #[must_use]
    pub fn node(&self, line: &[G::Move], at_most: usize) -> Option<NodeReport<G::Move>> {
        self.read(Place::Line(line), at_most)
    }

    /// What is known of a position, found by its key, whatever was searched last. As
    /// [`node`](Self::node); `None` also with [`Sharing::PerPath`](crate::mcts::Sharing::PerPath),
    /// where no position is found by its key.
    #[must_use]
    pub fn node_of(&self, state: &G, at_most: usize) -> Option<NodeReport<G::Move>> {
        self.read(Place::Position(state), at_most)
    }

    fn read(&self, place: Place<'_, G>, at_most: usize) -> Option<NodeReport<G::Move>> {
        // SAFETY: a search would have the engine to itself, so none runs, and without one no
        // eviction goes on. The last root is the tree's until everything is forgotten.
        unsafe { report(&self.tree, self.last_root, place, at_most) }
    }
}

impl<G: GameState + 'static> Handle<Mcts<G>> {
    /// What is known of the position at the end of a line of moves from the root of the search
    /// under way, or of the one that has ended last; with at most this number of branches. `None`
    /// if the tree does not have it, or the search has not begun.
    ///
    /// Blocks for the reading alone: microseconds. The workers go on, and nothing that they do
    /// changes by it.
    #[must_use]
    pub fn node(&self, line: &[G::Move], at_most: usize) -> Option<NodeReport<G::Move>> {
        self.watcher().node(line, at_most)
    }

    /// What is known of a position, found by its key, as [`Mcts::node_of`] says; during a search
    /// too.
    #[must_use]
    pub fn node_of(&self, state: &G, at_most: usize) -> Option<NodeReport<G::Move>> {
        self.watcher().node_of(state, at_most)
    }
}

impl<G: GameState + 'static> Watcher<Mcts<G>> {
    /// As [`Handle::node`].
    #[must_use]
    pub fn node(&self, line: &[G::Move], at_most: usize) -> Option<NodeReport<G::Move>> {
        self.read(|view| view.node(Place::Line(line), at_most))?
    }

    /// As [`Handle::node_of`].
    #[must_use]
    pub fn node_of(&self, state: &G, at_most: usize) -> Option<NodeReport<G::Move>> {
        self.read(|view| view.node(Place::Position(state), at_most))?
    }
}
