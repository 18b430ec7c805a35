//! What a position is worth: a score for the caller, and one whole number inside the search.
//!
//! Inside, everything is an `i32` for the side to move, on one scale:
//!
//! | number | meaning |
//! |---|---|
//! | `WIN - n` | a proven win in `n` plies |
//! | `±RULED` | won or lost by the verdict on a repetition: more than any value, never a proof |
//! | `-VALUE_LIMIT ..= VALUE_LIMIT` | a value of the evaluator, or the exact score of an end |
//! | `-(WIN - n)` | a proven loss in `n` plies |
//!
//! During a search `n` counts from the root, so that the shorter win is the greater number; the
//! table of bounds counts from the position itself.

use std::fmt;

use crate::evaluate::VALUE_LIMIT;
use crate::form::{check, form};
use crate::game::Outcome;
use crate::proven::{Proven, Word};
use crate::solvable::Worth;

use super::path::Verdict;

/// What a position is worth for a side that its holder names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// A proven win in this many plies, by the shortest line known.
    Win {
        /// Plies to the end of the game.
        plies: u32,
    },
    /// Not proven: a value in the units of the evaluator, from
    /// `-`[`VALUE_LIMIT`] to [`VALUE_LIMIT`]. Where the
    /// game gives [scores](crate::Scores) between a loss and a win, those fill the same range.
    Value(i32),
    /// A proven draw.
    Draw,
    /// A proven loss in this many plies, by the longest line known.
    Loss {
        /// Plies to the end of the game.
        plies: u32,
    },
}

/// What a number found says of the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing.
    None,
    /// The value is at most that.
    AtMost,
    /// The value is at least that.
    AtLeast,
    /// The value is that.
    Exact,
}

impl Score {
    /// The proof, if this is one.
    #[must_use]
    pub fn proven(self) -> Option<Proven> {
        match self {
            Score::Win { plies } => Some(Proven::Win { plies }),
            Score::Draw => Some(Proven::Draw),
            Score::Loss { plies } => Some(Proven::Loss { plies }),
            Score::Value(_) => None,
        }
    }

    /// The value, if this is not a proof.
    #[must_use]
    pub fn value(self) -> Option<i32> {
        match self {
            Score::Value(value) => Some(value),
            Score::Win { .. } | Score::Draw | Score::Loss { .. } => None,
        }
    }

    /// Whether this is exactly as good as `other`: a proven draw is as good as a value of 0.
    #[must_use]
    pub fn equals(self, other: Self) -> bool {
        let plain = |score| if score == Score::Draw { Score::Value(0) } else { score };
        plain(self) == plain(other)
    }

    /// The score of a number of the search, counted from the position whose score it is.
    pub(super) fn of(found: Found) -> Self {
        let Found { value, solved, .. } = found;
        if value >= LEAST_WIN {
            Score::Win { plies: (WIN - value) as u32 }
        } else if value <= -LEAST_WIN {
            Score::Loss { plies: (WIN + value) as u32 }
        } else if solved && value == 0 {
            Score::Draw
        } else {
            Score::Value(value.clamp(-VALUE_LIMIT, VALUE_LIMIT))
        }
    }
}

/// `+35`, `win in 3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Win { plies } => write!(f, "win in {plies}"),
            Score::Loss { plies } => write!(f, "loss in {plies}"),
            Score::Draw => f.write_str("draw"),
            // A position with this value has ended by a rule of the game.
            Score::Value(VALUE_LIMIT) => f.write_str("win by repetition"),
            Score::Value(value) if value == -VALUE_LIMIT => f.write_str("loss by repetition"),
            Score::Value(value) => write!(f, "{value:+}"),
        }
    }
}

form! {
    /// The `value`, or what is `proven` with the `plies` to the end of a win or a loss.
    ScoreForm of Score = score {
        value: Option<i32> = score.value(),
        plies: Option<u32> = score.proven().and_then(Proven::plies),
        proven: Option<Word> = Word::of(score.proven()),
    }
}

impl TryFrom<ScoreForm> for Score {
    type Error = String;

    fn try_from(form: ScoreForm) -> Result<Self, String> {
        match (form.value, Word::with_plies(form.proven, form.plies)?) {
            (Some(value), None) => {
                let expected = format!("a number from -{VALUE_LIMIT} to {VALUE_LIMIT}");
                let range = -VALUE_LIMIT..=VALUE_LIMIT;
                check("value", expected, value, range.contains(&value))?;
                Ok(Score::Value(value))
            }
            (None, Some(Proven::Win { plies })) => Ok(Score::Win { plies }),
            (None, Some(Proven::Draw)) => Ok(Score::Draw),
            (None, Some(Proven::Loss { plies })) => Ok(Score::Loss { plies }),
            (Some(_), Some(_)) => Err("score: expected value or proven, found both".into()),
            (None, None) => Err("score: expected value or proven, found neither".into()),
        }
    }
}

/// A win on the spot.
pub(super) const WIN: i32 = VALUE_LIMIT + 100_000;

/// The least number that is a proven win: one in 90 000 plies.
pub(super) const LEAST_WIN: i32 = WIN - 90_000;

/// Won by the verdict on a repetition.
const RULED: i32 = VALUE_LIMIT + 1;

