//! The last few empty squares of Othello: a small alpha-beta search on two words, without a table.
//!
//! It solves positions at once, shows how a game ends, and plays the last moves of rollouts.
//!
//! The side with the last move of a region gains by it, so squares of a quarter of the board with
//! an odd number of empty ones come first (Buro 1997). The last square is not played but counted.

use crate::game::Outcome;
use crate::games::bits::ones;
use crate::games::othello::lines::{around, corners, flips, mobility};
use crate::games::othello::{OthelloBoard, count};
use crate::proven::Proven;

/// Less than any score.
const NONE: i32 = -1_000;

/// With at most this number of empty squares a position shows how it ends. Each one more takes
/// longer; docs/measurements/graph-search.md says what they are worth.
const SHOWN: u32 = 8;

/// With at most this number of empty squares both sides of a rollout play their best, as far as
/// winning goes. What that is worth stands in docs/measurements/rollouts.md.
pub(super) const PLAYED_BEST: u32 = 3;

/// With at least this number of empty squares the moves are tried in the order of the answers they
/// leave.
const ORDERED: u32 = 6;

/// How the game ends with best play, if few squares are empty and it goes on.
#[inline]
pub(super) fn foreseen<const SIZE: usize>(state: &OthelloBoard<SIZE>) -> Option<Proven> {
    let ending = Ending::<SIZE>::new(state.own, state.other);
    let left = ending.left();
    (left <= SHOWN && !state.over).then(|| ending.winner(left))
}

/// How a rollout ends that has come to where [`PLAYED_BEST`] holds, or where the game is over.
/// `mover` holds `own` and has the move.
#[inline]
pub(super) fn end_rollout<const SIZE: usize>(own: u64, other: u64, mover: usize) -> Outcome {
    let ending = Ending::<SIZE>::new(own, other);
    match ending.left() {
        left @ 1..=PLAYED_BEST => match ending.search(left, -1, 1) {
            0 => Outcome::Draw,
            1.. => Outcome::Win(mover),
            _ => Outcome::Win(1 - mover),
        },
        _ => count(own, other, mover),
    }
}

/// The same, with the moves: `note` gets the player and the square of each.
pub(super) fn play_out<const SIZE: usize>(
    mut own: u64,
    mut other: u64,
    mut mover: usize,
    mut note: impl FnMut(usize, usize),
) -> Outcome {
    let mut passed = false;
    loop {
        let square = best_square::<SIZE>(own, other);
        if let Some(square) = square {
            note(mover, square);
            own ^= 1 << square | flips(square, own, other);
            other &= !own;
        } else if passed {
            return count(own, other, mover);
        }
        passed = square.is_none();
        (own, other, mover) = (other, own, 1 - mover);
    }
}

/// A square that is best for the side to move; `None` if it must pass, or with more empty squares
/// than are [`PLAYED_BEST`].
#[inline]
pub(super) fn best_square<const SIZE: usize>(own: u64, other: u64) -> Option<usize> {
    let ending = Ending::<SIZE>::new(own, other);
    let left = ending.left();
    let score = |after: Ending<SIZE>| match left {
        1 => 0,
        _ => -after.search(left - 1, -1, 1).signum(),
    };
    let plays = |square| ending.play(square).map(|after| (score(after), square));
    let squares = if left <= PLAYED_BEST { ending.empty } else { 0 };
    ones(squares).filter_map(plays).max_by_key(|&(score, _)| score).map(|(_, square)| square)
}

/// The squares around each.
static AROUND: [u64; 64] = {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = around(1 << square);
        square += 1;
    }
    all
};

