//! The reference games.
