//! What stands behind `go`.

use std::time::Duration;

use super::dialect::Dialect;
use crate::protocols::Allowance;
use crate::protocols::clock;

/// What a client asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) allowance: Allowance,
    /// The answer waits for `stop`.
    pub(super) is_infinite: bool,
    /// The answer waits for `ponderhit` or `stop`.
    pub(super) is_ponder: bool,
    /// The only moves to be looked at, as the client writes them.
    pub(super) only: Vec<String>,
    /// Words that mean nothing, or lack their number.
    pub(super) refused: Vec<String>,
}

/// The words of both protocols that a number follows.
const WITH_NUMBER: [&str; 15] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "time",
    "increment",
    "opptime",
    "oppincrement",
    "oppmovestogo",
    "perft",
];

/// Those of all words.
fn is_word(word: &str) -> bool {
    WITH_NUMBER.contains(&word) || ["infinite", "ponder", "draw", "searchmoves"].contains(&word)
}

impl Go {
    /// Reads the words after `go`. `is_white`: the first player is to move; `unit`: of the times of
    /// UCCI.
    pub(super) fn read(words: &[&str], dialect: Dialect, is_white: bool, unit: Duration) -> Self {
        let mut go = Self::default();
        let (mut left, mut increment, mut moves) = (None, 0, 0);
        let mut words = words.iter().copied().peekable();
        let (time, gain) = if is_white { ("wtime", "winc") } else { ("btime", "binc") };
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.is_infinite = true,
                "ponder" => go.is_ponder = true,
                // An offer, which is not taken.
                "draw" => {}
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| !is_word(word)) {
                        go.only.push(mv.to_owned());
                    }
                }
                word if WITH_NUMBER.contains(&word) => {
                    // A clock may be below zero.
                    let number = words.peek().and_then(|number| number.parse::<i64>().ok());
                    let Some(number) = number else {
                        go.refused.push(format!("expected a number after {word}"));
                        continue;
                    };
                    words.next();
                    let number = u64::try_from(number).unwrap_or(0);
                    let small = u32::try_from(number).unwrap_or(u32::MAX);
                    match word {
                        "depth" => go.allowance.depth = Some(small.max(1)),
                        "nodes" => go.allowance.nodes = Some(number.max(1)),
                        // Moves of its own side.
                        "mate" => go.allowance.depth = Some(small.saturating_mul(2).max(2) - 1),
                        "movetime" => go.allowance.time = Some(Duration::from_millis(number)),
                        "movestogo" => moves = small,
                        "time" if dialect == Dialect::Ucci => left = Some(number),
                        "increment" if dialect == Dialect::Ucci => increment = number,
                        word if word == time => left = Some(number),
                        word if word == gain => increment = number,
                        _ => {}
                    }
                }
                other => go.refused.push(format!("expected a word of 'go', found '{other}'")),
            }
        }
        let unit = if dialect == Dialect::Ucci { unit } else { Duration::from_millis(1) };
        // More than any game has.
        let time = |number: u64| unit.saturating_mul(number.min(1_000_000_000) as u32);
        go.allowance.clock = left.map(|left| clock(time(left), time(increment), moves));
        go
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use playtree::budget::GameClock;

    use super::{Dialect, Go};

    fn go(text: &str, dialect: Dialect, is_white: bool) -> Go {
        let words: Vec<&str> = text.split(' ').collect();
        Go::read(&words, dialect, is_white, Duration::from_secs(1))
    }

    #[test]
    fn each_side_has_its_clock() {
        let text = "wtime 9000 btime 8000 winc 0 binc 2000 movestogo 0";
        let ms = Duration::from_millis;
        let white = go(text, Dialect::Uci, true).allowance.clock;
        assert_eq!(white, Some(GameClock::SuddenDeath { remaining: ms(9000) }));
        let black = go(text, Dialect::Uci, false).allowance.clock;
        assert_eq!(black, Some(GameClock::Fischer { remaining: ms(8000), increment: ms(2000) }));
        let text = "ponder time 60 movestogo 7 opptime 50 oppmovestogo 8";
        let ucci = go(text, Dialect::Ucci, false);
        let (remaining, moves) = (ms(60_000), 7);
        let session = (remaining, moves);
        assert!(ucci.is_ponder);
        assert_eq!(
            ucci.allowance.clock,
            Some(GameClock::MovesToGo {
                remaining,
                moves,
                session_time: session.0,
                session_moves: session.1
            })
        );
    }

    #[test]
    fn what_is_no_word_is_named_and_the_rest_counts() {
        let found = go("depth x searchmoves h3e3 b3e3 nodes 7 fast", Dialect::Uci, true);
        assert_eq!(found.only, ["h3e3", "b3e3"]);
        assert_eq!((found.allowance.nodes, found.allowance.depth), (Some(7), None));
        assert_eq!(
            found.refused,
            [
                "expected a number after depth",
                "expected a word of 'go', found 'x'",
                "expected a word of 'go', found 'fast'"
            ]
        );
        assert!(go("wtime -20", Dialect::Uci, true).allowance.clock.is_some());
    }
}
