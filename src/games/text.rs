//! What the notations of several games have in common.

use crate::game::{Notation, NotationError};

/// The legal move of `state` that `is_it` picks; else an error that lists the legal ones, about
/// `text`.
pub(super) fn legal_move<G: Notation>(
    state: &G,
    text: &str,
    is_it: impl Fn(&G::Move) -> bool,
) -> Result<G::Move, NotationError> {
    let mut legal = Vec::new();
    state.moves(&mut legal);
    if let Some(at) = legal.iter().position(is_it) {
        return Ok(legal.swap_remove(at));
    }
    let names: Vec<String> = legal.iter().map(|mv| state.move_text(mv)).collect();
    let expected = if names.is_empty() {
        "no move after the end of the game".to_owned()
    } else {
        format!("a legal move ({})", names.join(" "))
    };
    Err(NotationError::new(expected, format!("'{text}'")))
}

/// Plays moves that blanks part; an error tells the number of the move.
pub(super) fn play<G: Notation>(mut position: G, moves: &str) -> Result<G, NotationError> {
    for (at, name) in moves.split_whitespace().enumerate() {
        let mv = position.parse_move(name).map_err(|error| {
            NotationError::new(error.expected, format!("{} as move {}", error.found, at + 1))
        })?;
        position.apply_in_place(&mv);
    }
    Ok(position)
}

/// Appends a row in Forsyth's notation: the letters of the pieces, and the number of free squares
/// between them.
pub(super) fn push_row(text: &mut String, squares: impl IntoIterator<Item = Option<char>>) {
    let mut free = 0;
    for square in squares {
        let Some(piece) = square else {
            free += 1;
            continue;
        };
        push_free(text, free);
        free = 0;
        text.push(piece);
    }
    push_free(text, free);
}

fn push_free(text: &mut String, free: u32) {
    if free > 0 {
        text.push_str(&free.to_string());
    }
}
