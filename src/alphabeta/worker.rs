//! The workers of a search: what each has of its own, and how they are started and ended.
//!
//! The calling thread is the first worker, the **lead**: a search with one worker starts no thread.
//! All threads end before the search returns, also when the game panics: the worker that panics
//! stops the others on its way out.

use std::any::type_name;
use std::sync::Arc;

use crate::budget::StopReason;
use crate::error::SearchError;
use crate::evaluate::{Evaluate, VALUE_LIMIT, is_value};
use crate::game::{GameState, Outcome};
use crate::helpers::run_with_helpers;
use crate::oracle::Oracle;
use crate::sync::Mutex;

use super::builder::{ParallelMode, Settings};
use super::findings::{Counts, Findings, RootMove};
use super::frame::MAX_PLY;
use super::order::{Experience, Rank};
use super::path::{Path, Verdict};
use super::reading::Live;
use super::score::{self, Found};
use super::split::{Pool, SplitPoint};
use super::table::Bounds;
use crate::stop::{Pace, Positions};

/// One search, as its workers see it.
pub(super) struct Shared<'a, G: GameState, E> {
    pub(super) evaluator: &'a E,
    pub(super) bounds: Option<&'a Bounds>,
    /// The solver of positions with few plies left.
    pub(super) endgames: Option<&'a dyn Oracle<G>>,
    pub(super) positions: &'a Positions,
    /// What others may read.
    pub(super) live: &'a Live<G::Move>,
    pub(super) settings: &'a Settings,
    /// Whether some moves of the root are left out, so that its value is not that of the position.
    pub(super) restricted: bool,
    pub(super) pool: Pool<G>,
}

/// What one worker has of its own. Nothing in it is allocated during a search once the first lines
/// have been as long, and the lists of moves as full, as they get.
pub(super) struct Worker<'a, G: GameState, E> {
    pub(super) shared: &'a Shared<'a, G, E>,
    pub(super) path: Path<G>,
    /// The moves of every position on the line, one list after the other.
    pub(super) moves: Vec<G::Move>,
    /// The ranks of those that are still to be tried, likewise.
    pub(super) ranks: Vec<Rank>,
    /// How promising the moves that were ranked last look.
    pub(super) promises: Vec<i32>,
    pub(super) experience: Experience,
    /// The best line from each ply on, where the window is open.
    pub(super) pv: Vec<Vec<G::Move>>,
    pub(super) pace: Pace<'a>,
    pub(super) counts: Counts,
    /// The last signal of the search that this worker has seen.
    pub(super) seen_signal: u32,
    /// Whether what this worker does is not wanted any more: everything on the way back to where
    /// that changes returns at once.
    pub(super) aborted: bool,
    /// The nearest split point on the way to the root.
    pub(super) split: Option<Arc<SplitPoint<G>>>,
    /// Positions of this worker up to which it is known whether they were wasted.
    pub(super) wasted_until: u64,
    /// The iteration's depth.
    pub(super) iteration: u32,
    /// Whether it works for the report, and not only for the table.
    pub(super) leads: bool,
    /// What is known of the moves of the root.
    pub(super) root: Arc<Mutex<Vec<RootMove<G::Move>>>>,
}

impl<'a, G: GameState, E: Evaluate<G>> Worker<'a, G, E> {
    fn new(
        shared: &'a Shared<'a, G, E>,
        path: Path<G>,
        root: Arc<Mutex<Vec<RootMove<G::Move>>>>,
    ) -> Self {
        let Settings { killers, history, .. } = *shared.settings;
        Self {
            shared,
            path,
            moves: Vec::with_capacity(1_024),
            ranks: Vec::with_capacity(1_024),
            promises: Vec::new(),
            experience: Experience::new(MAX_PLY + 1, killers, history),
            pv: std::iter::repeat_with(Vec::new).take(MAX_PLY + 2).collect(),
            pace: Pace::new(shared.positions),
            counts: Counts::default(),
            seen_signal: 0,
            aborted: false,
            split: None,
            wasted_until: 0,
            iteration: 0,
            leads: true,
            root,
        }
    }

