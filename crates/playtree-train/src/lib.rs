//! Networks for games of playtree that learn from nothing, by playing against themselves.
//!
//! The program `playtree-train` (feature `net`) is a loop of iterations: games of the network
//! against itself, each move by a short search with Gumbel noise; steps of the network towards what
//! the searches and the ends of the games say; and a file, from which a program that was killed
//! goes on. What an iteration does depends on the settings and its number alone: not on the clock,
//! nor on the number of threads.
//!
//! - [`weights`]: the layers of a network and their numbers; [`adam`] changes them.
//! - [`batch`]: what a network learns from.
//! - [`state`]: the file of a run; [`onnx`]: that of its network; [`chart`]: its curve.
//! - With the feature `net`: `net`, the network in candle; `play`, its games; `strength`, what they
//!   are worth; `train`, the loop.

pub mod adam;
pub mod batch;
pub mod chart;
#[cfg(feature = "net")]
mod crew;
#[cfg(feature = "net")]
pub mod net;
pub mod onnx;
#[cfg(feature = "net")]
pub mod play;
pub mod state;
#[cfg(feature = "net")]
pub mod strength;
#[cfg(feature = "net")]
pub mod train;
pub mod weights;

/// A seed made of another one and of what it is for.
#[must_use]
pub fn seed_of(seed: u64, purpose: u64) -> u64 {
    // The finisher of splitmix64, twice.
    let mut mixed = seed;
    for part in [0x9e37_79b9_7f4a_7c15, purpose] {
        mixed = mixed.wrapping_add(part).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
    }
    mixed
}
