//! Othello positions with the final difference in discs of every move.
//!
//! A line is a JSON object: `board` with 64 characters `X`, `O` and `-` row by row from a1,
//! `to_move`, and `move_scores` from each legal move to the difference for the side that plays it.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
#[cfg(feature = "onnx")]
use std::path::Path;

#[cfg(feature = "onnx")]
use playtree::MctsBuilder;
use playtree::games::Othello;
use playtree::solver::Aim;
use playtree::{GameState, Notation};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::made::Made;
#[cfg(feature = "onnx")]
use super::with_network;
use super::{Labelled, Measured, PROVENANCE, Reading, read_json};
use crate::keeping::measure::Measure;

impl Measured for Othello {
    const MEASURES: &'static [Measure] = &[Measure::Value, Measure::EveryDisc, Measure::Discs];

    fn read(text: &str) -> Result<Reading<Self>, String> {
        Ok(Reading::all(read_json(text, position)?))
    }

    #[cfg(feature = "onnx")]
    fn asking(builder: MctsBuilder<Self>, file: &Path) -> Result<MctsBuilder<Self>, String> {
        with_network(builder, file)
    }
}

impl Made for Othello {
    const NAME: &'static str = "Othello";

    const AIM: Aim = Aim::Points;

    const PLIES: RangeInclusive<u32> = 43..=46;

    fn start() -> Self {
        Self::default()
    }

    fn first_line(what: &str) -> String {
        json!({ PROVENANCE: what }).to_string()
    }

    fn line(position: &Labelled<Self>) -> String {
        let text = position.state.position_text();
        let (board, to_move) = text.split_once(' ').expect("the board and the side to move");
        let scores = position.worths.iter();
        let problem = Problem {
            board: board.to_owned(),
            to_move: to_move.to_owned(),
            move_scores: scores.map(|(mv, score)| (position.state.move_text(mv), *score)).collect(),
        };
        serde_json::to_string(&problem).expect("texts and numbers")
    }
}

/// A line of a file.
#[derive(Deserialize, Serialize)]
struct Problem {
    board: String,
    to_move: String,
    move_scores: BTreeMap<String, i32>,
}

/// The position of a problem. The scores must be those of all the legal moves and of no others.
fn position(problem: Problem) -> Result<Labelled<Othello>, String> {
    let text = format!("{} {}", problem.board, problem.to_move);
    let state = Othello::parse_position(&text).map_err(|error| error.to_string())?;
    if state.outcome().is_some() {
        return Err(format!("expected a position before the end of a game, found '{text}'"));
    }
    let mut worths = Vec::new();
    for (name, score) in &problem.move_scores {
        worths.push((state.parse_move(name).map_err(|error| error.to_string())?, *score));
    }
    let mut legal = Vec::new();
    state.moves(&mut legal);
    let missing = legal.iter().find(|mv| !worths.iter().any(|(scored, _)| scored == *mv));
    match missing {
        None => Ok(Labelled { state, worths }),
        Some(mv) => {
            let name = state.move_text(mv);
            Err(format!("expected a score of every legal move, found none of {name}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use playtree::games::Othello;
    use playtree::solver::RootMoves;
    use playtree::{Budget, GameState, Notation, Solver};

    use crate::keeping::measure::Measure;
    use crate::keeping::positions::made::Made;
    use crate::keeping::positions::{Measured, shared};

    /// The start of the game; the scores are invented.
    const START: &str = concat!(
        r#"{"board": "---------------------------OX------XO---------------------------", "#,
        r#""to_move": "X", "move_scores": {"D3": 2, "C4": 2, "F5": 0, "E6": -4}}"#
    );

    #[test]
    fn a_file_is_read() {
        let text = format!("{{\"PROVENANCE\": \"none\"}}\n{START}\n");
        let positions = Othello::read(&text).unwrap().positions;
        let [position] = &positions[..] else { panic!("{} positions", positions.len()) };
        assert_eq!(position.state.key(), Othello::new().key());
        assert_eq!(position.best(), 2);
        let mv = position.state.parse_move("e6").unwrap();
        assert_eq!(position.worth(&mv), Some(-4));
        assert!(Othello::MEASURES.iter().all(|measure| position.counts_for(*measure)));
    }

    #[test]
    fn what_is_written_is_read() {
        let position = &Othello::read(START).unwrap().positions[0];
        let written = Othello::first_line("a word") + "\n" + &Othello::line(position);
        let again = &Othello::read(&written).unwrap().positions[0];
        assert_eq!(again.state.key(), position.state.key());
        assert_eq!(again.worths, position.worths);
    }

    #[test]
    fn a_lost_position_counts_for_its_discs_only() {
        let text = START.replace(": 2", ": -2").replace(": 0", ": -6");
        let position = &Othello::read(&text).unwrap().positions[0];
        assert!(!position.counts_for(Measure::Value));
        assert!(position.counts_for(Measure::EveryDisc) && position.counts_for(Measure::Discs));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let wrong = [
            (START.replace(r#""E6": -4"#, r#""E6": -4, "A1": 0"#), "a1"),
            (START.replace(r#", "E6": -4"#, ""), "expected a score of every legal move"),
            (START.replace("to_move", "mover"), "missing field `to_move`"),
            (START.replace("board\": \"-", "board\": \""), "63 squares"),
            ("{".to_owned(), "EOF"),
        ];
        for (line, expected) in wrong {
            let error = Othello::read(&format!("\n{line}\n")).err().unwrap();
            assert!(error.starts_with("line 2: ") && error.contains(expected), "{error}");
        }
    }

    #[test]
    fn the_shared_files_are_read() {
        for (name, count) in [("ffo_1-19", 9), ("ffo_20-39", 10)] {
            let Some(text) = shared(&format!("othello/{name}.jsonl")) else { return };
            let positions = Othello::read(&text).unwrap().positions;
            assert_eq!(positions.len(), count);
            assert!(positions.iter().all(|position| position.counts_for(Measure::Discs)));
        }
    }

    #[test]
    fn the_solver_agrees_with_the_shared_scores() {
        let Some(text) = shared("othello/ffo_1-19.jsonl") else { return };
        let position = &Othello::read(&text).unwrap().positions[0];
        let builder = Solver::builder().threads(1).root_moves(RootMoves::All);
        let solution =
            builder.build().unwrap().solve(&position.state, &Budget::unlimited()).unwrap();
        for solved in &solution.moves {
            assert_eq!(solved.points(), position.worth(&solved.mv));
        }
    }
}
