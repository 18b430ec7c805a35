//! Looking at an engine from anywhere while it searches.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use playtree::dynamic::AnyMove;
use playtree::games::ReferenceGame;
use playtree::mcts::NodeReport;
use playtree::{SearchId, Watcher};
use playtree_searches::Error;

use super::desk::GameSearcher;
use crate::report::Report;

/// What [`Watch::ended`] gives: a future of the report.
pub type Ended = Pin<Box<dyn Future<Output = Result<Seen, Error>> + Send>>;

/// What a search has found, of the position that it searches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Seen {
    /// Which search.
    pub search: SearchId,
    /// The position searched, as a text.
    pub position: String,
    /// What it has found: so far, or in the end.
    pub report: Report,
}

/// A [`Watcher`] without the type of its searcher. It owns nothing: when its engine is gone,
/// nothing is searched any more.
pub trait Watch: Send + Sync {
    /// What the last search that was begun has found: so far, or in the end. `None` if that is
    /// nothing yet. Does not wait for the search.
    fn snapshot(&self) -> Option<Seen>;

    /// Whether a search is under way.
    fn is_thinking(&self) -> bool;

    /// Whether a search is under way in a [`Pool`](playtree::Pool), and none of its threads has its
    /// turn now.
    fn is_waiting(&self) -> bool;

    /// Asks the search under way to end soon, and does not wait for that.
    fn stop(&self);

    /// Waits until no search is under way, at most this long: whether that is so.
    fn wait_for(&self, time: Duration) -> bool;

    /// The end of the search under way, for programs that are asynchronous.
    fn ended(&self) -> Ended;

    /// What is known of the position after these moves from the one searched, with at most
    /// `at_most` branches; `None` if that is nothing, or another search was begun meanwhile.
    fn node(&self, line: &[AnyMove], at_most: usize) -> Option<NodeReport<String>>;
}

/// The watcher of a searcher as an object.
pub(super) fn watch<S: GameSearcher>(watcher: Watcher<S>) -> Arc<dyn Watch> {
    Arc::new(Typed(watcher))
}

struct Typed<S: GameSearcher>(Watcher<S>);

fn seen<S: GameSearcher>(snapshot: &playtree::Snapshot<S>) -> Seen {
    let state = &*snapshot.state;
    let report = S::in_notation(&snapshot.report, state);
    Seen { search: snapshot.search, position: playtree::Notation::position_text(state), report }
}

impl<S: GameSearcher> Watch for Typed<S> {
    fn snapshot(&self) -> Option<Seen> {
        self.0.snapshot().map(|snapshot| seen(&snapshot))
    }

    fn is_thinking(&self) -> bool {
        self.0.is_thinking()
    }

    fn is_waiting(&self) -> bool {
        self.0.is_waiting()
    }

    fn stop(&self) {
        self.0.stop();
    }

    fn wait_for(&self, time: Duration) -> bool {
        self.0.wait_for(time)
    }

    fn ended(&self) -> Ended {
        let ended = self.0.ended();
        Box::pin(async move { Ok(seen(&ended.await?)) })
    }

    fn node(&self, line: &[AnyMove], at_most: usize) -> Option<NodeReport<String>> {
        let snapshot = self.0.snapshot()?;
        let line = typed_line::<S::State>(line)?;
        let node = S::node(&self.0, &line, at_most)?;
        // That of another position would be written with the moves of this one.
        if self.0.search() != snapshot.search {
            return None;
        }
        Some(written(&node, &*snapshot.state, &line))
    }
}

/// The moves with their type; `None` if one is of another game.
pub(super) fn typed_line<G: ReferenceGame>(line: &[AnyMove]) -> Option<Vec<G::Move>> {
    line.iter().map(|mv| mv.get().cloned()).collect()
}

/// What is known of the position after this line from `state`, with moves as texts.
pub(super) fn written<G: ReferenceGame>(
    node: &NodeReport<G::Move>,
    state: &G,
    line: &[G::Move],
) -> NodeReport<String> {
    let mut state = state.clone();
    line.iter().for_each(|mv| state.apply_in_place(mv));
    node.in_notation(&state)
}
