//! Xiangqi, Chinese chess.

mod board;
mod chase;
mod check;
mod evaluation;
mod moves;
mod notation;
mod piece;
mod placement;
mod reach;
mod repetition;
mod squares;
mod zobrist;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::evaluate::Evaluate;
use crate::game::{GameState, Notation, NotationError, Outcome, RolloutPolicy, random_move};
use crate::games::reference::{GameInfo, ReferenceGame, assert_sizes};
use crate::games::xiangqi::board::Board;
use crate::games::xiangqi::check::Danger;
use crate::games::xiangqi::squares::SQUARES;
use crate::repetition::Line;
use crate::rng::Rng;
use crate::solvable::Solvable;

pub use evaluation::XiangqiEvaluation;
pub use piece::Kind;

/// Plies without a capture after which the game is a draw: sixty moves by each side, the
/// "natural limit" of the Chinese association's rules of competition.
pub const QUIET_LIMIT: u32 = 120;

/// At least the number of moves that a side can have: two rooks and two cannons with 17 points
/// each, two horses with 8, five soldiers with 3, and 20 of the others are 119.
const MOST_MOVES: usize = 128;

/// From this number of plies without a capture on the key holds the exact number.
const TOLD_FROM: u32 = 100;

/// A Xiangqi position; Red (upper case letters) begins.
///
/// A side that is checkmated or has no move loses. [`QUIET_LIMIT`] plies without a capture are a
/// draw. A position does not remember the game: a [`Record`](crate::game::Record) does. When the
/// same pieces stand on the same points with the same side to move for the third time, what both
/// sides have done since the first time decides, after the rules of the Asian Xiangqi Federation:
/// who has given check with every move, or else chased one unprotected piece with every move,
/// loses, unless both have; everything else is a draw.
///
/// # Key
/// The key is the exact board and the side to move. The number of plies since the last capture
/// is part of it only from 100 on: before, positions that differ in nothing else share their
/// statistics, though one of them is nearer to the draw.
///
/// # Text
/// A position is written as in Forsyth's notation: ranks from Black's side to Red's, files from
/// Red's left, letters `K A B N R C P` (`E`, `H` are read as `B`, `N`), then the side to move `w`
/// or `b` (`r` is read as `w`), two dashes, plies without a capture and the number of the move;
/// what follows the side may be left out. A move is the point it leaves and the one it goes to,
/// files `a` to `i` and ranks `0` to `9` from Red's left, as in the UCCI protocol: `h2e2`.
///
/// # Examples
/// ```
/// use playtree::games::Xiangqi;
/// use playtree::{GameState, Notation};
///
/// let start = Xiangqi::new();
/// let position = start.apply(&start.parse_move("h2e2")?);
/// assert_eq!(
///     position.position_text(),
///     "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"
/// );
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Xiangqi {
    board: Board,
    /// What the other side means for the king of the side to move.
    danger: Danger,
    plies: u32,
    /// Plies since the last capture, at most [`QUIET_LIMIT`].
    quiet: u8,
    /// The side to move has no legal move.
    stuck: bool,
}

/// A move in Xiangqi: from a point to a point, each `9 * rank + file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "(u8, u8)", try_from = "(u8, u8)")]
pub struct Step {
    from: u8,
    to: u8,
}

impl From<Step> for (u8, u8) {
    fn from(step: Step) -> Self {
        (step.from, step.to)
    }
}

/// What comes from a file may be anything.
impl TryFrom<(u8, u8)> for Step {
    type Error = NotationError;

    fn try_from((from, to): (u8, u8)) -> Result<Self, NotationError> {
        let found = || NotationError::new("two points from 0 to 89", format!("{from} and {to}"));
        Self::new(from.into(), to.into()).ok_or_else(found)
    }
}

impl Step {
    /// From one point to another, both 0 to 89; `None` beyond.
    #[must_use]
    pub fn new(from: usize, to: usize) -> Option<Self> {
        (from < SQUARES && to < SQUARES).then_some(Self { from: from as u8, to: to as u8 })
    }

    /// The point that the piece leaves, `9 * rank + file`.
    #[inline]
    #[must_use]
    pub fn from(self) -> usize {
        usize::from(self.from)
    }

    /// The point that the piece goes to, `9 * rank + file`.
    #[inline]
    #[must_use]
    pub fn to(self) -> usize {
        usize::from(self.to)
    }
}

