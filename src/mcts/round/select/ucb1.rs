//! UCB1: the mean plus a bonus for branches that were seldom tried.
//!
//! `score = q + c * sqrt(ln N / n)`, with `q` the branch's mean score, `n` its visits and
//! `N` the visits of all branches.
//!
//! P. Auer, N. Cesa-Bianchi and P. Fischer: Finite-time Analysis of the Multiarmed Bandit
//! Problem, Machine Learning 47 (2002), where c is the square root of 2; in trees:
//! L. Kocsis and C. Szepesvári: Bandit Based Monte-Carlo Planning, ECML 2006.

use super::branches::Branches;
use super::lanes::Lanes;
use super::level::Falling;
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

/// UCB1 with this [`factor`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Ucb1(pub(super) f32);

impl Falling for Ucb1 {
    #[inline]
    fn score(self, visits: f32, mean: f32, _: f32) -> f32 {
        score(self.0, visits, mean)
    }

    /// `factor / (level - q)^2 - n` if that is more than 0. The level is above the mean, or the
    /// branch was never tried, and then this takes none of its visits.
    #[inline]
    fn visits_to(self, level: f32, visits: f32, mean: f32, _: f32) -> (f32, f32) {
        let inverse = 1.0 / (level - mean);
        let most = self.0 * inverse * inverse;
        let some = (most > visits) & (visits != UNTRIED);
        if some { (most - visits, 2.0 * most * inverse) } else { (0.0, 0.0) }
    }

    /// The score falls to `other` at `n = factor / (other - q)^2`.
    #[inline]
    fn lead(self, other: f32, visits: f32, mean: f32, _: f32) -> Option<f32> {
        let gap = other - mean;
        (gap > 0.0).then(|| self.0 / (gap * gap) - visits)
    }
}
