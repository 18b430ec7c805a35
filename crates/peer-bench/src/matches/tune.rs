//! Which exploration constant an engine plays best with.

use std::fmt::{self, Display};

use super::play::Side;
use crate::engine::Entry;

/// The constants tried.
const CONSTANTS: [f64; 5] = [0.3, 0.5, 0.7, 1.0, 1.4];

/// The pairings of a round robin over the constants.
pub(crate) const PAIRINGS: usize = CONSTANTS.len() * (CONSTANTS.len() - 1) / 2;

/// What a round robin over the constants has found. Shown as the constants and their scores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tuned {
    /// The constant with most points.
    pub(crate) best: f64,
    /// The mean score of each constant, in `[0, 1]`.
    scores: [f64; CONSTANTS.len()],
}

impl Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scores = self.scores.map(|score| format!("{:.0} %", 100.0 * score));
        write!(f, "{CONSTANTS:?} score {}", scores.join(", "))
    }
}

/// A round robin of the engine against itself, `None` if the engine has a fixed constant. `play`
/// gives the first side's mean score of a pairing; its first error ends the round robin.
pub(crate) fn best<E>(
    entry: Entry,
    mut play: impl FnMut(Side, Side) -> Result<f64, E>,
) -> Result<Option<Tuned>, E> {
    if !entry.has_exploration() {
        return Ok(None);
    }
    let mut points = [0.0; CONSTANTS.len()];
    for first in 0..CONSTANTS.len() {
        for second in first + 1..CONSTANTS.len() {
            let side = |index: usize| Side { entry, exploration: Some(CONSTANTS[index]) };
            let score = play(side(first), side(second))?;
            points[first] += score;
            points[second] += 1.0 - score;
        }
    }
    let rounds = (CONSTANTS.len() - 1) as f64;
    let scores = points.map(|points| points / rounds);
    let best = (0..CONSTANTS.len()).max_by(|a, b| points[*a].total_cmp(&points[*b]));
    Ok(best.map(|best| Tuned { best: CONSTANTS[best], scores }))
}