    /// Counts a position, and says whether to go back at once.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        self.pace.count();
        self.counts.selective_depth = self.counts.selective_depth.max(ply as u32);
        let state = self.path.state(ply);
        if state.mover() >= G::PLAYERS {
            let error = SearchError::of_mover(state);
            self.fail(error);
        }
        let signal = self.shared.positions.stop.signal();
        if signal != self.seen_signal {
            self.heed(signal);
        }
        self.aborted
    }

    /// Ends the search because the game or the evaluation has broken a law.
    #[cold]
    pub(super) fn fail(&mut self, error: SearchError) -> Found {
        self.shared.positions.stop.fail(error);
        self.aborted = true;
        Found::NOTHING
    }

    /// What the evaluator says of the position at `ply`; nothing, and the search ends, if that is
    /// out of its range.
    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize) -> Found {
        let state = self.path.state(ply);
        let value = self.shared.evaluator.evaluate(state);
        if is_value(value) {
            return Found::guess(value);
        }
        let error = SearchError::of_value(type_name::<E>(), value, state);
        self.fail(error)
    }

    /// What a value means for the side to move at the root.
    pub(super) fn win_rate(&self, value: i32) -> f64 {
        let found = win_rate(self.shared.evaluator, value, self.path.state(0));
        found.unwrap_or_else(|error| {
            self.shared.positions.stop.fail(error);
            0.5
        })
    }

    /// The value of the end of the game at `ply`.
    #[inline]
    pub(super) fn ended(&mut self, ply: usize, outcome: Outcome) -> Found {
        let state = self.path.state(ply);
        if outcome.is_of::<G>() {
            return score::of_end(&outcome, state.mover(), ply);
        }
        let error = SearchError::of_outcome(outcome, state);
        self.fail(error)
    }

    /// The value of the position at `ply`, which is on the line for the second time.
    #[inline]
    pub(super) fn repeated(&mut self, ply: usize, verdict: Verdict) -> Found {
        let state = self.path.state(ply);
        if verdict.outcome.is_of::<G>() {
            return score::of_repetition(&verdict, state.mover());
        }
        let error = SearchError::of_outcome(verdict.outcome, state);
        self.fail(error)
    }

    #[cold]
    fn heed(&mut self, signal: u32) {
        self.seen_signal = signal;
        self.look_again();
    }

    /// Finds out whether what this worker does is still wanted.
    pub(super) fn look_again(&mut self) {
        self.aborted = self.shared.positions.stop.is_stopped()
            || self.split.as_ref().is_some_and(|split| split.is_unwanted());
    }

    /// Sleeps until the search ends: a worker that has nothing more to find out must not end it.
    fn wait_for_the_end(&self) {
        self.shared.pool.bell.wait_until(|| self.shared.positions.stop.is_stopped());
    }

    /// What this worker has counted.
    pub(super) fn end(mut self) -> Counts {
        self.pace.add();
        Counts { nodes: self.pace.visited(), ..self.counts }
    }
}

/// What an evaluator makes of a value, or of a number beyond all values, for the side to move at
/// the root.
///
/// # Errors
/// If that is not in `[0, 1]`.
pub(super) fn win_rate<G: GameState, E: Evaluate<G>>(
    evaluator: &E,
    value: i32,
    root: &G,
) -> Result<f64, SearchError> {
    let value = value.clamp(-VALUE_LIMIT, VALUE_LIMIT);
    let win_rate = evaluator.win_rate(value);
    if (0.0..=1.0).contains(&win_rate) {
        Ok(win_rate)
    } else {
        Err(SearchError::of_win_rate(type_name::<E>(), (value, win_rate), root))
    }
}

/// Stops the search when it is dropped: also if a worker panics.
struct Stop<'a, 'b, G: GameState, E>(&'b Shared<'a, G, E>);

impl<G: GameState, E> Drop for Stop<'_, '_, G, E> {
    fn drop(&mut self) {
        self.0.positions.stop.stop(StopReason::Stopped);
        self.0.pool.bell.ring();
    }
}

/// The number of threads that a search uses if it may have `threads`. A search that is over before
/// it has begun needs one thread.
pub(super) fn count_threads(
    positions: &Positions,
    settings: &Settings,
    moves: usize,
    threads: usize,
) -> usize {
    match settings.mode {
        _ if positions.stop.is_stopped() => 1,
        ParallelMode::RootTasks => threads.min(settings.max_root_tasks).min(moves),
        ParallelMode::SplitPoints | ParallelMode::SharedTable => threads,
    }
}

/// Searches `root` with `threads` threads, and returns what was found.
///
/// # Errors
/// If the game breaks a law.
///
/// # Panics
/// With the game's own panic, if it panics.
pub(super) fn run<G: GameState, E: Evaluate<G>>(
    shared: &Shared<'_, G, E>,
    root: &G,
    played: &[G],
    threads: usize,
) -> Result<Findings<G::Move>, SearchError> {
    let positions = shared.positions;
    let mode = shared.settings.mode;
    let path = Path::new(played, root);
    let known = Arc::clone(&shared.live.root);
    let moves = known.lock().clone();
    let mut lead = Worker::new(shared, path.clone(), Arc::clone(&known));
    let help = |number: usize| {
        let (path, known, moves) = (path.clone(), Arc::clone(&known), moves.clone());
        move || {
            let _stop = Stop(shared);
            let ahead = mode == ParallelMode::SharedTable;
            let known = if ahead { Arc::new(Mutex::new(moves)) } else { known };
            let mut worker = Worker::new(shared, path, known);
            if ahead {
                worker.leads = false;
                worker.run_ahead(number);
                worker.wait_for_the_end();
            } else {
                worker.serve();
            }
            worker.end()
        }
    };
    let (mut findings, helped) = run_with_helpers((1..threads).map(help).collect(), |begun| {
        let _stop = Stop(shared);
        positions.stop.set_workers(1 + begun);
        let mut findings = lead.lead();
        findings.counts = lead.end();
        findings
    });
    findings.counts = helped.into_iter().fold(findings.counts, |sum, counts| sum.and(counts));
    match positions.stop.take_error() {
        Some(error) => Err(error),
        None => Ok(findings),
    }
}
