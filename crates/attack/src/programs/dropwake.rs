//! The drop of a move panics while a handle replaces its last report: does the new search begin,
//! and do `wait` and `stop` return?

use playtree::{Budget, Mcts};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::faults::{doing, fault, quiet_injected_panics, watchdog};
use crate::inject::{Spot, arm, disarm, has_fired};
use crate::noise::{Noise, Owned, Shape};

pub(crate) fn run() -> String {
    watchdog(10);
    quiet_injected_panics();
    let game = Noise::<2, Owned>::new(Shape::tree(1, 12));
    let mut fired = 0;
    for after in 0..40 {
        let mut handle =
            Mcts::builder().threads(1).build().unwrap().start(&game, &Budget::simulations(100));
        if let Err(error) = handle.wait() {
            fault!("{error}");
        }
        doing(format!("think, with a panic at drop {after}"));
        arm(Spot::ValueDrop, after);
        let _ = catch_unwind(AssertUnwindSafe(|| handle.think(&game, &Budget::simulations(100))));
        disarm();
        fired += u64::from(has_fired());
        doing(format!("wait after a panic at drop {after}"));
        let _ = catch_unwind(AssertUnwindSafe(|| handle.wait()));
        doing(format!("another search after a panic at drop {after}"));
        handle.think(&game, &Budget::simulations(100));
        if let Err(error) = handle.wait() {
            fault!("a later search: {error}");
        }
        drop(handle);
    }
    format!("{fired} drops have panicked")
}
