//! The mean scores of moves, and of moves after those before.

use crate::mcts::tree::later_moves::POINT;
use crate::sync::{AtomicU64, Ordering};

use super::{NO_CODE, key_of};

/// Entries for moves that follow each other: half a megabyte.
const ENTRIES: usize = 1 << 16;

/// The simulations that an entry counts; one that has more is halved.
const MOST: u64 = 1 << 19;

/// An entry has a tag in its high 16 bits, simulations in the next 20, and the sum of their scores,
/// each up to [`POINT`], in the low 28.
const TAG_SHIFT: u32 = 48;
const COUNT_SHIFT: u32 = 28;
const SUM: u64 = (1 << COUNT_SHIFT) - 1;
const COUNT: u64 = (1 << (TAG_SHIFT - COUNT_SHIFT)) - 1;

/// A mean of nothing: as good as can be, so that each move is tried.
const FIRST: f32 = POINT as f32;

/// What is taken for a move that has no code.
const UNKNOWN: f32 = FIRST / 2.0;

/// Tables of means.
pub(super) struct Means {
    /// By player and code.
    single: Box<[AtomicU64]>,
    codes: usize,
    /// By the key of moves that follow each other, and the least simulations of one that counts.
    following: Option<(Box<[AtomicU64]>, u32)>,
}

#[inline]
fn count_of(word: u64) -> u64 {
    word >> COUNT_SHIFT & COUNT
}

/// The word after another simulation.
#[inline]
fn plus(word: u64, points: u8) -> u64 {
    let word = if count_of(word) >= MOST { halved(word) } else { word };
    word + (1 << COUNT_SHIFT) + u64::from(points)
}

/// The word with half its simulations.
#[inline]
fn halved(word: u64) -> u64 {
    let (tag, count, sum) = (word >> TAG_SHIFT, count_of(word), word & SUM);
    tag << TAG_SHIFT | (count / 2) << COUNT_SHIFT | (sum / 2)
}

/// The mean of a word, as if one simulation more had been won.
#[inline]
fn mean(word: u64) -> f32 {
    ((word & SUM) as f32 + FIRST) / (count_of(word) as f32 + 1.0)
}

impl Means {
    pub(super) fn new(players: usize, codes: usize, least: Option<u32>) -> Self {
        let empty = |count| (0..count).map(|_| AtomicU64::new(0)).collect();
        let following = least.map(|least| (empty(ENTRIES), least));
        Self { single: empty(players * codes), codes, following }
    }

    pub(super) fn bytes(players: usize, codes: usize, follow: bool) -> usize {
        (players * codes + if follow { ENTRIES } else { 0 }) * size_of::<AtomicU64>()
    }

    /// As [`Tables::worth`](super::Tables::worth).
    #[inline]
    pub(super) fn worth(&self, player: usize, code: u32, last: [u32; 2]) -> f32 {
        let Some(entry) = self.entry(player, code) else { return UNKNOWN };
        let single = mean(entry.load(Ordering::Relaxed));
        let Some((entries, least)) = &self.following else { return single };
        let (mut sum, mut count) = (single, 1.0);
        for before in contexts(last) {
            let (at, tag) = place(player, code, before);
            let word = entries[at].load(Ordering::Relaxed);
            if word >> TAG_SHIFT == tag && count_of(word) >= u64::from(*least) {
                (sum, count) = (sum + mean(word), count + 1.0);
            }
        }
        sum / count
    }

    /// Adds a simulation in which a move was made.
    pub(super) fn add(&self, player: usize, code: u32, last: [u32; 2], points: u8) {
        let Some(entry) = self.entry(player, code) else { return };
        entry.store(plus(entry.load(Ordering::Relaxed), points), Ordering::Relaxed);
        let Some((entries, _)) = &self.following else { return };
        for before in contexts(last) {
            let (at, tag) = place(player, code, before);
            let word = entries[at].load(Ordering::Relaxed);
            let next = if word >> TAG_SHIFT == tag {
                plus(word, points)
            } else if count_of(word) > 1 {
                // Others are there: one that is seen more often takes the place from them.
                halved(word)
            } else {
                plus(tag << TAG_SHIFT, points)
            };
            entries[at].store(next, Ordering::Relaxed);
        }
    }