/// The two slanting lines through each square: falling and rising.
static SLANTS: [[u64; 2]; 64] = {
    let mut all = [[0; 2]; 64];
    let mut square = 0_i32;
    while square < 64 {
        let mut other = 0_i32;
        while other < 64 {
            let columns = square % 8 - other % 8;
            let rows = square / 8 - other / 8;
            if columns == rows {
                all[square as usize][0] |= 1 << other;
            }
            if columns == -rows {
                all[square as usize][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    all
};

/// What a disc at this place of a line of eight turns over, if the line has these discs of its own
/// colour and all others are of the other one; beyond the end of a shorter line nothing ends a row.
static TURNED: [[u8; 256]; 8] = {
    let mut all = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut own = 0;
        while own < 256 {
            let mut place = at + 1;
            while place < 8 {
                if own >> place & 1 == 1 {
                    all[at][own] += (place - at - 1) as u8;
                    break;
                }
                place += 1;
            }
            place = at;
            while place > 0 {
                if own >> (place - 1) & 1 == 1 {
                    all[at][own] += (at - place) as u8;
                    break;
                }
                place -= 1;
            }
            own += 1;
        }
        at += 1;
    }
    all
};

/// How many discs one of `own` turns over on the last empty square of the board.
#[inline]
fn count_last(square: usize, own: u64) -> i32 {
    let (column, row) = (square & 7, square >> 3 & 7);
    let [falling, rising] = SLANTS[square & 63];
    let fold = |line: u64| (line.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize;
    // A column, with its lowest row as the lowest bit.
    let upright = (own >> column & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let across = &TURNED[column];
    let turned = across[(own >> (8 * row) & 0xff) as usize]
        + across[fold(own & falling)]
        + across[fold(own & rising)]
        + TURNED[row][upright as usize];
    i32::from(turned)
}

/// The difference at the end of a game, with the empty squares for the winner.
#[inline]
pub(super) fn difference<const SIZE: usize>(own: u64, other: u64) -> i32 {
    let all = (SIZE * SIZE) as i32;
    let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
    match own.cmp(&other) {
        std::cmp::Ordering::Greater => all - 2 * other,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Less => 2 * own - all,
    }
}

/// The quarters of the board.
const fn quarters(size: usize) -> [u64; 4] {
    let half = size / 2;
    let (mut quarter, mut row) = (0, 0);
    while row < half {
        quarter |= ((1 << half) - 1) << (8 * row);
        row += 1;
    }
    [quarter, quarter << half, quarter << (8 * half), quarter << (9 * half)]
}

/// The squares of all quarters that have an odd number of empty ones.
#[inline]
pub(super) fn odd_quarters<const SIZE: usize>(empty: u64) -> u64 {
    let odd = |all, quarter: u64| {
        if (empty & quarter).count_ones() % 2 == 1 { all | quarter } else { all }
    };
    const { quarters(SIZE) }.into_iter().fold(0, odd)
}

/// The quarter that a square is in.
#[inline]
fn quarter<const SIZE: usize>(square: usize) -> u64 {
    let (right, low) = (square % 8 >= SIZE / 2, square / 8 >= SIZE / 2);
    let quarters = const { quarters(SIZE) };
    quarters[usize::from(right) + 2 * usize::from(low)]
}

/// A position with few empty squares.
#[derive(Clone, Copy)]
pub(super) struct Ending<const SIZE: usize> {
    own: u64,
    other: u64,
    empty: u64,
    /// All quarters with an odd number of empty squares.
    odd: u64,
}

impl<const SIZE: usize> Ending<SIZE> {
    /// The side to move holds `own`.
    #[inline]
    pub(super) fn new(own: u64, other: u64) -> Self {
        let empty = OthelloBoard::<SIZE>::BOARD & !(own | other);
        Self { own, other, empty, odd: odd_quarters::<SIZE>(empty) }
    }

    /// The number of empty squares.
    #[inline]
    pub(super) fn left(&self) -> u32 {
        self.empty.count_ones()
    }

    /// The final difference for the side to move: exact within the window, and a limit beyond.
    /// `left` is the number of empty squares, at least 1.
    pub(super) fn search(&self, left: u32, alpha: i32, beta: i32) -> i32 {
        let best = match left {
            1 => return self.last(),
            2..ORDERED => self.in_order(left, alpha, beta),
            _ => self.sorted(left, alpha, beta),
        };
        if best != NONE {
            return best;
        }
        let Self { own, other, .. } = *self;
        if OthelloBoard::<SIZE>::legal(other, own) == 0 {
            return difference::<SIZE>(own, other);
        }
        -Self { own: other, other: own, ..*self }.search(left, -beta, -alpha)
    }

    /// Who wins, with `left` empty squares. Before each disc may come a pass.
    #[inline(never)]
    fn winner(&self, left: u32) -> Proven {
        let plies = 2 * left;
        match self.search(left, -1, 1) {
            0 => Proven::Draw,
            1.. => Proven::Win { plies },
            _ => Proven::Loss { plies },
        }
    }

    /// The position after a move; `None` if it turns nothing over.
    #[inline]
    fn play(&self, square: usize) -> Option<Self> {
        let Self { own, other, empty, odd } = *self;
        if AROUND[square & 63] & other == 0 {
            return None;
        }
        let turned = flips(square, own, other);
        let bit = 1 << square;
        let odd = odd ^ quarter::<SIZE>(square);
        (turned != 0).then_some(Self {
            own: other & !turned,
            other: own | turned | bit,
            empty: empty ^ bit,
            odd,
        })
    }

    /// Tries the squares of odd quarters first. `NONE` without a move.
    fn in_order(&self, left: u32, alpha: i32, beta: i32) -> i32 {
        let mut best = NONE;
        for squares in [self.empty & self.odd, self.empty & !self.odd] {
            for square in ones(squares) {
                let Some(after) = self.play(square) else { continue };
                let score = -after.search(left - 1, -beta, -alpha.max(best));
                if score > best {
                    best = score;
                    if score >= beta {
                        return best;
                    }
                }
            }
        }
        best
    }

    /// Tries first what leaves the other side few answers. `NONE` without a move.
    fn sorted(&self, left: u32, alpha: i32, beta: i32) -> i32 {
        let mut moves = [(0, *self); 16];
        let mut count = 0;
        for square in ones(self.empty) {
            let Some(after) = self.play(square) else { continue };
            let bit = 1 << square;
            let replies = mobility(after.own, after.other) & OthelloBoard::<SIZE>::BOARD;
            let corner = const { corners(SIZE) };
            let mut promise = -4 * (replies.count_ones() + (replies & corner).count_ones()) as i32;
            promise += if self.odd & bit != 0 { 2 } else { 0 };
            promise += if corner & bit != 0 { 4 } else { 0 };
            let mut at = count;
            while at > 0 && moves[at - 1].0 < promise {
                moves[at] = moves[at - 1];
                at -= 1;
            }
            moves[at] = (promise, after);
            count += 1;
        }
        let mut best = NONE;
        for (_, after) in &moves[..count] {
            let score = -after.search(left - 1, -beta, -alpha.max(best));
            if score > best {
                best = score;
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The last empty square.
    #[inline]
    fn last(&self) -> i32 {
        let Self { own, other, empty, .. } = *self;
        let square = empty.trailing_zeros() as usize;
        let all = (SIZE * SIZE) as i32;
        let turned = count_last(square, own);
        if turned > 0 {
            return 2 * (own.count_ones() as i32 + turned + 1) - all;
        }
        let turned = count_last(square, other);
        if turned > 0 {
            return all - 2 * (other.count_ones() as i32 + turned + 1);
        }
        difference::<SIZE>(own, other)
    }
}

#[cfg(test)]
mod tests {
    use super::count_last;
    use crate::game::{GameState, random_move};
    use crate::games::othello::OthelloBoard;
    use crate::games::othello::lines::flips;
    use crate::rng::Rng;
    use crate::testing::check_solvable;

    #[test]
    fn the_last_square_is_counted_as_it_is_played() {
        let mut rng = Rng::from_seed(1);
        for _ in 0..4_000 {
            let (own, square) = (rng.next_u64(), rng.below(64));
            let (own, other) = (own & !(1 << square), !own & !(1 << square));
            let turned = flips(square, own, other).count_ones() as i32;
            assert_eq!(count_last(square, own), turned, "{own:#x} {square}");
        }
    }

    /// Whether the side to move wins (1), by all lines of the game.
    fn worth<const SIZE: usize>(state: &OthelloBoard<SIZE>) -> i32 {
        if let Some(outcome) = state.outcome() {
            return (2.0 * outcome.score(state.mover())) as i32 - 1;
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        // The colours change also on a full board, where the side to move does not matter.
        let after = moves.iter().map(|mv| state.apply(mv));
        let sign = |after: &OthelloBoard<SIZE>| if after.mover() == state.mover() { 1 } else { -1 };
        after.map(|after| sign(&after) * worth(&after)).max().expect("the game goes on")
    }

    fn shown_ends_are_those_of_best_play<const SIZE: usize>(games: usize) -> [usize; 3] {
        let (mut rng, mut moves, mut found) = (Rng::from_seed(3), Vec::new(), [0; 3]);
        for _ in 0..games {
            let mut state = OthelloBoard::<SIZE>::new();
            while let Some(mv) = random_move(&state, &mut rng, &mut moves) {
                let left = SIZE * SIZE - (state.own | state.other).count_ones() as usize;
                let shown = state.foreseen();
                assert_eq!(shown.is_some(), left <= 8, "{state:?}");
                if let Some(shown) = shown.filter(|_| left <= 6) {
                    let points = (2.0 * shown.score()) as i32 - 1;
                    assert_eq!(points, worth(&state), "{state:?}");
                    found[(points + 1) as usize] += 1;
                }
                state.apply_in_place(&mv);
            }
            assert_eq!(state.foreseen(), None, "the game is over");
        }
        found
    }

    #[test]
    fn few_empty_squares_show_how_the_game_ends() {
        let found = shown_ends_are_those_of_best_play::<8>(40);
        assert!(found.iter().all(|&count| count > 0), "{found:?}");
        shown_ends_are_those_of_best_play::<6>(40);
        shown_ends_are_those_of_best_play::<4>(40);
    }

    /// What the solver gets at once is what this search finds.
    #[test]
    fn agrees_with_a_plain_search() {
        assert_eq!(check_solvable(&OthelloBoard::<4>::new(), 300, 2), Ok(()));
        assert_eq!(check_solvable(&OthelloBoard::<6>::new(), 100, 2), Ok(()));
        assert_eq!(check_solvable(&OthelloBoard::<8>::new(), 100, 2), Ok(()));
    }
}
