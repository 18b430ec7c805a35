//! When a search stops: every reason, every searcher and every clock.

mod clocks;
#[cfg(feature = "games")]
mod reasons;
#[cfg(feature = "games")]
mod searchers;
