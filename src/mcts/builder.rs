//! The settings of an engine, gathered one by one and checked together.

mod check;

use std::marker::PhantomData;
use std::sync::Arc;

use crate::error::ConfigError;
use crate::evaluate::{Evaluate, Network};
use crate::game::{DefaultUse, GameState, MoveCodes, MoveCoding, RolloutPolicy, assert_players};
use crate::helpers::Workers;
use crate::oracle::OracleOrder;
use crate::pool::Pool;
use crate::pool::bank::Purse;

use super::Mcts;
use super::config::{
    Expansion, Grave, InFlight, LockPolicy, Parallelism, ProgressiveHistory, RolloutMoves, Root,
    RoundSize, Selection, SelectionPolicy, Sharing, TableLocks, WarmUpDraw,
};
use super::learned::Tables;
use super::round::leaf::{AskedNetwork, Evaluation, Knowledge};
use super::round::select::Rules;
use super::round::select::own::OwnPolicy;
use super::round::{Round, RoundRules};
use super::tree::arena::MOST_RAISED;
use super::tree::planes::PlaneLayout;
use super::tree::value::DrawScores;
use super::tree::{Allotment, Tree, TreeRules};
use super::worker::{ROUNDS_UNDER_WAY, Worker};

/// The settings of an [`Mcts`]. No setter changes what another has set.
#[derive(Clone, Debug)]
#[must_use]
pub struct MctsBuilder<G: GameState> {
    workers: Workers,
    seed: u64,
    /// The default if `None`, which depends on `knowledge`; likewise `warm_up` and `urgency`.
    selection: Option<Selection>,
    root: Root,
    warm_up: Option<u32>,
    urgency: Option<f64>,
    warm_up_draw: WarmUpDraw,
    expansion: Expansion,
    lock_policy: LockPolicy,
    table: TableLocks,
    in_flight: InFlight,
    sharing: Sharing,
    proofs: bool,
    memory_limit: Option<usize>,
    parallelism: Parallelism,
    round_size: RoundSize,
    rollout_limit: u32,
    rollout_moves: RolloutMoves,
    rollouts_per_leaf: u32,
    contempt: (usize, f64),
    reuse: bool,
    knowledge: Knowledge<G>,
    endgames: Option<OracleOrder<G>>,
    game: PhantomData<fn() -> G>,
}

impl<G: GameState> Default for MctsBuilder<G> {
    fn default() -> Self {
        assert_players::<G>();
        Self {
            workers: Workers::default(),
            seed: 0,
            selection: None,
            root: Root::default(),
            warm_up: None,
            urgency: None,
            warm_up_draw: WarmUpDraw::default(),
            expansion: Expansion::default(),
            lock_policy: LockPolicy::default(),
            table: TableLocks::default(),
            in_flight: InFlight::default(),
            sharing: Sharing::default(),
            proofs: true,
            memory_limit: None,
            parallelism: Parallelism::default(),
            round_size: RoundSize::default(),
            rollout_limit: 10_000,
            rollout_moves: RolloutMoves::default(),
            rollouts_per_leaf: 4,
            contempt: (0, 0.0),
            reuse: true,
            knowledge: Knowledge::default(),
            endgames: None,
            game: PhantomData,
        }
    }
}

impl<G: GameState> MctsBuilder<G> {
    /// These settings for another game. What belongs to a game, an evaluation, a way to play
    /// rollouts, endgames, is the other one's default.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "games")] {
    /// use playtree::Mcts;
    /// use playtree::games::{ConnectFour, TicTacToe};
    ///
    /// let settings = Mcts::<TicTacToe>::builder().threads(1).seed(7);
    /// let engine = settings.clone().build()?;
    /// let other = settings.for_game::<ConnectFour>().build()?;
    /// assert_eq!(engine.workers(), other.workers());
    /// # }
    /// # Ok::<(), playtree::ConfigError>(())
    /// ```
    pub fn for_game<H: GameState>(self) -> MctsBuilder<H> {
        assert_players::<H>();
        MctsBuilder {
            workers: self.workers,
            seed: self.seed,
            selection: self.selection,
            root: self.root,
            warm_up: self.warm_up,
            urgency: self.urgency,
            warm_up_draw: self.warm_up_draw,
            expansion: self.expansion,
            lock_policy: self.lock_policy,
            table: self.table,
            in_flight: self.in_flight,
            sharing: self.sharing,
            proofs: self.proofs,
            memory_limit: self.memory_limit,
            parallelism: self.parallelism,
            round_size: self.round_size,
            rollout_limit: self.rollout_limit,
            rollout_moves: self.rollout_moves,
            rollouts_per_leaf: self.rollouts_per_leaf,
            contempt: self.contempt,
            reuse: self.reuse,
            knowledge: Knowledge::with_own(self.knowledge.own),
            endgames: None,
            game: PhantomData,
        }
    }

