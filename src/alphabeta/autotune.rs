//! Measures which limits of splitting suit a game on this machine.

mod measure;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::budget::StopToken;
use crate::error::SearchError;
use crate::evaluate::Evaluate;
use crate::form::{check, form};
use crate::game::GameState;
use crate::sync::HAS_THREADS;

use self::measure::{Limits, Measurement};
use super::AlphaBeta;
use super::builder::{ParallelMode, Settings};

/// How [`AlphaBeta::autotune_with`] measures.
///
/// Serialized with an error if there is a token: that is a flag of this program.
#[derive(Clone, Debug)]
#[must_use]
pub struct AutotuneOptions {
    repetitions: u32,
    stop: Option<StopToken>,
}

form! {
    /// What is plain data.
    #[serde(deny_unknown_fields)]
    OptionsForm of AutotuneOptions = options {
        repetitions: u32 = match options.stop {
            None => options.repetitions,
            Some(_) => return Err(serde::ser::Error::custom(
                "expected options without a stop token, found one: a flag of this program has no \
                 serialized form"
            )),
        },
    }
}

impl TryFrom<OptionsForm> for AutotuneOptions {
    type Error = String;

    fn try_from(OptionsForm { repetitions }: OptionsForm) -> Result<Self, String> {
        check("repetitions", "at least 1", repetitions, repetitions >= 1)?;
        Ok(Self { repetitions, stop: None })
    }
}

impl Default for AutotuneOptions {
    fn default() -> Self {
        Self { repetitions: 3, stop: None }
    }
}

impl AutotuneOptions {
    /// Three repetitions, to their end.
    pub fn new() -> Self {
        Self::default()
    }

    /// Searches of each position with each pair of limits, at least 1 (0 is taken as 1): the
    /// median of them counts. Default: 3.
    pub fn repetitions(mut self, repetitions: u32) -> Self {
        self.repetitions = repetitions.max(1);
        self
    }

    /// Ends the measurement, the search under way included, as soon as this token is set; the
    /// limits are chosen by what is known then. Default: none.
    pub fn until(mut self, stop: &StopToken) -> Self {
        self.stop = Some(stop.clone());
        self
    }

    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(StopToken::is_stopped)
    }
}

/// How far [`AlphaBeta::autotune_with`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AutotuneProgress {
    /// Searches that are done.
    pub searches: usize,
    /// Searches that there will be in all.
    pub of: usize,
}

/// What [`AlphaBeta::autotune`] has measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Autotune {
    /// The best value for
    /// [`max_threads_per_split`](crate::AlphaBetaBuilder::max_threads_per_split).
    pub max_threads_per_split: usize,
    /// The best value for [`min_split_depth`](crate::AlphaBetaBuilder::min_split_depth), in plies.
    pub min_split_depth: u32,
    /// One trial for each least depth, with the most threads that the searcher had; empty if the
    /// measurement was stopped before it had one search for each of them.
    pub depth_trials: Vec<AutotuneTrial>,
    /// One trial for each number of most threads, with the least depth that was chosen; empty if
    /// there is one such number only, and if the measurement was stopped before.
    pub thread_trials: Vec<AutotuneTrial>,
    /// Whether it was measured to the end, and not stopped.
    pub is_complete: bool,
}

/// All positions searched with one pair of limits: sums over the positions of the medians over the
/// repetitions. Trials beside each other are of the same positions, equally often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AutotuneTrial {
    /// The most threads at a split point.
    pub max_threads_per_split: usize,
    /// The least depth of a split, in plies.
    pub min_split_depth: u32,
    /// Positions that were given, as far as they have been searched.
    pub positions: usize,
    /// Nodes: positions searched.
    pub nodes: u64,
    /// Nodes searched in vain, because of a cut-off elsewhere.
    pub wasted_nodes: u64,
    /// Time of the searches.
    pub elapsed: Duration,
}

/// The least depths that are tried, in plies, as far as the searches are so deep.
const DEPTHS: [u32; 6] = [2, 3, 4, 5, 6, 8];

/// The limits of threads at a split point that are tried, up to the number of workers.
const THREADS: [usize; 5] = [2, 3, 4, 8, 16];

