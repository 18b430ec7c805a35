//! Threads that help the caller: those that begin and end within one call, and one that clears up.

#[cfg(all(target_os = "linux", not(miri)))]
mod cores;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::Result;

use crate::sync::{AtomicUsize, Builder, Ordering, Patience, scope, spin_loop, yield_now};

#[cfg(all(target_os = "linux", not(miri)))]
use cores::Cores;

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
    let working = AtomicUsize::new(helpers.len());
    let cores = Cores::new();
    let led = scope(|scope| {
        let mut threads = Vec::new();
        for (help, result) in helpers.into_iter().zip(&mut results) {
            let (working, cores) = (&working, &cores);
            let thread = scope.spawn(move || {
                cores.settle();
                *result = Some(catch_unwind(AssertUnwindSafe(help)));
                // Relaxed: it only says when it is no use to wait longer. The scope orders the results.
                working.fetch_sub(1, Ordering::Relaxed);
            });
            // Where the program may not end before its threads they are joined, else let go at once.
            threads.extend(cfg!(miri).then_some(thread));
        }
        // A helper that has to begin on this core would wait for a turn, up to some milliseconds, before it
        // could look for one of its own.
        if working.load(Ordering::Relaxed) > 0 {
            yield_now();
        }
        let led = lead();
        wait_for(&working);
        threads.into_iter().for_each(|thread| drop(thread.join()));
        led
    });
    let results = results.into_iter().flatten();
    (led, results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect())
}

/// Elsewhere threads begin wherever the system lets them.
#[cfg(not(all(target_os = "linux", not(miri))))]
struct Cores;

#[cfg(not(all(target_os = "linux", not(miri))))]
impl Cores {
    fn new() -> Self {
        Self
    }

    fn settle(&self) {}
}

/// Hints to spin for until a thread that is through with its work has told its scope: about 1 us.
const MOMENT: u32 = 32;

/// Waits, for a while without sleeping, until nobody is working any more.
///
/// A thread that is joined is waited for until the system has cleared it away, in 50 us, and asleep. On a
/// virtual machine it may be milliseconds until there is a core again to wake up on. So threads are let go
/// when they begin, the end of their work is watched from here, and the scope, which has the last word,
/// finds that nothing is left to wait for.
fn wait_for(working: &AtomicUsize) {
    let mut patience = Patience::default();
    while working.load(Ordering::Relaxed) > 0 && patience.wait() {}
    for _ in 0..MOMENT {
        spin_loop();
    }
}

/// Drops a value in a thread of its own: to give much memory back takes the system its time, which the
/// caller need not wait for. If there is no thread to be had it is dropped here.
pub(crate) fn drop_elsewhere<T: Send + 'static>(value: T) {
    // Without a thread the closure is dropped, and the value with it.
    drop(Builder::new().spawn(move || drop(value)));
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
