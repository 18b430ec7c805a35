//! Orders: what a handle wants searched, and how it hears of the end.
//!
//! The handle, the thread that searches and the one that calls the callback share a **stage**,
//! one lock. Of the game's code only `Clone` of its moves and `Drop` run under it.
//!
//! - **One order at a time.** A new one stops the search under way and takes the place of one
//!   that was not begun. Each order has a control of its own, made when it was given: so its clock
//!   runs from then on, and it can be stopped before it has begun.
//! - **A view is there exactly while a search has a root.** It is taken down under the lock
//!   before the root changes, so whoever reads under the lock reads of this root, and the
//!   thread that searches has the tree to itself between two searches.
//! - **Nobody waits for what cannot come.** Every order ends with a result, also one that panics
//!   or was stopped before it began.

use std::any::Any;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::budget::{Budget, StopReason};
use crate::error::SearchError;
use crate::game::GameState;
use crate::mcts::control::Control;
use crate::mcts::reading::View;
use crate::report::Report;

/// What a panic carries.
pub(crate) type Payload = Box<dyn Any + Send>;

/// A position to be searched with a budget, whose clock is running.
pub(crate) struct Order<G: GameState> {
    pub(crate) state: Arc<G>,
    pub(crate) budget: Budget,
    pub(crate) control: Arc<Control>,
    /// The same position as before: nothing is forgotten, whatever the settings say.
    pub(crate) goes_on: bool,
}

impl<G: GameState> Order<G> {
    pub(crate) fn new(state: &G, budget: &Budget) -> Self {
        Self::of(Arc::new(state.clone()), budget, false)
    }

    fn of(state: Arc<G>, budget: &Budget, goes_on: bool) -> Self {
        let control = Arc::new(Control::start_in_background(budget));
        Self { state, budget: budget.clone(), control, goes_on }
    }
}

/// How a search has ended.
pub(crate) enum Outcome<M> {
    Report(Report<M>),
    Error(SearchError),
    Panic(Payload),
}

/// What the threads share.
pub(crate) struct Stage<G: GameState> {
    scene: Mutex<Scene<G>>,
    /// There is a new order, or none will come any more.
    ordered: Condvar,
    /// There is a view, or an end.
    shown: Condvar,
    /// For the reporter: a search begins, or the reporter is dismissed.
    ticking: Condvar,
}

struct Scene<G: GameState> {
    /// Not begun yet.
    order: Option<Order<G>>,
    /// The position and the control of the last order.
    state: Arc<G>,
    control: Arc<Control>,
    /// The last order was begun, and has not ended.
    searching: bool,
    view: Option<View<G>>,
    result: Option<Result<Report<G::Move>, SearchError>>,
    panic: Option<Payload>,
    /// There will be no more orders.
    over: bool,
    /// The reporter is to end.
    dismissed: bool,
}

impl<G: GameState> Scene<G> {
    fn is_busy(&self) -> bool {
        self.order.is_some() || self.searching
    }

    fn put(&mut self, order: Order<G>) {
        self.control.stop(StopReason::Stopped);
        self.state = Arc::clone(&order.state);
        self.control = Arc::clone(&order.control);
        self.order = Some(order);
        (self.result, self.panic) = (None, None);
    }
}

/// The handle's side.
impl<G: GameState> Stage<G> {
    pub(crate) fn new(order: Order<G>) -> Self {
        let scene = Scene {
            state: Arc::clone(&order.state),
            control: Arc::clone(&order.control),
            order: Some(order),
            searching: false,
            view: None,
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

    pub(super) fn put(&self, order: Order<G>) {
        self.scene.lock().put(order);
        self.ordered.notify_one();
        self.ticking.notify_one();
    }

    pub(super) fn put_budget(&self, budget: &Budget) {
        let mut scene = self.scene.lock();
        // What was not begun may still have to forget.
        let goes_on = scene.order.as_ref().is_none_or(|order| order.goes_on);
        let order = Order::of(Arc::clone(&scene.state), budget, goes_on);
        scene.put(order);
        drop(scene);
        self.ordered.notify_one();
        self.ticking.notify_one();
    }

    pub(super) fn is_busy(&self) -> bool {
        self.scene.lock().is_busy()
    }

    pub(super) fn stop(&self) {
        self.scene.lock().control.stop(StopReason::Stopped);
    }

    pub(super) fn wait(&self) -> Outcome<G::Move> {
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

    pub(super) fn report(&self) -> Option<Report<G::Move>> {
        let mut scene = self.scene.lock();
        while scene.is_busy() && scene.view.is_none() {
            self.shown.wait(&mut scene);
        }
        match (&scene.view, &scene.result) {
            (Some(view), _) => view.report(),
            (None, Some(Ok(report))) => Some(report.clone()),
            (None, _) => None,
        }
    }

    /// Stops the search, and lets no other follow.
    pub(crate) fn close(&self) {
        let mut scene = self.scene.lock();
        scene.control.stop(StopReason::Stopped);
        (scene.order, scene.over) = (None, true);
        drop(scene);
        self.ordered.notify_one();
    }
}

/// The side of the thread that searches.
impl<G: GameState> Stage<G> {
    /// Waits for the next order. `None` if there will be none.
    pub(crate) fn next(&self) -> Option<Order<G>> {
        let mut scene = self.scene.lock();
        loop {
            if scene.over {
                return None;
            }
            if let Some(order) = scene.order.take() {
                scene.searching = true;
                return Some(order);
            }
            self.ordered.wait(&mut scene);
        }
    }

    /// The search under way can be read from now on.
    pub(crate) fn show(&self, view: View<G>) {
        self.scene.lock().view = Some(view);
        self.shown.notify_all();
    }

    /// The search under way has ended. The result is of no use if there is another order.
    pub(crate) fn end(&self, result: Result<Result<Report<G::Move>, SearchError>, Payload>) {
        let mut scene = self.scene.lock();
        (scene.searching, scene.view) = (false, None);
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
impl<G: GameState> Stage<G> {
    /// Waits for `interval` of a search that can be read, and reads it. `None`: dismissed.
    pub(crate) fn next_report(&self, interval: Duration) -> Option<Report<G::Move>> {
        let mut scene = self.scene.lock();
        loop {
            if scene.dismissed {
                return None;
            }
            if !scene.is_busy() {
                self.ticking.wait(&mut scene);
            } else if self.ticking.wait_for(&mut scene, interval).timed_out()
                && !scene.dismissed
                && let Some(report) = scene.view.as_ref().and_then(View::report)
            {
                return Some(report);
            }
        }
    }

    /// The callback has panicked: that is the end of the search.
    pub(crate) fn callback_panicked(&self, payload: Payload) {
        let mut scene = self.scene.lock();
        scene.control.stop(StopReason::Stopped);
        scene.panic = Some(payload);
    }

    /// Lets the reporter come, or go.
    pub(crate) fn dismiss_reporter(&self, dismissed: bool) {
        let before = mem::replace(&mut self.scene.lock().dismissed, dismissed);
        if before != dismissed {
            self.ticking.notify_all();
        }
    }
}
