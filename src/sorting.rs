//! Sorting what is of a type of the game's: the sort itself is compiled once, not for every game.

/// Sorts by a number that is worked out once for each element, in their order, the lowest first.
/// Elements with equal numbers stay in their order.
pub(crate) fn sort_by_number<T>(list: &mut [T], number: impl FnMut(&T) -> i64) {
    let mut places: Vec<(i64, usize)> = list.iter().map(number).zip(0..).collect();
    sort(&mut places);
    for to in 0..list.len() {
        // What was there may have gone to a later place, and from there on to the next one.
        let mut from = places[to].1;
        while from < to {
            from = places[from].1;
        }
        places[to].1 = from;
        list.swap(to, from);
    }
}

/// Stable, by the number alone: where many numbers are equal that is three times as fast as to sort
/// by the place as well.
fn sort(places: &mut [(i64, usize)]) {
    places.sort_by_key(|&(number, _)| number);
}

#[cfg(test)]
mod tests {
    use super::sort_by_number;
    use crate::rng::Rng;

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut rng = Rng::from_seed(1);
        for length in (0..60).chain([1_000]) {
            let list: Vec<(i64, usize)> =
                (0..length).map(|place| (rng.below(length / 2 + 1) as i64 - 3, place)).collect();
            let (mut ours, mut theirs) = (list.clone(), list);
            sort_by_number(&mut ours, |&(number, _)| -number);
            theirs.sort_by_key(|&(number, _)| -number);
            assert_eq!(ours, theirs);
        }
    }
}
