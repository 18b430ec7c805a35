//! Checks, and which moves could leave the king in check.

use crate::games::xiangqi::board::Board;
use crate::games::xiangqi::piece::Kind;
use crate::games::xiangqi::reach::{HORSE, SOLDIER_FROM, leg};
use crate::games::xiangqi::squares::{
    FILE_SETS, LINES, between, bit, file, first, is_one, is_two, ones,
};

/// The other side's pieces that can give check.
///
/// The other king counts: it must not see ours along a file with nothing between (the rule of
/// the "flying general").
#[derive(Clone, Copy, Debug)]
pub(super) struct Attackers {
    rooks: u128,
    cannons: u128,
    horses: u128,
    soldiers: u128,
    king: u128,
    /// Their side.
    side: usize,
}

/// What the pieces of the other side mean for the king.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Danger {
    /// Pieces that give check.
    pub(super) checkers: u128,
    /// Pieces of either side that may not leave without a look: something could give check then.
    pub(super) pinned: u128,
    /// Free points where a piece would be the screen that a cannon waits for.
    pub(super) screens: u128,
}

impl Attackers {
    /// The pieces of `side`.
    #[inline]
    pub(super) fn of(board: &Board, side: usize) -> Self {
        let theirs = board.side(side);
        Self {
            rooks: board.kind(Kind::Rook) & theirs,
            cannons: board.kind(Kind::Cannon) & theirs,
            horses: board.kind(Kind::Horse) & theirs,
            soldiers: board.kind(Kind::Soldier) & theirs,
            king: bit(board.king(side)),
            side,
        }
    }

    /// Those that see along lines as a rook does, from `king`'s point of view.
    #[inline]
    fn seeing(&self, king: usize) -> u128 {
        self.rooks & LINES[king] | self.king & FILE_SETS[file(king)]
    }

    /// What they mean for a king on `king`.
    #[inline]
    fn danger(&self, king: usize, occupied: u128) -> Danger {
        let mut danger = Danger {
            checkers: self.soldiers & SOLDIER_FROM[self.side & 1][king],
            ..Danger::default()
        };
        for slider in ones(self.seeing(king)) {
            let middle = between(king, slider) & occupied;
            if middle == 0 {
                danger.checkers |= bit(slider);
            } else if is_one(middle) {
                danger.pinned |= middle;
            }
        }
        for cannon in ones(self.cannons & LINES[king]) {
            let span = between(king, cannon);
            let middle = span & occupied;
            if middle == 0 {
                danger.screens |= span;
            } else if is_one(middle) {
                danger.checkers |= bit(cannon);
            } else if is_two(middle) {
                danger.pinned |= middle;
            }
        }
        for horse in ones(self.horses & HORSE[king]) {
            let leg = bit(leg(horse, king));
            if occupied & leg == 0 {
                danger.checkers |= bit(horse);
            } else {
                danger.pinned |= leg;
            }
        }
        danger
    }

    /// Whether one of them, but for those in `gone`, attacks a king on `king`.
    #[inline]
    pub(super) fn attack(&self, king: usize, occupied: u128, gone: u128) -> bool {
        if self.soldiers & SOLDIER_FROM[self.side & 1][king] & !gone != 0 {
            return true;
        }
        for slider in ones(self.seeing(king) & !gone) {
            if between(king, slider) & occupied == 0 {
                return true;
            }
        }
        for cannon in ones(self.cannons & LINES[king] & !gone) {
            if is_one(between(king, cannon) & occupied) {
                return true;
            }
        }
        for horse in ones(self.horses & HORSE[king] & !gone) {
            if occupied & bit(leg(horse, king)) == 0 {
                return true;
            }
        }
        false
    }
}

impl Danger {
    /// What the other side means for the king of `side`.
    #[inline]
    pub(super) fn of(board: &Board, side: usize) -> Self {
        Attackers::of(board, 1 - side).danger(board.king(side), board.occupied())
    }

    /// Where a piece other than the king can end one of the checks: by capture, by standing
    /// between, on the leg. The second set are screens of a cannon, which may also leave.
    #[inline]
    pub(super) fn answers(&self, board: &Board, king: usize, occupied: u128) -> (u128, u128) {
        let checker = first(self.checkers);
        match board.piece(checker) {
            Some((Kind::Horse, _)) => (self.checkers_bit() | bit(leg(checker, king)), 0),
            Some((Kind::Cannon, _)) => {
                let span = between(king, checker);
                (self.checkers_bit() | span & !occupied, span & occupied)
            }
            Some((Kind::Soldier, _)) => (self.checkers_bit(), 0),
            _ => (self.checkers_bit() | between(king, checker), 0),
        }
    }

    /// The first of the checking pieces.
    #[inline]
    fn checkers_bit(&self) -> u128 {
        self.checkers & self.checkers.wrapping_neg()
    }
}
