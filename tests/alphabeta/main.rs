//! The alpha-beta search: in the foreground, and in the background.

mod background;
mod endgames;
mod search;
#[path = "../common/trees.rs"]
mod trees;
