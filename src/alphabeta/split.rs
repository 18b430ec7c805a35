//! Split points: positions whose moves are searched by several workers.
//!
//! **Words.** The worker that makes a split point is its *owner*, the others that search its moves
//! are *helpers*; a *task* is one of its moves. A split point is *above* another one that was made
//! below one of its moves. It is *cut* when a move has refuted the position: its other moves, and
//! every split point below, are then *unwanted*.
//!
//! ```text
//!   owner:   first move searched, a worker idle
//!              | open                          idle worker: finds one that is open
//!              v                                 | join
//!      +----------------+     take a task      +----------------+
//!      |  tasks left    | <------------------> |  tasks left    |  (each adds what its task
//!      +----------------+                      +----------------+   has shown to the tally)
//!              | none left, or cut               | none left, cut, or unwanted
//!              v                                 v
//!      close; wait for the helpers'          leave, and look for another one
//!      tasks, helping below meanwhile
//!              | none searches, or cut
//!              v
//!      go on with the tally
//! ```
//!
//! - **Young brothers wait** (Feldmann 1993): the first move of a position is never shared. It is
//!   the one that is likely to refute it, and gives the others their window.
//! - **An owner that waits helps.** An owner whose tasks are all given out helps at split points
//!   below its own, and at no other: so it is back soon after its helpers are, and its stack grows
//!   only with the ply.
//! - **A cut is seen at once.** The worker that cuts sets `aborted` and raises the signal of the
//!   search, which every worker compares at each position; a worker that sees a new one walks up
//!   its split points. So the whole subtree is left within one position for each worker. The owner
//!   of a cut split point waits for no helper: what helpers still hold is kept alive by their
//!   `Arc`.
//! - **What one learns helps all.** A helper begins with the history that the owner had when it
//!   made the split point, and hands back what it has learnt since. A history that has seen half of
//!   the tree orders moves worse: with two threads that costs 3 % more positions in Xiangqi.
//! - **No worker waits for one that is gone.** A task is taken from `searching` when its worker
//!   leaves it for whatever reason but one: a panic, and that stops the search, which every wait
//!   looks at.
//! - **No worker sleeps through an event**: a [`Bell`] is rung for each.
//!
//! Locks are taken in the order: list of open split points, work of one of them. None is held
//! across the game's code, but for the clone of a move.

use std::sync::Arc;

use crate::evaluate::Evaluate;
use crate::game::GameState;
use crate::sync::{AtomicBool, AtomicUsize, Bell, HAS_THREADS, Mutex, Ordering};

use super::builder::ParallelMode;
use super::frame::{Frame, Tally, Task};
use super::order::History;
use super::path::Path;
use super::worker::Worker;

/// A position whose moves are being searched by its owner and by helpers.
pub(super) struct SplitPoint<G: GameState> {
    /// The nearest one on the way to the root.
    above: Option<Arc<SplitPoint<G>>>,
    /// Cut: a move has refuted the position.
    aborted: AtomicBool,
    frame: Frame,
    iteration: u32,
    path: Path<G>,
    tasks: Vec<Task<G::Move>>,
    /// That of the owner when it was made.
    history: History,
    /// How many moves were searched before it was made.
    tried: usize,
    work: Mutex<Work<G::Move>>,
}

/// What changes at a split point.
struct Work<M> {
    /// The task that is given out next.
    next: usize,
    /// Tasks that are given out and have not come back.
    searching: usize,
    /// Workers, the owner included.
    threads: usize,
    tally: Tally,
    /// What the helpers that have left it have learnt.
    learnt: History,
    /// The best line, if one of the tasks has found a better one.
    pv: Option<Vec<M>>,
}

impl<G: GameState> SplitPoint<G> {
    /// Whether the values of its moves are not wanted any more.
    pub(super) fn is_unwanted(&self) -> bool {
        let mut place = Some(self);
        while let Some(split) = place {
            // Relaxed: the signal that makes workers look is raised after it, and read before.
            if split.aborted.load(Ordering::Relaxed) {
                return true;
            }
            place = split.above.as_deref();
        }
        false
    }

    fn is_below(&self, other: &Self) -> bool {
        let mut place = self.above.as_deref();
        while let Some(split) = place {
            if std::ptr::eq(split, other) {
                return true;
            }
            place = split.above.as_deref();
        }
        false
    }

