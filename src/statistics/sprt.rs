//! When a match may end early: the sequential probability ratio test.

use serde::{Deserialize, Serialize};

use crate::form::{check, form};

use super::score::expected_score;

/// What stands for a result that has not been seen, in pairs: no result is impossible.
const UNSEEN: f64 = 1e-3;

/// A test of "the first side is `elo1` stronger" against "it is `elo0` stronger", to be looked
/// at after every pair of games: the generalised sequential probability ratio test.
///
/// With the mean scores `a_i` of the pairs seen and their frequencies `f_i`, and for a score `s`
/// the distribution `p_i(s)` that makes what was seen most likely among all those with mean `s`,
/// the log-likelihood ratio of `n` pairs is
///
/// ```text
///   llr = n * sum over i of f_i * ln(p_i(s1) / p_i(s0))
///   p_i(s) = f_i / (1 + x * (a_i - s)), x such that the p_i have mean s
///   s0, s1 = the scores expected at elo0, elo1
/// ```
///
/// and the test ends below `ln(beta / (1 - alpha))` or above `ln((1 - beta) / alpha)` (Wald 1945).
/// Sources: X. Li, J. Liu, Z. Ying, Generalized Sequential Probability Ratio Test for Separate
/// Families of Hypotheses, 2014; M. Van den Bergh, A Practical Introduction to the GSPRT, 2020.
/// Pairs, and not games, are what is drawn independently (the pentanomial model of Fishtest).
///
/// # Examples
/// ```
/// use playtree::statistics::{Sprt, Verdict};
///
/// let test = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
/// let pairs = [0.75, 0.5, 1.0, 0.5, 0.75].repeat(5);
/// assert_eq!(test.verdict(&pairs), Verdict::Elo1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The lower Elo difference.
    pub elo0: f64,
    /// The higher one.
    pub elo1: f64,
    /// Chance to accept `elo1` where `elo0` is right, in (0, 1/2).
    pub alpha: f64,
    /// Chance to accept `elo0` where `elo1` is right, in (0, 1/2).
    pub beta: f64,
}

/// What a [`Sprt`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The lower difference is accepted.
    Elo0,
    /// The higher difference is accepted.
    Elo1,
    /// More games are needed.
    Undecided,
}

form! {
    /// The fields.
    SprtForm of Sprt = test {
        elo0: f64 = test.elo0,
        elo1: f64 = test.elo1,
        alpha: f64 = test.alpha,
        beta: f64 = test.beta,
    }
}

impl TryFrom<SprtForm> for Sprt {
    type Error = String;

    fn try_from(form: SprtForm) -> Result<Self, String> {
        let SprtForm { elo0, elo1, alpha, beta } = form;
        check("elo1", format!("more than elo0, {elo0}"), elo1, elo0 < elo1)?;
        for (name, chance) in [("alpha", alpha), ("beta", beta)] {
            check(name, "a chance between 0 and 1/2", chance, 0.0 < chance && chance < 0.5)?;
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }
}

impl Sprt {
    /// The log-likelihood ratio at which `elo0` is accepted, and that for `elo1`.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of these pairs of games: the mean score of each, one of 0, 1/4,
    /// 1/2, 3/4 and 1. 0 without a pair.
    #[must_use]
    pub fn llr(&self, pairs: &[f64]) -> f64 {
        let mut counts = [UNSEEN; 5];
        for pair in pairs {
            counts[(pair * 4.0).round().clamp(0.0, 4.0) as usize] += 1.0;
        }
        let total: f64 = counts.iter().sum();
        let frequencies = counts.map(|count| count / total);
        let [x0, x1] = [self.elo0, self.elo1].map(|elo| {
            let mean = expected_score(elo);
            (mean, multiplier(&frequencies, mean))
        });
        let each = (0..5).map(|i| {
            let weight = |(mean, x): (f64, f64)| 1.0 + x * (level(i) - mean);
            frequencies[i] * (weight(x0) / weight(x1)).ln()
        });
        pairs.len() as f64 * each.sum::<f64>()
    }

    /// What these pairs say, in the form of [`llr`](Self::llr).
    #[must_use]
    pub fn verdict(&self, pairs: &[f64]) -> Verdict {
        let (low, high) = self.bounds();
        match self.llr(pairs) {
            llr if llr <= low => Verdict::Elo0,
            llr if llr >= high => Verdict::Elo1,
            _ => Verdict::Undecided,
        }
    }
}

/// The `i`-th score of a pair.
fn level(i: usize) -> f64 {
    i as f64 / 4.0
}

/// The `x` at which `f_i / (1 + x (a_i - mean))` has this mean, by bisection: the sum of
/// `f_i (a_i - mean) / (1 + x (a_i - mean))` falls as `x` grows, from +∞ to -∞ between the two
/// values where a probability would be infinite.
fn multiplier(frequencies: &[f64; 5], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let x = f64::midpoint(low, high);
        let distances = (0..5).map(|i| (frequencies[i], level(i) - mean));
        let sum: f64 = distances.map(|(f, distance)| f * distance / (1.0 + x * distance)).sum();
        if sum > 0.0 { low = x } else { high = x }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::{Sprt, Verdict, level, multiplier};
    use crate::rng::Rng;

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };

    #[test]
    fn the_bounds_are_those_of_wald() {
        let (low, high) = TEST.bounds();
        assert!((high - 19f64.ln()).abs() < 1e-12 && (low + high).abs() < 1e-12);
    }

    #[test]
    fn the_most_likely_distribution_has_the_mean_asked_for() {
        let frequencies = [0.1, 0.2, 0.3, 0.25, 0.15];
        for mean in [0.3, 0.5, 0.5375, 0.8] {
            let x = multiplier(&frequencies, mean);
            let p = |i: usize| frequencies[i] / (1.0 + x * (level(i) - mean));
            assert!(((0..5).map(p).sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(((0..5).map(|i| p(i) * level(i)).sum::<f64>() - mean).abs() < 1e-9);
        }
    }

    #[test]
    fn near_the_middle_it_is_the_normal_approximation() {
        // n (s1 - s0) (2 m - s0 - s1) / (2 v), Van den Bergh.
        let pairs = [0.25, 0.5, 0.5, 0.75, 0.5, 0.75, 0.25, 0.5, 0.75, 0.5].repeat(60);
        let count = pairs.len() as f64;
        let mean = pairs.iter().sum::<f64>() / count;
        let variance = pairs.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / count;
        let (s0, s1) = (0.5, super::expected_score(10.0));
        let normal = count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        assert!((TEST.llr(&pairs) - normal).abs() < 0.02 * normal.abs(), "{normal}");
        assert_eq!(TEST.llr(&[]), 0.0);
    }

    #[test]
    fn it_is_seldom_wrong() {
        // Equal sides: `elo1` may be accepted in about 5 of 100 tests.
        let test = Sprt { elo0: 0.0, elo1: 60.0, ..TEST };
        let (mut wrong, mut open) = (0, 0);
        for seed in 0..200 {
            let mut rng = Rng::from_seed(seed);
            let mut pairs = Vec::new();
            let verdict = loop {
                let game = |rng: &mut Rng| rng.below(3) as f64 / 2.0;
                pairs.push((game(&mut rng) + game(&mut rng)) / 2.0);
                let verdict = test.verdict(&pairs);
                if verdict != Verdict::Undecided || pairs.len() == 2_000 {
                    break verdict;
                }
            };
            wrong += usize::from(verdict == Verdict::Elo1);
            open += usize::from(verdict == Verdict::Undecided);
        }
        assert!(wrong <= 20 && open == 0, "{wrong} wrong, {open} open of 200");
    }
}
