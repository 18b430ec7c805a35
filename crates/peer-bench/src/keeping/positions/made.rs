//! Random Connect Four positions, solved by the library's own solver.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Mutex;

use playtree::game::random_move;
use playtree::games::ConnectFour;
use playtree::games::connect4::Column;
use playtree::solver::{Aim, RootMoves};
use playtree::{Budget, GameState, Notation, Outcome, Rng, Solvable, Solver};

use super::{Labelled, Measured, Reading, columns};
use crate::Failure;
use crate::keeping::progress::Progress;
use crate::rollouts::mixed;

/// Random games in a row that lead to no new position, after which there is taken to be none.
const GAMES_IN_VAIN: u64 = 10_000;

/// Which positions to make.
#[derive(Clone, Debug)]
pub(in crate::keeping) struct Order {
    /// Positions that count: some of their moves keep the value, and some do not.
    pub(in crate::keeping) count: usize,
    /// Random plies, each number of them as likely.
    pub(in crate::keeping) plies: RangeInclusive<u32>,
    /// Fixes the positions.
    pub(in crate::keeping) seed: u64,
    /// Positions solved at a time; the positions do not depend on it.
    pub(in crate::keeping) concurrency: usize,
}

/// A position and the columns that lead to it.
#[derive(Clone, Debug)]
struct Candidate {
    moves: String,
    state: ConnectFour,
}

/// A candidate that has been solved.
struct Solved {
    /// The number of the candidate.
    index: usize,
    moves: String,
    position: Labelled<ConnectFour>,
}

impl Order {
    /// The positions: read from `labels` if the file is there, else made, and written to it.
    pub(in crate::keeping) fn fill(
        &self,
        labels: Option<&Path>,
    ) -> Result<Reading<ConnectFour>, Failure> {
        match labels {
            None => Ok(self.make()?.1),
            Some(file) if file.exists() => self.read(file),
            Some(file) => self.write(file),
        }
    }

    /// The first line of a file of these positions.
    fn header(&self) -> String {
        format!(
            "# {} random Connect Four positions of {} to {} plies, seed {}. Columns: moves (1..7) \
             TAB for each column 1..7 whether the side to move wins (1), draws (0) or loses (-1) \
             by it; '-' = column full",
            self.count,
            self.plies.start(),
            self.plies.end(),
            self.seed
        )
    }

    /// Reads the positions from a file, which must be one of just this order.
    fn read(&self, file: &Path) -> Result<Reading<ConnectFour>, Failure> {
        let place = file.display();
        let text = fs::read_to_string(file).map_err(|error| format!("{place}: {error}"))?;
        let (expected, found) = (self.header(), text.lines().next().unwrap_or(""));
        if found != expected {
            return Err(format!("{place}, line 1: expected '{expected}', found '{found}'").into());
        }
        let reading = ConnectFour::read(&text).map_err(|error| format!("{place}, {error}"))?;
        let found = reading.positions.len();
        if found != self.count {
            return Err(format!("{place}: expected {} positions, found {found}", self.count).into());
        }
        Ok(reading)
    }

    /// Makes the positions and writes them to a file, which is there only when it is whole.
    fn write(&self, file: &Path) -> Result<Reading<ConnectFour>, Failure> {
        let part = file.with_extension("part");
        let fails = |error| format!("{}: {error}", part.display());
        // Before the work of hours, not after.
        let mut output = File::create(&part).map_err(fails)?;
        let (lines, reading) = self.make()?;
        writeln!(output, "{}\n{}", self.header(), lines.join("\n")).map_err(fails)?;
        fs::rename(&part, file).map_err(fails)?;
        Ok(reading)
    }

    /// Makes and solves the positions: their lines in a file, and themselves.
    fn make(&self) -> Result<(Vec<String>, Reading<ConnectFour>), Failure> {
        let mut solved = self.solve()?;
        solved.sort_by_key(|solved| solved.index);
        let candidates = solved.len();
        solved.retain(|solved| solved.position.counts_for_any());
        let found = solved.len();
        if found < self.count {
            return Err(format!(
                "expected {} positions of {:?} plies in which some moves keep the value and some \
                 do not, found {found}, and no others",
                self.count, self.plies
            )
            .into());
        }
        solved.truncate(self.count);
        // Those up to the last one that is taken, whatever else the workers had begun.
        let looked_at = solved.last().map_or(0, |last| last.index + 1).min(candidates);
        let lines =
            solved.iter().map(|solved| columns::line(&solved.moves, &solved.position.worths));
        let lines = lines.collect();
        let positions = solved.into_iter().map(|solved| solved.position).collect();
        let reason = "either all of their moves keep the value or none can lose it";
        let left_out = vec![(reason, looked_at - self.count)];
        Ok((lines, Reading { positions, left_out }))
    }

