//! Many eyes on one search: what others than its owner may know of a handle, and ask of it.

use std::fmt;
use std::future::Future;
use std::num::NonZero;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::SearchError;
use crate::pool::bank::Purse;

use super::Searcher;
use super::order::Stage;

/// The number of a search of a [`Handle`](super::Handle): the first is 1, and each
/// [`think`](super::Handle::think), [`ponder`](super::Handle::ponder) and
/// [`set_budget`](super::Handle::set_budget) begins another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SearchId(#[serde(deserialize_with = "number")] u64);

/// Reads the number of a search.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match u64::deserialize(deserializer)? {
        0 => Err(D::Error::custom("expected the number of a search, at least 1, found 0")),
        number => Ok(number),
    }
}

impl SearchId {
    pub(super) const FIRST: Self = Self(1);

    pub(super) fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The search of this number, for programs that count searches of their own.
    #[must_use]
    pub const fn new(number: NonZero<u64>) -> Self {
        Self(number.get())
    }

    /// The number itself.
    #[must_use]
    pub fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for SearchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What is known of a search at one moment: its number, its position and its report.
///
/// A report names moves of its own position alone, and a handle may have gone on to another one by
/// the time that the report is read.
pub struct Snapshot<S: Searcher> {
    /// Which search.
    pub search: SearchId,
    /// The position searched.
    pub state: Arc<S::State>,
    /// What it has found: so far, or in the end.
    pub report: S::Report,
}

impl<S: Searcher> Clone for Snapshot<S> {
    fn clone(&self) -> Self {
        Self { search: self.search, state: Arc::clone(&self.state), report: self.report.clone() }
    }
}

impl<S: Searcher> fmt::Debug for Snapshot<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("search", &self.search).finish_non_exhaustive()
    }
}

/// The fields.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Snapshot")]
struct SnapshotForm<P, R> {
    search: SearchId,
    state: P,
    report: R,
}

impl<S: Searcher<State: Serialize, Report: Serialize>> Serialize for Snapshot<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        let Self { search, state, report } = self;
        SnapshotForm { search: *search, state: &**state, report }.serialize(serializer)
    }
}

impl<'de, S> Deserialize<'de> for Snapshot<S>
where
    S: Searcher<State: Deserialize<'de>, Report: Deserialize<'de>>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SnapshotForm { search, state, report } = SnapshotForm::deserialize(deserializer)?;
        Ok(Self { search, state: Arc::new(state), report })
    }
}

/// How a search has ended: what [`Handle::on_end`](super::Handle::on_end) is given.
pub struct Ended<S: Searcher> {
    /// Which search.
    pub search: SearchId,
    /// The position searched.
    pub state: Arc<S::State>,
    /// Its report, or why there is none: [`Panicked`](SearchError::Panicked) after a panic of the
    /// game, which the handle's next wait goes on with.
    pub result: Result<S::Report, SearchError>,
}

impl<S: Searcher> fmt::Debug for Ended<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.result.as_ref().err();
        f.debug_struct("Ended")
            .field("search", &self.search)
            .field("error", &error)
            .finish_non_exhaustive()
    }
}

/// Watches the searches of a [`Handle`](super::Handle) from anywhere:
/// [`Handle::watcher`](super::Handle::watcher) makes one.
///
/// A program that shows a search, or ends it, needs not own its handle. A watcher can be cloned and
/// sent to other threads, and there may be any number. It does not keep the searcher alive: once
/// the handle is dropped, or gives its engine back, nothing is searched any more, and the last
/// report is what the watcher has.
///
/// No method but [`wait_for`](Self::wait_for) waits for a search.
///
/// # Examples
/// One thread waits, another one looks on and ends the search:
/// ```
/// use std::time::Duration;
/// use playtree::games::Othello;
/// use playtree::{Budget, Mcts};
///
/// let mut thinking = Mcts::builder().build()?.start(&Othello::new(), &Budget::unlimited());
/// let watcher = thinking.watcher();
/// let looking_on = std::thread::spawn(move || {
///     while watcher.snapshot().is_none_or(|seen| seen.report.visits() < 1_000) {
///         std::thread::sleep(Duration::from_millis(1));
///     }
///     watcher.stop();
/// });
/// assert!(thinking.wait()?.visits() >= 1_000);
/// looking_on.join().unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Watcher<S: Searcher> {
    pub(super) stage: Arc<Stage<S>>,
}

impl<S: Searcher> Watcher<S> {
    /// What is known now of the last search that was begun: while it runs, its report so far, as
    /// [`Handle::report`](super::Handle::report) says; later, its report. `None` if it has no root
    /// yet, or was ended by an error or a panic.
    #[must_use]
    pub fn snapshot(&self) -> Option<Snapshot<S>> {
        self.stage.snapshot()
    }

    /// Whether a search is under way.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.stage.is_busy()
    }

    /// Whether a search is under way in a [`Pool`](crate::Pool), and none of its threads has its
    /// turn now.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.stage.is_waiting()
    }

    /// The number of the last search that was ordered.
    #[must_use]
    pub fn search(&self) -> SearchId {
        self.stage.id()
    }

    /// Asks the search under way to end soon, and does not wait for that.
    pub fn stop(&self) {
        self.stage.stop();
    }

    /// Waits until no search is under way, at most this long: whether that is so.
    #[must_use]
    pub fn wait_for(&self, time: Duration) -> bool {
        self.stage.wait_for(time)
    }

    /// The end of the search under way, for programs that are asynchronous: any executor will do,
    /// and nothing is polled in between. If a search is replaced by another one, that is waited for
    /// as well.
    ///
    /// # Errors
    /// As [`Handle::wait`](super::Handle::wait), with [`Panicked`](SearchError::Panicked) in place
    /// of a panic; [`Abandoned`](SearchError::Abandoned) if the handle was dropped before the
    /// search had begun.
    pub fn ended(&self) -> impl Future<Output = Result<Snapshot<S>, SearchError>> + Send + use<S> {
        End { stage: Arc::clone(&self.stage) }
    }

    /// What the searcher may spend; `None` if it is gone.
    pub(crate) fn purse(&self) -> Option<Arc<Purse>> {
        self.stage.purse()
    }

    /// Reads the tree of the last search, while it runs or after it; `None` if there is none to
    /// read, as another search was ordered.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&S::View) -> T) -> Option<T> {
        self.stage.read(read)
    }
}

impl<S: Searcher> Clone for Watcher<S> {
    fn clone(&self) -> Self {
        Self { stage: Arc::clone(&self.stage) }
    }
}

impl<S: Searcher> fmt::Debug for Watcher<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher")
            .field("search", &self.search())
            .field("is_thinking", &self.is_thinking())
            .finish_non_exhaustive()
    }
}

/// The end of a search that is waited for.
struct End<S: Searcher> {
    stage: Arc<Stage<S>>,
}

impl<S: Searcher> Future for End<S> {
    type Output = Result<Snapshot<S>, SearchError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.stage.poll_end(context.waker())
    }
}
