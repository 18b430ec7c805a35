//! A reason to stop: what it learns of the search, and what it answers.

use std::any::Any;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::form::{check, form, known_share};

use super::{Budget, StopReason};

/// A reason to stop a search.
///
/// Every rule of a budget is asked before the search begins, and then again between two
/// rounds of some worker, by one at a time: every few hundred simulations, or as the last
/// [`Hint`] said. A rule must not block: the worker waits for it.
///
/// With one worker and a budget that knows no time, rules are asked at the same points in
/// every run, so the search stays deterministic if the rules are.
///
/// # Examples
/// Stop when the best move is as good as won:
/// ```
/// use playtree::budget::{Budget, Hint, Progress, StopReason, StopRule};
/// use playtree::games::ConnectFour;
/// use playtree::{Mcts, Notation};
///
/// #[derive(Debug)]
/// struct AsGoodAsWon;
///
/// impl StopRule for AsGoodAsWon {
///     fn check(&self, progress: &Progress) -> Hint {
///         match progress.best.win_rate {
///             Some(rate) if rate > 0.9 && progress.simulations > 1_000 => {
///                 Hint::stop(StopReason::Other("as_good_as_won"))
///             }
///             _ => Hint::go_on(),
///         }
///     }
/// }
///
/// let mut mcts = Mcts::builder().threads(1).proofs(false).build()?;
/// let position = ConnectFour::parse_position("112233")?;
/// let report = mcts.search(&position, &Budget::simulations(100_000).and(AsGoodAsWon))?;
/// assert_eq!(report.stop_reason.as_str(), "as_good_as_won");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait StopRule: Any + fmt::Debug + Send + Sync {
    /// Whether to stop now, and if not, when to ask again.
    fn check(&self, progress: &Progress) -> Hint;

    /// Whether a budget of this rule alone is one: whether the rule is a limit that the user
    /// means to be reached. `false` unless overridden: then the budget needs another limit, or
    /// the search is refused ([`SearchError::Unlimited`](crate::SearchError::Unlimited)).
    fn is_limit(&self) -> bool {
        false
    }

    /// Whether the rule waits for this quantity, so that it could not stop a search that does not
    /// count it. Such a search refuses the budget
    /// ([`SearchError::Uncounted`](crate::SearchError::Uncounted)). `false` unless overridden.
    fn waits_for(&self, quantity: Quantity) -> bool {
        let _ = quantity;
        false
    }
}

/// Something that a rule may wait for, and that not every search counts.
///
/// | | [`Mcts`](crate::Mcts) | [`AlphaBeta`](crate::AlphaBeta) | [`Solver`](crate::Solver) |
/// |---|---|---|---|
/// | `Nodes` | in the table | searched | searched |
/// | `Bytes` | yes | no: its table is made before the search | no |
/// | `Depth` | of the tree | of the last iteration | no |
/// | `Best` | yes | yes | no: it finds out what a position is worth |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Quantity {
    /// [`Progress::nodes`].
    Nodes,
    /// [`Progress::bytes`].
    Bytes,
    /// [`Progress::depth`].
    Depth,
    /// The best move: [`Progress::best`] and [`Progress::second`], and since when it is the best.
    Best,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quantity::Nodes => "positions",
            Quantity::Bytes => "memory that grows",
            Quantity::Depth => "a depth",
            Quantity::Best => "a best move",
        })
    }
}

/// What a [`StopRule`] answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Hint {
    reason: Option<StopReason>,
    simulations: Option<u64>,
    time: Option<Duration>,
}

form! {
    /// A reason to stop, or when to ask again.
    HintForm of Hint = hint {
        reason: Option<StopReason> = hint.reason,
        simulations: Option<u64> = hint.simulations,
        time: Option<Duration> = hint.time,
    }
}

impl TryFrom<HintForm> for Hint {
    type Error = String;

    fn try_from(form: HintForm) -> Result<Self, String> {
        let HintForm { reason, simulations, time } = form;
        check("simulations", "at least 1", 0, simulations != Some(0))?;
        let is_alone = reason.is_none() || (simulations.is_none() && time.is_none());
        check("reason", "nothing to wait for beside it", "simulations or time", is_alone)?;
        Ok(Self { reason, simulations, time })
    }
}

impl Hint {
    /// Stop, for this reason.
    pub fn stop(reason: StopReason) -> Self {
        Self { reason: Some(reason), simulations: None, time: None }
    }

    /// Go on, and ask again when it suits the search (every few hundred simulations).
    pub fn go_on() -> Self {
        Self { reason: None, simulations: None, time: None }
    }

    /// Stop for this reason if `reached`, else go on.
    pub fn stop_if(reached: bool, reason: StopReason) -> Self {
        if reached { Self::stop(reason) } else { Self::go_on() }
    }

    /// Go on, but ask again after at most this many simulations (at least 1). Rounds become
    /// as short as that asks for.
    pub fn within_simulations(mut self, simulations: u64) -> Self {
        self.simulations = Some(simulations.max(1));
        self
    }

