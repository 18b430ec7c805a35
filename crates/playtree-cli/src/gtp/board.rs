//! What the Go Text Protocol does to a board besides moves: its size, another side to move, stones
//! that stand there before the game, and whole games.

use playtree::dynamic::AnyMove;
use playtree::games::OthelloBoard;
use playtree::games::othello::size_of_text;
use playtree::{GameState, Notation};
use playtree_session::{Game, Position};

use crate::foreign::hex;
use crate::games::read_move;
use crate::player::Record;

/// The game on a board of this size and its start: `None` for the one that begins
/// like `start`, which is that of the board there is.
///
/// # Errors
/// If the game has no such board.
pub(super) fn resized(
    game: Game,
    start: &str,
    columns: &str,
    rows: &str,
) -> Result<Option<(Game, Position)>, String> {
    let unacceptable = || "unacceptable size".to_owned();
    let square = || {
        let size = columns.parse::<u32>().ok();
        size.filter(|size| rows.parse() == Ok(*size)).ok_or_else(unacceptable)
    };
    let (found, size, other) = match game.name() {
        // Columns and rows or one size of both, perhaps the swap rule, a colon, no move.
        "hex" => {
            let sides = [columns, rows].map(|side| side.parse::<u32>().ok());
            let [Some(columns), Some(rows)] = sides else { return Err(unacceptable()) };
            let (found, _) = start.split_once(':').unwrap_or((start, ""));
            let wanted = match (columns == rows, found.ends_with(SWAP_RULE)) {
                (true, true) => format!("{columns}{SWAP_RULE}"),
                (true, false) => columns.to_string(),
                (false, true) => return Err(unacceptable()),
                (false, false) => format!("{columns}x{rows}"),
            };
            let (size, same) = (columns, wanted == found);
            (same.then_some(size), size, format!("{wanted}:"))
        }
        // A size, a colon, no move; it may have the name of its rule between them.
        "gomoku" => {
            let size = square()?;
            let (found, rest) = start.split_once([':', ' ']).unwrap_or((start, ""));
            let rest = rest.trim_end_matches(':');
            let rule = if rest.is_empty() { String::new() } else { format!(" {rest}") };
            (found.parse().ok(), size, format!("{size}{rule}:"))
        }
        "othello" => {
            let size = square()?;
            let other = match size {
                4 => OthelloBoard::<4>::new().position_text(),
                6 => OthelloBoard::<6>::new().position_text(),
                8 => OthelloBoard::<8>::new().position_text(),
                _ => return Err(unacceptable()),
            };
            (size_of_text(start).ok().map(|size| size as u32), size, other)
        }
        // Any other game is played on the board of its start.
        _ => {
            let size = game.info().board.ok_or_else(unacceptable)?.map(|number| number.to_string());
            // The rows of a board that is no square are rarely sent.
            let fits = [columns, rows] == size || columns == rows && columns == size[0];
            return if fits { Ok(None) } else { Err(unacceptable()) };
        }
    };
    if found == Some(size) {
        return Ok(None);
    }
    Game::open(game.name(), Some(&other)).map(Some).map_err(|_| unacceptable())
}

/// What stands between the size of a board of Hex and the colon, where the swap rule holds.
const SWAP_RULE: &str = " swap";

/// The start on which these moves can be played: with the swap rule if one of them is a swap in Hex
/// on a board without it.
pub(super) fn with_swap_rule(game: Game, start: &str, moves: &[(usize, String)]) -> String {
    let swaps = |(_, text): &(usize, String)| hex::is_swap(text);
    match start.split_once(':') {
        Some((head, rest))
            if game.name() == "hex" && !head.ends_with(SWAP_RULE) && moves.iter().any(swaps) =>
        {
            format!("{head}{SWAP_RULE}:{rest}")
        }
        _ => start.to_owned(),
    }
}

/// The same position with the other side to move.
///
/// # Errors
/// If the game has no such position, or says always who is to move.
pub(super) fn handed_over(game: Game, state: &Position) -> Result<Position, String> {
    let text = state.position_text();
    let cannot = || format!("the sides of {} move by turns", game.name());
    let swapped = match game.name() {
        "othello" | "breakthrough" | "xiangqi" => {
            let mut fields: Vec<&str> = text.split(' ').collect();
            let side = fields.get_mut(1).ok_or_else(cannot)?;
            *side = match *side {
                "X" => "O",
                "O" => "X",
                "w" => "b",
                _ => "w",
            };
            fields.join(" ")
        }
        "nim" | "nim-misere" => match text.strip_suffix(" 2") {
            Some(first) => first.to_owned(),
            None => format!("{text} 2"),
        },
        _ => return Err(cannot()),
    };
    let other = game.position(&swapped).map_err(|error| error.to_string())?;
    if other.mover() == state.mover() || other.outcome().is_some() {
        return Err(cannot());
    }
    Ok(other)
}

