//! What a solver may know of Dou Dizhu.

use crate::solvable::Solvable;

use super::Doudizhu;

/// Nothing but the order of the moves, the largest plays first: to count the answers to each, and
/// to try those with the fewest first, took a tenth fewer positions in large endgames and three
/// times the number in small ones.
impl Solvable for Doudizhu {}
