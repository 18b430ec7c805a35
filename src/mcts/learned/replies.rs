//! The last good replies: to the move before, and to the two before.

use crate::mcts::tree::later_moves::POINT;
use crate::sync::{AtomicU64, Ordering};

use super::{NO_CODE, key_of};

/// Entries: half a megabyte.
const ENTRIES: usize = 1 << 16;

/// Replies by the key of what they reply to: half of the key in the high half of a word, and 1 more
/// than the code of the reply in the low half.
pub(super) struct LastReplies {
    entries: Box<[AtomicU64]>,
    /// Moves before, 1 or 2.
    most: usize,
}

impl LastReplies {
    pub(super) const BYTES: usize = ENTRIES * size_of::<AtomicU64>();

    pub(super) fn new(most: usize) -> Self {
        Self { entries: (0..ENTRIES).map(|_| AtomicU64::new(0)).collect(), most }
    }

    /// The replies of a player after the `last` two moves: the one to both first.
    #[inline]
    pub(super) fn to(&self, player: usize, last: [u32; 2]) -> impl Iterator<Item = u32> + '_ {
        self.keys(player, last).filter_map(|(at, half)| {
            let word = self.entries[at].load(Ordering::Relaxed);
            if word & !u64::from(u32::MAX) == half { (word as u32).checked_sub(1) } else { None }
        })
    }

    /// Remembers a reply in a game that was won, and forgets it in one that was lost.
    pub(super) fn add(&self, player: usize, code: u32, last: [u32; 2], points: u8) {
        for (at, half) in self.keys(player, last) {
            let entry = &self.entries[at];
            let word = half | (u64::from(code) + 1);
            if u32::from(points) == POINT {
                entry.store(word, Ordering::Relaxed);
            } else if points == 0 && entry.load(Ordering::Relaxed) == word {
                entry.store(0, Ordering::Relaxed);
            }
        }
    }

    pub(super) fn forget(&self) {
        self.entries.iter().for_each(|entry| entry.store(0, Ordering::Relaxed));
    }

    /// The entries of the replies to what is known of the last moves, and the half of each key.
    #[inline]
    fn keys(&self, player: usize, last: [u32; 2]) -> impl Iterator<Item = (usize, u64)> + use<> {
        let both = self.most > 1 && last[0] != NO_CODE && last[1] != NO_CODE;
        let two = both.then_some(last);
        let one = (last[0] != NO_CODE).then_some([last[0], NO_CODE]);
        two.into_iter().chain(one).map(move |before| {
            let key = key_of(player, 0, before);
            (key as usize % ENTRIES, key & !u64::from(u32::MAX))
        })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{LastReplies, NO_CODE};

    #[test]
    fn replies_that_lose_are_forgotten() {
        let replies = LastReplies::new(2);
        let to = |player, last| replies.to(player, last).collect::<Vec<_>>();
        replies.add(0, 7, [1, 2], 128);
        assert_eq!(
            [to(0, [1, 2]), to(0, [1, 3]), to(0, [2, 1])],
            [vec![7, 7], vec![7], Vec::new()]
        );
        assert!(to(1, [1, 2]).is_empty() && to(0, [NO_CODE, 2]).is_empty());
        replies.add(0, 8, [1, 3], 128);
        assert_eq!(to(0, [1, 2]), [7, 8]);
        // Only the reply that has lost, and a draw says nothing.
        replies.add(0, 9, [1, 2], 0);
        replies.add(0, 7, [1, 2], 64);
        assert_eq!(to(0, [1, 2]), [7, 8]);
        replies.add(0, 7, [1, 2], 0);
        assert_eq!(to(0, [1, 2]), [8]);
        replies.forget();
        assert!(to(0, [1, 2]).is_empty());
        let replies = LastReplies::new(1);
        replies.add(0, 7, [1, 2], 128);
        assert_eq!(replies.to(0, [1, 2]).count(), 1);
    }
}
