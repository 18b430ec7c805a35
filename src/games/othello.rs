//! Othello (Reversi) on eight by eight, and on smaller boards; a pass is a move.

mod ending;
mod evaluation;
mod lines;
mod rollouts;
mod solving;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::evaluate::Evaluate;
use crate::game::{
    GameState, MoveCodes, MoveCoding, Notation, NotationError, Outcome, RolloutPolicy,
};
use crate::games::bits::ones;
use crate::games::othello::lines::{flips, mobility};
use crate::games::reference::{GameInfo, GameVisitor, ReferenceGame, assert_sizes};
use crate::games::text::legal_move;
use crate::proven::Proven;
use crate::save::GameTag;

pub use evaluation::OthelloEvaluation;

/// The number that stands for a pass among the squares 0 to 63.
const PASS: u8 = 64;

/// Othello as it is played, on eight by eight.
pub type Othello = OthelloBoard<8>;

/// An Othello position on `SIZE` by `SIZE` squares, 4, 6 or 8: Black (`X`, the first player)
/// begins.
///
/// A side that cannot turn a disc over must pass, which is a move and a ply; a side that can must
/// not pass. The game ends when neither side can move, and more discs win. The square in column `c`
/// (`a` is 0) and row `r` is bit `8 r + c`, whatever the size.
///
/// # Text
/// A position is a character `X`, `O`, `-` for each square, row by row from a1 (on eight by eight
/// 64: a1, b1, ... h1, a2, ...), a blank, and the side to move. A move is a square like `d3`, or
/// `pass`.
/// The text does not tell how many passes there were: a parsed position counts its discs
/// without the first four as plies. On a full board the side to move does not matter
/// and is always `X`.
///
/// # Examples
/// ```
/// use playtree::games::Othello;
/// use playtree::{GameState, Notation};
///
/// let start = Othello::new();
/// let position = start.apply(&start.parse_move("d3")?);
/// assert_eq!(
///     position.position_text(),
///     "-------------------X-------XX------XO--------------------------- O"
/// );
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct OthelloBoard<const SIZE: usize> {
    /// Discs of the side to move; on smaller boards too, square `8 r + c` is bit `8 r + c`.
    own: u64,
    /// Discs of the other side.
    other: u64,
    /// Squares where the side to move can place a disc; kept because the end of the game
    /// and the moves both follow from it.
    legal: u64,
    plies: u8,
    mover: u8,
    /// Neither side can move.
    over: bool,
}

/// A move in Othello: a disc on a square, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Placement(u8);

impl Placement {
    /// The pass.
    pub const PASS: Self = Self(PASS);

    /// A disc on the square in `column` and `row`, both 0 to 7 from a1; `None` beyond.
    #[must_use]
    pub fn new(column: usize, row: usize) -> Option<Self> {
        (column < 8 && row < 8).then_some(Self((8 * row + column) as u8))
    }

    /// The square as `8 * row + column`; `None` for a pass.
    #[must_use]
    pub fn square(self) -> Option<usize> {
        (self.0 < PASS).then_some(usize::from(self.0))
    }
}

impl<const SIZE: usize> OthelloBoard<SIZE> {
    /// The squares of the board.
    const BOARD: u64 = board(SIZE);

    /// How many they are.
    const SQUARES: usize = SIZE * SIZE;

    /// The four discs in the middle, Black to move.
    #[must_use]
    pub fn new() -> Self {
        let middle = 9 * (SIZE / 2);
        Self::position(1 << (middle - 1) | 1 << (middle - 8), 1 << middle | 1 << (middle - 9), 0, 0)
    }

    /// The discs of Black and of White.
    #[must_use]
    pub fn discs(&self) -> [u64; 2] {
        if self.mover == 0 { [self.own, self.other] } else { [self.other, self.own] }
    }

