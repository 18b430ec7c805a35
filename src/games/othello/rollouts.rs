//! Rollouts of Othello: one after the other, and side by side.
//!
//! A few squares are drawn from the [candidates], and the disc is placed where it leaves the other
//! side the fewest answers. The last squares are played by a search. What each of that is worth
//! stands in docs/measurements/rollouts.md.

use crate::game::{Outcome, Played, RolloutPolicy};
use crate::games::bits::{BYTES, first_some};
use crate::games::lanes::{self, LANES, LaneRng, SideBySide, Words, Work, less, pick};
use crate::rng::Rng;

use super::ending::{PLAYED_BEST, best_square, end_rollout, play_out};
use super::lines::{around, corners, flips_of, mobility};
use super::{OthelloBoard, Placement};

/// What more than another answer of the other side one at a corner counts.
const CORNER: u64 = 4;

/// How a search plays the game out.
pub(super) struct OthelloRollouts;

impl<const SIZE: usize> RolloutPolicy<OthelloBoard<SIZE>> for OthelloRollouts {
    #[inline]
    fn next_move(
        &self,
        state: &OthelloBoard<SIZE>,
        rng: &mut Rng,
        _: &mut Vec<Placement>,
    ) -> Option<Placement> {
        if state.legal == 0 {
            return (!state.over).then_some(Placement::PASS);
        }
        let square = best_square::<SIZE>(state.own, state.other).unwrap_or_else(|| {
            let (bit, _) = Side::of(state).draw::<SIZE>(random(rng));
            bit.trailing_zeros() as usize
        });
        Some(Placement(square as u8))
    }

    #[inline]
    fn play(&self, state: &OthelloBoard<SIZE>, rng: &mut Rng) -> Option<Outcome> {
        let (own, other, mover) = lanes::widest(Game { state, rng, note: |_, _| {} });
        Some(end_rollout::<SIZE>(own, other, mover))
    }

    // Of its own, so that the noting costs the rollout above no registers.
    #[inline(never)]
    fn play_noting(
        &self,
        state: &OthelloBoard<SIZE>,
        rng: &mut Rng,
        played: &mut Played,
    ) -> Option<Outcome> {
        let mut squares = [0; 2];
        let note = |mover: usize, bit| squares[mover & 1] |= bit;
        let (own, other, mover) = lanes::widest(Game { state, rng, note });
        Some(end_noting::<SIZE>(own, other, mover, squares, played))
    }

    fn side_by_side(&self) -> usize {
        64
    }

    fn play_side_by_side(
        &self,
        positions: &[&OthelloBoard<SIZE>],
        rng: &mut Rng,
        outcomes: &mut [Outcome],
        played: &mut [Played],
    ) {
        lanes::play(Games::<SIZE>::default(), positions, rng, |games, lane, index| {
            let mover = (games.white[lane] & 1) as usize;
            let (own, other) = (games.own[lane], games.other[lane]);
            outcomes[index] = match played.get_mut(index) {
                None => end_rollout::<SIZE>(own, other, mover),
                Some(played) => {
                    let squares = games.squares.map(|squares| squares[lane]);
                    end_noting::<SIZE>(own, other, mover, squares, played)
                }
            };
        });
    }
}

/// A game until the last few squares, or to its end.
struct Game<'a, const SIZE: usize, N> {
    state: &'a OthelloBoard<SIZE>,
    rng: &'a mut Rng,
    /// Gets the player and the bit of each square.
    note: N,
}

impl<const SIZE: usize, N: FnMut(usize, u64)> Work for Game<'_, SIZE, N> {
    /// The discs of the side to move, those of the other one, and the mover.
    type Output = (u64, u64, usize);

    #[inline(always)]
    fn run(self) -> (u64, u64, usize) {
        let Self { state, rng, mut note } = self;
        let (mut side, mut mover) = (Side::of(state), usize::from(state.mover & 1));
        let mut left = empty(state);
        while left > PLAYED_BEST {
            let (bit, next) = side.draw_alone::<SIZE>(random(rng));
            if bit | next.legal == 0 {
                break;
            }
            note(mover, bit);
            left -= u32::from(bit != 0);
            (side, mover) = (next, mover ^ 1);
        }
        (side.own, side.other, mover)
    }
}

/// Ends a rollout in which these squares have been played by each player, and notes all.
fn end_noting<const SIZE: usize>(
    own: u64,
    other: u64,
    mover: usize,
    mut squares: [u64; 2],
    played: &mut Played,
) -> Outcome {
    let note = |mover: usize, square: usize| squares[mover & 1] |= 1 << square;
    let outcome = play_out::<SIZE>(own, other, mover, note);
    for (player, squares) in squares.into_iter().enumerate() {
        played.note_all(player, 0, squares);
    }
    outcome
}

