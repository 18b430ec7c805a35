//! Orders: what a handle wants searched, and how it learns of the end.
//!
//! The handle, the thread that searches and the one that calls the callback share a **stage**,
//! one lock. Of the game's code only `Clone` of its moves runs under it, while a search is read.
//! What searches is any [`Searcher`].
//!
//! - **One order at a time.** A new one stops the search under way and takes the place of one
//!   that was not begun. Each order has a control of its own, made when it was given: so its clock
//!   runs from then on, and it can be stopped before it has begun.
//! - **A view is there from when a search has a root until the next order is begun, and is read
//!   only while nothing else was ordered.** The thread that searches takes it down, under the lock,
//!   before the root changes. So a reader under the lock reads of this root.
//! - **No wait is for what cannot come.** Every order ends with a result, also one that panics, was
//!   stopped before it began, or finds no thread.
//! - **Old values are dropped last.** Their `Drop` is the game's code and may panic. So whatever
//!   takes a value off the stage hands it to its caller as [`Remains`], to be dropped without the
//!   lock, when all threads that wait have been woken.

use std::any::Any;
use std::fmt;
use std::mem;
use std::sync::{Arc, Weak};
use std::task::{Poll, Waker};
use std::time::Duration;

use crate::sync::parking::{Condvar, Mutex, MutexGuard};

use crate::budget::Budget;
use crate::error::SearchError;
use crate::pool::bank::Purse;

use super::{Ended, SearchId, Searcher, Searches, Snapshot};

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
    /// What the searcher may spend. A watcher does not keep it: it is given up with the searcher.
    purse: Weak<Purse>,
    /// There is a new order, or none will come any more.
    ordered: Condvar,
    /// There is a view, or an end.
    shown: Condvar,
    /// For the reporter: a search begins, or the reporter is dismissed.
    ticking: Condvar,
}

type ResultOf<S> = Arc<Result<<S as Searcher>::Report, SearchError>>;

/// What is called when a search has ended. Under a lock of its own, so that a callback which takes
/// its time keeps no other thread from the stage.
pub(super) type AtEnd<S> = Arc<Mutex<Box<dyn FnMut(&Ended<S>) + Send>>>;

/// The position, the options and what stops an order.
type Last<S> = (Arc<<S as Searcher>::State>, Arc<<S as Searcher>::Options>, Arc<StopsOf<S>>);

/// A call at the end of a search, and what was found; `None` after a panic.
type CallOf<S> = (AtEnd<S>, Option<ResultOf<S>>);

/// What was taken off the stage.
#[must_use = "it is to be dropped without the lock, after all who wait were woken"]
pub(super) struct Remains<S: Searcher> {
    _order: Option<OrderOf<S>>,
    _last: Option<Last<S>>,
    _view: Option<S::View>,
    _table: Option<S::Table>,
    _result: Option<ResultOf<S>>,
    _panic: Option<Payload>,
    _at_end: Option<AtEnd<S>>,
}

impl<S: Searcher> Default for Remains<S> {
    fn default() -> Self {
        Self {
            _order: None,
            _last: None,
            _view: None,
            _table: None,
            _result: None,
            _panic: None,
            _at_end: None,
        }
    }
}

struct Scene<S: Searcher> {
    /// Not begun yet.
    order: Option<OrderOf<S>>,
    /// The number of the last order.
    id: SearchId,
    /// The position, the options and what stops the last order.
    state: Arc<S::State>,
    options: Arc<S::Options>,
    stops: Arc<S::Stops>,
    /// The last order was begun, and has not ended.
    searching: bool,
    /// Of the search under way or the one that has ended last.
    view: Option<S::View>,
    /// What the table is saved from while no search is under way.
    table: Option<S::Table>,
    /// Shared with the threads that clone it without the lock.
    result: Option<ResultOf<S>>,
    panic: Option<Payload>,
    at_end: Option<AtEnd<S>>,
    /// Tasks that wait for an end.
    wakers: Vec<Waker>,
    /// There will be no more orders.
    over: bool,
    /// The reporter is to end.
    dismissed: bool,
}

impl<S: Searcher> Scene<S> {
    fn is_busy(&self) -> bool {
        self.order.is_some() || self.searching
    }

    /// What can be read, of a search under way or of one that has ended. Once something else was
    /// ordered the view is of no use, and waits for the thread that searches to take it down.
    fn view(&self) -> Option<&S::View> {
        self.view.as_ref().filter(|_| self.order.is_none())
    }

    /// What can be read of a search under way.
    fn running_view(&self) -> Option<&S::View> {
        self.view().filter(|_| self.searching)
    }

    /// What is said of the last order.
    fn snapshot(&self, report: S::Report) -> Snapshot<S> {
        Snapshot { search: self.id, state: Arc::clone(&self.state), report }
    }

