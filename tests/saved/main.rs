//! Saved tables and facts: what comes back is what was there, and a file that is damaged, foreign
//! or hostile is an error.
#![cfg(feature = "games")]

mod common;
mod damage;
mod facts;
#[cfg(unix)]
mod kill;
mod memory;
mod parts;
mod whole;
