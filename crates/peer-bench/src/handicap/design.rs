//! At which factor the next games are played.
//!
//! The factors are the powers of two and one and a half times these, so that games at one factor
//! come together and a table has few of them.

use super::fit::{Fit, Pair, groups};

/// The lowest factor played.
pub(super) const LOWEST: f64 = 1.0 / 16.0;

/// The highest factor played.
pub(super) const HIGHEST: f64 = 1024.0;

/// The step from one factor to the next until one has scored more than one half and one less.
const STRIDE: f64 = 4.0;

/// How far from the estimate the games are played, as a factor: near enough that a game tells
/// little less than one at the estimate, and far enough to show the slope. With 1.5 the slope of
/// synthetic games is found too steep, and the interval too narrow, for longer.
pub(super) const LEVER: f64 = 2.0;

/// What to play next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Next {
    /// Games at this factor.
    Factor(f64),
    /// Nothing: even the highest factor scores more than one half, or the lowest one less.
    OutOfRange,
}

/// What to play after these pairs, whose fit is `fit`. `first` is where to begin.
///
/// Until there is a score of one half or more and one of one half or less, the factor rises or
/// falls by [`STRIDE`]. Then the games are played at [`LEVER`] below or above the estimate, by
/// turns: on the side that has given less information so far, so that the slope, which is known
/// less well, does not matter for the estimate.
pub(super) fn next(pairs: &[Pair], fit: &Fit, first: f64) -> Next {
    let groups = groups(pairs);
    let (Some(lowest), Some(highest)) = (groups.first(), groups.last()) else {
        return Next::Factor(nearest(first));
    };
    let wins = groups.iter().any(|group| group.score() >= 0.5);
    let losses = groups.iter().any(|group| group.score() <= 0.5);
    match (wins, losses) {
        (true, false) if highest.factor >= HIGHEST => Next::OutOfRange,
        (true, false) => Next::Factor(nearest(highest.factor * STRIDE)),
        (false, true) if lowest.factor <= LOWEST => Next::OutOfRange,
        (false, true) => Next::Factor(nearest(lowest.factor / STRIDE)),
        _ if fit.leans_high => Next::Factor(nearest(fit.speed.value / LEVER)),
        _ => Next::Factor(nearest(fit.speed.value * LEVER)),
    }
}

/// The factor nearest to this one by ratio, from [`LOWEST`] to [`HIGHEST`].
pub(super) fn nearest(factor: f64) -> f64 {
    let wanted = factor.clamp(LOWEST, HIGHEST);
    let power = wanted.log2().floor().exp2();
    let ratio = |candidate: &f64| (candidate / wanted).ln().abs();
    let candidates = [power, 1.5 * power, 2.0 * power];
    candidates.into_iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b))).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::super::fit::{Fit, Pair};
    use super::{HIGHEST, LOWEST, Next, nearest, next};

    /// What is played after these factors and scores.
    fn after(scores: &[(f64, f64)]) -> Next {
        let pairs: Vec<Pair> =
            (scores.iter()).flat_map(|&(factor, score)| [Pair { factor, score }; 4]).collect();
        next(&pairs, &Fit::of(&pairs), 8.0)
    }

    #[test]
    fn factors_are_round() {
        let found = [0.0, 0.07, 5.0, 7.0, 9.7, 10.0, 900.0, f64::INFINITY].map(nearest);
        assert_eq!(found, [LOWEST, 0.0625, 6.0, 8.0, 8.0, 12.0, 1024.0, HIGHEST]);
    }

    #[test]
    fn the_factor_strides_until_both_sides_of_one_half_are_known() {
        assert_eq!(after(&[]), Next::Factor(8.0));
        assert_eq!(after(&[(8.0, 1.0)]), Next::Factor(32.0));
        assert_eq!(after(&[(8.0, 1.0), (32.0, 0.75)]), Next::Factor(128.0));
        assert_eq!(after(&[(8.0, 0.25)]), Next::Factor(2.0));
        assert_eq!(after(&[(512.0, 1.0)]), Next::Factor(1024.0));
        assert_eq!(after(&[(1024.0, 1.0)]), Next::OutOfRange);
        assert_eq!(after(&[(LOWEST, 0.25)]), Next::OutOfRange);
    }

    #[test]
    fn the_sides_take_turns() {
        let start = [(8.0, 0.75), (16.0, 0.25)];
        let Next::Factor(factor) = after(&start) else { panic!("there is a factor") };
        let other = after(&[start[0], start[1], (factor, 0.5), (factor, 0.5)]);
        let Next::Factor(other) = other else { panic!("there is a factor") };
        assert!((factor < 11.3) != (other < 11.3), "{factor} and {other}");
    }
}
