//! What the evaluations of the reference games have in common: a sum of weighted features.

use crate::evaluate::Evaluate;
use crate::game::GameState;
use crate::maths;

/// Weights are sixteenths of the unit of a value.
pub const WEIGHT_UNIT: i32 = 16;

/// The unit of the values, in log odds: a value of 100 is `ln(p / (1 - p)) = 1`, that is 73 %.
pub const LOG_ODDS: f64 = 0.01;

/// The value of a position that is as good as won: a five, a four or a runner that nothing can
/// stop. It is far above every sum of features, and below a proof.
pub(super) const WON: i32 = 3_000;

/// An evaluation that is a sum of weighted features: what one needs to fit its weights.
///
/// The example `tune` fits any of them by logistic regression to the results of games.
pub trait Tunable<G: GameState>: Evaluate<G> + Sized {
    /// What each weight stands for.
    fn names(&self) -> Vec<String>;

    /// The weights, in sixteenths of the unit of a value.
    fn weights(&self) -> &[i32];

    /// The same evaluation with other weights; `None` if their number differs.
    fn with_weights(&self, weights: &[i32]) -> Option<Self>;

    /// The features of a position, one for each weight; `None` where the value does not come
    /// from the weights, because the position is as good as won or lost.
    fn features(&self, state: &G) -> Option<Vec<i32>>;
}

/// The sum of weighted features, in the unit of a value.
#[inline]
pub(super) fn weigh(weights: &[i32], features: impl IntoIterator<Item = i32>) -> i32 {
    weights.iter().zip(features).map(|(weight, x)| weight * x).sum::<i32>() / WEIGHT_UNIT
}

/// The weights of an evaluation that has some of their own for each part of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weights<const FEATURES: usize, const PHASES: usize>(
    pub(super) [[i32; FEATURES]; PHASES],
);

impl<const FEATURES: usize, const PHASES: usize> Weights<FEATURES, PHASES> {
    /// What each weight stands for, if the features are called this.
    pub(super) fn names(names: &[&str; FEATURES]) -> Vec<String> {
        let phase = |phase: usize| {
            names.iter().map(move |name| format!("part {} of the game: {name}", phase + 1))
        };
        (0..PHASES).flat_map(phase).collect()
    }

    /// All of them, those of the first part of the game first.
    pub(super) fn all(&self) -> &[i32] {
        self.0.as_flattened()
    }

    /// Other weights in the same order; `None` if their number differs.
    pub(super) fn of(weights: &[i32]) -> Option<Self> {
        let mut all = [[0; FEATURES]; PHASES];
        if weights.len() != FEATURES * PHASES {
            return None;
        }
        all.as_flattened_mut().copy_from_slice(weights);
        Some(Self(all))
    }

    /// The features of a position in one part of the game, one for each weight.
    pub(super) fn spread(phase: usize, features: [i32; FEATURES]) -> Vec<i32> {
        let mut all = [[0; FEATURES]; PHASES];
        all[phase] = features;
        all.as_flattened().to_vec()
    }

    /// The value of the features of a position in one part of the game.
    #[inline]
    pub(super) fn value(&self, phase: usize, features: [i32; FEATURES]) -> i32 {
        weigh(&self.0[phase], features)
    }
}

/// The chance of the side to move that a value means: `1 / (1 + e^(-value / 100))`.
#[inline]
pub(super) fn logistic(value: i32) -> f64 {
    maths::logistic(LOG_ODDS * f64::from(value))
}

#[cfg(test)]
mod tests {
    use super::{WON, logistic};

    #[test]
    fn the_logistic_curve_is_that_of_the_library() {
        for value in (-3 * WON..=3 * WON).step_by(7) {
            let expected = 1.0 / (1.0 + (-f64::from(value) / 100.0).exp());
            assert!((logistic(value) - expected).abs() < 1e-10, "{value}");
        }
        assert_eq!((logistic(0), logistic(i32::MAX)), (0.5, 1.0));
        assert!(logistic(i32::MIN) < 1e-200);
    }
}
