//! Pieces of work by several threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Games or searches at a time: those `given`, or by default 2 if each side or search has one of
/// its `threads`, else 1.
pub(crate) fn at_a_time(given: Option<usize>, threads: usize) -> usize {
    given.unwrap_or(if threads == 1 { 2 } else { 1 })
}

/// Does the pieces of work from 0 to `count`, `at_a_time` of them at a time; what each has come
/// to, in their order.
///
/// # Errors
/// The first one of a thread, which ends with it.
pub(crate) fn in_parallel<T: Send, E: Send>(
    count: usize,
    at_a_time: usize,
    work: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let take_turns = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let numbers = numbers.take_while(|number| *number < count);
        numbers.map(|number| Ok((number, work(number)?))).collect::<Result<Vec<_>, E>>()
    };
    let parts: Result<Vec<_>, E> = thread::scope(|scope| {
        let threads: Vec<_> = (0..at_a_time).map(|_| scope.spawn(take_turns)).collect();
        let joined =
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|p| resume_unwind(p)));
        joined.collect()
    });
    let mut done: Vec<_> = parts?.into_iter().flatten().collect();
    done.sort_unstable_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::{at_a_time, in_parallel};

    #[test]
    fn results_are_in_order() {
        let squares: Result<Vec<_>, ()> = in_parallel(100, 3, |number| Ok(number * number));
        assert_eq!(squares.unwrap(), (0..100).map(|number| number * number).collect::<Vec<_>>());
        let odd = |number| if number == 7 { Err(number) } else { Ok(()) };
        assert_eq!(in_parallel(9, 2, odd), Err(7));
    }

    #[test]
    fn two_at_a_time_only_if_each_has_one_thread() {
        assert_eq!([at_a_time(None, 1), at_a_time(None, 2), at_a_time(Some(5), 2)], [2, 1, 5]);
    }
}
