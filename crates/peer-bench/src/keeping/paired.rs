//! Means over positions, and differences between two searchers of the same positions.
//!
//! What is drawn independently is the position: the searches of one position with several seeds
//! have much in common. So each position counts once, with its mean over the seeds, and the spread
//! is that between positions.

use playtree::statistics::Estimate;

/// The mean over positions, ± 1.96 standard errors, of the mean loss in each of them.
///
/// The standard error is never taken to be less than `least_error`, so that positions which all
/// agree are not taken for certainty. Fewer than two positions do not tell their spread: the
/// interval has no ends then.
pub(super) fn mean(losses: &[f64], least_error: f64) -> Estimate {
    let count = losses.len() as f64;
    let value = losses.iter().sum::<f64>() / count;
    let squares: f64 = losses.iter().map(|loss| (loss - value).powi(2)).sum();
    let error = if losses.len() < 2 {
        f64::INFINITY
    } else {
        (squares / (count - 1.0) / count).sqrt().max(least_error)
    };
    Estimate { value, low: value - 1.96 * error, high: value + 1.96 * error }
}

/// How much more is lost on average by `losses` than by `before`, both of the same positions in
/// the same order. Above 0 is worse. The interval is as that of [`mean`].
pub(super) fn difference(losses: &[f64], before: &[f64], least_error: f64) -> Estimate {
    debug_assert_eq!(losses.len(), before.len(), "the same positions");
    let differences: Vec<f64> =
        losses.iter().zip(before).map(|(loss, before)| loss - before).collect();
    mean(&differences, least_error)
}

/// The share in percent that is kept where `lost` is the share that is lost.
pub(super) fn kept(lost: Estimate) -> Estimate {
    Estimate {
        value: 100.0 - lost.value,
        low: (100.0 - lost.high).max(0.0),
        high: (100.0 - lost.low).min(100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{difference, kept, mean};

    #[test]
    fn the_interval_follows_the_formula() {
        // Mean 50, variance 10 000 / 6, standard error sqrt(10 000 / 24).
        let estimate = mean(&[100.0, 50.0, 50.0, 0.0], 1.0);
        let error = 1.96 * (10_000.0f64 / 24.0).sqrt();
        assert_eq!(estimate.value, 50.0);
        assert!((estimate.low - (50.0 - error)).abs() < 1e-9);
        assert!((estimate.high - (50.0 + error)).abs() < 1e-9);
    }

    #[test]
    fn pairing_takes_out_what_positions_differ_by() {
        // Positions from easy to hard, all of them harder by 10 for the second searcher.
        let [before, after] = [[0.0, 20.0, 60.0, 80.0], [10.0, 30.0, 70.0, 90.0]];
        let paired = difference(&after, &before, 0.5);
        assert_eq!((paired.low, paired.value, paired.high), (10.0 - 0.98, 10.0, 10.0 + 0.98));
        // Losses of 20, 0, 0 and -20 less gains: mean 0, variance 800 / 3.
        let mixed = difference(&[20.0, 20.0, 60.0, 60.0], &before, 0.5);
        assert_eq!(mixed.value, 0.0);
        assert!((mixed.high - 1.96 * (800.0f64 / 12.0).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn one_position_tells_nothing_of_its_spread() {
        let estimate = mean(&[20.0], 1.0);
        assert_eq!(estimate.value, 20.0);
        assert_eq!((estimate.low, estimate.high), (f64::NEG_INFINITY, f64::INFINITY));
        let kept = kept(estimate);
        assert_eq!((kept.low, kept.value, kept.high), (0.0, 80.0, 100.0));
    }

    #[test]
    fn a_share_ends_at_its_bounds() {
        let kept = kept(mean(&[0.0; 10], 2.0));
        assert_eq!((kept.low, kept.value, kept.high), (100.0 - 3.92, 100.0, 100.0));
    }
}
