//! Panics where they are wanted: at a chosen call of a chosen method of the game.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, Ordering};

/// Where a panic may be wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Spot {
    Nowhere,
    Key,
    Mover,
    Plies,
    Moves,
    Outcome,
    Apply,
    StateClone,
    StateDrop,
    RandomMove,
    Rollout,
    ValueClone,
    Eq,
    Hash,
    ValueDrop,
    Evaluate,
    Promise,
    Noisy,
    Repetition,
    MoveCode,
}

pub(crate) const SPOTS: [Spot; 19] = [
    Spot::Key,
    Spot::Mover,
    Spot::Plies,
    Spot::Moves,
    Spot::Outcome,
    Spot::Apply,
    Spot::StateClone,
    Spot::StateDrop,
    Spot::RandomMove,
    Spot::Rollout,
    Spot::ValueClone,
    Spot::Eq,
    Spot::Hash,
    Spot::ValueDrop,
    Spot::Evaluate,
    Spot::Promise,
    Spot::Noisy,
    Spot::Repetition,
    Spot::MoveCode,
];

static SPOT: AtomicU8 = AtomicU8::new(Spot::Nowhere as u8);
static LEFT: AtomicI64 = AtomicI64::new(0);
static FIRED: AtomicBool = AtomicBool::new(false);

/// The payload of a panic that was wanted.
#[derive(Debug)]
pub(crate) struct Injected;

/// Wants a panic at `spot`, after `after` calls without one.
pub(crate) fn arm(spot: Spot, after: i64) {
    disarm();
    FIRED.store(false, Ordering::SeqCst);
    LEFT.store(after, Ordering::SeqCst);
    SPOT.store(spot as u8, Ordering::SeqCst);
}

pub(crate) fn disarm() {
    SPOT.store(Spot::Nowhere as u8, Ordering::SeqCst);
}

/// Whether the panic that was last wanted has come.
pub(crate) fn has_fired() -> bool {
    FIRED.load(Ordering::SeqCst)
}

/// Panics if that is wanted here and now.
#[inline]
pub(crate) fn injected(spot: Spot) {
    if SPOT.load(Ordering::Relaxed) == spot as u8
        && LEFT.fetch_sub(1, Ordering::Relaxed) == 0
        && !std::thread::panicking()
    {
        FIRED.store(true, Ordering::SeqCst);
        std::panic::panic_any(Injected);
    }
}
