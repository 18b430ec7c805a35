//! Endgames of Dou Dizhu, "fighting the landlord": two players, open hands.

mod cards;
mod generate;
mod play;
mod rules;
mod solving;
mod text;

use std::fmt;

use crate::game::{GameState, Notation, NotationError, Outcome};
use crate::games::reference::{GameInfo, ReferenceGame, assert_sizes};
use crate::rng::Rng;

use cards::check_decks;
use play::Shape;

pub use cards::{Cards, MAX_OF_JOKER, MAX_OF_RANK, RANKS};
pub use generate::leads;
pub use play::{Kind, Play};
pub use rules::Rules;

/// The most cards in a hand: what a landlord with two decks picks up, 25 and the 8 left over.
pub const MAX_HAND: u32 = 33;

/// A Dou Dizhu endgame: two players who see each other's cards; who has none left wins.
///
/// A move puts cards on the table that beat the last play, or passes; after a pass the other side
/// leads, which means that it may play what it likes but must not pass. A play beats one of the
/// same [`Kind`] and length that is lower in rank; bombs and rockets beat other kinds too. With
/// two decks a bomb has up to eight cards, and more cards beat fewer; a rocket is a small and a big
/// joker or two of each; two jokers of a size are a pair. Sources differ on what may go with a
/// plane or a quad: see [`Rules`].
///
/// # Text
/// The two hands with a slash between them, like `KK5543/225543`, cards as in [`RANKS`]; then a
/// slash and the play to be beaten, if there is one; then a blank and a `2` if the second player
/// is to move. The name of the rules may stand in front, like `strict 3333TJ/4`; without one they
/// are `classic`. A parsed position counts 0 plies, or 1 if the second player is to move.
///
/// A move is its cards or `pass`. Where the same cards are two kinds of play, a suffix tells which:
/// `:w0`, `:w1`, `:w2` a plane with nothing, single cards or pairs, `:+1+1` and `:+2+2` a quad with
/// two cards or pairs, `:!` a bomb, `:!!` a rocket. Only the [lenient](Rules::Lenient) rules need
/// one: `44443333:w1` is 333, 444 and two cards, `44443333:+2+2` is 4444 and two pairs.
///
/// # Examples
/// ```
/// use playtree::games::Doudizhu;
/// use playtree::{GameState, Notation, Outcome};
///
/// let position = Doudizhu::parse_position("9874/65/3")?;
/// let beaten = position.apply(&position.parse_move("4")?);
/// assert_eq!(beaten.position_text(), "987/65/4 2");
/// let led = beaten.apply(&beaten.parse_move("5")?).apply(&beaten.parse_move("pass")?);
/// assert_eq!(led.apply(&led.parse_move("6")?).outcome(), Some(Outcome::Win(1)));
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Doudizhu {
    hands: [Cards; 2],
    /// The cards of the play to be beaten.
    last: Cards,
    /// Its shape, [`Shape::NONE`] if there is nothing to beat.
    shape: Shape,
    /// Its rank.
    rank: u8,
    rules: Rules,
    plies: u16,
}

impl Doudizhu {
    /// These hands, the first player to lead.
    ///
    /// # Errors
    /// If a hand has more than [`MAX_HAND`] cards, both have none, or there are more than two decks
    /// have: [`MAX_OF_RANK`] of a rank and [`MAX_OF_JOKER`] of a joker.
    pub fn new(first: Cards, second: Cards, rules: Rules) -> Result<Self, NotationError> {
        Self::at(first, second, Play::PASS, rules, 0)
    }

    /// Hands of `first` and `second` cards, dealt at random from one deck, the first player to
    /// lead.
    ///
    /// # Errors
    /// If these are more cards than a deck has, both hands are empty, or one has more than
    /// [`MAX_HAND`].
    pub fn deal(
        rng: &mut Rng,
        first: u32,
        second: u32,
        rules: Rules,
    ) -> Result<Self, NotationError> {
        let mut deck = cards::deck();
        let (size, dealt) = (deck.total(), first.saturating_add(second));
        if dealt > size {
            return Err(NotationError::new(format!("at most the {size} cards of a deck"), dealt));
        }
        let mut hand = |cards| {
            let mut hand = Cards::NONE;
            for _ in 0..cards {
                hand = hand.and(deck.draw(rng));
            }
            hand
        };
        Self::new(hand(first), hand(second), rules)
    }

    /// A position with `last` to be beaten.
    fn at(
        first: Cards,
        second: Cards,
        last: Play,
        rules: Rules,
        plies: u16,
    ) -> Result<Self, NotationError> {
        if first.is_empty() && second.is_empty() {
            return Err(NotationError::new("a hand with a card in it", "two empty hands"));
        }
        for hand in [first, second] {
            if hand.total() > MAX_HAND {
                let expected = format!("at most {MAX_HAND} cards in a hand");
                return Err(NotationError::new(expected, hand.total()));
            }
        }
        check_decks(&std::array::from_fn(|rank| {
            [first, second, last.cards()].iter().map(|cards| cards.of(rank)).sum()
        }))?;
        let mut position = Self {
            hands: [first, second],
            last: Cards::NONE,
            shape: Shape::NONE,
            rank: 0,
            rules,
            plies,
        };
        if !first.is_empty() && !second.is_empty() {
            position.put(last);
        }
        Ok(position)
    }

    /// The first player's cards and the second's.
    #[must_use]
    pub fn hands(&self) -> [Cards; 2] {
        self.hands
    }

    /// The play to be beaten; [`Play::PASS`] if the side to move leads.
    #[inline]
    #[must_use]
    pub fn last(&self) -> Play {
        Play::new(self.last, self.shape, usize::from(self.rank))
    }

