//! The device: it sleeps for as long as a call would take, and answers what is easily found out.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use playtree::GameState;
use playtree::evaluate::{Answers, Evaluate, Network, NetworkError, Question};
use playtree::games::{ConnectFour, ConnectFourEvaluation};

use crate::rollouts::mixed;

/// What a call takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) call: Duration,
    /// For each position.
    pub(crate) position: Duration,
}

/// What a device has done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    pub(crate) positions: u64,
    pub(crate) calls: u64,
    /// What its calls take; that a thread woke up late is not in it.
    pub(crate) busy: Duration,
}

impl Tally {
    pub(crate) fn mean_batch(&self) -> f64 {
        self.positions as f64 / self.calls.max(1) as f64
    }
}

/// A device that does one call at a time.
#[derive(Debug)]
pub(crate) struct Device {
    cost: Cost,
    batch: usize,
    /// Held during a call.
    turn: Mutex<()>,
    positions: AtomicU64,
    calls: AtomicU64,
}

impl Device {
    pub(crate) fn new(cost: Cost, batch: usize) -> Self {
        let (positions, calls) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { cost, batch, turn: Mutex::new(()), positions, calls }
    }

    /// Takes the time of a call.
    pub(crate) fn work(&self, positions: usize) {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let end = Instant::now() + self.time(1, positions as u64);
        while let Some(left) = end.checked_duration_since(Instant::now()).filter(|t| !t.is_zero()) {
            sleep(left);
        }
        self.positions.fetch_add(positions as u64, Ordering::Relaxed);
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    fn time(&self, calls: u64, positions: u64) -> Duration {
        let of = |each: Duration, count: u64| Duration::from_nanos(each.as_nanos() as u64 * count);
        of(self.cost.call, calls) + of(self.cost.position, positions)
    }

    /// Begins to count again.
    pub(crate) fn forget(&self) {
        self.positions.store(0, Ordering::Relaxed);
        self.calls.store(0, Ordering::Relaxed);
    }

    /// What it has done so far.
    pub(crate) fn tally(&self) -> Tally {
        let positions = self.positions.load(Ordering::Relaxed);
        let calls = self.calls.load(Ordering::Relaxed);
        Tally { positions, calls, busy: self.time(calls, positions) }
    }

    /// What a position is worth to its side to move, 0 to 1.
    pub(crate) fn value(state: &ConnectFour) -> f64 {
        let evaluation = ConnectFourEvaluation::default();
        evaluation.win_rate(evaluation.evaluate(state))
    }

    /// A logit for a move of a position, by its number: as different as those of a network.
    pub(crate) fn logit(state: &ConnectFour, number: usize) -> f64 {
        let hash = ahash::RandomState::with_seeds(1, 2, 3, 4).hash_one(state.key());
        3.0 * (mixed(hash, number as u64) >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl Network<ConnectFour> for Device {
    fn evaluate(
        &self,
        questions: &[Question<'_, ConnectFour>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        self.work(questions.len());
        for (at, question) in questions.iter().enumerate() {
            answers.value(at, Self::value(question.state) as f32);
            for (number, logit) in answers.policy(at).iter_mut().enumerate() {
                *logit = Self::logit(question.state, number) as f32;
            }
        }
        Ok(())
    }

    fn batch(&self) -> usize {
        self.batch
    }

    fn calls(&self) -> usize {
        1
    }
}
