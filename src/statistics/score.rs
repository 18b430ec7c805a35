//! The result of a match between two searchers: score, Elo difference and their 95 % interval.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::form::{any_number, check_share, form};

/// Scores of the first side over pairs of games from the same opening, sides swapped.
///
/// The two games of a pair share their opening, so that the pair, not the game, is what is
/// drawn independently: the spread is measured between pairs.
///
/// # Examples
/// ```
/// use playtree::statistics::MatchScore;
///
/// let score = MatchScore::of_games(&[1.0, 0.5, 1.0, 0.0, 1.0, 0.5, 0.5, 0.5]);
/// assert_eq!(score.score().value, 0.625);
/// assert_eq!(score.elo().to_string(), "+89 [-11, +206]");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchScore {
    /// The mean score of each pair, in `[0, 1]`.
    pairs: Vec<f64>,
}

/// A number with its 95 % confidence interval. Shown as whole numbers with a sign:
/// `+35 [-10, +80]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    #[serde(with = "any_number")]
    pub value: f64,
    /// The lower bound.
    #[serde(with = "any_number")]
    pub low: f64,
    /// The upper bound.
    #[serde(with = "any_number")]
    pub high: f64,
}

form! {
    /// The pairs.
    MatchForm of MatchScore = score {
        pairs: Vec<f64> = score.pairs,
    }
}

impl TryFrom<MatchForm> for MatchScore {
    type Error = String;

    fn try_from(MatchForm { pairs }: MatchForm) -> Result<Self, String> {
        pairs.iter().try_for_each(|&mean| check_share("pairs", mean))?;
        Ok(Self { pairs })
    }
}

impl MatchScore {
    /// The result of these games, each opening's two games side by side, a score in `[0, 1]`
    /// for each. An odd game at the end counts as a pair.
    #[must_use]
    pub fn of_games(scores: &[f64]) -> Self {
        Self::of_pairs(scores.chunks(2).map(|pair| pair.iter().sum::<f64>() / pair.len() as f64))
    }

    /// The result of these pairs, the mean score in `[0, 1]` of each.
    #[must_use]
    pub fn of_pairs(means: impl IntoIterator<Item = f64>) -> Self {
        Self { pairs: means.into_iter().collect() }
    }

    /// The mean score: mean ± 1.96 standard errors, but never closer to 0 and 1 than a half
    /// result in all the games, so that a clean sweep is not taken for certainty. One pair does
    /// not tell its spread: the interval is then all of `[0, 1]`. Without a game 1/2.
    #[must_use]
    pub fn score(&self) -> Estimate {
        if self.pairs.len() < 2 {
            let value = self.pairs.first().copied().unwrap_or(0.5);
            return Estimate { value, low: 0.0, high: 1.0 };
        }
        let count = self.pairs.len() as f64;
        let value = self.pairs.iter().sum::<f64>() / count;
        let squares: f64 = self.pairs.iter().map(|pair| (pair - value).powi(2)).sum();
        let error = 1.96 * (squares / (count - 1.0) / count).sqrt();
        // A game is half a pair, and half a game a quarter.
        let margin = 0.25 / count;
        Estimate {
            value,
            low: (value - error).min(1.0 - margin).max(0.0),
            high: (value + error).max(margin).min(1.0),
        }
    }

    /// The Elo difference that would make this score the expected one.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        let Estimate { value, low, high } = self.score();
        Estimate { value: elo(value), low: elo(low), high: elo(high) }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Estimate { value, low, high } = self;
        write!(f, "{value:+.0} [{low:+.0}, {high:+.0}]")
    }
}

/// The Elo difference at which a score in `[0, 1]` is expected:
/// `score = 1 / (1 + 10^(-elo / 400))`. Infinite at 0 and 1.
#[must_use]
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score in `[0, 1]` that is expected at an Elo difference: the inverse of [`elo`].
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::{MatchScore, elo, expected_score};

    #[test]
    fn elo_of_known_scores() {
        assert_eq!(elo(0.5), 0.0);
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert!((elo(0.75) - 190.848_502).abs() < 1e-6);
        assert!((elo(0.2) + elo(0.8)).abs() < 1e-9);
        assert_eq!(elo(1.0), f64::INFINITY);
        assert!((elo(expected_score(-123.0)) + 123.0).abs() < 1e-9);
    }

    #[test]
    fn the_interval_follows_the_formula() {
        // Pairs of 1, 1/2, 1/2, 0: mean 1/2, variance 1/6, standard error sqrt(1/24).
        let score = MatchScore::of_games(&[1.0, 1.0, 1.0, 0.0, 0.5, 0.5, 0.0, 0.0]).score();
        let error = 1.96 * (1.0f64 / 24.0).sqrt();
        assert_eq!(score.value, 0.5);
        assert!((score.low - (0.5 - error)).abs() < 1e-12);
        assert!((score.high - (0.5 + error)).abs() < 1e-12);
    }

    #[test]
    fn pairs_that_always_split_leave_no_doubt() {
        // Whoever moves first wins: every pair is level, whatever the single games say.
        let score = MatchScore::of_games(&[1.0, 0.0].repeat(50)).score();
        assert_eq!((score.low, score.value, score.high), (0.5, 0.5, 0.5));
    }

    #[test]
    fn a_sweep_is_not_certain() {
        let sweep = MatchScore::of_games(&[1.0; 20]);
        assert_eq!((sweep.score().value, sweep.score().low), (1.0, 0.975));
        assert!(sweep.elo().low.is_finite());
        assert_eq!(MatchScore::of_games(&[0.5; 4]).elo().to_string(), "+0 [+0, +0]");
    }

    #[test]
    fn without_a_second_pair_nothing_is_known() {
        let score = MatchScore::default().score();
        assert_eq!((score.low, score.value, score.high), (0.0, 0.5, 1.0));
        let score = MatchScore::of_games(&[1.0, 0.5]).score();
        assert_eq!((score.low, score.value, score.high), (0.0, 0.75, 1.0));
    }
}
