//! The highest of many scores, in lanes side by side and without a jump that depends on them: which
//! score is the highest cannot be foreseen, and a jump foreseen wrongly costs as much as a score.

/// Lists of scores are padded to a multiple of this, so that loops over them have no rest.
pub(super) const LANES: usize = 8;

/// Numbers of so many branches.
pub(super) type Lanes = [f32; LANES];

/// The lanes of a list.
#[inline]
pub(super) fn chunks(list: &[f32]) -> &[Lanes] {
    list.as_chunks().0
}

/// The first place of the highest score, and the highest score of the other places. The number of
/// scores is a multiple of [`LANES`], not 0.
#[inline]
pub(super) fn two_highest(scores: &[f32]) -> (usize, f32) {
    let chunks = chunks(scores);
    let (mut high, mut second) = ([f32::NEG_INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    for chunk in chunks {
        for lane in 0..LANES {
            second[lane] = higher(second[lane], lower(chunk[lane], high[lane]));
            high[lane] = higher(high[lane], chunk[lane]);
        }
    }
    for half in [LANES / 2, LANES / 4, LANES / 8] {
        for lane in 0..half {
            let (a, b) = (lane, lane + half);
            second[a] = higher(higher(second[a], second[b]), lower(high[a], high[b]));
            high[a] = higher(high[a], high[b]);
        }
    }
    let places = chunks.iter().map(|chunk| places_of(chunk, high[0]));
    let found = places.enumerate().find(|&(_, places)| places != 0);
    let place = found.map_or(0, |(at, places)| at * LANES + places.trailing_zeros() as usize);
    (place, second[0])
}

/// The first place of the highest score, and that score.
#[inline]
pub(super) fn highest(scores: &Lanes) -> (u32, f32) {
    let high = fold(*scores, higher);
    (places_of(scores, high).trailing_zeros(), high)
}

/// The sum of all lanes.
#[inline]
pub(super) fn sum(lanes: Lanes) -> f32 {
    fold(lanes, |a, b| a + b)
}

/// All lanes joined, half of them with the other half at a time.
#[inline]
fn fold(mut lanes: Lanes, join: impl Fn(f32, f32) -> f32) -> f32 {
    for half in [LANES / 2, LANES / 4, LANES / 8] {
        for lane in 0..half {
            lanes[lane] = join(lanes[lane], lanes[lane + half]);
        }
    }
    lanes[0]
}

/// A bit for each lane that holds this score.
#[cfg(target_arch = "x86_64")]
#[inline]
fn places_of(&[a, b, c, d, e, f, g, h]: &Lanes, score: f32) -> u32 {
    use std::arch::x86_64::{_mm_cmpeq_ps, _mm_movemask_ps, _mm_set_ps, _mm_set1_ps};
    // SAFETY: the instructions are part of every x86-64.
    unsafe {
        let score = _mm_set1_ps(score);
        let low = _mm_movemask_ps(_mm_cmpeq_ps(_mm_set_ps(d, c, b, a), score));
        let high = _mm_movemask_ps(_mm_cmpeq_ps(_mm_set_ps(h, g, f, e), score));
        (low | high << 4) as u32
    }
}

/// A bit for each lane that holds this score.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn places_of(scores: &Lanes, score: f32) -> u32 {
    (0..).zip(scores).fold(0, |places, (lane, other)| places | u32::from(*other == score) << lane)
}

/// `f32::max` without its care for what is no number.
#[inline]
pub(super) fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline]
fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::{highest, two_highest};

    #[test]
    fn the_two_highest_scores_are_found() {
        let mut scores = [0.0; 24];
        assert_eq!(two_highest(&scores), (0, 0.0));
        (scores[9], scores[17], scores[20]) = (2.0, 2.0, 1.0);
        assert_eq!(two_highest(&scores), (9, 2.0));
        scores[9] = 3.0;
        assert_eq!(two_highest(&scores), (9, 2.0));
        assert_eq!(two_highest(&scores[..8]), (0, 0.0));
        for place in 0..24 {
            let mut scores = [f32::NEG_INFINITY; 24];
            scores[place] = -1.0;
            assert_eq!(two_highest(&scores), (place, f32::NEG_INFINITY));
            scores[(place + 5) % 24] = -3.0;
            assert_eq!(two_highest(&scores), (place, -3.0));
            scores[(place + 16) % 24] = f32::INFINITY;
            assert_eq!(two_highest(&scores), ((place + 16) % 24, -1.0));
        }
    }

    #[test]
    fn the_highest_score_is_found() {
        for place in 0..8 {
            let mut scores = [f32::NEG_INFINITY; 8];
            scores[place] = 0.5;
            assert_eq!(highest(&scores), (place as u32, 0.5));
            scores[7] = f32::INFINITY;
            assert_eq!(highest(&scores), (7, f32::INFINITY));
        }
        assert_eq!(highest(&[f32::NEG_INFINITY; 8]), (0, f32::NEG_INFINITY));
        assert_eq!(highest(&[1.0; 8]), (0, 1.0));
    }
}
