//! What other programs write of Xiangqi: the numbers of ranks, positions with less or more in them
//! than ours, and moves in the notation of the World Xiangqi Federation.

mod wxf;

use playtree::GameState;
use playtree::games::xiangqi::QUIET_LIMIT;
use playtree_session::{Game, Position};

use super::is_counter;

pub(crate) use self::wxf::{from_wxf, to_wxf};

/// The greatest number of a move that our notation has.
const LAST_MOVE: u64 = 1_000_000;

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

/// A position as our notation has it, of one that others write: without a side to move it is Red's
/// turn, a count of plies without a capture that our rules do not reach is none, and what stands
/// for castling and en passant in chess says nothing.
pub(crate) fn plain_fen(text: &str) -> String {
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    let is_side = |field: &&str| ["w", "r", "b"].contains(&field.to_ascii_lowercase().as_str());
    if !fields.is_empty()
        && !fields.get(1).is_some_and(is_side)
        && fields[1..].iter().all(|field| is_counter(field))
    {
        fields.insert(1, "w");
    }
    let number = |field: Option<&&str>| field.and_then(|field| field.parse::<u64>().ok());
    if number(fields.get(4)).is_some_and(|plies| plies >= u64::from(QUIET_LIMIT)) {
        fields[4] = "0";
    }
    if number(fields.get(5)).is_some_and(|moves| moves > LAST_MOVE) {
        fields[5] = "1";
    }
    fields.join(" ")
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
    use super::shift_ranks;

    #[test]
    fn ranks_begin_with_0_or_1() {
        assert_eq!(shift_ranks("h2e2", 1, 0), "h3e3");
        assert_eq!(shift_ranks("h9g7", 1, 0), "h10g8");
        assert_eq!(shift_ranks("a10b9", 0, 1), "a9b8");
        assert_eq!(shift_ranks("a0b1", 0, 1), "a0b0");
        assert_eq!(shift_ranks("resign", 0, 1), "resign");
    }
}
