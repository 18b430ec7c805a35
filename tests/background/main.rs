//! Searches in the background.

mod handle;
#[path = "../common/panics.rs"]
mod panics;
mod pondering;
