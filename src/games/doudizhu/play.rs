//! What is put on the table in one move: its kind, its length and its rank.

use serde::{Deserialize, Serialize};

use super::cards::{Cards, SMALL_JOKER};

/// The kinds of plays.
///
/// Chains (straights, pair straights, planes) go from 3 to A: a 2 or a joker is in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Kind {
    /// No card: the other side may play what it likes.
    Pass,
    /// One card.
    Single,
    /// Two of a rank.
    Pair,
    /// Three of a rank.
    Triple,
    /// Three of a rank and one card.
    TripleSingle,
    /// Three of a rank and a pair.
    TriplePair,
    /// One card each of five or more ranks in a row.
    Straight,
    /// A pair each of three or more ranks in a row.
    PairStraight,
    /// Three cards each of two or more ranks in a row.
    Plane,
    /// A plane and one card for each of its ranks.
    PlaneSingles,
    /// A plane and a pair for each of its ranks.
    PlanePairs,
    /// Four of a rank and two cards: no bomb.
    QuadSingles,
    /// Four of a rank and two pairs: no bomb.
    QuadPairs,
    /// Four of a rank, with two decks up to eight: beats everything but a bomb of more cards, a
    /// higher bomb of the same number of cards, and a rocket.
    Bomb,
    /// A small and a big joker, with two decks also two of each: nothing beats it.
    Rocket,
}

impl Kind {
    /// What tells this kind apart where the same cards are several: the text after the colon.
    pub(super) fn suffix(self) -> Option<&'static str> {
        Some(match self {
            Self::Plane => "w0",
            Self::PlaneSingles => "w1",
            Self::PlanePairs => "w2",
            Self::QuadSingles => "+1+1",
            Self::QuadPairs => "+2+2",
            Self::Bomb => "!",
            Self::Rocket => "!!",
            _ => return None,
        })
    }

    /// The lengths that there are, in ranks of the chain; of a bomb in cards, of a rocket in cards
    /// of each joker; else 1. The chain from 3 to A has 12 ranks.
    const fn lengths(self) -> (u8, u8) {
        match self {
            Self::Pass => (1, 0),
            Self::Straight => (5, 12),
            Self::PairStraight => (3, 12),
            Self::Plane | Self::PlaneSingles | Self::PlanePairs => (2, 12),
            Self::Bomb => (4, 8),
            Self::Rocket => (1, 2),
            _ => (1, 1),
        }
    }
}

/// A kind with its length: what a play must share with the one that it beats, bombs apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) length: u8,
}

impl Shape {
    /// Of a pass, and of the table when there is nothing to beat.
    pub(super) const NONE: Self = Self { kind: Kind::Pass, length: 0 };

    /// How many ranks in a row there are, and how many cards of each, the kickers left out. Not
    /// for rockets.
    #[inline]
    pub(super) const fn body(self) -> (usize, u64) {
        let length = self.length as usize;
        match self.kind {
            Kind::Pass | Kind::Rocket => (0, 0),
            Kind::Single => (1, 1),
            Kind::Pair => (1, 2),
            Kind::Triple | Kind::TripleSingle | Kind::TriplePair => (1, 3),
            Kind::Straight => (length, 1),
            Kind::PairStraight => (length, 2),
            Kind::Plane | Kind::PlaneSingles | Kind::PlanePairs => (length, 3),
            Kind::QuadSingles | Kind::QuadPairs => (1, 4),
            Kind::Bomb => (1, self.length as u64),
        }
    }

    /// How many kickers there are, and of how many cards each is.
    #[inline]
    pub(super) const fn kickers(self) -> (u32, u64) {
        match self.kind {
            Kind::TripleSingle => (1, 1),
            Kind::TriplePair => (1, 2),
            Kind::PlaneSingles => (self.length as u32, 1),
            Kind::PlanePairs => (self.length as u32, 2),
            Kind::QuadSingles => (2, 1),
            Kind::QuadPairs => (2, 2),
            _ => (0, 0),
        }
    }

    /// The number of cards, at most [`MOST_CARDS`].
    #[inline]
    pub(super) const fn size(self) -> u32 {
        if let Kind::Rocket = self.kind {
            return 2 * self.length as u32;
        }
        let ((ranks, each), (kickers, cards)) = (self.body(), self.kickers());
        ranks as u32 * each as u32 + kickers * cards as u32
    }
}

/// The cards of the largest shape.
pub(super) const MOST_CARDS: usize = 60;
const SHAPE_COUNT: usize = 65;

