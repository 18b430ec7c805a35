//! Searches in the background: what is so for every searcher, and what for one of them.

#![cfg(feature = "games")]

mod alphabeta;
mod handle;
mod mcts;
#[path = "../common/panics.rs"]
mod panics;
mod pondering;
mod pool_memory;
mod pooled;
mod positions;
mod reading;
mod solver;
mod subject;
mod turns;
mod watching;