    /// Worker threads asked for, at least 1; the engine uses `min(logical cores, threads)`.
    /// Default: the logical cores.
    pub fn threads(mut self, threads: usize) -> Self {
        self.workers.threads = threads;
        self
    }

    /// Searches only while it is its turn among all searchers of this [`Pool`]. Default: none, its
    /// threads search whenever the system lets them.
    pub fn pool(mut self, pool: &Pool) -> Self {
        self.workers.pool = Some(pool.clone());
        self
    }

    /// Uses more workers than there are cores if [`threads`](Self::threads) asks for them. For
    /// tests: a spin lock wants a core for each worker. Default: off.
    pub fn oversubscribe(mut self, allowed: bool) -> Self {
        self.workers.oversubscribe = allowed;
        self
    }

    /// The seed of the random numbers. With one worker, the same seed and the same calls
    /// give the same reports, on every machine. Default: 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How a branch is picked once the warm-up is complete; [`select_by`](Self::select_by) takes a
    /// policy of your own. What each is worth is measured in `docs/measurements/selection.md`. Default:
    /// - with a [network](Self::network) [PUCT](crate::mcts::Puct);
    /// - without an evaluation [GRAVE](Grave) for a game that gives its moves
    ///   [codes](GameState::move_codes), or what it [says](crate::game::MoveCoding::by_history)
    ///   instead;
    /// - else UCB1 with 0.45;
    /// - where an evaluation [cuts rollouts off](Self::cut_off) after 0 plies UCB1 with 0.05, as its
    ///   win rates are no noise, or where the game says so progressive history with 0.05 and a weight
    ///   of 0.3.
    ///
    /// For a selection that is chosen while the program runs: GRAVE and progressive history are
    /// refused by [`build`](Self::build) if the game gives no codes. [`grave`](Self::grave) refuses
    /// it before.
    pub fn selection(mut self, selection: Selection) -> Self {
        self.selection = Some(selection);
        self
    }

    /// Picks branches by a policy of your own, instead of a [`selection`](Self::selection). There is
    /// no warm-up unless one is asked for: the policy is shown the branches that were never tried.
    /// With a [`network`](Self::network) it is shown their priors.
    ///
    /// In long rounds it is asked for each simulation, or for each that go
    /// [together](Self::rollouts_per_leaf), and counts those before as in flight.
    ///
    /// Not beside [`first_play_urgency`](Self::first_play_urgency) and
    /// [`InFlight::VirtualLoss`], which are the policy's own affair, and not beside
    /// [`prior`](Self::prior) if it [needs squares](SelectionPolicy::needs_squares).
    pub fn select_by(mut self, policy: impl SelectionPolicy + 'static) -> Self {
        self.knowledge.own = Some(OwnPolicy::new(policy));
        self
    }

    /// Picks branches by [GRAVE](Grave), and takes the codes of the game.
    ///
    /// A game without codes does not compile:
    /// ```compile_fail
    /// use playtree::games::TicTacToe;
    /// use playtree::mcts::Grave;
    /// let builder = playtree::Mcts::<TicTacToe>::builder().grave(Grave::default());
    /// ```
    pub fn grave(mut self, grave: Grave) -> Self
    where
        G: MoveCodes,
    {
        self.knowledge.codes = Some(MoveCoding::of_game());
        self.selection(Selection::Grave(grave))
    }

