//! Worths as numbers in a window: of a child for its parent, and of a parent for its child.

use crate::error::SearchError;
use crate::game::Outcome;
use crate::hash::two_hashes_of;
use crate::solvable::{Limits, PLIES_LIMIT, STEP, Solvable, Worth};

use super::facts::Place;

/// The place of a position in the table.
#[inline]
pub(super) fn place_of<G: Solvable>(state: &G) -> Place {
    let (bucket, check) = two_hashes_of(&state.canonical_key());
    Place { bucket, check }
}

/// The number of a child, for the mover of its parent and a ply earlier.
#[inline]
pub(super) fn lift<G: Solvable>(number: i32, same: bool) -> i32 {
    let own = if same { number } else { -number };
    if G::COUNTS_PLIES { own - own.signum() } else { own }
}

/// The limits of a child, likewise.
#[inline]
pub(super) fn lift_limits<G: Solvable>((least, most): (i32, i32), same: bool) -> (i32, i32) {
    let (one, other) = (lift::<G>(least, same), lift::<G>(most, same));
    (one.min(other), one.max(other))
}

/// The least number of a worth of `points` points.
#[inline]
pub(super) fn first_number(points: i32) -> i32 {
    if points > 0 { (points - 1) * STEP + 1 } else { points * STEP }
}

/// The points that a worth of at least `number` has, if it depends on the points alone. Of a move
/// another number is asked than the first one of its points: in between are games of more than
/// [`PLIES_LIMIT`] plies, which do not exist.
pub(super) fn points_asked(number: i32) -> Option<i32> {
    let Worth { points, plies } = Worth::of(number);
    let too_long = plies > PLIES_LIMIT;
    let points = if points < 0 && too_long { points + 1 } else { points };
    (too_long || first_number(points) == number).then_some(points)
}

/// The window of a child, from that of its parent.
#[inline]
pub(super) fn lower<G: Solvable>((alpha, beta): (i32, i32), same: bool) -> (i32, i32) {
    // The inverse of `lift`, where a number that no child can have stands for the next one.
    let alpha = if G::COUNTS_PLIES { alpha + if alpha >= 0 { 1 } else { -1 } } else { alpha };
    let beta = if G::COUNTS_PLIES { beta + if beta > 0 { 1 } else { -1 } } else { beta };
    if same { (alpha, beta) } else { (-beta, -alpha) }
}

/// Numbers of the limits of a position where the game goes on.
#[inline]
pub(super) fn limits_of<G: Solvable>(state: &G) -> (i32, i32) {
    let Limits { least, most } = state.limits();
    (least.number(), most.number())
}

/// The points of a player at the end of a game.
///
/// # Errors
/// If the outcome is none of the game, or the points are out of their range.
#[inline]
pub(super) fn checked_points<G: Solvable>(
    end: &G,
    outcome: &Outcome,
    player: usize,
) -> Result<i32, SearchError> {
    if !outcome.is_of::<G>() {
        return Err(SearchError::of_outcome(*outcome, end));
    }
    let (points, most) = (end.points(outcome, player), G::MAX_POINTS);
    if (-most..=most).contains(&points) {
        Ok(points)
    } else {
        let plies = end.plies();
        Err(SearchError::Points { found: points, most, outcome: *outcome, plies })
    }
}

#[cfg(test)]
mod tests {
    use super::{first_number, points_asked};
    use crate::solvable::{PLIES_LIMIT, Worth};

    /// A question about points is one of points also where the number is a ply from theirs: as a
    /// move's, or the other side's.
    #[test]
    fn questions_about_points_are_seen_from_a_ply_away() {
        for points in -3..=3 {
            assert_eq!(points_asked(first_number(points)), Some(points));
        }
        let nearly = [(-1025, -1), (-2, 0), (-1, 0), (2, 1), (1026, 2)];
        for (number, points) in nearly {
            assert_eq!(points_asked(number), Some(points), "{number}");
        }
        let number = |points, plies| Worth { points, plies }.number();
        assert_eq!(points_asked(number(1, 7)), None);
        assert_eq!(points_asked(number(-1, 7)), None);
        assert_eq!(points_asked(number(1, PLIES_LIMIT)), None);
    }
}
