//! A strategy: for one player a move in each position that can come up, whatever the others do.

mod options;
mod serialized;
mod text;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::budget::{Budget, SharedBudget, StopReason};
use crate::clock::Clock;
use crate::error::SearchError;
use crate::game::{GameState, Outcome};
use crate::report::Words;
use crate::solvable::{Limits, Solvable, Worth};

use super::Solver;
use super::builder::{RootMoves, Settings};
use super::solution::{Solution, SolvedMove, cost};

pub use options::StrategyOptions;

/// What one player does about everything that the others can do, from a position on: a graph of
/// positions, made by [`Solver::strategy`].
///
/// Where the player is to move it has one best move, elsewhere every legal one. A position that can
/// be reached by several lines of play is in it once, with all of them leading to it; "the same" is
/// what has the same [key](GameState::key). With a [`Notation`](crate::Notation) it can be printed
/// as a tree (`to_string`), in which such a position is written out where it comes first, with a
/// number to refer to it; and it can be serialized, with positions and moves in that notation, in
/// the form of `playtree solve --strategy --json`. When that is read, the moves are played from the
/// first position on: one that is not legal, or leads elsewhere than it says, is refused. What the
/// notation leaves out of the first position, such as the plies before it, begins anew.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Strategy<G: GameState> {
    /// Whose strategy it is, in `0..PLAYERS`.
    pub player: usize,
    /// The plies after which it was to end, as [`StrategyOptions::plies`] said; `None` for the end
    /// of the game.
    pub plies: Option<u32>,
    /// The positions, at least one: first the one that was asked about, then breadth first, each
    /// with the fewest plies by which it is reached.
    pub positions: Vec<StrategyPosition<G>>,
    /// Whether no position is [unsolved](StrategyKind::Unsolved). If not, another call with the
    /// same solver gets further.
    pub is_complete: bool,
    /// Positions searched, all workers together.
    pub nodes: u64,
    /// From the call to its answer.
    pub elapsed: Duration,
    /// Memory of the table and the workers, in bytes: the most that was held at a time. The
    /// strategy itself is not counted.
    pub peak_bytes: u64,
    /// The most worker threads used.
    pub workers: usize,
    /// Why it ended: `Proven` if it is complete.
    pub stop_reason: StopReason,
}

/// One position of a [`Strategy`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StrategyPosition<G: GameState> {
    /// The position, as it is reached first.
    pub state: G,
    /// Plies from the first position of the strategy, by the shortest way.
    pub plies: u32,
    /// What it is worth to the player whose strategy it is, as far as the solver's
    /// [`Aim`](super::Aim) goes.
    pub limits: Limits,
    /// What the strategy holds of it.
    pub kind: StrategyKind,
    /// One move, every move or none, as `kind` says. Every move comes in the order of the rules.
    pub moves: Vec<StrategyMove<G::Move>>,
}

/// What a [`Strategy`] holds of a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StrategyKind {
    /// The player is to move: one move, a best one.
    Reply,
    /// Another player is to move: every legal move.
    Answers,
    /// The game has ended: no move.
    End(Outcome),
    /// It is at the depth at which the strategy was to end: solved, and no move.
    Beyond,
    /// The budget has ended before it was solved: no move.
    Unsolved,
}

/// A move of a [`Strategy`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StrategyMove<M> {
    /// The move.
    #[serde(rename = "move")]
    pub mv: M,
    /// The number of the position that it leads to, in [`Strategy::positions`].
    pub to: usize,
}

impl StrategyKind {
    /// `reply`, `answers`, `end`, `beyond` or `unsolved`, as the command line prints it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            StrategyKind::Reply => "reply",
            StrategyKind::Answers => "answers",
            StrategyKind::End(_) => "end",
            StrategyKind::Beyond => "beyond",
            StrategyKind::Unsolved => "unsolved",
        }
    }
}

impl<G: GameState> Strategy<G> {
    /// What it has taken and what has ended it, on one line.
    #[must_use]
    pub fn cost(&self, words: &Words) -> String {
        cost(self.nodes, self.elapsed, self.peak_bytes, self.workers, self.stop_reason, words)
    }
}

