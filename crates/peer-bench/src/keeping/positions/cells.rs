//! Hex puzzles with their winning moves.
//!
//! A line is a JSON object: `rows` and `cols`, `stones` as pairs of a colour and a cell, `to_move`,
//! `query`, and in a puzzle that asks for them the `winner` and the `winning_moves`. Black joins
//! the top to the bottom, White the left to the right.

use std::ops::RangeInclusive;

use playtree::games::Hex;
use playtree::solver::Aim;
use playtree::{GameState, Notation};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::made::Made;
use super::{Labelled, Measured, PROVENANCE, Reading, read_json};
use crate::keeping::measure::Measure;

impl Measured for Hex {
    const MEASURES: &'static [Measure] = &[Measure::Value];

    const NOTE: Option<&'static str> = Some(
        "the lists of winning moves may be incomplete: a move that is not listed counts as lost, \
         so that the shares are lower limits, and differences are to be trusted more than shares",
    );

    fn read(text: &str) -> Result<Reading<Self>, String> {
        let mut positions = Vec::new();
        let mut left_out = REASONS.map(|reason| (reason.text(), 0));
        for found in read_json(text, |puzzle: Puzzle| puzzle.position())? {
            match found {
                Ok(position) => positions.push(position),
                Err(reason) => left_out[reason as usize].1 += 1,
            }
        }
        let left_out = left_out.into_iter().filter(|(_, count)| *count > 0).collect();
        Ok(Reading { positions, left_out })
    }
}

/// Made positions are on a small board: on the usual one few can be solved.
const MADE_SIZE: usize = 7;

/// What a puzzle asks that says which moves win.
const FIND_WINNING: &str = "solver-find-winning";

impl Made for Hex {
    const NAME: &'static str = "Hex 7x7";

    const AIM: Aim = Aim::Winner;

    const PLIES: RangeInclusive<u32> = 22..=26;

    fn start() -> Self {
        Hex::new(MADE_SIZE).expect("the size of a board")
    }

    fn first_line(what: &str) -> String {
        json!({ PROVENANCE: what }).to_string()
    }

    /// A puzzle: some moves win, or the position would not count.
    fn line(position: &Labelled<Self>) -> String {
        let state = &position.state;
        let text = state.position_text();
        let (_, moves) = text.split_once(':').expect("the board, a colon and the moves");
        let colours = [Colour::Black, Colour::White];
        let stones = moves.split_whitespace().zip(colours.into_iter().cycle());
        let to_move = colours[state.mover()];
        let winning = position.worths.iter().filter(|(_, worth)| *worth > 0);
        let puzzle = Puzzle {
            rows: state.rows(),
            cols: state.columns(),
            stones: stones.map(|(cell, colour)| (colour, cell.to_owned())).collect(),
            to_move,
            query: FIND_WINNING.to_owned(),
            winner: Some(to_move),
            winning_moves: winning.map(|(mv, _)| state.move_text(mv)).collect(),
        };
        serde_json::to_string(&puzzle).expect("texts and numbers")
    }
}

/// Why a puzzle is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// It does not ask for moves.
    NoMoves,
    /// No move wins.
    NoWin,
    /// The numbers of stones are not those of a game in which the sides take turns.
    Stones,
    /// The board is not a square of a size that the game has.
    Board,
}

/// Every reason, in order.
const REASONS: [Reason; 4] = [Reason::NoMoves, Reason::NoWin, Reason::Stones, Reason::Board];

impl Reason {
    fn text(self) -> &'static str {
        match self {
            Reason::NoMoves => "they ask who wins, not for the moves that do",
            Reason::NoWin => "no move wins",
            Reason::Stones => "one side has too many stones for sides that take turns",
            Reason::Board => "the board is not a square of a size up to 11",
        }
    }
}

/// A line of a file.
#[derive(Deserialize, Serialize)]
struct Puzzle {
    rows: usize,
    cols: usize,
    stones: Vec<(Colour, String)>,
    to_move: Colour,
    query: String,
    winner: Option<Colour>,
    #[serde(default)]
    winning_moves: Vec<String>,
}

/// The colour of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Black,
    White,
}

impl Puzzle {
    /// The position of the puzzle, or why it is left out.
    fn position(self) -> Result<Result<Labelled<Hex>, Reason>, String> {
        if self.query != FIND_WINNING {
            return Ok(Err(Reason::NoMoves));
        }
        if self.winner != Some(self.to_move) || self.winning_moves.is_empty() {
            return Ok(Err(Reason::NoWin));
        }
        if self.rows != self.cols || Hex::new(self.rows).is_none() {
            return Ok(Err(Reason::Board));
        }
        let Some(first) = self.first_player() else { return Ok(Err(Reason::Stones)) };
        // White joins the left to the right: as the first player it needs the board on its side.
        let is_turned = first == Colour::White;
        let state = self.state(first, is_turned)?;
        let mut winning = Vec::new();
        for cell in &self.winning_moves {
            let mv = state.parse_move(&named(cell, is_turned)?);
            winning.push(mv.map_err(|error| error.to_string())?);
        }
        let mut legal = Vec::new();
        state.moves(&mut legal);
        let worth = |mv| if winning.contains(mv) { 1 } else { -1 };
        let worths = legal.iter().map(|mv| (*mv, worth(mv))).collect();
        Ok(Ok(Labelled { state, worths }))
    }

    /// The cells of one colour.
    fn cells(&self, colour: Colour) -> impl Iterator<Item = &String> {
        self.stones.iter().filter(move |(of, _)| *of == colour).map(|(_, cell)| cell)
    }