    /// How games are played out where a simulation has come to. Default: as the game
    /// [offers](GameState::rollouts), uniformly random moves unless it says otherwise.
    pub fn rollouts(mut self, policy: impl RolloutPolicy<G> + 'static) -> Self {
        self.knowledge.set_policy(policy);
        self
    }

    /// How rollouts choose their moves, on top of the [policy](Self::rollouts): those that win at
    /// once, and those that have done well in other rollouts. Rollouts are then played move by move,
    /// one after the other, so that each costs more. What is learnt is halved at the next search and
    /// forgotten by [`Mcts::forget`], is not saved, and takes up to 1 MiB beside the
    /// [memory limit](Self::memory_limit). Default: the moves of the policy.
    ///
    /// Rollouts that [learn](RolloutMoves::learn) are refused by [`build`](Self::build) if the game
    /// gives no codes. [`coded_rollouts`](Self::coded_rollouts) refuses them before.
    pub fn rollout_moves(mut self, moves: RolloutMoves) -> Self {
        self.rollout_moves = moves;
        self
    }

    /// As [`rollout_moves`](Self::rollout_moves), and takes the codes of the game to learn by,
    /// unless a selection has some.
    ///
    /// A game without codes does not compile:
    /// ```compile_fail
    /// use playtree::games::TicTacToe;
    /// use playtree::mcts::RolloutMoves;
    /// let builder = playtree::Mcts::<TicTacToe>::builder().coded_rollouts(RolloutMoves::default());
    /// ```
    pub fn coded_rollouts(mut self, moves: RolloutMoves) -> Self
    where
        G: MoveCodes,
    {
        self.knowledge.learned_codes = Some(MoveCoding::of_game());
        self.rollout_moves(moves)
    }

    /// Visits that each branch of a node gets, drawn at random, before the selection policy
    /// picks; at least 1. Default: 1, unless branches have a [first-play
    /// urgency](Self::first_play_urgency), or what GRAVE or a network knows of their moves.
    pub fn warm_up(mut self, visits: u32) -> Self {
        self.warm_up = Some(visits);
        self
    }

    /// Instead of a warm-up, takes a branch that was never tried to be worth `urgency` more than
    /// its position, -1 to 1 (first-play urgency, Gelly and Wang 2006): the search goes deeper into
    /// branches that are better than that, and tries the others when these turn out worse, the most
    /// [promising](Evaluate::promise) ones first. Needs an evaluation ([`cut_off`](Self::cut_off)
    /// or [`prior`](Self::prior)). Default: 0.05 with a `cut_off` of 0 plies, else off.
    ///
    /// With it, and with rollouts cut off after 0 plies, nothing in the search is random.
    ///
    /// What it gains is measured in `docs/measurements/evaluations.md`.
    pub fn first_play_urgency(mut self, urgency: f64) -> Self {
        self.urgency = Some(urgency);
        self
    }

    /// How branches are drawn during the warm-up. Default: among the unfinished ones.
    pub fn warm_up_draw(mut self, draw: WarmUpDraw) -> Self {
        self.warm_up_draw = draw;
        self
    }

    /// Which positions become nodes. Default: adaptive, at most one per simulation.
    pub fn expansion(mut self, expansion: Expansion) -> Self {
        self.expansion = expansion;
        self
    }

    /// What an update does that finds a node's lock busy. Default: it waits.
    pub fn lock_policy(mut self, policy: LockPolicy) -> Self {
        self.lock_policy = policy;
        self
    }

    /// How the table is locked. Default: 64 shards.
    pub fn table(mut self, table: TableLocks) -> Self {
        self.table = table;
        self
    }

    /// How simulations under way count in selection. Default: in the exploration term.
    pub fn in_flight(mut self, policy: InFlight) -> Self {
        self.in_flight = policy;
        self
    }

    /// Whether positions reached by several paths share a node. Default: they do.
    pub fn sharing(mut self, scheme: Sharing) -> Self {
        self.sharing = scheme;
        self
    }

    /// Whether wins, losses and draws are proven upwards (games of one and two players).
    /// Default: on.
    pub fn proofs(mut self, on: bool) -> Self {
        self.proofs = on;
        self
    }