    #[inline]
    fn position(own: u64, other: u64, mover: u8, plies: u8) -> Self {
        let legal = Self::legal(own, other);
        let mut position = Self { own, other, legal, plies, mover, over: false };
        if legal == 0 {
            position.over = Self::legal(other, own) == 0;
            // The key of a full board has no room for the side to move: see `key`.
            if own | other == Self::BOARD && mover == 1 {
                position = Self { own: other, other: own, mover: 0, ..position };
            }
        }
        position
    }

    /// The squares where `own` can place a disc.
    #[inline]
    fn legal(own: u64, other: u64) -> u64 {
        mobility(own, other) & Self::BOARD
    }

    /// The bits of the squares, row by row.
    fn squares() -> impl Iterator<Item = usize> {
        (0..Self::SQUARES).map(|at| 8 * (at / SIZE) + at % SIZE)
    }
}

/// The squares of a board of this size.
const fn board(size: usize) -> u64 {
    assert!(matches!(size, 4 | 6 | 8), "Othello is played on 4x4, 6x6 and 8x8 here");
    let (mut squares, mut row) = (0, 0);
    while row < size {
        squares |= (0xff >> (8 - size)) << (8 * row);
        row += 1;
    }
    squares
}

/// The size of the board that a text describes, by the number of its squares.
///
/// # Errors
/// If it is not one of 4, 6 and 8.
pub fn size_of_text(text: &str) -> Result<usize, NotationError> {
    let squares = text.split_whitespace().next().unwrap_or("").chars().count();
    match squares {
        16 => Ok(4),
        36 => Ok(6),
        64 => Ok(8),
        _ => {
            let expected = "64 squares 'X', 'O' or '-', or 36 or 16 of a smaller board";
            Err(NotationError::new(expected, format!("{squares} squares")))
        }
    }
}

impl<const SIZE: usize> Default for OthelloBoard<SIZE> {
    fn default() -> Self {
        Self::new()
    }
}

/// The result for `player` who holds `own`.
#[inline]
fn count(own: u64, other: u64, player: usize) -> Outcome {
    match own.count_ones().cmp(&other.count_ones()) {
        std::cmp::Ordering::Greater => Outcome::Win(player),
        std::cmp::Ordering::Equal => Outcome::Draw,
        std::cmp::Ordering::Less => Outcome::Win(1 - player),
    }
}

impl<const SIZE: usize> GameState for OthelloBoard<SIZE> {
    type Key = [u64; 2];
    type Move = Placement;

    /// The squares taken, and either Black's discs (Black to move) or everything but
    /// White's (White to move). The second word holds an empty square exactly if White is
    /// to move; on a full board it is Black's discs both ways.
    #[inline]
    fn key(&self) -> [u64; 2] {
        let side = u64::from(self.mover).wrapping_neg();
        [self.own | self.other, self.own ^ side]
    }

    #[inline]
    fn mover(&self) -> usize {
        usize::from(self.mover)
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
    fn moves(&self, moves: &mut Vec<Placement>) {
        if self.legal != 0 {
            moves.extend(ones(self.legal).map(|square| Placement(square as u8)));
        } else if !self.over {
            moves.push(Placement::PASS);
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| count(self.own, self.other, self.mover()))
    }

    /// With at most eight empty squares, by a search to the end; the plies are the most that there
    /// can be, with a pass before each disc.
    #[inline]
    fn foreseen(&self) -> Option<Proven> {
        ending::foreseen(self)
    }

    #[inline]
    fn apply(&self, mv: &Placement) -> Self {
        let plies = self.plies.wrapping_add(1);
        let Some(square) = mv.square() else {
            return Self::position(self.other, self.own, 1 - self.mover, plies);
        };
        let turned = flips(square, self.own, self.other);
        let own = self.own | turned | 1 << square;
        Self::position(self.other & !turned, own, 1 - self.mover, plies)
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        rollouts::OthelloRollouts
    }

    /// GRAVE gains nothing beside what the rollouts see, and takes twice the time
    /// (docs/measurements/selection.md).
    fn move_codes() -> Option<MoveCoding<Self>> {
        Some(MoveCoding::of_game().by_history())
    }
}

impl<const SIZE: usize> MoveCodes for OthelloBoard<SIZE> {
    const CODES: usize = 64;