/// The start with discs of black on some squares, and white to move.
///
/// # Errors
/// If the game has no such position.
pub(super) fn with_handicap(
    game: Game,
    start: &Position,
    vertices: &[String],
) -> Result<Position, String> {
    if game.name() != "othello" {
        return Err(format!("invalid handicap: {} has none", game.name()));
    }
    let text = start.position_text();
    let size = size_of_text(&text).map_err(|error| error.to_string())?;
    let mut squares: Vec<char> = text.chars().take(size * size).collect();
    for vertex in vertices {
        let square = match *vertex.to_ascii_lowercase().as_bytes() {
            [column @ b'a'..=b'h', row @ b'1'..=b'8'] => {
                let (column, row) = (usize::from(column - b'a'), usize::from(row - b'1'));
                (column < size && row < size).then_some(row * size + column)
            }
            _ => None,
        };
        match square.map(|square| &mut squares[square]) {
            Some(square) if *square == '-' => *square = 'X',
            _ => return Err(format!("invalid handicap: expected empty squares, found '{vertex}'")),
        }
    }
    let text: String = squares.into_iter().chain(" O".chars()).collect();
    let state = game.position(&text).map_err(|error| format!("invalid handicap: {error}"))?;
    if state.outcome().is_some() { Err("invalid handicap".into()) } else { Ok(state) }
}

/// A game, and before it the ones that ended where the turn was handed over.
pub(super) struct Line {
    pub(super) record: Record,
    pub(super) earlier: Vec<Record>,
}

impl Line {
    pub(super) fn new(start: Position) -> Self {
        Self { record: Record::new(start), earlier: Vec::new() }
    }

    /// Makes it the turn of `player`. Whether the turn had to be handed over.
    ///
    /// # Errors
    /// If the game is over, or this side cannot move here.
    pub(super) fn turn_to(&mut self, game: Game, player: usize) -> Result<bool, String> {
        let state = self.record.last();
        if self.record.outcome().is_some() {
            return Err("the game is over".into());
        }
        if state.mover() == player {
            return Ok(false);
        }
        let other = handed_over(game, state).map_err(|error| {
            let [found, expected] =
                if player == 0 { ["black", "white"] } else { ["white", "black"] };
            format!("expected {expected} to move, found {found}: {error}")
        })?;
        self.earlier.push(std::mem::replace(&mut self.record, Record::new(other)));
        Ok(true)
    }

    /// Gives the turn back that was handed over and not used.
    pub(super) fn give_back(&mut self) {
        if let Some(record) = self.earlier.pop() {
            self.record = record;
        }
    }

    /// Plays a move as `read` understands it. Whether the turn had to be handed over.
    ///
    /// # Errors
    /// If it is not legal; nothing has changed then.
    pub(super) fn play(
        &mut self,
        game: Game,
        player: usize,
        read: impl FnOnce(&Position) -> Result<AnyMove, String>,
    ) -> Result<bool, String> {
        let handed_over =
            self.turn_to(game, player).map_err(|error| format!("illegal move: {error}"))?;
        match read(self.record.last()) {
            Ok(mv) => {
                self.record.play(mv);
                Ok(handed_over)
            }
            Err(error) => {
                if handed_over {
                    self.give_back();
                }
                Err(format!("illegal move: {error}"))
            }
        }
    }

    /// Takes the last move back; whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        let has_moved = self.record.take_back();
        if self.record.len() == 0 {
            self.give_back();
        }
        has_moved
    }

    /// Plays the moves of a game record from the start.
    ///
    /// # Errors
    /// If one of them is not legal.
    pub(super) fn replay(
        game: Game,
        start: Position,
        moves: &[(usize, String)],
    ) -> Result<Self, String> {
        let mut line = Self::new(start);
        for (number, (player, text)) in (1..).zip(moves) {
            line.play(game, *player, |state| read_sgf_move(game, state, text))
                .map_err(|error| format!("move {number}: {error}"))?;
        }
        Ok(line)
    }
}

/// A move as the game writes it, or as two letters as game records have it: column and row, the
/// latter from the top.
fn read_sgf_move(game: Game, state: &Position, text: &str) -> Result<AnyMove, String> {
    let letters = match (game.name(), text.as_bytes()) {
        ("othello", b"" | b"tt") => Some("pass".to_owned()),
        ("hex" | "gomoku" | "othello", &[column @ b'a'..=b't', row @ b'a'..=b't']) => {
            let row = u32::from(row - b'a');
            // The rows of gomoku are counted from the bottom.
            let number = match (game.name(), rows_of(&state.position_text())) {
                ("gomoku", Some(rows)) => rows.saturating_sub(row),
                _ => row + 1,
            };
            Some(format!("{}{number}", char::from(column)))
        }
        _ => None,
    };
    read_move(state, letters.as_deref().unwrap_or(text))
}

/// The rows of a board of gomoku, from the text of a position: `15: h8`, `4x3x3: b2`.
fn rows_of(position: &str) -> Option<u32> {
    let head = position.split([':', ' ']).next()?;
    head.split('x').nth(1).unwrap_or(head).parse().ok()
}
