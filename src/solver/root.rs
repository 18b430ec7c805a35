//! The plan of a search: which question to ask next about the position to be solved, and about its
//! moves, until everything is known that was asked for.

use crate::budget::StopReason;
use crate::error::SearchError;
use crate::laws::checked_mover;
use crate::solvable::{Limits, STEP, Solvable, Worth};
use crate::stop::Positions;

use super::builder::{Aim, RootMoves, Settings};
use super::facts::Place;
use super::max_n::Points;
use super::numbers::{checked_points, first_number, lift, lift_limits, limits_of, place_of};
use super::solution::{Solution, SolvedMove};
use super::worker::Worker;

/// Ends of the game are looked for within [`FIRST_PLIES`] plies first, and then within more, up to
/// [`LAST_PLIES`].
const FIRST_PLIES: u32 = 8;
const LAST_PLIES: u32 = 32;

/// A position, and between which numbers its worth is known to be, for its own side to move.
struct Subject<G> {
    state: G,
    place: Place,
    least: i32,
    most: i32,
}

impl<G: Solvable> Subject<G> {
    fn new(state: G) -> Self {
        let (least, most) = limits_of(&state);
        let place = place_of(&state);
        Self { state, place, least, most }
    }

    /// Takes in what the table knows.
    fn look_up(&mut self, worker: &Worker<'_, G>) {
        if let Some(fact) = worker.shared.facts.get(self.place) {
            self.least = self.least.max(fact.least);
            self.most = self.most.min(fact.most);
        }
    }

    /// Asks whether the worth is at least `number`. `None` if the search was stopped.
    fn reaches(&mut self, worker: &mut Worker<'_, G>, number: i32) -> Option<bool> {
        if self.least < number && self.most >= number {
            let found = worker.ask(&self.state, self.place, (number - 1, number))?;
            if found >= number {
                self.least = self.least.max(found);
            } else {
                self.most = self.most.min(found);
            }
        }
        Some(self.least >= number)
    }

    /// Asks until the worth is known as far as `aim` wants. `None` if the search was stopped.
    fn settle(&mut self, worker: &mut Worker<'_, G>, aim: Aim) -> Option<()> {
        self.look_up(worker);
        while let Some(number) = self.question(aim) {
            self.reaches(worker, number)?;
            if let Some(watcher) = &mut worker.watcher {
                watcher.limits = Some(self.limits());
            }
        }
        Some(())
    }

    /// The number that is to be reached next; `None` if enough is known.
    fn question(&self, aim: Aim) -> Option<i32> {
        let Limits { least, most } = self.limits();
        let (least, most) = (least.points, most.points);
        if least < most {
            if least < 0
                && most > 0
                && let Some(number) = self.early_end()
            {
                return Some(number);
            }
            // First the winner, then by how much: each question halves the range, small scores
            // first, as they are more likely.
            let points = match (least.signum(), most.signum()) {
                // To the side that has more left open.
                (-1, 1) => i32::from(self.most >= -self.least),
                (-1, 0) => 0,
                (0, 1) => 1,
                _ if aim == Aim::Winner => return None,
                _ => least + (most - least + 1) / 2,
            };
            return Some(first_number(points));
        }
        if aim == Aim::Distance && self.least < self.most {
            return Some(self.least + (self.most - self.least + 1) / 2);
        }
        None
    }

    /// Where a game may end soon: the number that is reached if it is won within one and a half
    /// times the plies that it is known not to end in, or else if it is not lost within them. A
    /// search of few plies costs little beside one of many, and where it finds a win or a loss, the
    /// search of many is not needed (iterative deepening).
    fn early_end(&self) -> Option<i32> {
        if !G::ENDS_EARLY || G::MAX_POINTS > 1 || !G::COUNTS_PLIES {
            return None;
        }
        let Limits { least, most } = self.limits();
        let within = (least.plies.min(most.plies) * 3 / 2).max(FIRST_PLIES);
        let end = |points| Worth { points, plies: within }.number();
        if within > LAST_PLIES {
            None
        } else if most.plies <= within {
            Some(end(1))
        } else {
            Some(end(-1) + 1)
        }
    }

