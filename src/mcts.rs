//! The Monte Carlo search on a graph of positions: the engine, its settings, its report.
//!
//! [`MctsBuilder`] has the settings, those of more than a number each with a type of this module,
//! and makes an [`Mcts`]. [`Options`] are for one search, [`Report`] is its answer. [`Audit`] is
//! what a check of all statistics has counted, and a [`Saver`] saves the table of a search that
//! goes on. Engines that search one position together [exchange] what they find.

mod answer;
mod asking;
mod at_root;
mod audit;
mod builder;
mod claims;
mod config;
pub mod exchange;
mod learned;
mod options;
mod report;
mod round;
mod save;
mod stand_in;
mod steps;
mod thinking;
mod tree;
mod worker;

use std::fmt;
use std::sync::Arc;

use crate::budget::{Budget, StopReason};
use crate::error::{ConfigError, SearchError};
use crate::events;
use crate::game::GameState;
use crate::laws::{check_moves, checked_mover, or_failure};
use crate::pool::Pool;
use crate::repetition::Before;
use crate::rng::mix;
use crate::sync::Ordering;

pub use asking::Asking;
pub use audit::{Audit, Inconsistency, Invariant};
pub use builder::MctsBuilder;
pub use config::{
    BaseMoves, BranchView, Choice, Decisive, Dirichlet, Expansion, Grave, Gumbel, InFlight,
    Learned, LockPolicy, Mast, NodeView, Nst, Parallelism, ProgressiveHistory, Puct, Replies,
    RolloutMoves, Root, RoundSize, Selection, SelectionPolicy, Sharing, TableLocks, WarmUpDraw,
};
pub use options::Options;
pub use report::{BranchReport, MoveReport, NetworkReport, NodeReport, Report};
pub use save::Saver;
pub use steps::Steps;

use answer::view::{SearchFacts, Source};
use at_root::AtRoot;
use claims::Claims;
use round::Counts;
use round::plan::longest;
use save::SavedFacts;
use tree::Tree;
use tree::node::NodeId;
use worker::watch::Watch;
use worker::{Search, Worker};

/// A parallel Monte Carlo search over one trait, with a table of positions that outlives a
/// search.
///
/// A search from a position that an earlier one has reached goes on from what is known of
/// it: the position's key finds it, be it a reply, a move taken back, or any other position of
/// the table. [`forget`](Self::forget) forgets everything, and
/// [`reuse`](MctsBuilder::reuse) can be turned off.
///
/// [`search`](Self::search) blocks; [`start`](Self::start) searches in the background.
///
/// # Examples
/// Whoever leaves one stick to the other side wins this game of Nim:
/// ```
/// use playtree::{Budget, Mcts, Proven};
/// use playtree::games::NormalNim;
/// use playtree::Notation;
///
/// let position = NormalNim::parse_position("3,4,5")?;
/// let mut mcts = Mcts::builder().threads(2).seed(1).build()?;
/// let report = mcts.search(&position, &Budget::simulations(100_000))?;
/// assert!(matches!(report.proven, Some(Proven::Win { .. })));
/// assert_eq!(position.move_text(&report.best_move), "1-2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Mcts<G: GameState> {
    workers: Vec<Worker<G>>,
    /// Shared only with the handle of a search in the background, and with its savers. Dropped
    /// after the workers: the system gives memory back for one thread at a time, and this one's is
    /// given back by another.
    tree: Arc<Tree<G>>,
    /// The searchers that the workers take turns with.
    pool: Option<Pool>,
    /// Whether a search goes on from what earlier ones have found.
    reuse: bool,
    root: Root,
    proofs: bool,
    parallelism: Parallelism,
    /// Rounds under way at a time.
    rounds: u32,
    seed: u64,
    /// Searches since the engine was made or cleared: each has its own random numbers.
    searches: u64,
    /// Simulations since then.
    simulations: u64,
    /// Where the last search began, if it did.
    last_root: Option<NodeId>,
    /// What the nodes apart of the last search know of the game before its root.
    history: Option<Arc<Before<G>>>,
    /// Whether positions were left out, so that a branch may know more than the position it
    /// leads to, which was made anew.
    thinned: bool,
    /// [`run`](Self::run) as the crate that built the engine has it: one that
    /// holds engines need not be optimised as one that makes them is.
    compiled_run: Run<G>,
}