    /// Takes a place at it, if there is work and room.
    fn join(&self, most: usize) -> bool {
        let mut work = self.work.lock();
        let joins = work.next < self.tasks.len() && work.threads < most && !self.is_unwanted();
        work.threads += usize::from(joins);
        joins
    }
}

/// The split points that are open, and the workers that wait for one.
pub(super) struct Pool<G: GameState> {
    open: Mutex<Vec<Arc<SplitPoint<G>>>>,
    /// Workers that have nothing to do.
    idle: AtomicUsize,
    /// Rung when there is something to do, or an end of the waiting.
    pub(super) bell: Bell,
}

impl<G: GameState> Pool<G> {
    pub(super) fn new() -> Self {
        Self { open: Mutex::new(Vec::new()), idle: AtomicUsize::new(0), bell: Bell::new() }
    }

    /// Whether a worker has nothing to do. Seen late, that worker waits for the next move.
    #[inline]
    fn wants_work(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    fn open(&self, split: &Arc<SplitPoint<G>>) {
        self.open.lock().push(Arc::clone(split));
        self.bell.ring();
    }

    fn close(&self, split: &Arc<SplitPoint<G>>) {
        self.open.lock().retain(|other| !Arc::ptr_eq(other, split));
    }

    /// Joins the split point with most plies to search, of those that fit.
    fn join(
        &self,
        most: usize,
        fits: impl Fn(&SplitPoint<G>) -> bool,
    ) -> Option<Arc<SplitPoint<G>>> {
        let open = self.open.lock();
        let mut depth = i32::MAX;
        // From the deepest down: what cannot be joined is passed over.
        loop {
            let depths = open.iter().filter(|split| fits(split)).map(|split| split.frame.depth);
            depth = depths.filter(|&other| other < depth).max()?;
            let of_depth = open.iter().filter(|split| split.frame.depth == depth && fits(split));
            for split in of_depth {
                if split.join(most) {
                    return Some(Arc::clone(split));
                }
            }
        }
    }
}

impl<G: GameState, E: Evaluate<G>> Worker<'_, G, E> {
    /// Whether the moves that are left at `frame` should be shared, after the first one.
    #[inline]
    pub(super) fn should_split(&self, frame: &Frame) -> bool {
        let settings = self.shared.settings;
        let may = match settings.mode {
            ParallelMode::RootTasks => frame.ply == 0,
            ParallelMode::SplitPoints => frame.depth >= settings.min_split_depth as i32,
            ParallelMode::SharedTable => false,
        };
        HAS_THREADS && may && self.shared.pool.wants_work()
    }

    /// Searches the moves that are left together with the helpers that join, and adds what they
    /// show.
    #[cold]
    pub(super) fn split(&mut self, frame: &Frame, tally: &mut Tally, tasks: Vec<Task<G::Move>>) {
        let split = Arc::new(SplitPoint {
            above: self.split.clone(),
            aborted: AtomicBool::new(false),
            frame: *frame,
            iteration: self.iteration,
            path: self.path.up_to(frame.ply),
            tasks,
            history: self.experience.history.clone(),
            tried: tally.tried,
            work: Mutex::new(Work {
                next: 0,
                searching: 0,
                threads: 1,
                tally: *tally,
                learnt: History::default(),
                pv: None,
            }),
        });
        self.counts.splits += 1;
        let above = self.split.replace(Arc::clone(&split));
        self.shared.pool.open(&split);
        self.work_at(&split);
        self.shared.pool.close(&split);
        self.wait_for_helpers(&split);
        self.split = above;
        self.look_again();
        let mut work = split.work.lock();
        *tally = work.tally;
        self.experience.history.add(&History::default(), &work.learnt);
        if let Some(pv) = work.pv.take() {
            self.pv[frame.ply] = pv;
        }
    }

    /// A helper's life: helps wherever there is work until the search ends.
    pub(super) fn serve(&mut self) {
        let pool = &self.shared.pool;
        let most = self.most_threads();
        loop {
            let ticket = pool.bell.ticket();
            if self.shared.positions.stop.is_stopped() {
                break;
            }
            match pool.join(most, |_| true) {
                Some(split) => self.help(&split),
                None => self.rest(ticket),
            }
        }
    }

    fn most_threads(&self) -> usize {
        match self.shared.settings.mode {
            ParallelMode::RootTasks => self.shared.settings.max_root_tasks,
            _ => self.shared.settings.max_threads_per_split,
        }
    }