/// A position by what it is equal for: the pieces, the side to move, and how near a draw is.
///
/// Compared by the whole board; hashed by one word that is kept up to date with every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The planes of the board; above them the side to move and the plies without a capture.
    board: [u64; 6],
    hash: u64,
}

impl Hash for Key {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Xiangqi {
    /// The start of the game, Red to move.
    #[must_use]
    pub fn new() -> Self {
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
        Self::parse_position(start).expect("the start is a position")
    }

    /// A position with what follows from it.
    #[inline]
    fn position(board: Board, plies: u32, quiet: u8) -> Self {
        let side = (plies & 1) as usize;
        let danger = Danger::of(&board, side);
        let stuck = !moves::any(&board, side, &danger, u128::MAX);
        Self { board, danger, plies, quiet, stuck }
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.danger.checkers != 0
    }

    /// Whether the side to move has lost by checkmate; without a check it is a stalemate, which
    /// loses as well.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && self.stuck
    }

    /// The piece on the point `9 * rank + file` and its side; `None` if there is none.
    #[must_use]
    pub fn piece(&self, square: usize) -> Option<(Kind, usize)> {
        if square < SQUARES { self.board.piece(square) } else { None }
    }

    /// Plies since the last capture, at most [`QUIET_LIMIT`].
    #[must_use]
    pub fn quiet_plies(&self) -> u32 {
        u32::from(self.quiet)
    }

    /// Appends the legal moves that capture, in the order of [`GameState::moves`].
    #[inline]
    pub fn captures(&self, moves: &mut Vec<Step>) {
        self.append(self.board.side(1 - self.mover()), moves);
    }

    /// Whether a move captures.
    #[inline]
    #[must_use]
    pub fn is_capture(&self, mv: Step) -> bool {
        self.board.code(mv.to()) != 0
    }

    /// The key that tells `quiet` of the plies without a capture.
    #[inline]
    fn key_with(&self, quiet: u64) -> Key {
        let mut board = self.board.packed();
        let mover = u64::from(self.plies & 1);
        board[5] |= (quiet << 1 | mover) << 40;
        let mut hash = self.board.hash() ^ (mover * zobrist::BLACK_TO_MOVE);
        if quiet != 0 {
            hash ^= quiet.wrapping_mul(zobrist::BLACK_TO_MOVE | 1).rotate_left(17);
        }
        Key { board, hash }
    }

    /// Appends the legal moves that end in `wanted`. Not inlined: a search needs it in two places,
    /// and the cache of instructions is full.
    #[inline(never)]
    fn append(&self, wanted: u128, moves: &mut Vec<Step>) {
        if self.outcome().is_some() {
            return;
        }
        let mut list = [Step { from: 0, to: 0 }; MOST_MOVES];
        let mut count = 0;
        let _ = moves::legal(&self.board, self.mover(), &self.danger, wanted, |from, targets| {
            // Two words by themselves: an iteration is a few instructions less than on both.
            for (mut word, offset) in [(targets as u64, 0), ((targets >> 64) as u64, 64)] {
                while word != 0 {
                    let to = offset + word.trailing_zeros() as u8;
                    list[count % MOST_MOVES] = Step { from: from as u8, to };
                    count += 1;
                    word &= word - 1;
                }
            }
            ControlFlow::Continue(())
        });
        moves.extend_from_slice(&list[..count.min(MOST_MOVES)]);
    }
}

impl Default for Xiangqi {
    fn default() -> Self {
        Self::new()
    }
}

impl GameState for Xiangqi {
    type Key = Key;
    type Move = Step;

    #[inline]
    fn key(&self) -> Key {
        self.key_with(u64::from((u32::from(self.quiet) + 1).saturating_sub(TOLD_FROM)))
    }

    #[inline]
    fn mover(&self) -> usize {
        (self.plies & 1) as usize
    }

    #[inline]
    fn plies(&self) -> u32 {
        self.plies
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<Step>) {
        self.append(u128::MAX, moves);
    }

