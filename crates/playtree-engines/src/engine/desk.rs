//! A searcher of any kind that is idle, or thinks in a thread of its own.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use playtree::dynamic::AnyMove;
use playtree::games::ReferenceGame;
use playtree::mcts::NodeReport;
use playtree::{Budget, GameState, Handle, SearchError, SearchId, Searcher, Watcher};
use playtree_searches::{Error, Searches};

use super::watch::{Watch, typed_line, watch, written};
use super::{Engine, OnReport};
use crate::Record;
use crate::kind::{typed, typed_all};
use crate::report::Report;
use crate::root::Root;

/// What differs from searcher to searcher.
pub(crate) trait GameSearcher: Searcher<State: ReferenceGame> {
    const NAME: &'static str;

    /// What a search is given, in the searcher's own words. `played` ends with the position
    /// searched.
    fn options(played: Vec<Self::State>, root: &Root) -> Self::Options;

    fn search_with(
        &mut self,
        state: &Self::State,
        budget: &Budget,
        options: &Self::Options,
    ) -> Result<Self::Report, SearchError>;

    fn start_with(
        self,
        state: &Self::State,
        budget: &Budget,
        options: &Self::Options,
    ) -> Handle<Self>;

    /// The report with moves as texts.
    fn in_notation(report: &Self::Report, state: &Self::State) -> Report;

    fn workers(&self) -> usize;

    fn forget(&mut self);

    /// What is known of a position of the tree, if there is a tree.
    fn node(
        watcher: &Watcher<Self>,
        line: &[<Self::State as GameState>::Move],
        at_most: usize,
    ) -> Option<NodeReport<<Self::State as GameState>::Move>> {
        let _ = (watcher, line, at_most);
        None
    }

    /// The same of a searcher that does not search now.
    fn node_at_rest(
        &self,
        line: &[<Self::State as GameState>::Move],
        at_most: usize,
    ) -> Option<NodeReport<<Self::State as GameState>::Move>> {
        let _ = (line, at_most);
        None
    }
}

/// What a search was begun with.
struct Order<S: GameSearcher> {
    state: S::State,
    budget: Budget,
    options: S::Options,
}

/// A searcher, and the search that it does.
pub(crate) struct Desk<S: GameSearcher> {
    searches: &'static Searches<S::State>,
    seat: Seat<S>,
    order: Option<Order<S>>,
    /// The position of the last search in the thread of the caller.
    searched: Option<S::State>,
    /// Asked for before the first search.
    on_report: Option<(Duration, OnReport)>,
}

pub(super) enum Seat<S: GameSearcher> {
    Idle(S),
    Thinking(Handle<S>),
    /// While it changes from one to the other.
    Empty,
}

impl<S: GameSearcher> Desk<S> {
    pub(crate) fn new(engine: S, searches: &'static Searches<S::State>) -> Self {
        let seat = Seat::Idle(engine);
        Self { searches, seat, order: None, searched: None, on_report: None }
    }

    /// What is done with the game for longer than a moment.
    pub(super) fn searches(&self) -> &'static Searches<S::State> {
        self.searches
    }

    /// The searcher, when the search under way has ended.
    #[inline(never)]
    pub(super) fn engine(&mut self) -> &mut S {
        if let Seat::Thinking(_) = self.seat {
            let Seat::Thinking(handle) = std::mem::replace(&mut self.seat, Seat::Empty) else {
                unreachable!("it was thinking")
            };
            self.seat = Seat::Idle(handle.into_engine());
        }
        match &mut self.seat {
            Seat::Idle(engine) => engine,
            _ => unreachable!("it is idle now"),
        }
    }

    /// The searcher, or the search that was begun.
    #[cfg(feature = "exchange")]
    pub(super) fn seat(&mut self) -> &mut Seat<S> {
        &mut self.seat
    }

    /// The handle, if a search was begun.
    pub(super) fn handle(&self) -> Option<&Handle<S>> {
        match &self.seat {
            Seat::Thinking(handle) => Some(handle),
            _ => None,
        }
    }

    #[inline(never)]
    fn order(game: &Record, budget: &Budget, root: &Root) -> Result<Order<S>, Error> {
        let played: Vec<S::State> = typed_all(game.positions())?;
        let state = typed::<S::State>(game.position())?.clone();
        Ok(Order { state, budget: budget.clone(), options: S::options(played, root) })
    }

    /// A search in this thread.
    #[inline(never)]
    fn search_here(&mut self, order: &Order<S>) -> Result<Report, Error> {
        let Order { state, budget, options } = order;
        let report = self.engine().search_with(state, budget, options)?;
        Ok(S::in_notation(&report, state))
    }

    /// The end of the search, which is stopped or waited for; in this thread if there is no other
    /// one.
    #[inline(never)]
    fn end(&mut self, is_stopped: bool) -> Result<Report, Error> {
        let (Some(order), Seat::Thinking(handle)) = (&self.order, &mut self.seat) else {
            return Err(Error::NoSearch);
        };
        let ended = if is_stopped { handle.stop() } else { handle.wait() };
        match ended {
            Err(SearchError::NoThread { .. }) => {
                let order = self.order.take().expect("it was begun with an order");
                let report = self.search_here(&order);
                self.order = Some(order);
                report
            }
            ended => Ok(S::in_notation(&ended?, &order.state)),
        }
    }
}

