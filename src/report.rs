//! Reports for people and for programs: their text, and what texts are made of.
//!
//! Each searcher answers with a report of its own: [`mcts::Report`](crate::mcts::Report),
//! [`alphabeta::Report`](crate::alphabeta::Report),
//! [`solver::Solution`](crate::solver::Solution). What they have in common:
//!
//! - `in_notation` gives the same report with moves and lines of play as texts of the game's own
//!   [`Notation`].
//! - A report whose moves can be displayed is displayed itself: a table of its moves, best first,
//!   and below it a line on the answer and one on what the search has taken. [`Text`] shows the
//!   best moves alone, or keeps within a number of columns.
//! - A report whose moves can be serialized is serialized itself, by the names that
//!   `playtree analyze --json` and `playtree solve --json` have for its fields, and can be read
//!   again: what is read equals what was written. A report that cannot be (a win rate of 7) is
//!   refused. Fields that follow from others, such as `simulations_per_second`, are not looked at.
//!
//! # Serialized forms
//! Every public type that is plain data can be written and read with [serde](https://serde.rs):
//! reports, the settings of engines, options of searches, budgets with the rules of this library,
//! clocks, what a saved file says of itself, statistics. What is read is checked as a builder
//! checks it. Any format will do, but for [`save::Info`](crate::save::Info), which needs one that names
//! fields.
//!
//! - JSON in Rust loses the last bit of some numbers unless `serde_json` has its feature
//!   `float_roundtrip`.
//! - Times of a report are numbers of seconds, which are right to the nanosecond up to 48 days.
//!
//! # Examples
//! ```
//! # #[cfg(feature = "games")] {
//! use playtree::games::TicTacToe;
//! use playtree::report::Text;
//! use playtree::{Budget, Mcts};
//!
//! let position = TicTacToe::new();
//! let mut mcts = Mcts::builder().threads(1).build()?;
//! let report = mcts.search(&position, &Budget::simulations(100))?.in_notation(&position);
//!
//! let text = Text::new(&report).top(3).to_string();
//! assert!(text.starts_with("move  visits  win rate"));
//! assert_eq!(text.lines().nth(4), Some("... and 6 more"));
//!
//! let json = serde_json::to_value(&report)?;
//! assert_eq!(json["best_move"], json["moves"][0]["move"]);
//! assert_eq!(json["simulations"], 100);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod numbers;
mod table;
mod text;

use std::fmt::Display;

use crate::game::Notation;

pub use numbers::{bytes, grouped, percent};
pub use table::{Align, Table, wrapped};
pub use text::{AsText, Text, Words};

pub(crate) use numbers::{per_second, speed, workers};

/// A line of play from `state` on as texts: each move as it is written in the position where it is
/// played.
pub(crate) fn line_in_notation<G: Notation>(state: &G, line: &[G::Move]) -> Vec<String> {
    let mut state = state.clone();
    let mut texts = Vec::with_capacity(line.len());
    for mv in line {
        texts.push(state.move_text(mv));
        state.apply_in_place(mv);
    }
    texts
}

/// Moves with blanks between them.
pub(crate) fn joined<M: Display>(moves: &[M]) -> String {
    moves.iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(all(test, feature = "games", not(loom), not(miri)))]
mod tests {
    use std::fmt::Debug;

    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, from_value, json, to_value};

    use super::AsText;
    use crate::games::{ConnectFour, ConnectFourEvaluation};
    use crate::solver::RootMoves;
    use crate::{AlphaBeta, Budget, Mcts, Notation, Solver};

    /// The JSON of a report whose text ends with this answer.
    fn json_of<R>(report: &R, answer: &str) -> Value
    where
        R: AsText + Serialize + DeserializeOwned + PartialEq + Debug + ToString,
    {
        let text = report.to_string();
        assert!(text.starts_with("move  "), "{text}");
        assert!(text.contains(&format!("\n\n{answer}")), "{text}");
        assert!(text.ends_with("1 worker, stopped by proof") || text.contains("aborted"), "{text}");
        let json = to_value(report).unwrap();
        assert_eq!(from_value::<R>(json.clone()).unwrap(), *report);
        json
    }

    #[test]
    fn reports_of_all_searchers_have_one_form() {
        // The left column wins at once.
        let position = ConnectFour::parse_position("171717").unwrap();
        let budget = Budget::nodes(1_000_000);

        let report = Mcts::builder().threads(1).build().unwrap().search(&position, &budget);
        let report = report.unwrap().in_notation(&position);
        let found = json_of(&report, "best move 1, win rate 100.0 %, proven win in 1\n");
        assert_eq!((&found["proven"], &found["moves"][0]["pv"]), (&json!("win"), &json!(["1"])));
        assert!(report.moves[0].to_string().ends_with("win rate 100.0 %, proven win in 1"));

        let engine = AlphaBeta::builder(ConnectFourEvaluation::default());
        let report = engine.threads(1).build().unwrap().search(&position, &budget);
        let report = report.unwrap().in_notation(&position);
        let found = json_of(&report, "best move 1, score win in 1, depth ");
        assert_eq!(found["score"], json!({ "value": null, "plies": 1, "proven": "win" }));
        assert_eq!((&found["proven"], &found["moves"][0]["move"]), (&json!("win"), &json!("1")));
        assert!(report.moves[0].to_string().contains("win in 1, depth "));

        let builder = Solver::builder().threads(1).root_moves(RootMoves::One);
        let solution = builder.build().unwrap().solve(&position, &budget);
        let solution = solution.unwrap().in_notation(&position);
        let found = json_of(&solution, "win in 1, best 1\n");
        let worth = json!({ "points": 1, "plies": 1 });
        assert_eq!((&found["least"], &found["most"]), (&worth, &worth));
        assert_eq!(
            (&found["best_moves"], &found["moves"][0]["move"]),
            (&json!(["1"]), &json!("1"))
        );
        assert_eq!(solution.moves[0].to_string(), "1 (win in 1)");
    }
}
