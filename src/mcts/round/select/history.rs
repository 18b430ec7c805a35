//! Progressive history: UCB1 with a bonus for moves that have done well wherever they were made.
//!
//! `q + c sqrt(ln N / (n + 1)) + w a / (n (1 - q) + 1)`: `q` is the mean of the branch's `n` visits,
//! `a` what its move is worth in the tree. The bonus fades with the visits that were lost.
//!
//! J. A. M. Nijssen and M. H. M. Winands: Enhancements for Multi-Player Monte-Carlo Tree Search,
//! Computers and Games 2010.

use super::branches::{Branches, LEFT_OUT};
use super::lanes::Lanes;

/// Adds the bonus to the means of some branches, whose moves are worth `worth`, and counts one visit
/// more for each, so that UCB1 goes on with branches that were never tried.
///
/// Of several simulations that are divided at once all have the bonus of the first one.
#[inline]
pub(super) fn add(weight: f32, branches: &mut Branches, worth: &Lanes) {
    for (lane, of_move) in worth.iter().enumerate() {
        let (mean, visits) = (branches.means[lane], branches.visits[lane]);
        let with_bonus = mean + weight * of_move / (visits * (1.0 - mean) + 1.0);
        branches.means[lane] = if mean > LEFT_OUT { with_bonus } else { LEFT_OUT };
        branches.visits[lane] = visits + 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::add;
    use crate::mcts::round::select::branches::{Branches, Four, LEFT_OUT};
    use crate::mcts::round::select::lanes::LANES;

    #[test]
    fn means_have_the_bonus_of_the_paper() {
        let mut branches = Branches::of(Four::NONE, Four::NONE);
        // Visits, mean, what the move is worth; the last lanes are left out.
        let cases = [(10.0, 0.25, 0.5), (0.0, 0.5, 0.25), (7.0, 1.0, 1.0)];
        let mut worth = [0.5; LANES];
        for (lane, (visits, mean, of_move)) in cases.into_iter().enumerate() {
            (branches.visits[lane], branches.means[lane]) = (visits, mean);
            worth[lane] = of_move;
        }
        add(2.0, &mut branches, &worth);
        let expected = [0.25 + 2.0 * 0.5 / 8.5, 0.5 + 2.0 * 0.25, 1.0 + 2.0];
        for (mean, expected) in branches.means.iter().zip(expected) {
            assert!((mean - expected).abs() < 1e-6, "{mean} and not {expected}");
        }
        assert_eq!(branches.means[3..], [LEFT_OUT; LANES - 3]);
        assert_eq!(branches.visits[..3], [11.0, 1.0, 8.0]);
    }
}
