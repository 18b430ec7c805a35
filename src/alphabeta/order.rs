//! The order in which moves are tried: the table's move, then what looks promising, then what was
//! good elsewhere.
//!
//! A move is ranked by one number, the greatest first:
//!
//! | move | rank, without the last 16 bits |
//! |---|---|
//! | a promise above 0 ([`Evaluate::promise`]) | `NOISY + promise` |
//! | a killer: refuted another move at this ply (Akl and Newborn 1977) | `KILLER`, the later one first |
//! | any other | promise and history (Schaeffer 1989) |
//!
//! The last 16 bits are those of the number of the move, so that equal moves are tried in the order
//! of the game, and no two ranks are equal.

use crate::evaluate::Evaluate;
use crate::game::GameState;

/// What a worker has learnt about moves, whatever the position.
pub(super) struct Experience {
    /// Split points exchange it.
    pub(super) history: History,
    /// The last two slots that refuted a move, by ply.
    killers: Vec<[Option<u16>; 2]>,
    use_killers: bool,
    use_history: bool,
}

/// How often each move was good and how often it was not, by slot and side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct History {
    /// By side and slot, from `-MOST_HISTORY` to `MOST_HISTORY`; what is beyond the end is 0. A
    /// list for each side, as slots near each other are asked for one after the other.
    values: [Vec<i16>; 2],
}

/// The rank of a move. Above all: which one is `number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(i64);

const NOISY: i64 = 1 << 40;
const KILLER: i64 = 1 << 38;

/// The greatest promise that counts, on both sides of 0.
const MOST_PROMISE: i32 = 1 << 30;

/// The most that the history of a move may be.
const MOST_HISTORY: i32 = 16_384;

/// The most that one cut-off changes the history.
const MOST_BONUS: i32 = 1_024;

impl Rank {
    #[inline]
    fn new(worth: i64, number: usize) -> Self {
        Self(worth << 16 | i64::from(u16::MAX - number as u16))
    }

    /// The number of the move in the list of the game.
    #[inline]
    pub(super) fn number(self) -> usize {
        usize::from(u16::MAX - self.0 as u16)
    }

    /// Whether the move is neither promising nor a killer.
    #[inline]
    pub(super) fn is_plain(self) -> bool {
        self.0 >> 16 < KILLER
    }

    /// Puts the first of the ranks from `first` on at `first`.
    #[inline]
    pub(super) fn pick(ranks: &mut [Self], first: usize) -> Self {
        let mut best = first;
        for at in first + 1..ranks.len() {
            if ranks[at] > ranks[best] {
                best = at;
            }
        }
        ranks.swap(first, best);
        ranks[first]
    }
}

impl Experience {
    pub(super) fn new(plies: usize, use_killers: bool, use_history: bool) -> Self {
        let history = History::default();
        Self { history, killers: vec![[None; 2]; plies], use_killers, use_history }
    }

    /// The rank of a move of this promise.
    #[inline]
    pub(super) fn rank<G: GameState, E: Evaluate<G>>(
        &self,
        evaluator: &E,
        state: &G,
        (number, mv, promise): (usize, &G::Move, i32),
        (mover, ply): (usize, usize),
    ) -> Rank {
        if promise > 0 {
            return Rank::new(NOISY + i64::from(promise.min(MOST_PROMISE)), number);
        }
        let mut worth = i64::from(promise.max(-MOST_PROMISE));
        if (self.use_killers || self.use_history)
            && let Some(slot) = evaluator.slot(state, mv)
        {
            if self.use_killers {
                let [last, before] = self.killers[ply];
                if last == Some(slot) {
                    return Rank::new(KILLER + 1, number);
                }
                if before == Some(slot) {
                    return Rank::new(KILLER, number);
                }
            }
            if self.use_history {
                worth += i64::from(self.history.of(slot, mover));
            }
        }
        Rank::new(worth, number)
    }

