//! What the workers of one search share: whether to stop, and why.
//!
//! A worker looks at one word, [`Control::signal`], at each position. It changes when the search
//! is to stop and when a split point is given up, which is rare: the line stays in every cache.
//! Clock, token, nodes and rules are looked at every few ten microseconds.

use std::time::Duration;

use crate::budget::{
    Budget, Clock, Leader, NEVER, Progress, Schedule, StopReason, StopToken, nanos,
};
use crate::error::SearchError;
use crate::sync::{AtomicBool, AtomicU32, AtomicU64, Mutex, Ordering};

/// On cache lines of its own, so that what changes often does not slow down what is read often.
#[derive(Debug)]
#[repr(align(128))]
struct Padded<T>(T);

/// The state of one search.
#[derive(Debug)]
pub struct Control {
    /// Counts the changes of which every worker must hear.
    signal: Padded<AtomicU32>,
    stopped: AtomicBool,
    /// Positions searched, as far as the workers have told.
    nodes: Padded<AtomicU64>,
    /// Iterations that the lead has completed: the depth of the last one.
    depth: AtomicU32,
    /// Threads that search.
    workers: AtomicU32,
    clock: Clock,
    token: Option<StopToken>,
    nodes_limit: Option<u64>,
    /// Why the search ends; the first reason counts.
    reason: Mutex<Option<StopReason>>,
    /// The law that the game has broken.
    error: Mutex<Option<SearchError>>,
    has_rules: bool,
    /// Whether the clock or a token may end the search.
    is_timed: bool,
    /// Positions at which the first rule is due. All three are `Relaxed`: who reads an old one looks
    /// a little later.
    due: AtomicU64,
    /// Nanoseconds of the search at which the first rule is due.
    due_time: AtomicU64,
    /// Positions at which a rule has to be asked, because it said so.
    cut: AtomicU64,
    watch: Mutex<Watch>,
}

/// The rules of the budget, and what they are asked about.
#[derive(Debug)]
struct Watch {
    schedule: Schedule,
    progress: Progress,
    /// When the best move has last changed: nodes and time.
    best_since: (u64, Duration),
}

