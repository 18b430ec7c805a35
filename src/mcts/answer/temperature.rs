//! The choice of the move to be played: the best, or one drawn by a temperature.

use crate::maths::{exp, ln};
use crate::mcts::report::MoveReport;
use crate::proven::Proven;
use crate::rng::Rng;

/// The place of the move to be played among `moves`; the first of them is the best.
///
/// `root` is what is proven of all of them together.
pub(super) fn choose<M>(
    moves: &[MoveReport<M>],
    root: Option<Proven>,
    temperature: f64,
    rng: &mut Rng,
) -> usize {
    let decided = matches!(root, Some(Proven::Win { .. } | Proven::Loss { .. }));
    if temperature == 0.0 || decided {
        return 0;
    }
    let may_be_played = |found: &MoveReport<M>| match root {
        Some(Proven::Draw) => found.proven == Some(Proven::Draw),
        _ => !matches!(found.proven, Some(Proven::Loss { .. })),
    };
    let visits = |found: &MoveReport<M>| if may_be_played(found) { found.visits } else { 0 };
    let most = moves.iter().map(visits).max().unwrap_or(0);
    let weights: Vec<f64> = moves.iter().map(|m| weight(visits(m), most, temperature)).collect();
    let mut left = rng.unit() * weights.iter().sum::<f64>();
    for (place, weight) in weights.iter().enumerate() {
        if left < *weight {
            return place;
        }
        left -= weight;
    }
    // Nothing was visited.
    0
}

/// `(visits / most)^(1 / temperature)`.
fn weight(visits: u64, most: u64, temperature: f64) -> f64 {
    if visits == 0 {
        return 0.0;
    }
    exp(-f64::from(ln((most as f64 / visits as f64) as f32)) / temperature)
}

#[cfg(test)]
mod tests {
    use super::weight;

    #[test]
    fn weights_are_powers_of_visits() {
        assert!((weight(25, 100, 1.0) - 0.25).abs() < 1e-6);
        assert!((weight(25, 100, 2.0) - 0.5).abs() < 1e-6);
        assert!((weight(25, 100, 0.5) - 0.0625).abs() < 1e-6);
        assert_eq!((weight(0, 100, 1.0), weight(7, 7, 1e-300)), (0.0, 1.0));
        assert_eq!(weight(6, 7, 1e-300), 0.0);
    }
}