    /// The square; a pass has none.
    #[inline]
    fn move_code(&self, mv: &Placement) -> usize {
        usize::from(mv.0)
    }
}

impl<const SIZE: usize> Notation for OthelloBoard<SIZE> {
    fn position_text(&self) -> String {
        let mut text: String = Self::squares().map(|square| self.disc(square)).collect();
        text.push(' ');
        text.push(['X', 'O'][self.mover()]);
        text
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let text = text.trim();
        let mut fields = text.split_whitespace();
        let board = fields.next().unwrap_or("");
        let squares = board.chars().count();
        if squares != Self::SQUARES {
            let expected = Self::SQUARES;
            return Err(NotationError::new(
                format!("{expected} squares 'X', 'O' or '-', a blank and the side to move"),
                format!("{squares} squares"),
            ));
        }
        let mut discs = [0u64; 2];
        for (square, disc) in Self::squares().zip(board.chars()) {
            match disc.to_ascii_uppercase() {
                'X' => discs[0] |= 1 << square,
                'O' => discs[1] |= 1 << square,
                '-' => {}
                _ => {
                    return Err(NotationError::new(
                        "'X', 'O' or '-'",
                        format!("'{disc}' on {}", name(square)),
                    ));
                }
            }
        }
        let plies = ((discs[0] | discs[1]).count_ones() as u8).saturating_sub(4);
        let position = match fields.next() {
            Some("X" | "x") => Self::position(discs[0], discs[1], 0, plies),
            Some("O" | "o") => Self::position(discs[1], discs[0], 1, plies),
            found => {
                return Err(NotationError::new(
                    "the side to move, 'X' or 'O', after the squares",
                    found.map_or("nothing".to_owned(), |found| format!("'{found}'")),
                ));
            }
        };
        match fields.next() {
            None => Ok(position),
            Some(more) => {
                Err(NotationError::new("nothing after the side to move", format!("'{more}'")))
            }
        }
    }

    fn move_text(&self, mv: &Placement) -> String {
        mv.square().map_or("pass".to_owned(), name)
    }

    fn parse_move(&self, text: &str) -> Result<Placement, NotationError> {
        let text = text.trim().to_ascii_lowercase();
        let mv = match text.as_bytes() {
            b"pass" => Some(Placement::PASS),
            [column @ b'a'..=b'h', row @ b'1'..=b'8'] => {
                Placement::new(usize::from(column - b'a'), usize::from(row - b'1'))
            }
            _ => None,
        };
        let Some(mv) = mv else {
            let expected = format!("a square, a1 to {}, or 'pass'", name(9 * (SIZE - 1)));
            return Err(NotationError::new(expected, format!("'{text}'")));
        };
        legal_move(self, &text, |legal| *legal == mv)
    }

    fn board_text(&self) -> String {
        let mut text = " ".to_owned();
        for column in 0..SIZE {
            text.extend([' ', char::from(b'a' + column as u8)]);
        }
        for row in 0..SIZE {
            text.push_str(&format!("\n{}", row + 1));
            for column in 0..SIZE {
                text.push(' ');
                text.push(self.disc(8 * row + column));
            }
        }
        text + "\n" + ["X", "O"][self.mover()] + " to move"
    }
}

impl<const SIZE: usize> OthelloBoard<SIZE> {
    fn disc(&self, square: usize) -> char {
        let [black, white] = self.discs();
        match (black >> square & 1, white >> square & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '-',
        }
    }
}

/// The square's name, `a1` to `h8`.
fn name(square: usize) -> String {
    format!("{}{}", char::from(b'a' + (square % 8) as u8), square / 8 + 1)
}

impl ReferenceGame for Othello {
    const INFO: GameInfo = GameInfo {
        name: "othello",
        rules: "Black (X) begins; a disc must turn over at least one line of the other side's; \
                who cannot must pass; when neither can, more discs win. Sizes 8, 6 and 4.",
        start: "---------------------------OX------XO--------------------------- X",
        board: Some([8, 8]),
        position_help: "64 characters X, O, - from a1 row by row, or 36 or 16 of a smaller \
                        board; a blank, the side to move",
        move_help: "the square, like d3, or pass",
    };

