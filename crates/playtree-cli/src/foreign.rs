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

/// A move in the notation of its game, of one that others write; `None` if it is none of those.
pub(crate) fn mv(position: &Position, text: &str) -> Option<String> {
    xiangqi::from_wxf(position, text)
}

/// A move of our notation as people write it, where that is another way.
pub(crate) fn written(position: &Position, mv: &str) -> Option<String> {
    xiangqi::to_wxf(position, mv)
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn fields_of_chess_behind_a_position_of_breakthrough_are_left_out() {
        let plain = "3p/ppp1/PPP1/4 w";
        for text in [plain, "3p/ppp1/PPP1/4 w - - 0 1", "3p/ppp1/PPP1/4 w 0 1 "] {
            assert_eq!(position("breakthrough", text), plain, "{text}");
        }
        let broken = "3p/ppp1/PPP1/4 w KQ";
        assert_eq!(position("breakthrough", broken), broken);
    }
}
