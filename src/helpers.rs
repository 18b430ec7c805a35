//! Threads that help the caller: those that begin and end within one call, and one that clears up.

#[cfg(all(target_os = "linux", not(miri)))]
mod cores;

#[cfg(all(test, not(loom), not(miri), feature = "games"))]
mod refused;
mod workers;

use std::io;
use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::Result;

#[cfg(not(test))]
use crate::sync::Builder;
use crate::sync::turn::{self, Line};
use crate::sync::{
    AtomicUsize, HAS_THREADS, JoinHandle, Ordering, Patience, scope, spin_loop, yield_now,
};

pub(crate) use workers::{WORKERS_LIMIT, Workers};

#[cfg(all(target_os = "linux", not(miri)))]
use cores::Cores;

/// What a thread of its own is to do, and what came of it.
struct Job<F, T> {
    /// `None` once a thread has begun with it.
    help: Option<F>,
    result: Option<Result<T>>,
}

/// Runs `lead` in this thread, and each of the `helpers` in one of its own. Waits for all of them,
/// and returns what they have returned, the helpers in their order.
///
/// The system may refuse a thread, in a container above all. Then the helpers that have begun are
/// all there are: the lead gets their number, and the others are dropped, unrun, after it has
/// ended.
///
/// The lead must make the helpers stop, also if it panics.
///
/// # Panics
/// With the panic of the lead, else with that of the first helper that has panicked.
pub(crate) fn run_with_helpers<L, T: Send>(
    helpers: Vec<impl FnOnce() -> T + Send>,
    lead: impl FnOnce(usize) -> L,
) -> (L, Vec<T>) {
    if !HAS_THREADS {
        return (lead(0), Vec::new());
    }
    let job = |help| Job { help: Some(help), result: None };
    let mut jobs: Vec<_> = helpers.into_iter().map(job).collect();
    // A closure that is refused is dropped at once: it must own nothing whose drop could panic
    // there, where helpers wait for the lead already.
    let work = |Job { help, result }: &'_ mut Job<_, _>| {
        *result = help.take().map(|help| catch_unwind(AssertUnwindSafe(help)));
    };
    let works = jobs.iter_mut().map(|job| Box::new(move || work(job)) as Work<'_>).collect();
    let (mut lead, mut led) = (Some(lead), None);
    run_together(works, &mut |begun| led = lead.take().map(|lead| lead(begun)));
    let led = led.expect("the lead is run once");
    let results = jobs.into_iter().filter_map(|job| job.result);
    (led, results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect())
}

/// What a thread is to do. In a box, so that the code that starts threads is there once, not for
/// each searcher of each game.
type Work<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs the lead here with the number of threads that were begun for `works`, and waits for them.
fn run_together(works: Vec<Work<'_>>, lead: &mut dyn FnMut(usize)) {
    let working = AtomicUsize::new(0);
    let (cores, place) = (Cores::new(), turn::place());
    scope(|scope| {
        let mut threads = Vec::new();
        let mut begun = 0;
        // The lead is the first one.
        for (number, work) in (2..).zip(works) {
            let (working, cores, place) = (&working, &cores, &place);
            working.fetch_add(1, Ordering::Relaxed);
            let work: Work<'_> = Box::new(move || {
                cores.settle();
                greet(place.as_ref().map(|place| &*place.line));
                let turn = turn::begin_at(place.clone());
                work();
                drop(turn);
                // Relaxed: it only says when it is no use to wait longer. The scope orders the
                // results.
                working.fetch_sub(1, Ordering::Relaxed);
            });
            let name = format!("playtree-{number}");
            let begun_thread =
                thread_builder().and_then(|builder| builder.name(name).spawn_scoped(scope, work));
            let Ok(thread) = begun_thread else {
                // The next one would be refused as well.
                working.fetch_sub(1, Ordering::Relaxed);
                break;
            };
            begun += 1;
            // Where the program may not end before its threads they are joined, else let go at
            // once.
            threads.extend(cfg!(miri).then_some(thread));
        }
        // A helper that has to begin on this core would wait for a turn, up to some milliseconds,
        // before it could look for one of its own.
        if working.load(Ordering::Relaxed) > 0 {
            yield_now();
        }
        lead(begun);
        // A helper may wait for a seat still, to see that all is over.
        turn::leave();
        wait_for(&working);
        threads.into_iter().for_each(|thread| drop(thread.join()));
    });
}

