//! Random positions, solved by the library's own solver.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Mutex;

use playtree::game::random_move;
use playtree::solver::{Aim, RootMoves};
use playtree::{Budget, Notation, Outcome, Rng, Solver};

use super::{Labelled, Measured, Reading};
use crate::Failure;
use crate::keeping::progress::Progress;
use crate::rollouts::mixed;

/// Random games in a row that lead to no new position, after which there is taken to be none.
const GAMES_IN_VAIN: u64 = 10_000;

/// A game with positions that can be made: after some random plies it is solved within seconds.
pub(in crate::keeping) trait Made: Measured + Notation {
    /// The name in the first line of a file.
    const NAME: &'static str;

    /// What is to be known of each move.
    const AIM: Aim;

    /// The fewest and the most random plies, if nothing else is asked for.
    const PLIES: RangeInclusive<u32>;

    /// Where its random games begin.
    fn start() -> Self;

    /// The first line of a file with positions that are `what`.
    fn first_line(what: &str) -> String;

    /// The line of a position in a file.
    fn line(position: &Labelled<Self>) -> String;
}

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

/// A candidate that has been solved.
struct Solved<G: Made> {
    /// The number of the candidate.
    index: usize,
    position: Labelled<G>,
}

impl Order {
    /// The positions: read from `labels` if the file is there, else made, and written to it.
    pub(in crate::keeping) fn fill<G: Made>(
        &self,
        labels: Option<&Path>,
    ) -> Result<Reading<G>, Failure> {
        match labels {
            None => self.make(),
            Some(file) if file.exists() => self.read(file),
            Some(file) => self.write(file),
        }
    }

    /// The first line of a file of these positions.
    fn header<G: Made>(&self) -> String {
        G::first_line(&format!(
            "{} random {} positions of {} to {} plies, seed {}",
            self.count,
            G::NAME,
            self.plies.start(),
            self.plies.end(),
            self.seed
        ))
    }

    /// Reads the positions from a file, which must be one of just this order.
    fn read<G: Made>(&self, file: &Path) -> Result<Reading<G>, Failure> {
        let place = file.display();
        let text = fs::read_to_string(file).map_err(|error| format!("{place}: {error}"))?;
        let (expected, found) = (self.header::<G>(), text.lines().next().unwrap_or(""));
        if found != expected {
            return Err(format!("{place}, line 1: expected '{expected}', found '{found}'").into());
        }
        let reading = G::read(&text).map_err(|error| format!("{place}, {error}"))?;
        let found = reading.positions.len();
        if found != self.count {
            return Err(format!("{place}: expected {} positions, found {found}", self.count).into());
        }
        Ok(reading)
    }

    /// Makes the positions and writes them to a file, which is there only when it is whole.
    fn write<G: Made>(&self, file: &Path) -> Result<Reading<G>, Failure> {
        let part = file.with_extension("part");
        let fails = |error| format!("{}: {error}", part.display());
        // Before the work of hours, not after.
        let mut output = File::create(&part).map_err(fails)?;
        let reading = self.make::<G>()?;
        let lines: Vec<_> = reading.positions.iter().map(G::line).collect();
        writeln!(output, "{}\n{}", self.header::<G>(), lines.join("\n")).map_err(fails)?;
        fs::rename(&part, file).map_err(fails)?;
        Ok(reading)
    }

    /// Makes and solves the positions.
    fn make<G: Made>(&self) -> Result<Reading<G>, Failure> {
        let mut solved = self.solve::<G>()?;
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
        let positions = solved.into_iter().map(|solved| solved.position).collect();
        let reason = "either all of their moves keep the value or none can lose it";
        let left_out = vec![(reason, looked_at - self.count)];
        Ok(Reading { positions, left_out })
    }

    /// Solves candidates, the first ones whatever the concurrency, until enough of them count.
    fn solve<G: Made>(&self) -> Result<Vec<Solved<G>>, Failure> {
        let candidates = Mutex::new(Candidates::<G>::new(self));
        let counted = Mutex::new(0);
        let progress = Progress::new("positions that count", self.count);
        let work = || -> Result<Vec<Solved<G>>, Failure> {
            let mut solver = solver()?;
            let mut solved = Vec::new();
            loop {
                if *counted.lock().expect("nothing panics with the lock") >= self.count {
                    return Ok(solved);
                }
                let next = candidates.lock().expect("nothing panics with the lock").next();
                let Some((index, state)) = next else { return Ok(solved) };
                let worths = worths(&mut solver, &state)?;
                let position = Labelled { state, worths };
                if position.counts_for_any() {
                    *counted.lock().expect("nothing panics with the lock") += 1;
                    progress.step();
                }
                solved.push(Solved { index, position });
            }
        };
        let parts: Result<Vec<_>, Failure> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.concurrency).map(|_| scope.spawn(work)).collect();
            workers.into_iter().map(|worker| worker.join().expect("no solver panics")).collect()
        });
        Ok(parts?.into_iter().flatten().collect())
    }
}

