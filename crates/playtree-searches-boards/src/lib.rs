//! The searches of Breakthrough, Othello, Hex to 11x11, Xiangqi and Dou Dizhu.
//!
//! To compile them is most of the time that a program with all games takes to build. This crate and
//! `playtree-searches-lines` are halves of it, which two cores build side by side.

use playtree::games::{Breakthrough, Doudizhu, Hex, Othello, Xiangqi};
use playtree_searches::Searches;

/// Those of Breakthrough.
pub static BREAKTHROUGH: Searches<Breakthrough> = Searches::new();
/// Those of Othello.
pub static OTHELLO: Searches<Othello> = Searches::new();
/// Those of Hex to 11x11.
pub static HEX: Searches<Hex> = Searches::new();
/// Those of Xiangqi.
pub static XIANGQI: Searches<Xiangqi> = Searches::new();
/// Those of endgames of Dou Dizhu.
pub static DOUDIZHU: Searches<Doudizhu> = Searches::new();
