//! Panics that a test expects.

use std::panic::{self, AssertUnwindSafe};

/// What a panic of the call says.
pub(crate) fn panic_of<T>(call: impl FnOnce() -> T) -> String {
    let payload = panic::catch_unwind(AssertUnwindSafe(call)).err().expect("a panic");
    payload.downcast_ref::<&str>().map_or_else(
        || payload.downcast_ref::<String>().cloned().unwrap_or_default(),
        |text| (*text).to_owned(),
    )
}