    /// Checkmate and stalemate come before the limit without a capture.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.stuck {
            Some(Outcome::Win(1 - self.mover()))
        } else if u32::from(self.quiet) >= QUIET_LIMIT {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline]
    fn apply(&self, mv: &Step) -> Self {
        let mut board = self.board;
        let captured = board.play(self.mover(), mv.from(), mv.to());
        let quiet = if captured == 0 { self.quiet + 1 } else { 0 };
        Self::position(board, self.plies.wrapping_add(1), quiet)
    }

    /// As `apply`, without a copy of the position.
    #[inline]
    fn apply_in_place(&mut self, mv: &Step) {
        let captured = self.board.play(self.mover(), mv.from(), mv.to());
        self.quiet = if captured == 0 { self.quiet + 1 } else { 0 };
        self.plies = self.plies.wrapping_add(1);
        let side = self.mover();
        self.danger = Danger::of(&self.board, side);
        self.stuck = !moves::any(&self.board, side, &self.danger, u128::MAX);
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        XiangqiRollouts
    }

    /// The board of before a capture cannot come again.
    #[inline]
    fn reversible_plies(&self) -> u32 {
        self.quiet_plies()
    }

    /// The key without the number of plies, where it tells that.
    #[inline]
    fn repetition_key(&self) -> Option<Key> {
        (u32::from(self.quiet) + 1 > TOLD_FROM).then(|| self.key_with(0))
    }

    /// The verdict of the Asian Xiangqi Federation's rules on what was played since the position
    /// was there for the last time but one: who has given check with every move, or else who has
    /// chased one unprotected piece with every move, loses, unless both have; everything else is
    /// a draw.
    fn repetition(&self, line: &Line<'_, Self>) -> Outcome {
        let line: Vec<&Self> = line.rounds(2).iter().copied().chain([self]).collect();
        repetition::verdict(&line)
    }
}

/// How a search plays the game out: by chance, and by a capture where there is one that does not lose
/// more than it takes. What that is worth stands in docs/measurements/rollouts.md.
struct XiangqiRollouts;

impl RolloutPolicy<Xiangqi> for XiangqiRollouts {
    #[inline]
    fn next_move(&self, state: &Xiangqi, rng: &mut Rng, moves: &mut Vec<Step>) -> Option<Step> {
        moves.clear();
        XiangqiEvaluation.noisy_moves(state, moves);
        if moves.is_empty() {
            return random_move(state, rng, moves);
        }
        Some(moves[rng.below(moves.len())])
    }
}

impl Solvable for Xiangqi {
    /// Repetitions, and plies without a capture, decide games.
    const SETTLED_BY_KEY: bool = false;
}

impl ReferenceGame for Xiangqi {
    const INFO: GameInfo = GameInfo {
        name: "xiangqi",
        rules: "Chinese chess; Red (upper case) begins; who is checkmated or cannot move loses; \
                perpetual check and perpetual chase lose, other repetition is a draw, and so \
                are 120 plies without a capture.",
        start: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        board: Some([9, 10]),
        position_help: "ranks from Black's side to Red's, K A B N R C P upper case for Red, \
                        numbers for free points; then w or b, - -, plies without a capture, \
                        number of the move",
        move_help: "the points left and entered, a0 to i9 from Red's left, like h2e2",
    };

    const VALUES_AT_ONCE: bool = true;

    fn evaluation() -> Option<Box<dyn Evaluate<Self>>> {
        Some(Box::new(XiangqiEvaluation))
    }
}

const _: () = assert_sizes::<Xiangqi>(144, 56);

impl fmt::Debug for Xiangqi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Xiangqi({:?})", self.position_text())
    }
}

#[cfg(test)]
mod tests {
    use super::{Xiangqi, XiangqiEvaluation, XiangqiRollouts};
    use crate::evaluate::Evaluate;
    use crate::game::{GameState, RolloutPolicy, random_move};
    use crate::rng::Rng;

    #[test]
    fn rollouts_capture_what_they_can_without_a_loss() {
        let mut rng = Rng::from_seed(1);
        let (mut state, mut moves) = (Xiangqi::default(), Vec::new());
        let mut captures = 0;
        for _ in 0..200 {
            moves.clear();
            XiangqiEvaluation.noisy_moves(&state, &mut moves);
            captures += usize::from(!moves.is_empty());
            if moves.is_empty() {
                state.moves(&mut moves);
            }
            let drawn = XiangqiRollouts.next_move(&state, &mut rng, &mut Vec::new());
            assert_eq!(drawn.is_some(), state.outcome().is_none());
            assert!(drawn.is_none_or(|mv| moves.contains(&mv)), "{drawn:?} of {moves:?}");
            let Some(mv) = random_move(&state, &mut rng, &mut moves) else { break };
            state = state.apply(&mv);
        }
        assert!((10..200).contains(&captures), "{captures}");
    }
}
