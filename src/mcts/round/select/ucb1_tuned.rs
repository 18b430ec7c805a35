//! UCB1-Tuned: UCB1 whose bonus shrinks with the variance seen.
//!
//! `score = q + sqrt(ln N / n * min(1/4, V))`, `V = q2 - q^2 + sqrt(2 ln N / n)`, with `q`
//! the branch's mean score, `q2` its mean squared score, `n` its visits and `N` the visits of
//! all branches.
//!
//! P. Auer, N. Cesa-Bianchi and P. Fischer: Finite-time Analysis of the Multiarmed Bandit
//! Problem, Machine Learning 47 (2002), section 4.

use super::branches::Branches;
use super::lanes::Lanes;

/// The score of one branch; `ln_total` is `ln N`.
#[inline]
pub(super) fn score(ln_total: f32, visits: f32, mean: f32, square: f32) -> f32 {
    // Never 0 / 0: a branch without visits gets an infinite score.
    let ratio = ln_total.max(f32::MIN_POSITIVE) / visits;
    let variance = square - mean * mean + (2.0 * ratio).sqrt();
    // A mean of negative infinity (a branch left out) must not turn into "not a number".
    mean + (ratio * variance.clamp(0.0, 0.25)).sqrt()
}

/// The scores of some branches.
#[inline]
pub(super) fn scores(ln_total: f32, branches: &Branches) -> Lanes {
    let Branches { visits, means, seconds: squares, .. } = branches;
    let mut scores = *means;
    for ((score, &visits), &square) in scores.iter_mut().zip(visits).zip(squares) {
        *score = self::score(ln_total, visits, *score, square);
    }
    scores
}
