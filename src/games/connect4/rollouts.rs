//! How a search plays Connect Four out: one game after the other, or side by side.
//!
//! A side that can make four does so at once, else it takes a square where the other one would make
//! four next: decisive and anti-decisive moves (F. Teytaud and O. Teytaud: *On the Huge Benefit of
//! Decisive Moves in Monte-Carlo Tree Search Algorithms*, 2010). Else it draws one of the columns in
//! which it does not set a stone right below a square where either side makes four: below one of the
//! other side's it would hand the game over, and below one of its own the other side takes the
//! square. So such columns stay empty until nothing else is left, as in games of good players, and
//! whose turn it is then decides (V. Allis: *A Knowledge-based Approach of Connect-Four*, 1988, on
//! zugzwang). What that is worth stands in docs/measurements/rollouts.md.

use crate::game::{GameState, MoveCodes, MoveCoding, Outcome, Played, RolloutPolicy};
use crate::games::bits::{Digits, first_some, random_bit, select};
use crate::games::lanes::{self, LANES, LaneRng, SideBySide, Words};
use crate::rng::Rng;

use super::evaluation::completions;
use super::{BOARD, BOTTOM, Column, ConnectFour, HEIGHT, STRIDE, WIDTH};

/// The rollout policy of [`ConnectFour`].
pub(super) struct ConnectFourRollouts;

impl RolloutPolicy<ConnectFour> for ConnectFourRollouts {
    #[inline]
    fn next_move(&self, state: &ConnectFour, rng: &mut Rng, _: &mut Vec<Column>) -> Option<Column> {
        let landings = state.landings();
        if state.won || landings == 0 {
            return None;
        }
        let fours = (completions(state.own), completions(state.own ^ state.all));
        let square = random_bit(candidates(fours, landings), rng);
        Some(Column((square / STRIDE) as u8))
    }

    #[inline]
    fn play(&self, state: &ConnectFour, rng: &mut Rng) -> Option<Outcome> {
        Some(play_one(state, rng))
    }

    fn side_by_side(&self) -> usize {
        64
    }

    fn play_side_by_side(
        &self,
        positions: &[&ConnectFour],
        rng: &mut Rng,
        outcomes: &mut [Outcome],
        _: &mut [Played],
    ) {
        lanes::play(Games::default(), positions, rng, |games, lane, index| {
            outcomes[index] = games.outcome(lane);
        });
    }

    fn winning_move(&self, state: &ConnectFour, _: &mut Vec<Column>) -> Option<Column> {
        let wins = completions(state.own) & state.landings();
        let square = wins.trailing_zeros() as usize;
        (wins != 0 && !state.won).then_some(Column((square / STRIDE) as u8))
    }

    /// Rollouts learn by codes by which the selection gains nothing.
    fn move_codes(&self) -> Option<MoveCoding<ConnectFour>> {
        Some(MoveCoding::of_game())
    }
}

impl MoveCodes for ConnectFour {
    const CODES: usize = 64;

    /// The square that the stone falls to.
    #[inline]
    fn move_code(&self, mv: &Column) -> usize {
        let column = STRIDE * mv.index();
        column + (self.all >> (column & 63) & ((1 << STRIDE) - 1)).trailing_ones() as usize
    }
}

/// Of the landing squares those that the side to move draws from. `fours` are all squares on which
/// each side makes four, its own first.
#[inline(always)]
fn candidates((own, other): (u64, u64), landings: u64) -> u64 {
    let safe = landings & !(other >> 1);
    first_some([own & landings, other & landings, safe & !(own >> 1), safe, landings])
}

/// How a game from here ends. The last stone is not placed if it wins.
#[inline]
fn play_one(position: &ConnectFour, rng: &mut Rng) -> Outcome {
    let (mut own, mut all) = (position.own, position.all);
    let mut fours = (completions(own), completions(own ^ all));
    let mut mover = position.mover();
    while all != BOARD {
        let mut digits = Digits::new(rng);
        // At most eight draws below seven: a bias below 2^-41.
        for _ in 0..8 {
            let landings = (all + BOTTOM) & BOARD;
            if landings == 0 {
                break;
            }
            if fours.0 & landings != 0 {
                return Outcome::Win(mover);
            }
            let squares = candidates(fours, landings);
            let drawn = digits.below(squares.count_ones());
            let landing = 1 << select(squares, drawn as usize);
            (own, all) = (own | landing, all | landing);
            fours = (fours.1, completions(own));
            own ^= all;
            mover ^= 1;
        }
    }
    Outcome::Draw
}

