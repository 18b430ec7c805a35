//! How a search plays Connect Four out: one game after the other, or side by side.
//!
//! A side that can make four does so at once, else it takes a square where the other one would make
//! four next, else it draws a column: decisive and anti-decisive moves (F. Teytaud and O. Teytaud:
//! *On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search Algorithms*, 2010). What that
//! is worth stands in docs/measurements/rollouts.md.

use crate::game::{GameState, MoveCodes, MoveCoding, Outcome, Played, RolloutPolicy};
use crate::games::bits::{Digits, random_bit, select};
use crate::games::lanes::{self, LANES, LaneRng, SideBySide, Words};
use crate::rng::Rng;

use super::evaluation::completions;
use super::{BOARD, BOTTOM, Column, ConnectFour, STRIDE, WIDTH};

/// Fewer games than this are played one after the other: a game is so short that a lane which has
/// none left costs more than the others gain.
const FEWEST: usize = 12;

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
        let square = match forced(fours, landings) {
            0 => random_bit(landings, rng),
            square => square.trailing_zeros() as usize,
        };
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
        if positions.len() < FEWEST {
            for (position, outcome) in positions.iter().zip(outcomes) {
                *outcome = play_one(position, rng);
            }
            return;
        }
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

/// The lowest of the landing squares on which the side to move makes four, else of those on which
/// the other side does; none if there is neither. `fours` are all such squares of each.
#[inline(always)]
fn forced((own, other): (u64, u64), landings: u64) -> u64 {
    let (wins, threats) = (own & landings, other & landings);
    let squares = if wins != 0 { wins } else { threats };
    squares & squares.wrapping_neg()
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
            let mut landing = forced(fours, landings);
            if landing == 0 {
                let drawn = digits.below(landings.count_ones());
                landing = 1 << select(landings, drawn as usize);
            }
            (own, all) = (own | landing, all | landing);
            fours = (fours.1, completions(own));
            own ^= all;
            mover ^= 1;
        }
    }
    Outcome::Draw
}

/// Columns drawn from one random number of 32 bits: a bias below 2^-20.
const DRAWS: usize = 4;

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
        let mut over = [0; LANES];
        for (lane, over) in over.iter_mut().enumerate() {
            let (mut own, mut all, mut going) = (self.own[lane], self.all[lane], self.going[lane]);
            let mut fours = (self.own_fours[lane], self.other_fours[lane]);
            let mut random = rng.next(lane);
            for _ in 0..DRAWS {
                random = (random & 0xffff_ffff) * WIDTH as u64;
                let bottom = 1 << ((STRIDE as u64 * (random >> 32)) & 63);
                let landings = (all + BOTTOM) & BOARD;
                // Nothing if the column is full: it is drawn again then.
                let drawn = (all + bottom) & landings;
                let forced = forced(fours, landings);
                let landing = if forced != 0 { forced } else { drawn } & going;
                let mine = own | landing;
                all |= landing;
                going = if fours.0 & landings != 0 { 0 } else { going };
                let passes_on = if landing != 0 { going } else { 0 };
                own = mine ^ all & passes_on;
                let made = completions(mine);
                fours = if passes_on != 0 { (fours.1, made) } else { (made, fours.1) };
            }
            (self.own[lane], self.all[lane], self.going[lane]) = (own, all, going);
            (self.own_fours[lane], self.other_fours[lane]) = fours;
            *over = u64::from(going == 0 && all != 0 || all == BOARD);
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
    use super::ConnectFourRollouts;
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
