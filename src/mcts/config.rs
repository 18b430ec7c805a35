//! The settings of the Monte Carlo search, one small type each.

mod own;
pub(super) mod ranges;
mod rollouts;
mod root;

use serde::{Deserialize, Serialize};

use ranges::read;

pub use own::{BranchView, NodeView, SelectionPolicy};
pub use rollouts::{BaseMoves, Choice, Decisive, Learned, Mast, Nst, Replies, RolloutMoves};
pub use root::{Dirichlet, Gumbel, Root};

/// How a branch is picked once a node's warm-up is complete: the policies of the library. One of
/// your own is a [`SelectionPolicy`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Selection {
    /// UCB1 (Auer, Cesa-Bianchi and Fischer 2002; in trees, Kocsis and Szepesvári 2006):
    /// `q + c * sqrt(ln N / n)`.
    Ucb1 {
        /// The exploration constant `c`, at least 0. Auer's is the square root of 2; for
        /// games with scores in `[0, 1]` smaller ones play better.
        #[serde(deserialize_with = "read::exploration")]
        exploration: f64,
    },
    /// UCB1-Tuned (Auer et al. 2002): `q + sqrt(ln N / n * min(1/4, V))` with
    /// `V = variance + sqrt(2 ln N / n)`.
    Ucb1Tuned,
    /// [GRAVE](Grave): for games that give their moves codes.
    Grave(Grave),
    /// [PUCT](Puct): for a [network](crate::MctsBuilder::network), which says how good moves look.
    Puct(Puct),
    /// [Progressive history](ProgressiveHistory): for games whose moves have codes.
    ProgressiveHistory(ProgressiveHistory),
}

/// PUCT (Rosin 2011; in this form Silver et al. 2017): `q + c p sqrt(N) / (1 + n)`, where `p` is
/// the share of a branch by the policy of the network, its prior, and
/// `c = exploration + ln((N + growth + 1) / growth) / 2`.
///
/// A branch that was never tried is taken to be worth what its position is, less
/// `reduction * sqrt(P)`, where `P` is the sum of the priors of the branches that were tried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Puct {
    /// What `c` is for few visits, at least 0. Default: 0.6; scores are in `[0, 1]`, so that this
    /// is 1.2 where they are in `[-1, 1]`.
    #[serde(deserialize_with = "read::exploration")]
    pub exploration: f64,
    /// The visits at which `c` has grown by 0.35, at least 1. Default: 19 652.
    #[serde(deserialize_with = "read::growth")]
    pub growth: f64,
    /// How much less a branch is taken to be worth that was never tried, 0 to 1. Default: 0.1.
    #[serde(deserialize_with = "read::reduction")]
    pub reduction: f64,
    /// What the numbers of a policy are divided by before shares are made of them, 0.01 to 100:
    /// above 1 moves look more alike. Default: 1.
    #[serde(deserialize_with = "read::temperature")]
    pub temperature: f64,
}

impl Default for Puct {
    fn default() -> Self {
        Self { exploration: 0.6, growth: 19_652.0, reduction: 0.1, temperature: 1.0 }
    }
}

/// GRAVE, generalized rapid action value estimation (Cazenave 2015): `(1 - b) q + b a`, where `a`
/// is how the side to move has done in the rollouts in which it played the branch's move now or
/// later, below the closest position on the path that has counted more than `reference` rollouts,
/// or else the root, and `b = m / (m + n + bias m n)` with `m` such rollouts and the branch's
/// visits `n`. To it comes `c * sqrt(ln N / (n + 1))`. The default has the constants of the paper.
///
/// For games whose moves keep their meaning, as where stones are set and stay, and which give them
/// [codes](crate::game::MoveCodes). There is no warm-up unless one is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Grave {
    /// The exploration constant `c`, at least 0. Default: 0, as in the paper.
    #[serde(deserialize_with = "read::exploration")]
    pub exploration: f64,
    /// A position's statistics are used when it has counted more rollouts than this. Default: 50.
    pub reference: u32,
    /// How soon the branch's own visits count more, at least 0. Default: 1e-5.
    #[serde(deserialize_with = "read::bias")]
    pub bias: f64,
}

impl Default for Grave {
    fn default() -> Self {
        Self { exploration: 0.0, reference: 50, bias: 1e-5 }
    }
}

