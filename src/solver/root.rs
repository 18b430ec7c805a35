//! The plan of a search: which question to ask next about the position to be solved, and about its
//! moves, until everything is known that was asked for.

use std::sync::Arc;

use crate::budget::StopReason;
use crate::error::SearchError;
use crate::laws::checked_mover;
use crate::solvable::{Limits, STEP, Solvable, Worth};
use crate::sorting::sort_by_number;
use crate::stop::Positions;

use super::builder::{Aim, RootMoves, Settings};
use super::facts::{Fact, Facts, Place};
use super::numbers::{checked_points, first_number, lift, lift_limits, limits_of, place_of};
use super::solution::{Solution, SolvedMove};
use super::view::Live;
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

    /// Asks the next question about the worth, as far as `aim` wants it. Returns whether there was
    /// one; `None` if the search was stopped.
    fn ask(&mut self, worker: &mut Worker<'_, G>, aim: Aim) -> Option<bool> {
        let Some(number) = self.question(aim) else { return Some(false) };
        self.reaches(worker, number)?;
        Some(true)
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
    /// Its number in the list of the game.
    number: usize,
    /// Where the game goes on.
    after: Option<Subject<G>>,
    /// Whether the same side is to move there.
    same: bool,
    /// For the side to move at the root, the move included.
    least: i32,
    most: i32,
}

impl<G: Solvable> Branch<G> {
    fn new(root: &G, number: usize, mv: G::Move) -> Result<Self, SearchError> {
        let after = root.apply(&mv);
        let same = checked_mover(&after)? == root.mover();
        if let Some(outcome) = after.outcome() {
            let points = checked_points(&after, &outcome, root.mover())?;
            let worth = lift::<G>(points * STEP, true);
            return Ok(Self { mv, number, after: None, same, least: worth, most: worth });
        }
        let after = Some(Subject::new(after));
        let mut branch = Self { mv, number, after, same, least: i32::MIN, most: i32::MAX };
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

    /// Asks the next question about the worth of the move, as [`Subject::ask`] does.
    fn ask(&mut self, worker: &mut Worker<'_, G>, aim: Aim) -> Option<bool> {
        let Some(after) = &mut self.after else { return Some(false) };
        let asked = after.ask(worker, aim)?;
        self.lift();
        Some(asked)
    }

    fn limits(&self) -> Limits {
        Limits { least: Worth::of(self.least), most: Worth::of(self.most) }
    }

    /// Lets others read what is known of the move.
    fn write(&self, live: Option<&Live<G::Move>>) {
        if let Some(live) = live {
            live.write(|found| found.moves[self.number] = self.limits());
        }
    }
}

/// What is known of the position to be solved, and of its moves.
pub(super) struct Plan<G: Solvable> {
    root: Subject<G>,
    branches: Vec<Branch<G>>,
    aim: Aim,
    moves: RootMoves,
    is_complete: bool,
    /// The share of the last question that is done.
    share: f64,
    /// For readers, if there may be any.
    live: Option<Arc<Live<G::Move>>>,
}

impl<G: Solvable> Plan<G> {
    /// # Errors
    /// If the game breaks a law after one of the moves.
    pub(super) fn new(
        state: &G,
        moves: Vec<G::Move>,
        settings: Settings,
    ) -> Result<Self, SearchError> {
        let branch = |(number, mv)| Branch::new(state, number, mv);
        let branches = moves.into_iter().enumerate().map(branch).collect::<Result<_, _>>()?;
        let root = Subject::new(state.clone());
        let Settings { aim, root_moves: moves, .. } = settings;
        Ok(Self { root, branches, aim, moves, is_complete: false, share: 0.0, live: None })
    }

    /// Lets others read what is known, now and as answers come. To be called before the first one.
    pub(super) fn show(&mut self) -> Arc<Live<G::Move>> {
        let moves = self.branches.iter().map(|branch| branch.mv.clone()).collect();
        let of_moves = self.branches.iter().map(Branch::limits).collect();
        let live = Arc::new(Live::new(self.root.limits(), moves, of_moves));
        self.live = Some(Arc::clone(&live));
        live
    }

