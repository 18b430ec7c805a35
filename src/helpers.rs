//! Threads that help the caller: they begin and end within one call.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::{Result, ScopedJoinHandle};

use crate::sync::{Patience, scope};

/// Runs `lead` in this thread, and each of the `helpers` in one of its own. Waits for all of them, and
/// returns what they have returned, the helpers in their order.
///
/// It is for the lead to tell the helpers to stop, also if it panics.
///
/// # Panics
/// With the panic of the lead, else with that of the first helper that has panicked.
pub(crate) fn run_with_helpers<L, T: Send>(
    helpers: Vec<impl FnOnce() -> T + Send>,
    lead: impl FnOnce() -> L,
) -> (L, Vec<T>) {
    let mut results: Vec<Option<Result<T>>> = helpers.iter().map(|_| None).collect();
    let led = scope(|scope| {
        let begun = helpers.into_iter().zip(&mut results).map(|(help, result)| {
            scope.spawn(move || *result = Some(catch_unwind(AssertUnwindSafe(help))))
        });
        let begun: Vec<_> = begun.collect();
        let led = lead();
        begun.into_iter().for_each(wait_for);
        led
    });
    let results = results.into_iter().flatten();
    (led, results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect())
}

/// Waits until a thread is through with its work, for a while without sleeping.
///
/// It is not joined, which would be to wait for the system to clear it away, asleep: 50 us, and some
/// milliseconds on a virtual machine that has to find a core to wake up on. The scope has the last word.
fn wait_for(thread: ScopedJoinHandle<'_, ()>) {
    let mut patience = Patience::default();
    while !thread.is_finished() && patience.wait() {}
    if cfg!(miri) {
        // Where the program may not end before its threads.
        let _ = thread.join();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::panic::catch_unwind;

    use super::run_with_helpers;
    use crate::sync::{AtomicBool, AtomicU32, Ordering, yield_now};

    #[test]
    fn everybody_is_through_when_it_returns() {
        for turn in 0..if cfg!(miri) { 5 } else { 200 } {
            let (over, ended) = (AtomicBool::new(false), AtomicU32::new(0));
            let help = |number: u32| {
                let (over, ended) = (&over, &ended);
                move || {
                    while !over.load(Ordering::Relaxed) {
                        yield_now();
                    }
                    ended.fetch_add(1, Ordering::Relaxed);
                    (number, vec![number; 3])
                }
            };
            let helpers = (1..turn % 4).map(help).collect();
            let (led, helped) = run_with_helpers(helpers, || {
                over.store(true, Ordering::Relaxed);
                turn
            });
            assert_eq!((led, ended.load(Ordering::Relaxed)), (turn, (turn % 4).saturating_sub(1)));
            assert!(helped.into_iter().eq((1..turn % 4).map(|number| (number, vec![number; 3]))));
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_when_all_are_through() {
        for culprit in 0..3 {
            let ended = AtomicU32::new(0);
            let work = |number: u32| {
                let ended = &ended;
                move || {
                    ended.fetch_add(1, Ordering::Relaxed);
                    assert!(number != culprit, "number {number}");
                }
            };
            let run = || run_with_helpers((1..3).map(work).collect(), work(0));
            let caught = catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("it panics");
            assert_eq!(caught.downcast_ref(), Some(&format!("number {culprit}")));
            assert_eq!(ended.load(Ordering::Relaxed), 3);
        }
    }
}
