//! The one place that names the atomics and threads of std, so that loom can stand in.
//!
//! Under `--cfg loom` the atomics, the spin hint and the yield are loom's, which panic
//! outside of a loom model: only the models of `tests/loom.rs` run then, and the rest of the
//! crate has to compile and nothing more. Loom's atomics cannot be made in a `const`.

// Not every one of them is used in every configuration of the crate.
#![allow(unused_imports)]

mod bell;
pub(crate) mod turn;

pub(crate) use bell::Bell;

#[cfg(not(loom))]
pub(crate) use std::{
    hint::spin_loop,
    sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering,
        fence,
    },
    thread::yield_now,
};

#[cfg(loom)]
pub(crate) use loom::{
    hint::spin_loop,
    sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering,
        fence,
    },
    thread::yield_now,
};

/// Called by a loop that has looked in vain again and again. Does nothing.
///
/// Under loom: it must be the schedule then that keeps running the threads that wait instead of the
/// one they wait for, and there is no end of such schedules. From here on the execution is explored
/// no further and runs on by loom's own schedule, which is fair. A wait that does not end even so
/// still fails the model.
#[cfg(not(loom))]
#[inline]
pub(crate) fn run_fairly() {}

#[cfg(loom)]
pub(crate) use loom::skip_branch as run_fairly;

/// Whether the system has threads. Where it has none, what only they do is left out of the program:
/// a page has to load it.
pub(crate) const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

// Loom has no scoped threads: its models spawn their own.
pub(crate) use std::thread::{Builder, JoinHandle, scope, spawn};

/// The locks of threads that may sleep for long, and that no loom model runs: parking_lot's own.
pub(crate) mod parking {
    pub(crate) use parking_lot::{Condvar, Mutex, MutexGuard};
}

#[cfg(not(loom))]
pub(crate) use parking_lot::MutexGuard;

#[cfg(loom)]
pub(crate) use loom::sync::MutexGuard;

/// How a worker waits for another one before it sleeps: it spins for some tens of microseconds,
/// then offers its core to others again and again, for some tenths of a millisecond if no thread
/// wants it.
///
/// So long because sleep is dear: Linux wakes a sleeper on the core of the thread that wakes it
/// wherever it takes the sleeper's own core for busy, and on a virtual machine it takes a core that
/// idles for one that was taken away. Then two workers share a core until the system balances its
/// load, for up to 20 ms.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    looks: u32,
}

impl Patience {
    const SPINS: u32 = 2_000;
    #[cfg(not(loom))]
    const SHORT_SPIN: u32 = 32;
    const YIELDS: u32 = 1_000;

    /// For what others do under a lock: they are nearly through, or wait for a core.
    #[cfg(not(loom))]
    pub(crate) fn with_short_spin() -> Self {
        Self { looks: Self::SPINS - Self::SHORT_SPIN }
    }

    /// Passes the time until the next look; false, at once, if it is time to sleep.
    #[inline]
    pub(crate) fn wait(&mut self) -> bool {
        if self.looks == Self::SPINS + Self::YIELDS {
            return false;
        }
        if self.looks < Self::SPINS {
            spin_loop()
        } else {
            yield_now()
        }
        self.looks += 1;
        true
    }
}

/// A lock for short work that allocates: parking_lot's, with [`Patience`]. A thread that makes a
/// node may touch a huge page for the first time, which takes the system 80 us.
#[cfg(not(loom))]
#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(parking_lot::Mutex<T>);

#[cfg(not(loom))]
impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(parking_lot::Mutex::new(value))
    }

    #[inline]
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        match self.0.try_lock() {
            Some(guard) => guard,
            None => self.wait(),
        }
    }

    #[cold]
    fn wait(&self) -> MutexGuard<'_, T> {
        let mut patience = Patience::with_short_spin();
        while patience.wait() {
            if let Some(guard) = self.0.try_lock() {
                return guard;
            }
        }
        self.0.lock()
    }

    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.0.try_lock()
    }

    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }
}

/// Loom's lock with the face of parking_lot's: a panic does not poison it.
#[cfg(loom)]
#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

#[cfg(loom)]
impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(loom::sync::Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.0.try_lock().ok()
    }

    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Where the holders of a [`Mutex`] sleep until they are notified.
#[cfg(not(loom))]
#[derive(Debug, Default)]
pub(crate) struct Condvar(parking_lot::Condvar);

#[cfg(not(loom))]
impl Condvar {
    pub(crate) fn wait<'a, T>(&self, mut guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.0.wait(&mut guard);
        guard
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }
}

/// Loom's, with the same face.
#[cfg(loom)]
#[derive(Debug, Default)]
pub(crate) struct Condvar(loom::sync::Condvar);

#[cfg(loom)]
impl Condvar {
    pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.0.wait(guard).unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }
}