/// A solver that says of every move what it is worth.
fn solver<G: Made>() -> Result<Solver<G>, Failure> {
    let builder = Solver::builder().threads(1).aim(G::AIM).root_moves(RootMoves::All);
    Ok(builder.build()?)
}

/// What the moves are worth.
fn worths<G: Made>(solver: &mut Solver<G>, state: &G) -> Result<Vec<(G::Move, i32)>, Failure> {
    let solution = solver.solve(state, &Budget::unlimited())?;
    let mut worths = Vec::new();
    for solved in &solution.moves {
        let points = solved.points().ok_or_else(|| {
            format!("expected a whole answer of the solver at '{}'", state.position_text())
        })?;
        worths.push((solved.mv, if G::AIM == Aim::Winner { points.signum() } else { points }));
    }
    Ok(worths)
}

/// Random positions, all different, mirrored boards taken for the same.
#[derive(Debug)]
struct Candidates<G: Made> {
    plies: RangeInclusive<u32>,
    seed: u64,
    /// Random games played.
    games: u64,
    /// Candidates handed out.
    count: usize,
    seen: HashSet<G::Key>,
}

impl<G: Made> Candidates<G> {
    fn new(order: &Order) -> Self {
        let Order { plies, seed, .. } = order.clone();
        Self { plies, seed, games: 0, count: 0, seen: HashSet::new() }
    }

    /// Where a random game stands after a random number of plies; `None` if it has ended by then,
    /// or the side to move wins at once.
    fn candidate(&self, rng: &mut Rng) -> Option<G> {
        let plies = *self.plies.start() as usize + rng.below(self.plies.clone().count());
        let (mut state, mut moves) = (G::start(), Vec::new());
        for _ in 0..plies {
            let mv = random_move(&state, rng, &mut moves)?;
            state.apply_in_place(&mv);
        }
        (state.outcome().is_none() && !wins_at_once(&state)).then_some(state)
    }
}

impl<G: Made> Iterator for Candidates<G> {
    type Item = (usize, G);

    fn next(&mut self) -> Option<Self::Item> {
        for _ in 0..GAMES_IN_VAIN {
            let mut rng = Rng::from_seed(mixed(self.seed, self.games));
            self.games += 1;
            let found = self.candidate(&mut rng);
            if let Some(found) = found.filter(|found| self.seen.insert(found.canonical_key())) {
                self.count += 1;
                return Some((self.count - 1, found));
            }
        }
        None
    }
}

