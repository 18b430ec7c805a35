//! Who may not repeat: the verdict on a line that has come back to a position.
//!
//! After the rules of the Asian Xiangqi Federation: who gives check with every move loses; if
//! both do it is a draw. Else who chases one and the same piece with every move loses; if both
//! do it is a draw. Everything else is a draw: two pieces chased in turn (rule 32), checks and
//! chases in turn (rule 12), threats of mate (rule 9). A move that gives check and chases as well
//! counts as either.

use crate::game::{GameState, Outcome};
use crate::games::xiangqi::Xiangqi;
use crate::games::xiangqi::chase::chased;
use crate::games::xiangqi::squares::{SQUARES, bit, first, is_one, ones};

/// What a side has done with every one of its moves.
#[derive(Clone, Copy, Debug)]
struct Conduct {
    /// It has given check.
    checks: bool,
    /// It has chased these pieces, named by where they stood at first.
    chases: u128,
}

/// The verdict on `line`, whose last position has the pieces of its first. A line that is not one
/// of moves (one with a pass) is a draw.
pub(super) fn verdict(line: &[&Xiangqi]) -> Outcome {
    judge(line).unwrap_or(Outcome::Draw)
}

fn judge(line: &[&Xiangqi]) -> Option<Outcome> {
    // Each side has moved at least once.
    let start = line.first().filter(|_| line.len() > 2)?;
    let mut conduct = [Conduct { checks: true, chases: 0 }; 2];
    for (side, conduct) in conduct.iter_mut().enumerate() {
        // The positions after its own moves.
        let after = line.iter().skip(1).filter(|position| position.mover() != side);
        conduct.checks = after.clone().all(|position| position.in_check());
    }
    match conduct.map(|conduct| conduct.checks) {
        [true, true] => return None,
        [true, false] => return Some(Outcome::Win(1)),
        [false, true] => return Some(Outcome::Win(0)),
        [false, false] => {}
    }
    for (side, conduct) in conduct.iter_mut().enumerate() {
        conduct.chases = start.board.side(1 - side);
    }
    // Where the piece that stands on a point now stood at first.
    let mut origin: [u8; SQUARES] = std::array::from_fn(|square| square as u8);
    for pair in line.windows(2) {
        let [before, after] = [&pair[0].board, &pair[1].board];
        let side = pair[0].mover();
        let left = before.side(side) & !after.side(side);
        let entered = after.side(side) & !before.side(side);
        if pair[1].mover() == side || !is_one(left) || !is_one(entered) {
            return None;
        }
        let (from, to) = (first(left), first(entered));
        origin[to] = origin[from];
        if conduct[side].chases != 0 {
            let prey = chased(before, after, side, from, to);
            let named = ones(prey).fold(0, |set, square| set | bit(usize::from(origin[square])));
            conduct[side].chases &= named;
        }
        if conduct.iter().all(|conduct| conduct.chases == 0) {
            return None;
        }
    }
    match conduct.map(|conduct| conduct.chases != 0) {
        [true, false] => Some(Outcome::Win(1)),
        [false, true] => Some(Outcome::Win(0)),
        _ => None,
    }
}
