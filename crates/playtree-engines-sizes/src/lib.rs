//! Every searcher for boards of rarer sizes: Othello on 4x4 and 6x6, Hex above 11x11, Gomoku above
//! 15x15.
//!
//! A search of another size is other code where the size is a part of the type. Few need these, and
//! to compile them takes a third of the time that all others take.

use playtree::games::{LargeGomoku, LargeHex, OthelloBoard};
use playtree_engines::{Kind, Position, kind_of};

/// What can be done with the game of this position, if it is one of them.
#[must_use]
pub fn kind(position: &Position) -> Option<&'static dyn Kind> {
    let kinds = [
        kind_of::<OthelloBoard<4>>,
        kind_of::<OthelloBoard<6>>,
        kind_of::<LargeHex>,
        kind_of::<LargeGomoku>,
    ];
    kinds.iter().find_map(|kind| kind(position))
}
