//! Statistics beyond one mean score: what the further planes of a node hold.
//!
//! A node holds the score of its side to move. That is all there is to know in a game of one or two
//! players under UCB1. UCB1-Tuned wants the mean square as well, and with three and more players
//! each player's score is wanted on its own. These lie in planes beside the nodes and edges, so
//! that a search that does not need them does not pay for them.
//!
//! - up to two players, squares: one plane, the squared score of the side to move;
//! - more players: one plane for each player's score, and with squares one more for each.

use crate::game::Outcome;

use super::value::{DrawScores, ONE, to_fixed};

/// Which planes a search keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneLayout {
    players: usize,
    squares: bool,
    count: usize,
}

impl PlaneLayout {
    pub(crate) fn new(players: usize, squares: bool) -> Self {
        let scores = if players > 2 { players } else { 0 };
        let count = scores + if squares { scores.max(1) } else { 0 };
        Self { players, squares, count }
    }

    /// The layout of a game of `players` players in which there are `count` planes.
    pub(crate) fn of_count(players: usize, count: usize) -> Self {
        let scores = if players > 2 { players } else { 0 };
        Self { players, squares: count > scores, count }
    }

    /// The number of planes.
    #[inline]
    pub(crate) fn count(self) -> usize {
        self.count
    }

    /// Adds the result of a game to sums of planes, as `viewer` sees it.
    pub(crate) fn add_outcome(
        self,
        draws: DrawScores,
        outcome: &Outcome,
        viewer: usize,
        sums: &mut [u64],
    ) {
        let score = |player| draws.score(outcome, player);
        let square = |player| u64::from(to_fixed(score(player).powi(2)));
        if self.players <= 2 {
            if self.squares {
                sums[0] += square(viewer);
            }
            return;
        }
        for player in 0..self.players {
            sums[player] += u64::from(draws.fixed(outcome, player));
            if self.squares {
                sums[self.players + player] += square(player);
            }
        }
    }

    /// Turns the mean planes of a node whose side to move has the mean `score` into what the
    /// other one of two players sees.
    pub(crate) fn flip(self, score: u32, means: &mut [u64]) {
        if self.players == 2 && self.squares {
            // The mean of (1 - r)^2 is 1 - 2 mean(r) + mean(r^2).
            means[0] = (u64::from(ONE) + means[0]).saturating_sub(2 * u64::from(score));
        }
    }

    /// The plane that holds the score of `player`, with three and more players.
    #[inline]
    pub(crate) fn score_plane(self, player: usize) -> Option<usize> {
        (self.players > 2).then_some(player)
    }

    /// The plane that holds the mean square for `player`, if squares are kept.
    #[inline]
    pub(crate) fn square_plane(self, player: usize) -> Option<usize> {
        self.squares.then_some(if self.players > 2 { self.players + player } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::PlaneLayout;
    use crate::game::{Outcome, Scores};
    use crate::mcts::tree::value::{DrawScores, ONE, to_fixed};

    #[test]
    fn squares_turn_over_with_the_point_of_view() {
        let layout = PlaneLayout::new(2, true);
        let outcome = Outcome::Scores(Scores::new(&[0.25, 0.75]).unwrap());
        let (mut mine, mut theirs) = ([0], [0]);
        let draws = DrawScores::new(2, 0, 0.0);
        layout.add_outcome(draws, &outcome, 0, &mut mine);
        layout.add_outcome(draws, &outcome, 1, &mut theirs);
        layout.flip(to_fixed(0.25), &mut mine);
        assert_eq!(mine, theirs);
        assert_eq!(theirs[0], u64::from(ONE) * 9 / 16);
    }

    #[test]
    fn three_players_have_a_plane_each() {
        let layout = PlaneLayout::new(3, true);
        let mut sums = [0; 6];
        let draws = DrawScores::new(3, 0, 0.0);
        layout.add_outcome(draws, &Outcome::Draw, 1, &mut sums);
        layout.add_outcome(draws, &Outcome::Win(2), 1, &mut sums);
        let half = u64::from(ONE) / 2;
        assert_eq!(sums, [half, half, 3 * half, half / 2, half / 2, half / 2 + 2 * half]);
        assert_eq!((layout.score_plane(2), layout.square_plane(2)), (Some(2), Some(5)));
        assert_eq!(PlaneLayout::new(2, false).count(), 0);
    }
}