/// Moves drawn from one random number of 32 bits: a bias below 2^-20.
const DRAWS: usize = 4;

/// The place above each column, which no stone takes.
const TOP: u64 = BOTTOM << HEIGHT;

/// One of the squares, which are in columns of their own, by a number below 2^32; what is left of
/// it is uniform as well. Nothing if there is no square.
#[inline(always)]
fn draw(squares: u64, random: &mut u64) -> u64 {
    // In the places of each column: the number of squares up to it, at most seven.
    let sums = in_sum(((squares + BOARD) & TOP) >> HEIGHT);
    *random *= sums >> (STRIDE * (WIDTH - 1));
    let drawn = *random >> 32;
    *random &= 0xffff_ffff;
    // The top place of a column is set where the number is above the one that was drawn.
    let above = (sums + in_sum(63 - drawn)) & TOP;
    let first = above & above.wrapping_neg();
    squares & (first - (first >> HEIGHT))
}

/// In the places of each column: the sum of what is in those up to it.
#[inline(always)]
fn in_sum(columns: u64) -> u64 {
    let two = columns + (columns << STRIDE);
    let four = two + (two << (2 * STRIDE));
    four.wrapping_add(four << (4 * STRIDE)) & (BOARD | TOP)
}

/// Games, at most one in each lane: a lane without a game has no stones.
#[derive(Default)]
struct Games {
    /// Stones of the side to move; once it has won, of the winner.
    own: Words,
    /// All stones.
    all: Words,
    /// All bits set until one side has won.
    going: Words,
    /// Squares, taken or not, on which the side to move makes four.
    own_fours: Words,
    /// The same of the other side.
    other_fours: Words,
}

impl Games {
    /// How a game has ended.
    #[inline(always)]
    fn outcome(&self, lane: usize) -> Outcome {
        if self.going[lane] != 0 {
            return Outcome::Draw;
        }
        // The first player has placed the stones of odd number.
        Outcome::Win(usize::from(self.all[lane].count_ones().is_multiple_of(2)))
    }
}

impl SideBySide<ConnectFour> for Games {
    #[inline(always)]
    fn set_up(&mut self, lane: usize, position: &ConnectFour) {
        (self.own[lane], self.all[lane], self.going[lane]) = (position.own, position.all, u64::MAX);
        self.own_fours[lane] = completions(position.own);
        self.other_fours[lane] = completions(position.own ^ position.all);
    }

    #[inline(always)]
    fn advance(&mut self, rng: &mut LaneRng) -> Words {
        let mut random = [0; LANES];
        for (lane, random) in random.iter_mut().enumerate() {
            *random = rng.next(lane) & 0xffff_ffff;
        }
        for _ in 0..DRAWS {
            // The loop over the lanes is the inner one: that is what compilers make vectors of.
            for (lane, random) in random.iter_mut().enumerate() {
                let (own, all, going) = (self.own[lane], self.all[lane], self.going[lane]);
                let fours = (self.own_fours[lane], self.other_fours[lane]);
                let landings = (all + BOTTOM) & BOARD;
                let landing = draw(candidates(fours, landings), random) & going;
                let mine = own | landing;
                let all = all | landing;
                let going = if fours.0 & landings != 0 { 0 } else { going };
                let passes_on = if landing != 0 { going } else { 0 };
                let made = completions(mine);
                let fours = if passes_on != 0 { (fours.1, made) } else { (made, fours.1) };
                (self.own[lane], self.all[lane], self.going[lane]) =
                    (mine ^ all & passes_on, all, going);
                (self.own_fours[lane], self.other_fours[lane]) = fours;
            }
        }
        let mut over = [0; LANES];
        for (lane, over) in over.iter_mut().enumerate() {
            let (all, going) = (self.all[lane], self.going[lane]);
            *over = u64::from((going == 0) & (all != 0) | (all == BOARD));
        }
        over
    }

