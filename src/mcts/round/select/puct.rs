//! PUCT: the mean plus a bonus in proportion to the prior of a branch.
//!
//! `score = q + c p sqrt(N) / (1 + n)` with `c = exploration + ln((N + growth + 1) / growth) / 2`:
//! `q` is the branch's mean score, `n` its visits, `p` its prior and `N` the visits of the node.
//! The mean of a branch without visits is `Q - reduction sqrt(P)`, with `Q` the node's mean and `P`
//! the sum of the priors of the branches with visits.
//!
//! C. D. Rosin: Multi-armed Bandits with Episode Context, 2011; D. Silver and others: A General
//! Reinforcement Learning Algorithm that Masters Chess, Shogi and Go through Self-Play, Science 362
//! (2018). The worth of a branch without visits is that of Leela Chess Zero and KataGo.

use crate::maths::ln;
use crate::mcts::config::Puct;
use crate::mcts::tree::node::Edge;

use super::branches::Branches;
use super::lanes::{LANES, Lanes};
use super::level::Falling;

/// The least that a level is above a mean: less is lost where the two are added.
const LEAST_GAP: f32 = 1e-7;

/// `c sqrt(N)`, the part that is the same for all branches.
#[inline]
pub(super) fn factor(Puct { exploration, growth, .. }: Puct, total: f32) -> f32 {
    // Before the first visit the priors count as after it.
    let total = total.max(1.0);
    let growth = growth as f32;
    let c = exploration as f32 + ln((total + growth + 1.0) / growth) / 2.0;
    c * total.sqrt()
}

/// PUCT with this [`factor`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Puct1(pub(super) f32);

impl Falling for Puct1 {
    #[inline]
    fn score(self, visits: f32, mean: f32, prior: f32) -> f32 {
        mean + self.0 * prior / (1.0 + visits)
    }

    /// `n = c p sqrt(N) / (level - q) - 1`.
    #[inline]
    fn visits_to(self, level: f32, visits: f32, mean: f32, prior: f32) -> (f32, f32) {
        let inverse = 1.0 / (level - mean).max(LEAST_GAP);
        let most = self.0 * prior * inverse;
        let some = most - 1.0 - visits;
        if some > 0.0 { (some, most * inverse) } else { (0.0, 0.0) }
    }

    #[inline]
    fn lead(self, second: f32, visits: f32, mean: f32, prior: f32) -> Option<f32> {
        let gap = second - mean;
        (gap > 0.0).then(|| self.0 * prior / gap - 1.0 - visits)
    }
}

/// The scores of some branches.
#[inline]
pub(super) fn scores(bonus: Puct1, branches: &Branches) -> Lanes {
    let mut scores = branches.means;
    for (lane, score) in scores.iter_mut().enumerate() {
        *score = bonus.score(branches.visits[lane], *score, branches.seconds[lane]);
    }
    scores
}

/// Takes the branches of these edges that were never tried to be worth less than the node.
pub(super) fn reduce(reduction: f64, groups: &mut [Branches], edges: &[Edge]) {
    let is_tried = |edge: &Edge| edge.stats().visits > 0;
    let mut tried = 0.0;
    for (group, edges) in groups.iter().zip(edges.chunks(LANES)) {
        let priors = edges.iter().zip(&group.seconds);
        tried += priors.filter(|(edge, _)| is_tried(edge)).map(|(_, &prior)| prior).sum::<f32>();
    }
    let less = reduction as f32 * tried.sqrt();
    for (group, edges) in groups.iter_mut().zip(edges.chunks(LANES)) {
        for (mean, edge) in group.means.iter_mut().zip(edges) {
            *mean -= if is_tried(edge) { 0.0 } else { less };
        }
    }
}
