//! A position under search: its window, its moves still to be tried, and what the others have
//! shown.

use super::score::{Found, INFINITE, Kind, LEAST_WIN};

/// Plies below the root at which a line ends, whatever is there.
pub(super) const MAX_PLY: usize = 240;

/// A position whose moves are being searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) ply: usize,
    /// Plies left, the extension included.
    pub(super) depth: i32,
    pub(super) mover: usize,
    pub(super) beta: i32,
    /// Whether the window was open when the position was reached.
    pub(super) pv: bool,
    /// Whether late moves may be searched less deep at first.
    pub(super) reduces: bool,
    /// Moves as good as the best one have to be distinguished from worse ones, as soon as that is
    /// better than this.
    pub(super) ties: Option<i32>,
}

impl Frame {
    /// The lower end of the window for the `tried`th move.
    #[inline]
    pub(super) fn low(&self, tried: usize, alpha: i32) -> i32 {
        // What is as good as the best then lies above it.
        let shares = self.ties.is_some_and(|lowest| tried > 0 && alpha > lowest);
        if shares { alpha - 1 } else { alpha }
    }
}

/// What the moves searched so far have shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) alpha: i32,
    /// The value of the best move.
    pub(super) best: Found,
    /// Its number.
    pub(super) number: Option<usize>,
    /// Whether the values of all moves are solved.
    pub(super) all_solved: bool,
    /// Whether that of some move depends on what was played before the root.
    pub(super) by_history: bool,
    /// How many moves were searched.
    pub(super) tried: usize,
}

impl Tally {
    pub(super) fn new(alpha: i32) -> Self {
        let best = Found::guess(-INFINITE);
        Self { alpha, best, number: None, all_solved: true, by_history: false, tried: 0 }
    }

    /// Adds what a move has shown. True if it is better than those before and than alpha.
    #[inline]
    pub(super) fn add(&mut self, number: usize, found: Found) -> bool {
        self.tried += 1;
        self.all_solved &= found.solved;
        self.by_history |= found.by_history;
        // Of two that are as good one may be known for sure.
        if found.value > self.best.value {
            self.best = found;
            self.number = Some(number);
        }
        let raises = found.value > self.alpha;
        if raises {
            self.alpha = found.value;
        }
        raises
    }

    /// The value of the position, and what it says, if the window was from `alpha` to `beta`.
    #[inline]
    pub(super) fn result(&self, alpha: i32, beta: i32) -> (Found, Kind) {
        let value = self.best.value;
        let by_move = value >= beta || value >= LEAST_WIN;
        let kind = if value >= beta {
            Kind::AtLeast
        } else if value <= alpha {
            Kind::AtMost
        } else if by_move && !self.all_solved {
            // A win, and perhaps not the shortest one.
            Kind::AtLeast
        } else {
            Kind::Exact
        };
        let (solved, by_history) = match kind {
            Kind::AtLeast => (self.best.solved, self.best.by_history),
            Kind::Exact | Kind::AtMost | Kind::None => (self.all_solved, self.by_history),
        };
        (Found { value, solved, by_history }, kind)
    }
}

/// A move to be searched.
#[derive(Clone, Debug)]
pub(super) struct Task<M> {
    /// Its number in the list of the game.
    pub(super) number: usize,
    /// Whether it is neither promising nor a killer.
    pub(super) plain: bool,
    pub(super) mv: M,
}