    /// Solves candidates, the first ones whatever the concurrency, until enough of them count.
    fn solve(&self) -> Result<Vec<Solved>, Failure> {
        let candidates = Mutex::new(Candidates::new(self));
        let counted = Mutex::new(0);
        let progress = Progress::new("positions that count", self.count);
        let work = || -> Result<Vec<Solved>, Failure> {
            let mut solver = solver()?;
            let mut solved = Vec::new();
            loop {
                if *counted.lock().expect("nothing panics with the lock") >= self.count {
                    return Ok(solved);
                }
                let next = candidates.lock().expect("nothing panics with the lock").next();
                let Some((index, Candidate { moves, state })) = next else { return Ok(solved) };
                let position = Labelled { state, worths: worths(&mut solver, &state)? };
                if position.counts_for_any() {
                    *counted.lock().expect("nothing panics with the lock") += 1;
                    progress.step();
                }
                solved.push(Solved { index, moves, position });
            }
        };
        let parts: Result<Vec<_>, Failure> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.concurrency).map(|_| scope.spawn(work)).collect();
            workers.into_iter().map(|worker| worker.join().expect("no solver panics")).collect()
        });
        Ok(parts?.into_iter().flatten().collect())
    }
}

/// A solver that says of every move whether it wins, draws or loses.
fn solver() -> Result<Solver<ConnectFour>, Failure> {
    let builder = Solver::builder().threads(1).aim(Aim::Winner).root_moves(RootMoves::All);
    Ok(builder.build()?)
}

/// What the moves are worth, from left to right.
fn worths(
    solver: &mut Solver<ConnectFour>,
    state: &ConnectFour,
) -> Result<Vec<(Column, i32)>, Failure> {
    let solution = solver.solve(state, &Budget::unlimited())?;
    let mut worths = Vec::new();
    for solved in &solution.moves {
        let points = solved.points().ok_or_else(|| {
            format!("expected a whole answer of the solver at '{}'", state.position_text())
        })?;
        worths.push((solved.mv, points.signum()));
    }
    worths.sort_by_key(|(column, _)| column.index());
    Ok(worths)
}

/// Random positions, all different, mirrored boards taken for the same.
#[derive(Debug)]
struct Candidates {
    plies: RangeInclusive<u32>,
    seed: u64,
    /// Random games played.
    games: u64,
    /// Candidates handed out.
    count: usize,
    seen: HashSet<u64>,
}

impl Candidates {
    fn new(order: &Order) -> Self {
        let Order { plies, seed, .. } = order.clone();
        Self { plies, seed, games: 0, count: 0, seen: HashSet::new() }
    }

    /// Where a random game stands after a random number of plies; `None` if it has ended by then,
    /// or the side to move wins at once.
    fn candidate(&self, rng: &mut Rng) -> Option<Candidate> {
        let plies = *self.plies.start() as usize + rng.below(self.plies.clone().count());
        let mut state = ConnectFour::new();
        let (mut moves, mut buffer) = (String::new(), Vec::new());
        for _ in 0..plies {
            let mv = random_move(&state, rng, &mut buffer)?;
            moves.push_str(&state.move_text(&mv));
            state.apply_in_place(&mv);
        }
        let is_usable = state.outcome().is_none() && !wins_at_once(&state);
        is_usable.then_some(Candidate { moves, state })
    }
}

impl Iterator for Candidates {
    type Item = (usize, Candidate);

    fn next(&mut self) -> Option<Self::Item> {
        for _ in 0..GAMES_IN_VAIN {
            let mut rng = Rng::from_seed(mixed(self.seed, self.games));
            self.games += 1;
            let found = self.candidate(&mut rng);
            if let Some(found) = found.filter(|found| self.seen.insert(found.state.canonical_key()))
            {
                self.count += 1;
                return Some((self.count - 1, found));
            }
        }
        None
    }
}