    const VALUES_AT_ONCE: bool = true;

    fn evaluation() -> Option<Box<dyn Evaluate<Self>>> {
        Some(Box::new(OthelloEvaluation::new()))
    }

    /// On the board that has the number of squares of the text.
    fn with_position<V: GameVisitor>(text: &str, visitor: V) -> Result<V::Output, NotationError> {
        match size_of_text(text)? {
            4 => OthelloBoard::<4>::with_position(text, visitor),
            6 => OthelloBoard::<6>::with_position(text, visitor),
            _ => Ok(visitor.visit(Self::parse_position(text)?)),
        }
    }
}

impl ReferenceGame for OthelloBoard<6> {
    const INFO: GameInfo = Othello::INFO;

    const VALUES_AT_ONCE: bool = true;

    // Compiled by who has such boards.
    #[inline]
    fn evaluation() -> Option<Box<dyn Evaluate<Self>>> {
        Some(Box::new(OthelloEvaluation::for_size(6)))
    }

    /// Tells the size, which the keys leave out.
    fn tag(&self) -> GameTag {
        GameTag::new("othello 6", 1)
    }
}

impl ReferenceGame for OthelloBoard<4> {
    const INFO: GameInfo = Othello::INFO;

    /// Tells the size, which the keys leave out.
    fn tag(&self) -> GameTag {
        GameTag::new("othello 4", 1)
    }
}

const _: () = assert_sizes::<Othello>(32, 16);

impl<const SIZE: usize> fmt::Debug for OthelloBoard<SIZE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Othello({:?})", self.position_text())
    }
}

#[cfg(test)]
mod tests {
    use super::{Othello, Placement};
    use crate::game::{GameState, Notation, Outcome};

    #[test]
    fn a_pass_is_a_move_only_without_another() {
        // Black cannot move, White can: b1 is empty next to a1.
        let text = format!("OX{} X", "-".repeat(62));
        let position = Othello::parse_position(&text).unwrap();
        let mut moves = Vec::new();
        position.moves(&mut moves);
        assert_eq!(moves, [Placement::PASS]);
        let white = position.apply(&Placement::PASS);
        assert_eq!((white.mover(), white.plies(), white.outcome()), (1, 1, None));
        let end = white.apply(&white.parse_move("C1").unwrap());
        assert_eq!(end.outcome(), Some(Outcome::Win(1)));
        assert!(Othello::new().parse_move("pass").is_err());
    }

    #[test]
    fn a_full_board_has_one_key() {
        let board = "X".repeat(30) + &"O".repeat(34);
        let positions = ["X", "O"].map(|side| Othello::parse_position(&format!("{board} {side}")));
        let [first, second] = positions.map(Result::unwrap);
        assert_eq!(first, second);
        assert_eq!(first.outcome(), Some(Outcome::Win(1)));
    }

    #[test]
    fn errors_say_where() {
        let text = |text: &str| Othello::parse_position(text).unwrap_err().to_string();
        let start = Othello::new().position_text();
        assert_eq!(text(&start.replacen('X', "?", 1)), "expected 'X', 'O' or '-', found '?' on e4");
        assert!(text(&start[..64]).ends_with("found nothing"));
        assert!(text(&start[1..]).ends_with("found 63 squares"));
        assert!(text("").ends_with("found 0 squares"));
        let error = Othello::new().parse_move("a1").unwrap_err().to_string();
        assert_eq!(error, "expected a legal move (d3 c4 f5 e6), found 'a1'");
    }
}
