//! Sets of cards by rank: what a hand is in a game where suits do not count.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::NotationError;
use crate::rng::Rng;

/// The ranks from the lowest up: `T` is the ten, `B` the small joker, `R` the big one.
pub const RANKS: &str = "3456789TJQKA2BR";

/// The number of ranks.
pub(super) const RANK_COUNT: usize = RANKS.len();
/// The rank of the small joker.
pub(super) const SMALL_JOKER: usize = RANK_COUNT - 2;
/// The rank of the big joker.
pub(super) const BIG_JOKER: usize = RANK_COUNT - 1;
/// The most cards of a rank, in two decks.
pub const MAX_OF_RANK: u32 = 8;
/// The most jokers of a size, in two decks.
pub const MAX_OF_JOKER: u32 = 2;

/// Bits of a rank in a [`Cards`].
pub(super) const RANK_BITS: usize = 4;
/// One of each rank.
const ONES: u64 = 0x0111_1111_1111_1111;

/// Cards by rank, without suits, of at most two decks.
///
/// # Text
/// One character of [`RANKS`] a card, in any order and case; printed from the highest down.
///
/// # Examples
/// ```
/// use playtree::games::doudizhu::Cards;
///
/// let hand: Cards = "3tbt".parse()?;
/// assert_eq!((hand.to_string().as_str(), hand.total(), hand.of(7)), ("BTT3", 4, 2));
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64")]
pub struct Cards(
    /// Four bits a rank, the lowest rank in the lowest bits.
    pub(super) u64,
);

impl Cards {
    /// No card.
    pub const NONE: Self = Self(0);

    /// `count` cards of each of the `length` ranks from `rank` up.
    #[inline]
    pub(super) fn run(rank: usize, length: usize, count: u64) -> Self {
        let ranks = ONES & !(!0 << (RANK_BITS * length));
        Self((ranks * count) << (RANK_BITS * rank))
    }

    /// These and one more card.
    pub(super) fn and(self, rank: usize) -> Self {
        Self(self.0 + (1 << (RANK_BITS * rank)))
    }

    /// Takes away one of these cards, at least one, each as likely as any other. Returns its rank.
    pub(super) fn draw(&mut self, rng: &mut Rng) -> usize {
        let mut left = rng.below(self.total() as usize) as u32;
        let mut rank = 0;
        while left >= self.of(rank) {
            left -= self.of(rank);
            rank += 1;
        }
        self.0 -= 1 << (RANK_BITS * rank);
        rank
    }

    /// How many cards of a rank, in `0..15` as in [`RANKS`]; 0 for a rank out of range.
    #[inline]
    #[must_use]
    pub fn of(self, rank: usize) -> u32 {
        if rank < RANK_COUNT { (self.0 >> (RANK_BITS * rank) & 15) as u32 } else { 0 }
    }

    /// The number of cards.
    #[inline]
    #[must_use]
    pub fn total(self) -> u32 {
        const EVEN: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        let pairs = (self.0 & EVEN) + (self.0 >> RANK_BITS & EVEN);
        (pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
    }

    /// Whether there is no card.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether each card of `other` is among these.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        (0..RANK_COUNT).all(|rank| self.of(rank) >= other.of(rank))
    }

    /// One card of each rank that has at least `count` cards; `count` is 1 to 8.
    #[inline]
    pub(super) fn at_least(self, count: u64) -> u64 {
        // No rank has more than 8 cards, so that no sum reaches 16.
        (self.0 + ONES * (8 - count)) >> 3 & ONES
    }

    /// Without any card of the ranks of `other`.
    #[inline]
    pub(super) fn without_ranks(self, other: Self) -> Self {
        Self(self.0 & !(other.at_least(1) * 15))
    }

    /// Whether a small and a big joker are among these.
    #[inline]
    pub(super) fn has_both_jokers(self) -> bool {
        self.of(SMALL_JOKER) > 0 && self.of(BIG_JOKER) > 0
    }
}

