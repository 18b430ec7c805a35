//! The legal moves: the reach of each piece, less what would leave the king in check.

use std::ops::ControlFlow;

use crate::games::xiangqi::board::Board;
use crate::games::xiangqi::check::{Attackers, Danger};
use crate::games::xiangqi::piece::Kind;
use crate::games::xiangqi::reach::{
    ADVISOR, HORSE, KING, SOLDIER, SOLDIER_FROM, cannon_captures, elephant_reach, horse_reach, leg,
    rook_reach,
};
use crate::games::xiangqi::squares::{HALVES, bit, ones};

/// The points where a piece of `kind` and `side` could go from `square` if the king did not
/// matter; its own side's pieces are among them.
#[inline]
pub(super) fn reach(kind: Kind, side: usize, square: usize, occupied: u128) -> u128 {
    match kind {
        Kind::King => KING[square],
        Kind::Advisor => ADVISOR[square],
        Kind::Elephant => elephant_reach(square, occupied),
        Kind::Horse => horse_reach(square, occupied),
        Kind::Soldier => SOLDIER[side & 1][square],
        Kind::Rook => rook_reach(square, occupied),
        Kind::Cannon => {
            rook_reach(square, occupied) & !occupied | cannon_captures(square, occupied)
        }
    }
}

/// Shows the legal moves of `side` that end in `wanted` to `see`: a piece's point and where it
/// can go, which is never empty. `danger` is what the other side means for the king of `side`.
/// Stops when `see` says so.
#[inline]
pub(super) fn legal(
    board: &Board,
    side: usize,
    danger: &Danger,
    wanted: u128,
    mut see: impl FnMut(usize, u128) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let occupied = board.occupied();
    let own = board.side(side);
    let king = board.king(side);
    let wanted = wanted & !own;
    let attackers = Attackers::of(board, 1 - side);
    // Whether the king on `king` is safe after a move.
    let safe = |king: usize, from: usize, to: usize| {
        let target = bit(to);
        !attackers.attack(king, occupied & !bit(from) | target, target)
    };
    let filter = |targets: u128, king: Option<usize>, from: usize| {
        let mut kept = 0;
        for to in ones(targets) {
            if safe(king.unwrap_or(to), from, to) {
                kept |= bit(to);
            }
        }
        kept
    };

    // In check, only some targets come into question; else all but those that make a screen.
    let check = danger.checkers != 0;
    let (answers, loose) =
        if check { danger.answers(board, king, occupied) } else { (!danger.screens, 0) };
    let looked_at = if check { own } else { danger.pinned };
    macro_rules! pieces {
        ($($kind:ident),*) => {$(
            for from in ones(board.kind(Kind::$kind) & own) {
                let mut targets = reach(Kind::$kind, side, from, occupied) & wanted;
                if loose & bit(from) == 0 {
                    targets &= answers;
                }
                if looked_at & bit(from) != 0 {
                    targets = filter(targets, Some(king), from);
                }
                if targets != 0 {
                    see(from, targets)?;
                }
            }
        )*};
    }
    pieces!(Rook, Cannon, Horse, Soldier);
    // Nothing else leaves its own half.
    if wanted & HALVES[side & 1] == 0 {
        return ControlFlow::Continue(());
    }
    pieces!(Advisor, Elephant);
    let targets = filter(KING[king] & wanted, None, king);
    if targets != 0 {
        see(king, targets)?;
    }
    ControlFlow::Continue(())
}

/// Whether `side` has a legal move that ends in `wanted`.
#[inline]
pub(super) fn any(board: &Board, side: usize, danger: &Danger, wanted: u128) -> bool {
    let own = board.side(side);
    // Nearly always a soldier or a rook tells, and what is asked at every position is short.
    if danger.checkers == 0 {
        let wanted = wanted & !own & !danger.screens;
        let free = own & !danger.pinned;
        let mut soldiers = ones(board.kind(Kind::Soldier) & free);
        let mut rooks = ones(board.kind(Kind::Rook) & free);
        let occupied = board.occupied();
        if soldiers.any(|from| SOLDIER[side & 1][from] & wanted != 0)
            || rooks.any(|from| rook_reach(from, occupied) & wanted != 0)
        {
            return true;
        }
    }
    any_of_all(board, side, danger, wanted)
}

/// As [`any`], by looking at every piece.
#[inline(never)]
fn any_of_all(board: &Board, side: usize, danger: &Danger, wanted: u128) -> bool {
    legal(board, side, danger, wanted, |_, _| ControlFlow::Break(())).is_break()
}

/// Whether a piece of `side` attacks a point where a piece stands, whatever its king's safety.
pub(super) fn attacked(board: &Board, side: usize, square: usize, occupied: u128) -> bool {
    let own = board.side(side) & occupied;
    let of = |kind| board.kind(kind) & own;
    rook_reach(square, occupied) & of(Kind::Rook) != 0
        || SOLDIER_FROM[side & 1][square] & of(Kind::Soldier) != 0
        || (KING[square] & of(Kind::King) | ADVISOR[square] & of(Kind::Advisor)) != 0
        || ones(HORSE[square] & of(Kind::Horse))
            .any(|horse| occupied & bit(leg(horse, square)) == 0)
        || cannon_captures(square, occupied) & of(Kind::Cannon) != 0
        || elephant_reach(square, occupied) & of(Kind::Elephant) != 0
}