/// A search, as a function: see [`Mcts::run`].
type Run<G> = fn(
    &mut Mcts<G>,
    (&G, &Budget, &Options<G>),
    &Claims,
    bool,
    &mut dyn FnMut(Source<'_, G>),
) -> Result<Report<<G as GameState>::Move>, SearchError>;

impl<G: GameState> Mcts<G> {
    /// The settings of a new engine, each at its default.
    pub fn builder() -> MctsBuilder<G> {
        MctsBuilder::default()
    }

    /// Searches `state` until the budget is used up, and reports what was found.
    ///
    /// Blocks until then; use a [`StopToken`](crate::StopToken) to end it from another
    /// thread. A position with one legal move is searched like any other, unless the budget
    /// holds [`OnlyMove`](crate::budget::OnlyMove). Where there was no time to search anything the
    /// report names some legal move, and says that [nothing is known](Report::win_rate).
    ///
    /// # Errors
    /// If the game is over at `state`, the budget has no limit, the game breaks a law of
    /// [`GameState`], or an evaluation is out of its range. The engine stays usable.
    ///
    /// # Panics
    /// With the game's own panic, if the game panics. The engine stays usable.
    pub fn search(&mut self, state: &G, budget: &Budget) -> Result<Report<G::Move>, SearchError> {
        self.search_with(state, budget, &Options::default())
    }

    /// A [`search`](Self::search) of some moves only, or one that reports or plays in another
    /// way: as `options` say.
    ///
    /// # Errors
    /// As `search`, or if an option cannot be followed: a move that is not legal, no move left,
    /// a temperature out of range.
    ///
    /// # Panics
    /// As `search`.
    pub fn search_with(
        &mut self,
        state: &G,
        budget: &Budget,
        options: &Options<G>,
    ) -> Result<Report<G::Move>, SearchError> {
        if budget.is_unlimited() {
            return Err(SearchError::Unlimited);
        }
        let claims = Claims::start(budget);
        if !self.reuse {
            self.forget();
        }
        (self.compiled_run)(self, (state, budget, options), &claims, false, &mut |_| ())
    }

    /// A search by claims that were started for this budget; `goes_on` says that the last one was
    /// from the same position. `begun` gets what to read as soon as there is a root, before the
    /// first simulation.
    ///
    /// Called by way of `compiled_run`. An engine that `ASKS` no network has none of the code for
    /// that.
    fn run<const ASKS: bool>(
        &mut self,
        (state, budget, options): (&G, &Budget, &Options<G>),
        claims: &Claims,
        goes_on: bool,
        begun: &mut dyn FnMut(Source<'_, G>),
    ) -> Result<Report<G::Move>, SearchError> {
        let _turn = claims.stop.begin_turns(self.pool.as_ref().map(Pool::line));
        let workers = self.workers();
        let run = || {
            self.run_all::<ASKS>((state, budget, options), claims, goes_on, begun)
                .map_err(|error| or_failure(state, error))
        };
        events::search::<G, _>(("mcts", workers, budget), run, |report| events::Found {
            simulations: Some(report.simulations),
            nodes: report.nodes,
            workers: report.workers,
            elapsed: report.elapsed,
            reason: report.stop_reason,
        })
    }

    fn run_all<const ASKS: bool>(
        &mut self,
        (state, budget, options): (&G, &Budget, &Options<G>),
        claims: &Claims,
        goes_on: bool,
        begun: &mut dyn FnMut(Source<'_, G>),
    ) -> Result<Report<G::Move>, SearchError> {
        let begin = self.begin_search((state, budget, options), claims, goes_on)?;
        let Some(search) = begin.search else {
            return self.unsearched(state, begin.allowed, claims);
        };
        let facts = search.facts;
        begun(Source { tree: &self.tree, claims, facts });
        let search = search.of(&self.tree, state, claims);
        let work = if ASKS { worker::run_asking } else { worker::run_all };
        let counts = work(&search, &mut self.workers);
        self.end_search();
        let counts = counts?;
        self.answer(state, begin.allowed, (claims, facts), counts)
    }

    /// Finds the root of a search and all else that it needs before its first simulation.
    fn begin_search(
        &mut self,
        (state, budget, options): (&G, &Budget, &Options<G>),
        claims: &Claims,
        goes_on: bool,
    ) -> Result<Begun<G>, SearchError> {
        let last_root = self.last_root.take();
        if let Some(outcome) = state.outcome() {
            return Err(SearchError::GameOver(outcome));
        }
        let allowed = options.allowed(state)?;
        let evicted_before = self.tree.eviction.evicted();
        // Without a table there is no other way to find it.
        let history = Before::new(options.root.before(state), state).map(Arc::new);
        let plain = history.is_none() && self.history.is_none();
        let known = last_root.filter(|_| goes_on && plain && !self.tree.has_table());
        self.enter_history(history.as_ref());
        let root = match known {
            Some(root) => Some(root),
            None => self.root_with(state, allowed.as_deref())?,
        };
        let Some(root) = root else { return Ok(Begun { search: None, allowed }) };
        if !goes_on {
            // What rollouts learn is one for all workers.
            self.workers.iter().take(1).for_each(|worker| worker.round.fade_learned());
            self.workers.iter().for_each(|worker| worker.round.fade_move_scores());
        }
        self.tree.keep_taken(root);
        self.tree.exchanged.search_alone();
        for worker in &mut self.workers {
            worker.round.set_floor(options.floor());
            worker.round.set_history(history.clone());
        }
        let seed = mix(self.seed, self.searches);
        claims.stop.set_workers(self.workers());
        let facts = SearchFacts {
            root,
            saved: SavedFacts { searches: self.searches.wrapping_add(1), ..self.saved_facts() },
            evicted_before,
            detailed: options.detailed,
            temperature: options.temperature,
            seed,
            asks: self.asks(),
        };
        self.set_at_root(root, seed, budget, claims);
        let search = Searching {
            facts,
            watch: Watch::new(budget, self.rounds),
            parallelism: self.parallelism,
            longest_round: self.longest_round(self.parallelism, budget),
            proofs: self.proofs,
        };
        // A file may say any number, and only the random numbers depend on it.
        self.searches = self.searches.wrapping_add(1);
        self.last_root = Some(root);
        Ok(Begun { search: Some(search), allowed })
    }

    /// Sets what is special about the root of a search, for its workers and its reports.
    fn set_at_root(&mut self, root: NodeId, seed: u64, budget: &Budget, claims: &Claims) {
        if self.root == Root::Plain {
            return;
        }
        let range = self.tree.node(root).edge_range();
        let priors = range.and_then(|range| self.tree.priors(range)).unwrap_or_default();
        let priors: Vec<u32> = priors.iter().map(|prior| prior.load(Ordering::Relaxed)).collect();
        let at_root = AtRoot::new(self.root, &priors, seed, budget.simulations_limit());
        let at_root = at_root.filter(|_| !priors.is_empty()).map(Arc::new);
        for worker in &mut self.workers {
            worker.round.set_at_root(at_root.clone());
        }
        claims.set_at_root(at_root);
    }

    /// The most simulations of an adaptive round: with a network no fewer in a short search.
    fn longest_round(&self, parallelism: Parallelism, budget: &Budget) -> u32 {
        longest(parallelism, budget.simulations_limit().filter(|_| !self.asks()))
    }

    /// Whether a network is asked.
    fn asks(&self) -> bool {
        self.workers.first().is_some_and(|worker| worker.round.asks())
    }

    /// Leaves nothing of a search in the workers.
    fn end_search(&mut self) {
        self.workers.iter_mut().for_each(|worker| worker.round.clear());
    }

    /// The report of a search that has ended with these counts.
    fn answer(
        &mut self,
        state: &G,
        allowed: Option<Vec<G::Move>>,
        (claims, facts): (&Claims, SearchFacts),
        counts: Counts,
    ) -> Result<Report<G::Move>, SearchError> {
        self.simulations = self.simulations.saturating_add(counts.simulations);
        debug_assert!(self.tree.mailbox.is_empty(), "a deferred update was left");
        let source = Source { tree: &self.tree, claims, facts };
        // SAFETY: the search is over, and its root is the tree's.
        match unsafe { source.report(counts, claims.reason()) } {
            Some(report) => Ok(report),
            None => self.unsearched(state, allowed, claims),
        }
    }

    /// The best move of a [`search`](Self::search).
    ///
    /// # Errors
    /// As `search`.
    pub fn best_move(&mut self, state: &G, budget: &Budget) -> Result<G::Move, SearchError> {
        Ok(self.search(state, budget)?.best_move)
    }

    /// The win rate of a [`search`](Self::search): the expected score of the side to move, in
    /// `[0, 1]`.
    ///
    /// # Errors
    /// As `search`.
    pub fn evaluate(&mut self, state: &G, budget: &Budget) -> Result<f64, SearchError> {
        Ok(self.search(state, budget)?.win_rate)
    }

    /// The number of worker threads a search uses: `min(logical cores, threads asked for)`,
    /// and one if its workers are simulated.
    #[must_use]
    pub fn workers(&self) -> usize {
        match self.parallelism {
            Parallelism::Simulated { .. } => 1,
            Parallelism::Shared | Parallelism::Rounds => self.workers.len(),
        }
    }

    /// Forgets every position, and starts the random numbers again, as in a new engine. The
    /// memory is kept for the next search: this takes no time to speak of, unless keys or
    /// moves own memory.
    ///
    /// # Panics
    /// With the panic of a `Drop` of a key or move, when all is forgotten. The engine stays usable.
    pub fn forget(&mut self) {
        if let Some(worker) = self.workers.first() {
            worker.round.forget_endgames();
            worker.round.forget_learned();
        }
        for worker in &mut self.workers {
            worker.round.forget_move_scores();
            worker.allotment = tree::Allotment::default();
        }
        self.searches = 0;
        self.last_root = None;
        self.history = None;
        self.simulations = 0;
        self.thinned = false;
        // Last, as this drops values of the game's, and a `Drop` may panic.
        match Arc::get_mut(&mut self.tree).filter(|tree| tree.is_whole()) {
            Some(tree) => tree.forget(),
            // A save reads it, and keeps it to its end; or it has given a part of its memory back,
            // or has more than it may have.
            None => self.tree = Arc::new(self.tree.fresh()),
        }
        for worker in &mut self.workers {
            // A search that panicked has left them.
            worker.round.clear();
        }
    }

    /// Changes the [memory limit](MctsBuilder::memory_limit), `None` for no limit of its own. What
    /// is known stays as far as there is room for it. With a higher one the engine grows again, to
    /// at most four times the limit that it was built with. One that has more than a lower limit
    /// forgets, and on Linux gives the memory back, before this returns; a save that reads the
    /// table is waited for. `docs/embedding.md` says what cannot be given back.
    ///
    /// [`Handle::set_memory_limit`](crate::Handle::set_memory_limit) does so while it searches.
    ///
    /// # Errors
    /// If the limit has no room for one position and its moves; it stays as it was then.
    pub fn set_memory_limit(&mut self, bytes: Option<usize>) -> Result<(), ConfigError> {
        self.tree.purse().set_own(bytes)?;
        self.tree.follow_limit_at_once();
        Ok(())
    }

    /// As [`forget`](Self::forget), and gives the memory back to the system: at once, or, if it is
    /// much, soon after by a thread of its own. So does dropping the engine.
    pub fn clear(&mut self) {
        self.forget();
        self.tree = Arc::new(self.tree.fresh());
        for worker in &mut self.workers {
            worker.round.release();
        }
    }

    /// The root's node, with its edges. `None` if there is no memory for it.
    fn root(&mut self, state: &G) -> Result<Option<NodeId>, SearchError> {
        let mover = checked_mover(state)?;
        let mut node = None;
        self.with_room(|mcts| {
            // Made once: without a table it would be another one each time, for which the next
            // eviction would free the one before, for ever.
            node = node.or_else(|| mcts.find_root(state, mover));
            let Some(root) = node else { return Ok(None) };
            let Worker { round, allotment } = &mut mcts.workers[0];
            round.check_loaded_root(&mcts.tree, root, state)?;
            let expanded = mcts.tree.node(root).edge_range().is_some()
                || round.expand_root(&mcts.tree, root, state, allotment)?;
            Ok(expanded.then_some(root))
        })
    }

    /// Tries to make something, `None` if there is no memory for it, again and again while an
    /// eviction frees some. What is under way to make room is ended first.
    ///
    /// What an attempt makes must be kept by the next one and be safe from eviction, as the root
    /// is: then each eviction leaves less to be evicted, and there is an end.
    fn with_room<T>(
        &mut self,
        mut attempt: impl FnMut(&mut Self) -> Result<Option<T>, SearchError>,
    ) -> Result<Option<T>, SearchError> {
        loop {
            let made = attempt(self)?;
            if made.is_some() || !self.tree.evict_at_once() {
                return Ok(made);
            }
        }
    }

    /// The root's node, perhaps without edges, which is not evicted from now on.
    fn find_root(&mut self, state: &G, mover: usize) -> Option<NodeId> {
        let allotment = &mut self.workers[0].allotment;
        let hash = self.tree.announce(state);
        let root = self.tree.find_or_add(state, hash, mover, allotment)?;
        self.tree.settle(allotment);
        self.tree.set_root(root, state.plies());
        Some(root)
    }

    /// The report when there is no memory even for the root: some legal move, nothing known.
    fn unsearched(
        &self,
        state: &G,
        allowed: Option<Vec<G::Move>>,
        claims: &Claims,
    ) -> Result<Report<G::Move>, SearchError> {
        let mut moves = allowed.unwrap_or_default();
        if moves.is_empty() {
            state.moves(&mut moves);
        }
        check_moves(state, &moves)?;
        Ok(Report {
            best_move: moves[0].clone(),
            win_rate: 0.5,
            scores: vec![0.5; G::PLAYERS],
            proven: None,
            simulations: 0,
            elapsed: claims.stop.elapsed(),
            nodes: self.tree.node_count(),
            bytes: self.tree.bytes(),
            dropped: 0,
            deferred: 0,
            contended: 0,
            workers: self.workers(),
            stop_reason: StopReason::Memory,
            memory_full: true,
            evicted: 0,
            moves: moves
                .into_iter()
                .map(|mv| MoveReport {
                    pv: vec![mv.clone()],
                    mv,
                    visits: 0,
                    win_rate: None,
                    lcb: None,
                    proven: None,
                    prior: None,
                    policy: None,
                })
                .collect(),
            network: self.asks().then(NetworkReport::default),
        })
    }
}

/// What a search begins with.
struct Begun<G: GameState> {
    /// `None` if there is no memory for a root.
    search: Option<Searching>,
    /// The moves of the root that are to be searched; `None` for all.
    allowed: Option<Vec<G::Move>>,
}

/// What a search that has a root knows of itself, beside its position and its claims.
struct Searching {
    facts: SearchFacts,
    watch: Watch,
    parallelism: Parallelism,
    longest_round: u32,
    proofs: bool,
}

impl Searching {
    /// The search as its workers see it.
    fn of<'a, G: GameState>(
        &'a self,
        tree: &'a Tree<G>,
        state: &'a G,
        claims: &'a Claims,
    ) -> Search<'a, G> {
        Search {
            tree,
            root: self.facts.root,
            state,
            claims,
            watch: &self.watch,
            parallelism: self.parallelism,
            longest_round: self.longest_round,
            proofs: self.proofs,
            seed: self.facts.seed,
        }
    }
}

impl<G: GameState> fmt::Debug for Mcts<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts")
            .field("workers", &self.workers())
            .field("nodes", &self.tree.node_count())
            .field("bytes", &self.tree.bytes())
            .field("simulations", &self.simulations)
            .finish_non_exhaustive()
    }
}
