//! Positions and moves as other programs write them, where they differ from our notation: for
//! everything that reads one.

pub(crate) mod hex;
mod othello;
pub(crate) mod xiangqi;

use std::borrow::Cow;

use playtree_session::Position;

/// A position in the notation of the game of this name, if it is one that others write; else as it
/// is.
pub(crate) fn position<'a>(game: &str, text: &'a str) -> Cow<'a, str> {
    match game {
        "xiangqi" => xiangqi::plain_fen(text).into(),
        "othello" => othello::plain_board(text).map_or(text.into(), Cow::Owned),
        _ => text.into(),
    }
}

/// A move in the notation of its game, of one that others write; `None` if it is none of those.
pub(crate) fn mv(position: &Position, text: &str) -> Option<String> {
    xiangqi::from_wxf(position, text)
}

/// A move of our notation as people write it, where that is another way.
pub(crate) fn written(position: &Position, mv: &str) -> Option<String> {
    xiangqi::to_wxf(position, mv)
}