    fn put(&mut self, order: OrderOf<S>) -> Remains<S> {
        S::stop(&self.stops);
        self.id = self.id.next();
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
    /// With a first order, for this searcher.
    pub(super) fn new(state: &S::State, budget: &Budget, options: &S::Options, engine: &S) -> Self {
        let order = Self::order(state, budget, options);
        let scene = Scene {
            state: Arc::clone(&order.state),
            options: Arc::clone(&order.options),
            stops: Arc::clone(&order.stops),
            order: Some(order),
            id: SearchId::FIRST,
            searching: false,
            view: None,
            table: Some(engine.table()),
            result: None,
            panic: None,
            at_end: None,
            wakers: Vec::new(),
            over: false,
            dismissed: false,
        };
        Self {
            scene: Mutex::new(scene),
            purse: Arc::downgrade(engine.purse()),
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

    /// Orders a search, in place of the one under way. Its number, and what it has replaced.
    pub(super) fn put(
        &self,
        state: &S::State,
        budget: &Budget,
        options: &S::Options,
    ) -> (SearchId, Remains<S>) {
        let order = Self::order(state, budget, options);
        let mut scene = self.scene.lock();
        let remains = scene.put(order);
        let id = scene.id;
        drop(scene);
        self.announce();
        (id, remains)
    }

    /// Orders a search of the same position, as the same options say. Its number, and what it has
    /// replaced.
    pub(super) fn put_budget(&self, budget: &Budget) -> (SearchId, Remains<S>) {
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
        let id = scene.id;
        drop(scene);
        self.announce();
        (id, remains)
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
        let wakers = mem::take(&mut scene.wakers);
        drop(scene);
        self.say_ended(wakers);
        Remains { _order, _result, ..Remains::default() }
    }

    /// Wakes the threads and the tasks that wait for an end, without the lock.
    fn say_ended(&self, wakers: Vec<Waker>) {
        self.shown.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }

    /// The number of the last order.
    pub(super) fn id(&self) -> SearchId {
        self.scene.lock().id
    }

    /// What is called at the end of each search from now on, in place of what was called before.
    pub(super) fn set_at_end(&self, at_end: AtEnd<S>) -> Remains<S> {
        let _at_end = self.scene.lock().at_end.replace(at_end);
        Remains { _at_end, ..Remains::default() }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.scene.lock().is_busy()
    }

    /// Whether a search is under way, and none of its threads has its turn.
    pub(super) fn is_waiting(&self) -> bool {
        let scene = self.scene.lock();
        scene.searching && scene.order.is_none() && S::is_waiting(&scene.stops)
    }

    /// What the searcher may spend; `None` if it is gone.
    pub(super) fn purse(&self) -> Option<Arc<Purse>> {
        self.purse.upgrade()
    }

    pub(super) fn stop(&self) {
        S::stop(&self.scene.lock().stops);
    }

    /// Waits for an end, at most this long: whether it was there by then.
    pub(super) fn wait_for(&self, time: Duration) -> bool {
        let mut scene = self.scene.lock();
        !self.shown.wait_while_for(&mut scene, |scene| scene.is_busy(), time).timed_out()
    }

    /// How the last search has ended; while one is under way, this task is woken when it ends.
    pub(super) fn poll_end(&self, waker: &Waker) -> Poll<Result<Snapshot<S>, SearchError>> {
        // Made and dropped without the lock: that is the program's code.
        let waker = waker.clone();
        let mut scene = self.scene.lock();
        if !scene.is_busy() {
            return Poll::Ready(Self::last(scene));
        }
        let known = scene.wakers.iter_mut().find(|known| known.will_wake(&waker));
        let _old = match known {
            Some(known) => Some(mem::replace(known, waker)),
            None => {
                scene.wakers.push(waker);
                None
            }
        };
        drop(scene);
        Poll::Pending
    }

    /// How the last search has ended. What a panic carries is left to the handle.
    fn last(scene: MutexGuard<'_, Scene<S>>) -> Result<Snapshot<S>, SearchError> {
        let (search, state) = (scene.id, Arc::clone(&scene.state));
        let result = scene.result.clone();
        let missing = if scene.over { SearchError::Abandoned } else { SearchError::Panicked };
        drop(scene);
        let report = result.map_or(Err(missing), |result| (*result).clone())?;
        Ok(Snapshot { search, state, report })
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
        while scene.is_busy() && scene.running_view().is_none() {
            self.shown.wait(&mut scene);
        }
        if let Some(view) = scene.running_view() {
            return S::read(view);
        }
        let result = scene.result.clone();
        drop(scene);
        result?.as_ref().as_ref().ok().cloned()
    }

    /// What is known now, without waiting for a search that has no root yet.
    pub(super) fn snapshot(&self) -> Option<Snapshot<S>> {
        let scene = self.scene.lock();
        if let Some(view) = scene.running_view() {
            return S::read(view).map(|report| scene.snapshot(report));
        }
        if scene.is_busy() { None } else { Self::last(scene).ok() }
    }

    /// Reads the search under way or the one that has ended last. `None` if it has no root, or
    /// another one was ordered.
    pub(super) fn read<T>(&self, read: impl FnOnce(&S::View) -> T) -> Option<T> {
        let scene = self.scene.lock();
        scene.view().map(read)
    }

    /// What the table is saved from: waits, as a report, until a search can be read. `None` once
    /// the searcher is given back.
    pub(super) fn table(&self) -> Option<S::Table> {
        let mut scene = self.scene.lock();
        loop {
            match (&scene.view, &scene.table) {
                (Some(view), _) if scene.searching => return Some(S::table_of(view)),
                // Not that of before a search which is about to begin.
                (_, Some(table)) if scene.order.is_none() => return Some(table.clone()),
                _ if scene.over && !scene.is_busy() => return None,
                _ => self.shown.wait(&mut scene),
            }
        }
    }

    /// Stops the search, and lets no other follow.
    pub(super) fn close(&self) -> Remains<S> {
        let mut scene = self.scene.lock();
        S::stop(&scene.stops);
        scene.over = true;
        let (_order, _table) = (scene.order.take(), scene.table.take());
        let wakers = mem::take(&mut scene.wakers);
        drop(scene);
        self.ordered.notify_one();
        // An order that was not begun never ends otherwise.
        self.say_ended(wakers);
        Remains { _order, _table, ..Remains::default() }
    }
}

/// The side of the thread that searches.
impl<S: Searcher> Stage<S> {
    /// Waits for the next order. `None` if there will be none. With it, what was left of the search
    /// before, to be dropped before the next one begins.
    pub(super) fn next(&self) -> (Option<(SearchId, OrderOf<S>)>, Remains<S>) {
        let mut scene = self.scene.lock();
        while !scene.over && scene.order.is_none() {
            self.ordered.wait(&mut scene);
        }
        // The search has the tree to itself until it shows it.
        let mut remains =
            Remains { _view: scene.view.take(), _table: scene.table.take(), ..Remains::default() };
        if scene.over {
            remains._at_end = scene.at_end.take();
            return (None, remains);
        }
        let order = scene.order.take();
        scene.searching = order.is_some();
        (order.map(|order| (scene.id, order)), remains)
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

    /// The search under way has ended. The result is of no use if there is another order. What is
    /// to be called for it, with what, and what is left.
    pub(super) fn end(
        &self,
        result: Result<ResultOf<S>, Payload>,
        table: S::Table,
    ) -> (Option<CallOf<S>>, Remains<S>) {
        let mut remains = Remains::default();
        let mut scene = self.scene.lock();
        let call = scene.at_end.clone().map(|at_end| (at_end, result.as_ref().ok().cloned()));
        (scene.searching, scene.table) = (false, Some(table));
        (remains._result, remains._panic) = match result {
            Ok(result) if scene.order.is_none() => (scene.result.replace(result), None),
            Ok(result) => (Some(result), None),
            Err(payload) if scene.order.is_none() => (None, scene.panic.replace(payload)),
            Err(payload) => (None, Some(payload)),
        };
        let wakers = if scene.order.is_none() { mem::take(&mut scene.wakers) } else { Vec::new() };
        drop(scene);
        self.say_ended(wakers);
        (call, remains)
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
    pub(super) fn next_report(&self, interval: Duration) -> Option<Snapshot<S>> {
        let mut scene = self.scene.lock();
        loop {
            if scene.dismissed {
                return None;
            }
            if !scene.is_busy() {
                self.ticking.wait(&mut scene);
            } else if self.ticking.wait_for(&mut scene, interval).timed_out()
                && !scene.dismissed
                && let Some(report) = scene.running_view().and_then(S::read)
            {
                return Some(scene.snapshot(report));
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

#[cfg(all(test, feature = "games", not(loom), not(miri)))]
mod tests {
    use std::sync::Arc;
    use std::task::{Poll, Waker};
    use std::thread;
    use std::time::Duration;

    use super::Stage;
    use crate::budget::Budget;
    use crate::error::SearchError;
    use crate::games::TicTacToe;
    use crate::mcts::{Mcts, Options};

    #[test]
    fn an_order_that_is_not_begun_ends_with_the_handle() {
        let engine = Mcts::<TicTacToe>::builder().threads(1).build().unwrap();
        let (state, budget) = (TicTacToe::new(), Budget::simulations(1));
        let stage = Stage::new(&state, &budget, &Options::default(), &engine);
        let stage = Arc::new(stage);
        let waits = |wait: fn(&Stage<Mcts<TicTacToe>>) -> bool| {
            let stage = Arc::clone(&stage);
            thread::spawn(move || wait(&stage))
        };
        let waiting = [
            waits(|stage| stage.table().is_none()),
            waits(|stage| stage.report().is_none()),
            waits(|stage| stage.wait_for(Duration::MAX)),
        ];
        assert!(stage.poll_end(Waker::noop()).is_pending());
        // They may wait already, or come later.
        thread::sleep(Duration::from_millis(20));
        drop(stage.close());
        assert!(waiting.into_iter().all(|thread| thread.join().unwrap()));
        let Poll::Ready(Err(error)) = stage.poll_end(Waker::noop()) else { panic!("no end") };
        assert_eq!(error, SearchError::Abandoned);
    }
}
