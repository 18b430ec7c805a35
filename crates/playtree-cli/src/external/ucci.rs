//! UCCI, the Universal Chinese Chess Protocol (Huang Chen, version 3.0, 2007): UCI for Xiangqi
//! with a few words of its own.

use playtree::budget::GameClock;

use super::uci::{Dialect, millis};
use crate::player::Clocks;

/// Where it differs. Ranks are counted from 0, as in our notation. There is no time for one
/// move: it is said as what is left for one move. Times are in milliseconds, as the protocol has
/// recommended since its version 2.3; a program with the option `usemillisec` gets that option
/// set.
pub(super) const UCCI: Dialect = Dialect {
    hello: "ucci",
    hello_answer: "ucciok",
    option_words: false,
    new_game: None,
    time: |time| format!("time {} movestogo 1", millis(time)),
    clock,
    threads: "Threads",
    first_xiangqi_rank: 0,
};

/// The clocks of both sides, after `go`; the program's own first.
fn clock(clocks: Clocks, _first: bool) -> Option<String> {
    let Clocks { own, other, .. } = clocks;
    let [time, opptime] = [own, other].map(|clock| millis(clock.remaining()));
    match (own, other) {
        (GameClock::SuddenDeath { .. }, _) => {
            Some(format!("time {time} increment 0 opptime {opptime} oppincrement 0"))
        }
        (GameClock::Fischer { increment, .. }, _) => {
            let increment = increment.as_millis();
            Some(format!(
                "time {time} increment {increment} opptime {opptime} oppincrement {increment}"
            ))
        }
        (GameClock::MovesToGo { moves, .. }, GameClock::MovesToGo { moves: others, .. }) => {
            Some(format!("time {time} movestogo {moves} opptime {opptime} oppmovestogo {others}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use playtree::budget::{GameClock, TimeManager};

    use super::clock;
    use crate::player::Clocks;

    #[test]
    fn clocks_are_told_in_milliseconds_the_own_first() {
        let s = Duration::from_secs;
        let manager = TimeManager::new();
        let fischer = |remaining| GameClock::Fischer { remaining: s(remaining), increment: s(2) };
        let clocks = Clocks { own: fischer(9), other: fischer(8), manager };
        let said = "time 9000 increment 2000 opptime 8000 oppincrement 2000";
        assert_eq!(clock(clocks, false).as_deref(), Some(said));
        let session = |moves| GameClock::MovesToGo {
            remaining: s(9),
            moves,
            session_time: s(60),
            session_moves: 40,
        };
        let clocks = Clocks { own: session(7), other: session(8), manager };
        let said = "time 9000 movestogo 7 opptime 9000 oppmovestogo 8";
        assert_eq!(clock(clocks, true).as_deref(), Some(said));
        let byo_yomi = GameClock::ByoYomi { remaining: s(0), period: s(9), periods: 1 };
        assert_eq!(clock(Clocks { own: byo_yomi, other: byo_yomi, manager }, true), None);
    }
}
