//! The conformance check of what a game tells the solver.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::game::Outcome;
use crate::rng::Rng;
use crate::solvable::{Limits, POINTS_LIMIT, Solvable, Worth};
use crate::testing::{Law, LawBroken, Place, legal, random_games};

/// Positions searched for each random game at most.
const SEARCHED: usize = 5_000;
/// With this number of positions known, all are forgotten before the next game.
const REMEMBERED: usize = 200_000;
/// Lines longer than this number of plies are not followed: a stack of 2 MiB has to hold them.
const DEEPEST: usize = 500;
/// One in this number of positions that the search meets again is worked out again.
const AGAIN: usize = 8;

/// Plays `games` random games from `start` and checks what a [`Solver`](crate::Solver) takes on
/// trust from a game: the laws of [`Solvable`]. Those of [`GameState`](crate::GameState) are taken
/// for granted: run [`check_game`](super::check_game) first.
///
/// - From the end of each game it goes back as far as a plain search of all moves can follow
///   within 5 000 positions. What the game says of each position that this search has solved is
///   compared with its true worth, points and plies: the limits, the points found at once, the
///   moves to solve, and that positions with the same canonical key, or the same key, are worth the
///   same.
/// - At each position of each game it looks one ply ahead: what the game says of the position, and
///   of those after its moves, can be true together.
/// - At each end it checks the points: their range, their sign, that those of two players cancel
///   out, and that of two [scores](Outcome::Scores) the higher one has more. On each line of play
///   it checks that no position comes again.
///
/// `seed` fixes the games. With three and more players only the last of these is done, as the
/// solver asks for no more. At most 205 000 worths are remembered at a time, from one game to the
/// next. A search is given up where a line of play is longer than 500 plies.
///
/// # What it cannot see
/// Finitely many games are a sample. Where a game goes on for long, only its last plies are solved:
/// of those before, what the game says may be wrong as long as it does not contradict itself. Keys
/// are compared only where two positions with the same one come up. So check a small board of your
/// game too, if it has one: with all of its positions solved there is little left to miss. A fault
/// may show as another one, as a wrong key does in the worth of what leads to it. What does not
/// change a result ([`promise`](Solvable::promise), [`ENDS_EARLY`](Solvable::ENDS_EARLY),
/// [`is_endgame`](Solvable::is_endgame)) is not looked at.
///
/// # Errors
/// The first law found broken, with what was expected and found, and where; a game that is not
/// [settled by its key](Solvable::SETTLED_BY_KEY), as no solver takes it. A panic of the game is
/// one ([`Law::NoPanic`]), and so are games that do not end within 10 000 plies.
///
/// # Examples
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::games::ConnectFour;
///
/// assert_eq!(playtree::testing::check_solvable(&ConnectFour::new(), 20, 1), Ok(()));
/// # }
/// ```
pub fn check_solvable<G: Solvable>(start: &G, games: usize, seed: u64) -> Result<(), LawBroken> {
    let place = Place { game: 0, ply: 0 };
    if !G::SETTLED_BY_KEY {
        let found = "one that says it is not";
        return Err(place.broken(Law::NoRepetition, "a game that is settled by its key", found));
    }
    if !(1..=POINTS_LIMIT).contains(&G::MAX_POINTS) {
        let expected = format!("MAX_POINTS of 1 to {POINTS_LIMIT}");
        return Err(place.broken(Law::Points, expected, G::MAX_POINTS));
    }
    let mut rng = Rng::from_seed(seed);
    let mut plain = Plain::new(Rng::from_seed(rng.next_u64()));
    let mut played: Vec<G> = Vec::new();
    let mut keys = HashSet::new();
    random_games(start, games, &mut rng, |state, moves, place, _| {
        if place.ply == 0 {
            played.clear();
            keys.clear();
        }
        plain.place = place;
        if !keys.insert(state.key()) {
            return Err(plain.repeated());
        }
        if let Some(outcome) = state.outcome() {
            plain.check_points(state, &outcome)?;
            return if G::PLAYERS > 2 { Ok(()) } else { plain.go_back(&played) };
        }
        if moves.is_empty() {
            return Err(plain.stuck());
        }
        if G::PLAYERS <= 2 {
            plain.look_ahead(state, moves)?;
        }
        played.push(state.clone());
        Ok(())
    })
}

