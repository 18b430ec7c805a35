//! The one place that names the atomics and threads of std, so that loom can stand in.
//!
//! Under `--cfg loom` the atomics, the spin hint and the yield are loom's, which panic
//! outside of a loom model: only the models of `tests/loom.rs` run then, and the rest of the
//! crate has to compile and nothing more. Loom's atomics cannot be made in a `const`.

// Not every one of them is used in every configuration of the crate.
#![allow(unused_imports)]

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
/// Under loom: it must be the schedule then that keeps running those who wait instead of the
/// one they wait for, and there is no end of such schedules. From here on the execution is
/// explored no further and runs on by loom's own schedule, which is fair. A wait that does not
/// end even so still fails the model.
#[cfg(not(loom))]
#[inline]
pub(crate) fn run_fairly() {}

#[cfg(loom)]
pub(crate) use loom::skip_branch as run_fairly;

// Loom has no scoped threads: its models spawn their own.
pub(crate) use std::thread::{JoinHandle, scope, spawn};

/// A lock for short work that allocates: parking_lot's, or loom's.
#[cfg(not(loom))]
pub(crate) use parking_lot::{Mutex, MutexGuard};

#[cfg(loom)]
pub(crate) use loom::sync::MutexGuard;

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
