//! The root of a search: the nodes that are it, which are never evicted.

use super::arena::NO_INDEX;
use super::node::NodeId;
use super::taken::Taken;
use crate::game::GameState;
use crate::sync::{AtomicU32, Mutex, MutexGuard, Ordering};

use super::{Allotment, Tree};

/// The root of the latest search. Written between two searches.
#[derive(Debug)]
pub(super) struct Root {
    node: AtomicU32,
    plies: AtomicU32,
    /// The node that is the root instead when only some moves are searched; `NO_INDEX` if there
    /// is none for this root.
    stand_in: AtomicU32,
    /// The nodes that belong to one search, for what was played before its root.
    pub(super) apart: Mutex<Vec<NodeId>>,
    /// What halving has taken from the one of the two that is searched.
    taken: Mutex<Taken>,
}

impl Root {
    /// There is no root any more.
    pub(super) fn forget(&mut self) {
        let mut taken = std::mem::take(self.taken.get_mut());
        taken.begin(None);
        *self = Self { taken: Mutex::new(taken), ..Self::default() };
    }
}

impl Default for Root {
    fn default() -> Self {
        Self {
            node: AtomicU32::new(NO_INDEX),
            plies: AtomicU32::new(0),
            stand_in: AtomicU32::new(NO_INDEX),
            apart: Mutex::new(Vec::new()),
            taken: Mutex::default(),
        }
    }
}

impl<G: GameState> Tree<G> {
    /// Makes a node the root, which is never evicted. Another one has no stand-in yet. Between
    /// two searches.
    pub(crate) fn set_root(&self, id: NodeId, plies: u32) {
        if self.root.node.swap(id.0, Ordering::Relaxed) != id.0 {
            self.root.stand_in.store(NO_INDEX, Ordering::Relaxed);
            self.root.taken.lock().begin(None);
        }
        self.root.plies.store(plies, Ordering::Relaxed);
    }

    /// From now on the visits that halving takes from the counts of this node, the root or what
    /// stands in for it, are kept: it is the one that is searched. Between two searches.
    pub(crate) fn keep_taken(&self, id: NodeId) {
        let mut taken = self.root.taken.lock();
        if !taken.is_from(id) {
            taken.begin(Some(id));
        }
    }

    /// The visits that halving has taken from the counts of a node, if they are kept.
    pub(crate) fn taken_from(&self, id: NodeId) -> Option<MutexGuard<'_, Taken>> {
        let taken = self.root.taken.lock();
        taken.is_from(id).then_some(taken)
    }

    /// The same with a place for each of this many edges, for more to be added; `None` as well if
    /// there is no memory for that: then the root counts as any other position does.
    pub(crate) fn taken_to_add_to(
        &self,
        id: NodeId,
        edges: usize,
    ) -> Option<MutexGuard<'_, Taken>> {
        let mut taken = self.taken_from(id)?;
        taken.make_room(edges, |bytes| self.meter.take(bytes)).then_some(taken)
    }

    /// Whether this is the root's node, or stands in for it.
    pub(crate) fn is_root(&self, id: NodeId) -> bool {
        self.root.node.load(Ordering::Relaxed) == id.0 || self.stand_in() == Some(id)
    }

    /// The root's node, which is in the table if there is one: of a search under way or the last
    /// one.
    pub(crate) fn root_node(&self) -> Option<NodeId> {
        let index = self.root.node.load(Ordering::Relaxed);
        (index != NO_INDEX).then_some(NodeId(index))
    }

    pub(crate) fn root_ply(&self) -> u32 {
        self.root.plies.load(Ordering::Relaxed)
    }

    /// The node that stands in for the root, if there is one.
    pub(crate) fn stand_in(&self) -> Option<NodeId> {
        let index = self.root.stand_in.load(Ordering::Relaxed);
        (index != NO_INDEX).then_some(NodeId(index))
    }

    /// The node of the table for the position of a node: the root's for its stand-in. For one
    /// that stood in for a root before, the node itself, which is not in the table.
    pub(crate) fn shared(&self, id: NodeId) -> NodeId {
        match self.stand_in() {
            Some(stand_in) if stand_in == id => NodeId(self.root.node.load(Ordering::Relaxed)),
            _ => id,
        }
    }

    /// Makes a node stand in for the root. Between two searches.
    pub(crate) fn set_stand_in(&self, id: NodeId) {
        self.root.stand_in.store(id.0, Ordering::Relaxed);
    }

    /// Lets the root's node be the root again. Between two searches.
    pub(super) fn forget_stand_in(&self) {
        self.root.stand_in.store(NO_INDEX, Ordering::Relaxed);
    }

    /// A node that is not in the table, so no search finds it. `None` at the memory limit.
    pub(crate) fn add_outside(
        &self,
        state: &G,
        mover: usize,
        allotment: &mut Allotment,
    ) -> Option<NodeId> {
        let key = self.table.is_some().then(|| state.key());
        self.stock(allotment).add(key, mover, state.plies())
    }
}