/// A plain search of all moves, and what it knows.
struct Plain<G: Solvable> {
    /// The worth of positions for their side to move; `None` for those on the line.
    known: HashMap<G::Key, Option<Worth>>,
    /// The same by canonical keys.
    alike: HashMap<G::Key, Worth>,
    /// The points of each score at the end of a game, the least and the most, by its bits.
    points_of: BTreeMap<u64, (i32, i32)>,
    /// The position of a random game that is searched,
    place: Place,
    /// and the moves from there.
    line: Vec<G::Move>,
    /// Positions that may still be searched.
    left: usize,
    rng: Rng,
}

impl<G: Solvable> Plain<G> {
    fn new(rng: Rng) -> Self {
        Self {
            known: HashMap::new(),
            alike: HashMap::new(),
            points_of: BTreeMap::new(),
            place: Place { game: 0, ply: 0 },
            line: Vec::new(),
            left: 0,
            rng,
        }
    }

    fn broken(&self, law: Law, expected: String, found: String) -> LawBroken {
        let line = if self.line.is_empty() { "" } else { &format!(" after {:?}", self.line) };
        self.place.broken(law, expected, format!("{found}{line}"))
    }

    fn repeated(&self) -> LawBroken {
        let expected = "each position once on a line of play".to_owned();
        self.broken(Law::NoRepetition, expected, "one again".to_owned())
    }

    fn stuck(&self) -> LawBroken {
        let expected = "a move or an outcome".to_owned();
        self.broken(Law::MovesUntilTheEnd, expected, "neither".to_owned())
    }

    /// Solves the positions of a random game from the last one back, as far as it can.
    fn go_back(&mut self, played: &[G]) -> Result<(), LawBroken> {
        if self.known.len() >= REMEMBERED {
            self.known.clear();
            self.alike.clear();
        }
        self.left = SEARCHED;
        for (ply, state) in played.iter().enumerate().rev() {
            self.place.ply = ply as u32;
            let Some(worth) = self.worth(state)? else { break };
            self.work_out_again(state, worth)?;
        }
        Ok(())
    }

    /// What a position is worth where the game goes on; `None` if that is not found out.
    fn worth(&mut self, state: &G) -> Result<Option<Worth>, LawBroken> {
        let key = state.key();
        match self.known.get(&key) {
            Some(&Some(worth)) => {
                if self.rng.below(AGAIN) == 0 {
                    self.work_out_again(state, worth)?;
                }
                return Ok(Some(worth));
            }
            Some(None) => return Err(self.repeated()),
            None => {}
        }
        if self.left == 0 || self.line.len() == DEEPEST {
            return Ok(None);
        }
        self.left -= 1;
        let moves = legal(state);
        self.known.insert(key.clone(), None);
        let Some(worth) = self.best(state, &moves)? else {
            self.known.remove(&key);
            return Ok(None);
        };
        self.known.insert(key, Some(worth));
        self.compare(state, &moves, worth)?;
        Ok(Some(worth))
    }

    /// What the best of these moves is worth.
    fn best(&mut self, state: &G, moves: &[G::Move]) -> Result<Option<Worth>, LawBroken> {
        let mover = state.mover();
        let (mut best, mut open) = (None, Vec::new());
        for mv in moves {
            let after = state.apply(mv);
            match after.outcome() {
                Some(outcome) => best = best.max(Some(self.end(&after, &outcome, mover)?)),
                None => open.push((mv, after)),
            }
        }
        // Nothing is better than to win at once by the most.
        if best == Some(Limits::of_game::<G>().most) {
            return Ok(best);
        }
        for (mv, after) in open {
            self.line.push(mv.clone());
            let found = self.worth(&after)?;
            self.line.pop();
            let Some(worth) = found else { return Ok(None) };
            best = best.max(Some(before::<G>(worth, after.mover() == mover)));
        }
        if best.is_none() { Err(self.stuck()) } else { Ok(best) }
    }

    /// What a move of `mover` that ends the game is worth.
    fn end(&mut self, after: &G, outcome: &Outcome, mover: usize) -> Result<Worth, LawBroken> {
        self.check_points(after, outcome)?;
        Ok(before::<G>(Worth { points: after.points(outcome, mover), plies: 0 }, true))
    }

