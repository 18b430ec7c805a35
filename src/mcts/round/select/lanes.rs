//! The highest of many scores, in lanes side by side and without a jump that depends on them: which
//! score is the highest cannot be foreseen, and a jump foreseen wrongly costs the time of a score.

/// The number of scores that are worked on at a time.
pub(super) const LANES: usize = 8;

/// The numbers of [`LANES`] branches.
pub(super) type Lanes = [f32; LANES];

/// The first place of the highest score, and the highest score of the other places.
#[inline]
pub(super) fn two_highest<'a>(scores: impl Iterator<Item = &'a Lanes> + Clone) -> (usize, f32) {
    let mut high = [f32::NEG_INFINITY; LANES];
    for scores in scores.clone() {
        for lane in 0..LANES {
            high[lane] = higher(high[lane], scores[lane]);
        }
    }
    let highest = fold(high, higher);
    let places = scores.clone().map(|scores| places_of(scores, highest));
    let found = places.enumerate().find(|&(_, places)| places != 0);
    let (group, lane) = found.map_or((0, 0), |(at, places)| (at, places.trailing_zeros()));
    let mut second = [f32::NEG_INFINITY; LANES];
    for (at, scores) in scores.enumerate() {
        // No lane of another group is this one.
        let first = if at == group { lane } else { LANES as u32 };
        for (other, (second, &score)) in (0..).zip(second.iter_mut().zip(scores)) {
            let score = if other == first { f32::NEG_INFINITY } else { score };
            *second = higher(*second, score);
        }
    }
    (group * LANES + lane as usize, fold(second, higher))
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

#[cfg(test)]
mod tests {
    use super::{highest, two_highest};

    #[test]
    fn the_two_highest_scores_are_found() {
        let found = |scores: &[f32]| two_highest(scores.as_chunks().0.iter());
        let mut scores = [0.0; 24];
        assert_eq!(found(&scores), (0, 0.0));
        (scores[9], scores[17], scores[20]) = (2.0, 2.0, 1.0);
        assert_eq!(found(&scores), (9, 2.0));
        scores[9] = 3.0;
        assert_eq!(found(&scores), (9, 2.0));
        assert_eq!(found(&scores[..8]), (0, 0.0));
        for place in 0..24 {
            let mut scores = [f32::NEG_INFINITY; 24];
            scores[place] = -1.0;
            assert_eq!(found(&scores), (place, f32::NEG_INFINITY));
            scores[(place + 5) % 24] = -3.0;
            assert_eq!(found(&scores), (place, -3.0));
            scores[(place + 16) % 24] = f32::INFINITY;
            assert_eq!(found(&scores), ((place + 16) % 24, -1.0));
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