    /// Go on, and ask again after about this time, not after a number of simulations. Rounds
    /// are made short enough. From then on the search depends on the clock.
    pub fn within_time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// The reason to stop, if this is a stop.
    #[must_use]
    pub fn reason(self) -> Option<StopReason> {
        self.reason
    }

    /// Simulations until the next look, if they were given.
    #[must_use]
    pub fn simulations(self) -> Option<u64> {
        self.simulations
    }

    /// Time until the next look, if it was given.
    #[must_use]
    pub fn time(self) -> Option<Duration> {
        self.time
    }

    /// Both go on: ask again when the first of them wants it.
    pub(super) fn sooner(self, other: Self) -> Self {
        let sooner = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        Self {
            reason: None,
            simulations: sooner(self.simulations, other.simulations),
            time: self.time.into_iter().chain(other.time).min(),
        }
    }
}

/// What the search knows of itself when it asks a [`StopRule`]. With several workers the
/// figures are those of slightly different moments, none older than a round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Progress {
    /// Time since the call of the search.
    pub elapsed: Duration,
    /// Simulations of this search that have come back.
    pub simulations: u64,
    /// Nodes in the table, re-used ones included.
    pub nodes: u64,
    /// Memory held by nodes, edges, moves and the table, in bytes.
    pub bytes: u64,
    /// The most plies below the root at which a simulation of this search has left the tree.
    pub depth: u32,
    /// Visits of the root, re-used ones included.
    pub root_visits: u64,
    /// Legal moves at the root.
    pub root_moves: u32,
    /// The move that would be played now.
    pub best: Leader,
    /// The most visited of the other moves that are not proven to lose, if there is one.
    pub second: Option<Leader>,
    /// Whether no move has a higher win rate than the best one: most visited and best valued
    /// agree.
    pub best_is_highest: bool,
    /// Simulations of this search since the best move has last changed, as far as was looked.
    pub unchanged_simulations: u64,
    /// Time since the best move has last changed, as far as was looked.
    pub unchanged_time: Duration,
    /// The budget's limit of simulations.
    pub simulations_limit: Option<u64>,
    /// The budget's time limit.
    pub time_limit: Option<Duration>,
    /// The budget's soft time limit.
    pub soft_time_limit: Option<Duration>,
}

/// A move of the root among the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Leader {
    /// Simulations that passed this move, re-used ones included.
    pub visits: u64,
    /// Expected score of the root's side to move after this move, in `[0, 1]`; `None` if it
    /// was never visited and nothing is proven.
    #[serde(deserialize_with = "known_share")]
    pub win_rate: Option<f64>,
}

impl Progress {
    /// That of a search with this budget before it begins.
    pub(crate) fn of(budget: &Budget) -> Self {
        Self {
            simulations_limit: budget.simulations_limit(),
            time_limit: budget.time_limit(),
            soft_time_limit: budget.soft_time_limit(),
            ..Self::default()
        }
    }

    /// Simulations that this search has still to do: up to its limit of simulations, or the number
    /// that fits in the time left at the mean speed so far, whichever is less. The time left runs
    /// to the soft limit until that has passed, then to the hard one. `None` if there is no such
    /// limit, or only one of time and it is too early to tell the speed: less than 64 simulations,
    /// or a 64th of the time.
    #[must_use]
    pub fn simulations_left(&self) -> Option<u64> {
        let counted = self.simulations_limit.map(|limit| limit.saturating_sub(self.simulations));
        counted.into_iter().chain(self.simulations_left_by_time()).min()
    }

    fn simulations_left_by_time(&self) -> Option<u64> {
        let soft = self.soft_time_limit.filter(|&soft| soft > self.elapsed);
        let limit = soft.into_iter().chain(self.time_limit).min()?;
        let too_early = self.simulations < FEWEST_FOR_A_SPEED || self.elapsed <= limit / 64;
        if too_early {
            return None;
        }
        let left = limit.saturating_sub(self.elapsed).as_secs_f64();
        // Beyond the range the conversion saturates.
        Some((left / self.elapsed.as_secs_f64() * self.simulations as f64).ceil() as u64)
    }
}

/// Simulations from which on their mean speed is believed, if part of the time has passed.
const FEWEST_FOR_A_SPEED: u64 = 64;

#[cfg(test)]
mod tests {
    use super::Progress;
    use std::time::Duration;

    #[test]
    fn the_nearest_limit_says_what_is_left() {
        let second = Duration::from_secs;
        let mut progress =
            Progress { elapsed: second(1), simulations: 1_000, ..Progress::default() };
        assert_eq!(progress.simulations_left(), None);
        progress.time_limit = Some(second(4));
        assert_eq!(progress.simulations_left(), Some(3_000));
        progress.soft_time_limit = Some(second(2));
        assert_eq!(progress.simulations_left(), Some(1_000));
        progress.elapsed = second(3);
        assert_eq!(progress.simulations_left(), Some(334), "from the soft limit on, the hard one");
        progress.simulations_limit = Some(1_005);
        assert_eq!(progress.simulations_left(), Some(5));
        progress.simulations = 2_000;
        progress.time_limit = Some(Duration::MAX);
        assert_eq!(progress.simulations_left(), Some(0));
    }
}
