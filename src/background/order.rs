//! Orders: what a handle wants searched, and how it hears of the end.
//!
//! The handle, the thread that searches and the one that calls the callback share a **stage**,
//! one lock. Of the game's code only `Clone` of its moves and `Drop` run under it. What searches is
//! any [`Searcher`].
//!
//! - **One order at a time.** A new one stops the search under way and takes the place of one
//!   that was not begun. Each order has a control of its own, made when it was given: so its clock
//!   runs from then on, and it can be stopped before it has begun.
//! - **A view is there only while a search has a root, and nothing else was ordered.** It is taken
//!   down under the lock before the root changes, so whoever reads under the lock reads of this root, and the
//!   thread that searches has the tree to itself between two searches.
//! - **Nobody waits for what cannot come.** Every order ends with a result, also one that panics
//!   or was stopped before it began.

use std::any::Any;
use std::fmt;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::budget::Budget;
use crate::error::SearchError;

use super::Searcher;

/// What a panic carries.
type Payload = Box<dyn Any + Send>;

/// A position to be searched with a budget, whose clock is running.
pub struct Order<S: Searcher> {
    pub(crate) state: Arc<S::State>,
    pub(crate) budget: Budget,
    pub(crate) options: Arc<S::Options>,
    pub(crate) control: Arc<S::Control>,
    /// The same position as before, with the same options: nothing is forgotten, whatever the
    /// settings say.
    pub(crate) goes_on: bool,
}

impl<S: Searcher> Order<S> {
    pub(super) fn new(state: &S::State, budget: &Budget, options: &S::Options) -> Self {
        Self::of(Arc::new(state.clone()), budget, Arc::new(options.clone()), false)
    }

    fn of(state: Arc<S::State>, budget: &Budget, options: Arc<S::Options>, goes_on: bool) -> Self {
        let control = Arc::new(S::control(budget));
        Self { state, budget: budget.clone(), options, control, goes_on }
    }
}

impl<S: Searcher> fmt::Debug for Order<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Order")
            .field("budget", &self.budget)
            .field("goes_on", &self.goes_on)
            .finish_non_exhaustive()
    }
}

/// How a search has ended.
pub(super) enum Outcome<R> {
    Report(R),
    Error(SearchError),
    Panic(Payload),
}

/// What the threads share.
pub(super) struct Stage<S: Searcher> {
    scene: Mutex<Scene<S>>,
    /// There is a new order, or none will come any more.
    ordered: Condvar,
    /// There is a view, or an end.
    shown: Condvar,
    /// For the reporter: a search begins, or the reporter is dismissed.
    ticking: Condvar,
}

struct Scene<S: Searcher> {
    /// Not begun yet.
    order: Option<Order<S>>,
    /// The position, the options and the control of the last order.
    state: Arc<S::State>,
    options: Arc<S::Options>,
    control: Arc<S::Control>,
    /// The last order was begun, and has not ended.
    searching: bool,
    view: Option<S::View>,
    /// What the table is saved from while no search is under way.
    table: Option<S::Table>,
    result: Option<Result<S::Report, SearchError>>,
    panic: Option<Payload>,
    /// There will be no more orders.
    over: bool,
    /// The reporter is to end.
    dismissed: bool,
}

impl<S: Searcher> Scene<S> {
    fn is_busy(&self) -> bool {
        self.order.is_some() || self.searching
    }

    fn put(&mut self, order: Order<S>) {
        S::stop(&self.control);
        self.state = Arc::clone(&order.state);
        self.options = Arc::clone(&order.options);
        self.control = Arc::clone(&order.control);
        self.order = Some(order);
        // Nothing is read of the search before this one any more.
        (self.view, self.result, self.panic) = (None, None, None);
    }
}

/// The handle's side.
impl<S: Searcher> Stage<S> {
    pub(super) fn new(order: Order<S>) -> Self {
        let scene = Scene {
            state: Arc::clone(&order.state),
            options: Arc::clone(&order.options),
            control: Arc::clone(&order.control),
            order: Some(order),
            searching: false,
            view: None,
            table: None,
            result: None,
            panic: None,
            over: false,
            dismissed: false,
        };
        Self {
            scene: Mutex::new(scene),
            ordered: Condvar::new(),
            shown: Condvar::new(),
            ticking: Condvar::new(),
        }
    }

    pub(super) fn put(&self, order: Order<S>) {
        self.scene.lock().put(order);
        self.ordered.notify_one();
        self.ticking.notify_one();
    }