impl TryFrom<u64> for Cards {
    type Error = NotationError;

    /// Four bits for each of [`RANKS`], the lowest first, as they are saved.
    ///
    /// # Errors
    /// If there are more of a rank than in two decks, or bits above the last.
    fn try_from(bits: u64) -> Result<Self, NotationError> {
        if bits >> (RANK_BITS * RANK_COUNT) != 0 {
            let expected = format!("{RANK_COUNT} ranks of cards");
            return Err(NotationError::new(expected, format!("{bits:#x}")));
        }
        let cards = Self(bits);
        check_decks(&std::array::from_fn(|rank| cards.of(rank)))?;
        Ok(cards)
    }
}

/// All cards of one deck.
pub(super) fn deck() -> Cards {
    let suits = Cards::run(0, SMALL_JOKER, 4);
    suits.and(SMALL_JOKER).and(BIG_JOKER)
}

/// The character of a rank.
pub(super) fn rank_name(rank: usize) -> char {
    RANKS.as_bytes().get(rank).map_or('?', |&name| char::from(name))
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..RANK_COUNT).rev() {
            for _ in 0..self.of(rank) {
                write!(f, "{}", rank_name(rank))?;
            }
        }
        Ok(())
    }
}

/// Refuses more cards of a rank than two decks have.
pub(super) fn check_decks(counts: &[u32; RANK_COUNT]) -> Result<(), NotationError> {
    for (rank, &count) in counts.iter().enumerate() {
        let most = if rank < SMALL_JOKER { MAX_OF_RANK } else { MAX_OF_JOKER };
        if count > most {
            let expected = format!("at most {most} cards '{}', as in two decks", rank_name(rank));
            return Err(NotationError::new(expected, count));
        }
    }
    Ok(())
}

impl FromStr for Cards {
    type Err = NotationError;

    /// Reads cards.
    ///
    /// # Errors
    /// If a character is no card, or there are more of one than in two decks.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut counts = [0; RANK_COUNT];
        for name in text.trim().chars() {
            let Some(rank) = RANKS.find(name.to_ascii_uppercase()) else {
                let expected = format!("a card ({RANKS})");
                return Err(NotationError::new(expected, format!("'{name}' in '{text}'")));
            };
            counts[rank] += 1;
        }
        check_decks(&counts)?;
        let cards =
            counts.iter().rev().fold(0, |cards, &count| cards << RANK_BITS | u64::from(count));
        Ok(Self(cards))
    }
}

#[cfg(test)]
mod tests {
    use super::{Cards, ONES, RANK_COUNT};

    #[test]
    fn thresholds_are_those_of_each_rank() {
        let cards: Cards = "33333333444444455555566666777788899TBBR".parse().unwrap();
        assert_eq!(cards.total(), 39);
        for count in 1..=8 {
            let expected = (0..RANK_COUNT)
                .filter(|&rank| u64::from(cards.of(rank)) >= count)
                .fold(0, |ones, rank| ones | 1 << (4 * rank));
            assert_eq!(cards.at_least(count), expected, "{count}");
        }
        assert_eq!(ONES.count_ones() as usize, RANK_COUNT);
    }

    #[test]
    fn what_two_decks_do_not_have_is_refused() {
        for (text, error) in [
            ("3x", "expected a card (3456789TJQKA2BR), found 'x' in '3x'"),
            ("333333333", "expected at most 8 cards '3', as in two decks, found 9"),
            ("BBB", "expected at most 2 cards 'B', as in two decks, found 3"),
        ] {
            assert_eq!(text.parse::<Cards>().unwrap_err().to_string(), error);
        }
        for bits in [9, 3 << 56, 1 << 60, u64::MAX] {
            assert!(Cards::try_from(bits).is_err(), "{bits:#x}");
        }
        assert_eq!(Cards::try_from(0x0200_0000_0000_0081).unwrap().to_string(), "RR444444443");
    }
}
