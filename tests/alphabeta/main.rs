//! The alpha-beta search in the foreground.

#[path = "../common/data.rs"]
mod data;
mod endgames;
mod search;
#[path = "../common/trees.rs"]
mod trees;