/// Beyond every number of the search.
pub(super) const INFINITE: i32 = WIN + 1;

/// What the search of a position has found, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The value, or a limit of it if it is not inside of the window.
    pub(super) value: i32,
    /// Whether that is so of the whole game: nothing below was evaluated, left out, or decided by
    /// a repetition. A win or a loss always is.
    pub(super) solved: bool,
    /// Whether it depends on what was played before the root: then it is none of the position's.
    pub(super) by_history: bool,
}

impl Found {
    /// What is returned on the way out of a search that was broken off. No caller looks at it.
    pub(super) const NOTHING: Self = Self::guess(0);

    /// A value of the evaluator.
    #[inline]
    pub(super) const fn guess(value: i32) -> Self {
        Self { value, solved: false, by_history: false }
    }

    /// What is true of the whole game.
    #[inline]
    pub(super) const fn solved(value: i32) -> Self {
        Self { value, solved: true, by_history: false }
    }

    /// The same for the other side.
    #[inline]
    pub(super) fn for_other(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

/// The end of a game `ply` plies below the root, for `player`.
#[inline]
pub(super) fn of_end(outcome: &Outcome, player: usize, ply: usize) -> Found {
    let score = outcome.score(player);
    let value = if score >= 1.0 {
        WIN - ply as i32
    } else if score <= 0.0 {
        ply as i32 - WIN
    } else {
        between(score)
    };
    Found::solved(value)
}

/// The worth of a position `ply` plies below the root, for its side to move, and what it says: the
/// game may end sooner.
#[inline]
pub(super) fn of_worth(worth: Worth, ply: usize) -> (Found, Kind) {
    let plies = ply as i32 + worth.plies as i32;
    let (value, kind) = match worth.points {
        0 => (0, Kind::Exact),
        1.. => (WIN - plies, Kind::AtLeast),
        _ => (plies - WIN, Kind::AtMost),
    };
    (Found::solved(value), kind)
}

/// The verdict on a repetition, for `player`.
pub(super) fn of_repetition(verdict: &Verdict, player: usize) -> Found {
    let score = verdict.outcome.score(player);
    let value = if score >= 1.0 {
        RULED
    } else if score <= 0.0 {
        -RULED
    } else {
        between(score)
    };
    Found { by_history: verdict.by_history, ..Found::guess(value) }
}

/// A score between a loss and a win: 0 for a draw, rising with the score.
fn between(score: f64) -> i32 {
    ((2.0 * score - 1.0) * f64::from(VALUE_LIMIT)).round() as i32
}

/// A number of a position `ply` plies below the root, counted from that position.
#[inline]
pub(super) fn from_position(value: i32, ply: usize) -> i32 {
    shift(value, ply as i32)
}

/// The reverse of [`from_position`].
#[inline]
pub(super) fn from_root(value: i32, ply: usize) -> i32 {
    shift(value, -(ply as i32))
}

#[inline]
fn shift(value: i32, plies: i32) -> i32 {
    if value >= LEAST_WIN {
        (value + plies).min(WIN)
    } else if value <= -LEAST_WIN {
        (value - plies).max(-WIN)
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Scores;

    #[test]
    fn shorter_wins_and_longer_losses_are_greater() {
        let [now, later] = [1, 5].map(|ply| of_end(&Outcome::Win(0), 0, ply));
        assert!(now.value > later.value && later.value > RULED && RULED > VALUE_LIMIT);
        assert!(now.for_other().value < later.for_other().value);
        assert_eq!(Score::of(later), Score::Win { plies: 5 });
        assert_eq!(Score::of(later.for_other()), Score::Loss { plies: 5 });
        assert_eq!(Score::of(later).to_string(), "win in 5");
        assert_eq!(Score::Value(35).to_string(), "+35");
    }

    #[test]
    fn only_what_is_solved_is_a_draw() {
        assert_eq!(Score::of(of_end(&Outcome::Draw, 0, 3)), Score::Draw);
        let ruled = |outcome| of_repetition(&Verdict { outcome, by_history: false }, 0);
        assert_eq!(Score::of(ruled(Outcome::Draw)), Score::Value(0));
        assert_eq!(Score::of(ruled(Outcome::Win(1))), Score::Value(-VALUE_LIMIT));
        assert_eq!(Score::of(Found::guess(0)), Score::Value(0));
    }

    #[test]
    fn scores_between_keep_their_order() {
        let value = |score: f64| {
            let scores = Scores::new(&[score, 1.0 - score]).unwrap();
            of_end(&Outcome::Scores(scores), 0, 2).value
        };
        let values = [0.0, 0.001, 0.25, 0.5, 0.75, 0.999, 1.0].map(value);
        assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
        assert_eq!((values[3], values[6]), (0, WIN - 2));
    }

    #[test]
    fn plies_are_counted_from_the_root_or_from_the_position() {
        for value in [WIN - 9, 9 - WIN, 35, RULED] {
            let below = from_position(value, 4);
            assert_eq!(from_root(below, 4), value);
            assert_eq!(below != value, value.abs() >= LEAST_WIN);
        }
        assert_eq!(from_position(WIN - 9, 4), WIN - 5);
    }
}