impl<G: GameState, E: Evaluate<G>> AlphaBeta<G, E> {
    /// Measures how long `positions` take to `depth` plies with split points, for different limits,
    /// and says which were the best: first the least depth of a split, and then, with that one,
    /// the most threads.
    ///
    /// As [`autotune_with`](Self::autotune_with) with the default options and without `observe`.
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
    /// let tuned = engine.autotune(&[ConnectFour::new()], 5)?;
    /// let tuned = AlphaBeta::builder(Nothing)
    ///     .threads(2)
    ///     .min_split_depth(tuned.min_split_depth)
    ///     .max_threads_per_split(tuned.max_threads_per_split);
    /// # let _: playtree::AlphaBetaBuilder<ConnectFour, _> = tuned;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn autotune(&mut self, positions: &[G], depth: u32) -> Result<Autotune, SearchError> {
        self.autotune_with(positions, depth, &AutotuneOptions::new(), |_| ())
    }

    /// An [`autotune`](Self::autotune) with options; `observe` learns after each search how far the
    /// measurement is.
    ///
    /// Each repetition searches a position with all limits by turns before the next position, so
    /// that a slow minute of the machine falls on all of them alike. What counts is the median over
    /// the repetitions, added up over the positions. Times within 3 % of the shortest are taken for
    /// the same: of those, the limits with the fewest nodes are chosen, as nodes differ less by
    /// chance, and are what the search costs a machine with other things to do.
    ///
    /// Blocks for up to eleven times as long as the positions take, times the repetitions, unless
    /// it is [stopped](AutotuneOptions::until). Everything else is as this searcher has it, and
    /// nothing of it is changed, but that it forgets its table. The machine should have nothing
    /// else to do, and the positions should take some seconds. No more threads are tried than this
    /// searcher has; with one worker every trial is the same. Where the system has no threads nothing
    /// is tried.
    ///
    /// # Errors
    /// As [`search`](Self::search), for the first position that cannot be searched.
    ///
    /// # Panics
    /// As `search`, and with the observer's own panic.
    pub fn autotune_with(
        &mut self,
        positions: &[G],
        depth: u32,
        options: &AutotuneOptions,
        observe: impl FnMut(AutotuneProgress),
    ) -> Result<Autotune, SearchError> {
        let before = self.settings;
        self.settings.mode = ParallelMode::SplitPoints;
        let result = self.both_limits((positions, depth, options), observe);
        self.settings = before;
        self.forget();
        result
    }

    fn both_limits(
        &mut self,
        (positions, depth, options): (&[G], u32, &AutotuneOptions),
        observe: impl FnMut(AutotuneProgress),
    ) -> Result<Autotune, SearchError> {
        let Settings { max_threads_per_split, min_split_depth, .. } = self.settings;
        let workers = self.threads.max(2);
        let mut best = Limits {
            min_split_depth,
            // More are never there.
            max_threads_per_split: max_threads_per_split.min(workers),
        };
        let depths: Vec<u32> = DEPTHS.into_iter().filter(|&plies| plies <= depth).collect();
        let mut threads: Vec<usize> = THREADS.into_iter().filter(|&most| most <= workers).collect();
        if threads.len() == 1 {
            threads.clear();
        }
        if !HAS_THREADS {
            let Limits { max_threads_per_split, min_split_depth } = best;
            let (depth_trials, thread_trials) = Default::default();
            return Ok(Autotune {
                max_threads_per_split,
                min_split_depth,
                depth_trials,
                thread_trials,
                is_complete: true,
            });
        }
        let of = options.repetitions as usize * positions.len() * (depths.len() + threads.len());
        let mut measurement = Measurement { positions, depth, options, observe, searches: 0, of };

        let tried = depths.into_iter().map(|plies| Limits { min_split_depth: plies, ..best });
        let depth_trials = measurement.run(self, &tried.collect::<Vec<_>>())?;
        best = measure::fastest(&depth_trials).unwrap_or(best);

        let tried = threads.into_iter().map(|most| Limits { max_threads_per_split: most, ..best });
        let thread_trials = measurement.run(self, &tried.collect::<Vec<_>>())?;
        best = measure::fastest(&thread_trials).unwrap_or(best);

        Ok(Autotune {
            max_threads_per_split: best.max_threads_per_split,
            min_split_depth: best.min_split_depth,
            depth_trials,
            thread_trials,
            is_complete: measurement.searches == of,
        })
    }
}
