//! Which exploration constant an engine plays best with.

use super::play::{Contest, Side};
use crate::engine::{Entry, Game};
use crate::games::GameName;

/// The constants tried.
const CONSTANTS: [f64; 5] = [0.3, 0.5, 0.7, 1.0, 1.4];

/// The constant with most points in a round robin of the engine against itself, `None` if the
/// engine has a fixed one.
pub(super) fn best<G: Game>(
    contest: &Contest<'_, G>,
    entry: Entry,
    games: usize,
    name: GameName,
) -> Option<f64> {
    if !entry.has_exploration() {
        return None;
    }
    let contest = Contest { games, ..*contest };
    let mut points = [0.0; CONSTANTS.len()];
    for first in 0..CONSTANTS.len() {
        for second in first + 1..CONSTANTS.len() {
            let side = |index: usize| Side { entry, exploration: Some(CONSTANTS[index]) };
            let score = contest.play(side(first), side(second)).score().score().value;
            points[first] += score;
            points[second] += 1.0 - score;
        }
    }
    let rounds = (CONSTANTS.len() - 1) as f64;
    let scores = points.map(|points| format!("{:.0} %", 100.0 * points / rounds));
    println!("- {}, {}: {CONSTANTS:?} score {}", name.title(), entry.name(), scores.join(", "));
    let best = (0..CONSTANTS.len()).max_by(|a, b| points[*a].total_cmp(&points[*b]))?;
    Some(CONSTANTS[best])
}