    pub(super) fn put_budget(&self, budget: &Budget) {
        let mut scene = self.scene.lock();
        // What was not begun may still have to forget.
        let goes_on = scene.order.as_ref().is_none_or(|order| order.goes_on);
        let (state, options) = (Arc::clone(&scene.state), Arc::clone(&scene.options));
        let order = Order::of(state, budget, options, goes_on);
        scene.put(order);
        drop(scene);
        self.ordered.notify_one();
        self.ticking.notify_one();
    }

    pub(super) fn is_busy(&self) -> bool {
        self.scene.lock().is_busy()
    }

    pub(super) fn stop(&self) {
        S::stop(&self.scene.lock().control);
    }

    pub(super) fn wait(&self) -> Outcome<S::Report> {
        let mut scene = self.scene.lock();
        while scene.is_busy() {
            self.shown.wait(&mut scene);
        }
        match (scene.panic.take(), &scene.result) {
            (Some(payload), _) => Outcome::Panic(payload),
            (None, Some(Ok(report))) => Outcome::Report(report.clone()),
            (None, Some(Err(error))) => Outcome::Error(error.clone()),
            (None, None) => Outcome::Error(SearchError::Panicked),
        }
    }

    pub(super) fn report(&self) -> Option<S::Report> {
        let mut scene = self.scene.lock();
        while scene.is_busy() && scene.view.is_none() {
            self.shown.wait(&mut scene);
        }
        match (&scene.view, &scene.result) {
            (Some(view), _) => S::read(view),
            (None, Some(Ok(report))) => Some(report.clone()),
            (None, _) => None,
        }
    }

    /// What the table is saved from: waits, as a report, until a search can be read. `None` once the
    /// searcher is given back.
    pub(super) fn table(&self) -> Option<S::Table> {
        let mut scene = self.scene.lock();
        loop {
            match (&scene.view, &scene.table) {
                (Some(view), _) => return Some(S::table_of(view)),
                (None, Some(table)) => return Some(table.clone()),
                (None, None) if scene.over && !scene.is_busy() => return None,
                (None, None) => self.shown.wait(&mut scene),
            }
        }
    }

    /// Stops the search, and lets no other follow.
    pub(super) fn close(&self) {
        let mut scene = self.scene.lock();
        S::stop(&scene.control);
        (scene.order, scene.over) = (None, true);
        drop(scene);
        self.ordered.notify_one();
    }
}

/// The side of the thread that searches.
impl<S: Searcher> Stage<S> {
    /// Waits for the next order. `None` if there will be none.
    pub(super) fn next(&self) -> Option<Order<S>> {
        let mut scene = self.scene.lock();
        loop {
            if scene.over {
                scene.table = None;
                return None;
            }
            if let Some(order) = scene.order.take() {
                // The search has the tree to itself until it shows it.
                (scene.searching, scene.table) = (true, None);
                return Some(order);
            }
            self.ordered.wait(&mut scene);
        }
    }

    /// The search under way can be read from now on, unless another one is to follow.
    pub(super) fn show(&self, view: S::View) {
        let mut scene = self.scene.lock();
        if scene.order.is_none() {
            scene.view = Some(view);
            drop(scene);
            self.shown.notify_all();
        }
    }

    /// The search under way has ended. The result is of no use if there is another order.
    pub(super) fn end(
        &self,
        result: Result<Result<S::Report, SearchError>, Payload>,
        table: S::Table,
    ) {
        let mut scene = self.scene.lock();
        (scene.searching, scene.view, scene.table) = (false, None, Some(table));
        if scene.order.is_none() {
            match result {
                Ok(result) => scene.result = Some(result),
                Err(payload) => scene.panic = Some(payload),
            }
        }
        drop(scene);
        self.shown.notify_all();
    }
}

/// The reporter's side.
impl<S: Searcher> Stage<S> {
    /// Waits for `interval` of a search that can be read, and reads it. `None`: dismissed.
    pub(super) fn next_report(&self, interval: Duration) -> Option<S::Report> {
        let mut scene = self.scene.lock();
        loop {
            if scene.dismissed {
                return None;
            }
            if !scene.is_busy() {
                self.ticking.wait(&mut scene);
            } else if self.ticking.wait_for(&mut scene, interval).timed_out()
                && !scene.dismissed
                && let Some(report) = scene.view.as_ref().and_then(S::read)
            {
                return Some(report);
            }
        }
    }

    /// The callback has panicked: that is the end of the search.
    pub(super) fn callback_panicked(&self, payload: Payload) {
        let mut scene = self.scene.lock();
        S::stop(&scene.control);
        scene.panic = Some(payload);
    }

    /// Lets the reporter come, or go.
    pub(super) fn dismiss_reporter(&self, dismissed: bool) {
        let before = mem::replace(&mut self.scene.lock().dismissed, dismissed);
        if before != dismissed {
            self.ticking.notify_all();
        }
    }
}
