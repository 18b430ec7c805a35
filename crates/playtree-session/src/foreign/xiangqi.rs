//! What other programs write of Xiangqi: positions with less or more in them than ours, and moves in
//! the notation of the World Xiangqi Federation.

mod wxf;

use playtree::games::xiangqi::QUIET_LIMIT;

use super::is_counter;

pub(super) use self::wxf::{from_wxf, to_wxf};

/// The greatest number of a move that our notation has.
const LAST_MOVE: u64 = 1_000_000;

/// A position as our notation has it, of one that others write: without a side to move it is Red's
/// turn, a count of plies without a capture that our rules do not reach is none, and what stands
/// for castling and en passant in chess says nothing.
pub(super) fn plain_fen(text: &str) -> String {
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    let is_side = |field: &&str| ["w", "r", "b"].contains(&field.to_ascii_lowercase().as_str());
    if !fields.is_empty()
        && !fields.get(1).is_some_and(is_side)
        && fields[1..].iter().all(|field| is_counter(field))
    {
        fields.insert(1, "w");
    }
    let number = |field: Option<&&str>| field.and_then(|field| field.parse::<u64>().ok());
    if number(fields.get(4)).is_some_and(|plies| plies > u64::from(QUIET_LIMIT)) {
        fields[4] = "0";
    }
    if number(fields.get(5)).is_some_and(|moves| moves > LAST_MOVE) {
        fields[5] = "1";
    }
    fields.join(" ")
}