/// The number of empty squares.
fn empty<const SIZE: usize>(state: &OthelloBoard<SIZE>) -> u32 {
    (OthelloBoard::<SIZE>::BOARD & !(state.own | state.other)).count_ones()
}

/// The random bits of a move.
#[inline(always)]
fn random(rng: &mut Rng) -> [u64; 2] {
    [rng.next_u64(), rng.next_u64()]
}

/// A position as the side to move sees it.
#[derive(Clone, Copy)]
struct Side {
    own: u64,
    other: u64,
    /// The squares where it can place a disc.
    legal: u64,
}

impl Side {
    #[inline(always)]
    fn of<const SIZE: usize>(state: &OthelloBoard<SIZE>) -> Self {
        let OthelloBoard { own, other, legal, .. } = *state;
        Self { own, other, legal }
    }

    /// Draws four times from the candidates, and plays what leaves the fewest answers: its bit, and
    /// what the other side sees then. Without a candidate that is a pass: no bit is set.
    #[inline(always)]
    fn draw<const SIZE: usize>(self, random: [u64; 2]) -> (u64, Self) {
        let squares = candidates::<SIZE>(self.legal, self.own | self.other);
        let a = self.try_out::<SIZE>(squares, random[0]);
        let b = self.try_out::<SIZE>(squares, random[0] >> 32);
        let c = self.try_out::<SIZE>(squares, random[1]);
        let d = self.try_out::<SIZE>(squares, random[1] >> 32);
        let Tried { bit, after, .. } = a.or_better(b).or_better(c.or_better(d));
        (bit, after)
    }

    /// The same, with the draws in the lanes of a vector: for one game alone.
    #[inline(always)]
    fn draw_alone<const SIZE: usize>(self, random: [u64; 2]) -> (u64, Self) {
        let squares = candidates::<SIZE>(self.legal, self.own | self.other);
        let random = [random[0], random[0] >> 32, random[1], random[1] >> 32];
        let [mut bit, mut own, mut other, mut legal, mut answers] = [[0; 4]; 5];
        for (lane, random) in random.into_iter().enumerate() {
            let tried = self.try_out::<SIZE>(squares, random);
            bit[lane] = tried.bit;
            (own[lane], other[lane]) = (tried.after.own, tried.after.other);
            (legal[lane], answers[lane]) = (tried.after.legal, tried.answers);
        }
        let best = (1..4).fold(0, |best, at| if answers[at] < answers[best] { at } else { best });
        (bit[best], Self { own: own[best], other: other[best], legal: legal[best] })
    }

    /// Places a disc on one of these squares.
    #[inline(always)]
    fn try_out<const SIZE: usize>(self, squares: u64, random: u64) -> Tried {
        let bit = lanes::random_bit(squares, random);
        let turned = flips_of(bit, self.own, self.other);
        let (own, other) = (self.other ^ turned, self.own | turned | bit);
        let legal = mobility(own, other) & OthelloBoard::<SIZE>::BOARD;
        let answers = lanes::count(legal) + CORNER * count_corners::<SIZE>(legal);
        Tried { bit, after: Self { own, other, legal }, answers: answers << 57 }
    }
}

/// How many of the corners are among the squares.
#[inline(always)]
fn count_corners<const SIZE: usize>(squares: u64) -> u64 {
    let last = const { SIZE as u32 - 1 };
    let left = const { corners(SIZE) & BYTES };
    let rows = (squares & left) + (squares >> last & left);
    (rows + (rows >> (8 * last))) & 7
}

/// A move that was tried.
#[derive(Clone, Copy)]
struct Tried {
    bit: u64,
    after: Side,
    /// How many answers the other side has, and how good they are. That is below 64, and stands in
    /// the upper seven bits, so that the compiler does not know of a sign that there is none.
    answers: u64,
}

impl Tried {
    /// Without a jump.
    #[inline(always)]
    fn or_better(self, other: Self) -> Self {
        let better = less(other.answers, self.answers);
        let after = Side {
            own: pick(better, self.after.own, other.after.own),
            other: pick(better, self.after.other, other.after.other),
            legal: pick(better, self.after.legal, other.after.legal),
        };
        let answers = pick(better, self.answers, other.answers);
        Self { bit: pick(better, self.bit, other.bit), after, answers }
    }
}

