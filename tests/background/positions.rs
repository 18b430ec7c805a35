//! Games for the tests: one that can be watched and disturbed, one whose moves are frail.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use playtree::game::Failure;
use playtree::games::ConnectFour;
use playtree::{GameState, Notation, Outcome, Solvable};

/// Keeps threads waiting while it is shut.
#[derive(Default)]
pub(crate) struct Gate {
    is_shut: AtomicBool,
    waiting: AtomicUsize,
    passed: AtomicUsize,
}

impl Gate {
    pub(crate) fn pass(&self) {
        self.passed.fetch_add(1, Ordering::SeqCst);
        if self.is_shut.load(Ordering::SeqCst) {
            self.waiting.fetch_add(1, Ordering::SeqCst);
            while self.is_shut.load(Ordering::SeqCst) {
                thread::yield_now();
            }
        }
    }

    /// Shuts it, and blocks until `count` threads wait there.
    pub(crate) fn shut(&self, count: usize) {
        self.waiting.store(0, Ordering::SeqCst);
        self.is_shut.store(true, Ordering::SeqCst);
        while self.waiting.load(Ordering::SeqCst) < count {
            thread::yield_now();
        }
    }

    pub(crate) fn open(&self) {
        self.is_shut.store(false, Ordering::SeqCst);
    }

    /// Passages begun so far.
    pub(crate) fn passed(&self) -> usize {
        self.passed.load(Ordering::SeqCst)
    }
}

/// Connect Four whose positions say when they are gone, and can panic or wait.
#[derive(Clone)]
pub(crate) struct Traced {
    inner: ConnectFour,
    /// Each position that is left holds it.
    alive: Arc<()>,
    /// The next move that is played panics.
    armed: Arc<AtomicBool>,
    /// The game cannot go on, and why.
    failure: Arc<Mutex<Option<Failure>>>,
    /// Passed for each list of moves.
    pub(crate) gate: Arc<Gate>,
}

impl Traced {
    pub(crate) fn new() -> Self {
        Self {
            inner: ConnectFour::new(),
            alive: Arc::default(),
            armed: Arc::default(),
            failure: Arc::default(),
            gate: Arc::default(),
        }
    }

    /// A game that is over, of the same game.
    pub(crate) fn finished(&self) -> Self {
        let mut inner = ConnectFour::new();
        for column in ["1", "2", "1", "2", "1", "2", "1"] {
            inner = inner.apply(&inner.parse_move(column).unwrap());
        }
        assert!(inner.outcome().is_some());
        Self { inner, ..self.clone() }
    }

    pub(crate) fn arm(&self, armed: bool) {
        self.armed.store(armed, Ordering::Relaxed);
    }

    /// Lets the game fail from now on, or go on.
    pub(crate) fn fail(&self, failure: Option<Failure>) {
        *self.failure.lock().unwrap() = failure;
    }

    /// Whether this position is the only one left.
    pub(crate) fn is_alone(&self) -> bool {
        Arc::strong_count(&self.alive) == 1
    }
}

impl GameState for Traced {
    type Key = <ConnectFour as GameState>::Key;
    type Move = <ConnectFour as GameState>::Move;

    fn key(&self) -> Self::Key {
        self.inner.key()
    }

    fn mover(&self) -> usize {
        self.inner.mover()
    }

    fn plies(&self) -> u32 {
        self.inner.plies()
    }

    fn moves(&self, moves: &mut Vec<Self::Move>) {
        self.gate.pass();
        self.inner.moves(moves);
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.failure() {
            Some(_) => Some(Outcome::Failed),
            None => self.inner.outcome(),
        }
    }

    fn failure(&self) -> Option<Failure> {
        self.failure.lock().unwrap().clone()
    }

    fn apply(&self, mv: &Self::Move) -> Self {
        assert!(!self.armed.load(Ordering::Relaxed), "armed");
        Self { inner: self.inner.apply(mv), ..self.clone() }
    }
}

impl Solvable for Traced {}

/// The thread in which the next drop of a [`Frail`] move panics.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fuse(Arc<Mutex<Option<ThreadId>>>);

impl Fuse {
    /// Lights it for this thread.
    pub(crate) fn light(&self) {
        *self.0.lock().unwrap() = Some(thread::current().id());
    }

    pub(crate) fn is_lit(&self) -> bool {
        self.0.lock().unwrap().is_some()
    }

    /// Puts it out, if it was lit for this thread. Returns whether it was.
    fn burn(&self) -> bool {
        self.0.lock().unwrap().take_if(|by| *by == thread::current().id()).is_some()
    }
}

/// A move whose drop panics, once, in the thread that has lit the fuse.
#[derive(Clone, Debug)]
pub(crate) struct Frail {
    number: u64,
    fuse: Fuse,
}

impl PartialEq for Frail {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Drop for Frail {
    fn drop(&mut self) {
        if self.fuse.burn() && !thread::panicking() {
            panic!("dropped");
        }
    }
}

/// Sixty plies of three moves each: too many for a proof.
#[derive(Clone)]
pub(crate) struct FrailMoves {
    plies: u32,
    path: u64,
    pub(crate) fuse: Fuse,
}

impl FrailMoves {
    pub(crate) fn new() -> Self {
        Self { plies: 0, path: 0, fuse: Fuse::default() }
    }
}

impl GameState for FrailMoves {
    type Key = (u32, u64);
    type Move = Frail;

    fn key(&self) -> Self::Key {
        (self.plies, self.path)
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<Self::Move>) {
        if self.outcome().is_none() {
            moves.extend((0..3).map(|number| Frail { number, fuse: self.fuse.clone() }));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies >= 60).then_some(Outcome::Win(self.path as usize % 2))
    }

    fn apply(&self, mv: &Self::Move) -> Self {
        let path = self.path.wrapping_mul(3).wrapping_add(mv.number);
        Self { plies: self.plies + 1, path, fuse: self.fuse.clone() }
    }
}

impl Solvable for FrailMoves {}
