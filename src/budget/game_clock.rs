//! The clocks that games are played with.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The clock of the side to move, as it stands when its turn begins.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use playtree::budget::GameClock;
///
/// let seconds = Duration::from_secs;
/// let clock = GameClock::Fischer { remaining: seconds(60), increment: seconds(2) };
/// let clock = clock.after_move(seconds(10)).expect("in time");
/// assert_eq!(clock.remaining(), seconds(52));
/// assert_eq!(clock.after_move(seconds(53)), None); // lost on time
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum GameClock {
    /// The same time for every move; what is left of it is lost.
    PerMove {
        /// Time for each move.
        time: Duration,
    },
    /// All moves of the game in this time.
    SuddenDeath {
        /// Time left for the rest of the game.
        remaining: Duration,
    },
    /// Time for the game, and some more after each move.
    Fischer {
        /// Time left, the increment of the move before included.
        remaining: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// Main time; once it is used up, periods: a move made within one gives it back whole, a
    /// longer one uses periods up.
    ByoYomi {
        /// Main time left; zero in byo-yomi.
        remaining: Duration,
        /// Length of a period.
        period: Duration,
        /// Periods left, the one under way included.
        periods: u32,
    },
    /// A number of moves in a time, again and again; time left is carried over.
    MovesToGo {
        /// Time left for these moves.
        remaining: Duration,
        /// Moves to be made in it, the next one included. 0 is taken as 1.
        moves: u32,
        /// Added when they have been made.
        session_time: Duration,
        /// Moves to be made in that.
        session_moves: u32,
    },
}

impl GameClock {
    /// Time on the clock, without increments to come. In byo-yomi that of all periods.
    #[must_use]
    pub fn remaining(self) -> Duration {
        match self {
            GameClock::PerMove { time } => time,
            GameClock::SuddenDeath { remaining }
            | GameClock::Fischer { remaining, .. }
            | GameClock::MovesToGo { remaining, .. } => remaining,
            GameClock::ByoYomi { remaining, period, periods } => {
                remaining.saturating_add(period.saturating_mul(periods))
            }
        }
    }

    /// The same clock after a move that took `spent`, all lag included, when this side is
    /// to move again; `None` if it took longer than there was.
    #[must_use]
    pub fn after_move(self, spent: Duration) -> Option<Self> {
        let left = self.remaining().checked_sub(spent)?;
        Some(match self {
            GameClock::PerMove { .. } => self,
            GameClock::SuddenDeath { .. } => GameClock::SuddenDeath { remaining: left },
            GameClock::Fischer { increment, .. } => {
                GameClock::Fischer { remaining: left.saturating_add(increment), increment }
            }
            GameClock::ByoYomi { remaining, period, periods } => {
                let over = spent.saturating_sub(remaining);
                // The last period is never used up by a move that was in time.
                let used = if period.is_zero() { 0 } else { over.as_nanos() / period.as_nanos() };
                let used = u32::try_from(used).unwrap_or(u32::MAX);
                GameClock::ByoYomi {
                    remaining: remaining.saturating_sub(spent),
                    period,
                    periods: periods.saturating_sub(used).max(periods.min(1)),
                }
            }
            GameClock::MovesToGo { moves: 0 | 1, session_time, session_moves, .. } => {
                GameClock::MovesToGo {
                    remaining: left.saturating_add(session_time),
                    moves: session_moves,
                    session_time,
                    session_moves,
                }
            }
            GameClock::MovesToGo { moves, session_time, session_moves, .. } => {
                let moves = moves - 1;
                GameClock::MovesToGo { remaining: left, moves, session_time, session_moves }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::GameClock;
    use std::time::Duration;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn byo_yomi(remaining: u64, periods: u32) -> GameClock {
        GameClock::ByoYomi { remaining: seconds(remaining), period: seconds(10), periods }
    }

    #[test]
    fn periods_are_given_back_or_used_up() {
        assert_eq!(byo_yomi(5, 3).after_move(seconds(4)), Some(byo_yomi(1, 3)));
        assert_eq!(byo_yomi(5, 3).after_move(seconds(14)), Some(byo_yomi(0, 3)));
        assert_eq!(byo_yomi(0, 3).after_move(seconds(9)), Some(byo_yomi(0, 3)));
        assert_eq!(byo_yomi(0, 3).after_move(seconds(25)), Some(byo_yomi(0, 1)));
        assert_eq!(byo_yomi(0, 3).after_move(seconds(30)), Some(byo_yomi(0, 1)), "just in time");
        assert_eq!(byo_yomi(0, 3).after_move(seconds(31)), None);
        assert_eq!(byo_yomi(1, 0).after_move(seconds(2)), None);
        assert_eq!(byo_yomi(1, 0).after_move(seconds(1)), Some(byo_yomi(0, 0)));
    }

    #[test]
    fn moves_are_counted_down_and_time_is_carried_over() {
        let clock = |remaining, moves| GameClock::MovesToGo {
            remaining: seconds(remaining),
            moves,
            session_time: seconds(60),
            session_moves: 20,
        };
        assert_eq!(clock(30, 2).after_move(seconds(10)), Some(clock(20, 1)));
        assert_eq!(clock(20, 1).after_move(seconds(10)), Some(clock(70, 20)));
        assert_eq!(clock(20, 0).after_move(seconds(10)), Some(clock(70, 20)));
        assert_eq!(clock(20, 1).after_move(seconds(21)), None);
    }

    #[test]
    fn the_largest_times_do_not_overflow() {
        let max = Duration::MAX;
        let fischer = GameClock::Fischer { remaining: max, increment: max };
        assert_eq!(fischer.after_move(Duration::ZERO), Some(fischer));
        let clock = GameClock::ByoYomi { remaining: max, period: max, periods: u32::MAX };
        assert_eq!(clock.remaining(), max);
        assert!(clock.after_move(max).is_some());
    }
}
