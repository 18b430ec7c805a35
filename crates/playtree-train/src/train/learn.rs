//! The steps of an iteration.

use std::collections::VecDeque;

use playtree::Rng;
use playtree_planes::Symmetry;

use super::Settings;
use crate::adam::Adam;
use crate::batch::{Batch, Sample};
use crate::crew::share;
use crate::net::{Loss, Net, NetError};
use crate::seed_of;
use crate::weights::Size;

/// Positions of a part of a batch: threads take parts, and their gradients are added in order, so
/// that the number of threads changes nothing.
const PART: usize = 32;

/// The steps that the samples of the last iteration are worth: the loss of a position, on average.
pub(super) fn steps(
    adam: &mut Adam,
    window: &VecDeque<Vec<Sample>>,
    settings: &Settings,
    size: &Size,
    symmetries: &[Symmetry],
    iteration: usize,
    threads: usize,
) -> Result<Loss, NetError> {
    let samples: Vec<&Sample> = window.iter().flatten().collect();
    let new = window.back().map_or(0, Vec::len);
    let count = (new * settings.passes).div_ceil(settings.batch);
    let seed = seed_of(seed_of(settings.seed, 3), iteration as u64);
    let mut rng = Rng::from_seed(seed);
    let mut sum = Loss::default();
    for _ in 0..count {
        let mut parts = vec![Batch::default(); settings.batch.div_ceil(PART)];
        for number in 0..settings.batch {
            let sample = samples[rng.below(samples.len())];
            let symmetry = symmetries[rng.below(symmetries.len())];
            parts[number / PART].push(sample, symmetry, &size.form);
        }
        let net = Net::new(*size, &adam.weights)?;
        let found = share(threads, parts, |part| net.gradient(&part))?;
        let mut gradient = vec![0.0; adam.weights.len()];
        for (loss, part) in found {
            sum.policy += loss.policy;
            sum.value += loss.value;
            gradient.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        let share = 1.0 / settings.batch as f32;
        gradient.iter_mut().for_each(|part| *part *= share);
        adam.step(&gradient, settings.rate(iteration));
    }
    let positions = (count * settings.batch).max(1) as f64;
    Ok(Loss { policy: sum.policy / positions, value: sum.value / positions })
}
