//! Measures which limits of splitting suit a game on this machine.

use std::time::Duration;

use crate::budget::{Budget, Depth};
use crate::error::SearchError;
use crate::evaluate::Evaluate;
use crate::game::GameState;

use super::builder::{ParallelMode, Settings};
use super::{AlphaBeta, AlphaBetaOptions};

/// What [`AlphaBeta::autotune`] has measured.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Autotune {
    /// The best value for [`max_threads_per_split`](crate::AlphaBetaBuilder::max_threads_per_split).
    pub max_threads_per_split: usize,
    /// The best value for [`min_split_depth`](crate::AlphaBetaBuilder::min_split_depth), in plies.
    pub min_split_depth: u32,
    /// Every pair of limits that was tried, in the order of the trials.
    pub trials: Vec<AutotuneTrial>,
}

/// All positions searched with one pair of limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AutotuneTrial {
    /// The most threads at a split point.
    pub max_threads_per_split: usize,
    /// The least depth of a split, in plies.
    pub min_split_depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Positions searched in vain, because of a cut-off elsewhere.
    pub wasted_nodes: u64,
    /// Time of all searches.
    pub elapsed: Duration,
}

/// The least depths that are tried, in plies.
const DEPTHS: [u32; 6] = [2, 3, 4, 5, 6, 8];

/// The most threads at a split point that are tried, as far as there are so many.
const THREADS: [usize; 5] = [2, 3, 4, 8, 16];

impl<G: GameState, E: Evaluate<G>> AlphaBeta<G, E> {
    /// Measures how long `positions` take to `depth` plies with split points, for different limits,
    /// and says which were the fastest: first the least depth of a split, and then, with that one,
    /// the most threads.
    ///
    /// Blocks for about ten times the time that the positions take. Everything else is as this
    /// searcher has it, and nothing of it is changed, but that it forgets its table. The machine
    /// should have nothing else to do, and the positions should take some seconds: what differs by
    /// a few per cent may be chance. With one worker every trial is the same.
    ///
    /// # Errors
    /// As [`search`](Self::search), for the first position that cannot be searched.
    ///
    /// # Panics
    /// As `search`.
    ///
    /// # Examples
    /// ```
    /// use playtree::games::ConnectFour;
    /// use playtree::{AlphaBeta, Evaluate};
    /// # struct Nothing;
    /// # impl Evaluate<ConnectFour> for Nothing {
    /// #     fn evaluate(&self, _: &ConnectFour) -> i32 { 0 }
    /// # }
    ///
    /// let mut engine = AlphaBeta::builder(Nothing).threads(2).build()?;
    /// let tuned = engine.autotune(&[ConnectFour::new()], 6)?;
    /// let tuned = AlphaBeta::builder(Nothing)
    ///     .threads(2)
    ///     .min_split_depth(tuned.min_split_depth)
    ///     .max_threads_per_split(tuned.max_threads_per_split);
    /// # let _: playtree::AlphaBetaBuilder<ConnectFour, _> = tuned;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn autotune(&mut self, positions: &[G], depth: u32) -> Result<Autotune, SearchError> {
        let before = self.settings;
        let result = self.measure(positions, depth);
        self.settings = before;
        self.forget();
        result
    }

    fn measure(&mut self, positions: &[G], depth: u32) -> Result<Autotune, SearchError> {
        let Settings { max_threads_per_split, min_split_depth, .. } = self.settings;
        self.settings.mode = ParallelMode::SplitPoints;
        let mut best = Autotune { max_threads_per_split, min_split_depth, trials: Vec::new() };
        let mut fastest = Duration::MAX;
        for min_split_depth in DEPTHS {
            let trial = self.trial(positions, depth, max_threads_per_split, min_split_depth)?;
            best.trials.push(trial);
            if trial.elapsed < fastest {
                (fastest, best.min_split_depth) = (trial.elapsed, min_split_depth);
            }
        }
        let threads = self.threads.max(2);
        for most in THREADS.into_iter().filter(|&most| most <= threads) {
            let trial = self.trial(positions, depth, most, best.min_split_depth)?;
            best.trials.push(trial);
            if trial.elapsed < fastest {
                (fastest, best.max_threads_per_split) = (trial.elapsed, most);
            }
        }
        Ok(best)
    }

    fn trial(
        &mut self,
        positions: &[G],
        depth: u32,
        max_threads_per_split: usize,
        min_split_depth: u32,
    ) -> Result<AutotuneTrial, SearchError> {
        (self.settings.max_threads_per_split, self.settings.min_split_depth) =
            (max_threads_per_split, min_split_depth);
        let (mut nodes, mut wasted_nodes, mut elapsed) = (0, 0, Duration::ZERO);
        let budget = Budget::unlimited().and(Depth(depth));
        for position in positions {
            self.forget();
            let report = self.search_with(position, &budget, &AlphaBetaOptions::new())?;
            nodes += report.nodes;
            wasted_nodes += report.wasted_nodes;
            elapsed += report.elapsed;
        }
        Ok(AutotuneTrial { max_threads_per_split, min_split_depth, nodes, wasted_nodes, elapsed })
    }
}