    /// Learns that a move has refuted the one before it.
    pub(super) fn refuted(&mut self, slot: u16, mover: usize, ply: usize, depth: i32) {
        if self.use_killers && self.killers[ply][0] != Some(slot) {
            self.killers[ply] = [Some(slot), self.killers[ply][0]];
        }
        self.change(slot, mover, (depth * depth).min(MOST_BONUS));
    }

    /// Learns that a move was tried in vain where another one has refuted.
    pub(super) fn failed(&mut self, slot: u16, mover: usize, depth: i32) {
        self.change(slot, mover, -(depth * depth).min(MOST_BONUS));
    }

    fn change(&mut self, slot: u16, mover: usize, bonus: i32) {
        if self.use_history {
            self.history.change(slot, mover, bonus);
        }
    }
}

impl History {
    /// What is known of the moves of a slot.
    #[inline]
    fn of(&self, slot: u16, mover: usize) -> i16 {
        self.values[mover & 1].get(usize::from(slot)).copied().unwrap_or(0)
    }

    fn change(&mut self, slot: u16, mover: usize, bonus: i32) {
        let (values, slot) = (&mut self.values[mover & 1], usize::from(slot));
        reach(values, slot + 1);
        let value = &mut values[slot];
        let now = i32::from(*value);
        // The nearer it is to the limit the less it changes, so it stays within.
        *value = (now + bonus - now * bonus.abs() / MOST_HISTORY) as i16;
    }

    /// Adds what another one has learnt from `before` until `now`.
    pub(super) fn add(&mut self, before: &Self, now: &Self) {
        for ((values, before), now) in self.values.iter_mut().zip(&before.values).zip(&now.values) {
            reach(values, now.len());
            let before = before.iter().copied().chain(std::iter::repeat(0));
            for ((value, now), before) in values.iter_mut().zip(now).zip(before) {
                let sum = i32::from(*value) + i32::from(*now) - i32::from(before);
                *value = sum.clamp(-MOST_HISTORY, MOST_HISTORY) as i16;
            }
        }
    }
}

/// Makes room for `count` values.
fn reach(values: &mut Vec<i16>, count: usize) {
    if values.len() < count {
        values.resize(count, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_moves_stay_in_the_order_of_the_game() {
        let mut ranks: Vec<_> = (0..5).map(|number| Rank::new(7, number)).collect();
        ranks.reverse();
        ranks.push(Rank::new(-1, 5));
        ranks.push(Rank::new(9, 6));
        let order: Vec<_> =
            (0..ranks.len()).map(|at| Rank::pick(&mut ranks, at).number()).collect();
        assert_eq!(order, [6, 0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn history_stays_within_its_limits() {
        let mut experience = Experience::new(4, true, true);
        for _ in 0..10_000 {
            experience.refuted(3, 1, 2, 1_000);
            experience.failed(4, 1, 1_000);
        }
        let at = |slot| i32::from(experience.history.of(slot, 1));
        assert!(at(3) > MOST_HISTORY / 2 && at(3) <= MOST_HISTORY, "{}", at(3));
        assert!(at(4) < -MOST_HISTORY / 2 && at(4) >= -MOST_HISTORY, "{}", at(4));
        assert_eq!(experience.killers[2], [Some(3), None]);
    }

    #[test]
    fn what_two_have_learnt_adds_up() {
        let mut owner = History::default();
        owner.change(3, 0, 100);
        let before = owner.clone();
        let mut helper = before.clone();
        owner.change(3, 0, 50);
        helper.change(3, 0, -10);
        helper.change(9, 1, 7);
        let (alone, helped) = (owner.of(3, 0), helper.of(3, 0));
        owner.add(&before, &helper);
        assert_eq!(owner.of(3, 0), alone + helped - 100);
        assert_eq!((owner.of(9, 1), owner.of(9, 0), owner.of(40, 1)), (7, 0, 0));
    }
}