    /// The points at the end of a game.
    fn check_points(&mut self, end: &G, outcome: &Outcome) -> Result<(), LawBroken> {
        let points: Vec<i32> = (0..G::PLAYERS).map(|player| end.points(outcome, player)).collect();
        let broken = |expected| {
            let found = format!("{points:?} of the outcome {outcome:?}");
            Err(self.broken(Law::Points, expected, found))
        };
        let most = G::MAX_POINTS;
        if points.iter().any(|points| !(-most..=most).contains(points)) {
            return broken(format!("points from {} to {most}", -most));
        }
        if G::PLAYERS == 2 && points[0] != -points[1] {
            return broken("points that cancel out".to_owned());
        }
        for (player, points) in points.iter().enumerate().take_while(|_| G::PLAYERS <= 2) {
            let sign = (2.0 * outcome.score(player) - 1.0).partial_cmp(&0.0);
            if Some(points.cmp(&0)) != sign {
                let expected = "points above 0 for a win, below 0 for a loss, 0 for a draw";
                return broken(expected.to_owned());
            }
        }
        if matches!(outcome, Outcome::Scores(_)) {
            for (player, &points) in points.iter().enumerate() {
                self.check_order(outcome, player, points)?;
            }
        }
        Ok(())
    }

    /// That of two scores the higher one has more points: nothing is lost when they are rounded.
    fn check_order(
        &mut self,
        outcome: &Outcome,
        player: usize,
        points: i32,
    ) -> Result<(), LawBroken> {
        let score = outcome.score(player);
        // The bits of numbers that are not negative are in their order.
        let bits = score.to_bits();
        let (least, most) = self.points_of.entry(bits).or_insert((points, points));
        (*least, *most) = ((*least).min(points), (*most).max(points));
        let lower = self.points_of.range(..bits).next_back().filter(|(_, other)| other.1 >= points);
        let higher = self.points_of.range(bits + 1..).next().filter(|(_, other)| other.0 <= points);
        let (other, than) = match (lower, higher) {
            (Some((&other, _)), _) => (other, "more"),
            (_, Some((&other, _))) => (other, "less"),
            _ => return Ok(()),
        };
        let other = f64::from_bits(other);
        let expected = format!("{than} points for a score of {score} than for {other}");
        let found = format!("{points} points for player {player}");
        Err(self.broken(Law::Points, expected, found))
    }

    /// Works out a position once more from those after its moves, as far as they are known: its own
    /// worth may have come from another one with the same key.
    fn work_out_again(&mut self, state: &G, known: Worth) -> Result<(), LawBroken> {
        let mover = state.mover();
        let (mut best, mut is_complete) = (None, true);
        for mv in legal(state) {
            let after = state.apply(&mv);
            let worth = match after.outcome() {
                Some(outcome) => Some(self.end(&after, &outcome, mover)?),
                None => self
                    .known
                    .get(&after.key())
                    .copied()
                    .flatten()
                    .map(|worth| before::<G>(worth, after.mover() == mover)),
            };
            is_complete &= worth.is_some();
            best = best.max(worth);
        }
        match best {
            Some(best) if best > known || is_complete && best < known => {
                let expected = format!("{known}, as with the same key before");
                Err(self.broken(Law::SettledByKey, expected, best.to_string()))
            }
            _ => Ok(()),
        }
    }

    /// Compares what the game says of a position with its worth.
    fn compare(&mut self, state: &G, moves: &[G::Move], worth: Worth) -> Result<(), LawBroken> {
        let Limits { least, most } = state.limits();
        if worth < least || worth > most {
            let expected = range(least, most);
            return Err(self.broken(Law::Limits, expected, worth.to_string()));
        }
        let kept = self.moves_to_solve(state, moves)?;
        if kept != moves
            && moves.iter().any(|mv| !kept.contains(mv))
            && let Some(best) = self.best(state, &kept)?
            && best != worth
        {
            let expected = format!("{worth} with one of {kept:?}");
            return Err(self.broken(Law::MovesToSolve, expected, best.to_string()));
        }
        self.check_points_at_once(state, worth)?;
        let other = match self.alike.entry(state.canonical_key()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(worth),
        };
        if other != worth {
            let expected = format!("{other}, as with the same canonical key before");
            return Err(self.broken(Law::CanonicalKey, expected, worth.to_string()));
        }
        Ok(())
    }