/// Whether the side to move has a move that wins at once.
fn wins_at_once(state: &ConnectFour) -> bool {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.iter().any(|mv| state.apply(mv).outcome() == Some(Outcome::Win(state.mover())))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use playtree::games::ConnectFour;
    use playtree::{GameState, Notation, Outcome};

    use super::{Candidates, Order, columns, wins_at_once};
    use crate::keeping::measure::Measure;

    /// Few positions, late ones: each is solved in no time.
    fn order(concurrency: usize) -> Order {
        Order { count: 12, plies: 28..=32, seed: 3, concurrency }
    }

    /// Win, draw or loss for the side to move, by nothing but the rules.
    fn negamax(state: &ConnectFour, known: &mut HashMap<u64, i32>) -> i32 {
        match state.outcome() {
            Some(Outcome::Draw) => return 0,
            // The side that has just moved.
            Some(_) => return -1,
            None => {}
        }
        if let Some(worth) = known.get(&state.key()) {
            return *worth;
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let worths = moves.iter().map(|mv| -negamax(&state.apply(mv), known));
        let worth = worths.max().expect("a legal move");
        known.insert(state.key(), worth);
        worth
    }

    #[test]
    fn a_plain_negamax_agrees() {
        let (lines, reading) = order(2).make().unwrap();
        assert_eq!((lines.len(), reading.positions.len()), (12, 12));
        let mut known = HashMap::new();
        for position in &reading.positions {
            let state = &position.state;
            assert!((28..=32).contains(&state.plies()) && !wins_at_once(state));
            assert!(position.counts_for(Measure::Value));
            let mut moves = Vec::new();
            state.moves(&mut moves);
            assert_eq!(moves.len(), position.worths.len());
            for (mv, worth) in &position.worths {
                assert_eq!(-negamax(&state.apply(mv), &mut known), *worth, "{state:?}");
            }
        }
    }

    #[test]
    fn the_positions_do_not_depend_on_the_concurrency() {
        let [one, two, three] = [1, 2, 3].map(|concurrency| order(concurrency).make().unwrap());
        assert_eq!((&one.0, &one.1.left_out), (&two.0, &two.1.left_out));
        assert_eq!(one.0, three.0);
        let other = Order { seed: 4, ..order(2) };
        assert_ne!(other.make().unwrap().0, one.0);
    }

    #[test]
    fn a_file_is_written_once_and_then_read() {
        let folder = std::env::temp_dir().join(format!("keeping-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("labels.tsv");
        let lines = |labels| {
            let reading = order(2).fill(labels).unwrap();
            let positions = reading.positions.iter();
            positions.map(|position| columns::line("", &position.worths)).collect::<Vec<_>>()
        };
        let made = lines(None);
        assert_eq!(lines(Some(&file)), made);
        let written = std::fs::metadata(&file).unwrap().modified().unwrap();
        assert_eq!(lines(Some(&file)), made);
        assert_eq!(std::fs::metadata(&file).unwrap().modified().unwrap(), written);
        let other = Order { seed: 4, ..order(2) };
        let error = other.fill(Some(&file)).err().unwrap().to_string();
        assert!(error.contains("line 1: expected") && error.contains("seed 3"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn where_there_are_too_few_positions_that_is_said() {
        let few = Order { count: 5, plies: 1..=1, seed: 1, concurrency: 1 };
        // One board of four is left of those with one stone: the others are its mirror images.
        assert_eq!(Candidates::new(&few).count(), 4);
        let late = Order { count: 1, plies: 42..=42, ..few };
        let error = late.make().err().unwrap().to_string();
        assert!(error.starts_with("expected 1 positions of 42..=42 plies"), "{error}");
    }

    #[test]
    fn candidates_are_of_all_the_plies() {
        let order = Order { count: 0, plies: 8..=20, seed: 1, concurrency: 1 };
        let mut counts = [0; 21];
        for (_, candidate) in Candidates::new(&order).take(500) {
            let parsed = ConnectFour::parse_position(&candidate.moves).unwrap();
            assert_eq!(parsed.key(), candidate.state.key());
            counts[candidate.state.plies() as usize] += 1;
        }
        assert!(counts[8..].iter().all(|count| *count > 10), "{counts:?}");
    }
}
