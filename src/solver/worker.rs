//! The workers of a solver: what each has of its own, what they share, and how the lead gives the
//! others a question to work on.
//!
//! The calling thread is the **lead**. It asks one question after the other, each a position and an
//! empty window; every worker searches for the answer, and the first one that has it ends the
//! search of the others. All threads end before the solver returns, also when the game panics.

use std::sync::Arc;

use crate::error::SearchError;
use crate::helpers::run_with_helpers;
use crate::solvable::{Method, Solvable};
use crate::stop::{Pace, Positions};
use crate::sync::{AtomicBool, AtomicU64, Bell, Mutex, Ordering};

use super::facts::{Facts, Place};
use super::frame::{Frame, Step};
use super::numbers::{first_number, points_asked};
use super::view::Live;

/// One search, as its workers see it.
pub(super) struct Shared<'a, G> {
    pub(super) facts: &'a Facts,
    pub(super) positions: &'a Positions,
    pub(super) busy: Busy,
    method: Method,
    pub(super) workers: usize,
    questions: Questions<G>,
}

impl<'a, G> Shared<'a, G> {
    pub(super) fn new(
        facts: &'a Facts,
        positions: &'a Positions,
        method: Method,
        workers: usize,
    ) -> Self {
        let (busy, questions) = (Busy::new(workers), Questions::new());
        Self { facts, positions, busy, method, workers, questions }
    }
}

/// A position and the window in which its worth is asked for.
struct Question<G> {
    state: G,
    place: Place,
    window: (i32, i32),
}

/// The question that is being worked on.
struct Questions<G> {
    /// Counts questions asked and answers given: even while there is nothing to work on.
    number: AtomicU64,
    current: Mutex<Current<G>>,
    /// Rung for each question, and at the end.
    bell: Bell,
    /// Whether all is over: the lead has asked everything, or a worker has panicked.
    closed: AtomicBool,
}

struct Current<G> {
    /// Shared: it is made, and dropped, without the lock, as that is the game's code.
    question: Option<Arc<Question<G>>>,
    answer: Option<i32>,
}

impl<G> Questions<G> {
    fn new() -> Self {
        Self {
            number: AtomicU64::new(0),
            current: Mutex::new(Current { question: None, answer: None }),
            bell: Bell::new(),
            closed: AtomicBool::new(false),
        }
    }

    fn is_closed(&self) -> bool {
        // Relaxed: as the number.
        self.closed.load(Ordering::Relaxed)
    }

    fn number(&self) -> u64 {
        // Relaxed: a worker that has seen the signal of the search change sees what was stored
        // before it.
        self.number.load(Ordering::Relaxed)
    }
}

/// The positions that are being searched: a small table of their hashes, in which one may hide
/// another. It only decides which worker looks where first.
pub(super) struct Busy {
    marks: Box<[AtomicU64]>,
}

/// Takes its position out of the table again.
pub(super) struct Mark<'a>(&'a AtomicU64);

impl Busy {
    fn new(workers: usize) -> Self {
        let count = if workers > 1 { 1 << 14 } else { 1 };
        Self { marks: (0..count).map(|_| AtomicU64::new(0)).collect() }
    }

    #[inline]
    fn slot(&self, place: Place) -> &AtomicU64 {
        &self.marks[place.bucket as usize & (self.marks.len() - 1)]
    }

    /// Whether a worker searches the position.
    #[inline]
    pub(super) fn has(&self, place: Place) -> bool {
        // Relaxed: a mark that is seen late costs a search done twice.
        self.slot(place).load(Ordering::Relaxed) == place.check
    }

    /// Says that the position is being searched, until the mark is dropped.
    #[inline]
    pub(super) fn mark(&self, place: Place) -> Mark<'_> {
        let slot = self.slot(place);
        slot.store(place.check, Ordering::Relaxed);
        Mark(slot)
    }
}

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// How much of a search is done, if all children of a position take the same time: looked at for
/// the first plies only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// Children searched, and how many there are, at each ply.
    plies: [(u32, u32); DONE_PLIES],
}

const DONE_PLIES: usize = 4;

impl Done {
    /// Begins with another child at this ply.
    #[inline]
    pub(super) fn begin(&mut self, ply: usize, searched: usize, count: usize) {
        if ply < DONE_PLIES {
            self.plies[ply] = (searched as u32, count as u32);
            self.plies[ply + 1..].fill((0, 1));
        }
    }

    /// The share that is done, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        let (mut share, mut part) = (0.0, 1.0);
        for &(searched, count) in &self.plies {
            part /= f64::from(count.max(1));
            share += part * f64::from(searched);
        }
        share.min(1.0)
    }
}

/// What one worker has of its own.
pub(super) struct Worker<'a, G: Solvable> {
    pub(super) shared: &'a Shared<'a, G>,
    pub(super) frames: Vec<Frame<G>>,
    /// The positions above the one under search, and what is asked about them.
    pub(super) line: Vec<Step>,
    /// Positions below a child at each ply, a running mean.
    pub(super) below: Vec<f32>,
    pub(super) pace: Pace<'a>,
    pub(super) done: Done,
    /// The last signal of the search that this worker has seen.
    pub(super) seen_signal: u32,
    /// The ply to go back to, as what is below it is not wanted.
    pub(super) back_to: Option<usize>,
    /// The number of the question that is worked on.
    question: u64,
    /// Positions after which this worker gives up.
    pub(super) patience: u64,
    pub(super) is_out_of_patience: bool,
    /// Where the lead says how far it has come, if it may be read.
    pub(super) live: Option<&'a Live<G::Move>>,
}

