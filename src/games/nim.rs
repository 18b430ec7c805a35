//! Nim, in the normal and in the misère form.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{GameState, Notation, NotationError, Outcome, RolloutPolicy};
use crate::games::reference::{GameInfo, ReferenceGame, assert_sizes};
use crate::rng::Rng;
use crate::solvable::Solvable;

/// The most piles.
pub const MAX_PILES: usize = 8;
/// The largest pile.
pub const MAX_PILE: u8 = 127;

/// Nim where who takes the last object wins.
pub type NormalNim = Nim<false>;
/// Nim where who takes the last object loses.
pub type MisereNim = Nim<true>;

/// A Nim position: up to [`MAX_PILES`] piles of up to [`MAX_PILE`]; a move takes any
/// number from one pile.
///
/// Who takes the last object wins, or loses if `MISERE`.
///
/// # Text
/// A position is the sizes of the piles, like `1,3,5,7` (the default), then, if it is not
/// the first player's turn, a blank and a `2`. A move is the pile's number from 1, a
/// hyphen, and how many to take: `2-4`. A parsed position counts 0 plies, or 1 if it is
/// the second player's turn.
///
/// # Examples
/// ```
/// use playtree::games::NormalNim;
/// use playtree::{GameState, Notation, Outcome};
///
/// let position = NormalNim::parse_position("0,4")?;
/// let end = position.apply(&position.parse_move("2-4")?);
/// assert_eq!(end.outcome(), Some(Outcome::Win(0)));
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Nim<const MISERE: bool> {
    /// Pile `i` is byte `i`.
    piles: u64,
    plies: u16,
    /// How many piles there were, empty ones included.
    count: u8,
}

/// A move in Nim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Take {
    /// The pile, from 0.
    pub pile: u8,
    /// How many objects.
    pub take: u8,
}

impl<const MISERE: bool> Nim<MISERE> {
    /// These piles, the first player to move.
    ///
    /// # Errors
    /// If there is no pile, more than [`MAX_PILES`], or one above [`MAX_PILE`].
    pub fn new(piles: &[u8]) -> Result<Self, NotationError> {
        if piles.is_empty() || piles.len() > MAX_PILES {
            let expected = format!("1 to {MAX_PILES} piles");
            return Err(NotationError::new(expected, format!("{} piles", piles.len())));
        }
        let mut bytes = [0; MAX_PILES];
        for (at, &pile) in piles.iter().enumerate() {
            if pile > MAX_PILE {
                let expected = format!("at most {MAX_PILE} in a pile");
                return Err(NotationError::new(expected, format!("{pile} in pile {}", at + 1)));
            }
            bytes[at] = pile;
        }
        Ok(Self { piles: u64::from_le_bytes(bytes), plies: 0, count: piles.len() as u8 })
    }

    /// The piles, empty ones included.
    pub fn piles(&self) -> impl Iterator<Item = u8> {
        self.piles.to_le_bytes().into_iter().take(usize::from(self.count))
    }

    /// All objects together.
    #[inline]
    fn total(piles: u64) -> usize {
        // Two piles fit in nine bits: add them pairwise in 16 bits, then all at once.
        const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
        let pairs = (piles & EVEN) + (piles >> 8 & EVEN);
        (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize
    }

    /// The `k`-th move, counted pile by pile: the pile's shift, and how many to take.
    #[inline]
    fn kth(piles: u64, mut k: usize) -> (u32, u64) {
        let mut shift = 0;
        loop {
            let pile = (piles >> shift & 0xff) as usize;
            if k < pile || shift == 56 {
                return (shift, k as u64 + 1);
            }
            k -= pile;
            shift += 8;
        }
    }

    /// The result once `next` finds nothing to take.
    #[inline]
    fn ended(next: usize) -> Outcome {
        Outcome::Win(if MISERE { next } else { 1 - next })
    }
}

impl<const MISERE: bool> Default for Nim<MISERE> {
    /// Piles of 1, 3, 5 and 7.
    fn default() -> Self {
        Self { piles: 0x0705_0301, plies: 0, count: 4 }
    }
}

impl<const MISERE: bool> GameState for Nim<MISERE> {
    type Key = u64;
    type Move = Take;

