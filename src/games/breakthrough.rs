//! Breakthrough on any board from 2x3 to 8x8.

mod evaluation;
mod text;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::evaluate::Evaluate;
use crate::game::{GameState, MoveCodes, MoveCoding, Notation, Outcome, RolloutPolicy};
use crate::games::bits::{Digits, ones, select};
use crate::games::reference::{GameInfo, ReferenceGame, assert_sizes};
use crate::proven::Proven;
use crate::rng::Rng;
use crate::solvable::{Limits, Solvable, Worth};

pub use evaluation::BreakthroughEvaluation;

/// The fewest columns: with one, a side could be left without a move.
pub const MIN_COLUMNS: usize = 2;
/// The fewest rows.
pub const MIN_ROWS: usize = 3;
/// The most columns, and the most rows.
pub const MAX_SIZE: usize = 8;

/// The first column of every row.
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
/// The lowest row.
const FIRST_ROW: u64 = 0xff;

/// A Breakthrough position: who reaches the far row, or takes every piece, wins.
///
/// White, the first player, begins below and moves up, Black moves down. A piece goes one
/// square ahead, straight or slanting; it takes only slantwise, and is stopped straight ahead
/// by any piece. A side with a piece always has a move, so there are no draws. Each side begins
/// with two full rows, on boards with fewer than six rows with one, as in OpenSpiel.
///
/// The square in column `c` (`a` is 0) and row `r` (from 0, White's own) is bit `8 r + c`.
///
/// # Text
/// A position is written as in the FEN of chess: the rows from the top one down, parted by `/`, `P`
/// a white and `p` a black piece, a digit for that number of empty squares; then a blank and the
/// side to move, `w` or `b`. The rows tell the size: their number, and how long they are. A move
/// names two squares: `a2b3`. The text does not tell how many plies were played: a parsed position
/// counts 0, or 1 if Black is to move.
///
/// # Examples
/// ```
/// use playtree::games::Breakthrough;
/// use playtree::{GameState, Notation, Outcome};
///
/// let position = Breakthrough::parse_position("1p1p/P3/3p/4/3P w")?;
/// let end = position.apply(&position.parse_move("a4b5")?);
/// assert_eq!(end.outcome(), Some(Outcome::Win(0)));
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Breakthrough {
    /// White's pieces and Black's.
    pieces: [u64; 2],
    plies: u16,
    columns: u8,
    rows: u8,
    /// The side that has just moved has won.
    won: bool,
}

/// A move in Breakthrough: a piece goes from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Advance {
    from: u8,
    to: u8,
}

impl Advance {
    /// The square that the piece leaves, `8 * row + column`.
    #[must_use]
    pub fn from(self) -> usize {
        usize::from(self.from)
    }

    /// The square that it comes to, `8 * row + column`.
    #[must_use]
    pub fn to(self) -> usize {
        usize::from(self.to)
    }
}

/// The squares of a board.
#[inline]
fn board(columns: u8, rows: u8) -> u64 {
    let row = FIRST_ROW >> (8 - u32::from(columns & 15).min(8));
    row * (FIRST_COLUMN >> (8 * (8 - u32::from(rows & 15).min(8))))
}

/// What a side needs to know of the board, all of it fixed during a game.
#[derive(Clone, Copy)]
struct Side {
    /// 0 for White, who moves up, 1 for Black, who moves down.
    player: usize,
    board: u64,
    /// The row where this side wins.
    goal: u64,
}

impl Side {
    #[inline]
    fn new(player: usize, columns: u8, rows: u8) -> Self {
        let goal = if player == 0 { FIRST_ROW << (8 * (u32::from(rows) - 1)) } else { FIRST_ROW };
        Self { player, board: board(columns, rows), goal }
    }

    /// The squares that `own` can come to, towards the first column, straight ahead, and
    /// towards the last column. No piece of `own` stands on its goal, so none leaves the
    /// board ahead.
    #[inline]
    fn targets(self, own: u64, other: u64) -> [u64; 3] {
        let [low, ahead, high] = self.reached(own);
        let free = self.board & !own;
        [low & free, ahead & free & !other, high & free]
    }

    /// The squares next to `pieces` ahead of them, in the same order, on or off the board.
    #[inline]
    fn reached(self, pieces: u64) -> [u64; 3] {
        // A piece on the last of eight columns must not come round to the first.
        let (not_first, not_last) = (pieces & !FIRST_COLUMN, pieces & !(FIRST_COLUMN << 7));
        if self.player == 0 {
            [not_first << 7, pieces << 8, not_last << 9]
        } else {
            [not_first >> 9, pieces >> 8, not_last >> 7]
        }
    }

    /// The squares where a move wins: the far row, or the last piece of the other side.
    #[inline(always)]
    fn wins(self, other: u64) -> u64 {
        self.goal | if other.is_power_of_two() { other } else { 0 }
    }

