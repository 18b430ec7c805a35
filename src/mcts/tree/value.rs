//! Scores inside the tree: fixed-point numbers and proven bounds, packed in one word.

use crate::game::Outcome;

/// A score of 1 in fixed point: scores are multiples of 2^-28, so a sum over 2^32 visits, more than
/// [any node has](crate::mcts::tree::halving), fits in 60 bits and every sum is exact.
pub(crate) const ONE: u32 = 1 << 28;

pub(crate) const SCORE_BITS: u32 = 29;
pub(crate) const SCORE_MASK: u32 = (1 << SCORE_BITS) - 1;

/// `score` in `[0, 1]` as fixed point.
#[inline]
pub(crate) fn to_fixed(score: f64) -> u32 {
    (score.clamp(0.0, 1.0) * f64::from(ONE) + 0.5) as u32
}

/// A fixed-point score as a number in `[0, 1]`.
#[inline]
pub(crate) fn to_score(fixed: u32) -> f64 {
    f64::from(fixed) / f64::from(ONE)
}

/// What a draw is worth to each player: half a point, unless one of them despises draws or
/// longs for them (contempt). Equal if it is worth the same to every player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DrawScores {
    /// The player with contempt; 0 if both of two have it or no player has.
    player: usize,
    /// In fixed point, for that player and for each of the others.
    own: u32,
    others: u32,
}

impl DrawScores {
    /// A draw counts `1/2 - contempt` for `player`, and `1/2 + contempt` for the other one of two
    /// players. With another number of players the others have half a point.
    pub(crate) fn new(players: usize, player: usize, contempt: f64) -> Self {
        let own = to_fixed(0.5 - contempt);
        match (players, player) {
            // Exactly what is left of a point: the two points of view must agree.
            (2, 0) => Self { player, own, others: ONE - own },
            (2, _) => Self { player: 0, own: ONE - own, others: own },
            _ if own == ONE / 2 => Self { player: 0, own, others: own },
            _ => Self { player, own, others: ONE / 2 },
        }
    }

    /// A draw for each player, in `[0, 1]`: exact numbers, so that other draws have other ones.
    pub(crate) fn scores(self, players: usize) -> Vec<f64> {
        (0..players).map(|player| to_score(self.draw(player))).collect()
    }

    /// A draw for `player`, in fixed point.
    #[inline]
    pub(crate) fn draw(self, player: usize) -> u32 {
        if player == self.player { self.own } else { self.others }
    }

    /// The score of a finished game for `player`, in fixed point.
    #[inline]
    pub(crate) fn fixed(self, outcome: &Outcome, player: usize) -> u32 {
        match outcome {
            Outcome::Win(winner) => {
                if *winner == player {
                    ONE
                } else {
                    0
                }
            }
            Outcome::Draw => self.draw(player),
            Outcome::Scores(_) | Outcome::Failed => to_fixed(self.score(outcome, player)),
        }
    }

    /// The score of a finished game for `player`, in `[0, 1]`.
    #[inline]
    pub(crate) fn score(self, outcome: &Outcome, player: usize) -> f64 {
        let score = outcome.score(player);
        if score == 0.5 { to_score(self.draw(player)) } else { score }
    }
}

/// What is proven about a score: a lower and an upper limit, each a loss, a draw or a win
/// (score-bounded search, Cazenave and Saffidine 2010).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
pub(crate) enum Bounds {
    /// Nothing: between a loss and a win.
    #[default]
    Open = 0,
    AtLeastDraw = 1,
    AtMostDraw = 2,
    Loss = 3,
    Draw = 4,
    Win = 5,
}

impl Bounds {
    pub(crate) const ALL: [Bounds; 6] = [
        Bounds::Open,
        Bounds::AtLeastDraw,
        Bounds::AtMostDraw,
        Bounds::Loss,
        Bounds::Draw,
        Bounds::Win,
    ];

