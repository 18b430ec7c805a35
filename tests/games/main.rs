//! The reference games: their rules, against published counts, recorded games and each other.
#![cfg(feature = "games")]

#[path = "../common/data.rs"]
mod data;
mod doudizhu;
mod gomoku_fours;
mod rules;
mod traces;
mod xiangqi;