    /// The most memory that the engine holds, in bytes: nodes, edges, moves, keys, the table,
    /// and what its workers need; `None` for no limit. Not counted is what keys and moves own
    /// themselves, and the threads. From 128 MiB on a system with huge pages may lend some pages of
    /// 2 MiB before they are counted.
    ///
    /// At the limit the search goes on: the least useful positions are forgotten to make room
    /// for new ones, and the edges that led to them keep what was known. A limit without room for
    /// a single position and its moves is refused; the error says what is the least. A position
    /// with too many moves for the limit is not searched
    /// ([`StopReason::Memory`](crate::StopReason::Memory)). Default: no limit.
    pub fn memory_limit(mut self, bytes: Option<usize>) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// How the workers share the work. Default: each searches on its own in the one tree.
    pub fn parallelism(mut self, parallelism: Parallelism) -> Self {
        self.parallelism = parallelism;
        self
    }

    /// How many simulations a worker selects together. Default: adaptive, at most 2 048.
    pub fn round_size(mut self, size: RoundSize) -> Self {
        self.round_size = size;
        self
    }

    /// Whether a search goes on from what earlier ones have found: of the positions that
    /// follow, of those before (a move taken back), of any position in the table. If not, each
    /// search begins as that of a new engine, with [`Mcts::forget`]. Default: on.
    pub fn reuse(mut self, on: bool) -> Self {
        self.reuse = on;
        self
    }

    /// The most plies of a rollout; one that reaches it counts as [`GameState::repetition`] says, a
    /// draw by default. With [`Expansion::Everything`] also the most plies below the root at which
    /// positions become nodes. At least 1. Default: 10 000.
    pub fn rollout_limit(mut self, plies: u32) -> Self {
        self.rollout_limit = plies;
        self
    }

    /// How many simulations of a long round go down together, to be rolled out from the same leaf
    /// (leaf parallelization, Chaslot, Winands and van den Herik 2008): at most `most`, 1 to 64,
    /// and at most a 64th of what is under way in [adaptive](RoundSize::Adaptive) rounds; with 1
    /// each finds a leaf of its own. Each of them counts as one simulation. Default: 4.
    ///
    /// The way down takes several times as long as a rollout of a simple game, so a leaf is then
    /// given a few at once. They go alone where four visits tell no more than one: where an
    /// evaluation or a solver is asked; and with UCB1-Tuned and three and more players.
    ///
    /// What it gains is measured in `docs/measurements/graph-search.md`.
    pub fn rollouts_per_leaf(mut self, most: u32) -> Self {
        self.rollouts_per_leaf = most;
        self
    }

    /// Ends each rollout after `plies` moves at most, and takes the win rate that
    /// `evaluation` sees there for its result; with 0 plies the position that a simulation has
    /// come to is valued as it is. A game that ends before counts as it has ended. Only for games
    /// of two players. Default: rollouts go to the end of the game.
    ///
    /// A win rate of exactly 1/2 counts as a draw does. Values are never taken for proofs. What
    /// the table holds are mean scores: a saved table is best loaded by an engine with the same
    /// evaluation, which the file does not tell.
    ///
    /// What it gains is measured in `docs/measurements/evaluations.md`.
    pub fn cut_off(mut self, plies: u32, evaluation: impl Evaluate<G> + 'static) -> Self {
        self.knowledge.cut_off = Some((plies, Evaluation::new(evaluation)));
        self
    }

    /// Lets each new position begin with `visits` visits, at least 1, of the win rate that
    /// `evaluation` sees (prior knowledge, Gelly and Silver 2007). Only for games of two players,
    /// and not with [`Selection::Ucb1Tuned`]. Default: positions begin with nothing.
    pub fn prior(mut self, visits: u32, evaluation: impl Evaluate<G> + 'static) -> Self {
        self.knowledge.prior = Some((visits, Evaluation::new(evaluation)));
        self
    }

