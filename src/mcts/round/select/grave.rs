//! GRAVE: the mean of a branch, blended with what its move is worth as a later one.
//!
//! `(1 - b) q + b a` with `b = m / (m + n + bias m n)`: `q` is the mean of the branch's `n` visits,
//! `a` that of the `m` rollouts in which the side to move played its move now or later.
//!
//! T. Cazenave: Generalized Rapid Action Value Estimation, IJCAI 2015; the weight `b` is that of S.
//! Gelly and D. Silver: Monte-Carlo Tree Search and Rapid Action Value Estimation in Computer Go,
//! Artificial Intelligence 175 (2011).

use crate::mcts::tree::later_moves::POINT;

use super::branches::{Branches, LEFT_OUT};
use super::lanes::{LANES, Lanes, higher};

/// What is known of the moves of some branches as later ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amaf {
    /// Rollouts in which the side to move played the move.
    pub(super) rollouts: Lanes,
    /// The sum of their scores.
    pub(super) points: Lanes,
}

impl Amaf {
    /// Of each of some moves, no more than there are lanes. A plain loop, which needs no link-time
    /// optimization to be fast.
    #[inline(always)]
    pub(super) fn of<M>(moves: &[M], known: &impl Fn(&M) -> (u32, u32)) -> Self {
        let mut amaf = Self { rollouts: [0.0; LANES], points: [0.0; LANES] };
        for (lane, mv) in moves.iter().enumerate().take(LANES) {
            let (rollouts, points) = known(mv);
            amaf.rollouts[lane] = rollouts as f32;
            amaf.points[lane] = points as f32 * TO_SCORE;
        }
        amaf
    }
}

/// From the points of a table to a score.
const TO_SCORE: f32 = 1.0 / POINT as f32;

/// The exploration constant, at least, by which simulations that reach a node together are divided
/// among its branches: without a bonus that falls with every visit all of them would take the same
/// one.
pub(super) const SPREAD: f64 = 0.1;

/// What a branch is worth if nothing is known of it: it comes first.
const FIRST: f32 = 1.0;

/// Blends the means of some branches, and counts one visit more for each, so that UCB1 goes on with
/// branches that were never tried.
#[inline]
pub(super) fn blend(bias: f32, branches: &mut Branches, amaf: &Amaf) {
    for lane in 0..LANES {
        let (mean, visits) = (branches.means[lane], branches.visits[lane]);
        let (rollouts, points) = (amaf.rollouts[lane], amaf.points[lane]);
        // q + b (a - q) with one division, where a is points / rollouts.
        let divisor = rollouts + visits + bias * rollouts * visits;
        let blended = mean + (points - rollouts * mean) / higher(divisor, 1.0);
        let blended = if rollouts + visits > 0.0 { blended } else { FIRST };
        branches.means[lane] = if mean > LEFT_OUT { blended } else { LEFT_OUT };
        branches.visits[lane] = visits + 1.0;
    }
}

/// The scores of some branches without a bonus: the means, and of several that are worth nothing
/// the one with fewest visits.
#[inline]
pub(super) fn scores(branches: &Branches) -> Lanes {
    /// Too little for any other mean to notice.
    const PER_VISIT: f32 = 1e-30;
    let mut scores = branches.means;
    for (lane, score) in scores.iter_mut().enumerate() {
        *score -= PER_VISIT * branches.visits[lane];
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::{Amaf, FIRST, POINT, blend, scores};
    use crate::mcts::round::select::branches::{Branches, Four, LEFT_OUT};
    use crate::mcts::round::select::lanes::LANES;

    #[test]
    fn means_are_blended_as_the_paper_says() {
        let mut branches = Branches::of(Four::NONE, Four::NONE);
        // Visits, mean, rollouts and their points; the last lanes are left out.
        let cases = [
            (10.0, 0.25, 40, 30 * POINT),
            (0.0, 0.5, 32, 8 * POINT),
            (7.0, 0.75, 0, 0),
            (0.0, 0.5, 0, 0),
        ];
        let known = cases.map(|(.., rollouts, points)| (rollouts, points));
        for (lane, (visits, mean, ..)) in cases.into_iter().enumerate() {
            (branches.visits[lane], branches.means[lane]) = (visits, mean);
        }
        blend(1e-3, &mut branches, &Amaf::of(&known, &|known: &(u32, u32)| *known));
        let weight = 40.0 / (40.0 + 10.0 + 1e-3 * 400.0);
        let first = (1.0 - weight) * 0.25 + weight * 0.75;
        let expected = [first, 0.25, 0.75, FIRST];
        for (mean, expected) in branches.means.iter().zip(expected) {
            assert!((mean - expected).abs() < 1e-6, "{mean} and not {expected}");
        }
        assert_eq!(branches.means[4..], [LEFT_OUT; LANES - 4]);
        assert_eq!(branches.visits[..4], [11.0, 1.0, 8.0, 1.0]);
        let mut worthless = branches;
        worthless.means[..3].fill(0.0);
        let scores = scores(&worthless);
        assert!(scores[1] > scores[2] && scores[2] > scores[0] && scores[3] == FIRST);
        assert_eq!(scores[4..], [LEFT_OUT; LANES - 4]);
    }
}
