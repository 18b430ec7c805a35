//! What saving, loading and eviction need of the tree: every position with its key, a way in
//! for positions that come without a state, and what a position costs.

use std::sync::Arc;

use super::later_moves::{AmafTable, AmafTables};
use super::node::{Node, NodeId};
use crate::game::GameState;
use crate::pool::bank::Purse;

use super::{Allotment, Tree};

impl<G: GameState> Tree<G> {
    /// An empty tree of the same settings.
    pub(crate) fn fresh(&self) -> Self {
        Self::within(self.rules, Arc::clone(self.purse()))
    }

    /// Whether positions are found by their keys.
    pub(crate) fn has_table(&self) -> bool {
        self.table.is_some()
    }

    /// What its memory is paid from.
    pub(crate) fn purse(&self) -> &Arc<Purse> {
        self.meter.purse()
    }

    /// Memory for one node, with its key if there is a table, and for one edge with its move,
    /// in bytes.
    pub(crate) fn costs(&self) -> (u64, u64) {
        (self.node_counter.bytes(), self.edge_counter.bytes())
    }

    /// Bytes that a node holds with its edges, without its part of the table.
    pub(crate) fn bytes_of(&self, node: &Node) -> u64 {
        let (of_node, of_edge) = self.costs();
        let of_table =
            self.amaf.as_ref().filter(|_| node.amaf().is_some()).map_or(0, AmafTables::bytes);
        of_node + u64::from(node.edge_count()) * of_edge + of_table
    }

    /// What is known below a node of moves as later ones, if anything is.
    #[inline]
    pub(crate) fn amaf(&self, node: &Node) -> Option<AmafTable<'_>> {
        self.amaf.as_ref()?.of(node)
    }

    /// The number of codes that moves have in these tables; 0 if there are none.
    pub(crate) fn amaf_codes(&self) -> usize {
        self.rules.amaf_codes.unwrap_or(0)
    }

    /// Gives a node a table of all moves as first; false if it has one, or there is no memory for
    /// it.
    pub(crate) fn give_amaf(&self, node: &Node, allotment: &mut Allotment) -> bool {
        self.check_allotment(allotment);
        let tables = self.amaf.as_ref();
        tables.is_some_and(|tables| {
            tables.give(node, &mut allotment.amaf, allotment.in_haste, &self.meter)
        })
    }

    /// Calls `visit` with every node of the table, in no order. Where workers make nodes or evict
    /// some meanwhile, some may be left out, and some come twice; without them, none.
    pub(crate) fn for_each_node(&self, visit: impl FnMut(NodeId)) {
        if let Some(table) = &self.table {
            table.for_each(visit);
        }
    }

    /// The key of a node.
    ///
    /// # Safety
    /// There is a table. The node is one of this tree, in use, and stays so while the key is used:
    /// see [`moves`](Self::moves), and for a save [`Saving`](crate::mcts::tree::eviction::Saving).
    pub(crate) unsafe fn key(&self, id: NodeId) -> &G::Key {
        debug_assert!(self.has_table());
        // SAFETY: a node in use had its key written before, as there is a table (`set_in_use`).
        // Keys are dropped when their node is no longer in use, as moves are.
        unsafe { self.keys.read(id.0) }
    }

    /// The node of a key, and whether it is new. `None` at the memory limit, or without a
    /// table.
    pub(crate) fn find_or_add_key(
        &self,
        key: G::Key,
        mover: usize,
        ply: u32,
        allotment: &mut Allotment,
    ) -> Option<(NodeId, bool)> {
        let table = self.table.as_ref()?;
        let hash = table.hash(&key);
        self.find_or_add_in(table, key, hash, (mover, ply), allotment)
    }
}

#[cfg(all(test, feature = "games", not(loom)))]
mod tests {
    use super::{Allotment, Tree};
    use crate::game::GameState;
    use crate::games::ConnectFour;
    use crate::mcts::tree::TreeRules;
    use crate::mcts::tree::node::{Edge, Node};
    use crate::mcts::tree::value::DrawScores;

    #[test]
    fn a_position_costs_what_it_takes_of_the_memory() {
        for (shards, planes, priors) in [
            (None, 0, false),
            (Some(1), 0, false),
            (Some(1), 1, false),
            (None, 6, false),
            (Some(1), 0, true),
            (None, 1, true),
        ] {
            let state = ConnectFour::new();
            let rules = TreeRules {
                shards,
                planes,
                priors,
                amaf_codes: None,
                proofs: false,
                draws: DrawScores::new(2, 0, 0.0),
                rounds: 1,
                memory_limit: None,
                reserved: 0,
            };
            let tree = Tree::<ConnectFour>::new(rules);
            let mut allotment = Allotment::default();
            let empty = tree.bytes();
            let id = tree.add_outside(&state, 0, &mut allotment).unwrap();
            let with_node = tree.bytes();
            let mut moves = Vec::new();
            state.moves(&mut moves);
            assert!(tree.expand(id, &mut moves, (&[], &[]), &mut allotment));
            // Memory is counted in steps of a number of nodes or edges, about a megabyte.
            let (of_node, of_edge) = tree.costs();
            let key = shards.map_or(0, |_| size_of::<<ConnectFour as GameState>::Key>());
            let node = size_of::<Node>() + key + planes * size_of::<u64>();
            let mv = size_of::<<ConnectFour as GameState>::Move>();
            let beside = planes + usize::from(priors);
            let edge = size_of::<Edge>() + mv + beside * size_of::<u32>();
            assert_eq!((of_node, of_edge), (node as u64, edge as u64), "{shards:?} {planes}");
            for (step, cost) in [(with_node - empty, of_node), (tree.bytes() - with_node, of_edge)]
            {
                assert!(step <= 1 << 20 && step > 1 << 19, "{shards:?} {planes}: {step}");
                assert!(step % cost == 0 && (step / cost).is_power_of_two(), "{step} {cost}");
            }
            assert_eq!(tree.bytes_of(tree.node(id)), of_node + 7 * of_edge);
        }
    }
}
