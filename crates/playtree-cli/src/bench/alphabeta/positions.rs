//! The positions that are searched: those of a file, or some after random moves.

use std::fs;
use std::path::Path;

use playtree::{GameState, Notation};

use crate::error::CliError;
use crate::matches::opening;

/// A line of a file of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// From 1.
    number: usize,
    /// `None` for the start of the game.
    position: Option<String>,
    /// Played from there.
    moves: Vec<String>,
}

/// What stands before the moves of a line.
const MOVES: &str = "moves";

impl Line {
    /// What a line says, if it says anything.
    fn read(number: usize, text: &str) -> Option<Self> {
        let text = text.split('#').next().unwrap_or_default().trim();
        let mut words = text.split_whitespace();
        let position: Vec<&str> = words.by_ref().take_while(|word| *word != MOVES).collect();
        (!text.is_empty()).then(|| Self {
            number,
            position: (!position.is_empty()).then(|| position.join(" ")),
            moves: words.map(str::to_owned).collect(),
        })
    }

    /// The position in which the game goes on.
    ///
    /// # Errors
    /// If there is none: the number of the line, what was expected and what was found.
    pub(super) fn position<G: Notation>(&self, start: &G) -> Result<G, String> {
        let number = self.number;
        let complain = |error: &dyn std::fmt::Display| format!("line {number}: {error}");
        let mut state = match &self.position {
            Some(text) => G::parse_position(text).map_err(|error| complain(&error))?,
            None => start.clone(),
        };
        for text in &self.moves {
            let mv = state.parse_move(text).map_err(|error| complain(&error))?;
            state.apply_in_place(&mv);
        }
        if state.outcome().is_some() {
            return Err(complain(
                &"expected a position with a side to move, found a finished game",
            ));
        }
        Ok(state)
    }
}

/// The lines of a file that say something.
pub(super) fn read(path: &Path) -> Result<Vec<Line>, CliError> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| format!("expected a file that can be read, found {error}"))
        .map_err(|error| CliError::at(format_args!("--positions {shown}"), error))?;
    let lines: Vec<Line> =
        (1..).zip(text.lines()).filter_map(|(number, line)| Line::read(number, line)).collect();
    if lines.is_empty() {
        let found = "expected a position on some line, found none";
        return Err(CliError::at(format_args!("--positions {shown}"), found));
    }
    Ok(lines)
}

/// Positions after so many random moves from the start.
pub(super) fn draw<G: GameState>(
    start: &G,
    count: usize,
    plies: u32,
    seed: u64,
) -> Result<Vec<G>, CliError> {
    let lines = opening::draw(start, count, plies, seed)?;
    let end = |line: &Vec<G::Move>| line.iter().fold(start.clone(), |state, mv| state.apply(mv));
    Ok(lines.iter().map(end).collect())
}

#[cfg(test)]
mod tests {
    use playtree::Notation;
    use playtree::games::{ConnectFour, Xiangqi};

    use super::Line;

    #[test]
    fn a_line_is_a_position_or_moves_or_both() {
        let start = Xiangqi::new();
        let text_of = |text: &str| {
            Line::read(3, text).map(|line| line.position(&start).map(|p| p.position_text()))
        };
        let by_moves = text_of("moves h2e2 h9g7  # a common opening");
        assert_eq!(text_of(&format!("{} moves h2e2 h9g7", start.position_text())), by_moves);
        let position = by_moves.expect("a position").expect("legal moves");
        assert_eq!(text_of(&position), Some(Ok(position.clone())));
        assert_eq!(text_of("   # nothing"), None);
        let error = text_of("moves h2e2 h2e2").expect("a line").expect_err("no piece there");
        assert!(error.starts_with("line 3: expected "), "{error}");
    }

    #[test]
    fn the_end_of_a_game_is_no_position_to_search() {
        let line = Line::read(1, "1212121").expect("a line");
        let error = line.position(&ConnectFour::new()).expect_err("four in a column");
        assert!(error.contains("found a finished game"), "{error}");
    }
}