    /// The piles, and the side to move in the top bit, which no pile reaches.
    #[inline]
    fn key(&self) -> u64 {
        self.piles | u64::from(self.plies) << 63
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

    #[inline]
    fn moves(&self, moves: &mut Vec<Take>) {
        for (pile, size) in (0..).zip(self.piles()) {
            moves.extend((1..=size).map(|take| Take { pile, take }));
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.piles == 0).then(|| Self::ended(self.mover()))
    }

    #[inline]
    fn apply(&self, mv: &Take) -> Self {
        let taken = u64::from(mv.take) << (8 * (mv.pile & 7));
        Self { piles: self.piles.wrapping_sub(taken), plies: self.plies.wrapping_add(1), ..*self }
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        NimRollouts
    }
}

/// How a search plays the game out.
struct NimRollouts;

impl<const MISERE: bool> RolloutPolicy<Nim<MISERE>> for NimRollouts {
    #[inline]
    fn next_move(&self, state: &Nim<MISERE>, rng: &mut Rng, _: &mut Vec<Take>) -> Option<Take> {
        if state.piles == 0 {
            return None;
        }
        let (shift, take) =
            Nim::<MISERE>::kth(state.piles, rng.below(Nim::<MISERE>::total(state.piles)));
        Some(Take { pile: (shift / 8) as u8, take: take as u8 })
    }

    #[inline]
    fn play(&self, state: &Nim<MISERE>, rng: &mut Rng) -> Option<Outcome> {
        let (mut piles, mut left) = (state.piles, Nim::<MISERE>::total(state.piles));
        let mut mover = state.mover();
        while left != 0 {
            let (shift, take) = Nim::<MISERE>::kth(piles, rng.below(left));
            piles -= take << shift;
            left -= take as usize;
            mover ^= 1;
        }
        Some(Nim::<MISERE>::ended(mover))
    }
}

impl<const MISERE: bool> Solvable for Nim<MISERE> {}

impl<const MISERE: bool> Notation for Nim<MISERE> {
    fn position_text(&self) -> String {
        let piles: Vec<String> = self.piles().map(|pile| pile.to_string()).collect();
        piles.join(",") + ["", " 2"][self.mover()]
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let mut piles = Vec::new();
        let text = text.trim();
        let (sizes, side) = match text.rsplit_once(char::is_whitespace) {
            Some((sizes, side)) if !sizes.trim_end().ends_with(',') && !side.contains(',') => {
                (sizes, side)
            }
            _ => (text, "1"),
        };
        for (at, pile) in sizes.split(',').map(str::trim).enumerate() {
            match pile.parse::<u8>() {
                Ok(size) if size <= MAX_PILE => piles.push(size),
                _ => {
                    return Err(NotationError::new(
                        format!("a number of objects, 0 to {MAX_PILE}"),
                        format!("'{pile}' for pile {}", at + 1),
                    ));
                }
            }
        }
        let plies = match side {
            "1" => 0,
            "2" => 1,
            _ => {
                let expected = "the side to move, 1 or 2, after the piles";
                return Err(NotationError::new(expected, format!("'{side}'")));
            }
        };
        Ok(Self { plies, ..Self::new(&piles)? })
    }

    fn move_text(&self, mv: &Take) -> String {
        format!("{}-{}", usize::from(mv.pile) + 1, mv.take)
    }