    /// The row before the far one.
    #[inline(always)]
    fn before_goal(self) -> u64 {
        if self.player == 0 { self.goal >> 8 } else { self.goal << 8 }
    }

    /// The moves that a rollout draws from, as [`targets`](Self::targets): the first of these that
    /// there are. Wins; captures of a piece that would win next; captures; moves to a square that the
    /// other side does not attack; all. What that is worth stands in docs/measurements/rollouts.md.
    #[inline(always)]
    fn candidates(self, own: u64, other: u64, opponent: Side) -> [u64; 3] {
        let targets = self.targets(own, other);
        let [low, _, high] = opponent.reached(other);
        let kinds = [self.wins(other), other & opponent.before_goal(), other, !(low | high)];
        let some = kinds.map(|kind| targets.map(|word| word & kind));
        some.into_iter().find(|words| *words != [0; 3]).unwrap_or(targets)
    }

    /// How far below its target a piece stands, in squares, by direction.
    #[inline]
    fn from(self, to: usize, direction: usize) -> usize {
        if self.player == 0 { to - 7 - direction } else { to + 9 - direction }
    }
}

impl Breakthrough {
    /// The start of the game on a board of these sizes; `None` if there are not
    /// [`MIN_COLUMNS`] to [`MAX_SIZE`] columns and [`MIN_ROWS`] to [`MAX_SIZE`] rows.
    #[must_use]
    pub fn new(columns: usize, rows: usize) -> Option<Self> {
        let known =
            (MIN_COLUMNS..=MAX_SIZE).contains(&columns) && (MIN_ROWS..=MAX_SIZE).contains(&rows);
        known.then(|| {
            let full = if rows < 6 { 1 } else { 2 };
            let white = board(columns as u8, full);
            let black = white << (8 * (rows - usize::from(full)));
            Self {
                pieces: [white, black],
                plies: 0,
                columns: columns as u8,
                rows: rows as u8,
                won: false,
            }
        })
    }

    /// The number of columns, and of rows.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (usize::from(self.columns), usize::from(self.rows))
    }

    /// White's pieces and Black's; the square in column `c` and row `r` is bit `8 r + c`.
    #[must_use]
    pub fn pieces(&self) -> [u64; 2] {
        self.pieces
    }

    #[inline]
    fn side(&self, player: usize) -> Side {
        Side::new(player, self.columns, self.rows)
    }

    #[inline]
    fn targets(&self) -> (Side, [u64; 3]) {
        let mover = self.mover();
        let side = self.side(mover);
        (side, side.targets(self.pieces[mover], self.pieces[1 - mover]))
    }
}

impl Default for Breakthrough {
    /// The start on eight columns and eight rows.
    fn default() -> Self {
        let [white, black] = [0xffff, 0xffff << 48];
        Self { pieces: [white, black], plies: 0, columns: 8, rows: 8, won: false }
    }
}

/// The `k`-th of all set bits, counted word by word: the word, and the bit.
#[inline]
fn kth(words: &[u64; 3], counts: [u32; 3], k: u32) -> (usize, usize) {
    let word = usize::from(k >= counts[0]) + usize::from(k >= counts[0] + counts[1]);
    let before = [0, counts[0], counts[0] + counts[1]][word];
    (word, select(words[word], (k - before) as usize))
}

impl GameState for Breakthrough {
    type Key = [u64; 2];
    type Move = Advance;

