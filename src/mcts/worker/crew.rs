//! The crew: how all workers roll out one batch together.
//!
//! One worker leads. It publishes a batch, selects the next one meanwhile, and then works on it
//! like the others; a worker that has nothing to do claims a part of what is left. The lead waits
//! for the parts that were claimed and for nothing else, so a helper that sleeps, or that the
//! system has put aside before it claimed anything, holds nothing up.
//!
//! - **A claim means that the batch is current.** `unclaimed` is above 0 only between the
//!   publication of a batch and the claim of its last part, and the lead waits for `undone`, from
//!   which a part is taken only when its results are handed in. So a worker that has claimed finds
//!   the batch in its place, and the next one is not published before it is through.
//! - **No helper sleeps through a batch**: the lead rings a [`Bell`] for each, and for the end.
//! - **No worker waits for one that is gone.** A part is taken from `undone` also on the way out of
//!   a panic or an error, with `failed` set.
//!
//! No lock is held across the game's code.

use std::sync::Arc;

use crate::error::SearchError;
use crate::game::GameState;
use crate::mcts::claims::Pace;
use crate::mcts::round::{Batch, Hands};
use crate::sync::{AtomicBool, AtomicUsize, Bell, Mutex, Ordering, spin_loop, yield_now};

/// What the workers of a search in rounds share besides the tree.
pub(super) struct Crew<G: GameState> {
    workers: usize,
    /// The batch under way.
    batch: Mutex<Option<Arc<Batch<G>>>>,
    /// Blocks of the batch that no worker has claimed yet. They are claimed from the end.
    unclaimed: AtomicUsize,
    /// Blocks of the batch whose results are not handed in yet.
    undone: AtomicUsize,
    /// The results handed in.
    results: Mutex<Hands<G>>,
    /// A part was given up: the game has panicked or broken a law.
    failed: AtomicBool,
    /// There will be no more batches.
    over: AtomicBool,
    /// Rung for each batch, and at the end.
    bell: Bell,
}

/// A batch of fewer blocks is left to the lead.
const SMALLEST_SHARED: usize = 2;

/// How often the lead looks for the last results before it offers its core to others.
const LOOKS_BEFORE_YIELD: u32 = 200;

impl<G: GameState> Crew<G> {
    pub(super) fn new(workers: usize) -> Self {
        Self {
            workers,
            batch: Mutex::new(None),
            unclaimed: AtomicUsize::new(0),
            undone: AtomicUsize::new(0),
            results: Mutex::default(),
            failed: AtomicBool::new(false),
            over: AtomicBool::new(false),
            bell: Bell::new(),
        }
    }

    /// The lead's part: lets the helpers begin with a batch. The one before must be through.
    pub(super) fn publish(&self, batch: &Arc<Batch<G>>) {
        if !self.shares(batch) {
            return;
        }
        *self.batch.lock() = Some(Arc::clone(batch));
        self.undone.store(batch.blocks(), Ordering::Relaxed);
        // Release: pairs with the acquire in `claim`.
        self.unclaimed.store(batch.blocks(), Ordering::Release);
        self.bell.ring();
    }

    fn shares(&self, batch: &Batch<G>) -> bool {
        self.workers > 1 && batch.blocks() >= SMALLEST_SHARED
    }

    /// The lead's part: works on the batch that was published until all of it is through, and
    /// collects the results in `hands`. False if another worker has failed; then there are none.
    ///
    /// # Errors
    /// If the game breaks a law in the lead's own hands.
    pub(super) fn roll_out(
        &self,
        batch: &Arc<Batch<G>>,
        hands: &mut Hands<G>,
        pace: &mut Pace<'_>,
    ) -> Result<bool, SearchError> {
        if !self.shares(batch) {
            batch.evaluate(0..batch.blocks(), hands, pace)?;
            return Ok(true);
        }
        self.help(hands, pace)?;
        let mut looks = 0;
        // Acquire: pairs with the release in `Part::drop`; what was handed in is seen.
        while self.undone.load(Ordering::Acquire) > 0 {
            looks += 1;
            if looks < LOOKS_BEFORE_YIELD { spin_loop() } else { yield_now() }
        }
        *self.batch.lock() = None;
        hands.take_from(&mut self.results.lock());
        // Relaxed: set before the release that ended the wait.
        Ok(!self.failed.load(Ordering::Relaxed))
    }

    /// A helper's life: works on every batch until the lead says that it is over.
    ///
    /// # Errors
    /// If the game breaks a law in this helper's hands.
    pub(super) fn serve(&self, pace: &mut Pace<'_>) -> Result<(), SearchError> {
        let mut hands = Hands::default();
        loop {
            let ticket = self.bell.ticket();
            // Relaxed: the bell publishes it.
            if self.over.load(Ordering::Relaxed) {
                return Ok(());
            }
            if !self.help(&mut hands, pace)? {
                self.bell.wait(ticket);
                pace.take_turn();
            }
        }
    }

    /// Does parts of the batch until none is left to be claimed. False if there was none.
    fn help(&self, hands: &mut Hands<G>, pace: &mut Pace<'_>) -> Result<bool, SearchError> {
        let Some(mut claimed) = self.claim() else { return Ok(false) };
        let mut part = Part { crew: self, size: claimed.len(), handed_in: false };
        let batch = self.batch.lock().clone();
        let batch = batch.expect("what can be claimed is of the batch in its place");
        loop {
            batch.evaluate(claimed, hands, pace)?;
            let Some(next) = self.claim() else { break };
            part.size += next.len();
            claimed = next;
        }
        // Before the lead learns of it: it wants the batch for itself.
        drop(batch);
        self.results.lock().take_from(hands);
        part.handed_in = true;
        Ok(true)
    }

    /// Claims a part: a large one while much is left, so that there are few claims, and small
    /// ones towards the end, so that all are through at the same time.
    fn claim(&self) -> Option<std::ops::Range<usize>> {
        // A plain look first: the line stays shared while there is nothing to be had.
        if self.unclaimed.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let after = |left: usize| left - left.div_ceil(2 * self.workers);
        let claim = |left: usize| (left > 0).then(|| after(left));
        // Acquire: pairs with the release in `publish`.
        let left = self.unclaimed.fetch_update(Ordering::Acquire, Ordering::Relaxed, claim).ok()?;
        Some(after(left)..left)
    }
}

/// What a worker has claimed of a batch. Dropped before it is handed in, it has failed.
struct Part<'a, G: GameState> {
    crew: &'a Crew<G>,
    size: usize,
    handed_in: bool,
}

impl<G: GameState> Drop for Part<'_, G> {
    fn drop(&mut self) {
        if !self.handed_in {
            self.crew.failed.store(true, Ordering::Relaxed);
        }
        // Release: pairs with the acquire at the end of `roll_out`.
        self.crew.undone.fetch_sub(self.size, Ordering::Release);
    }
}

/// Sends the helpers home when it is dropped: however the lead ends.
pub(super) struct Dismissal<'a, G: GameState>(pub(super) &'a Crew<G>);

impl<G: GameState> Drop for Dismissal<'_, G> {
    fn drop(&mut self) {
        // Relaxed: the bell publishes it.
        self.0.over.store(true, Ordering::Relaxed);
        self.0.bell.ring();
    }
}
