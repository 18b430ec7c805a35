//! The alpha-beta search: in the foreground, and in the background.

mod background;
#[path = "../common/data.rs"]
mod data;
mod endgames;
#[path = "../common/panics.rs"]
mod panics;
mod search;
#[path = "../common/trees.rs"]
mod trees;
