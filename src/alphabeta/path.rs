//! The line of play from the start of the game to the position under search.

use crate::game::{GameState, Outcome};
use crate::hash::hash_of;

/// The positions played before the root, the root, and the line below it.
///
/// Positions are overwritten in place, so nothing is allocated on a line no longer than one
/// before it (but for what a position owns itself).
#[derive(Clone)]
pub(super) struct Path<G: GameState> {
    states: Vec<G>,
    hashes: Vec<u64>,
    /// Where the root is.
    root: usize,
    /// Where the search for an equal position ends: after the last move that did nothing.
    floor: usize,
    /// A bit for each hash of the positions before the root: most positions are told by it not to
    /// have been played before.
    played: [u64; FILTER_WORDS],
}

const FILTER_WORDS: usize = 64;

/// Positions of a cycle that are handed to the game without an allocation.
const SHORT_CYCLE: usize = 32;

/// Which bit of the filter a hash has.
#[inline]
fn filter_bit(hash: u64) -> (usize, u64) {
    ((hash >> 58) as usize, 1 << (hash >> 52 & 63))
}

impl<G: GameState> Path<G> {
    /// The path to `root` after the positions of `played`.
    pub(super) fn new(played: &[G], root: &G) -> Self {
        let mut states = played.to_vec();
        states.push(root.clone());
        let hashes: Vec<_> = states.iter().map(|state| hash_of(&state.key())).collect();
        let mut filter = [0; FILTER_WORDS];
        for &hash in &hashes[..played.len()] {
            let (word, bit) = filter_bit(hash);
            filter[word] |= bit;
        }
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
        self.hashes[self.root + ply]
    }

    /// Plays a move at `ply`: the position after it is the one at `ply + 1`. Returns its hash.
    #[inline]
    pub(super) fn play(&mut self, ply: usize, mv: &G::Move) -> u64 {
        let at = self.root + ply;
        if at + 1 == self.states.len() {
            let next = self.states[at].clone();
            self.states.push(next);
            self.hashes.push(0);
        } else {
            let (line, rest) = self.states.split_at_mut(at + 1);
            rest[0].clone_from(&line[at]);
        }
        self.states[at + 1].apply_in_place(mv);
        let hash = hash_of(&self.states[at + 1].key());
        self.hashes[at + 1] = hash;
        hash
    }

    /// Puts a position at `ply + 1` that no move leads to. Nothing before it can come again,
    /// until `lift` is called with what is returned.
    pub(super) fn pass(&mut self, ply: usize, next: G) -> usize {
        let at = self.root + ply + 1;
        let hash = hash_of(&next.key());
        self.states.truncate(at);
        self.hashes.truncate(at);
        self.states.push(next);
        self.hashes.push(hash);
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
    pub(super) fn repetition(&self, ply: usize) -> Option<Outcome> {
        let (at, hash) = (self.root + ply, self.hash(ply));
        let (word, bit) = filter_bit(hash);
        let first =
            if self.played[word] & bit != 0 { self.floor } else { self.floor.max(self.root) };
        if self.hashes[first..at].contains(&hash) { self.verdict(first, at) } else { None }
    }

    #[cold]
    fn verdict(&self, first: usize, at: usize) -> Option<Outcome> {
        let (hash, state) = (self.hashes[at], &self.states[at]);
        let key = state.key();
        let before = (first..at)
            .rev()
            .find(|&place| self.hashes[place] == hash && self.states[place].key() == key)?;
        let cycle = &self.states[before..at];
        if cycle.len() <= SHORT_CYCLE {
            let mut positions = [state; SHORT_CYCLE];
            positions.iter_mut().zip(cycle).for_each(|(place, position)| *place = position);
            return Some(state.repetition(&positions[..cycle.len()]));
        }
        Some(state.repetition(&cycle.iter().collect::<Vec<_>>()))
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
