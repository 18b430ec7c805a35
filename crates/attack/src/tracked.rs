//! A value that notes when it is used after it was dropped, or dropped twice.

use std::hash::{Hash, Hasher};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::faults::fault;
use crate::inject::{Spot, injected};
use crate::process::wait_until;

/// The number of values that are watched; later ones are not.
const ROOM: usize = if cfg!(miri) { 1 << 18 } else { 1 << 28 };

const ALIVE_STATE: u8 = 1;
const DROPPED_STATE: u8 = 2;

/// Whether each value was never made (0), is alive, or was dropped.
static STATES: LazyLock<&'static [AtomicU8]> = LazyLock::new(|| {
    let zeros: &'static mut [u8] = Box::leak(vec![0; ROOM].into_boxed_slice());
    // SAFETY: an AtomicU8 is as a u8, and nothing else leads to these.
    unsafe { std::slice::from_raw_parts(zeros.as_ptr().cast(), ROOM) }
});
static NEXT: AtomicU32 = AtomicU32::new(1);
static ALIVE: AtomicI64 = AtomicI64::new(0);
static USED_DEAD: AtomicU64 = AtomicU64::new(0);
static DROPPED_TWICE: AtomicU64 = AtomicU64::new(0);

/// A number with an identity. It owns no memory, so that the program goes on after a fault and can
/// count.
#[derive(Debug)]
pub(crate) struct Tracked {
    id: u32,
    pub(crate) value: u64,
}

impl Tracked {
    pub(crate) fn new(value: u64) -> Self {
        let id = NEXT.fetch_add(1, Relaxed);
        if let Some(state) = STATES.get(id as usize) {
            state.store(ALIVE_STATE, Relaxed);
        }
        ALIVE.fetch_add(1, Relaxed);
        Self { id, value }
    }

    /// Notes a use, and a fault if the value was dropped.
    pub(crate) fn check(&self, what: &str) {
        let state = STATES.get(self.id as usize).map(|state| state.load(Relaxed));
        if state.is_some_and(|state| state != ALIVE_STATE) && USED_DEAD.fetch_add(1, Relaxed) < 3 {
            fault!("use after drop in {what}: value {:#x}, state {state:?}", self.value);
        }
    }
}

impl Clone for Tracked {
    fn clone(&self) -> Self {
        self.check("clone");
        injected(Spot::ValueClone);
        Self::new(self.value)
    }
}

impl PartialEq for Tracked {
    fn eq(&self, other: &Self) -> bool {
        self.check("eq");
        other.check("eq");
        injected(Spot::Eq);
        self.value == other.value
    }
}

impl Eq for Tracked {}

impl Hash for Tracked {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.check("hash");
        injected(Spot::Hash);
        self.value.hash(state);
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        let before = STATES.get(self.id as usize).map(|state| state.swap(DROPPED_STATE, Relaxed));
        if before.is_some_and(|before| before != ALIVE_STATE) {
            if DROPPED_TWICE.fetch_add(1, Relaxed) < 3 {
                fault!("dropped twice: value {:#x}", self.value);
            }
        } else {
            ALIVE.fetch_sub(1, Relaxed);
        }
        injected(Spot::ValueDrop);
    }
}

/// The values alive.
pub(crate) fn alive() -> i64 {
    ALIVE.load(Relaxed)
}

/// Waits until `want` values are alive, for some seconds: large trees are cleared away by a thread
/// of their own. How many are alive then.
pub(crate) fn settle_alive(want: i64) -> i64 {
    wait_until(|| alive() == want);
    alive()
}

/// Uses after a drop, and drops of what was dropped before.
pub(crate) fn misuses() -> (u64, u64) {
    (USED_DEAD.load(Relaxed), DROPPED_TWICE.load(Relaxed))
}
