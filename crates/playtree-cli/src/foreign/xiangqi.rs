//! What clients and programs for Xiangqi say that our rules and notation do not have: ranks from 0,
//! games that go on where ours are drawn.

use playtree::GameState;
use playtree::games::xiangqi::QUIET_LIMIT;
use playtree_session::{Game, Position};

/// Adds to and takes from each number in a move.
pub(crate) fn shift_ranks(text: &str, add: u32, take: u32) -> String {
    let mut shifted = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits =
            rest[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - start);
        let (number, after) = rest[start..].split_at(digits);
        shifted.push_str(&rest[..start]);
        match number.parse::<u32>().ok().and_then(|rank| (rank + add).checked_sub(take)) {
            Some(rank) => shifted.push_str(&rank.to_string()),
            // Left as it is, to be refused as a move.
            None => shifted.push_str(number),
        }
        rest = after;
    }
    shifted + rest
}

/// The same board with none of its moves counted, where our rules call it drawn by their number and
/// the client plays on; `None` of any other position.
pub(crate) fn gone_on(game: Game, position: &Position) -> Option<Position> {
    if game.name() != "xiangqi" || position.outcome().is_none() {
        return None;
    }
    let text = position.position_text();
    let mut fields: Vec<&str> = text.split(' ').collect();
    if fields.get(4)?.parse::<u32>().ok()? < QUIET_LIMIT {
        return None;
    }
    fields[4] = "0";
    let other = game.position(&fields.join(" ")).ok()?;
    other.outcome().is_none().then_some(other)
}

#[cfg(test)]
mod tests {
    use playtree_session::Game;

    use super::{QUIET_LIMIT, gone_on, shift_ranks};

    #[test]
    fn ranks_begin_with_0_or_1() {
        assert_eq!(shift_ranks("h2e2", 1, 0), "h3e3");
        assert_eq!(shift_ranks("h9g7", 1, 0), "h10g8");
        assert_eq!(shift_ranks("a10b9", 0, 1), "a9b8");
        assert_eq!(shift_ranks("a0b1", 0, 1), "a0b0");
        assert_eq!(shift_ranks("resign", 0, 1), "resign");
    }

    #[test]
    fn only_a_draw_by_the_number_of_moves_is_gone_on_from() {
        let open = |text: &str| Game::open("xiangqi", Some(text)).unwrap();
        let (game, going_on) = open("4k4/9/9/9/9/9/9/9/9/3K5 r");
        assert!(gone_on(game, &going_on).is_none());
        let (_, drawn) = open(&format!("4k4/9/9/9/9/9/9/9/9/3K5 w - - {QUIET_LIMIT} 60"));
        let text = gone_on(game, &drawn).map(|position| position.position_text());
        assert_eq!(text.as_deref(), Some("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 60"));
    }
}
