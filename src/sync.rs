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

// Loom has no scoped threads: its models spawn their own.
pub(crate) use std::thread::scope;
