//! UCB1: the mean plus a bonus for branches that were seldom tried.
//!
//! `score = q + c * sqrt(ln N / n)`, with `q` the branch's mean score, `n` its visits and
//! `N` the visits of all branches.
//!
//! P. Auer, N. Cesa-Bianchi and P. Fischer: Finite-time Analysis of the Multiarmed Bandit
//! Problem, Machine Learning 47 (2002), where c is the square root of 2; in trees:
//! L. Kocsis and C. Szepesvári: Bandit Based Monte-Carlo Planning, ECML 2006.

use super::ln;

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

/// The scores of all branches.
#[inline]
pub(super) fn scores(factor: f32, visits: &[f32], means: &[f32], scores: &mut [f32]) {
    for ((score, &visits), &mean) in scores.iter_mut().zip(visits).zip(means) {
        *score = self::score(factor, visits, mean);
    }
}

/// The visits after which the score of a branch falls to `level`: `factor / (level - q)^2 - n`,
/// at least 0, and infinite if it never does.
#[inline]
pub(super) fn visits_to(level: f32, factor: f32, visits: f32, mean: f32) -> f32 {
    let gap = level - mean;
    if gap > 0.0 { (factor / (gap * gap) - visits).max(0.0) } else { f32::INFINITY }
}