impl<'a, G: Solvable> Worker<'a, G> {
    pub(super) fn new(shared: &'a Shared<'a, G>) -> Self {
        Self {
            shared,
            frames: Vec::new(),
            line: Vec::new(),
            below: Vec::new(),
            pace: Pace::new(shared.positions),
            done: Done::default(),
            seen_signal: 0,
            back_to: None,
            question: 0,
            patience: u64::MAX,
            is_out_of_patience: false,
            live: None,
        }
    }

    /// Takes over the lists of moves of a worker that has come to its end.
    pub(super) fn take_room(&mut self, frames: Vec<Frame<G>>) {
        self.below.resize(frames.len(), 0.0);
        self.frames = frames;
    }

    /// Whether nothing of what this worker does is wanted any more.
    pub(super) fn is_obsolete(&self) -> bool {
        self.shared.positions.stop.is_stopped()
            || self.is_out_of_patience
            || self.shared.questions.is_closed()
            || self.shared.questions.number() != self.question
    }

    /// Ends the search because the game has broken a law.
    #[cold]
    pub(super) fn fail(&mut self, error: SearchError) {
        self.shared.positions.stop.fail(error);
        self.back_to = Some(0);
    }

    /// Asks every worker for the worth of a position where the game goes on. `None` if the search
    /// was stopped, or this worker has run out of patience.
    pub(super) fn ask(&mut self, state: &G, place: Place, window: (i32, i32)) -> Option<i32> {
        let shared = self.shared;
        if shared.workers > 1 {
            let question = Arc::new(Question { state: state.clone(), place, window });
            let mut current = shared.questions.current.lock();
            let before = current.question.replace(question);
            current.answer = None;
            self.question = shared.questions.number.fetch_add(1, Ordering::Relaxed) + 1;
            drop(current);
            shared.questions.bell.ring();
            drop(before);
        }
        let number = self.answer(state, place, window);
        if shared.workers == 1 {
            return number;
        }
        let mut current = shared.questions.current.lock();
        let before = current.question.take();
        if current.answer.is_none() {
            current.answer = number;
            shared.questions.number.fetch_add(1, Ordering::Relaxed);
            shared.positions.stop.alert();
        }
        let answer = current.answer;
        drop(current);
        drop(before);
        answer
    }

    fn answer(&mut self, state: &G, place: Place, window: (i32, i32)) -> Option<i32> {
        self.back_to = None;
        self.line.clear();
        self.done = Done::default();
        if let Some(live) = self.live {
            live.set_share(0.0);
        }
        if self.is_obsolete() {
            return None;
        }
        let (alpha, beta) = window;
        let by_numbers = self.shared.method == Method::ProofNumbers && beta - alpha == 1;
        let number = match points_asked(beta).filter(|_| by_numbers) {
            None => self.search(state, place, window, 0),
            Some(points) => {
                let number = self.prove(state, place, points);
                if number < first_number(points) { number.min(alpha) } else { number.max(beta) }
            }
        };
        self.back_to.is_none().then_some(number)
    }

    /// Works on the questions of the lead until there are no more.
    fn serve(&mut self) {
        let shared = self.shared;
        loop {
            let ticket = shared.questions.bell.ticket();
            if shared.positions.stop.is_stopped() || shared.questions.is_closed() {
                return;
            }
            let current = shared.questions.current.lock();
            let question = current.question.clone();
            self.question = shared.questions.number();
            drop(current);
            let Some(question) = question else {
                shared.questions.bell.wait(ticket);
                continue;
            };
            let number = self.answer(&question.state, question.place, question.window);
            let mut current = shared.questions.current.lock();
            if number.is_some() && shared.questions.number() == self.question {
                current.answer = number;
                let before = current.question.take();
                shared.questions.number.fetch_add(1, Ordering::Relaxed);
                shared.positions.stop.alert();
                drop(current);
                drop(before);
            }
        }
    }
}

/// Sends every worker home when it is dropped: also if a worker panics.
struct Close<'a, 'b, G>(&'b Shared<'a, G>);

impl<G> Drop for Close<'_, '_, G> {
    fn drop(&mut self) {
        let Shared { questions, positions, .. } = self.0;
        // Relaxed: the bell publishes it.
        questions.closed.store(true, Ordering::Relaxed);
        positions.stop.alert();
        questions.bell.ring();
    }
}

/// Runs `lead` in this thread, and the other workers beside it as long as it takes. Returns what it
/// returned.
///
/// # Panics
/// With the game's own panic, if it panics.
pub(super) fn run<'a, G: Solvable, T>(
    shared: &'a Shared<'a, G>,
    lead: impl FnOnce(&mut Worker<'a, G>) -> T,
) -> T {
    let help = |_| {
        || {
            let _close = Close(shared);
            let mut worker = Worker::new(shared);
            worker.serve();
            worker.pace.add();
        }
    };
    let (result, _) = run_with_helpers((1..shared.workers).map(help).collect(), |begun| {
        let _close = Close(shared);
        shared.positions.stop.set_workers(1 + begun);
        let mut worker = Worker::new(shared);
        let result = lead(&mut worker);
        worker.pace.add();
        result
    });
    result
}