    #[inline(always)]
    fn take_down(&mut self, lane: usize) {
        (self.own[lane], self.all[lane], self.going[lane]) = (0, 0, 0);
        (self.own_fours[lane], self.other_fours[lane]) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::{ConnectFourRollouts, DRAWS, STRIDE, draw};
    use crate::game::{GameState, Notation, Outcome, RolloutPolicy};
    use crate::games::ConnectFour;
    use crate::rng::Rng;

    /// The moves that the policy plays in a position, as text, in order and without repetition.
    fn moves_in(text: &str) -> String {
        let state = ConnectFour::parse_position(text).unwrap();
        let mut rng = Rng::from_seed(1);
        let draw = |_| ConnectFourRollouts.next_move(&state, &mut rng, &mut Vec::new()).unwrap();
        let mut moves: Vec<_> = (0..300).map(draw).map(|mv| state.move_text(&mv)).collect();
        moves.sort();
        moves.dedup();
        moves.concat()
    }

    #[test]
    fn a_win_comes_before_a_defence_and_a_defence_before_chance() {
        assert_eq!(moves_in(""), "1234567");
        // Three on three: both can make four, on 4 and on 7.
        assert_eq!(moves_in("172737"), "4");
        assert_eq!(moves_in("17273"), "4");
        assert_eq!(moves_in("112211"), "1234567", "two and two");
        // A full column.
        assert_eq!(moves_in("111111"), "234567");
    }

    #[test]
    fn no_stone_goes_below_a_four_until_nothing_else_is_left() {
        // The first player makes four on the second square of column 4: both leave the first one.
        assert_eq!(moves_in("711227353"), "123567");
        assert_eq!(moves_in("7112273536"), "123567");
    }

    #[test]
    fn each_square_is_drawn_equally_often() {
        let mut rng = Rng::from_seed(3);
        let columns = [0, 1, 3, 6];
        let squares: u64 = columns
            .iter()
            .zip([5, 0, 3, 2])
            .map(|(column, row)| 1 << (STRIDE * column + row))
            .sum();
        let mut counts = [0; 64];
        for _ in 0..10_000 {
            let mut random = rng.next_u64() >> 32;
            for _ in 0..DRAWS {
                counts[draw(squares, &mut random).trailing_zeros() as usize] += 1;
            }
        }
        // Means 10 000, standard deviations 87.
        let drawn = |square: usize| squares >> square & 1 == 1;
        let as_often = |count: i32| (9_600..10_400).contains(&count);
        assert!((0..64).all(|square| if drawn(square) {
            as_often(counts[square])
        } else {
            counts[square] == 0
        }));
        assert_eq!(draw(0, &mut u64::from(u32::MAX)), 0);
    }

    /// Games side by side end as often in each way as one after the other.
    #[test]
    fn games_end_side_by_side_as_one_after_the_other() {
        let state = ConnectFour::parse_position("4433").unwrap();
        let positions = vec![&state; 20_000];
        let mut rng = Rng::from_seed(4);
        let mut outcomes = vec![Outcome::Draw; positions.len()];
        ConnectFourRollouts.play_side_by_side(&positions, &mut rng, &mut outcomes, &mut []);
        let of = |outcomes: &[Outcome]| {
            [Outcome::Win(0), Outcome::Win(1), Outcome::Draw]
                .map(|end| outcomes.iter().filter(|&&found| found == end).count() as i32)
        };
        let side_by_side = of(&outcomes);
        outcomes.fill_with(|| super::play_one(&state, &mut rng));
        let one_by_one = of(&outcomes);
        // Standard deviation of a difference at most 100.
        let close = side_by_side.iter().zip(&one_by_one).all(|(a, b)| (a - b).abs() < 350);
        assert!(close, "{side_by_side:?} and {one_by_one:?}");
    }

    /// Whoever can make four does, one after the other and side by side.
    #[test]
    fn what_can_be_won_at_once_is_won() {
        let [first, second] =
            ["172737", "1727371"].map(|text| ConnectFour::parse_position(text).unwrap());
        assert!(first.outcome().is_none() && second.outcome().is_none());
        for count in [1, 5, 64] {
            let positions: Vec<_> = [&first, &second].into_iter().cycle().take(count).collect();
            let mut outcomes = vec![Outcome::Draw; count];
            let mut rng = Rng::from_seed(2);
            ConnectFourRollouts.play_side_by_side(&positions, &mut rng, &mut outcomes, &mut []);
            for (index, outcome) in outcomes.iter().enumerate() {
                assert_eq!(*outcome, Outcome::Win(index % 2), "{index} of {count}");
            }
        }
    }
}