    /// Waits for an event after `ticket`, as a worker that has nothing to do.
    fn rest(&mut self, ticket: u64) {
        let (pool, positions) = (&self.shared.pool, self.shared.positions);
        let begin = positions.stop.elapsed();
        pool.idle.fetch_add(1, Ordering::Relaxed);
        pool.bell.wait(ticket);
        pool.idle.fetch_sub(1, Ordering::Relaxed);
        self.counts.idle += positions.stop.elapsed().saturating_sub(begin);
    }

    /// Searches tasks of a split point that was joined.
    fn help(&mut self, split: &Arc<SplitPoint<G>>) {
        let floor = self.path.follow(&split.path, split.frame.ply);
        let iteration = std::mem::replace(&mut self.iteration, split.iteration);
        let above = self.split.replace(Arc::clone(split));
        let history = std::mem::replace(&mut self.experience.history, split.history.clone());
        self.look_again();
        if !self.aborted {
            self.work_at(split);
        }
        let learnt = std::mem::replace(&mut self.experience.history, history);
        {
            let mut work = split.work.lock();
            work.threads -= 1;
            work.learnt.add(&split.history, &learnt);
        }
        self.path.lift(floor);
        self.iteration = iteration;
        self.split = above;
        self.look_again();
    }

    /// Searches tasks until none is left, or they are not wanted.
    fn work_at(&mut self, split: &SplitPoint<G>) {
        let frame = &split.frame;
        loop {
            let (task, tried) = {
                let mut work = split.work.lock();
                let Some(task) = split.tasks.get(work.next) else { return };
                if split.aborted.load(Ordering::Relaxed) {
                    return;
                }
                work.next += 1;
                work.searching += 1;
                (task, split.tried + work.next - 1)
            };
            let alpha = || split.work.lock().tally.alpha;
            let nodes = self.pace.visited();
            self.path.play(frame.ply, &task.mv);
            let found = if frame.ply == 0 {
                self.root_move(frame, task.number, tried, alpha)
            } else {
                self.brother(frame, tried, task.plain, alpha).0
            };
            let mut work = split.work.lock();
            work.searching -= 1;
            let too_late = self.aborted || split.aborted.load(Ordering::Relaxed);
            if !too_late && work.tally.add(task.number, found) {
                self.improve(split, &mut work, task);
            }
            let is_last = work.searching == 0;
            drop(work);
            if is_last {
                self.shared.pool.bell.ring();
            }
            if too_late {
                self.waste(nodes);
                return;
            }
        }
    }

    /// Takes note that a task has raised alpha, and cuts the split point if that is enough.
    fn improve(&mut self, split: &SplitPoint<G>, work: &mut Work<G::Move>, task: &Task<G::Move>) {
        let frame = &split.frame;
        let value = work.tally.alpha;
        if frame.pv {
            let mut line = vec![task.mv.clone()];
            if value < frame.beta {
                line.extend_from_slice(&self.pv[frame.ply + 1]);
            }
            work.pv = Some(line);
        }
        if frame.ply == 0 {
            self.tell_best(value, true);
        }
        if value >= frame.beta {
            split.aborted.store(true, Ordering::Relaxed);
            if work.searching > 0 {
                self.counts.aborted_splits += 1;
                self.shared.positions.stop.alert();
                self.shared.pool.bell.ring();
            }
        }
    }

    /// Counts what was searched since there were `nodes`, and not counted before, as wasted.
    fn waste(&mut self, nodes: u64) {
        if !self.shared.positions.stop.is_stopped() {
            let now = self.pace.visited();
            self.counts.wasted_nodes += now - nodes.max(self.wasted_until);
            self.wasted_until = now;
        }
    }

    /// The owner's part when no task is left.
    fn wait_for_helpers(&mut self, split: &Arc<SplitPoint<G>>) {
        let pool = &self.shared.pool;
        let most = self.most_threads();
        loop {
            let ticket = pool.bell.ticket();
            if split.is_unwanted() || self.shared.positions.stop.is_stopped() {
                return;
            }
            if split.work.lock().searching == 0 {
                return;
            }
            match pool.join(most, |other| other.is_below(split)) {
                Some(below) => self.help(&below),
                None => self.rest(ticket),
            }
        }
    }
}