    /// Asks what is not known yet. Returns whether everything is known that was asked for.
    pub(super) fn follow(&mut self, worker: &mut Worker<'_, G>) -> bool {
        self.is_complete = self.ask(worker).is_some();
        self.share = if self.is_complete { 1.0 } else { worker.done.share() };
        if self.is_complete {
            if let Some(live) = &self.live {
                live.write(|found| found.is_complete = true);
            }
            worker.shared.positions.stop.stop(StopReason::Proven);
        }
        self.is_complete
    }

    /// What the position is worth, as far as the aim goes, with a limit of the plies. `None` if the
    /// search was stopped.
    pub(super) fn settle(&mut self, worker: &mut Worker<'_, G>) -> Option<Worth> {
        self.settle_root(worker, self.aim)?;
        self.root.limits().decided()
    }

    fn ask(&mut self, worker: &mut Worker<'_, G>) -> Option<()> {
        // What is it worth? Points first, so that they are known if time is short.
        self.settle_root(worker, self.aim.min(Aim::Points))?;
        // Which moves keep that?
        self.look_up_moves(worker);
        let kept = self.kept();
        if self.moves != RootMoves::One {
            for branch in &mut self.branches {
                branch.reaches(worker, kept)?;
                branch.write(self.live.as_deref());
            }
        }
        // How soon?
        self.settle_root(worker, self.aim)?;
        if self.moves == RootMoves::All {
            for branch in &mut self.branches {
                branch.look_up(worker);
                branch.write(self.live.as_deref());
                while branch.ask(worker, self.aim)? {
                    branch.write(self.live.as_deref());
                }
            }
        }
        self.find_best(worker)
    }

    /// Asks until the worth of the position is known as far as `aim` wants. `None` if the search
    /// was stopped.
    fn settle_root(&mut self, worker: &mut Worker<'_, G>, aim: Aim) -> Option<()> {
        self.root.look_up(worker);
        loop {
            if let Some(live) = &self.live {
                live.write(|found| found.limits = self.root.limits());
            }
            if !self.root.ask(worker, aim)? {
                return Some(());
            }
        }
    }

    /// Takes in what the table knows of each move.
    fn look_up_moves(&mut self, worker: &Worker<'_, G>) {
        self.branches.iter_mut().for_each(|branch| branch.look_up(worker));
        if let Some(live) = &self.live {
            live.write(|found| {
                for branch in &self.branches {
                    found.moves[branch.number] = branch.limits();
                }
            });
        }
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
        self.look_up_moves(worker);
        self.sort();
        let goal = self.root.least;
        let mut found = self.branches.iter().any(|branch| branch.least >= goal);
        for branch in &mut self.branches {
            if found {
                break;
            }
            found = branch.reaches(worker, goal)?;
            branch.write(self.live.as_deref());
        }
        self.sort();
        Some(())
    }

    fn sort(&mut self) {
        let number = |branch: &Branch<G>| -Worth::number_of(branch.least, branch.most);
        sort_by_number(&mut self.branches, number);
    }

    /// Writes down what is known of the position and of those after its moves, for the next search:
    /// a table does not have what was found out with the one before it. `nodes` is what all of it
    /// has cost.
    pub(super) fn write_down(&self, facts: &Facts, nodes: u64) {
        let effort = nodes.max(1).ilog2().min(31) as u8;
        let after = self.branches.iter().filter_map(|branch| branch.after.as_ref());
        for subject in after.chain([&self.root]) {
            let (least, most) = (subject.least, subject.most);
            if (least, most) != limits_of(&subject.state) {
                facts.put(subject.place, Fact { least, most, mv: None, effort });
            }
        }
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
            question_share: self.share,
            nodes: positions.visited(),
            elapsed: positions.stop.elapsed(),
            peak_bytes,
            table_used,
            workers: positions.stop.workers(),
            stop_reason: positions.reason(),
        }
    }
}