    /// The rules about kickers.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    #[inline]
    fn put(&mut self, play: Play) {
        (self.last, self.shape, self.rank) = (play.cards(), play.shape(), play.rank() as u8);
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.hands.iter().any(|hand| hand.is_empty())
    }
}

impl Default for Doudizhu {
    /// `KK5543/225543`, an endgame published with the solver `WZ403809264/doudizhu_solver` on
    /// GitHub: the first player wins.
    fn default() -> Self {
        Self {
            hands: [Cards(0x0000_0200_0000_0211), Cards(0x0002_0000_0000_0211)],
            last: Cards::NONE,
            shape: Shape::NONE,
            rank: 0,
            rules: Rules::Classic,
            plies: 0,
        }
    }
}

/// The hand in the low 56 bits: there are at most two of a joker, so that two bits do for each.
#[inline]
fn folded(hand: Cards) -> u64 {
    const SMALL_JOKERS_END: u32 = 54;
    let big_jokers = u64::from(hand.of(cards::BIG_JOKER));
    hand.0 & !(!0 << SMALL_JOKERS_END) | big_jokers << SMALL_JOKERS_END
}

impl GameState for Doudizhu {
    type Key = [u64; 2];
    type Move = Play;

    /// The hands, and above them the kind, the length and the rank to be beaten, the side to move
    /// and the rules. The kickers of the last play do not matter any more.
    #[inline]
    fn key(&self) -> [u64; 2] {
        let shape = self.shape.kind as u64 | u64::from(self.shape.length) << 4;
        let about = u64::from(self.rank) | (self.mover() as u64) << 4 | (self.rules as u64) << 5;
        [folded(self.hands[0]) | shape << 56, folded(self.hands[1]) | about << 56]
    }

    #[inline]
    fn mover(&self) -> usize {
        usize::from(self.plies & 1)
    }

    #[inline]
    fn plies(&self) -> u32 {
        u32::from(self.plies)
    }

    /// Nothing comes again.
    #[inline]
    fn reversible_plies(&self) -> u32 {
        0
    }

    /// The plays of most cards first, the pass last.
    #[inline]
    fn moves(&self, moves: &mut Vec<Play>) {
        if self.is_over() {
            return;
        }
        generate::replies(self.hands[self.mover()], self.last(), self.rules, moves);
        if self.shape != Shape::NONE {
            moves.push(Play::PASS);
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.hands.iter().position(|hand| hand.is_empty()).map(Outcome::Win)
    }

    #[inline]
    fn apply(&self, mv: &Play) -> Self {
        let mut next = *self;
        next.apply_in_place(mv);
        next
    }

    #[inline]
    fn apply_in_place(&mut self, mv: &Play) {
        let hand = &mut self.hands[usize::from(self.plies & 1)];
        hand.0 = hand.0.wrapping_sub(mv.cards().0);
        // At the end there is nothing to beat.
        let over = hand.is_empty();
        self.put(if over { Play::PASS } else { *mv });
        self.plies = self.plies.wrapping_add(1);
    }
}

impl ReferenceGame for Doudizhu {
    const INFO: GameInfo = GameInfo {
        name: "doudizhu",
        rules: "Endgames with open hands for two: cards that beat the last play, or pass; after a \
                pass the other side plays what it likes; who has no cards left wins. Kickers \
                strict, classic, lenient, no_3plus2, no_4plus2 or minimal.",
        start: "KK5543/225543",
        board: None,
        position_help: "the name of the rules if not classic, the two hands (3456789TJQKA2, B and \
                        R the jokers, at most as in two decks: 8 of a rank and 2 of a joker) and \
                        the play to be beaten, with slashes between them, like KK54/225543/3; \
                        then, if the second player is to move, a blank and a 2",
        move_help: "the cards, like 55 or JJJ4, or pass; 44443333:w1 or 44443333:+2+2 where the \
                    same cards are several plays",
    };
}

const _: () = assert_sizes::<Doudizhu>(32, 16);

impl fmt::Debug for Doudizhu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Doudizhu({:?})", self.position_text())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Doudizhu;
    use crate::game::{GameState, Notation};

    fn position(text: &str) -> Doudizhu {
        Doudizhu::parse_position(text).unwrap()
    }

    #[test]
    fn the_default_is_its_text() {
        let start = Doudizhu::default();
        assert_eq!(start.position_text(), "KK5543/225543");
        assert_eq!(Doudizhu::new(start.hands[0], start.hands[1], start.rules), Ok(start));
    }

    #[test]
    fn keys_tell_what_matters_for_the_rest_of_the_game() {
        let texts = [
            "3456/789T",
            "3456/789T 2",
            "strict 3456/789T",
            "minimal 3456/789T",
            "3456/789T/J",
            "3456/789T/Q",
            "3456/789T/JJ",
            "3456/789T/JJJ",
            "3456/789T/JJJA",
            "3456/789T/JJJAA",
            "3456/789T/JJJJ",
            "3456/789T/JJJJJ",
            "3456/789T/JJJJJJJJ",
            "3456/789T/45678",
            "3456/789T/456789",
            "3456/789T/BR",
            "3456/789T/BBRR",
            "R/B",
            "B/R",
            "RR/BB",
            "BB/RR",
            "RB/RB",
            "RRB/B",
            "BBR/R",
            "2/B",
        ];
        let keys: HashSet<[u64; 2]> = texts.iter().map(|text| position(text).key()).collect();
        assert_eq!(keys.len(), texts.len());
    }

    #[test]
    fn keys_leave_out_the_kickers() {
        let [one, other, pair] =
            ["3456/789T/JJJA", "3456/789T/JJJK", "3456/789T/JJJKK"].map(position);
        assert_eq!(one.key(), other.key());
        assert_ne!(one.key(), pair.key());
    }
}
