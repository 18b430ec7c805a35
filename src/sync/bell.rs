//! A bell: how a worker waits for an event without sleeping through one.

#[cfg(not(loom))]
use super::Patience;
use super::{AtomicU64, AtomicUsize, Condvar, Mutex, Ordering, fence};

/// Events, and the workers that wait for one.
///
/// A worker that may have to wait takes a **ticket**, the number of events so far, then looks
/// whether there is something to do, and if not waits for an event after its ticket. A worker that
/// makes something to do publishes it first and rings then.
///
/// No event is slept through. A ring counts the event and then looks for sleepers; a sleeper counts
/// itself and then looks for events, with a fence between the two on either side. So either the
/// ring sees the sleeper, and wakes it under the lock, or the sleeper sees the event and does not
/// sleep. And a worker that has seen the event sees what was published before the ring.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    events: AtomicU64,
    /// Workers that sleep, or are about to.
    sleepers: AtomicUsize,
    bed: Mutex<()>,
    alarm: Condvar,
}

impl Bell {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The number of events so far.
    #[inline]
    pub(crate) fn ticket(&self) -> u64 {
        // Acquire: pairs with the release in `ring`.
        self.events.load(Ordering::Acquire)
    }

    /// Makes every worker that waits look again.
    pub(crate) fn ring(&self) {
        // Release: what was published before is seen with the event.
        self.events.fetch_add(1, Ordering::Release);
        // Pairs with the fence in `sleep`.
        fence(Ordering::SeqCst);
        if self.sleepers.load(Ordering::Relaxed) > 0 {
            // A sleeper that has looked for the event in vain holds the lock until it sleeps.
            drop(self.bed.lock());
            self.alarm.notify_all();
        }
    }

    /// Waits for an event after `ticket`: awake for a while, then asleep.
    pub(crate) fn wait(&self, ticket: u64) {
        #[cfg(not(loom))]
        {
            let mut patience = Patience::default();
            while patience.wait() {
                if self.ticket() != ticket {
                    return;
                }
            }
        }
        self.wait_asleep(ticket);
    }

    /// As [`wait`](Self::wait), but asleep at once: for what takes others long. A thread that stays
    /// awake for it would be far back in the line for a core when the event comes.
    pub(crate) fn wait_asleep(&self, ticket: u64) {
        // Who rings may need a seat.
        #[cfg(not(loom))]
        super::turn::leave();
        self.sleep(ticket);
    }

    /// Waits until an event has made `is_so` true.
    pub(crate) fn wait_until(&self, is_so: impl Fn() -> bool) {
        loop {
            let ticket = self.ticket();
            if is_so() {
                return;
            }
            self.wait(ticket);
        }
    }

    #[cold]
    fn sleep(&self, ticket: u64) {
        let mut bed = self.bed.lock();
        self.sleepers.fetch_add(1, Ordering::Relaxed);
        // Pairs with the fence in `ring`.
        fence(Ordering::SeqCst);
        while self.ticket() == ticket {
            bed = self.alarm.wait(bed);
        }
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(all(test, loom))]
mod models {
    use loom::sync::Arc;
    use loom::thread;

    use super::Bell;
    use crate::sync::{AtomicU32, Ordering};

    /// Two publish a task each and ring; one waits until it has seen both.
    #[test]
    fn no_event_is_slept_through() {
        loom::model(|| {
            let shared = Arc::new((Bell::new(), AtomicU32::new(0)));
            let publish = || {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    let (bell, tasks) = &*shared;
                    tasks.fetch_add(1, Ordering::Relaxed);
                    bell.ring();
                })
            };
            let others = [publish(), publish()];
            let (bell, tasks) = &*shared;
            bell.wait_until(|| tasks.load(Ordering::Relaxed) == 2);
            others.into_iter().for_each(|other| other.join().unwrap());
        });
    }

    /// One rings, two wait.
    #[test]
    fn a_ring_wakes_every_sleeper() {
        loom::model(|| {
            let shared = Arc::new((Bell::new(), AtomicU32::new(0)));
            let wait = || {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    let (bell, tasks) = &*shared;
                    bell.wait_until(|| tasks.load(Ordering::Relaxed) == 1);
                })
            };
            let others = [wait(), wait()];
            let (bell, tasks) = &*shared;
            tasks.store(1, Ordering::Relaxed);
            bell.ring();
            others.into_iter().for_each(|other| other.join().unwrap());
        });
    }
}
