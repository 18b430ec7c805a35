//! The alpha-beta search: in the foreground, and in the background.

mod background;
mod search;
