//! Orders: what a handle wants searched, and how it learns of the end.
//!
//! The handle, the thread that searches and the one that calls the callback share a **stage**,
//! one lock. Of the game's code only `Clone` of its moves runs under it, while a search is read.
//! What searches is any [`Searcher`].
//!
//! - **One order at a time.** A new one stops the search under way and takes the place of one
//!   that was not begun. Each order has a control of its own, made when it was given: so its clock
//!   runs from then on, and it can be stopped before it has begun.
//! - **A view is there only while a search has a root, and is read only while nothing else was
//!   ordered.** The thread that searches takes it down, under the lock, before the root changes. So
//!   a reader under the lock reads of this root, and the thread that searches has the tree to
//!   itself between two searches.
//! - **No wait is for what cannot come.** Every order ends with a result, also one that panics, was
//!   stopped before it began, or finds no thread.
//! - **Old values are dropped last.** Their `Drop` is the game's code and may panic. So whatever
//!   takes a value off the stage hands it to its caller as [`Remains`], to be dropped without the
//!   lock, when all threads that wait have been woken.

use std::any::Any;
use std::fmt;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use crate::sync::parking::{Condvar, Mutex};

use crate::budget::Budget;
use crate::error::SearchError;

use super::{Searcher, Searches};

/// What a panic carries.
type Payload = Box<dyn Any + Send>;

/// A position `P` to be searched as options `O` say with a budget, whose clock is running; `T`
/// stops the search.
pub struct Order<P, O, T> {
    pub(crate) state: Arc<P>,
    pub(crate) budget: Budget,
    pub(crate) options: Arc<O>,
    pub(crate) stops: Arc<T>,
    /// The same position as before, with the same options: nothing is forgotten, whatever the
    /// settings say.
    pub(crate) goes_on: bool,
}

/// An order for the searcher `S`.
type OrderOf<S> = Order<<S as Searcher>::State, <S as Searcher>::Options, StopsOf<S>>;

/// What stops a search of `S`, and has its clock.
type StopsOf<S> = <S as Searches<
    <S as Searcher>::State,
    <S as Searcher>::Options,
    <S as Searcher>::Report,
>>::Stops;

impl<P, O, T> fmt::Debug for Order<P, O, T> {
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

type Ended<S> = Arc<Result<<S as Searcher>::Report, SearchError>>;

/// The position, the options and what stops an order.
type Last<S> = (Arc<<S as Searcher>::State>, Arc<<S as Searcher>::Options>, Arc<StopsOf<S>>);

/// What was taken off the stage.
#[must_use = "it is to be dropped without the lock, after all who wait were woken"]
pub(super) struct Remains<S: Searcher> {
    _order: Option<OrderOf<S>>,
    _last: Option<Last<S>>,
    _view: Option<S::View>,
    _table: Option<S::Table>,
    _result: Option<Ended<S>>,
    _panic: Option<Payload>,
}

impl<S: Searcher> Default for Remains<S> {
    fn default() -> Self {
        Self { _order: None, _last: None, _view: None, _table: None, _result: None, _panic: None }
    }
}

struct Scene<S: Searcher> {
    /// Not begun yet.
    order: Option<OrderOf<S>>,
    /// The position, the options and what stops the last order.
    state: Arc<S::State>,
    options: Arc<S::Options>,
    stops: Arc<S::Stops>,
    /// The last order was begun, and has not ended.
    searching: bool,
    view: Option<S::View>,
    /// What the table is saved from while no search is under way.
    table: Option<S::Table>,
    /// Shared with the threads that clone it without the lock.
    result: Option<Ended<S>>,
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

    /// What can be read. Once something else was ordered the view is of no use, and waits for the
    /// thread that searches to take it down.
    fn view(&self) -> Option<&S::View> {
        self.view.as_ref().filter(|_| self.order.is_none())
    }