/// Of the squares where the side to move can place a disc, those that a rollout draws from, the
/// first of these that there are: corners; squares that are not next to a corner that is empty,
/// from where the other side may take it; all.
#[inline(always)]
fn candidates<const SIZE: usize>(legal: u64, taken: u64) -> u64 {
    let corners = const { corners(SIZE) };
    first_some([legal & corners, legal & !around(corners & !taken), legal])
}

/// Games, at most one in each lane: a lane without a game has no discs.
#[derive(Default)]
struct Games<const SIZE: usize> {
    /// Discs of the side to move.
    own: Words,
    /// Discs of the other side.
    other: Words,
    /// Squares where the side to move can place a disc.
    legal: Words,
    /// The number of empty squares; no less than a rollout leaves to the search.
    left: Words,
    /// All bits set if White is to move.
    white: Words,
    /// Squares on which each player has placed a disc since the start.
    squares: [Words; 2],
}

impl<const SIZE: usize> Games<SIZE> {
    #[inline(always)]
    fn put(&mut self, lane: usize, side: Side) {
        (self.own[lane], self.other[lane], self.legal[lane]) = (side.own, side.other, side.legal);
    }
}

impl<const SIZE: usize> SideBySide<OthelloBoard<SIZE>> for Games<SIZE> {
    #[inline(always)]
    fn set_up(&mut self, lane: usize, position: &OthelloBoard<SIZE>) {
        let (left, white) = (empty(position), u64::from(position.mover).wrapping_neg());
        self.put(lane, Side::of(position));
        self.left[lane] = u64::from(left.max(PLAYED_BEST));
        self.white[lane] = white;
        self.squares[0][lane] = 0;
        self.squares[1][lane] = 0;
        if left <= PLAYED_BEST {
            // Nothing is to be drawn: the other side passes, and the lane has ended.
            self.put(lane, Side { own: position.other, other: position.own, legal: 0 });
            self.white[lane] = !white;
        }
    }

    /// Until the last few squares, or the end of the game.
    #[inline(always)]
    fn advance(&mut self, rng: &mut LaneRng) -> Words {
        let mut over = [0; LANES];
        for (lane, over) in over.iter_mut().enumerate() {
            let (own, other, legal) = (self.own[lane], self.other[lane], self.legal[lane]);
            let white = self.white[lane];
            let random = [rng.next(lane), rng.next(lane)];
            let (bit, next) = Side { own, other, legal }.draw::<SIZE>(random);
            let left = self.left[lane] - u64::from(bit != 0);
            self.squares[0][lane] |= bit & !white;
            self.squares[1][lane] |= bit & white;
            self.put(lane, next);
            self.white[lane] = !white;
            self.left[lane] = left;
            let stuck = bit | next.legal == 0 && own | other != 0;
            *over = u64::from(stuck | (left == u64::from(PLAYED_BEST)));
        }
        over
    }