    /// Asks `network` instead of playing rollouts: what the position is worth that a simulation has
    /// come to, and how good its moves look. Positions become nodes at their first visit, and
    /// branches are picked by [PUCT](crate::mcts::Puct) unless [`selection`](Self::selection) says
    /// otherwise. Default: none.
    ///
    /// Each worker asks about the positions of its round in one call, at most
    /// [`batch`](Network::batch) of them, and fewer while the root has few visits: an eighth of
    /// them is under way in all workers together. Adaptive [rounds](RoundSize::Adaptive) are as
    /// long as that.
    ///
    /// Not beside [`cut_off`](Self::cut_off) and [`prior`](Self::prior), not with
    /// [GRAVE](Grave) and not with [`Expansion::Everything`]. `docs/networks.md` says more.
    pub fn network(mut self, network: impl Network<G> + 'static) -> Self {
        self.knowledge.network = Some(AskedNetwork::new(network));
        self
    }

    /// What is special about the root of each search: noise for games that a network is to learn
    /// from, or [sequential halving](crate::mcts::Gumbel). Only with a [`network`](Self::network)
    /// and [PUCT](crate::mcts::Puct). Default: nothing.
    pub fn root(mut self, root: Root) -> Self {
        self.root = root;
        self
    }

    /// Asks this oracle about positions near the end of the game.
    pub(crate) fn oracle(mut self, order: OracleOrder<G>) -> Self {
        self.endgames = Some(order);
        self
    }

    /// How much less than half a point a draw is worth to `player`, below [`GameState::PLAYERS`];
    /// -1/2 to 1/2. A draw counts `1/2 - contempt` for `player`, and `1/2 + contempt` for the
    /// other one of two players; win rates are meant so, and what is proven a draw is reported
    /// as a draw. A final score of exactly 1/2 is a draw. Above 0 the player avoids draws, below
    /// 0 the player seeks them. Default: 0.
    ///
    /// It is a setting of the engine and not an option of a search, because the table holds
    /// mean scores: those of searches with another contempt would spoil them. For the same
    /// reason a saved table is loaded only by an engine in which a draw is worth the same.
    pub fn contempt(mut self, player: usize, contempt: f64) -> Self {
        self.contempt = (player, contempt);
        self
    }

    /// Makes the engine.
    ///
    /// # Errors
    /// If a setting is out of its range: which one, and what it takes. If there is no memory for
    /// the table of [`endgames`](Self::endgames).
    pub fn build(self) -> Result<Mcts<G>, ConfigError> {
        self.check()?;
        ConfigError::check_sizes::<G>()?;
        let workers = self.workers_in_use();
        let selection = self.selection_in_use();
        let urgency = self.urgency_in_use();
        let by_itself = selection.is_none_or(needs_no_warm_up);
        let (layout, draws) = (self.layout(), self.draws());
        let proofs = self.proofs && G::PLAYERS <= 2;
        let rules = RoundRules {
            select: Rules {
                selection,
                warm_up: self.warm_up.unwrap_or(u32::from(urgency.is_none() && !by_itself)),
                urgency: urgency.map(|urgency| urgency as f32),
                warm_up_draw: self.warm_up_draw,
                in_flight: self.in_flight,
                proofs,
            },
            expansion: self.expansion,
            round_size: self.round_size,
            lock_policy: self.lock_policy,
            layout,
            draws,
            rollout_limit: self.rollout_limit,
            rollouts_per_leaf: self.rollouts_per_leaf,
        };
        let tree_rules = self.tree_rules(self.measure_of_chunks());
        let bytes = self.endgames.as_ref().map_or(0, OracleOrder::bytes);
        let own = self.memory_limit.map(|bytes| bytes as u64);
        let needs = Tree::<G>::needs(tree_rules, bytes as u64 + self.bytes_to_learn());
        let purse = Purse::of(self.workers.pool.as_ref(), own, needs)?;
        let rounds = tree_rules.rounds;
        let room = room_of_round(tree_rules.memory_limit, rounds);
        let endgames = self.endgames.as_ref().map(OracleOrder::make).transpose()?;
        let (codes, history_codes) = (self.codes_in_use(), self.history_codes());
        let (rollout_moves, learned_codes) = (self.rollout_moves, self.codes_to_learn());
        let mut knowledge = self.knowledge;
        knowledge.endgames = endgames;
        (knowledge.codes, knowledge.history_codes) = (codes, history_codes);
        if rollout_moves != RolloutMoves::default() {
            knowledge.choose_moves(rollout_moves, learned_codes);
        }
        let worker = |number| Worker {
            round: Round::new(rules, knowledge.clone(), number, room),
            allotment: Allotment::default(),
        };
        Ok(Mcts {
            tree: Arc::new(Tree::within(tree_rules, Arc::new(purse))),
            pool: self.workers.pool,
            workers: (0..workers as u32).map(worker).collect(),
            reuse: self.reuse,
            root: self.root,
            proofs,
            parallelism: self.parallelism,
            seed: self.seed,
            rounds: rounds as u32,
            searches: 0,
            simulations: 0,
            last_root: None,
            history: None,
            thinned: false,
        })
    }

