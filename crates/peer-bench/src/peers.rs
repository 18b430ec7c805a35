//! One adapter per engine, the same game code behind each.

pub(crate) mod board_game;
pub(crate) mod mcts;
pub(crate) mod minimax;
pub(crate) mod playtree;
pub(crate) mod position;
pub(crate) mod treant;

#[cfg(test)]
mod tests;

use ::playtree::Outcome;

/// The result for the first player as a whole number: 1, 0 or -1.
///
/// `treant` and `mcts` average whole numbers and add `c * 2 * sqrt(ln N / n)`. On this scale,
/// which is twice as wide as that of win rates, the constant `c` means the same as in
/// `q + c * sqrt(ln N / n)` with `q` in `[0, 1]`.
#[inline]
fn first_player_value(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win(0) => 1,
        Outcome::Win(_) => -1,
        Outcome::Draw | Outcome::Failed => 0,
        Outcome::Scores(scores) => {
            let score = scores.get(0);
            i8::from(score > 0.5) - i8::from(score < 0.5)
        }
    }
}

/// The virtual loss of `treant` and `mcts`: a lost game for each simulation under way, so that
/// workers spread; none for one worker. The crates' default is none, which is no faster.
fn virtual_loss(threads: usize) -> i64 {
    i64::from(threads > 1)
}