    /// Asks with the whole window, with one of a point anywhere, and with those below and above the
    /// worth.
    fn check_points_at_once(&mut self, state: &G, worth: Worth) -> Result<(), LawBroken> {
        let (points, most) = (worth.points, G::MAX_POINTS);
        let any = self.rng.below(2 * most as usize) as i32 - most;
        for (alpha, beta) in
            [(-most, most), (any, any + 1), (points - 1, points), (points, points + 1)]
        {
            if alpha < -most || beta > most {
                continue;
            }
            let Some(found) = state.points_at_once(alpha, beta) else { continue };
            let is_right = if found <= alpha {
                points <= found
            } else if found >= beta {
                points >= found
            } else {
                points == found
            };
            if !is_right {
                let expected = format!("{points} points between {alpha} and {beta}");
                return Err(self.broken(Law::PointsAtOnce, expected, found.to_string()));
            }
        }
        Ok(())
    }

    /// The moves to solve, if they are some of the legal ones.
    fn moves_to_solve(&self, state: &G, moves: &[G::Move]) -> Result<Vec<G::Move>, LawBroken> {
        let mut kept = moves.to_vec();
        state.moves_to_solve(&mut kept);
        if !kept.starts_with(moves) {
            let expected = format!("moves appended to {moves:?}");
            return Err(self.broken(Law::MovesToSolve, expected, format!("{kept:?}")));
        }
        kept.drain(..moves.len());
        if kept.is_empty() || !is_part(&kept, moves) {
            let expected = format!("some of {moves:?}");
            return Err(self.broken(Law::MovesToSolve, expected, format!("{kept:?}")));
        }
        Ok(kept)
    }

    /// Checks that the game does not contradict itself a ply later.
    fn look_ahead(&mut self, state: &G, moves: &[G::Move]) -> Result<(), LawBroken> {
        let Limits { least, most } = state.limits();
        if least > most {
            let expected = "a least worth that is no more than the most".to_owned();
            return Err(self.broken(Law::Limits, expected, range(least, most)));
        }
        let kept = self.moves_to_solve(state, moves)?;
        let keeps_all = kept == moves;
        let (mut best, mut best_kept): (Option<Limits>, Option<Limits>) = (None, None);
        for mv in moves {
            let after = self.limits_after(state, mv)?;
            let with = |best: Option<Limits>| {
                let Limits { least, most } = best.unwrap_or(after);
                Some(Limits { least: least.max(after.least), most: most.max(after.most) })
            };
            best = with(best);
            if keeps_all || kept.contains(mv) {
                best_kept = with(best_kept);
            }
        }
        if let (Some(best), Some(best_kept)) = (best, best_kept) {
            if least > best.most || most < best.least {
                let expected = format!("{}, as after the moves", range(best.least, best.most));
                return Err(self.broken(Law::Limits, expected, range(least, most)));
            }
            if best_kept.most < best.least {
                let expected = format!("{} with one of {kept:?}", best.least);
                let found = format!("at most {}", best_kept.most);
                return Err(self.broken(Law::MovesToSolve, expected, found));
            }
        }
        Ok(())
    }

    /// What the game says of the position after a move, for the side that moves.
    fn limits_after(&mut self, state: &G, mv: &G::Move) -> Result<Limits, LawBroken> {
        let (mover, after) = (state.mover(), state.apply(mv));
        if let Some(outcome) = after.outcome() {
            return Ok(Limits::exactly(self.end(&after, &outcome, mover)?));
        }
        let same = after.mover() == mover;
        let Limits { least, most } = if same { after.limits() } else { after.limits().negated() };
        Ok(Limits { least: before::<G>(least, true), most: before::<G>(most, true) })
    }
}

/// Whether all that was kept is among the moves. Quick if it is in their order, as nearly always.
fn is_part<M: PartialEq>(kept: &[M], moves: &[M]) -> bool {
    let mut rest = moves.iter();
    kept.iter().all(|mv| rest.any(|other| other == mv)) || kept.iter().all(|mv| moves.contains(mv))
}

/// What a worth comes to a ply earlier, for the same side or the other one.
fn before<G: Solvable>(worth: Worth, same: bool) -> Worth {
    let points = if same { worth.points } else { -worth.points };
    Worth::new(points, if G::COUNTS_PLIES { worth.plies + 1 } else { 0 })
}

/// All that lies between two limits, with the plies.
fn range(least: Worth, most: Worth) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

#[cfg(test)]
mod tests;
