//! Random numbers that are not uniform: those of Gumbel and of Dirichlet.

use crate::maths::{exp, ln};
use crate::mcts::config::Dirichlet;
use crate::mcts::tree::value::ONE;
use crate::rng::Rng;

use super::ln_of_share;

/// A number of the Gumbel distribution: the move with the highest `g + ln p` is one drawn by `p`.
pub(super) fn gumbel(rng: &mut Rng) -> f32 {
    let exponential = -ln_of_share(rng.unit() as f32);
    if exponential >= 1.0 { -ln(exponential) } else { ln(1.0 / exponential.max(1e-7)) }
}

/// These priors with noise, in fixed point, each at least 1.
pub(super) fn mixed(noise: Dirichlet, priors: &[u32], rng: &mut Rng) -> Vec<u32> {
    let Dirichlet { alpha, share } = noise;
    let mut drawn: Vec<f64> = priors.iter().map(|_| gamma(alpha, rng)).collect();
    if drawn.iter().sum::<f64>() <= 0.0 {
        // All are too small to differ: then one has it all.
        let all = rng.below(drawn.len());
        drawn.iter_mut().enumerate().for_each(|(at, part)| *part = f64::from(u8::from(at == all)));
    }
    let (sum, of_priors) = (drawn.iter().sum::<f64>(), priors.iter().map(|&p| f64::from(p)).sum());
    let scale = |part: f64, sum: f64| part / f64::max(sum, 1.0) * f64::from(ONE);
    let parts = priors.iter().zip(drawn);
    parts
        .map(|(&prior, part)| {
            let own = (1.0 - share) * scale(f64::from(prior), of_priors);
            ((own + share * part / sum * f64::from(ONE)) as u32).max(1)
        })
        .collect()
}

/// A number of the gamma distribution (Marsaglia and Tsang: A Simple Method for Generating Gamma
/// Variables, 2000).
fn gamma(alpha: f64, rng: &mut Rng) -> f64 {
    if alpha < 1.0 {
        let below = f64::from(ln_of_share(rng.unit() as f32)) / alpha;
        return gamma(alpha + 1.0, rng) * exp(below);
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        let u = f64::from(ln_of_share(rng.unit() as f32));
        if v > 0.0 && u < x * x / 2.0 + d - d * v + d * ln_of(v) {
            return d * v;
        }
    }
}

/// A number of the normal distribution (the polar method of Marsaglia).
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * f64::from(ln_of_share(square as f32)) / square).sqrt();
        }
    }
}

/// The natural logarithm of a number above 0.
fn ln_of(x: f64) -> f64 {
    f64::from(if x >= 1.0 { ln(x as f32) } else { ln_of_share(x as f32) })
}

#[cfg(test)]
mod tests {
    use super::{gamma, gumbel, mixed, normal};
    use crate::mcts::config::Dirichlet;
    use crate::mcts::tree::value::ONE;
    use crate::rng::Rng;

    const DRAWS: usize = 40_000;

    fn moments(mut draw: impl FnMut(&mut Rng) -> f64) -> (f64, f64) {
        let mut rng = Rng::from_seed(11);
        let numbers: Vec<f64> = (0..DRAWS).map(|_| draw(&mut rng)).collect();
        let mean = numbers.iter().sum::<f64>() / DRAWS as f64;
        let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / DRAWS as f64;
        (mean, variance)
    }

    #[test]
    fn the_numbers_have_their_mean_and_their_variance() {
        let near = |(mean, variance): (f64, f64), expected: (f64, f64)| {
            let off = (mean - expected.0).abs().max((variance - expected.1).abs());
            assert!(off < 0.05 * expected.1.max(1.0), "{mean}, {variance} for {expected:?}");
        };
        near(moments(normal), (0.0, 1.0));
        // Euler's constant, and pi^2 / 6.
        near(moments(|rng| gumbel(rng).into()), (0.5772, 1.6449));
        for alpha in [0.3, 1.0, 4.0] {
            near(moments(|rng| gamma(alpha, rng)), (alpha, alpha));
        }
    }

    #[test]
    fn noise_has_its_share() {
        let mut rng = Rng::from_seed(1);
        let priors = [ONE / 2, ONE / 4, ONE / 4];
        for alpha in [0.001, 0.3, 1000.0] {
            let with_noise = mixed(Dirichlet { alpha, share: 0.25 }, &priors, &mut rng);
            let sum: f64 = with_noise.iter().map(|&p| f64::from(p) / f64::from(ONE)).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{sum}");
            let least = priors.iter().map(|&prior| prior / 4 * 3);
            assert!(with_noise.iter().zip(least).all(|(&found, least)| found + 8 >= least));
            // Even noise is a quarter of a third for each.
            let even = [0.375, 0.1875, 0.1875].map(|own| own + 0.25 / 3.0);
            let off = with_noise.iter().zip(even);
            let off = off.map(|(&p, even)| (f64::from(p) / f64::from(ONE) - even).abs());
            let most = off.fold(0.0, f64::max);
            assert_eq!(most < 0.02, alpha == 1000.0, "{most} off at {alpha}");
        }
        let alone = mixed(Dirichlet { alpha: 1.0, share: 0.0 }, &priors, &mut rng);
        assert_eq!(alone, priors);
    }
}
