//! How weights change: Adam with decoupled decay, and a mean over the last steps.

/// Adam (Kingma and Ba 2015; the decay as Loshchilov and Hutter 2019), and the mean of the weights
/// over the last steps, which plays better than the last ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// The weights.
    pub weights: Vec<f32>,
    /// Their mean over the last steps: what plays.
    pub mean: Vec<f32>,
    /// Means of the gradients.
    pub first: Vec<f32>,
    /// Means of their squares.
    pub second: Vec<f32>,
    /// The steps done.
    pub steps: u64,
}

/// How much of the mean of the gradients stays at a step.
const FIRST: f64 = 0.9;
/// How much of the mean of their squares stays.
const SECOND: f64 = 0.999;
/// How much of a weight goes at a step of rate 1.
const DECAY: f32 = 0.01;
/// How much of the mean of the weights stays, at most.
const MEAN: f64 = 0.995;
/// The steps until the rate is whole.
const WARM_UP_STEPS: f64 = 100.0;

impl Adam {
    /// Weights to begin with.
    #[must_use]
    pub fn new(weights: Vec<f32>) -> Self {
        let none = vec![0.0; weights.len()];
        Self { mean: weights.clone(), first: none.clone(), second: none, steps: 0, weights }
    }

    /// A step against the gradient.
    ///
    /// # Panics
    /// If there is not a number for each weight.
    pub fn step(&mut self, gradient: &[f32], rate: f64) {
        assert_eq!(gradient.len(), self.weights.len(), "a number for each weight");
        self.steps += 1;
        let steps = self.steps as f64;
        let rate = rate * (steps / WARM_UP_STEPS).min(1.0);
        // Both means began at 0, and are too small by that much.
        let (first, second) = (1.0 - FIRST.powf(steps), (1.0 - SECOND.powf(steps)).sqrt());
        let step = (rate * second / first) as f32;
        let decay = 1.0 - rate as f32 * DECAY;
        let stays = MEAN.min((1.0 + steps) / (10.0 + steps)) as f32;
        let moments = self.first.iter_mut().zip(&mut self.second);
        let weights = self.weights.iter_mut().zip(&mut self.mean);
        for ((&g, (first, second)), (weight, mean)) in gradient.iter().zip(moments).zip(weights) {
            *first += (1.0 - FIRST as f32) * (g - *first);
            *second += (1.0 - SECOND as f32) * (g * g - *second);
            *weight = *weight * decay - step * *first / (second.sqrt() + 1e-8);
            *mean += (1.0 - stays) * (*weight - *mean);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Adam;

    #[test]
    fn weights_go_to_the_least_of_a_function() {
        // (w - 3)^2 and 100 (w + 1)^2: steps are as long in both.
        let mut adam = Adam::new(vec![0.0, 0.0]);
        for _ in 0..2000 {
            let [a, b] = [adam.weights[0], adam.weights[1]];
            adam.step(&[2.0 * (a - 3.0), 200.0 * (b + 1.0)], 0.01);
        }
        for (found, expected) in adam.weights.iter().chain(&adam.mean).zip([3.0, -1.0, 3.0, -1.0]) {
            assert!((found - expected).abs() < 0.05, "{found}, expected {expected}");
        }
    }

    #[test]
    fn the_mean_lags_behind() {
        let mut adam = Adam::new(vec![0.0]);
        (0..300).for_each(|_| adam.step(&[-1.0], 0.01));
        let (mean, last) = (adam.mean[0], adam.weights[0]);
        assert!(0.2 < mean && mean < last - 0.2, "{mean}, {last}");
    }
}
