//! Games of Hex in links to the board of HexWorld: `https://hexworld.org/board/#11c1,a10:sd4,i4`.
//!
//! Behind `#` stand the size, or columns and rows as `7x6`, how the board is shown, and after a comma
//! the moves up to the position that the link shows; those after a second comma are still to be
//! played. `:s` takes the first stone over, `:S` the first player's side, `:p` passes, `:rb` and `:fw`
//! say who resigns or forfeits.

/// The position in our notation, `None` if the text is no such link.
pub(super) fn plain_game(text: &str) -> Option<String> {
    let text = text.trim();
    let text = match text.split_once('#') {
        Some((address, game)) if address.to_ascii_lowercase().contains("hexworld.org/board") => {
            game
        }
        Some(_) => return None,
        None => text,
    };
    let mut parts = text.split(',');
    let head = parts.next()?;
    let sides = head.find(|c: char| !c.is_ascii_digit() && c != 'x').unwrap_or(head.len());
    let (sides, view) = head.split_at(sides);
    let is_view = view.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !sides.starts_with(|c: char| c.is_ascii_digit()) || !is_view || sides.len() == text.len() {
        return None;
    }
    let moves = moves(parts.next().unwrap_or_default())?;
    let rule = if moves.contains(&SWAP) { " swap" } else { "" };
    Some(format!("{sides}{rule}: {}", moves.join(" ")))
}

/// The move that takes the first stone over, in our notation.
const SWAP: &str = "swap";

/// The moves that follow each other without a blank, `None` if they do not.
fn moves(text: &str) -> Option<Vec<&str>> {
    let mut moves = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let len = match rest.as_bytes() {
            [b':', b'r' | b'f', ..] => 3,
            [b':', ..] => 2,
            _ => {
                let column = rest.find(|c: char| !c.is_ascii_lowercase())?;
                let row = rest[column..].find(|c: char| !c.is_ascii_digit());
                column + row.unwrap_or(rest.len() - column)
            }
        };
        let (mv, after) = rest.split_at_checked(len.max(1))?;
        rest = after;
        match mv {
            // Who has which side is not part of a position; nor is the end by a word.
            ":S" | ":rb" | ":rw" | ":fb" | ":fw" => {}
            ":s" => moves.push(SWAP),
            // For the game to refuse.
            ":p" => moves.push("pass"),
            _ if mv.starts_with(|c: char| c.is_ascii_lowercase()) => moves.push(mv),
            _ => return None,
        }
    }
    Some(moves)
}

#[cfg(test)]
mod tests {
    use super::plain_game;
    use crate::Game;

    /// The position of a text, as we write it, or what is wrong with it.
    fn read(text: &str) -> String {
        match Game::open("hex", Some(text)) {
            Ok((_, position)) => position.position_text(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn links_that_playhex_writes_are_read() {
        // Examples in the sources of PlayHex (`hexworld.ts` and its tests).
        let played = "https://hexworld.org/board/#9r9c1,e5g6c6i9b3";
        assert_eq!(read(played), "9: b3 g6 e5 i9 c6");
        let swapped = "https://hexworld.org/board/#11r9c1,b4:sh4g8i8h3g4g3i3j1j3k1i2i1";
        let ours = "11 swap: b4 swap h4 g8 i8 h3 g4 g3 i3 j1 j3 k1 i2 i1";
        assert_eq!(read(swapped), read(ours));
        assert_eq!(read("11r9c1,b4:sh4g8i8h3g4g3i3j1j3k1i2i1"), read(ours));
        // The position at the second comma.
        assert_eq!(read("11c1,h4e7f9,b9c3"), "11: h4 e7 f9");
        assert_eq!(read("11c1,,b9c3"), "11:");
    }

    #[test]
    fn what_a_link_says_of_the_view_and_of_the_end_is_left_out() {
        for text in ["7x6r3mnc1,d3a1", "7x6,d3a1:rb", " 7x6c1,d3a1:fw "] {
            assert_eq!(read(text), "7x6: d3 a1", "{text}");
        }
        // The sides are changed, not the stones.
        assert_eq!(read("5,c2:Se4"), "5: c2 e4");
        assert_eq!(read("HTTPS://HexWorld.org/board/index.html#5m"), "5:");
    }

    #[test]
    fn what_is_wrong_in_a_link_is_said() {
        assert_eq!(read("5,c2:p"), "expected a cell, a1 to e5, found 'pass' as move 2");
        assert_eq!(read("5,c2c2"), "expected an empty cell, found the taken 'c2' as move 2");
        assert_eq!(read("5,c9"), "expected a cell, a1 to e5, found 'c9' as move 1");
        for text in [
            "",
            "5",
            "5:",
            "5: a1",
            "5 swap: a1 swap",
            "x,a1",
            ",a1",
            "5,a1:x",
            "5,a1:",
            "5,A1",
            "5,é",
            "5,a1 b2",
            "5c1:a1",
            "https://example.org/#5,a1",
            "5:,",
        ] {
            assert_eq!(plain_game(text), None, "{text}");
        }
    }
}
