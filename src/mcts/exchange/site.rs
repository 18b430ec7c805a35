//! Where an exchange takes place: an engine between two searches, between two steps of one, or while
//! it searches in the background.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::background::{Handle, Watcher};
use crate::game::GameState;
use crate::hash::hash_of;
use crate::mcts::answer::view::View;
use crate::mcts::tree::Tree;
use crate::mcts::tree::epoch::Pin;
use crate::mcts::tree::node::NodeId;
use crate::mcts::{Mcts, Steps};

use super::error::{ExchangeError, Part};

/// A tree with the root of its search. No node that is found from the root is freed while this is
/// there.
pub struct Site<'a, G: GameState> {
    pub(super) tree: &'a Tree<G>,
    pub(super) root: NodeId,
    _pin: Pin<'a>,
}

impl<'a, G: GameState> Site<'a, G> {
    /// One at a time, and while no other reader holds its pin. The root is that of the tree.
    fn new(tree: &'a Tree<G>, root: NodeId) -> Self {
        Self { tree, root, _pin: tree.pin_reader() }
    }

    /// What engines must agree in.
    pub(super) fn common(&self) -> Common {
        let Self { tree, root, .. } = *self;
        let node = tree.node(root);
        let draws: Vec<u32> = (0..G::PLAYERS).map(|player| tree.draws().draw(player)).collect();
        // SAFETY: there is a table, and the root of the tree is in use and not freed meanwhile.
        let position = tree.has_table().then(|| hash_of(unsafe { tree.key(root) }));
        Common {
            players: G::PLAYERS as u64,
            planes: tree.plane_count() as u64,
            proofs: tree.proofs().into(),
            codes: tree.amaf_codes() as u64,
            draws: hash_of(&draws),
            // A node has the plies that its position was first reached at, which others may have
            // reached in more or fewer: where there are keys they tell it apart.
            plies: if position.is_some() { 0 } else { node.ply().into() },
            mover: node.mover() as u64,
            position: position.unwrap_or(0),
        }
    }
}

impl<G: GameState> fmt::Debug for Site<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").field("root", &self.root).finish_non_exhaustive()
    }
}

/// What engines of an exchange must agree in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Common {
    pub(super) players: u64,
    pub(super) planes: u64,
    pub(super) proofs: u64,
    pub(super) codes: u64,
    draws: u64,
    plies: u64,
    mover: u64,
    position: u64,
}

impl Common {
    fn parts(&self) -> [(Part, u64); 8] {
        [
            (Part::Players, self.players),
            (Part::FurtherScores, self.planes),
            (Part::Proofs, self.proofs),
            (Part::MoveCodes, self.codes),
            (Part::Draws, self.draws),
            (Part::Mover, self.mover),
            (Part::Position, self.position),
            (Part::Plies, self.plies),
        ]
    }

    /// Compares this, of the lines, with what an engine has.
    pub(super) fn check(&self, engine: &Self) -> Result<(), ExchangeError> {
        let pairs = self.parts().into_iter().zip(engine.parts());
        for ((part, expected), (_, found)) in pairs {
            if expected != found {
                return Err(ExchangeError::Different { part, expected, found });
            }
        }
        Ok(())
    }
}

/// What can take part in an exchange: an [`Mcts`] between two searches, [`Steps`] between two steps,
/// and the [`Handle`] or a [`Watcher`] of a search in the background, while it runs.
pub trait Engine<G: GameState>: Visited<G> {}

impl<G: GameState, T: Visited<G>> Engine<G> for T {}

/// What [`Engine`] is made of, which only this crate can name.
pub trait Visited<G: GameState> {
    /// Calls `act` with the tree, if there is a root.
    fn visit<T>(&mut self, act: impl FnOnce(&Site<'_, G>) -> T) -> Option<T>;
}

impl<G: GameState> Visited<G> for Mcts<G> {
    fn visit<T>(&mut self, act: impl FnOnce(&Site<'_, G>) -> T) -> Option<T> {
        // No search runs, as that would have the engine to itself.
        Some(act(&Site::new(&self.tree, self.last_root?)))
    }
}

impl<G: GameState> Visited<G> for Steps<'_, G> {
    fn visit<T>(&mut self, act: impl FnOnce(&Site<'_, G>) -> T) -> Option<T> {
        self.engine().visit(act)
    }
}

impl<G: GameState + 'static> Visited<G> for Watcher<Mcts<G>> {
    fn visit<T>(&mut self, act: impl FnOnce(&Site<'_, G>) -> T) -> Option<T> {
        // One reader at a time, and the view is gone before its root changes.
        self.read(|view: &View<G>| {
            let (tree, root) = view.tree_and_root();
            act(&Site::new(tree, root))
        })
    }
}

impl<G: GameState + 'static> Visited<G> for Handle<Mcts<G>> {
    fn visit<T>(&mut self, act: impl FnOnce(&Site<'_, G>) -> T) -> Option<T> {
        self.watcher().visit(act)
    }
}
