//! Every searcher for Othello, Hex, Xiangqi and Dou Dizhu.
//!
//! To compile them is most of the time that a program with all games takes to build. This crate and
//! `playtree-engines-lines` are halves of it, which two cores build side by side.

use playtree::games::{Doudizhu, Hex, LargeHex, Othello, OthelloBoard, Xiangqi};
use playtree_engines::{Kind, Position, kind_of};

/// What can be done with the game of this position, if it is one of them.
#[must_use]
pub fn kind(position: &Position) -> Option<&'static dyn Kind> {
    let kinds = [
        kind_of::<Othello>,
        kind_of::<OthelloBoard<4>>,
        kind_of::<OthelloBoard<6>>,
        kind_of::<Hex>,
        kind_of::<LargeHex>,
        kind_of::<Xiangqi>,
        kind_of::<Doudizhu>,
    ];
    kinds.iter().find_map(|kind| kind(position))
}
