//! What moves are worth wherever they are made in the tree: what progressive history goes by.

use crate::game::{GameState, MoveCoding};
use crate::mcts::tree::value::ONE;
use crate::sync::{AtomicU64, Ordering};

use super::select::Picker;
use super::{Place, Step};

/// For each player and move code the simulations that have made the move in the tree, and the sum
/// of what its positions were worth to that player.
///
/// The rounds of a worker have one together, and no other worker has it: no worker waits for it, and
/// with one worker it is exact.
pub(crate) struct MoveScores {
    codes: usize,
    /// By player, then by code: an [`Entry`] in one word.
    entries: Box<[AtomicU64]>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Entry {
    visits: f32,
    score: f32,
}

/// Visits at which an entry is halved: beyond 2^24 one more would change nothing.
const MOST_VISITS: f32 = 1e6;

impl Entry {
    fn of(word: u64) -> Self {
        Self { visits: f32::from_bits((word >> 32) as u32), score: f32::from_bits(word as u32) }
    }

    fn word(self) -> u64 {
        u64::from(self.visits.to_bits()) << 32 | u64::from(self.score.to_bits())
    }

    fn halved(self) -> Self {
        Self { visits: self.visits * 0.5, score: self.score * 0.5 }
    }
}

impl MoveScores {
    pub(super) fn new<G: GameState>(codes: MoveCoding<G>) -> Self {
        let entries = (0..G::PLAYERS * codes.count()).map(|_| AtomicU64::new(0));
        Self { codes: codes.count(), entries: entries.collect() }
    }

    /// What a table takes, in bytes.
    pub(super) fn bytes<G: GameState>(codes: MoveCoding<G>) -> usize {
        G::PLAYERS * codes.count() * size_of::<AtomicU64>()
    }

    /// The entry of a move, if it is one of the game's codes.
    #[inline]
    fn entry(&self, player: usize, code: u32) -> Option<&AtomicU64> {
        let code = code as usize;
        if code < self.codes { self.entries.get(player * self.codes + code) } else { None }
    }

    /// Adds simulations that have made a move, by which they have come to a position of this worth.
    #[inline]
    fn add(&self, player: usize, code: u32, visits: f32, score: f32) {
        let Some(entry) = self.entry(player, code) else { return };
        let before = Entry::of(entry.load(Ordering::Relaxed));
        let (score, visits) = (before.score + visits * score, before.visits + visits);
        let mut after = Entry { visits, score };
        while after.visits > MOST_VISITS {
            after = after.halved();
        }
        entry.store(after.word(), Ordering::Relaxed);
    }

    /// Notes what the steps of a round have come to, whose moves have these codes.
    pub(super) fn note(&self, steps: &[Step], codes: &[u32]) {
        for (step, &code) in steps.iter().zip(codes).skip(1) {
            if step.returned == 0 || step.place == Place::Stay {
                continue;
            }
            let player = usize::from(steps[step.parent as usize].mover);
            let visits = step.returned as f32;
            let score = match step.value {
                Some(value) => value.score() as f32,
                None => step.sum as f32 / visits,
            };
            self.add(player, code, visits, score / ONE as f32);
        }
    }

    /// Tells the picker what the moves of a player with these codes are worth.
    pub(super) fn show(&self, player: usize, codes: &[u32], picker: &mut Picker) {
        picker.set_history(codes, |code| self.worth(player, code));
    }

    /// What a move is worth, as if one simulation more had won by it, so that each is tried.
    #[inline]
    fn worth(&self, player: usize, code: u32) -> f32 {
        let word = self.entry(player, code).map_or(0, |entry| entry.load(Ordering::Relaxed));
        let Entry { visits, score } = Entry::of(word);
        (score + 1.0) / (visits + 1.0)
    }

    /// Halves what was counted: of another search, and so less to the point.
    pub(super) fn fade(&self) {
        for entry in &self.entries {
            let word = entry.load(Ordering::Relaxed);
            entry.store(Entry::of(word).halved().word(), Ordering::Relaxed);
        }
    }

    pub(super) fn forget(&self) {
        self.entries.iter().for_each(|entry| entry.store(0, Ordering::Relaxed));
    }
}

#[cfg(all(test, feature = "games", not(loom)))]
mod tests {
    use super::{MOST_VISITS, MoveScores};
    use crate::game::MoveCoding;
    use crate::games::Othello;

    #[test]
    fn moves_are_worth_what_came_of_them() {
        let scores = MoveScores::new(MoveCoding::<Othello>::of_game());
        assert_eq!(scores.worth(0, 5), 1.0);
        scores.add(0, 5, 3.0, 0.25);
        scores.add(0, 5, 1.0, 0.5);
        let expected = (3.0 * 0.25 + 0.5 + 1.0) / 5.0;
        assert_eq!(
            [scores.worth(0, 5), scores.worth(1, 5), scores.worth(0, 6)],
            [expected, 1.0, 1.0]
        );
        // A pass has a code beyond the others, and is none of the next player's.
        scores.add(0, 64, 100.0, 0.0);
        assert_eq!([scores.worth(0, 64), scores.worth(1, 0)], [1.0, 1.0]);
        scores.fade();
        assert_eq!(scores.worth(0, 5), (expected * 5.0 - 1.0) / 2.0 / 3.0 + 1.0 / 3.0);
        scores.forget();
        assert_eq!(scores.worth(0, 5), 1.0);
    }

    #[test]
    fn many_simulations_count() {
        let scores = MoveScores::new(MoveCoding::<Othello>::of_game());
        for _ in 0..100 {
            scores.add(1, 0, MOST_VISITS, 0.0);
        }
        assert!(scores.worth(1, 0) < 1e-5);
        for _ in 0..100 {
            scores.add(1, 0, MOST_VISITS, 1.0);
        }
        assert!(scores.worth(1, 0) > 0.99, "{}", scores.worth(1, 0));
    }
}