    /// The entry of a single move, if the game has its code.
    #[inline]
    fn entry(&self, player: usize, code: u32) -> Option<&AtomicU64> {
        let code = code as usize;
        if code < self.codes { self.single.get(player * self.codes + code) } else { None }
    }

    fn all(&self) -> impl Iterator<Item = &AtomicU64> {
        let following = self.following.iter().flat_map(|(entries, _)| entries);
        self.single.iter().chain(following)
    }

    pub(super) fn halve(&self) {
        for word in self.all() {
            word.store(halved(word.load(Ordering::Relaxed)), Ordering::Relaxed);
        }
    }

    pub(super) fn forget(&self) {
        self.all().for_each(|word| word.store(0, Ordering::Relaxed));
    }
}

/// The moves before, of those that are known: the last one, and the last two.
#[inline]
fn contexts(last: [u32; 2]) -> impl Iterator<Item = [u32; 2]> {
    let one = (last[0] != NO_CODE).then_some([last[0], NO_CODE]);
    let two = (last[0] != NO_CODE && last[1] != NO_CODE).then_some(last);
    one.into_iter().chain(two)
}

/// Where moves that follow each other are counted, and their tag.
#[inline]
fn place(player: usize, code: u32, before: [u32; 2]) -> (usize, u64) {
    let key = key_of(player, code, before);
    (key as usize % ENTRIES, key >> TAG_SHIFT)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{FIRST, MOST, Means, NO_CODE, UNKNOWN};

    const NONE: [u32; 2] = [NO_CODE; 2];

    #[test]
    fn means_are_those_of_the_player_and_fade() {
        let means = Means::new(2, 10, None);
        assert_eq!(means.worth(1, 3, NONE), FIRST);
        for points in [0, 0, 128] {
            means.add(1, 3, NONE, points);
        }
        // Three simulations and the one that each begins with.
        assert_eq!([means.worth(1, 3, NONE), means.worth(0, 3, NONE)], [64.0, FIRST]);
        // A code or a player that the game does not have is none of another.
        for (player, code) in [(0, 13), (2, 3), (0, NO_CODE)] {
            means.add(player, code, NONE, 0);
            assert_eq!(means.worth(player, code, NONE), UNKNOWN);
        }
        assert_eq!([means.worth(1, 3, NONE), means.worth(0, 3, NONE)], [64.0, FIRST]);
        means.halve();
        assert_eq!(means.worth(1, 3, NONE), (64.0 + FIRST) / 2.0);
        means.forget();
        assert_eq!(means.worth(1, 3, NONE), FIRST);
    }

    #[test]
    fn moves_that_follow_each_other_count_when_they_are_known_well_enough() {
        let means = Means::new(2, 10, Some(3));
        for _ in 0..2 {
            means.add(0, 1, [2, 3], 0);
        }
        let single = FIRST / 3.0;
        assert_eq!(means.worth(0, 1, [2, 3]), single);
        means.add(0, 1, [2, 3], 0);
        means.add(0, 1, [4, 3], 128);
        let single = (128.0 + FIRST) / 5.0;
        // After the same two moves, after the same one, and after another.
        assert_eq!(means.worth(0, 1, [2, 3]), (single + FIRST / 4.0 * 2.0) / 3.0);
        assert_eq!(means.worth(0, 1, [2, 5]), (single + FIRST / 4.0) / 2.0);
        assert_eq!(means.worth(0, 1, [5, 3]), single);
    }

    #[test]
    fn many_simulations_fit() {
        let means = Means::new(1, 1, Some(1));
        for _ in 0..2 * MOST + 10 {
            means.add(0, 0, [0, 0], 128);
        }
        assert_eq!(means.worth(0, 0, [0, 0]), 128.0);
    }
}
