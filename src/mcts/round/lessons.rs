//! What the tables of rollouts that learn get from a round: whole simulations, move by move.

use crate::game::GameState;
use crate::mcts::learned::{Coded, NO_CODE};

use super::{Place, Round};

impl<G: GameState> Round<G> {
    /// The codes of the last two moves on the way to a step, the last one first.
    pub(super) fn last_codes(&self, at: usize) -> [u32; 2] {
        let mut last = [NO_CODE; 2];
        for (place, (_, code)) in last.iter_mut().zip(self.way_up(at)) {
            *place = code;
        }
        last
    }

    /// The moves on the way from a step to the root, with their players.
    fn way_up(&self, mut at: usize) -> impl Iterator<Item = Coded> + '_ {
        std::iter::from_fn(move || {
            while at > 0 {
                let step = &self.steps[at];
                let code = self.codes.get(at).copied().unwrap_or(NO_CODE);
                let is_move = step.place != Place::Stay;
                at = step.parent as usize;
                if is_move {
                    return Some((self.steps[at].mover, code));
                }
            }
            None
        })
    }

    /// Learns from the rollouts of the round, in their order.
    pub(super) fn learn(&mut self) {
        let Some(memory) = self.knowledge.memory().cloned() else { return };
        let mut lessons = std::mem::take(&mut self.lessons);
        lessons.sort();
        let mut moves: Vec<Coded> = Vec::new();
        for number in 0..lessons.len() {
            let (lesson, played) = lessons.get(number);
            moves.clear();
            moves.extend(self.way_up(lesson.leaf as usize));
            moves.reverse();
            moves.extend_from_slice(played);
            memory.tables.learn(&moves, &lesson.points);
        }
        lessons.clear();
        self.lessons = lessons;
    }
}