impl<S: GameSearcher> Engine for Desk<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn search(&mut self, game: &Record, budget: &Budget, root: &Root) -> Result<Report, Error> {
        let order = Self::order(game, budget, root)?;
        self.order = None;
        self.searched = None;
        let report = self.search_here(&order)?;
        self.searched = Some(order.state);
        Ok(report)
    }

    fn node(&self, line: &[AnyMove], at_most: usize) -> Option<NodeReport<String>> {
        let (Seat::Idle(engine), Some(state)) = (&self.seat, &self.searched) else { return None };
        let line = typed_line::<S::State>(line)?;
        let node = S::node_at_rest(engine, &line, at_most)?;
        Some(written(&node, state, &line))
    }

    fn think(&mut self, game: &Record, budget: &Budget, root: &Root) -> Result<SearchId, Error> {
        let order = Self::order(game, budget, root)?;
        self.searched = None;
        let Order { state, budget, options } = &order;
        let number = if let Seat::Thinking(handle) = &mut self.seat {
            handle.think_with(state, budget, options)
        } else {
            let Seat::Idle(engine) = std::mem::replace(&mut self.seat, Seat::Empty) else {
                unreachable!("it is idle")
            };
            let mut handle = engine.start_with(state, budget, options);
            if let Some((interval, callback)) = self.on_report.take() {
                call_back(&mut handle, interval, callback);
            }
            let number = handle.watcher().search();
            self.seat = Seat::Thinking(handle);
            number
        };
        self.order = Some(order);
        Ok(number)
    }

    fn on_report(&mut self, interval: Duration, callback: OnReport) {
        match &mut self.seat {
            Seat::Thinking(handle) => call_back(handle, interval, callback),
            _ => self.on_report = Some((interval, callback)),
        }
    }

    fn is_thinking(&self) -> bool {
        self.handle().is_some_and(Handle::is_thinking)
    }

    fn report(&self) -> Option<Report> {
        let order = self.order.as_ref()?;
        let report = self.handle()?.report()?;
        Some(S::in_notation(&report, &order.state))
    }

    fn wait(&mut self) -> Result<Report, Error> {
        self.end(false)
    }

    fn stop(&mut self) -> Result<Report, Error> {
        self.end(true)
    }

    fn rest(&mut self) {
        self.engine();
        self.on_report = None;
    }

    fn workers(&mut self) -> usize {
        self.engine().workers()
    }

    fn forget(&mut self) {
        self.searched = None;
        self.engine().forget();
    }

    fn watcher(&self) -> Option<Arc<dyn Watch>> {
        Some(watch(self.handle()?.watcher()))
    }
}

impl<S: GameSearcher> fmt::Debug for Desk<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("name", &S::NAME).finish_non_exhaustive()
    }
}

/// What was found is shown with the moves of its own position.
fn call_back<S: GameSearcher>(handle: &mut Handle<S>, interval: Duration, mut callback: OnReport) {
    handle.on_report(interval, move |snapshot| {
        callback(&S::in_notation(&snapshot.report, &snapshot.state));
    });
}