/// Progressive history (Nijssen and Winands 2010): UCB1 with a bonus for moves that have done well
/// wherever they were made, `q + c * sqrt(ln N / (n + 1)) + weight * a / (n (1 - q) + 1)`. Here `a`
/// is what the move's positions are worth to the side to move, wherever in the tree that side has
/// made it, by the visits that came there. Moves in rollouts are not noted, so that rollouts are as
/// fast as ever (tree-only, as Finnsson and Björnsson 2010 learn for rollouts).
///
/// For games whose moves stay about as good, and which give them
/// [codes](crate::game::MoveCodes). There is no warm-up unless one is asked for: a branch that was
/// never tried has the mean of its position for `q`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProgressiveHistory {
    /// The exploration constant `c`, at least 0. Default: 0.45.
    #[serde(deserialize_with = "read::exploration")]
    pub exploration: f64,
    /// The weight of the bonus, at least 0. Default: 1.
    #[serde(deserialize_with = "read::history_weight")]
    pub weight: f64,
}

impl Default for ProgressiveHistory {
    fn default() -> Self {
        Self { exploration: EXPLORATION, weight: 1.0 }
    }
}

/// The exploration constant of UCB1, between what serves one game and another
/// (`docs/measurements/selection.md`).
const EXPLORATION: f64 = 0.45;

impl Selection {
    /// [`Grave`](Self::Grave) with the constants of the paper.
    #[must_use]
    pub fn grave() -> Self {
        Self::Grave(Grave::default())
    }

    /// [`Puct`](Self::Puct) with its defaults.
    #[must_use]
    pub fn puct() -> Self {
        Self::Puct(Puct::default())
    }

    /// [`ProgressiveHistory`](Self::ProgressiveHistory) with its defaults.
    #[must_use]
    pub fn progressive_history() -> Self {
        Self::ProgressiveHistory(ProgressiveHistory::default())
    }
}

impl Default for Selection {
    /// UCB1 with 0.45.
    fn default() -> Self {
        Selection::Ucb1 { exploration: EXPLORATION }
    }
}

/// How a branch is drawn at a node whose warm-up is not complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarmUpDraw {
    /// Uniformly among all branches, as in the literal design.
    AnyBranch,
    /// Uniformly among the branches with fewer visits than the threshold.
    #[default]
    UnfinishedBranch,
}

/// Which positions of a simulation become nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expansion {
    /// As `OnePerSimulation`, from the first visit while there are fewer than
    /// [`SMALL_TREE`](Self::SMALL_TREE) nodes, a number that falls in proportion where there are
    /// more than eight branches to choose from. After that from the visit whose number is half that
    /// of these branches, at least the second and at most that of
    /// [`LATEST_VISIT`](Self::LATEST_VISIT), or when the second group comes where simulations go
    /// [together](crate::MctsBuilder::rollouts_per_leaf); but from the second visit where an
    /// evaluation stands for rollouts or is a prior, with
    /// [`endgames`](crate::MctsBuilder::endgames), with UCB1-Tuned, and with three and more
    /// players.
    ///
    /// A node at the first visit shares what is known of a position sooner, which counts most in
    /// short searches. In a long one the first visits of a new node would take each of its moves in
    /// turn, much as rollouts from the branch do by chance. In Connect Four, from the fourth visit,
    /// the tree has an eighth of the nodes, and the search is the faster for it.
    #[default]
    Adaptive,
    /// At most one per simulation: a position becomes a node when the edge to it is passed
    /// for the `from_visit`-th time. Visits before that are rollouts kept on the edge.
    OnePerSimulation {
        /// 1 makes a node at the first visit. At least 1.
        #[serde(deserialize_with = "read::from_visit")]
        from_visit: u32,
    },
    /// Every position of the simulation, to the end of the game, as in the literal design. Of
    /// use in short searches of games in which many paths lead to a position; dear elsewhere.
    Everything,
}

impl Expansion {
    /// The number of nodes up to which [`Adaptive`](Self::Adaptive) makes a node at the first
    /// visit, if a position has eight branches or less. If it has more, the number falls in
    /// proportion, down to a sixteenth.
    pub const SMALL_TREE: u64 = 1 << 14;

    /// The latest visit at which [`Adaptive`](Self::Adaptive) makes a node, while there is memory
    /// for them.
    pub const LATEST_VISIT: u32 = 16;
}