    fn put(&mut self, order: OrderOf<S>) -> Remains<S> {
        S::stop(&self.stops);
        let last = (
            mem::replace(&mut self.state, Arc::clone(&order.state)),
            mem::replace(&mut self.options, Arc::clone(&order.options)),
            mem::replace(&mut self.stops, Arc::clone(&order.stops)),
        );
        Remains {
            _last: Some(last),
            _order: self.order.replace(order),
            // Nothing is read of the search before this one any more.
            _result: self.result.take(),
            _panic: self.panic.take(),
            ..Remains::default()
        }
    }
}

/// The handle's side.
impl<S: Searcher> Stage<S> {
    /// With a first order. `table` is what the searcher's table is saved from until then.
    pub(super) fn new(
        state: &S::State,
        budget: &Budget,
        options: &S::Options,
        table: S::Table,
    ) -> Self {
        let order = Self::order(state, budget, options);
        let scene = Scene {
            state: Arc::clone(&order.state),
            options: Arc::clone(&order.options),
            stops: Arc::clone(&order.stops),
            order: Some(order),
            searching: false,
            view: None,
            table: Some(table),
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

    /// Makes an order, and starts its clock.
    fn order(state: &S::State, budget: &Budget, options: &S::Options) -> OrderOf<S> {
        Order {
            state: Arc::new(state.clone()),
            budget: budget.clone(),
            options: Arc::new(options.clone()),
            stops: Arc::new(S::begin(budget)),
            goes_on: false,
        }
    }

    /// Orders a search, in place of the one under way.
    pub(super) fn put(
        &self,
        state: &S::State,
        budget: &Budget,
        options: &S::Options,
    ) -> Remains<S> {
        let order = Self::order(state, budget, options);
        let remains = self.scene.lock().put(order);
        self.announce();
        remains
    }

    /// Orders a search of the same position, as the same options say.
    pub(super) fn put_budget(&self, budget: &Budget) -> Remains<S> {
        let mut scene = self.scene.lock();
        let order = Order {
            state: Arc::clone(&scene.state),
            budget: budget.clone(),
            options: Arc::clone(&scene.options),
            stops: Arc::new(S::begin(budget)),
            // What was not begun may still have to forget.
            goes_on: scene.order.as_ref().is_none_or(|order| order.goes_on),
        };
        let remains = scene.put(order);
        drop(scene);
        self.announce();
        remains
    }

    /// Wakes the threads that wait for an order.
    fn announce(&self) {
        self.ordered.notify_one();
        self.ticking.notify_one();
    }

    /// Ends the order with an error, as there is no thread to search it.
    pub(super) fn refuse(&self, error: SearchError) -> Remains<S> {
        let mut scene = self.scene.lock();
        let _order = scene.order.take();
        let _result = scene.result.replace(Arc::new(Err(error)));
        drop(scene);
        self.shown.notify_all();
        Remains { _order, _result, ..Remains::default() }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.scene.lock().is_busy()
    }

    pub(super) fn stop(&self) {
        S::stop(&self.scene.lock().stops);
    }

    pub(super) fn wait(&self) -> Outcome<S::Report> {
        let mut scene = self.scene.lock();
        while scene.is_busy() {
            self.shown.wait(&mut scene);
        }
        let (panic, result) = (scene.panic.take(), scene.result.clone());
        drop(scene);
        match (panic, result.as_deref()) {
            (Some(payload), _) => Outcome::Panic(payload),
            (None, Some(Ok(report))) => Outcome::Report(report.clone()),
            (None, Some(Err(error))) => Outcome::Error(error.clone()),
            (None, None) => Outcome::Error(SearchError::Panicked),
        }
    }

    pub(super) fn report(&self) -> Option<S::Report> {
        let mut scene = self.scene.lock();
        while scene.is_busy() && scene.view().is_none() {
            self.shown.wait(&mut scene);
        }
        if let Some(view) = scene.view() {
            return S::read(view);
        }
        let result = scene.result.clone();
        drop(scene);
        result?.as_ref().as_ref().ok().cloned()
    }

    /// What the table is saved from: waits, as a report, until a search can be read. `None` once
    /// the searcher is given back.
    pub(super) fn table(&self) -> Option<S::Table> {
        let mut scene = self.scene.lock();
        loop {
            match (&scene.view, &scene.table) {
                (Some(view), _) => return Some(S::table_of(view)),
                // Not that of before a search which is about to begin.
                (None, Some(table)) if scene.order.is_none() => return Some(table.clone()),
                (None, _) if scene.over && !scene.is_busy() => return None,
                (None, _) => self.shown.wait(&mut scene),
            }
        }
    }

    /// Stops the search, and lets no other follow.
    pub(super) fn close(&self) -> Remains<S> {
        let mut scene = self.scene.lock();
        S::stop(&scene.stops);
        scene.over = true;
        let (_order, _table) = (scene.order.take(), scene.table.take());
        drop(scene);
        self.ordered.notify_one();
        Remains { _order, _table, ..Remains::default() }
    }
}

/// The side of the thread that searches.
impl<S: Searcher> Stage<S> {
    /// Waits for the next order. `None` if there will be none.
    pub(super) fn next(&self) -> Option<OrderOf<S>> {
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
    ) -> Remains<S> {
        let mut remains = Remains::default();
        let mut scene = self.scene.lock();
        (scene.searching, scene.table) = (false, Some(table));
        remains._view = scene.view.take();
        (remains._result, remains._panic) = match result {
            Ok(result) if scene.order.is_none() => (scene.result.replace(Arc::new(result)), None),
            Ok(result) => (Some(Arc::new(result)), None),
            Err(payload) if scene.order.is_none() => (None, scene.panic.replace(payload)),
            Err(payload) => (None, Some(payload)),
        };
        drop(scene);
        self.shown.notify_all();
        remains
    }

    /// The drop of what an ended search has left has panicked: the next wait goes on with it,
    /// unless something else has happened since. Then it is of no use, and returned.
    pub(super) fn drop_panicked(&self, payload: Payload) -> Option<Payload> {
        let mut scene = self.scene.lock();
        if scene.is_busy() || scene.panic.is_some() {
            return Some(payload);
        }
        scene.panic = Some(payload);
        None
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
                && let Some(report) = scene.view().and_then(S::read)
            {
                return Some(report);
            }
        }
    }

    /// The callback has panicked: that is the end of the search.
    pub(super) fn callback_panicked(&self, payload: Payload) -> Remains<S> {
        let mut scene = self.scene.lock();
        S::stop(&scene.stops);
        Remains { _panic: scene.panic.replace(payload), ..Remains::default() }
    }

    /// Lets the reporter come, or go.
    pub(super) fn dismiss_reporter(&self, dismissed: bool) {
        let before = mem::replace(&mut self.scene.lock().dismissed, dismissed);
        if before != dismissed {
            self.ticking.notify_all();
        }
    }
}