    fn limits(&self) -> Limits {
        Limits { least: Worth::of(self.least), most: Worth::of(self.most) }
    }
}

/// A move of the root: the position after it, or the numbers of an end of the game.
struct Branch<G: Solvable> {
    mv: G::Move,
    /// Where the game goes on.
    after: Option<Subject<G>>,
    /// Whether the same side is to move there.
    same: bool,
    /// For the side to move at the root, the move included.
    least: i32,
    most: i32,
}

impl<G: Solvable> Branch<G> {
    fn new(root: &G, mv: G::Move) -> Result<Self, SearchError> {
        let after = root.apply(&mv);
        let same = checked_mover(&after)? == root.mover();
        if let Some(outcome) = after.outcome() {
            let points = checked_points(&after, &outcome, root.mover())?;
            let number = lift::<G>(points * STEP, true);
            return Ok(Self { mv, after: None, same, least: number, most: number });
        }
        let mut branch =
            Self { mv, after: Some(Subject::new(after)), same, least: i32::MIN, most: i32::MAX };
        branch.lift();
        Ok(branch)
    }

    /// Takes over what is known of the position after the move.
    fn lift(&mut self) {
        let Some(after) = &self.after else { return };
        (self.least, self.most) = lift_limits::<G>((after.least, after.most), self.same);
    }

    fn look_up(&mut self, worker: &Worker<'_, G>) {
        if let Some(after) = &mut self.after {
            after.look_up(worker);
        }
        self.lift();
    }

    /// Asks whether the move is worth at least `number`. `None` if the search was stopped.
    fn reaches(&mut self, worker: &mut Worker<'_, G>, number: i32) -> Option<bool> {
        let same = self.same;
        if let Some(after) = &mut self.after
            && self.least < number
            && self.most >= number
        {
            // For the side to move there it is either the least number that will do, or the first
            // one that will not.
            let ply = if G::COUNTS_PLIES { if number > 0 { 1 } else { -1 } } else { 0 };
            let there = if same { number + ply } else { 1 - (number + ply) };
            after.reaches(worker, there)?;
            self.lift();
        }
        Some(self.least >= number)
    }

    fn settle(&mut self, worker: &mut Worker<'_, G>, aim: Aim) -> Option<()> {
        if let Some(after) = &mut self.after {
            after.settle(worker, aim)?;
        }
        self.lift();
        Some(())
    }

    fn limits(&self) -> Limits {
        Limits { least: Worth::of(self.least), most: Worth::of(self.most) }
    }
}

/// The solution of a position of three and more players, from the points after its first moves.
pub(super) fn solution_of_many<G: Solvable>(
    state: &G,
    moves: Vec<G::Move>,
    points: &[Points],
    positions: &Positions,
    peak_bytes: u64,
) -> Solution<G::Move> {
    let mover = state.mover();
    let worth = |points: &Points| Worth { points: i32::from(points[mover]), plies: 0 };
    let limits = |at: usize| {
        let nothing = Limits::of_game::<G>();
        points.get(at).map_or(nothing, |points| Limits::exactly(worth(points)))
    };
    let solved = |(at, mv)| SolvedMove { mv, limits: limits(at) };
    let is_complete = points.len() == moves.len();
    let mut moves: Vec<_> = moves.into_iter().enumerate().map(solved).collect();
    moves.sort_by_key(|mv| std::cmp::Reverse((mv.limits.least, mv.limits.most)));
    if is_complete {
        positions.stop.stop(StopReason::Proven);
    }
    let least = moves.iter().map(|mv| mv.limits.least).max();
    let most = moves.iter().map(|mv| mv.limits.most).max();
    let nothing = Limits::of_game::<G>();
    Solution {
        limits: Limits {
            least: least.unwrap_or(nothing.least),
            most: most.unwrap_or(nothing.most),
        },
        is_complete,
        moves,
        nodes: positions.visited(),
        elapsed: positions.stop.elapsed(),
        peak_bytes,
        table_used: 0.0,
        workers: positions.stop.workers(),
        stop_reason: positions.reason(),
    }
}

