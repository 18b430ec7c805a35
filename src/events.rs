//! What happens to searches and tables, for programs that listen with `tracing`: the feature of
//! that name. Without it nothing is done here.
//!
//! Events come from cold places alone: the beginning and the end of a search, of an eviction, of a
//! save and of a load. No round and no position has one.

use std::any::type_name;
use std::path::Path;
use std::time::Duration;

use crate::budget::{Budget, StopReason};
use crate::clock::Clock;
use crate::error::SearchError;
use crate::save::{Info, LoadError, Loaded, SaveError};

/// An event with a text and fields.
#[cfg(feature = "tracing")]
macro_rules! emit {
    ($level:ident, $text:expr, $($name:ident = $value:expr),+ $(,)?) => {
        tracing::event!(
            target: "playtree", tracing::Level::$level, $($name = $value,)+ "{}", $text
        )
    };
}

/// The same, which is nothing.
#[cfg(not(feature = "tracing"))]
macro_rules! emit {
    ($level:ident, $text:expr, $($name:ident = $value:expr),+ $(,)?) => {
        // Not called: the values are named, and not made.
        let _ = || { let _ = &$text; $(let _ = &$value;)+ };
    };
}

/// What has come of a search.
pub(crate) struct Found {
    /// `None` for searchers that make none.
    pub(crate) simulations: Option<u64>,
    pub(crate) nodes: u64,
    pub(crate) workers: usize,
    pub(crate) elapsed: Duration,
    pub(crate) reason: StopReason,
}

/// A search that has begun. Its events are in a span of its own.
pub(crate) struct Search {
    #[cfg(feature = "tracing")]
    span: tracing::Span,
    /// Its end has had no event yet.
    is_open: bool,
}

/// Runs a search from its beginning to its end, which may be an error or a panic.
pub(crate) fn search<G, R>(
    (searcher, workers, budget): (&'static str, usize, &Budget),
    run: impl FnOnce() -> Result<R, SearchError>,
    found: impl FnOnce(&R) -> Found,
) -> Result<R, SearchError> {
    let mut search = Search::begin::<G>(searcher, workers, budget);
    let result = search.watch(run);
    search.end(result.as_ref().map(found));
    result
}

impl Search {
    /// `workers` are those that it may have.
    pub(crate) fn begin<G>(searcher: &'static str, workers: usize, budget: &Budget) -> Self {
        let game = type_name::<G>();
        let search = Self {
            #[cfg(feature = "tracing")]
            span: tracing::debug_span!(target: "playtree", "search", searcher, game),
            is_open: true,
        };
        search.inside(|| {
            emit!(
                DEBUG,
                "search begins",
                searcher = searcher,
                game = game,
                workers = workers,
                budget = format!("{budget:?}").as_str(),
            );
        });
        search
    }

    fn inside(&self, emit: impl FnOnce()) {
        #[cfg(feature = "tracing")]
        self.span.in_scope(emit);
        #[cfg(not(feature = "tracing"))]
        emit();
    }

    /// Runs a part of the search, in which the game may panic.
    pub(crate) fn watch<R>(&mut self, run: impl FnOnce() -> R) -> R {
        /// Dropped by a panic alone.
        struct Panicked<'a>(&'a mut Search);

        impl Drop for Panicked<'_> {
            fn drop(&mut self) {
                self.0.is_open = false;
                self.0.inside(|| {
                    emit!(ERROR, "search panicked", code = "search.panicked");
                });
            }
        }

        let panicked = Panicked(self);
        let result = run();
        std::mem::forget(panicked);
        result
    }

    /// The end of the search. Only the first one counts.
    pub(crate) fn end(&mut self, end: Result<Found, &SearchError>) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        self.inside(|| match end {
            Ok(found) => {
                emit!(
                    DEBUG,
                    "search ends",
                    simulations = found.simulations,
                    nodes = found.nodes,
                    workers = found.workers,
                    seconds = found.elapsed.as_secs_f64(),
                    stop_reason = found.reason.as_str(),
                );
            }
            Err(error) => {
                emit!(
                    WARN,
                    "search failed",
                    code = error.code(),
                    error = error.to_string().as_str()
                );
            }
        });
    }
}

/// An eviction under way: the memory held and the nodes evicted before it.
#[derive(Debug, Default)]
pub(crate) struct Eviction {
    bytes: u64,
    evicted: u64,
}

impl Eviction {
    pub(crate) fn begin(bytes: u64, evicted: u64) -> Self {
        Self { bytes, evicted }
    }

    /// With what is held and evicted now.
    pub(crate) fn end(&self, bytes: u64, evicted: u64) {
        emit!(
            DEBUG,
            "evicted",
            bytes_before = self.bytes,
            bytes_after = bytes,
            nodes = evicted.saturating_sub(self.evicted),
        );
    }
}

/// Saves a table.
pub(crate) fn save(
    path: &Path,
    save: impl FnOnce() -> Result<Info, SaveError>,
) -> Result<Info, SaveError> {
    let clock = Clock::start(None);
    let result = save();
    saved(path, &result, &clock);
    result
}

fn saved(path: &Path, result: &Result<Info, SaveError>, clock: &Clock) {
    match result {
        Ok(info) => emit_table("table saved", path, info, clock),
        Err(error) => emit_error("table not saved", path, error.code(), &error.to_string()),
    }
}

/// Loads a table, or merges one with it.
pub(crate) fn load(
    path: &Path,
    load: impl FnOnce() -> Result<Loaded, LoadError>,
) -> Result<Loaded, LoadError> {
    let clock = Clock::start(None);
    let result = load();
    loaded(path, &result, &clock);
    result
}

fn loaded(path: &Path, result: &Result<Loaded, LoadError>, clock: &Clock) {
    match result {
        Ok(loaded) => emit_table("table loaded", path, &loaded.info, clock),
        Err(error) => emit_error("table not loaded", path, error.code(), &error.to_string()),
    }
}

fn emit_table(text: &str, path: &Path, info: &Info, clock: &Clock) {
    emit!(
        INFO,
        text,
        file = path.to_string_lossy().as_ref(),
        game = info.game.name(),
        bytes = info.file_bytes,
        positions = info.positions,
        seconds = clock.elapsed().as_secs_f64(),
    );
}

fn emit_error(text: &str, path: &Path, code: &str, error: &str) {
    emit!(WARN, text, file = path.to_string_lossy().as_ref(), code = code, error = error);
}