/// Whether the side to move has a move that wins at once.
fn wins_at_once<G: Made>(state: &G) -> bool {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.iter().any(|mv| state.apply(mv).outcome() == Some(Outcome::Win(state.mover())))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use playtree::games::{ConnectFour, Hex, Othello};
    use playtree::{GameState, Notation, Outcome};

    use super::{Candidates, Made, Order, Reading, wins_at_once};
    use crate::keeping::measure::Measure;

    /// Few positions, late ones: each is solved in no time.
    fn order(concurrency: usize) -> Order {
        Order { count: 12, plies: 28..=32, seed: 3, concurrency }
    }

    /// The same for Othello.
    fn othello_order(concurrency: usize) -> Order {
        Order { plies: 52..=54, ..order(concurrency) }
    }

    /// The same for Hex.
    fn hex_order(concurrency: usize) -> Order {
        Order { plies: 37..=39, ..order(concurrency) }
    }

    /// The lines of the positions in a file.
    fn lines<G: Made>(reading: &Reading<G>) -> Vec<String> {
        reading.positions.iter().map(G::line).collect()
    }

    /// Win (1), draw (0) or loss (-1) for `player`, by nothing but the rules.
    fn minimax<G: GameState>(
        state: &G,
        player: usize,
        known: &mut HashMap<(G::Key, usize), i32>,
    ) -> i32 {
        match state.outcome() {
            Some(Outcome::Draw) => return 0,
            Some(Outcome::Win(winner)) => return if winner == player { 1 } else { -1 },
            Some(other) => panic!("{other:?}"),
            None => {}
        }
        if let Some(worth) = known.get(&(state.key(), player)) {
            return *worth;
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let worths = moves.iter().map(|mv| minimax(&state.apply(mv), player, known));
        let best = if state.mover() == player { worths.max() } else { worths.min() };
        let worth = best.expect("a legal move");
        known.insert((state.key(), player), worth);
        worth
    }

    /// The positions of the order are of its plies, and their moves are worth what they should.
    fn a_plain_minimax_agrees<G: Made>(order: &Order, measure: Measure) {
        let reading = order.make::<G>().unwrap();
        assert_eq!(reading.positions.len(), order.count);
        let mut known = HashMap::new();
        for position in &reading.positions {
            let state = &position.state;
            assert!(order.plies.contains(&state.plies()) && !wins_at_once(state));
            assert!(position.counts_for(measure));
            let mut moves = Vec::new();
            state.moves(&mut moves);
            assert_eq!(moves.len(), position.worths.len());
            for (mv, worth) in &position.worths {
                let expected = minimax(&state.apply(mv), state.mover(), &mut known);
                assert_eq!(worth.signum(), expected, "{}", state.position_text());
            }
        }
    }

    #[test]
    fn a_plain_minimax_agrees_in_each_game() {
        a_plain_minimax_agrees::<ConnectFour>(&order(2), Measure::Value);
        a_plain_minimax_agrees::<Othello>(&othello_order(2), Measure::Discs);
        a_plain_minimax_agrees::<Hex>(&hex_order(2), Measure::Value);
    }

    /// What the lines of the order say is the same whatever the concurrency, and changes with the
    /// seed.
    fn positions_do_not_depend_on_the_concurrency<G: Made>(order: &Order) {
        let [one, two, three] = [1, 2, 3]
            .map(|concurrency| Order { concurrency, ..order.clone() }.make::<G>().unwrap());
        assert_eq!((lines(&one), &one.left_out), (lines(&two), &two.left_out));
        assert_eq!(lines(&one), lines(&three));
        let other = Order { seed: 4, ..order.clone() };
        assert_ne!(lines(&other.make::<G>().unwrap()), lines(&one));
    }

    #[test]
    fn the_positions_do_not_depend_on_the_concurrency() {
        positions_do_not_depend_on_the_concurrency::<ConnectFour>(&order(1));
        positions_do_not_depend_on_the_concurrency::<Othello>(&othello_order(1));
        positions_do_not_depend_on_the_concurrency::<Hex>(&hex_order(1));
    }

    /// A file with the positions of the order is written once, holds all of them, and is not
    /// taken for one of another order.
    fn a_file_is_written_once_and_then_read<G: Made>(order: &Order) {
        let folder =
            std::env::temp_dir().join(format!("keeping-{}-{}", G::NAME, std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("labels");
        let filled = |labels| lines(&order.fill::<G>(labels).unwrap());
        let made = filled(None);
        assert_eq!(filled(Some(&file)), made);
        let written = std::fs::metadata(&file).unwrap().modified().unwrap();
        assert_eq!(filled(Some(&file)), made);
        assert_eq!(std::fs::metadata(&file).unwrap().modified().unwrap(), written);
        let other = Order { seed: 4, ..order.clone() };
        let error = other.fill::<G>(Some(&file)).err().unwrap().to_string();
        assert!(error.contains("line 1: expected") && error.contains("seed 3"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn files_are_written_once_and_then_read() {
        a_file_is_written_once_and_then_read::<ConnectFour>(&order(2));
        a_file_is_written_once_and_then_read::<Othello>(&othello_order(2));
        a_file_is_written_once_and_then_read::<Hex>(&hex_order(2));
    }

    #[test]
    fn where_there_are_too_few_positions_that_is_said() {
        let few = Order { count: 5, plies: 1..=1, seed: 1, concurrency: 1 };
        // One board of four is left of those with one stone: the others are its mirror images.
        assert_eq!(Candidates::<ConnectFour>::new(&few).count(), 4);
        let late = Order { count: 1, plies: 42..=42, ..few };
        let error = late.make::<ConnectFour>().err().unwrap().to_string();
        assert!(error.starts_with("expected 1 positions of 42..=42 plies"), "{error}");
    }

    #[test]
    fn candidates_are_of_all_the_plies() {
        let order = Order { count: 0, plies: 8..=20, seed: 1, concurrency: 1 };
        let mut counts = [0; 21];
        for (_, candidate) in Candidates::<ConnectFour>::new(&order).take(500) {
            let parsed = ConnectFour::parse_position(&candidate.position_text()).unwrap();
            assert_eq!(parsed.key(), candidate.key());
            counts[candidate.plies() as usize] += 1;
        }
        assert!(counts[8..].iter().all(|count| *count > 10), "{counts:?}");
    }
}