    /// The bounds with these limits in half points (0 loss, 1 draw, 2 win), `low <= high`.
    #[inline]
    pub(crate) fn new(low: u8, high: u8) -> Self {
        match (low, high) {
            (0, 0) => Bounds::Loss,
            (0, 1) => Bounds::AtMostDraw,
            (1, 1) => Bounds::Draw,
            (1, 2) => Bounds::AtLeastDraw,
            (2, 2) => Bounds::Win,
            _ => Bounds::Open,
        }
    }

    /// The bounds of a finished game with this score, if it is a win, a draw or a loss.
    #[inline]
    pub(crate) fn of_score(score: f64) -> Self {
        if score == 1.0 {
            Bounds::Win
        } else if score == 0.0 {
            Bounds::Loss
        } else if score == 0.5 {
            Bounds::Draw
        } else {
            Bounds::Open
        }
    }

    /// The lower limit in half points.
    #[inline]
    pub(crate) fn low(self) -> u8 {
        [0, 1, 0, 0, 1, 2][self as usize]
    }

    /// The upper limit in half points.
    #[inline]
    pub(crate) fn high(self) -> u8 {
        [2, 2, 1, 0, 1, 2][self as usize]
    }

    /// The same bounds seen by the other one of two players.
    #[inline]
    pub(crate) fn flip(self) -> Self {
        Self::new(2 - self.high(), 2 - self.low())
    }

    /// What both say together.
    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        Self::new(self.low().max(other.low()), self.high().min(other.high()))
    }

    /// Whether the limits meet: the value is proven.
    #[inline]
    pub(crate) fn is_exact(self) -> bool {
        self as u8 >= Bounds::Loss as u8
    }

    /// The values of branches that cannot be better than what a node with these bounds has for
    /// sure, and the exact ones: nothing is to be found out there.
    #[inline]
    pub(crate) fn no_better(self) -> Limit {
        let first = match self.low() {
            0 => Bounds::Loss,
            1 => Bounds::AtMostDraw,
            _ => Bounds::Open,
        };
        Limit(first as u32)
    }

    /// `score` in fixed point, moved inside the limits. `draw` is what a draw is worth to
    /// whose score it is.
    #[inline]
    pub(crate) fn clamp(self, score: u32, draw: u32) -> u32 {
        if self == Bounds::Open {
            return score.min(ONE);
        }
        let points = [0, draw, ONE];
        score.clamp(points[usize::from(self.low())], points[usize::from(self.high())])
    }
}

/// A limit to what is proven of values: it is met by the bounds from some on, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit(u32);

impl Limit {
    /// Met by no value.
    pub(crate) const NOTHING: Self = Self(6);

    /// Whether a value meets the limit.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    pub(crate) fn is_met_by(self, value: Value) -> bool {
        value.0 >> SCORE_BITS >= self.0
    }

    /// The first code of bounds that meets the limit.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn code(self) -> u32 {
        self.0
    }
}

/// A mean score and what is proven about it, in one word that can be read without tearing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Value(u32);

impl Value {
    #[inline]
    pub(crate) fn new(score: u32, bounds: Bounds) -> Self {
        debug_assert!(score <= ONE);
        Self(score | (bounds as u32) << SCORE_BITS)
    }

    /// A score as far as the bounds allow it: it is moved inside them. `draw` is what a draw is
    /// worth to whose score it is.
    #[inline]
    pub(crate) fn within(bounds: Bounds, score: u32, draw: u32) -> Self {
        Self::new(bounds.clamp(score, draw), bounds)
    }

    #[inline]
    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// The mean score in fixed point.
    #[inline]
    pub(crate) fn score(self) -> u32 {
        self.0 & SCORE_MASK
    }

    #[inline]
    pub(crate) fn bounds(self) -> Bounds {
        // Codes 6 and 7 are never written; reading them as open is harmless.
        Bounds::ALL.get((self.0 >> SCORE_BITS) as usize).copied().unwrap_or_default()
    }

