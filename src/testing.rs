//! Checks that any game can run on itself.
