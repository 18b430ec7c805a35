//! What the tree knows of one position: plain data, to be shown, walked through and exported.

use std::fmt::{self, Display};

use crate::game::Notation;
use crate::proven::Proven;
use crate::report::{Align, Table, grouped, percent};

/// What is known of a position of the tree, from the point of view of its side to move.
///
/// Read during a search, its numbers are of moments that are close to each other: each is as it was
/// when it was read. Between two searches they agree: [`visits`](Self::visits) is
/// [`rollouts`](Self::rollouts) plus the visits of all branches.
///
/// # Examples
/// The replies to the best move, and what they lead to:
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::games::ConnectFour;
/// use playtree::{Budget, GameState, Mcts};
///
/// let mut mcts = Mcts::builder().threads(1).build()?;
/// let report = mcts.search(&ConnectFour::new(), &Budget::simulations(10_000))?;
/// let mut line = vec![report.best_move];
/// let replies = mcts.node(&line, 3).expect("it was searched most");
/// assert_eq!((replies.mover, replies.branches.len(), replies.branch_count), (1, 3, 7));
/// let next = ConnectFour::new().apply(&line[0]);
/// println!("{}", replies.in_notation(&next));
///
/// line.push(replies.branches[0].mv);
/// let next = mcts.node(&line, usize::MAX).expect("the most visited reply");
/// assert!(next.visits >= replies.branches[0].visits);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NodeReport<M> {
    /// The number of the position in the tree: the same one, by whatever line it is reached, until
    /// it is evicted, or all is forgotten.
    pub number: u32,
    /// Plies played when the position was first met.
    pub plies: u32,
    /// The side to move, `0..PLAYERS`.
    pub mover: usize,
    /// Simulations that have passed the position or ended there.
    pub visits: u64,
    /// Of them, those that ended there with a rollout or an evaluation.
    pub rollouts: u64,
    /// Expected score of the side to move, in `[0, 1]`; exact if proven. `None` if nothing is known.
    pub win_rate: Option<f64>,
    /// Expected score for each player, first player first; all 1/2 if nothing is known.
    pub scores: Vec<f64>,
    /// The proven value for the side to move, if there is a proof.
    pub proven: Option<Proven>,
    /// The number of branches; 0 until the position is expanded.
    pub branch_count: usize,
    /// The branches, best first: at most the number that was asked for.
    pub branches: Vec<BranchReport<M>>,
}

/// What is known of a branch of a position, from the point of view of the side to move there.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BranchReport<M> {
    /// The move.
    pub mv: M,
    /// Simulations that have passed this branch.
    pub visits: u64,
    /// Simulations that have passed it and are not backed up yet; 0 between two searches.
    pub in_flight: u32,
    /// Expected score of the side to move after this move, in `[0, 1]`; `None` if it was never
    /// visited and nothing is proven.
    pub win_rate: Option<f64>,
    /// The proven value of the move for the side to move.
    pub proven: Option<Proven>,
    /// The [number](NodeReport::number) of the position that the move leads to; `None` if the tree
    /// does not have it: it was visited too seldom, was evicted, or is the end of a game.
    pub child: Option<u32>,
    /// Visits of that position by all lines. More than `visits`: other lines lead there too.
    pub child_visits: u64,
    /// The share that the policy of a network gives the move, in `[0, 1]`; `None` if the selection
    /// goes by no priors.
    pub prior: Option<f64>,
}

impl<M> NodeReport<M> {
    /// The same with moves as texts. `state` is the position.
    #[must_use]
    pub fn in_notation<G: Notation<Move = M>>(&self, state: &G) -> NodeReport<String> {
        NodeReport {
            number: self.number,
            plies: self.plies,
            mover: self.mover,
            visits: self.visits,
            rollouts: self.rollouts,
            win_rate: self.win_rate,
            scores: self.scores.clone(),
            proven: self.proven,
            branch_count: self.branch_count,
            branches: self.branches.iter().map(|branch| branch.in_notation(state)).collect(),
        }
    }
}

impl<M> BranchReport<M> {
    /// The same with the move as a text. `state` is the position before it.
    #[must_use]
    pub fn in_notation<G: Notation<Move = M>>(&self, state: &G) -> BranchReport<String> {
        BranchReport {
            mv: state.move_text(&self.mv),
            visits: self.visits,
            in_flight: self.in_flight,
            win_rate: self.win_rate,
            proven: self.proven,
            child: self.child,
            child_visits: self.child_visits,
            prior: self.prior,
        }
    }
}

/// A table of the branches, and a line on the position.
impl<M: Display> Display for NodeReport<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&[
            ("move", Align::Left),
            ("visits", Align::Right),
            ("in flight", Align::Right),
            ("win rate", Align::Right),
            ("proven", Align::Left),
            ("position", Align::Right),
            ("its visits", Align::Right),
        ]);
        let rate = |rate: Option<f64>| rate.map_or_else(|| "-".into(), percent);
        for branch in &self.branches {
            table.row([
                branch.mv.to_string(),
                grouped(branch.visits),
                grouped(branch.in_flight.into()),
                rate(branch.win_rate),
                branch.proven.map_or_else(String::new, |proven| proven.to_string()),
                branch.child.map_or_else(String::new, |number| format!("#{number}")),
                branch.child.map_or_else(String::new, |_| grouped(branch.child_visits)),
            ]);
        }
        if !self.branches.is_empty() {
            writeln!(f, "{table}")?;
            let left = self.branch_count.saturating_sub(self.branches.len());
            if left > 0 {
                writeln!(f, "... and {left} more")?;
            }
            writeln!(f)?;
        }
        write!(f, "position #{}, {} visits", self.number, grouped(self.visits))?;
        write!(f, ", {} rollouts, win rate {}", grouped(self.rollouts), rate(self.win_rate))?;
        match self.proven {
            Some(proven) => write!(f, ", proven {proven}"),
            None => Ok(()),
        }
    }
}
