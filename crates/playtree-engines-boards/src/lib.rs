//! Every searcher for Breakthrough, Othello, Hex to 11x11, Xiangqi and Dou Dizhu.
//!
//! To compile them is most of the time that a program with all games takes to build. This crate and
//! `playtree-engines-lines` are halves of it, which two cores build side by side.

use playtree::games::{Breakthrough, Doudizhu, Hex, Othello, Xiangqi};
use playtree_engines::{Kind, Position, kind_of};

/// What can be done with the game of this position, if it is one of them.
#[must_use]
pub fn kind(position: &Position) -> Option<&'static dyn Kind> {
    let kinds = [
        kind_of::<Breakthrough>,
        kind_of::<Othello>,
        kind_of::<Hex>,
        kind_of::<Xiangqi>,
        kind_of::<Doudizhu>,
    ];
    kinds.iter().find_map(|kind| kind(position))
}