    #[inline(always)]
    fn take_down(&mut self, lane: usize) {
        self.put(lane, Side { own: 0, other: 0, legal: 0 });
        self.left[lane] = u64::MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::{OthelloRollouts, Side, candidates};
    use crate::game::{GameState, Outcome, Played, RolloutPolicy, random_move};
    use crate::games::lanes::random_bit;
    use crate::games::othello::{Othello, OthelloBoard, Placement};
    use crate::rng::Rng;

    /// The result with best play.
    fn best<const SIZE: usize>(state: &OthelloBoard<SIZE>) -> Outcome {
        let (mover, shown) = (state.mover(), state.foreseen());
        match shown.map(|shown| shown.score()) {
            Some(0.0) => Outcome::Win(1 - mover),
            Some(0.5) => Outcome::Draw,
            Some(_) => Outcome::Win(mover),
            None => state.outcome().expect("few squares are empty, or the game is over"),
        }
    }

    /// Whatever way a rollout is played: from the last few squares it ends as best play does, with
    /// moves by which that comes about. Returns how many positions were seen.
    fn last_squares_are_played_best<const SIZE: usize>(games: usize) -> usize {
        let (mut rng, mut moves, mut seen) = (Rng::from_seed(5), Vec::new(), 0);
        let empty = |state: &OthelloBoard<SIZE>| {
            (OthelloBoard::<SIZE>::BOARD & !(state.own | state.other)).count_ones()
        };
        for _ in 0..games {
            let mut state = OthelloBoard::<SIZE>::new();
            while let Some(mv) = random_move(&state, &mut rng, &mut moves) {
                if empty(&state) <= 3 {
                    seen += 1;
                    let expected = best(&state);
                    let next = OthelloRollouts.next_move(&state, &mut rng, &mut moves).unwrap();
                    assert_eq!(best(&state.apply(&next)), expected, "{next:?} in {state:?}");
                    assert_eq!(OthelloRollouts.play(&state, &mut rng), Some(expected), "{state:?}");

                    let new = || Played::new(2, 64);
                    let mut noted = new();
                    let outcome = OthelloRollouts.play_noting(&state, &mut rng, &mut noted);
                    assert_eq!(outcome, Some(expected), "{state:?}");
                    let first = next.square();
                    assert!(first.is_none_or(|square| noted.has(state.mover(), square)));

                    let mut all = [new(), new(), new()];
                    let mut outcomes = [Outcome::Failed; 3];
                    let positions = [&state; 3];
                    OthelloRollouts.play_side_by_side(
                        &positions,
                        &mut rng,
                        &mut outcomes,
                        &mut all,
                    );
                    assert_eq!(outcomes, [expected; 3], "{state:?}");
                    for played in &all {
                        for player in 0..2 {
                            let same = |code| played.has(player, code) == noted.has(player, code);
                            assert!((0..64).all(same), "{state:?}");
                        }
                    }
                    OthelloRollouts.play_side_by_side(&positions, &mut rng, &mut outcomes, &mut []);
                    assert_eq!(outcomes, [expected; 3], "{state:?}");
                }
                state.apply_in_place(&mv);
            }
        }
        seen
    }

    #[test]
    fn the_last_squares_are_played_best() {
        assert!(last_squares_are_played_best::<8>(100) > 250);
        assert!(last_squares_are_played_best::<6>(100) > 100);
        assert!(last_squares_are_played_best::<4>(100) > 100);
    }

    #[test]
    fn rollouts_take_corners_and_leave_the_squares_beside_empty_ones() {
        let bits = |squares: &[usize]| squares.iter().map(|square| 1u64 << square).sum::<u64>();
        let [a1, b1, b2, d3, h8, g8, g7] = [0, 1, 9, 19, 63, 62, 54];
        for (legal, taken, expected) in [
            (&[a1, b1, d3, h8][..], &[][..], &[a1, h8][..]),
            (&[b1, b2, d3, g7, g8], &[], &[d3]),
            (&[b1, b2, d3, g7, g8], &[a1], &[b1, b2, d3]),
            (&[b1, g8], &[], &[b1, g8]),
            (&[], &[a1], &[]),
        ] {
            assert_eq!(candidates::<8>(bits(legal), bits(taken)), bits(expected), "{legal:?}");
        }
        // On four by four all squares of the edge are beside a corner.
        assert_eq!(candidates::<4>(bits(&[1, 2, 8, 10]), 0), bits(&[1, 2, 8, 10]));
    }

    /// What is drawn from the candidates, and what the other side sees then, are those of the game.
    #[test]
    fn of_four_draws_the_one_with_the_fewest_answers_is_played() {
        let (mut rng, mut moves, mut differ) = (Rng::from_seed(7), Vec::new(), 0);
        let corners = [0, 7, 56, 63].map(|square| 1u64 << square).iter().sum::<u64>();
        for _ in 0..20 {
            let mut state = Othello::new();
            while let Some(mv) = random_move(&state, &mut rng, &mut moves) {
                let random = [rng.next_u64(), rng.next_u64()];
                let (bit, side) = Side::of(&state).draw::<8>(random);
                let square = bit.trailing_zeros() as u8;
                let after =
                    state.apply(&if bit == 0 { Placement::PASS } else { Placement(square) });
                if after.legal != 0 {
                    assert_eq!(
                        [side.own, side.other, side.legal],
                        [after.own, after.other, after.legal]
                    );
                }
                let (alone, seen) = Side::of(&state).draw_alone::<8>(random);
                let same = [seen.own, seen.other, seen.legal] == [side.own, side.other, side.legal];
                assert!(alone == bit && same, "{alone:#x}, {bit:#x} in {state:?}");
                let squares = candidates::<8>(state.legal, state.own | state.other);
                let drawn = [random[0], random[0] >> 32, random[1], random[1] >> 32];
                let answers = drawn.map(|random| {
                    let square = random_bit(squares, random).trailing_zeros().min(64) as u8;
                    let legal = state.apply(&Placement(square)).legal;
                    legal.count_ones() + 4 * (legal & corners).count_ones()
                });
                let least = side.legal.count_ones() + 4 * (side.legal & corners).count_ones();
                assert_eq!(answers.iter().min(), Some(&least), "{answers:?} in {state:?}");
                differ += usize::from(answers[0] != least);
                state.apply_in_place(&mv);
            }
        }
        assert!(differ > 300, "{differ}");
    }
}
