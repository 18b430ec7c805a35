//! The exact solver against values that others have found.

#![cfg(feature = "games")]

mod connect4;
#[path = "../common/data.rs"]
mod data;
mod deep;
mod doudizhu;
mod explicit;
mod othello;
mod small;
mod strategy;
#[path = "../common/trees.rs"]
mod trees;
