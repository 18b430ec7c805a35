//! The rules about kickers, on which the sources of the game differ.

use std::fmt;

/// Which kickers a play may carry: the cards beside the triples of a plane and beside a quad.
///
/// No kicker of a single triple or of a quad has its rank. What is said of pairs holds for the
/// pairs carried by a plane, too. The jokers are a small and a big one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Rules {
    /// Kickers are of different ranks, none of them of the chain, and not both jokers.
    Strict,
    /// As strict, but the two single cards of a quad may be a pair, or both jokers.
    #[default]
    Classic,
    /// Any cards: of one rank, of the ranks of the chain, both jokers; a quad may carry two pairs
    /// of one rank.
    Lenient,
    /// As classic, but a triple carries no pair, nor do those of a plane.
    NoThreePlusTwo,
    /// As classic, but a quad carries nothing.
    NoFourPlusTwo,
    /// As classic, without either: a triple carries one card or none, a quad none.
    Minimal,
}

impl Rules {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Strict,
        Self::Classic,
        Self::Lenient,
        Self::NoThreePlusTwo,
        Self::NoFourPlusTwo,
        Self::Minimal,
    ];

    /// The name in the text of a position.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Classic => "classic",
            Self::Lenient => "lenient",
            Self::NoThreePlusTwo => "no_3plus2",
            Self::NoFourPlusTwo => "no_4plus2",
            Self::Minimal => "minimal",
        }
    }

    /// The rules of this name, in upper or lower case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.name().eq_ignore_ascii_case(name))
    }

    /// Whether triples may carry pairs.
    #[inline]
    pub(super) fn three_plus_two(self) -> bool {
        !matches!(self, Self::NoThreePlusTwo | Self::Minimal)
    }

    /// Whether a quad may carry two cards or two pairs.
    #[inline]
    pub(super) fn four_plus_two(self) -> bool {
        !matches!(self, Self::NoFourPlusTwo | Self::Minimal)
    }

    /// Whether the kickers of a plane may be any cards.
    #[inline]
    pub(super) fn any_kickers(self) -> bool {
        self == Self::Lenient
    }

    /// Whether the two single cards of a quad may be a pair, and its kickers both jokers.
    #[inline]
    pub(super) fn free_quad_kickers(self) -> bool {
        self != Self::Strict
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
