//! Threads that share parts of a work, whose results do not depend on how they do.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does all parts, with a number of threads: the results in the order of the parts.
pub(crate) fn share<T: Send, R: Send, E: Send>(
    threads: usize,
    parts: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let count = parts.len();
    let parts: Vec<Mutex<Option<T>>> =
        parts.into_iter().map(|part| Mutex::new(Some(part))).collect();
    let results: Vec<Mutex<Option<Result<R, E>>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            // Relaxed: each part is taken under its own lock.
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = parts.get(number).and_then(|part| locked(part).take()) else {
                break;
            };
            *locked(&results[number]) = Some(work(part));
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            scope.spawn(run);
        }
    });
    results.into_iter().filter_map(|result| result.into_inner().ok().flatten()).collect()
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn results_are_in_the_order_of_the_parts() {
        for threads in [1, 2, 5] {
            let found = share(threads, (0..20).collect(), |part| Ok::<_, ()>(part * part));
            assert_eq!(found, Ok((0..20).map(|part| part * part).collect()));
            let found =
                share(
                    threads,
                    (0..20).collect(),
                    |part| {
                        if part == 7 { Err("seven") } else { Ok(part) }
                    },
                );
            assert_eq!(found, Err("seven"));
        }
    }
}
