//! The level to which the scores of all branches fall when many visits are given at once.

use super::branches::Branches;
use super::lanes::{LANES, higher, highest, sum};

/// A bonus that falls with every visit of its branch, by a formula that can be solved for the
/// visits. Each branch has its visits, its mean, and a second number that the policy goes by.
pub(super) trait Falling: Copy {
    /// The mean with the bonus.
    fn score(self, visits: f32, mean: f32, second: f32) -> f32;

    /// The further visits after which the score has fallen to `level`, and by how much fewer they
    /// are for each unit that the level is higher.
    fn visits_to(self, level: f32, visits: f32, mean: f32, second: f32) -> (f32, f32);

    /// The further visits after which the score is no longer above `other`; `None` if it always is.
    fn lead(self, other: f32, visits: f32, mean: f32, second: f32) -> Option<f32>;
}

/// The highest score that a branch would fall to if it got `count` visits.
#[inline]
pub(super) fn highest_after(count: f32, bonus: impl Falling, groups: &[Branches]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for Branches { visits, means, seconds, .. } in groups {
        for lane in 0..LANES {
            let score = bonus.score(visits[lane] + count, means[lane], seconds[lane]);
            lanes[lane] = higher(lanes[lane], score);
        }
    }
    highest(&lanes).1
}

/// The visits after which the scores of all branches have fallen to `level`, and by how much
/// fewer they are for each unit that the level is higher.
#[inline]
pub(super) fn visits_to<'a>(
    level: f32,
    bonus: impl Falling,
    groups: impl Iterator<Item = &'a Branches>,
) -> (f32, f32) {
    let (mut sums, mut slopes) = ([0.0; LANES], [0.0; LANES]);
    for Branches { visits, means, seconds, .. } in groups {
        for lane in 0..LANES {
            let (some, slope) = bonus.visits_to(level, visits[lane], means[lane], seconds[lane]);
            sums[lane] += some;
            slopes[lane] += slope;
        }
    }
    (sum(sums), sum(slopes))
}