    /// The pieces, and the size and the side to move in a row without a piece.
    ///
    /// White on White's goal ends the game, and so does Black on Black's: so of the highest row
    /// of the board in White's word and the lowest one in Black's at least one is free. The
    /// byte that fills it has more than one bit set, which a row with the winning piece has not.
    #[inline]
    fn key(&self) -> [u64; 2] {
        let side = u64::from(self.plies & 1);
        let about = 0x80 | side << 6 | u64::from(self.rows - 3) << 3 | u64::from(self.columns - 1);
        let [white, black] = self.pieces;
        if white >> 56 == 0 { [white | about << 56, black] } else { [white, black | about] }
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
    fn moves(&self, moves: &mut Vec<Advance>) {
        if !self.won {
            let (side, targets) = self.targets();
            for (direction, word) in targets.into_iter().enumerate() {
                moves.extend(
                    ones(word)
                        .map(|to| Advance { from: side.from(to, direction) as u8, to: to as u8 }),
                );
            }
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.won.then(|| Outcome::Win(1 - self.mover()))
    }

    #[inline]
    fn apply(&self, mv: &Advance) -> Self {
        let mut next = *self;
        next.apply_in_place(mv);
        next
    }

    #[inline]
    fn apply_in_place(&mut self, mv: &Advance) {
        let mover = self.mover();
        let to = 1 << (mv.to & 63);
        self.pieces[mover] ^= to | 1 << (mv.from & 63);
        self.pieces[1 - mover] &= !to;
        self.plies = self.plies.wrapping_add(1);
        self.won = to & self.side(mover).goal != 0 || self.pieces[1 - mover] == 0;
    }

    #[inline]
    fn foreseen(&self) -> Option<Proven> {
        self.limits().proven()
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        BreakthroughRollouts
    }

    fn move_codes() -> Option<MoveCoding<Self>> {
        Some(MoveCoding::of_game().by_history())
    }
}

impl MoveCodes for Breakthrough {
    const CODES: usize = 64 * 3 * 2;

    /// The square that the piece leaves, its direction, and whether it takes.
    #[inline]
    fn move_code(&self, mv: &Advance) -> usize {
        let direction = (mv.from() % 8 + 1).saturating_sub(mv.to() % 8).min(2);
        let takes = self.pieces[1 - self.mover()] >> (mv.to & 63) & 1;
        (mv.from() * 3 + direction) * 2 + takes as usize
    }
}

/// How a search plays the game out: by chance, but for what any player sees.
struct BreakthroughRollouts;

impl RolloutPolicy<Breakthrough> for BreakthroughRollouts {
    #[inline]
    fn next_move(
        &self,
        state: &Breakthrough,
        rng: &mut Rng,
        _: &mut Vec<Advance>,
    ) -> Option<Advance> {
        if state.won {
            return None;
        }
        let mover = state.mover();
        let (side, opponent) = (state.side(mover), state.side(1 - mover));
        let [own, other] = [state.pieces[mover], state.pieces[1 - mover]];
        let targets = side.candidates(own, other, opponent);
        let counts = targets.map(u64::count_ones);
        let k = rng.below(counts.iter().sum::<u32>() as usize) as u32;
        let (direction, to) = kth(&targets, counts, k);
        Some(Advance { from: side.from(to, direction) as u8, to: to as u8 })
    }

    #[inline]
    fn play(&self, state: &Breakthrough, rng: &mut Rng) -> Option<Outcome> {
        if state.won {
            return state.outcome();
        }
        let sides = [state.side(0), state.side(1)];
        let mut pieces = state.pieces;
        let mut mover = state.mover();
        loop {
            let mut digits = Digits::new(rng);
            // At most six draws below 49: a bias below 2^-30.
            for _ in 0..6 {
                let (own, other, side) = (pieces[mover], pieces[1 - mover], sides[mover]);
                let targets = side.candidates(own, other, sides[1 - mover]);
                let counts = targets.map(u64::count_ones);
                let k = digits.below(counts.iter().sum());
                let (direction, to) = kth(&targets, counts, k);
                let bit = 1 << to;
                pieces[mover] = own ^ (bit | 1 << side.from(to, direction));
                pieces[1 - mover] = other & !bit;
                if bit & side.goal != 0 || pieces[1 - mover] == 0 {
                    return Some(Outcome::Win(mover));
                }
                mover ^= 1;
            }
        }
    }

    fn winning_move(&self, state: &Breakthrough, _: &mut Vec<Advance>) -> Option<Advance> {
        if state.won {
            return None;
        }
        let (side, targets) = state.targets();
        let other = state.pieces[1 - side.player];
        let wins = side.wins(other);
        let direction = targets.iter().position(|word| word & wins != 0)?;
        let to = (targets[direction] & wins).trailing_zeros() as usize;
        Some(Advance { from: side.from(to, direction) as u8, to: to as u8 })
    }
}

impl Solvable for Breakthrough {
    /// A win in 1 ply is exact, and a loss in 2: nothing keeps a piece on the row before its goal
    /// from it but to take it. Otherwise the next ends of the game are a win in 3 and a loss in 2,
    /// by the last piece.
    #[inline]
    fn limits(&self) -> Limits {
        let (side, targets) = self.targets();
        let (own, other) = (self.pieces[side.player], self.pieces[1 - side.player]);
        let wins = side.wins(other);
        if targets.iter().any(|word| word & wins != 0) {
            return Limits::exactly(Worth { points: 1, plies: 1 });
        }
        let lost = Worth { points: -1, plies: 2 };
        let threats = other & self.side(1 - side.player).before_goal();
        let [low, _, high] = side.reached(own);
        if threats != 0 && !(threats.is_power_of_two() && threats & (low | high) != 0) {
            return Limits::exactly(lost);
        }
        Limits { least: lost, most: Worth { points: 1, plies: 3 } }
    }
}

impl ReferenceGame for Breakthrough {
    const INFO: GameInfo = GameInfo {
        name: "breakthrough",
        rules: "A piece goes one square ahead, straight or slanting, and takes slantwise only; \
                who reaches the far row or takes every piece wins. 2 to 8 columns, 3 to 8 rows.",
        start: "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w",
        board: Some([8, 8]),
        position_help: "the rows from the top, as in FEN: P white, p black, a digit for that \
                        number of empty squares; a blank and the side to move, w or b",
        move_help: "the two squares, like a2b3",
    };

    const VALUES_AT_ONCE: bool = true;

    fn evaluation() -> Option<Box<dyn Evaluate<Self>>> {
        Some(Box::new(BreakthroughEvaluation::default()))
    }
}

const _: () = assert_sizes::<Breakthrough>(24, 16);

impl fmt::Debug for Breakthrough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Breakthrough({:?})", self.position_text())
    }
}

