//! Which moves were played in a game, and by whom.

/// Bits of a word.
const BITS: usize = u64::BITS as usize;

/// The moves that were played from some position on: for each player a set of [move
/// codes](super::MoveCodes::move_code).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The sets side by side, each of `words` words.
    sets: Box<[u64]>,
    words: usize,
    codes: usize,
}

impl Played {
    /// No moves, of a game with this number of players and of
    /// [move codes](super::MoveCodes::CODES).
    #[must_use]
    pub fn new(players: usize, codes: usize) -> Self {
        let words = codes.div_ceil(BITS);
        let sets = vec![0; words * players].into();
        Self { sets, words, codes }
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.sets.fill(0);
    }

    /// Notes that `player` has played a move with this code. A player or a code that the game does
    /// not have is left out.
    #[inline]
    pub fn note(&mut self, player: usize, code: usize) {
        if code < self.codes {
            self.note_all(player, code / BITS, 1 << (code % BITS));
        }
    }

    /// Notes that `player` has played moves with the codes `64 * word + bit`, for each bit of
    /// `codes` that is set. A player or a code that the game does not have is left out.
    #[inline]
    pub fn note_all(&mut self, player: usize, word: usize, codes: u64) {
        if word >= self.words {
            return;
        }
        let left = self.codes - word * BITS;
        let there = if left < BITS { (1 << left) - 1 } else { u64::MAX };
        if let Some(set) = self.sets.get_mut(player * self.words + word) {
            *set |= codes & there;
        }
    }

    /// Whether `player` has played a move with this code.
    #[must_use]
    pub fn has(&self, player: usize, code: usize) -> bool {
        code < self.codes
            && self
                .sets
                .get(player * self.words + code / BITS)
                .is_some_and(|set| set >> (code % BITS) & 1 == 1)
    }

    /// The words of all sets.
    #[inline]
    pub(crate) fn words(&self) -> usize {
        self.sets.len()
    }

    /// Makes these the sets, word by word.
    #[inline]
    pub(crate) fn set(&mut self, sets: &[u64]) {
        self.sets.copy_from_slice(sets);
    }

    /// The set of each player, in words.
    #[inline]
    pub(crate) fn sets(&self) -> impl Iterator<Item = &[u64]> {
        self.sets.chunks_exact(self.words.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::Played;

    #[test]
    fn moves_of_each_player_are_kept_and_others_left_out() {
        let mut played = Played::new(2, 70);
        for (player, code) in [(0, 0), (1, 63), (1, 64), (0, 69), (0, 70), (2, 1), (9, 9)] {
            played.note(player, code);
        }
        played.note_all(1, 1, u64::MAX << 5);
        played.note_all(1, 2, u64::MAX);
        played.note_all(2, 0, u64::MAX);
        let of = |player| (0..200).filter(|&code| played.has(player, code)).collect::<Vec<_>>();
        assert_eq!([of(0), of(1), of(2)], [vec![0, 69], vec![63, 64, 69], vec![]]);
        let words: Vec<_> = played.sets().map(<[u64]>::to_vec).collect();
        assert_eq!(words, [[1, 1 << 5], [1 << 63, 1 | 1 << 5]]);
        played.clear();
        assert_eq!(played, Played::new(2, 70));
    }
}
