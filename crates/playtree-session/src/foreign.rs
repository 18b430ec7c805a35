//! Positions and moves as other programs write them, where they differ from our notation.
//!
//! [`Game::open`](crate::Game::open) and [`Session::play`](crate::Session::play) read them all:
//!
//! | game | positions | moves |
//! |---|---|---|
//! | Othello | a line of Edax's problem files, a board as Edax prints it | |
//! | Hex | a link to HexWorld, or what stands in it behind `#`: `11c1,a10:sd4` | `swap-pieces` |
//! | Breakthrough | fields of chess behind the side to move | |
//! | Xiangqi | FEN without a side, or with a count beyond our rules | WXF: `C2=5`, `H8+7` |

mod hex;
mod othello;
mod xiangqi;

use std::borrow::Cow;

use playtree::dynamic::AnyMove;
use playtree::game::NotationError;

use crate::Position;

/// A move as the game writes it, in upper or lower case, or as other programs do.
///
/// # Errors
/// If it is none, or not legal.
///
/// # Examples
/// ```
/// use playtree_session::{Game, foreign};
///
/// let (_, position) = Game::open("xiangqi", None)?;
/// let mv = foreign::read_move(&position, "C2=5")?;
/// assert_eq!(foreign::read_move(&position, "H2E2"), Ok(mv));
/// # Ok::<(), playtree_session::Error>(())
/// ```
pub fn read_move(position: &Position, text: &str) -> Result<AnyMove, NotationError> {
    position
        .parse_move(text)
        // An error quotes what was written.
        .or_else(|error| position.parse_move(&text.to_ascii_lowercase()).map_err(|_| error))
        .or_else(|error| match xiangqi::from_wxf(position, text) {
            Some(text) => position.parse_move(&text),
            None => Err(error),
        })
}

/// A move of our notation as people write it, where that is another way.
///
/// # Examples
/// ```
/// use playtree_session::{Game, foreign};
///
/// let (_, position) = Game::open("xiangqi", None)?;
/// assert_eq!(foreign::written(&position, "h2e2").as_deref(), Some("C2=5"));
/// # Ok::<(), playtree_session::Error>(())
/// ```
#[must_use]
pub fn written(position: &Position, mv: &str) -> Option<String> {
    xiangqi::to_wxf(position, mv)
}

/// A position in the notation of the game of this name, if it is one that others write; else as it
/// is.
pub(crate) fn plain_position<'a>(game: &str, text: &'a str) -> Cow<'a, str> {
    match game {
        "xiangqi" => xiangqi::plain_fen(text).into(),
        "othello" => othello::plain_board(text).map_or(text.into(), Cow::Owned),
        "hex" => hex::plain_game(text).map_or(text.into(), Cow::Owned),
        "breakthrough" => without_counters(text).into(),
        _ => text.into(),
    }
}

/// A position as in FEN, without the fields of chess that follow the side to move: castling, the
/// square passed, two counters.
fn without_counters(text: &str) -> &str {
    let mut text = text;
    while let Some((before, field)) = text.trim_end().rsplit_once(' ')
        && is_counter(field)
    {
        text = before;
    }
    text
}

/// Whether a field may follow the side to move in FEN: a dash or a number.
fn is_counter(field: &str) -> bool {
    field == "-" || field.parse::<u64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::plain_position;

    #[test]
    fn fields_of_chess_behind_a_position_of_breakthrough_are_left_out() {
        let plain = "3p/ppp1/PPP1/4 w";
        for text in [plain, "3p/ppp1/PPP1/4 w - - 0 1", "3p/ppp1/PPP1/4 w 0 1 "] {
            assert_eq!(plain_position("breakthrough", text), plain, "{text}");
        }
        let broken = "3p/ppp1/PPP1/4 w KQ";
        assert_eq!(plain_position("breakthrough", broken), broken);
    }
}