#[cfg(test)]
mod tests {
    use super::{Breakthrough, BreakthroughRollouts};
    use crate::game::{GameState, Notation, Outcome, RolloutPolicy};
    use crate::rng::Rng;

    #[test]
    fn a_piece_is_stopped_straight_ahead_and_takes_slantwise() {
        let position = Breakthrough::parse_position("3p/ppp1/PPP1/4 w").unwrap();
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let mut texts: Vec<String> = moves.iter().map(|mv| position.move_text(mv)).collect();
        texts.sort();
        assert_eq!(texts, ["a2b3", "b2a3", "b2c3", "c2b3", "c2d3"]);
    }

    /// The moves that rollouts play in a position.
    fn rollout_moves(text: &str) -> Vec<String> {
        let position = Breakthrough::parse_position(text).unwrap();
        let mut rng = Rng::from_seed(1);
        let draw = |_| {
            let mv = BreakthroughRollouts.next_move(&position, &mut rng, &mut Vec::new()).unwrap();
            position.move_text(&mv)
        };
        let mut texts: Vec<String> = (0..200).map(draw).collect();
        texts.sort();
        texts.dedup();
        texts
    }

    #[test]
    fn rollouts_win_then_defend_then_take_then_stay_safe() {
        let moves = [
            // Two pieces of White can reach the far row.
            ("1p1p/P1P1/4/p3/3P w", &["a4a5", "a4b5", "c4b5", "c4c5", "c4d5"][..]),
            // Black is about to come to the first row: on b2 it can be taken.
            ("4/3p/2P1/1p2/P1P1 w", &["a1b2", "c1b2"]),
            ("4/4/p3/1p2/P3/3P w", &["a2b3"]),
            // Nothing can be taken: only what Black does not attack.
            ("3p/4/1p2/4/P3 w", &["a1b2"]),
            ("p3/4/4/4/P3 w", &["a1a2", "a1b2"]),
            // All is attacked.
            ("4/ppp1/4/P3 w", &["a1a2", "a1b2"]),
        ];
        for (text, expected) in moves {
            assert_eq!(rollout_moves(text), expected, "{text}");
        }
    }

    #[test]
    fn the_last_piece_taken_ends_the_game() {
        let position = Breakthrough::parse_position("3/1p1/P1P w").unwrap();
        let end = position.apply(&position.parse_move("a1b2").unwrap());
        assert_eq!((end.outcome(), end.mover()), (Some(Outcome::Win(0)), 1));
        assert_eq!(
            Breakthrough::parse_position(&end.position_text()).unwrap().outcome(),
            end.outcome()
        );
    }

    #[test]
    fn small_boards_begin_with_one_row_each() {
        assert_eq!(
            Breakthrough::new(5, 6).unwrap().position_text(),
            "ppppp/ppppp/5/5/PPPPP/PPPPP w"
        );
        assert_eq!(Breakthrough::new(3, 5).unwrap().position_text(), "ppp/3/3/3/PPP w");
        assert_eq!(Breakthrough::new(8, 8), Some(Breakthrough::default()));
        for (columns, rows) in [(1, 8), (9, 8), (8, 2), (8, 9)] {
            assert_eq!(Breakthrough::new(columns, rows), None);
        }
    }

    #[test]
    fn keys_tell_sides_and_sizes_apart() {
        let mut keys = std::collections::HashSet::new();
        for text in [
            "p7/8/8/8/8/8/8/P7 w",
            "p7/8/8/8/8/8/8/P7 b",
            "1p6/8/8/8/8/8/8/P7 b",
            "8/8/8/8/8/8/8/P7 b",
            "8/8/8/8/8/8/P7 b",
            "7/7/7/7/7/7/7/P6 b",
            "1P6/8/8/8/8/8/8/P7 b",
            "P7/8/8/8/8/8/8/P7 b",
            "p7/8/8/8/8/8/8/p7 w",
            "1P6/8/8/8/8/8/7p/8 b",
        ] {
            assert!(keys.insert(Breakthrough::parse_position(text).unwrap().key()), "{text}");
        }
    }
}