    fn workers_in_use(&self) -> usize {
        match self.parallelism {
            Parallelism::Simulated { workers } => workers,
            Parallelism::Shared | Parallelism::Rounds => self.workers.count(),
        }
    }

    fn layout(&self) -> PlaneLayout {
        PlaneLayout::new(G::PLAYERS, self.keeps_squares())
    }

    fn draws(&self) -> DrawScores {
        let (player, contempt) = self.contempt;
        DrawScores::new(G::PLAYERS, player, contempt)
    }

    /// The limit that the chunks of memory are made for. In a pool all engines have the same ones:
    /// each may get the most that any of them can.
    fn measure_of_chunks(&self) -> Option<usize> {
        let bank = self.workers.pool.as_ref().and_then(Pool::bank);
        let part = bank.map(|bank| bank.bytes() / MOST_RAISED);
        let part = part.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        part.into_iter().chain(self.memory_limit).min()
    }

    /// The rules of the tree with this memory limit.
    fn tree_rules(&self, memory_limit: Option<usize>) -> TreeRules {
        let shards = match (self.sharing, self.table) {
            (Sharing::PerPath, _) => None,
            (Sharing::Shared, TableLocks::OneLock) => Some(1),
            (Sharing::Shared, TableLocks::Shards(shards)) => Some(shards),
        };
        let memory_limit = memory_limit.map(|bytes| bytes as u64);
        let rounds = match self.parallelism {
            // However many workers there are: the report must not depend on it.
            Parallelism::Rounds => ROUNDS_UNDER_WAY as usize,
            Parallelism::Shared | Parallelism::Simulated { .. } => self.workers_in_use(),
        };
        let room = room_of_round(memory_limit, rounds);
        TreeRules {
            shards,
            planes: self.layout().count(),
            priors: self.keeps_priors(),
            amaf_codes: self.codes_in_use().map(|codes| codes.count()),
            proofs: self.proofs && G::PLAYERS <= 2,
            draws: self.draws(),
            rounds,
            memory_limit,
            reserved: room.unwrap_or(0) * rounds as u64,
        }
    }

    /// The least memory limit from `bytes` on that has room for a position and its moves.
    fn least_memory(&self, mut bytes: usize) -> usize {
        loop {
            let needed = Tree::<G>::bytes_of_root(self.tree_rules(Some(bytes)));
            match usize::try_from(needed) {
                Ok(needed) if needed > bytes => bytes = needed,
                _ => return bytes,
            }
        }
    }

    /// The codes by which moves are noted: where the selection asks for them.
    fn codes_in_use(&self) -> Option<MoveCoding<G>> {
        let grave = matches!(self.selection_in_use(), Some(Selection::Grave(_)));
        self.knowledge.codes.filter(|_| grave)
    }

    /// The codes by which the moves of the tree are noted: where the selection asks for that. Those
    /// of the policy serve as well, which may be finer.
    fn history_codes(&self) -> Option<MoveCoding<G>> {
        let history = matches!(self.selection_in_use(), Some(Selection::ProgressiveHistory(_)));
        self.knowledge.codes.or(self.knowledge.learned_codes).filter(|_| history)
    }

