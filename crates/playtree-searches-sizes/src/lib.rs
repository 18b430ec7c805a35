//! The searches of boards of rarer sizes: Othello on 4x4 and 6x6, Hex above 11x11, Gomoku above
//! 15x15.
//!
//! A search of another size is other code where the size is a part of the type. Few need these, and
//! to compile them takes a third of the time that all others take.

use playtree::games::{LargeGomoku, LargeHex, OthelloBoard};
use playtree_searches::Searches;

/// Those of Othello on 4x4.
pub static OTHELLO_4: Searches<OthelloBoard<4>> = Searches::new();
/// Those of Othello on 6x6.
pub static OTHELLO_6: Searches<OthelloBoard<6>> = Searches::new();
/// Those of Hex above 11x11.
pub static LARGE_HEX: Searches<LargeHex> = Searches::new();
/// Those of Gomoku and other games of rows, above 15x15.
pub static LARGE_GOMOKU: Searches<LargeGomoku> = Searches::new();
