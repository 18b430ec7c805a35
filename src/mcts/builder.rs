//! The settings of an engine, gathered one by one and checked together.

mod check;
mod draft;
mod settings;

use std::sync::Arc;

use crate::error::ConfigError;
use crate::evaluate::{Evaluate, Network};
use crate::game::{GameState, MoveCodes, MoveCoding, RolloutPolicy, assert_players};
use crate::oracle::OracleOrder;
use crate::pool::Pool;
use crate::pool::bank::Purse;

use super::config::{
    Expansion, Grave, InFlight, LockPolicy, Parallelism, RolloutMoves, Root, RoundSize, Selection,
    SelectionPolicy, Sharing, TableLocks, WarmUpDraw,
};
use super::round::Round;
use super::round::leaf::{AskedNetwork, Evaluation, Knowledge};
use super::round::select::own::OwnPolicy;
use super::tree::{Allotment, Tree, ValueBytes};
use super::worker::Worker;
use super::{Mcts, Run};

use draft::{Coding, Design, Draft, Given, GivenCodes};
use settings::Settings;

/// The settings of an [`Mcts`]. No setter changes what another has set.
#[derive(Clone, Debug)]
#[must_use]
pub struct MctsBuilder<G: GameState> {
    settings: Settings,
    knowledge: Knowledge<G>,
    endgames: Option<OracleOrder<G>>,
    /// A search with a network.
    asking: Option<Run<G>>,
}

impl<G: GameState> Default for MctsBuilder<G> {
    fn default() -> Self {
        assert_players::<G>();
        Self {
            settings: Settings::default(),
            knowledge: Knowledge::default(),
            endgames: None,
            asking: None,
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
        let knowledge = Knowledge::with_own(self.knowledge.own);
        MctsBuilder { settings: self.settings, knowledge, endgames: None, asking: None }
    }

    /// Worker threads asked for, at least 1; the engine uses `min(logical cores, threads)`.
    /// Default: the logical cores.
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.workers.threads = threads;
        self
    }

    /// Searches only while it is its turn among all searchers of this [`Pool`]. Default: none, its
    /// threads search whenever the system lets them.
    pub fn pool(mut self, pool: &Pool) -> Self {
        self.settings.workers.pool = Some(pool.clone());
        self
    }

    /// Uses more workers than there are cores if [`threads`](Self::threads) asks for them. For
    /// tests: a spin lock wants a core for each worker. Default: off.
    pub fn oversubscribe(mut self, allowed: bool) -> Self {
        self.settings.workers.oversubscribe = allowed;
        self
    }

