//! Turns: how the threads of many searches share a few seats.
//!
//! A thread that searches in a [`Line`] needs a seat. It keeps it while no other thread waits, and
//! else for a [`SLICE`]; then it goes to the end of the line. Whoever waits longest is next.
//!
//! What a thread knows of its turn is in the thread itself, so that the searches need not hand it
//! on: they say where they can wait ([`is_due`], [`wait`]), which is where they hold nothing that
//! others wait for. A thread that sleeps until another one has done something gives its seat up
//! ([`leave`]), and so no seat is ever kept by one that waits for a thread in the line.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::parking::{Condvar, Mutex};
use super::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use crate::clock::Clock;

/// The longest time that a thread keeps its seat while others wait: short for a person who looks
/// on, and long beside what it costs to change places.
const SLICE: Duration = Duration::from_millis(20);

/// The longest time until a thread in the line looks whether its search is over.
const LOOK: Duration = Duration::from_millis(5);

/// What is called in each thread that is begun to search in a line.
pub(crate) type OnStart = Arc<dyn Fn() + Send + Sync>;

/// Some seats, and the threads that wait for one.
pub(crate) struct Line {
    seats: usize,
    on_start: Option<OnStart>,
    state: Mutex<State>,
    /// A seat is free, or the first in the line has gone.
    called: Condvar,
    /// Threads in the line. `Relaxed`: one that sees an old number keeps its seat for one more
    /// look.
    waiting: AtomicUsize,
}

#[derive(Debug)]
struct State {
    free: usize,
    /// The tickets of the threads that wait, the first one first.
    line: VecDeque<u64>,
    next: u64,
}

impl Line {
    pub(crate) fn new(seats: usize, on_start: Option<OnStart>) -> Self {
        let state = State { free: seats, line: VecDeque::new(), next: 0 };
        Self {
            seats,
            on_start,
            state: Mutex::new(state),
            called: Condvar::new(),
            waiting: AtomicUsize::new(0),
        }
    }

    /// The number of seats.
    pub(crate) fn seats(&self) -> usize {
        self.seats
    }

    /// What is to be called in a thread that begins to search in it.
    pub(crate) fn on_start(&self) -> Option<&OnStart> {
        self.on_start.as_ref()
    }

    /// The seats that are taken.
    pub(crate) fn taken(&self) -> usize {
        self.seats - self.state.lock().free
    }

    /// The threads that wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Takes a seat, after all who wait. False if the search was over before.
    fn enter(&self, is_over: impl Fn() -> bool) -> bool {
        let mut state = self.state.lock();
        let ticket = state.next;
        state.next += 1;
        state.line.push_back(ticket);
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let has_seat = loop {
            if state.free > 0 && state.line.front() == Some(&ticket) {
                state.free -= 1;
                break true;
            }
            if self.called.wait_for(&mut state, LOOK).timed_out() && is_over() {
                break false;
            }
        };
        state.line.retain(|&waiting| waiting != ticket);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        let calls = state.free > 0 && !state.line.is_empty();
        drop(state);
        if calls {
            self.called.notify_all();
        }
        has_seat
    }

    fn leave(&self) {
        let mut state = self.state.lock();
        state.free += 1;
        let calls = !state.line.is_empty();
        drop(state);
        if calls {
            self.called.notify_all();
        }
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line")
            .field("seats", &self.seats)
            .field("waiting", &self.waiting())
            .finish_non_exhaustive()
    }
}

/// How many threads of one search have a seat. `Relaxed`: one who asks from outside may hear how it
/// was a moment ago.
#[derive(Debug)]
pub(crate) struct Seated {
    is_in_line: AtomicBool,
    threads: AtomicU32,
}

impl Seated {
    /// Of a search that has not begun.
    pub(crate) fn new() -> Self {
        Self { is_in_line: AtomicBool::new(false), threads: AtomicU32::new(0) }
    }

    /// Whether the search has begun in a line, and none of its threads has a seat.
    pub(crate) fn is_waiting(&self) -> bool {
        self.is_in_line.load(Ordering::Relaxed) && self.threads.load(Ordering::Relaxed) == 0
    }
}

/// The line of a search, for its further threads.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) line: Arc<Line>,
    seated: Arc<Seated>,
}

thread_local! {
    static TURN: RefCell<Option<Turn>> = const { RefCell::new(None) };
}

/// A thread that searches in a line.
struct Turn {
    place: Place,
    /// Since when it has its seat; `None` if it has none.
    since: Option<Clock>,
}

impl Turn {
    fn is_due(&self) -> bool {
        self.since.is_none_or(|since| self.place.line.waiting() > 0 && since.is_past(SLICE))
    }

    /// Gives the seat up, if it has one.
    fn leave(&mut self) {
        if self.since.take().is_some() {
            self.place.seated.threads.fetch_sub(1, Ordering::Relaxed);
            self.place.line.leave();
        }
    }
}

/// Ends the turn of its thread when it is dropped.
#[must_use]
pub(crate) struct InTurn {
    /// Whether the thread had no turn before.
    begun: bool,
}

/// From now on this thread searches in `line`. It has no seat yet: it waits for one where its
/// search can wait. Within another search nothing changes, also if that is in no line.
pub(crate) fn begin(line: Option<&Arc<Line>>, seated: &Arc<Seated>) -> InTurn {
    let place = |line| Place { line: Arc::clone(line), seated: Arc::clone(seated) };
    begin_at(line.map(place))
}

/// The same for a further thread of a search.
pub(crate) fn begin_at(place: Option<Place>) -> InTurn {
    let begun = TURN.with_borrow_mut(|turn| match (&turn, place) {
        (None, Some(place)) => {
            place.seated.is_in_line.store(true, Ordering::Relaxed);
            *turn = Some(Turn { place, since: None });
            true
        }
        _ => false,
    });
    InTurn { begun }
}

impl Drop for InTurn {
    fn drop(&mut self) {
        if self.begun {
            leave();
            TURN.set(None);
        }
    }
}

/// Where this thread searches, if it does so in a line.
pub(crate) fn place() -> Option<Place> {
    TURN.with_borrow(|turn| turn.as_ref().map(|turn| turn.place.clone()))
}

/// Whether this thread has a seat, or needs none.
pub(crate) fn is_seated() -> bool {
    TURN.with_borrow(|turn| turn.as_ref().is_none_or(|turn| turn.since.is_some()))
}

/// Whether this thread has to wait for its turn before it goes on.
#[inline]
pub(crate) fn is_due() -> bool {
    TURN.with_borrow(|turn| turn.as_ref().is_some_and(Turn::is_due))
}

/// Waits for the turn of this thread, or until its search is over.
#[cold]
pub(crate) fn wait(is_over: impl Fn() -> bool) {
    leave();
    let Some(Place { line, seated }) = place() else { return };
    if line.enter(is_over) {
        seated.threads.fetch_add(1, Ordering::Relaxed);
        let since = Some(Clock::start(None));
        TURN.with_borrow_mut(|turn| {
            if let Some(turn) = turn {
                turn.since = since;
            }
        });
    }
}

/// Gives up the seat of this thread, which is about to sleep.
pub(crate) fn leave() {
    TURN.with_borrow_mut(|turn| {
        if let Some(turn) = turn {
            turn.leave();
        }
    });
}