impl Control {
    /// Starts the clock.
    pub(crate) fn start(budget: &Budget) -> Self {
        let schedule = Schedule::new(budget);
        Self {
            signal: Padded(AtomicU32::new(0)),
            stopped: AtomicBool::new(false),
            nodes: Padded(AtomicU64::new(0)),
            depth: AtomicU32::new(0),
            workers: AtomicU32::new(1),
            clock: Clock::start(budget.time_limit()),
            token: budget.stop_token().cloned(),
            nodes_limit: budget.nodes_limit(),
            reason: Mutex::new(None),
            error: Mutex::new(None),
            has_rules: !schedule.is_empty(),
            is_timed: budget.time_limit().is_some() || budget.stop_token().is_some(),
            due: AtomicU64::new(0),
            due_time: AtomicU64::new(NEVER),
            cut: AtomicU64::new(NEVER),
            watch: Mutex::new(Watch {
                schedule,
                progress: Progress::of(budget),
                best_since: (0, Duration::ZERO),
            }),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Says how many threads search: those planned, and then those that the system had.
    pub(crate) fn set_workers(&self, count: usize) {
        // Relaxed: a report that is read meanwhile may still name those planned.
        self.workers.store(u32::try_from(count).unwrap_or(u32::MAX), Ordering::Relaxed);
    }

    /// Threads that search.
    pub(crate) fn workers(&self) -> usize {
        self.workers.load(Ordering::Relaxed) as usize
    }

    /// What a worker compares with the last one that it has seen.
    #[inline]
    pub(crate) fn signal(&self) -> u32 {
        // Acquire: with the Release in `alert`. Who sees the new count sees why it was raised.
        self.signal.0.load(Ordering::Acquire)
    }

    /// Makes every worker look again whether what it does is still wanted.
    pub(crate) fn alert(&self) {
        self.signal.0.fetch_add(1, Ordering::Release);
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Ends the search. The first reason given counts.
    pub(crate) fn stop(&self, reason: StopReason) {
        self.reason.lock().get_or_insert(reason);
        // Relaxed: `alert` publishes it.
        self.stopped.store(true, Ordering::Relaxed);
        self.alert();
    }

    /// Ends the search because the game has broken a law.
    #[cold]
    pub(crate) fn fail(&self, error: SearchError) {
        self.error.lock().get_or_insert(error);
        self.stop(StopReason::Stopped);
    }

    pub(crate) fn error(&self) -> Option<SearchError> {
        self.error.lock().take()
    }

    pub(crate) fn reason(&self) -> StopReason {
        self.reason.lock().unwrap_or(StopReason::Running)
    }

    /// Positions searched so far, as far as the workers have told.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.0.load(Ordering::Relaxed)
    }

    /// The depth of the last iteration that the lead has completed.
    pub(crate) fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Adds the positions that a worker has searched since it last told, and looks at every limit.
    /// Returns how many it may search until it tells again.
    fn check(&self, nodes: u64) -> u64 {
        let total = self.nodes.0.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let left = self.nodes_limit.map_or(u64::MAX, |limit| limit.saturating_sub(total));
        if self.is_stopped() {
            return left.max(1);
        }
        if self.token.as_ref().is_some_and(StopToken::is_stopped) {
            self.stop(StopReason::Stopped);
        } else if self.clock.is_over() {
            self.stop(StopReason::Time);
        } else if left == 0 {
            self.stop(StopReason::Nodes);
        } else if self.has_rules
            && self.is_due(total)
            // Another worker may be asking already.
            && let Some(mut watch) = self.watch.try_lock()
        {
            self.ask(&mut watch, false);
        }
        left.min(self.left_until_cut(total)).max(1)
    }

    fn is_due(&self, nodes: u64) -> bool {
        let due_time = self.due_time.load(Ordering::Relaxed);
        nodes >= self.due.load(Ordering::Relaxed)
            || (due_time != NEVER && nanos(self.elapsed()) >= due_time)
    }

    /// Positions that one worker may search until a rule has to be asked: its share of those of all.
    fn left_until_cut(&self, nodes: u64) -> u64 {
        match self.cut.load(Ordering::Relaxed) {
            NEVER => NEVER,
            cut => cut.saturating_sub(nodes) / self.workers().max(1) as u64,
        }
    }

    /// Whether the clock is to be looked at now and then.
    fn is_timed(&self) -> bool {
        self.is_timed || self.due_time.load(Ordering::Relaxed) != NEVER
    }

    /// Says how many moves the root has. Before the search.
    pub(crate) fn set_root(&self, moves: usize) {
        let mut watch = self.watch.lock();
        watch.progress.root_moves = u32::try_from(moves).unwrap_or(u32::MAX);
        // No count of visits speaks for any move, but there is another one.
        watch.progress.second = (moves > 1).then(Leader::default);
        if self.has_rules {
            self.ask(&mut watch, true);
        }
    }

    /// Says that the lead has found another best move, or another value for it.
    pub(crate) fn best_is(&self, win_rate: f64, changed: bool) {
        let mut watch = self.watch.lock();
        if changed {
            watch.best_since = (self.nodes(), self.elapsed());
        }
        watch.progress.best.win_rate = Some(win_rate);
        watch.progress.best_is_highest = true;
    }

    /// Says that the value of the best move has fallen, and nobody knows yet whether it still is.
    pub(crate) fn best_is_in_doubt(&self) {
        self.watch.lock().progress.best_is_highest = false;
    }

    /// Says that the lead has completed an iteration, and asks the rules.
    pub(crate) fn completed(&self, depth: u32) {
        self.depth.store(depth, Ordering::Relaxed);
        let mut watch = self.watch.lock();
        watch.progress.depth = depth;
        if self.has_rules && !self.is_stopped() {
            self.ask(&mut watch, true);
        }
    }

    /// Asks the rules that are due, or all of them.
    fn ask(&self, watch: &mut Watch, all: bool) {
        let (now, nodes) = (self.elapsed(), self.nodes());
        let Watch { schedule, progress, best_since } = watch;
        progress.elapsed = now;
        progress.nodes = nodes;
        progress.simulations = nodes;
        progress.unchanged_simulations = nodes.saturating_sub(best_since.0);
        progress.unchanged_time = now.saturating_sub(best_since.1);
        if let Some(reason) = schedule.ask(progress, all) {
            self.stop(reason);
        }
        self.due.store(schedule.due(), Ordering::Relaxed);
        self.due_time.store(schedule.due_time(), Ordering::Relaxed);
        self.cut.store(schedule.cut(), Ordering::Relaxed);
    }
}

/// A worker's own view of the search: counts its positions, and looks at the limits now and then.
#[derive(Debug)]
pub(crate) struct Pace<'a> {
    control: &'a Control,
    /// Positions searched by this worker.
    nodes: u64,
    /// Those that it has told of.
    told: u64,
    /// At which it will look next.
    next: u64,
    interval: u64,
    /// Time of the last look.
    last: Duration,
}

/// Aimed at between two looks at the clock.
const BETWEEN_LOOKS: Duration = Duration::from_micros(30);

/// The most positions between two looks.
const LONGEST_INTERVAL: u64 = 256;

impl<'a> Pace<'a> {
    pub(crate) fn new(control: &'a Control) -> Self {
        let interval = if control.is_timed() { 1 } else { LONGEST_INTERVAL };
        let first = control.nodes_limit.map_or(interval, |limit| interval.min(limit));
        let first = first.min(control.left_until_cut(control.nodes()));
        Self { control, nodes: 0, told: 0, next: first.max(1), interval, last: Duration::ZERO }
    }

    /// Positions searched by this worker.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a position, and looks at the limits if it is time.
    #[inline]
    pub(crate) fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next {
            self.look();
        }
    }

    #[cold]
    fn look(&mut self) {
        let left = self.tell();
        if self.control.is_timed() {
            let now = self.control.elapsed();
            let spent = now.saturating_sub(self.last).as_nanos().max(1) as u64;
            // At most doubled, so that a few fast positions do not put off the next look far.
            let fitting = self.interval * BETWEEN_LOOKS.as_nanos() as u64 / spent;
            self.interval = fitting.clamp(1, (self.interval * 2).min(LONGEST_INTERVAL));
            self.last = now;
        }
        self.next = self.nodes + self.interval.min(left);
    }

    /// Tells how many positions were searched.
    pub(crate) fn tell(&mut self) -> u64 {
        let nodes = self.nodes - std::mem::replace(&mut self.told, self.nodes);
        self.control.check(nodes)
    }
}