    /// Whether nothing is proven.
    #[inline]
    pub(crate) fn is_open(self) -> bool {
        self.0 <= SCORE_MASK
    }

    /// Whether the limits meet. One compare: exact codes are the highest.
    #[inline]
    pub(crate) fn is_exact(self) -> bool {
        self.0 >= (Bounds::Loss as u32) << SCORE_BITS
    }

    /// The same value seen by the other one of two players.
    #[inline]
    pub(crate) fn flip(self) -> Self {
        let score = ONE - self.score();
        // Mostly nothing is proven.
        if self.is_open() { Self(score) } else { Self::new(score, self.bounds().flip()) }
    }

    /// The value of a position for its `mover`, as `viewer` sees it in a game of one or two
    /// players. With more players it says nothing about the others, and stays as it is.
    #[inline]
    pub(crate) fn seen_by(self, players: usize, mover: usize, viewer: usize) -> Self {
        if players == 2 && mover != viewer { self.flip() } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, DrawScores, ONE, Value, to_fixed, to_score};
    use crate::game::Outcome;

    #[test]
    fn bounds_keep_their_limits_through_every_form() {
        for bounds in Bounds::ALL {
            assert_eq!(Bounds::new(bounds.low(), bounds.high()), bounds);
            assert_eq!(bounds.flip().flip(), bounds);
            assert_eq!(bounds.is_exact(), bounds.low() == bounds.high());
            let value = Value::new(ONE / 3, bounds);
            assert_eq!((value.score(), value.bounds()), (ONE / 3, bounds));
            assert_eq!(value.is_exact(), bounds.is_exact());
            assert_eq!(value.flip().bounds(), bounds.flip());
            assert_eq!(Value::from_bits(value.bits()), value);
        }
    }

    #[test]
    fn whole_and_half_points_are_exact() {
        for score in [0.0, 0.5, 1.0] {
            assert_eq!(to_score(to_fixed(score)), score);
        }
        assert_eq!(Bounds::AtMostDraw.clamp(ONE, ONE / 2), ONE / 2);
        assert_eq!(Bounds::AtLeastDraw.clamp(0, ONE / 3), ONE / 3);
    }

    #[test]
    fn a_draw_is_worth_a_point_to_both_together() {
        for contempt in [-0.5, -0.1, 0.0, 1.0 / 3.0, 0.5] {
            let draws = DrawScores::new(2, 1, contempt);
            assert_eq!(draws.draw(0) + draws.draw(1), ONE);
            assert!((to_score(draws.draw(1)) - (0.5 - contempt)).abs() < 1e-8);
            assert_eq!(to_fixed(draws.score(&Outcome::Draw, 0)), draws.draw(0));
            assert_eq!(draws.score(&Outcome::Win(1), 1), 1.0);
            assert_eq!(DrawScores::new(3, 1, contempt).draw(2), ONE / 2);
        }
    }

    #[test]
    fn draws_are_known_by_their_worth_to_each_player() {
        for players in 1..=4 {
            let contempts = [(0, 0.0), (0, 0.5), (0, -0.1), (1, -0.5), (1, 1e-12)];
            let draws = contempts
                .map(|(player, contempt)| DrawScores::new(players, player % players, contempt));
            for one in draws {
                for other in draws {
                    assert_eq!(one.scores(players) == other.scores(players), one == other);
                }
            }
        }
        assert_eq!(DrawScores::new(2, 1, 0.2), DrawScores::new(2, 0, -0.2));
        assert_eq!(DrawScores::new(3, 1, 0.0), DrawScores::new(3, 0, 0.0));
        assert_ne!(DrawScores::new(3, 1, 0.2), DrawScores::new(3, 0, 0.2));
        assert_eq!(DrawScores::new(3, 1, 0.25).scores(3), [0.5, 0.25, 0.5]);
    }
}
