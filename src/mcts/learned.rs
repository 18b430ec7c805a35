//! What rollouts learn from those before: tables of move codes, one for all workers of an engine.
//!
//! A table says what is likely, and nothing rests on it: it is read and written without a lock, and
//! what two workers write to one entry at the same moment may count once. With one worker at a time
//! it is exact. Rounds that all workers roll out together read it while no thread writes: the lead
//! adds what a round has found, in the order of its rollouts, before the next one is rolled out.

mod lessons;
mod means;
mod replies;

use std::fmt;
use std::sync::Arc;

use crate::game::{GameState, MoveCoding};
use crate::mcts::config::{Learned, Replies, RolloutMoves};
use crate::rng::mix;

use means::Means;
use replies::LastReplies;

pub(crate) use lessons::{Lessons, Trail};

/// The code of a move that has none, or of no move.
pub(crate) const NO_CODE: u32 = u32::MAX;

/// A player and the code of the move that the player has made.
pub(crate) type Coded = (u8, u32);

/// The tables of an engine, and the codes that they are by.
pub(crate) struct Memory<G: GameState> {
    pub(crate) codes: MoveCoding<G>,
    pub(crate) tables: Arc<Tables>,
}

impl<G: GameState> Clone for Memory<G> {
    fn clone(&self) -> Self {
        Self { codes: self.codes, tables: Arc::clone(&self.tables) }
    }
}

impl<G: GameState> fmt::Debug for Memory<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("codes", &self.codes).finish_non_exhaustive()
    }
}

/// What is known of moves.
pub(crate) struct Tables {
    means: Option<Means>,
    replies: Option<LastReplies>,
}

impl Tables {
    /// Empty ones, for a game of `players` players and `codes` move codes.
    pub(crate) fn new(rules: &RolloutMoves, players: usize, codes: usize) -> Self {
        let means = match rules.learned {
            Learned::Nothing => None,
            Learned::Mast(_) => Some(Means::new(players, codes, None)),
            Learned::Nst(nst) => Some(Means::new(players, codes, Some(nst.least))),
        };
        let replies = match rules.replies {
            Replies::Off => None,
            Replies::ToOne => Some(LastReplies::new(1)),
            Replies::ToTwo => Some(LastReplies::new(2)),
        };
        Self { means, replies }
    }

    /// The bytes that they will take.
    pub(crate) fn bytes(rules: &RolloutMoves, players: usize, codes: usize) -> u64 {
        let means = match rules.learned {
            Learned::Nothing => 0,
            Learned::Mast(_) => Means::bytes(players, codes, false),
            Learned::Nst(_) => Means::bytes(players, codes, true),
        };
        let replies = if rules.replies == Replies::Off { 0 } else { LastReplies::BYTES };
        (means + replies) as u64
    }

    /// What a move of a player is worth, in [points](super::tree::later_moves::POINT), after the
    /// `last` two, the last one first.
    #[inline]
    pub(crate) fn worth(&self, player: usize, code: u32, last: [u32; 2]) -> f32 {
        self.means.as_ref().map_or(0.0, |means| means.worth(player, code, last))
    }

    /// The reply of a player that has won after the `last` two moves, the one to both first.
    #[inline]
    pub(crate) fn replies(&self, player: usize, last: [u32; 2]) -> impl Iterator<Item = u32> {
        self.replies.iter().flat_map(move |replies| replies.to(player, last))
    }

    /// Learns from the moves of a simulation and the score of each player, in points.
    pub(crate) fn learn(&self, moves: &[Coded], points: &[u8]) {
        let mut last = [NO_CODE; 2];
        for &(player, code) in moves {
            let scored = points.get(usize::from(player)).copied();
            if let Some(points) = scored.filter(|_| code != NO_CODE) {
                let player = usize::from(player);
                if let Some(means) = &self.means {
                    means.add(player, code, last, points);
                }
                if let Some(replies) = &self.replies {
                    replies.add(player, code, last, points);
                }
            }
            last = [code, last[0]];
        }
    }

    /// Halves what was counted: of another search, and so less to the point. Replies stay.
    pub(crate) fn fade(&self) {
        if let Some(means) = &self.means {
            means.halve();
        }
    }

    /// Forgets everything.
    pub(crate) fn forget(&self) {
        if let Some(means) = &self.means {
            means.forget();
        }
        if let Some(replies) = &self.replies {
            replies.forget();
        }
    }
}

/// A number for a player and some moves, none of them like that of others but by chance.
#[inline]
fn key_of(player: usize, code: u32, last: [u32; 2]) -> u64 {
    mix(mix(player as u64, u64::from(code)), u64::from(last[0]) << 32 | u64::from(last[1]))
}