    /// The seed of the random numbers. With one worker, the same seed and the same calls
    /// give the same reports, on every machine. Default: 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
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
        self.settings.selection = Some(selection);
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
        self.settings.rollout_moves = moves;
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
        self.settings.warm_up = Some(visits);
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
        self.settings.urgency = Some(urgency);
        self
    }

    /// How branches are drawn during the warm-up. Default: among the unfinished ones.
    pub fn warm_up_draw(mut self, draw: WarmUpDraw) -> Self {
        self.settings.warm_up_draw = draw;
        self
    }

    /// Which positions become nodes. Default: adaptive, at most one per simulation.
    pub fn expansion(mut self, expansion: Expansion) -> Self {
        self.settings.expansion = expansion;
        self
    }

    /// What an update does that finds a node's lock busy. Default: it waits.
    pub fn lock_policy(mut self, policy: LockPolicy) -> Self {
        self.settings.lock_policy = policy;
        self
    }

    /// How the table is locked. Default: 64 shards.
    pub fn table(mut self, table: TableLocks) -> Self {
        self.settings.table = table;
        self
    }

    /// How simulations under way count in selection. Default: in the exploration term.
    pub fn in_flight(mut self, policy: InFlight) -> Self {
        self.settings.in_flight = policy;
        self
    }

    /// Whether positions reached by several paths share a node. Default: they do.
    pub fn sharing(mut self, scheme: Sharing) -> Self {
        self.settings.sharing = scheme;
        self
    }

    /// Whether wins, losses and draws are proven upwards (games of one and two players).
    /// Default: on.
    pub fn proofs(mut self, on: bool) -> Self {
        self.settings.proofs = on;
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
        self.settings.memory_limit = bytes;
        self
    }

    /// How the workers share the work. Default: each searches on its own in the one tree.
    pub fn parallelism(mut self, parallelism: Parallelism) -> Self {
        self.settings.parallelism = parallelism;
        self
    }

    /// How many simulations a worker selects together. Default: adaptive, at most 2 048.
    pub fn round_size(mut self, size: RoundSize) -> Self {
        self.settings.round_size = size;
        self
    }

    /// Whether a search goes on from what earlier ones have found: of the positions that
    /// follow, of those before (a move taken back), of any position in the table. If not, each
    /// search begins as that of a new engine, with [`Mcts::forget`]. Default: on.
    pub fn reuse(mut self, on: bool) -> Self {
        self.settings.reuse = on;
        self
    }

    /// The most plies of a rollout; one that reaches it counts as [`GameState::repetition`] says, a
    /// draw by default. With [`Expansion::Everything`] also the most plies below the root at which
    /// positions become nodes. At least 1. Default: 10 000.
    pub fn rollout_limit(mut self, plies: u32) -> Self {
        self.settings.rollout_limit = plies;
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
        self.settings.rollouts_per_leaf = most;
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
        self.asking = Some(Mcts::run::<true>);
        self
    }

    /// What is special about the root of each search: noise for games that a network is to learn
    /// from, or [sequential halving](crate::mcts::Gumbel). Only with a [`network`](Self::network)
    /// and [PUCT](crate::mcts::Puct). Default: nothing.
    pub fn root(mut self, root: Root) -> Self {
        self.settings.root = root;
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
        self.settings.contempt = (player, contempt);
        self
    }

    /// Makes the engine.
    ///
    /// # Errors
    /// If a setting is out of its range: which one, and what it takes. If there is no memory for
    /// the table of [`endgames`](Self::endgames).
    pub fn build(self) -> Result<Mcts<G>, ConfigError> {
        let (design, purse) = self.design()?;
        let Self { settings, mut knowledge, endgames, asking } = self;
        knowledge.endgames = endgames.as_ref().map(OracleOrder::make).transpose()?;
        let (of_game, of_rollouts) = (knowledge.codes, knowledge.learned_codes);
        let codes = |coding| match coding {
            Coding::OfGame => of_game,
            Coding::OfRollouts => of_rollouts,
        };
        knowledge.codes = of_game.filter(|_| design.notes_moves);
        knowledge.history_codes = design.history.and_then(codes);
        if settings.rollout_moves != RolloutMoves::default() {
            knowledge.choose_moves(settings.rollout_moves, design.lessons.and_then(codes));
        }
        let worker = |number| Worker {
            round: Round::new(design.round, knowledge.clone(), number, design.room),
            allotment: Allotment::default(),
        };
        Ok(Mcts {
            tree: Arc::new(Tree::within(design.tree, Arc::new(purse))),
            pool: settings.workers.pool,
            workers: (0..design.workers as u32).map(worker).collect(),
            reuse: settings.reuse,
            root: settings.root,
            proofs: design.proofs,
            parallelism: settings.parallelism,
            seed: settings.seed,
            rounds: design.tree.rounds as u32,
            searches: 0,
            simulations: 0,
            last_root: None,
            history: None,
            thinned: false,
            compiled_run: asking.unwrap_or(Mcts::run::<false>),
        })
    }

    /// Refuses what [`build`](Self::build) would refuse, and makes nothing.
    ///
    /// # Errors
    /// As `build`, but for a system without memory.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.design().map(drop)
    }

    /// What the settings mean, and what pays for it.
    fn design(&self) -> Result<(Design, Purse), ConfigError> {
        let design = Draft { settings: &self.settings, given: self.given() }.design()?;
        ConfigError::check_sizes::<G>()?;
        let own = self.settings.memory_limit.map(|bytes| bytes as u64);
        let purse = Purse::of(self.settings.workers.pool.as_ref(), own, design.needs)?;
        Ok((design, purse))
    }

    /// What the settings are checked against.
    fn given(&self) -> Given {
        let Knowledge { codes, learned_codes, cut_off, prior, network, own, .. } = &self.knowledge;
        let of_game = |codes: &MoveCoding<G>| GivenCodes {
            count: codes.count(),
            default: codes.default_use(),
        };
        Given {
            players: G::PLAYERS,
            values: ValueBytes::of::<G>(),
            codes: codes.as_ref().map(of_game),
            learned_codes: learned_codes.as_ref().map(MoveCoding::count),
            cut_off: cut_off.as_ref().map(|(plies, _)| *plies),
            prior: prior.as_ref().map(|(visits, _)| *visits),
            network: network.is_some(),
            own_needs_squares: own.as_ref().map(|own| own.needs_squares),
            endgames: self.endgames.as_ref().map(OracleOrder::bytes),
        }
    }
}
