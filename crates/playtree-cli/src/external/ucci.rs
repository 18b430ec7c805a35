//! UCCI, the Universal Chinese Chess Protocol (Huang Chen, version 3.0, 2007): UCI for Xiangqi
//! with a few words of its own.

use super::uci::Dialect;

/// Where it differs. Ranks are counted from 0, as in our notation. There is no time for one
/// move: it is said as what is left for one move.
pub(super) const UCCI: Dialect = Dialect {
    hello: "ucci",
    hello_answer: "ucciok",
    option_words: false,
    new_game: None,
    time: |time| format!("time {} movestogo 1", time.as_millis().max(1)),
    threads: "Threads",
    first_xiangqi_rank: 0,
};