/// Starts a thread with this name, of at most 15 bytes: systems show no more.
///
/// # Errors
/// If the system has none left. The closure is dropped then.
pub(crate) fn begin(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    if !HAS_THREADS {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let work: Work<'static> = Box::new(work);
    thread_builder()?.name(name.to_owned()).spawn(work)
}

/// Calls what is to be called in a thread that begins to search in `line`. A panic of it goes no
/// further: the search can do without.
pub(crate) fn greet(line: Option<&Line>) {
    if let Some(hook) = line.and_then(Line::on_start)
        && let Err(thrown) = catch_unwind(AssertUnwindSafe(|| hook()))
    {
        drop_quietly(thrown);
    }
}

/// What every thread of the library is made by.
#[cfg(not(test))]
fn thread_builder() -> io::Result<Builder> {
    Ok(Builder::new())
}

#[cfg(test)]
use refusal::thread_builder;

/// A system that has only some threads left, for tests.
#[cfg(test)]
pub(crate) mod refusal {
    use std::cell::Cell;
    use std::io;

    use crate::sync::Builder;

    thread_local! {
        /// Threads that this one may still start.
        static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Calls `run`, during which the calling thread can start this many threads.
    #[cfg_attr(loom, allow(dead_code, reason = "only tests without models use it"))]
    pub(crate) fn with_threads<T>(count: usize, run: impl FnOnce() -> T) -> T {
        struct Reset(usize);
        impl Drop for Reset {
            fn drop(&mut self) {
                LEFT.set(self.0);
            }
        }
        let _reset = Reset(LEFT.replace(count));
        run()
    }

    pub(super) fn thread_builder() -> io::Result<Builder> {
        let left = LEFT.get();
        if left > 0 {
            LEFT.set(left - 1);
            return Ok(Builder::new());
        }
        if cfg!(miri) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        // With a stack as large as that it is the system that refuses.
        Ok(Builder::new().stack_size(1 << 60))
    }
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

/// Hints to spin for until a thread that is through with its work has reported to its scope: about
/// 1 us.
const MOMENT: u32 = 32;

/// Waits, for a while without sleeping, until no thread is working any more.
///
/// A thread that is joined is waited for until the system has cleared it away, in 50 us, and
/// asleep. On a virtual machine it may be milliseconds until there is a core again to wake up on.
/// So threads are let go when they begin, the end of their work is watched from here, and the
/// scope, which has the last word, finds that nothing is left to wait for.
fn wait_for(working: &AtomicUsize) {
    let mut patience = Patience::default();
    while working.load(Ordering::Relaxed) > 0 && patience.wait() {}
    for _ in 0..MOMENT {
        spin_loop();
    }
}

/// Drops a value in a thread of its own: to give much memory back takes the system its time, which
/// the caller need not wait for. If the system has no thread left it is dropped here.
pub(crate) fn drop_elsewhere<T: Send + 'static>(value: T) {
    // Without a thread the closure is dropped, and the value with it.
    drop(begin("playtree-free", move || drop(value)));
}

/// Drops a value of the user's where a panic of its `Drop` would take more with it than the value:
/// it goes no further.
pub(crate) fn drop_quietly<T>(value: T) {
    let thrown = catch_unwind(AssertUnwindSafe(|| drop(value)));
    // What was thrown may have a `Drop` that panics as well; then there is no end but to leave it.
    if let Err(thrown) = thrown {
        forget(catch_unwind(AssertUnwindSafe(|| drop(thrown))));
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
            let (led, helped) = run_with_helpers(helpers, |_| {
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
            let lead = work(0);
            let run = || run_with_helpers((1..3).map(work).collect(), |_| lead());
            let caught = catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("it panics");
            assert_eq!(caught.downcast_ref(), Some(&format!("number {culprit}")));
            assert_eq!(ended.load(Ordering::Relaxed), 3);
        }
    }
}
