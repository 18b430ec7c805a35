//! The line of play from the start of the game to the position under search.

use crate::game::{GameState, Outcome};
use crate::hash::hash_of;
use crate::repetition::{Filter, Line, first_reversible, is_same};

/// The positions played before the root, the root, and the line below it.
///
/// Positions are overwritten in place, so nothing is allocated on a line no longer than one
/// before it (but for what a position owns itself).
#[derive(Clone)]
pub(super) struct Path<G: GameState> {
    states: Vec<G>,
    /// The hashes of their keys, and of what they are compared by for the rule of repetition.
    hashes: Vec<Hashes>,
    /// Where the root is.
    root: usize,
    /// Where the search for an equal position ends: after the last move that did nothing.
    floor: usize,
    /// Which positions were not played before the root.
    played: Filter,
}

/// Positions of a line that are handed to the game without an allocation.
const SHORT_LINE: usize = 32;

/// The hashes of a position.
#[derive(Clone, Copy, Debug, Default)]
struct Hashes {
    /// Of its key.
    key: u64,
    /// Of what it is compared by for the rule of repetition.
    repetition: u64,
}

impl Hashes {
    #[inline]
    fn of<G: GameState>(state: &G) -> Self {
        let key = hash_of(&state.key());
        Self { key, repetition: state.repetition_key().map_or(key, |key| hash_of(&key)) }
    }
}

/// The verdict on a position that has come again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    pub(super) outcome: Outcome,
    /// Whether it depends on what was played before the root.
    pub(super) by_history: bool,
}

impl<G: GameState> Path<G> {
    /// The path to `root` after the positions of `played`.
    pub(super) fn new(played: &[G], root: &G) -> Self {
        let mut states = played.to_vec();
        states.push(root.clone());
        let hashes: Vec<_> = states.iter().map(Hashes::of).collect();
        let mut filter = Filter::default();
        hashes[..played.len()].iter().for_each(|hashes| filter.add(hashes.repetition));
        Self { states, hashes, root: played.len(), floor: 0, played: filter }
    }

    /// The position `ply` plies below the root.
    #[inline]
    pub(super) fn state(&self, ply: usize) -> &G {
        &self.states[self.root + ply]
    }

    /// The hash of its key.
    #[inline]
    pub(super) fn hash(&self, ply: usize) -> u64 {
        self.hashes[self.root + ply].key
    }

    /// Plays a move at `ply`: the position after it is the one at `ply + 1`. Returns its hash.
    #[inline]
    pub(super) fn play(&mut self, ply: usize, mv: &G::Move) -> u64 {
        let at = self.root + ply;
        if at + 1 == self.states.len() {
            let next = self.states[at].clone();
            self.states.push(next);
            self.hashes.push(Hashes::default());
        } else {
            let (line, rest) = self.states.split_at_mut(at + 1);
            rest[0].clone_from(&line[at]);
        }
        self.states[at + 1].apply_in_place(mv);
        let hashes = Hashes::of(&self.states[at + 1]);
        self.hashes[at + 1] = hashes;
        hashes.key
    }

    /// Puts a position at `ply + 1` that no move leads to. Nothing before it can come again,
    /// until `lift` is called with what is returned.
    pub(super) fn pass(&mut self, ply: usize, next: G) -> usize {
        let at = self.root + ply + 1;
        let hashes = Hashes::of(&next);
        self.states.truncate(at);
        self.hashes.truncate(at);
        self.states.push(next);
        self.hashes.push(hashes);
        std::mem::replace(&mut self.floor, at)
    }

    /// Whether the position at `ply` is the one after a pass.
    #[inline]
    pub(super) fn is_after_pass(&self, ply: usize) -> bool {
        self.floor > 0 && self.floor == self.root + ply
    }

    /// Ends what `pass` has begun.
    pub(super) fn lift(&mut self, floor: usize) {
        self.floor = floor;
    }

    /// The verdict of the game, if the position at `ply` has been on the path before.
    #[inline]
    pub(super) fn repetition(&self, ply: usize) -> Option<Verdict> {
        let (at, hash) = (self.root + ply, self.hashes[self.root + ply].repetition);
        let first = if self.played.may_hold(hash) { self.floor } else { self.floor.max(self.root) };
        let first = first.max(first_reversible(&self.states[at], at));
        let is_it = |hashes: &Hashes| hashes.repetition == hash;
        if first < at && self.hashes[first..at].iter().any(is_it) {
            self.verdict(first, at)
        } else {
            None
        }
    }

    /// A position that was not there before the root has the verdict on the line from the root on,
    /// which is that of a search without a history.
    #[cold]
    fn verdict(&self, first: usize, at: usize) -> Option<Verdict> {
        let state = &self.states[at];
        let was_at = |place: usize| {
            self.hashes[place].repetition == self.hashes[at].repetition
                && is_same(&self.states[place], state)
        };
        let by_history = (first..self.root).any(was_at);
        let first = if by_history { first } else { first.max(self.root) };
        if !by_history && !(first..at).any(was_at) {
            return None;
        }
        let line = &self.states[first..at];
        let outcome = if line.len() <= SHORT_LINE {
            let mut positions = [state; SHORT_LINE];
            positions.iter_mut().zip(line).for_each(|(place, position)| *place = position);
            state.repetition(&Line::new(&positions[..line.len()], state))
        } else {
            state.repetition(&Line::new(&line.iter().collect::<Vec<_>>(), state))
        };
        Some(Verdict { outcome, by_history })
    }

    /// A path as this one up to `ply`, for another worker.
    pub(super) fn up_to(&self, ply: usize) -> Self {
        let end = self.root + ply + 1;
        Self { states: self.states[..end].to_vec(), hashes: self.hashes[..end].to_vec(), ..*self }
    }

    /// Becomes the same as `other` down to `ply`. Returns what `lift` needs to undo it, where the
    /// own path has been the same down to some ply before.
    pub(super) fn follow(&mut self, other: &Self, ply: usize) -> usize {
        debug_assert_eq!(self.root, other.root);
        for at in self.root..=self.root + ply {
            if at == self.states.len() {
                self.states.push(other.states[at].clone());
                self.hashes.push(other.hashes[at]);
            } else {
                self.states[at].clone_from(&other.states[at]);
                self.hashes[at] = other.hashes[at];
            }
        }
        std::mem::replace(&mut self.floor, other.floor)
    }
}