    fn parse_move(&self, text: &str) -> Result<Take, NotationError> {
        let text = text.trim();
        let numbers = text.split_once('-').and_then(|(pile, take)| {
            Some((pile.trim().parse::<usize>().ok()?, take.trim().parse::<u8>().ok()?))
        });
        let Some((pile, take)) = numbers else {
            let expected = "a pile and how many to take, like '2-4'";
            return Err(NotationError::new(expected, format!("'{text}'")));
        };
        let Some(size) = pile.checked_sub(1).and_then(|index| self.piles().nth(index)) else {
            let expected = format!("a pile, 1 to {}", self.count);
            return Err(NotationError::new(expected, format!("pile {pile}")));
        };
        if !(1..=size).contains(&take) {
            let expected = match size {
                0 => format!("a pile with objects left, and pile {pile} has none"),
                _ => format!("to take 1 to {size} from pile {pile}"),
            };
            return Err(NotationError::new(expected, format!("'{text}'")));
        }
        Ok(Take { pile: (pile - 1) as u8, take })
    }

    fn board_text(&self) -> String {
        let piles = (1..).zip(self.piles());
        let lines = piles.map(|(pile, size)| {
            format!("{pile}: {} {size}", "|".repeat(usize::from(size))).replace(":  ", ": ")
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl<const MISERE: bool> ReferenceGame for Nim<MISERE> {
    const INFO: GameInfo = GameInfo {
        name: if MISERE { "nim-misere" } else { "nim" },
        rules: if MISERE {
            "A move takes any number from one pile; who takes the last loses."
        } else {
            "A move takes any number from one pile; who takes the last wins."
        },
        start: "1,3,5,7",
        board: None,
        position_help: "up to 8 piles of up to 127, like 1,3,5,7; then, if the second player \
                        is to move, a blank and a 2",
        move_help: "the pile and how many to take, like 2-4",
    };
}

const _: () = assert_sizes::<NormalNim>(16, 8);

impl<const MISERE: bool> fmt::Debug for Nim<MISERE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if MISERE { "MisereNim" } else { "NormalNim" };
        write!(f, "{name}({:?})", self.position_text())
    }
}

#[cfg(test)]
mod tests {
    use super::{MisereNim, Nim, NormalNim, Take};
    use crate::game::{GameState, Notation, Outcome};

    #[test]
    fn the_last_object_wins_or_loses() {
        let last = Take { pile: 0, take: 1 };
        assert_eq!(NormalNim::new(&[1]).unwrap().apply(&last).outcome(), Some(Outcome::Win(0)));
        assert_eq!(MisereNim::new(&[1]).unwrap().apply(&last).outcome(), Some(Outcome::Win(1)));
    }

    #[test]
    fn the_total_holds_the_largest_piles() {
        assert_eq!(Nim::<true>::total(NormalNim::new(&[127; 8]).unwrap().piles), 8 * 127);
    }

    #[test]
    fn text_keeps_the_side_to_move() {
        for text in ["1,3,5,7", "0,0", "127,1 2"] {
            assert_eq!(NormalNim::parse_position(text).unwrap().position_text(), text);
        }
        let spaced = NormalNim::parse_position(" 1, 3 ,5, 7 ").unwrap();
        assert_eq!(spaced, NormalNim::default());
    }

    #[test]
    fn errors_say_where() {
        let text = |text: &str| NormalNim::parse_position(text).unwrap_err().to_string();
        assert_eq!(text("1,x"), "expected a number of objects, 0 to 127, found 'x' for pile 2");
        assert_eq!(text("128"), "expected a number of objects, 0 to 127, found '128' for pile 1");
        assert_eq!(text("1,1,1,1,1,1,1,1,1"), "expected 1 to 8 piles, found 9 piles");
        assert_eq!(text("1 3"), "expected the side to move, 1 or 2, after the piles, found '3'");
        let start = NormalNim::default();
        let text = |text: &str| start.parse_move(text).unwrap_err().to_string();
        assert_eq!(text("2-4"), "expected to take 1 to 3 from pile 2, found '2-4'");
        assert_eq!(text("5-1"), "expected a pile, 1 to 4, found pile 5");
        assert!(text("21").ends_with("found '21'"));
    }
}
