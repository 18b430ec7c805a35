//! What engines have proven of a branch, in one word that can be summed up.

use crate::mcts::tree::value::Bounds;

/// The most engines of an exchange: the number of them that have proven a value has 12 bits.
pub(super) const MOST_ENGINES: i64 = (1 << COUNT_BITS) - 1;

const COUNT_BITS: u32 = 12;
const COUNT_MASK: i64 = MOST_ENGINES;

/// The number of engines stands at one of three places, one for each exact value; above it the sum
/// of the plies that their proofs take.
const EXACT: [Bounds; 3] = [Bounds::Win, Bounds::Draw, Bounds::Loss];
const PLIES_AT: u32 = 3 * COUNT_BITS;

/// The most plies of a proof that are said: with the most engines their sum has 27 bits.
const MOST_PLIES: u32 = (1 << 15) - 1;

/// The word of one engine for a branch.
pub(super) fn to_word(bounds: Bounds, plies: u32) -> i64 {
    match (0..).zip(EXACT).find(|&(_, exact)| exact == bounds) {
        Some((place, _)) => {
            1 << (place * COUNT_BITS) | i64::from(plies.min(MOST_PLIES)) << PLIES_AT
        }
        None => 0,
    }
}

/// What a word of several engines says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Nothing,
    /// A value, and the mean number of plies of its proofs.
    Value(Bounds, u32),
    /// Several values: at least one of the proofs is wrong.
    Contradiction,
    /// What no engines say.
    Nonsense,
}

/// Reads the sum of the words of at most `engines` engines.
pub(super) fn read(word: i64, engines: i64) -> Said {
    if word == 0 {
        return Said::Nothing;
    }
    let counts = [0, 1, 2].map(|place| word >> (place * COUNT_BITS) & COUNT_MASK);
    let all: i64 = counts.iter().sum();
    let plies = word >> PLIES_AT;
    if word < 0 || all == 0 || all > engines || plies > all * i64::from(MOST_PLIES) {
        return Said::Nonsense;
    }
    match counts.iter().position(|&count| count == all) {
        Some(place) => Said::Value(EXACT[place], (plies / all) as u32),
        None => Said::Contradiction,
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{EXACT, MOST_ENGINES, MOST_PLIES, Said, read, to_word};
    use crate::mcts::tree::value::Bounds;

    #[test]
    fn words_of_engines_add_up() {
        for bounds in EXACT {
            let word = to_word(bounds, 7);
            assert_eq!(read(word, 1), Said::Value(bounds, 7));
            assert_eq!(read(word + to_word(bounds, 10), 2), Said::Value(bounds, 8));
            assert_eq!(read(word + to_word(bounds, 10), 1), Said::Nonsense);
            let most = to_word(bounds, u32::MAX).checked_mul(MOST_ENGINES).unwrap();
            assert_eq!(read(most, MOST_ENGINES), Said::Value(bounds, MOST_PLIES));
        }
        let both = to_word(Bounds::Win, 1) + to_word(Bounds::Loss, 2);
        assert_eq!(read(both, 9), Said::Contradiction);
        assert_eq!([to_word(Bounds::AtLeastDraw, 3), to_word(Bounds::Open, 3)], [0, 0]);
        assert_eq!(read(0, 0), Said::Nothing);
        for word in [-1, i64::MIN, i64::MAX, 1 << 36, 1 << 60] {
            assert_eq!(read(word, 9), Said::Nonsense, "{word}");
        }
    }
}
