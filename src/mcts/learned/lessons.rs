//! The moves of the rollouts of a round in their order, until the tables learn from them.

use crate::game::{MAX_PLAYERS, Outcome};
use crate::mcts::tree::later_moves::to_points;
use crate::mcts::tree::value::DrawScores;

use super::{Coded, NO_CODE};

/// The moves of a rollout that is being played.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    pub(crate) moves: Vec<Coded>,
    /// The last two codes, those on the way down included, the last one first.
    pub(crate) last: [u32; 2],
    /// Working memory: the codes of the moves of a position, and their weights.
    pub(crate) codes: Vec<u32>,
    pub(crate) weights: Vec<u32>,
}

impl Trail {
    /// A new rollout, whose way down ended in moves with these two codes, the last one first.
    #[inline]
    pub(crate) fn begin(&mut self, last: [u32; 2]) {
        self.moves.clear();
        self.last = last;
    }

    /// Notes a move, with the code that the game gives it, if it is one of the game's `codes`.
    #[inline]
    pub(crate) fn note(&mut self, player: usize, code: usize, codes: usize) {
        let code = if code < codes { code as u32 } else { NO_CODE };
        self.moves.push((player as u8, code));
        self.last = [code, self.last[0]];
    }
}

/// The rollouts of a round, or of a part of it.
#[derive(Debug, Default)]
pub(crate) struct Lessons {
    list: Vec<Lesson>,
    moves: Vec<Coded>,
}

/// A rollout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lesson {
    /// Its number in the round.
    number: u32,
    /// The step that it began at.
    pub(crate) leaf: u32,
    /// Its moves in the list of all: the first, and how many.
    first: u32,
    count: u32,
    /// The score of each player, in points.
    pub(crate) points: [u8; MAX_PLAYERS],
}

impl Lessons {
    /// What a rollout takes, about, in bytes.
    pub(crate) const BYTES_OF_EACH: usize = size_of::<Lesson>() + 64 * size_of::<Coded>();

    /// Notes the rollout of a round with this number.
    pub(crate) fn note(
        &mut self,
        (number, leaf): (usize, u32),
        outcome: &Outcome,
        moves: &[Coded],
        draws: DrawScores,
    ) {
        let points = std::array::from_fn(|player| to_points(draws.fixed(outcome, player)));
        let (first, count) = (self.moves.len() as u32, moves.len() as u32);
        self.list.push(Lesson { number: number as u32, leaf, first, count, points });
        self.moves.extend_from_slice(moves);
    }

    /// Moves what `other` has noted over to this one.
    pub(crate) fn take_from(&mut self, other: &mut Self) {
        let before = self.moves.len() as u32;
        let moved =
            other.list.drain(..).map(|lesson| Lesson { first: lesson.first + before, ..lesson });
        self.list.extend(moved);
        self.moves.append(&mut other.moves);
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.moves.clear();
    }

    /// The number of rollouts.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Puts the rollouts in the order of their numbers, whoever has played which of them.
    pub(crate) fn sort(&mut self) {
        self.list.sort_unstable_by_key(|lesson| lesson.number);
    }

    /// A rollout and its moves.
    pub(crate) fn get(&self, at: usize) -> (Lesson, &[Coded]) {
        let lesson = self.list[at];
        let first = lesson.first as usize;
        (lesson, &self.moves[first..first + lesson.count as usize])
    }
}