/// Each shape, from the most cards to the fewest; among shapes of the same number of cards the
/// bombs are last.
pub(super) const SHAPES: [Shape; SHAPE_COUNT] = {
    const KINDS: [Kind; 14] = [
        Kind::PlanePairs,
        Kind::PlaneSingles,
        Kind::Plane,
        Kind::PairStraight,
        Kind::Straight,
        Kind::TriplePair,
        Kind::TripleSingle,
        Kind::Triple,
        Kind::Pair,
        Kind::Single,
        Kind::QuadPairs,
        Kind::QuadSingles,
        Kind::Bomb,
        Kind::Rocket,
    ];
    let mut shapes = [Shape::NONE; SHAPE_COUNT];
    let (mut count, mut size) = (0, MOST_CARDS as u32);
    while size > 0 {
        let mut at = 0;
        while at < KINDS.len() {
            let (mut length, most) = KINDS[at].lengths();
            while length <= most {
                let shape = Shape { kind: KINDS[at], length };
                if shape.size() == size {
                    shapes[count] = shape;
                    count += 1;
                }
                length += 1;
            }
            at += 1;
        }
        size -= 1;
    }
    assert!(count == SHAPE_COUNT);
    shapes
};

/// The shapes of at most `cards` cards.
#[inline]
pub(super) fn shapes_up_to(cards: u32) -> &'static [Shape] {
    static FIRST: [u8; MOST_CARDS + 1] = {
        let (mut first, mut cards) = ([0; MOST_CARDS + 1], 0);
        while cards <= MOST_CARDS {
            while (first[cards] as usize) < SHAPE_COUNT
                && SHAPES[first[cards] as usize].size() as usize > cards
            {
                first[cards] += 1;
            }
            cards += 1;
        }
        first
    };
    static ALL: [Shape; SHAPE_COUNT] = SHAPES;
    &ALL[usize::from(FIRST[(cards as usize).min(MOST_CARDS)])..]
}

/// A move in Dou Dizhu: cards as a kind, or a pass.
///
/// Cards that can be read as one kind in several ways count as the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Play {
    cards: Cards,
    kind: Kind,
    length: u8,
    rank: u8,
}

impl Play {
    /// No card: only in reply to a play.
    pub const PASS: Self = Self { cards: Cards::NONE, kind: Kind::Pass, length: 0, rank: 0 };

    #[inline]
    pub(super) fn new(cards: Cards, shape: Shape, rank: usize) -> Self {
        Self { cards, kind: shape.kind, length: shape.length, rank: rank as u8 }
    }

    /// A rocket with `length` of each joker.
    #[inline]
    pub(super) fn rocket(length: u8) -> Self {
        let shape = Shape { kind: Kind::Rocket, length };
        Self::new(Cards::run(SMALL_JOKER, 2, u64::from(length)), shape, SMALL_JOKER)
    }

    /// The cards, kickers included.
    #[inline]
    #[must_use]
    pub fn cards(self) -> Cards {
        self.cards
    }

    /// What the cards are played as.
    #[inline]
    #[must_use]
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// How long a chain is, in ranks; of a bomb the number of cards, of a rocket how many there
    /// are of each joker; 0 for a pass; else 1.
    #[inline]
    #[must_use]
    pub fn length(self) -> usize {
        usize::from(self.length)
    }

    /// The rank that counts, as an index of [`RANKS`](super::RANKS): that of a pair, a triple, a
    /// quad or a bomb, the lowest of a chain.
    #[inline]
    #[must_use]
    pub fn rank(self) -> usize {
        usize::from(self.rank)
    }

    #[inline]
    pub(super) fn shape(self) -> Shape {
        Shape { kind: self.kind, length: self.length }
    }

    /// Whether this can be played on `other`; anything but a pass can on a pass.
    #[inline]
    #[must_use]
    pub fn beats(self, other: Self) -> bool {
        match (self.kind, other.kind) {
            (Kind::Pass, _) => false,
            (_, Kind::Pass) => true,
            (_, Kind::Rocket) => false,
            (Kind::Rocket, _) => true,
            (Kind::Bomb, Kind::Bomb) => (self.length, self.rank) > (other.length, other.rank),
            (Kind::Bomb, _) => true,
            _ => self.shape() == other.shape() && self.rank > other.rank,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_CARDS, SHAPES, shapes_up_to};

    #[test]
    fn shapes_are_found_by_their_size() {
        assert!(SHAPES.is_sorted_by_key(|shape| MOST_CARDS as u32 - shape.size()));
        for cards in 0..=MOST_CARDS as u32 {
            let expected = SHAPES.iter().filter(|shape| shape.size() <= cards).count();
            assert_eq!(shapes_up_to(cards).len(), expected, "{cards}");
        }
        assert_eq!(shapes_up_to(1000).len(), SHAPES.len());
    }
}
