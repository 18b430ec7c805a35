//! UCB1: the mean plus a bonus for branches that were seldom tried.
//!
//! `score = q + c * sqrt(ln N / n)`, with `q` the branch's mean score, `n` its visits and
//! `N` the visits of all branches.
//!
//! P. Auer, N. Cesa-Bianchi and P. Fischer: Finite-time Analysis of the Multiarmed Bandit
//! Problem, Machine Learning 47 (2002), where c is the square root of 2; in trees:
//! L. Kocsis and C. Szepesvári: Bandit Based Monte-Carlo Planning, ECML 2006.

use super::branches::Branches;
use super::lanes::{LANES, Lanes, higher, highest, sum};
use super::{UNTRIED, ln};

/// `c^2 ln N`, the part that is the same for all branches.
#[inline]
pub(super) fn factor(exploration: f64, total: f32) -> f32 {
    let c = exploration as f32;
    // Never 0: a branch without visits must get an infinite score, not 0 / 0.
    (c * c * ln(total)).max(f32::MIN_POSITIVE)
}

/// The score of one branch.
#[inline]
pub(super) fn score(factor: f32, visits: f32, mean: f32) -> f32 {
    mean + (factor / visits).sqrt()
}

/// The scores of some branches.
#[inline]
pub(super) fn scores(factor: f32, branches: &Branches) -> Lanes {
    let mut scores = branches.means;
    for (lane, score) in scores.iter_mut().enumerate() {
        *score = self::score(factor, branches.visits[lane], *score);
    }
    scores
}

/// The highest score that a branch would fall to if it got `count` visits.
#[inline]
pub(super) fn highest_after(count: f32, factor: f32, groups: &[Branches]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for Branches { visits, means, .. } in groups {
        for lane in 0..LANES {
            lanes[lane] = higher(lanes[lane], score(factor, visits[lane] + count, means[lane]));
        }
    }
    highest(&lanes).1
}

/// The visits after which the scores of all branches have fallen to `level`, and by how much
/// fewer they are for each unit that the level is higher.
#[inline]
pub(super) fn visits_to(level: f32, factor: f32, groups: &[Branches]) -> (f32, f32) {
    let (mut sums, mut slopes) = ([0.0; LANES], [0.0; LANES]);
    for Branches { visits, means, .. } in groups {
        for lane in 0..LANES {
            let (some, slope) = visits_of_one_to(level, factor, visits[lane], means[lane]);
            sums[lane] += some;
            slopes[lane] += slope;
        }
    }
    (sum(sums), sum(slopes))
}

/// The same for one branch: `factor / (level - q)^2 - n` if that is more than 0. The level is above
/// its mean, or it was never tried, and then this takes none of its visits.
#[inline]
pub(super) fn visits_of_one_to(level: f32, factor: f32, visits: f32, mean: f32) -> (f32, f32) {
    let inverse = 1.0 / (level - mean);
    let most = factor * inverse * inverse;
    let some = (most > visits) & (visits != UNTRIED);
    if some { (most - visits, 2.0 * most * inverse) } else { (0.0, 0.0) }
}