impl<G: GameState> StrategyPosition<G> {
    /// The number of the position that a move leads to; `None` if the strategy does not have it.
    #[must_use]
    pub fn after(&self, mv: &G::Move) -> Option<usize> {
        self.moves.iter().find(|found| found.mv == *mv).map(|found| found.to)
    }
}

impl<G: Solvable> Solver<G> {
    /// A strategy from `state` on, or the part of it that the budget allows: the winner's with a
    /// winning move in each position where he is to move, and every answer to it. Of a drawn
    /// position it is that of the side to move, with a move that holds the draw, or wins where the
    /// other side lets it; [`StrategyOptions::player`] asks for the other one's.
    ///
    /// Each position is solved by itself, one after the other, as [`solve`](Self::solve) does with
    /// [`RootMoves::One`]: what the table knows is not found out again. How good the moves are is
    /// up to the solver's [`Aim`](super::Aim): with `Distance` every win is the quickest one, with
    /// `Winner` it is any win. Where the game cannot be won, a move keeps the most that can be
    /// kept.
    ///
    /// The budget is one for everything, and each position counts as at least one node of it.
    /// Blocks until then.
    ///
    /// # Errors
    /// As `solve`, and if the game has more than two players or the options name one that it does
    /// not have. The solver stays usable.
    ///
    /// # Panics
    /// With the game's own panic. The solver stays usable.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "games")] {
    /// use playtree::games::NormalNim;
    /// use playtree::{Budget, Notation, Solver};
    /// use playtree::solver::StrategyOptions;
    ///
    /// let mut solver = Solver::builder().threads(1).build()?;
    /// let position = NormalNim::parse_position("1,2")?;
    /// let strategy =
    ///     solver.strategy(&position, &StrategyOptions::new(), &Budget::unlimited())?;
    /// assert!(strategy.is_complete);
    /// assert_eq!(
    ///     strategy.to_string(),
    ///     "player 1 of 2 (win in 3) > 2-1\n\
    ///     \x20 1-1 (win in 1) > 2-1 win\n\
    ///     \x20 2-1 (win in 1) > 1-1 win\n",
    /// );
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn strategy(
        &mut self,
        state: &G,
        options: &StrategyOptions,
        budget: &Budget,
    ) -> Result<Strategy<G>, SearchError> {
        options.check::<G>()?;
        let mut draft = Draft::new(self, options, budget);
        draft.begin(state)?;
        let mut at = 1;
        while at < draft.positions.len() {
            draft.follow(at)?;
            at += 1;
        }
        Ok(draft.strategy())
    }

    /// The best move of `state`, or what is known to be best when the budget ends, with what it is
    /// worth for certain: for a caller that wants to walk a strategy rather than to hold it.
    ///
    /// A [`solve`](Self::solve) with [`RootMoves::One`]; at once where the table knows the answer.
    /// Blocks until then.
    ///
    /// # Errors
    /// As `solve`.
    ///
    /// # Panics
    /// As `solve`.
    pub fn reply(
        &mut self,
        state: &G,
        budget: &Budget,
    ) -> Result<SolvedMove<G::Move>, SearchError> {
        let mut solution = self.solve_one(state, budget)?;
        // A position that was searched has a move.
        Ok(solution.moves.swap_remove(0))
    }

    fn solve_one(&mut self, state: &G, budget: &Budget) -> Result<Solution<G::Move>, SearchError> {
        let settings = Settings { root_moves: RootMoves::One, ..self.settings };
        self.solve_unseen(state, budget, settings)
    }
}

/// A strategy that is being made.
struct Draft<'a, G: Solvable> {
    solver: &'a mut Solver<G>,
    options: &'a StrategyOptions,
    budget: SharedBudget,
    clock: Clock,
    player: usize,
    positions: Vec<StrategyPosition<G>>,
    /// The number of each position.
    numbers: HashMap<G::Key, usize>,
    nodes: u64,
    peak_bytes: u64,
    workers: usize,
    stop: Option<StopReason>,
}

impl<'a, G: Solvable> Draft<'a, G> {
    fn new(solver: &'a mut Solver<G>, options: &'a StrategyOptions, budget: &'a Budget) -> Self {
        Self {
            solver,
            options,
            budget: SharedBudget::new(budget.clone()),
            clock: Clock::start(None),
            player: 0,
            positions: Vec::new(),
            numbers: HashMap::new(),
            nodes: 0,
            peak_bytes: 0,
            workers: 0,
            stop: None,
        }
    }

