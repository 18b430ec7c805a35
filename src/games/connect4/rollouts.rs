//! Rollouts of Connect Four side by side.

use crate::game::Outcome;
use crate::games::lanes::{self, LANES, LaneRng, SideBySide, Words};
use crate::rng::Rng;

use super::{BOARD, ConnectFour, STRIDE, WIDTH, has_four};

/// Fewer games than this are played one after the other: a game is so short that a lane which has
/// none left costs more than the others gain.
const FEWEST: usize = 12;

/// A random game from each position.
pub(super) fn play(positions: &[&ConnectFour], rng: &mut Rng, outcomes: &mut [Outcome]) {
    if positions.len() < FEWEST {
        for (position, outcome) in positions.iter().zip(outcomes) {
            *outcome = position.random_end(rng);
        }
        return;
    }
    lanes::play(Games::default(), positions, rng, |games, lane, index| {
        outcomes[index] = games.outcome(lane);
    });
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
    }

    #[inline(always)]
    fn advance(&mut self, rng: &mut LaneRng) -> Words {
        let mut over = [0; LANES];
        for (lane, over) in over.iter_mut().enumerate() {
            let (mut own, mut all, mut going) = (self.own[lane], self.all[lane], self.going[lane]);
            let mut random = rng.next(lane);
            for _ in 0..DRAWS {
                random = (random & 0xffff_ffff) * WIDTH as u64;
                let bottom = 1 << ((STRIDE as u64 * (random >> 32)) & 63);
                // Nothing if the column is full: it is drawn again then.
                let landing = (all + bottom) & !all & BOARD & going;
                let mine = own | landing;
                all |= landing;
                going = if has_four(mine) { 0 } else { going };
                let passes_on = if landing != 0 { going } else { 0 };
                own = mine ^ all & passes_on;
            }
            (self.own[lane], self.all[lane], self.going[lane]) = (own, all, going);
            *over = u64::from(going == 0 && all != 0 || all == BOARD);
        }
        over
    }

    #[inline(always)]
    fn take_down(&mut self, lane: usize) {
        (self.own[lane], self.all[lane], self.going[lane]) = (0, 0, 0);
    }
}