    /// The colour that has moved first, by the numbers of stones; `None` if neither can have.
    fn first_player(&self) -> Option<Colour> {
        let mine = self.cells(self.to_move).count();
        let others = self.stones.len() - mine;
        let other = if self.to_move == Colour::Black { Colour::White } else { Colour::Black };
        match others.checked_sub(mine) {
            Some(0) => Some(self.to_move),
            Some(1) => Some(other),
            _ => None,
        }
    }

    /// The board on which `first` moves first.
    fn state(&self, first: Colour, is_turned: bool) -> Result<Hex, String> {
        let (firsts, seconds): (Vec<_>, Vec<_>) =
            self.stones.iter().partition(|(colour, _)| *colour == first);
        let mut text = format!("{}:", self.rows);
        for ply in 0..self.stones.len() {
            let side = if ply % 2 == 0 { &firsts } else { &seconds };
            text.push(' ');
            text.push_str(&named(&side[ply / 2].1, is_turned)?);
        }
        let state = Hex::parse_position(&text).map_err(|error| error.to_string())?;
        match state.outcome() {
            None => Ok(state),
            Some(_) => Err(format!("expected a position before the end, found '{text}'")),
        }
    }
}

/// The name of the cell `cell`, of its mirror image in the long diagonal if the board is turned.
fn named(cell: &str, is_turned: bool) -> Result<String, String> {
    if !is_turned {
        return Ok(cell.to_owned());
    }
    let expected = || format!("expected a cell, a letter and a number, found '{cell}'");
    let column = cell.bytes().next().and_then(|letter| letter.checked_sub(b'a'));
    let column = column.filter(|column| *column < 26).ok_or_else(expected)?;
    let row: u8 = cell[1..].parse().map_err(|_| expected())?;
    let row = row.checked_sub(1).filter(|row| *row < 26).ok_or_else(expected)?;
    Ok(format!("{}{}", char::from(b'a' + row), column + 1))
}

#[cfg(test)]
mod tests {
    use playtree::games::Hex;
    use playtree::solver::{Aim, RootMoves};
    use playtree::{Budget, GameState, Notation, Solver};

    use crate::keeping::positions::{Measured, shared};

    /// A puzzle on 3x3.
    fn puzzle(stones: &str, to_move: &str, winning: &str) -> String {
        format!(
            r#"{{"rows": 3, "cols": 3, "stones": {stones}, "to_move": "{to_move}", "query":
            "solver-find-winning", "winner": "{to_move}", "winning_moves": {winning}}}"#
        )
        .replace('\n', " ")
    }

    #[test]
    fn a_puzzle_is_read() {
        let stones = r#"[["black", "b2"], ["white", "a3"]]"#;
        let reading = Hex::read(&puzzle(stones, "black", r#"["b3", "a1"]"#)).unwrap();
        let [position] = &reading.positions[..] else { panic!("one position") };
        assert_eq!(position.state.position_text(), "3: b2 a3");
        assert_eq!(position.worths.len(), 7);
        let worth = |text| position.worth(&position.state.parse_move(text).unwrap());
        assert_eq!(["b3", "a1", "c3"].map(worth), [Some(1), Some(1), Some(-1)]);
    }

    #[test]
    fn white_moves_first_on_a_turned_board() {
        // White joins b2 to the right by c2, and to the left by one of a2 and a3.
        let stones = r#"[["white", "b2"], ["black", "c1"]]"#;
        let reading = Hex::read(&puzzle(stones, "white", r#"["c2"]"#)).unwrap();
        let [position] = &reading.positions[..] else { panic!("one position") };
        assert_eq!(position.state.position_text(), "3: b2 a3");
        assert_eq!(position.state.mover(), 0);
        let builder = Solver::builder().threads(1).aim(Aim::Winner).root_moves(RootMoves::All);
        let mut solver = builder.build().unwrap();
        let solution = solver.solve(&position.state, &Budget::unlimited()).unwrap();
        let listed = position.state.parse_move("b3").unwrap();
        assert_eq!(position.worth(&listed), Some(1));
        let solved = solution.moves.iter().find(|solved| solved.mv == listed).unwrap();
        assert_eq!(solved.points(), Some(1));
    }

    #[test]
    fn what_cannot_be_used_is_counted() {
        let stones = r#"[["black", "b2"], ["black", "a3"]]"#;
        let moves = r#"["b3"]"#;
        let level = r#"[["black", "b2"], ["white", "a3"]]"#;
        let text = [
            puzzle(stones, "white", moves),
            puzzle(level, "black", "[]"),
            puzzle(level, "black", moves).replace("solver-find-winning", "solve-state"),
            puzzle(level, "black", moves).replace(r#""cols": 3"#, r#""cols": 4"#),
        ];
        let reading = Hex::read(&text.join("\n")).unwrap();
        assert!(reading.positions.is_empty());
        assert_eq!(reading.left_out.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [1; 4]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let stones = r#"[["white", "b2"], ["black", "q"]]"#;
        for to_move in ["white", "black"] {
            let text = puzzle(stones, to_move, r#"["a2"]"#);
            let error = Hex::read(&text).err().unwrap();
            assert!(error.starts_with("line 1: expected a cell"), "{error}");
        }
    }

    #[test]
    fn the_shared_puzzles_are_read() {
        let Some(text) = shared("hex/puzzles.jsonl") else { return };
        let reading = Hex::read(&text).unwrap();
        println!("{} puzzles; left out: {:?}", reading.positions.len(), reading.left_out);
        assert_eq!(reading.positions.len(), 40);
        for position in &reading.positions {
            let wins = position.worths.iter().filter(|(_, worth)| *worth == 1).count();
            assert!((1..7).contains(&wins), "{wins} listed moves: {:?}", position.state);
        }
    }
}
