//! Selection by a policy of the user's own: what it is shown, and what it answers.

use crate::rng::Rng;

/// A policy of selection of your own: which branch of a position a simulation takes.
///
/// [`MctsBuilder::select_by`](crate::MctsBuilder::select_by) hands it to an engine. It is shown the
/// [branches](BranchView) of a position, and gives each a [score](Self::score): the branch with
/// the highest one is taken, the first of them if several have it. A policy that does not go by
/// scores alone [picks](Self::pick) a branch itself.
///
/// Its methods are called by several workers at once, and with no lock held. They are to answer by
/// what they are shown, and by the random numbers that they are handed, alone: then a seed fixes
/// the report of one worker, and of any number of them with
/// [`Parallelism::Rounds`](crate::mcts::Parallelism::Rounds).
///
/// An answer that is none, a score that is not a number or a branch that may not be picked, ends
/// the search with an [error](crate::SearchError::SelectionScore). A panic reaches the caller of
/// the search. The engine stays usable in both cases.
///
/// # Examples
/// UCB-V (Audibert, Munos and Szepesvári 2009), which explores where results vary:
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::games::NormalNim;
/// use playtree::mcts::{BranchView, NodeView, SelectionPolicy};
/// use playtree::{Budget, Mcts, Notation, Proven};
///
/// struct UcbV {
///     exploration: f64,
/// }
///
/// impl SelectionPolicy for UcbV {
///     fn score(&self, node: &NodeView<'_>, branch: &BranchView) -> f64 {
///         let visits = f64::from(branch.total());
///         if visits == 0.0 {
///             return f64::INFINITY;
///         }
///         let explored = self.exploration * (node.total() as f64).ln() / visits;
///         let variance = branch.variance().unwrap_or(0.25);
///         branch.mean + (2.0 * variance * explored).sqrt() + 3.0 * explored
///     }
///
///     fn needs_squares(&self) -> bool {
///         true
///     }
/// }
///
/// let mut mcts = Mcts::builder().threads(1).select_by(UcbV { exploration: 0.1 }).build()?;
/// let position = NormalNim::parse_position("3,4,5")?;
/// let report = mcts.search(&position, &Budget::simulations(100_000))?;
/// assert!(matches!(report.proven, Some(Proven::Win { .. })));
/// assert_eq!(position.move_text(&report.best_move), "1-2");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SelectionPolicy: Send + Sync {
    /// How much the next simulation is wanted in this branch of `node`, one of those that are
    /// [open](BranchView::is_open): any number, infinite ones too, but no NaN.
    fn score(&self, node: &NodeView<'_>, branch: &BranchView) -> f64;

    /// The branch that the next simulation takes, by its place in [`NodeView::branches`], which
    /// must be [open](BranchView::is_open), as at least one is; `None` for the one with the highest
    /// [score](Self::score). Provided: `None`.
    ///
    /// Simulations that go [together](crate::MctsBuilder::rollouts_per_leaf) take one branch.
    fn pick(&self, node: &NodeView<'_>, rng: &mut Rng) -> Option<usize> {
        let _ = (node, rng);
        None
    }

    /// Whether it goes by [mean squares](BranchView::mean_square), which are kept then: 8 bytes more
    /// for each node and branch. Asked once, when the engine is built. Provided: it does not.
    fn needs_squares(&self) -> bool {
        false
    }
}

/// A position as a [`SelectionPolicy`] sees it: a copy of what is known.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NodeView<'a> {
    /// The side to move, `0..PLAYERS`.
    pub mover: usize,
    /// Whether it is the position that is searched.
    pub is_root: bool,
    /// Simulations that have passed it, or ended there, and have come back; those of earlier
    /// searches and of other ways there too. 0 while the first ones are in flight: the logarithm of
    /// [`total`](Self::total) is finite wherever a branch has one.
    pub visits: u32,
    /// Mean score of the side to move, in `[0, 1]`.
    pub mean: f64,
    /// Its branches, in the order of the moves of the game, those that may not be picked among them.
    pub branches: &'a [BranchView],
}

impl NodeView<'_> {
    /// Visits, and the simulations that are in flight in its branches.
    #[must_use]
    pub fn total(&self) -> u64 {
        let in_flight = self.branches.iter().map(|branch| u64::from(branch.in_flight));
        u64::from(self.visits) + in_flight.sum::<u64>()
    }

    /// The branches that may be picked, each with its place.
    pub fn open(&self) -> impl Iterator<Item = (usize, &BranchView)> + Clone {
        self.branches.iter().enumerate().filter(|(_, branch)| branch.is_open)
    }
}

/// A branch as a [`SelectionPolicy`] sees it, from the point of view of the side that picks it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BranchView {
    /// Whether it may be picked. Not if it is proven that it is no better than what the side to
    /// move has for sure; without [`proofs`](crate::MctsBuilder::proofs) every branch may be.
    pub is_open: bool,
    /// Simulations that have passed it and have come back.
    pub visits: u32,
    /// Simulations that have passed it and are under way: those of the same
    /// [round](crate::mcts::RoundSize) before this one, and those of other workers as far as they
    /// are [counted](crate::mcts::InFlight). A policy that makes nothing of them sends all the
    /// simulations of a round the same way.
    pub in_flight: u32,
    /// Mean score of its visits, in `[0, 1]`; that of the position if it has none.
    pub mean: f64,
    /// Mean square of the scores of its visits, if it has some and the policy
    /// [needs](SelectionPolicy::needs_squares) it.
    pub mean_square: Option<f64>,
    /// The share that the policy of a [network](crate::MctsBuilder::network) gives its move, if
    /// there is a network; at the root with the noise of a
    /// [search that learns](crate::mcts::Dirichlet).
    pub prior: Option<f64>,
    /// What is proven: at least a loss (0), a draw (1/2) or a win (1).
    pub least: f64,
    /// At most a loss (0), a draw (1/2) or a win (1).
    pub most: f64,
}

impl BranchView {
    /// Visits, and the simulations that are in flight.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.visits.saturating_add(self.in_flight)
    }

    /// Variance of the scores of its visits, at least 0; `None` without visits, and where
    /// [mean squares](Self::mean_square) are not kept.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        Some((self.mean_square? - self.mean * self.mean).max(0.0))
    }
}