    /// The codes by which rollouts learn: where they do.
    fn codes_to_learn(&self) -> Option<MoveCoding<G>> {
        let codes = self.codes_in_use().or(self.history_codes());
        let codes = codes.or(self.knowledge.learned_codes);
        codes.filter(|_| self.rollout_moves.learn())
    }

    /// The bytes of the tables of what they learn.
    fn bytes_to_learn(&self) -> u64 {
        let bytes =
            |codes: MoveCoding<G>| Tables::bytes(&self.rollout_moves, G::PLAYERS, codes.count());
        self.codes_to_learn().map_or(0, bytes)
    }

    /// Whether mean squares are kept beside mean scores.
    fn keeps_squares(&self) -> bool {
        match &self.knowledge.own {
            Some(own) => own.needs_squares,
            None => self.selection_in_use() == Some(Selection::Ucb1Tuned),
        }
    }

    /// Whether priors are kept.
    fn keeps_priors(&self) -> bool {
        match self.selection_in_use() {
            Some(selection) => matches!(selection, Selection::Puct(_)),
            None => self.knowledge.network.is_some(),
        }
    }

    /// The selection, `None` if it is the policy of the user's own.
    fn selection_in_use(&self) -> Option<Selection> {
        if self.knowledge.own.is_some() {
            return None;
        }
        Some(self.selection.unwrap_or_else(|| self.default_selection()))
    }

    /// The selection if none is asked for.
    fn default_selection(&self) -> Selection {
        let Knowledge { network, cut_off, prior, codes, .. } = &self.knowledge;
        let codes = codes.as_ref().map_or(DefaultUse::Nothing, MoveCoding::default_use);
        if network.is_some() {
            return Selection::puct();
        }
        if self.values_at_once() {
            let exploration = EXPLORATION_OF_VALUES;
            // An urgency is another way to say what a branch is worth that was never tried.
            return match codes {
                DefaultUse::History if self.urgency.is_none() => {
                    let weight = HISTORY_OF_VALUES;
                    Selection::ProgressiveHistory(ProgressiveHistory { exploration, weight })
                }
                _ => Selection::Ucb1 { exploration },
            };
        }
        match codes {
            _ if cut_off.is_some() || prior.is_some() => Selection::default(),
            DefaultUse::Grave => Selection::grave(),
            DefaultUse::History => Selection::progressive_history(),
            DefaultUse::Nothing => Selection::default(),
        }
    }

    /// Whether positions are valued as they are, without random moves.
    fn values_at_once(&self) -> bool {
        matches!(self.knowledge.cut_off, Some((0, _)))
    }

    /// The first-play urgency, if there is one.
    fn urgency_in_use(&self) -> Option<f64> {
        let by_itself = self.selection_in_use().is_none_or(needs_no_warm_up);
        let default = self.warm_up.is_none() && self.values_at_once() && !by_itself;
        self.urgency.or(default.then_some(URGENCY))
    }
}

/// Whether a selection says by itself what a branch is worth that was never tried.
fn needs_no_warm_up(selection: Selection) -> bool {
    match selection {
        Selection::Grave(_) | Selection::Puct(_) | Selection::ProgressiveHistory(_) => true,
        Selection::Ucb1 { .. } | Selection::Ucb1Tuned => false,
    }
}

/// The exploration constant where rollouts are cut off at once, by matches in
/// `docs/measurements/evaluations.md`.
const EXPLORATION_OF_VALUES: f64 = 0.05;

/// The weight of progressive history there, by matches in `docs/measurements/selection.md`.
const HISTORY_OF_VALUES: f64 = 0.3;

/// The first-play urgency there, by matches in `docs/measurements/evaluations.md`.
const URGENCY: f64 = 0.05;

/// Part of a memory limit that is kept for the rounds under way: one in `ROUNDS_PART`.
const ROUNDS_PART: u64 = 16;

/// What of a memory limit each of the rounds under way has, in bytes; `None` for no limit.
fn room_of_round(memory_limit: Option<u64>, rounds: usize) -> Option<u64> {
    memory_limit.map(|limit| limit / ROUNDS_PART / rounds as u64)
}