    /// Solves the first position, and finds out whose strategy it is.
    fn begin(&mut self, state: &G) -> Result<(), SearchError> {
        // Also with a budget that is used up: the errors of a search are found by one.
        let solution = self.solve(state)?;
        let mover = state.mover();
        let is_lost = solution.limits.most.points < 0;
        let winner = if is_lost && G::PLAYERS == 2 { 1 - mover } else { mover };
        self.player = self.options.player.unwrap_or(winner);
        self.number_of(state.clone(), 0);
        self.settle(0, &solution);
        Ok(())
    }

    /// Solves a later position, and goes on with its moves.
    fn follow(&mut self, at: usize) -> Result<(), SearchError> {
        if let StrategyKind::End(_) = self.positions[at].kind {
            return Ok(());
        }
        self.budget.set_elapsed(self.clock.elapsed());
        self.stop = self.stop.or_else(|| self.budget.used_up());
        if self.stop.is_none() {
            let state = self.positions[at].state.clone();
            let solution = self.solve(&state)?;
            self.settle(at, &solution);
        }
        Ok(())
    }

    fn solve(&mut self, state: &G) -> Result<Solution<G::Move>, SearchError> {
        let solution = self.solver.solve_one(state, &self.budget.rest())?;
        let taken = solution.nodes.max(1);
        self.budget.add(taken, taken);
        self.nodes += solution.nodes;
        self.peak_bytes = self.peak_bytes.max(solution.peak_bytes);
        self.workers = self.workers.max(solution.workers);
        if solution.stop_reason != StopReason::Proven {
            self.stop = Some(solution.stop_reason);
        }
        Ok(solution)
    }

    /// Writes down what was found of a position, and numbers those that follow.
    fn settle(&mut self, at: usize, solution: &Solution<G::Move>) {
        let position = &self.positions[at];
        let (state, plies) = (position.state.clone(), position.plies);
        let own = state.mover() == self.player;
        let limits = if own { solution.limits } else { solution.limits.negated() };
        let mut moves = Vec::new();
        let kind = if !solution.is_complete {
            StrategyKind::Unsolved
        } else if plies >= self.options.plies {
            StrategyKind::Beyond
        } else if own {
            moves.extend(solution.moves.first().map(|best| best.mv.clone()));
            StrategyKind::Reply
        } else {
            state.moves(&mut moves);
            StrategyKind::Answers
        };
        let number = |mv: G::Move| {
            let to = self.number_of(state.apply(&mv), plies + 1);
            StrategyMove { mv, to }
        };
        let moves = moves.into_iter().map(number).collect();
        let position = &mut self.positions[at];
        (position.limits, position.kind, position.moves) = (limits, kind, moves);
    }

    /// The number of a position, a new one if it has none yet.
    fn number_of(&mut self, state: G, plies: u32) -> usize {
        let number = self.positions.len();
        match self.numbers.entry(state.key()) {
            Entry::Occupied(entry) => return *entry.get(),
            Entry::Vacant(entry) => entry.insert(number),
        };
        let (kind, limits) = match state.outcome() {
            Some(outcome) => {
                let points = state.points(&outcome, self.player);
                (StrategyKind::End(outcome), Limits::exactly(Worth::new(points, 0)))
            }
            None => {
                let own = state.mover() == self.player;
                let limits = state.limits();
                (StrategyKind::Unsolved, if own { limits } else { limits.negated() })
            }
        };
        self.positions.push(StrategyPosition { state, plies, limits, kind, moves: Vec::new() });
        number
    }

    fn strategy(self) -> Strategy<G> {
        let is_complete =
            self.positions.iter().all(|position| position.kind != StrategyKind::Unsolved);
        let stop_reason = self.stop.filter(|_| !is_complete).unwrap_or(StopReason::Proven);
        Strategy {
            player: self.player,
            plies: Some(self.options.plies).filter(|&plies| plies < u32::MAX),
            positions: self.positions,
            is_complete,
            nodes: self.nodes,
            elapsed: self.clock.elapsed(),
            peak_bytes: self.peak_bytes,
            workers: self.workers,
            stop_reason,
        }
    }
}
