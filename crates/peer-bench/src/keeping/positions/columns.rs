//! Connect Four positions with the score of every column.
//!
//! A line holds the columns played so far, `1` to `7`, or `(empty)`; a tab; and the scores of the
//! seven columns for the side to move, separated by blanks: above 0 for a win, 0 for a draw, below
//! 0 for a loss, `-` for a full column. Lines that begin with `#` are comments.

use std::ops::RangeInclusive;
#[cfg(feature = "onnx")]
use std::path::Path;

#[cfg(feature = "onnx")]
use playtree::MctsBuilder;
use playtree::games::ConnectFour;
use playtree::solver::Aim;
use playtree::{GameState, Notation};

use super::made::Made;
#[cfg(feature = "onnx")]
use super::with_network;
use super::{Labelled, Measured, Reading, in_line};
use crate::keeping::measure::Measure;

/// The columns of the board.
const COLUMNS: usize = 7;

impl Measured for ConnectFour {
    const MEASURES: &'static [Measure] = &[Measure::Value];

    fn read(text: &str) -> Result<Reading<Self>, String> {
        let lines = text.lines().enumerate();
        let lines = lines.filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
        let positions: Result<_, _> =
            lines.map(|(index, line)| in_line(index, position(line))).collect();
        Ok(Reading::all(positions?))
    }

    #[cfg(feature = "onnx")]
    fn asking(builder: MctsBuilder<Self>, file: &Path) -> Result<MctsBuilder<Self>, String> {
        with_network(builder, file)
    }
}

impl Made for ConnectFour {
    const NAME: &'static str = "Connect Four";

    const AIM: Aim = Aim::Winner;

    const PLIES: RangeInclusive<u32> = 8..=20;

    fn start() -> Self {
        Self::default()
    }

    fn first_line(what: &str) -> String {
        format!(
            "# {what}. Columns: moves (1..7) TAB for each column 1..7 whether the side to move \
             wins (1), draws (0) or loses (-1) by it; '-' = column full"
        )
    }

    fn line(position: &Labelled<Self>) -> String {
        let mut scores = vec!["-".to_owned(); COLUMNS];
        for (column, worth) in &position.worths {
            scores[column.index()] = worth.to_string();
        }
        let moves = position.state.position_text();
        let moves = if moves.is_empty() { "(empty)" } else { &moves };
        format!("{moves}\t{}", scores.join(" "))
    }
}

/// Reads a position and the scores of its columns.
fn position(line: &str) -> Result<Labelled<ConnectFour>, String> {
    let Some((moves, scores)) = line.split_once('\t') else {
        return Err(format!("expected moves, a tab and scores, found '{line}'"));
    };
    let moves = if moves == "(empty)" { "" } else { moves };
    let state = ConnectFour::parse_position(moves).map_err(|error| error.to_string())?;
    if state.outcome().is_some() {
        return Err(format!("expected a position before the end of a game, found '{moves}'"));
    }
    let scores: Vec<&str> = scores.split_whitespace().collect();
    if scores.len() != COLUMNS {
        return Err(format!("expected {COLUMNS} scores, found {}", scores.len()));
    }
    let mut legal = Vec::new();
    state.moves(&mut legal);
    let mut worths = Vec::new();
    for (index, score) in scores.iter().enumerate() {
        match legal.iter().find(|column| column.index() == index) {
            Some(column) => worths.push((*column, worth(index, score)?)),
            None if *score == "-" => {}
            None => {
                let column = index + 1;
                return Err(format!("expected '-' for the full column {column}, found '{score}'"));
            }
        }
    }
    Ok(Labelled { state, worths })
}

/// The score of a column that has room.
fn worth(index: usize, score: &str) -> Result<i32, String> {
    let expected = |_| format!("expected a score of column {}, found '{score}'", index + 1);
    score.parse().map_err(expected)
}

#[cfg(test)]
mod tests {
    use playtree::GameState;
    use playtree::games::ConnectFour;
    use playtree::games::connect4::Column;

    use crate::keeping::measure::Measure;
    use crate::keeping::positions::made::Made;
    use crate::keeping::positions::{Measured, shared};

    #[test]
    fn a_file_is_read() {
        // The scores are invented: only the format matters.
        let text = "# a comment\n(empty)\t-2 -1 0 1 0 -1 -2\n444444\t1 2 3 - -3 0 4\n";
        let positions = ConnectFour::read(text).unwrap().positions;
        let [start, full] = &positions[..] else { panic!("{} positions", positions.len()) };
        assert_eq!((start.state.plies(), start.best()), (0, 1));
        assert_eq!(start.worths.len(), 7);
        let worth = |index| full.worth(&Column::new(index).unwrap());
        assert_eq!([2, 3, 4].map(worth), [Some(3), None, Some(-3)]);
        assert!(full.counts_for(Measure::Value));
        for (position, expected) in [(start, 1), (full, 2)] {
            assert_eq!(ConnectFour::line(position), text.lines().nth(expected).unwrap());
        }
    }

    #[test]
    fn positions_where_all_moves_do_the_same_do_not_count() {
        let text = "4\t-4 -2 -2 -1 -2 -2 -4\n44\t3 2 2 1 2 2 4\n444\t0 0 0 0 0 -1 0\n";
        let positions = ConnectFour::read(text).unwrap().positions;
        let counts = positions.iter().map(|position| position.counts_for_any());
        assert_eq!(counts.collect::<Vec<_>>(), [false, false, true]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let wrong = [
            ("44 1 2 3 4 5 6 7", "line 2: expected moves, a tab and scores"),
            ("44\t1 2 3", "line 2: expected 7 scores, found 3"),
            ("444444\t1 2 3 4 5 6 7", "line 2: expected '-' for the full column 4, found '4'"),
            ("4\t1 2 3 - 5 6 7", "line 2: expected a score of column 4, found '-'"),
            ("48\t1 2 3 4 5 6 7", "line 2: expected a column"),
            ("1212121\t1 2 3 4 5 6 7", "line 2: expected a position before the end"),
        ];
        for (line, expected) in wrong {
            let error = ConnectFour::read(&format!("# first\n{line}\n")).err().unwrap();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn the_shared_files_are_read() {
        for (name, count) in [("openings_0_2ply.tsv", 57), ("random_midgame_allmoves.tsv", 300)] {
            let Some(text) = shared(&format!("connect4/{name}")) else { return };
            let positions = ConnectFour::read(&text).unwrap().positions;
            assert_eq!(positions.len(), count);
            let counted = positions.iter().filter(|position| position.counts_for_any()).count();
            println!("{name}: {counted} of {count} count");
            assert!(counted > count / 4);
        }
    }
}
