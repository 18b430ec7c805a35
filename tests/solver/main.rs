//! The exact solver against values that others have found.

#![cfg(feature = "games")]

mod explicit;
mod small;
mod strategy;
#[path = "../common/trees.rs"]
mod trees;
