//! How long a run takes, before it begins and on its way.

use std::time::Duration;

use super::design::LEVER;
use super::fit::{Fit, STANDARD_ERRORS, TYPICAL_SLOPE, logistic};
use crate::games::GameName;

/// Batches until factors on both sides of the effective speed are known.
const FIRST_BATCHES: usize = 3;

/// Seconds of a game in which the peer has `factor` times our time per move. Each side makes half
/// of the moves.
pub(super) fn game_seconds(name: GameName, our_time: Duration, factor: f64) -> f64 {
    0.5 * f64::from(name.plies()) * our_time.as_secs_f64() * (1.0 + factor)
}

/// Games that give an interval of a factor `within` either way, with the slope that is usual,
/// without draws, and after the first batches of `batch` pairs.
pub(super) fn games_expected(within: f64, batch: usize) -> usize {
    let score = logistic(TYPICAL_SLOPE * LEVER.ln());
    let information = TYPICAL_SLOPE.powi(2) * score * (1.0 - score);
    let games = (STANDARD_ERRORS / within.ln()).powi(2) / information;
    games as usize + 2 * FIRST_BATCHES * batch
}

/// Games still to play after `played` games with this fit. The width of an interval falls with the
/// square root of the number of games.
pub(super) fn games_left(fit: &Fit, played: usize, within: f64, batch: usize) -> usize {
    let wanted = match fit.speed.uncertainty() {
        Some(uncertainty) if uncertainty <= within => return 0,
        Some(uncertainty) => (played as f64 * (uncertainty.ln() / within.ln()).powi(2)) as usize,
        None => games_expected(within, batch),
    };
    wanted.saturating_sub(played).max(2 * batch)
}

/// A time in the unit that suits it: `40 s`, `12 min`, `3.5 h`.
pub(super) fn span(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{game_seconds, games_expected, games_left, span};
    use crate::games::GameName;
    use crate::handicap::fit::{Fit, Pair};

    #[test]
    fn a_game_takes_half_its_plies_of_each_side() {
        let seconds = game_seconds(GameName::Connect4, Duration::from_millis(10), 9.0);
        assert!((seconds - 14.0 * 0.1).abs() < 1e-9, "{seconds}");
        assert_eq!([90.0, 900.0, 9000.0].map(span), ["90 s", "15 min", "2.5 h"]);
    }

    #[test]
    fn the_games_left_are_those_that_narrow_the_interval() {
        let expected = games_expected(1.25, 4);
        assert!((500..600).contains(&expected), "{expected}");
        // A score of 62 % at half the effective speed and of 38 % at twice.
        let below = |number: usize| match number % 25 {
            0..10 => 1.0,
            10..21 => 0.5,
            _ => 0.0,
        };
        let pair = |number: usize| {
            if number < 100 {
                Pair { factor: 4.0, score: below(number) }
            } else {
                Pair { factor: 16.0, score: 1.0 - below(number) }
            }
        };
        let pairs: Vec<Pair> = (0..200).map(pair).collect();
        let fit = Fit::of(&pairs);
        let left = games_left(&fit, 400, 1.25, 4);
        assert!((200..450).contains(&left), "{left} left with {}", fit.speed);
        assert_eq!(games_left(&fit, 400, 3.0, 4), 0);
        assert_eq!(games_left(&Fit::of(&[]), 0, 1.25, 4), expected);
    }
}
