//! What a move chases: the captures that it threatens and that were no threat before.
//!
//! After the rules of the Asian Xiangqi Federation (chapter 4; the numbers are those of its
//! detailed rules). A capture is a threat if it is legal and wins something: what is captured is
//! worth more than what captures it, or nothing can legally take back. Kings and soldiers chase
//! freely; kings (that is check) and soldiers that have not crossed the river are not chased.

use crate::games::xiangqi::board::Board;
use crate::games::xiangqi::check::{Attackers, Danger};
use crate::games::xiangqi::moves;
use crate::games::xiangqi::piece::Kind;
use crate::games::xiangqi::squares::{HALVES, bit, ones};

/// The points of the pieces that `side` threatens after its move from `from` to `to`, by
/// captures that were no threats before it.
///
/// That the attack has to be new is what makes a chase: a piece that is attacked all the time is
/// not chased by moves which change nothing about it. A step of the king chases only where it
/// gives way to an attack: to leave a pin, or to pin by looking along a file, is the king's own
/// part, and kings chase freely.
pub(super) fn chased(before: &Board, after: &Board, side: usize, from: usize, to: usize) -> u128 {
    let by_king = from == before.king(side);
    let (occupied, occupied_before) = (after.occupied(), before.occupied());
    let mut found = 0;
    for square in ones(after.side(side)) {
        let Some((kind, _)) = after.piece(square) else { continue };
        let earlier = if square == to { from } else { square };
        let mut targets = moves::reach(kind, side, square, occupied) & after.side(1 - side);
        if by_king {
            targets &= !moves::reach(kind, side, earlier, occupied_before);
        }
        for target in ones(targets & !found) {
            if threat(after, side, square, target) && !threat(before, side, earlier, target) {
                found |= bit(target);
            }
        }
    }
    found
}

/// Whether the piece of `side` on `from` threatens the other side's piece on `to`, were it to
/// move.
fn threat(board: &Board, side: usize, from: usize, to: usize) -> bool {
    let (Some((hunter, _)), Some((prey, _))) = (board.piece(from), board.piece(to)) else {
        return false;
    };
    let free = match prey {
        Kind::King => true,
        // Not yet in the hunter's half.
        Kind::Soldier => HALVES[side & 1] & bit(to) == 0,
        _ => false,
    };
    if free || matches!(hunter, Kind::King | Kind::Soldier) || !can_capture(board, side, from, to) {
        return false;
    }
    if pinned(board, side, from) {
        return false;
    }
    if worth(hunter) < worth(prey) {
        // Protected or not (rule 15: a cannon may not chase a rook that is protected).
        return true;
    }
    let answers = !pinned(board, 1 - side, to) && can_capture(board, 1 - side, to, from);
    if hunter == prey && answers {
        // Each can take the other: an offer to exchange (rule 24).
        return false;
    }
    let mut taken = *board;
    taken.play(side, from, to);
    if Danger::of(board, 1 - side).checkers != 0 {
        // In check nothing can take back: that is for the check, not for this threat.
        return !moves::attacked(&taken, 1 - side, to, taken.occupied());
    }
    !moves::any(&taken, 1 - side, &Danger::of(&taken, 1 - side), bit(to))
}

/// Whether a piece of `side` may not leave freely, because its king would be in check: it chases
/// nothing, not even what pins it (diagrams 39 and 63 to 66), and offers no exchange.
fn pinned(board: &Board, side: usize, square: usize) -> bool {
    Danger::of(board, side).pinned & bit(square) != 0
}

/// Whether the piece of `side` on `from` can capture on `to` without leaving its king in check,
/// whichever side is to move.
fn can_capture(board: &Board, side: usize, from: usize, to: usize) -> bool {
    let Some((kind, _)) = board.piece(from) else { return false };
    if moves::reach(kind, side, from, board.occupied()) & bit(to) == 0 {
        return false;
    }
    let mut taken = *board;
    taken.play(side, from, to);
    !Attackers::of(&taken, 1 - side).attack(taken.king(side), taken.occupied(), 0)
}

/// The order of the pieces where protection does not matter: a rook is worth more than a horse
/// or a cannon, those more than an advisor or an elephant.
fn worth(kind: Kind) -> u32 {
    match kind {
        Kind::Rook => 3,
        Kind::Horse | Kind::Cannon => 2,
        Kind::Advisor | Kind::Elephant => 1,
        Kind::King | Kind::Soldier => 0,
    }
}