/// What is known of the position to be solved, and of its moves.
pub(super) struct Plan<G: Solvable> {
    root: Subject<G>,
    branches: Vec<Branch<G>>,
    aim: Aim,
    moves: RootMoves,
    is_complete: bool,
}

impl<G: Solvable> Plan<G> {
    ///
    /// # Errors
    /// If the game breaks a law after one of the moves.
    pub(super) fn new(
        state: &G,
        moves: Vec<G::Move>,
        settings: Settings,
    ) -> Result<Self, SearchError> {
        let branch = |mv| Branch::new(state, mv);
        let branches = moves.into_iter().map(branch).collect::<Result<_, _>>()?;
        let root = Subject::new(state.clone());
        let Settings { aim, root_moves: moves, .. } = settings;
        Ok(Self { root, branches, aim, moves, is_complete: false })
    }

    /// Asks what is not known yet. Returns whether everything is known that was asked for.
    pub(super) fn follow(&mut self, worker: &mut Worker<'_, G>) -> bool {
        self.is_complete = self.ask(worker).is_some();
        if self.is_complete {
            worker.shared.positions.stop.stop(StopReason::Proven);
        }
        self.is_complete
    }

    /// What the position is worth, as far as the aim goes, with a limit of the plies. `None` if the
    /// search was stopped.
    pub(super) fn settle(&mut self, worker: &mut Worker<'_, G>) -> Option<Worth> {
        self.root.settle(worker, self.aim)?;
        self.root.limits().decided()
    }

    fn ask(&mut self, worker: &mut Worker<'_, G>) -> Option<()> {
        let watched = self.root.limits();
        if let Some(watcher) = &mut worker.watcher {
            watcher.limits = Some(watched);
        }
        // What is it worth? Points first, so that they are known if time is short.
        self.root.settle(worker, self.aim.min(Aim::Points))?;
        // Which moves keep that?
        self.branches.iter_mut().for_each(|branch| branch.look_up(worker));
        let kept = self.kept();
        if self.moves != RootMoves::One {
            for branch in &mut self.branches {
                branch.reaches(worker, kept)?;
            }
        }
        // How soon?
        self.root.settle(worker, self.aim)?;
        if self.moves == RootMoves::All {
            for branch in &mut self.branches {
                branch.settle(worker, self.aim)?;
            }
        }
        self.find_best(worker)
    }

    /// The least number that is as good as the root, as far as it is known.
    fn kept(&self) -> i32 {
        let Limits { least, most } = self.root.limits();
        if least.points == most.points {
            first_number(least.points)
        } else if least.points > 0 {
            1
        } else {
            self.root.least
        }
    }

    /// Finds a move that has the known worth of the root, and sorts the moves by what is known of
    /// them.
    fn find_best(&mut self, worker: &mut Worker<'_, G>) -> Option<()> {
        self.branches.iter_mut().for_each(|branch| branch.look_up(worker));
        self.sort();
        let goal = self.root.least;
        let mut found = self.branches.iter().any(|branch| branch.least >= goal);
        for branch in &mut self.branches {
            if found {
                break;
            }
            found = branch.reaches(worker, goal)?;
        }
        self.sort();
        Some(())
    }

    fn sort(&mut self) {
        let rank = |branch: &Branch<G>| std::cmp::Reverse((branch.least, branch.most));
        self.branches.sort_by_key(rank);
    }

    /// What was found.
    pub(super) fn solution(
        mut self,
        positions: &Positions,
        peak_bytes: u64,
        table_used: f64,
    ) -> Solution<G::Move> {
        self.sort();
        let limits = self.root.limits();
        let solved = |branch: Branch<G>| SolvedMove { limits: branch.limits(), mv: branch.mv };
        Solution {
            limits,
            is_complete: self.is_complete,
            moves: self.branches.into_iter().map(solved).collect(),
            nodes: positions.visited(),
            elapsed: positions.stop.elapsed(),
            peak_bytes,
            table_used,
            workers: positions.stop.workers(),
            stop_reason: positions.reason(),
        }
    }
}