/// What an update does that finds a node's lock busy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LockPolicy {
    /// It is dropped at once, and counted.
    Yield,
    /// It waits its turn.
    #[default]
    Block,
    /// It is left to the worker that holds the lock: nothing waits and nothing is lost.
    Defer,
}

/// How the table from position keys to nodes is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableLocks {
    /// One lock for the whole table, as in the literal design.
    OneLock,
    /// A lock for each of a number of shards, rounded up to a power of two, at most 65 536.
    Shards(#[serde(deserialize_with = "read::shards")] usize),
}

impl Default for TableLocks {
    fn default() -> Self {
        TableLocks::Shards(64)
    }
}

/// How the simulations that other workers have under way count in selection.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InFlight {
    /// Not at all.
    Ignore,
    /// As visits in the exploration term only (WU-UCT, Liu et al. 2020), where those of all the
    /// other workers may be more than one in 64 of the visits of a position; fewer change little,
    /// and each is written where the other workers read. In rounds of several simulations whose
    /// size [adapts](RoundSize::Adaptive) each worker has a part of the tree instead.
    #[default]
    Count,
    /// As visits that were lost, with a weight (virtual loss, Chaslot et al. 2008).
    VirtualLoss {
        /// Lost visits per simulation in flight, above 0.
        #[serde(deserialize_with = "read::weight")]
        weight: f64,
    },
}

/// Whether positions reached by several paths share a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// They do (Monte Carlo graph search).
    #[default]
    Shared,
    /// They do not: every path has nodes of its own, and there is no table.
    PerPath,
}

/// How many simulations one worker selects together before it rolls them out.
///
/// A round walks down the tree once for all its simulations and divides them among the
/// branches, so that the top of the tree is locked once per round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundSize {
    /// One simulation for each 16 visits of the root, but no more than twice those of the worker's
    /// round before that have not come to what was proven, less those that have. At least 1, at
    /// most this number.
    ///
    /// In a search that is to have `s` simulations
    /// ([`Budget::simulations`](crate::Budget::simulations)) there are at most `(s / 8192)^2` in a
    /// round: one at a time in one of 10 000, at a fifth of the speed, since each counts more.
    ///
    /// Fewer of them are done where they would crowd a position below the root: no more pass there
    /// than four for each visit that it has had, or one
    /// [group](crate::MctsBuilder::rollouts_per_leaf).
    Adaptive {
        /// The most simulations in a round, 1 to 4 096.
        #[serde(deserialize_with = "read::round")]
        most: u32,
    },
    /// Always this many, 1 to 4 096. `Fixed(1)` is the classic one-by-one search.
    Fixed(#[serde(deserialize_with = "read::round")] u32),
}

impl Default for RoundSize {
    // Longer ones are hardly faster, and each of their simulations knows less of the others.
    fn default() -> Self {
        RoundSize::Adaptive { most: 2048 }
    }
}

/// How the workers of a search share its work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Parallelism {
    /// Each runs simulations of its own on the one tree (tree parallelism, Chaslot et al.
    /// 2008): the fastest. With several workers the report depends on their order.
    #[default]
    Shared,
    /// One selects the simulations of a round while the others do the rollouts of the one before,
    /// helps them, and applies the results (leaf parallelism in batches). With a budget of
    /// simulations or nodes the report does not depend on the number of workers or on their order,
    /// only the time and the worker count in it do.
    ///
    /// Selection is one worker's work: rollouts must be the larger part of a simulation for
    /// more workers to be of use. A simulation's random numbers are its own, so this is
    /// another search than `Shared` with one worker.
    Rounds,
    /// One thread plays many workers: each selects in its turn, and the results of its round
    /// reach the tree when its next turn comes, after all the others have selected. So it can
    /// be measured what parallel search costs in playing strength, the same on every machine,
    /// without the cores. The number of threads set is not used.
    ///
    /// The time it takes says nothing: one thread does the work of all. With one worker it
    /// gives the report of `Shared` with one thread. For a round of one simulation for each
    /// worker set [`RoundSize::Fixed`] of 1.
    Simulated {
        /// The workers played, 1 to 1 024.
        #[serde(deserialize_with = "read::workers")]
        workers: usize,
    },
}
