//! Quiescence: a position is evaluated only when nothing is about to change its value.
//!
//! The side to move may **stand pat**, that is, have the value of the position as it is, or make
//! one of the moves that its evaluator calls noisy. If it is forced it may not, and has all its
//! moves.

use crate::evaluate::Evaluate;
use crate::game::GameState;

use super::frame::{Frame, MAX_PLY, Tally};
use super::order::Rank;
use super::score::Found;
use super::worker::Worker;

impl<G: GameState, E: Evaluate<G>> Worker<'_, G, E> {
    /// The value of a position beyond the depth limit.
    fn quiesce(&mut self, ply: usize, alpha: i32, beta: i32) -> Found {
        if self.enter(ply) {
            return Found::NOTHING;
        }
        if beta - alpha > 1 {
            self.pv[ply].clear();
        }
        let state = self.path.state(ply);
        if let Some(outcome) = state.outcome() {
            return self.ended(ply, outcome);
        }
        if let Some(verdict) = self.path.repetition(ply) {
            return self.repeated(ply, verdict);
        }
        let forced = self.shared.evaluator.is_forced(state);
        self.settle(ply, alpha, beta, forced)
    }

    /// The value of a position in which the game goes on, and which is known to be none of those
    /// before it.
    pub(super) fn settle(&mut self, ply: usize, alpha: i32, beta: i32, forced: bool) -> Found {
        let evaluator = self.shared.evaluator;
        if !self.shared.settings.quiescence || ply >= MAX_PLY {
            return self.evaluate(ply);
        }
        let mut tally = Tally::new(alpha);
        if !forced {
            let value = self.evaluate(ply);
            tally.add(0, value);
            if tally.alpha >= beta || self.aborted {
                return value;
            }
        }
        let state = self.path.state(ply);
        let first = self.moves.len();
        if forced {
            state.moves(&mut self.moves);
        } else {
            evaluator.noisy_moves(state, &mut self.moves);
        }
        if self.moves.len() == first {
            return if forced { self.broken(ply, 0) } else { tally.best };
        }
        let mover = state.mover();
        let pv = beta - alpha > 1;
        let frame = Frame { ply, depth: 0, mover, beta, pv, reduces: false, ties: None };
        let first_rank = self.ranks.len();
        self.rank(&frame, first, None);
        for at in first_rank..self.ranks.len() {
            let number = Rank::pick(&mut self.ranks, at).number();
            self.path.play(ply, &self.moves[first + number]);
            let (next, alpha) = (ply + 1, tally.alpha);
            let found = if self.path.state(next).mover() == mover {
                self.quiesce(next, alpha, beta)
            } else {
                self.quiesce(next, -beta, -alpha).for_other()
            };
            if self.aborted {
                break;
            }
            if tally.add(number, found) && pv {
                self.raise_pv(ply, first + number, found.value < beta);
            }
            if tally.alpha >= beta {
                break;
            }
        }
        self.moves.truncate(first);
        self.ranks.truncate(first_rank);
        tally.result(alpha, beta).0
    }
}
