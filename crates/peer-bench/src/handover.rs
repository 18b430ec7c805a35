//! How long a cache line takes from one core to another: what two workers pay for each thing that
//! one has written and the other wants.
//!
//! On a virtual machine it changes while one looks on. Where the cores share a cache it is some
//! tens of nanoseconds, and after the host has moved one of them behind another cache some
//! hundreds, for seconds or minutes.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The counter that two threads count by turns, on a line of its own.
#[repr(align(128))]
struct Ball(AtomicU64);

/// Throws of each thread; fewer if the system takes a core away.
const THROWS: u64 = 50_000;
const LONGEST: Duration = Duration::from_millis(200);

/// Nanoseconds from one core to another; `None` if the two threads hardly ran at the same time.
pub(crate) fn handover_nanoseconds() -> Option<f64> {
    let ball = Ball(AtomicU64::new(0));
    let start = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| play(&ball, 1, start));
        play(&ball, 0, start);
    });
    let throws = ball.0.load(Ordering::Acquire);
    (throws > THROWS / 10).then(|| start.elapsed().as_nanos() as f64 / throws as f64)
}

/// Counts each time the count is even, or odd, until enough is counted or the time is over.
fn play(ball: &Ball, parity: u64, start: Instant) {
    for _ in 0..THROWS {
        let mut looks = 0_u32;
        while ball.0.load(Ordering::Acquire) % 2 != parity {
            looks += 1;
            if looks.is_multiple_of(1 << 12) && start.elapsed() > LONGEST {
                return;
            }
            spin_loop();
        }
        ball.0.fetch_add(1, Ordering::Release);
    }
}
