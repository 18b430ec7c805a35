//! The positions that a measurement searches: those of a file, or some after random moves.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use playtree::GameState;
use playtree::dynamic::AnyMove;
use playtree_session::{Game, Position};

use crate::error::CliError;
use crate::games;
use crate::lines::BYTE_ORDER_MARK;
use crate::matches::opening;
use crate::options::values;

/// Where the positions come from.
#[derive(Args, Clone, Debug)]
pub(crate) struct PositionOptions {
    /// A file of positions, one a line: a position, 'moves' and moves from the start, or both;
    /// # begins a comment.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Positions after random plies, if there is no file.
    #[arg(long, value_name = "N", default_value = "8", value_parser = values::count)]
    #[arg(allow_hyphen_values = true, conflicts_with = "positions")]
    openings: usize,
    /// Random plies before each of them.
    #[arg(long, value_name = "K", default_value = "16", value_parser = values::plies)]
    #[arg(allow_hyphen_values = true, conflicts_with = "positions")]
    openings_plies: u32,
}

impl PositionOptions {
    /// Whether the positions are those of a file, and so of one game.
    pub(crate) fn is_file(&self) -> bool {
        self.positions.is_some()
    }

    /// What these options say; a file is read now. `seed` is that of the random plies.
    ///
    /// # Errors
    /// If the file cannot be read, or says nothing.
    pub(crate) fn source(&self, seed: u64) -> Result<Source, CliError> {
        Ok(match &self.positions {
            Some(path) => Source::File(read(path)?),
            None => Source::Random { count: self.openings, plies: self.openings_plies, seed },
        })
    }
}

/// Positions of a game that is not yet known.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    File(Vec<Line>),
    Random { count: usize, plies: u32, seed: u64 },
}

impl Source {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::File(lines) => lines.len(),
            Self::Random { count, .. } => *count,
        }
    }

    /// The positions, in the game that begins at `start`.
    ///
    /// # Errors
    /// If a line is no position, or the game is over after the given number of plies.
    pub(crate) fn positions(
        &self,
        game: Game,
        start: &Position,
    ) -> Result<Vec<Position>, CliError> {
        match self {
            Self::File(lines) => lines
                .iter()
                .map(|line| line.position(game, start))
                .collect::<Result<Vec<Position>, _>>()
                .map_err(|error| CliError::at("--positions", error)),
            Self::Random { count, plies, seed } => draw(start, *count, *plies, *seed),
        }
    }
}

/// A line of a file of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// From 1.
    number: usize,
    /// `None` for the start of the game.
    position: Option<String>,
    /// Played from there.
    moves: Vec<String>,
}

impl Line {
    /// What a line says, if it says anything.
    fn read(number: usize, text: &str) -> Option<Self> {
        let text = text.split('#').next().unwrap_or_default().trim();
        let (position, moves) = games::split_moves(text);
        (!text.is_empty()).then_some(Self { number, position, moves })
    }

    /// The position in which the game goes on.
    ///
    /// # Errors
    /// If there is none: the number of the line, what was expected and what was found.
    fn position(&self, game: Game, start: &Position) -> Result<Position, String> {
        let number = self.number;
        let complain = |error: &dyn std::fmt::Display| format!("line {number}: {error}");
        let mut state = match &self.position {
            Some(text) => game.position(text).map_err(|error| complain(&error))?,
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
fn read(path: &Path) -> Result<Vec<Line>, CliError> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| format!("expected a file that can be read, found {error}"))
        .map_err(|error| CliError::at(format_args!("--positions {shown}"), error))?;
    let lines: Vec<Line> = (1..)
        .zip(text.trim_start_matches(BYTE_ORDER_MARK).lines())
        .filter_map(|(number, line)| Line::read(number, line))
        .collect();
    if lines.is_empty() {
        let found = "expected a position on some line, found none";
        return Err(CliError::at(format_args!("--positions {shown}"), found));
    }
    Ok(lines)
}

/// `count` positions, each after `plies` random moves from `start`.
fn draw(start: &Position, count: usize, plies: u32, seed: u64) -> Result<Vec<Position>, CliError> {
    let lines = opening::draw(start, count, plies, seed)?;
    let end = |line: &Vec<AnyMove>| line.iter().fold(start.clone(), |state, mv| state.apply(mv));
    Ok(lines.iter().map(end).collect())
}

#[cfg(test)]
mod tests {
    use playtree_session::Game;

    use super::Line;

    #[test]
    fn a_line_is_a_position_or_moves_or_both() {
        let (game, start) = Game::open("xiangqi", None).expect("a game");
        let text_of = |text: &str| {
            Line::read(3, text).map(|line| line.position(game, &start).map(|p| p.position_text()))
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
        let (game, start) = Game::open("connect4", None).expect("a game");
        let line = Line::read(1, "1212121").expect("a line");
        let error = line.position(game, &start).expect_err("four in a column");
        assert!(error.contains("found a finished game"), "{error}");
    }
}
