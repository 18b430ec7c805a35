//! The conformance check of a game's rules.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::game::{GameState, MAX_PLAYERS, MOST_ROLLOUTS_AT_ONCE, Outcome};
use crate::played::Played;
use crate::repetition::Line;
use crate::rng::Rng;
use crate::testing::{LONGEST_GAME, Law, LawBroken, Place, legal, random_games, reversible};

/// How often each move should come up when `random_move` is tried on a position.
const DRAWS_PER_MOVE: u32 = 128;
/// Positions whose random moves and rollouts are counted, beside the first.
const COUNTED_POSITIONS: usize = 30;
/// Positions remembered to compare those with equal keys.
const REMEMBERED: usize = 200_000;
/// Rollouts from each such position compared with random moves, per game played.
const ROLLOUTS_PER_GAME: usize = 4;
/// How many standard deviations a count may be off: a right game fails less than once in
/// 10^14 comparisons.
const DEVIATIONS: f64 = 8.0;

/// Plays `games` random games from `start` and checks the laws of [`GameState`] on each
/// position: the moves, the outcome, the key, and every provided method.
///
/// `seed` fixes the games. What a check of finitely many games can see is limited: that
/// positions which are equal for all future play have equal keys it cannot know, and
/// rollouts are compared with random moves on some thirty positions only, by mean scores
/// to within `8 / sqrt(8 * games)`: give it a thousand games. A game that does not end within
/// 10 000 plies is given up without a complaint.
///
/// # Errors
/// The first law found broken, with what was expected and found, and where.
///
/// # Examples
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::games::ConnectFour;
///
/// assert_eq!(playtree::testing::check_game(&ConnectFour::new(), 100, 1), Ok(()));
/// # }
/// ```
pub fn check_game<G: GameState>(start: &G, games: usize, seed: u64) -> Result<(), LawBroken> {
    let mut rng = Rng::from_seed(seed);
    let place = Place { game: 0, ply: 0 };
    if !(1..=MAX_PLAYERS).contains(&G::PLAYERS) {
        return Err(place.broken(Law::Players, format!("1 to {MAX_PLAYERS}"), G::PLAYERS));
    }
    check_scores::<G>(&start.repetition(&Line::new(&[], start)), place)?;
    let mut seen: HashMap<G::Key, Facts<G>> = HashMap::new();
    let mut line = reversible::Line::new();
    let mut counted = 0;
    let mut buffer = Vec::new();
    random_games(start, games, &mut rng, |state, moves, place, rng| {
        check_position(state, moves, place)?;
        line.check(state, place)?;
        let facts = Facts::of(state);
        for mv in moves {
            check_move(state, &facts, mv, place)?;
        }
        let full = seen.len() >= REMEMBERED;
        match seen.entry(state.key()) {
            Entry::Occupied(known) => known.get().compare(&facts, Law::Keys, place)?,
            Entry::Vacant(new) if !full => drop(new.insert(facts)),
            Entry::Vacant(_) => {}
        }
        if moves.is_empty() {
            return Ok(());
        }
        draw(state, moves, &mut buffer, place, rng)?;
        if counted == 0 || counted <= COUNTED_POSITIONS && rng.below(8) == 0 {
            counted += 1;
            check_uniform(state, moves, &mut buffer, place, rng)?;
            let rollouts = ROLLOUTS_PER_GAME * games;
            check_rollouts(state, rollouts, place, rng, |rng| Ok(state.rollout(rng)))?;
            let mut played = Played::new::<G>();
            check_rollouts(state, rollouts, place, rng, |rng| {
                played.clear();
                let outcome = state.rollout_noting(rng, &mut played);
                if outcome.is_some() {
                    check_noted(state, moves, &played, place)?;
                }
                Ok(outcome)
            })?;
            check_rollouts_at_once(state, moves, rollouts, place, rng)?;
        }
        Ok(())
    })
}

/// What must be the same for positions with equal keys.
struct Facts<G: GameState> {
    mover: usize,
    outcome: Option<Outcome>,
    moves: Vec<G::Move>,
}

impl<G: GameState> Facts<G> {
    fn of(state: &G) -> Self {
        Self { mover: state.mover(), outcome: state.outcome(), moves: legal(state) }
    }

    fn compare(&self, found: &Self, law: Law, place: Place) -> Result<(), LawBroken> {
        if self.mover != found.mover {
            return Err(place.broken(
                law,
                format!("side {} to move", self.mover),
                format!("side {}", found.mover),
            ));
        }
        if self.outcome != found.outcome {
            return Err(place.broken(
                law,
                format!("the outcome {:?}", self.outcome),
                format!("{:?}", found.outcome),
            ));
        }
        if self.moves != found.moves {
            return Err(place.broken(
                law,
                format!("the moves {:?}", self.moves),
                format!("{:?}", found.moves),
            ));
        }
        Ok(())
    }
}

fn check_scores<G: GameState>(outcome: &Outcome, place: Place) -> Result<(), LawBroken> {
    let found = format!("{outcome:?}");
    if let Outcome::Win(winner) = outcome
        && *winner >= G::PLAYERS
    {
        let expected = format!("a winner below {}", G::PLAYERS);
        return Err(place.broken(Law::Scores, expected, found));
    }
    let scores: Vec<f64> = (0..G::PLAYERS).map(|player| outcome.score(player)).collect();
    if scores.iter().any(|score| !(0.0..=1.0).contains(score)) {
        return Err(place.broken(Law::Scores, "scores in [0, 1]", found));
    }
    if G::PLAYERS == 2 && (scores[0] + scores[1] - 1.0).abs() > 1e-9 {
        return Err(place.broken(Law::Scores, "scores that add up to 1", found));
    }
    Ok(())
}

/// The laws about one position on its own.
fn check_position<G: GameState>(
    state: &G,
    moves: &[G::Move],
    place: Place,
) -> Result<(), LawBroken> {
    if state.mover() >= G::PLAYERS {
        let expected = format!("a side below {}", G::PLAYERS);
        return Err(place.broken(Law::Mover, expected, state.mover()));
    }
    match state.outcome() {
        Some(outcome) if !moves.is_empty() => {
            let found = format!("{} with the outcome {outcome:?}", moves.len());
            return Err(place.broken(Law::MovesUntilTheEnd, "no moves", found));
        }
        None if moves.is_empty() => {
            return Err(place.broken(Law::MovesUntilTheEnd, "a move or an outcome", "neither"));
        }
        Some(outcome) => check_scores::<G>(&outcome, place)?,
        None => {}
    }
    for (i, mv) in moves.iter().enumerate() {
        if moves[..i].contains(mv) {
            return Err(place.broken(Law::DistinctMoves, "each once", format!("{mv:?} twice")));
        }
    }
    let mut twice = moves.to_vec();
    state.moves(&mut twice);
    if twice.len() != 2 * moves.len() || twice[..moves.len()] != twice[moves.len()..] {
        let expected = format!("{moves:?} appended to itself");
        return Err(place.broken(Law::FixedMoves, expected, format!("{twice:?}")));
    }
    Ok(())
}

/// The laws about playing one move; `before` was taken before it.
fn check_move<G: GameState>(
    state: &G,
    before: &Facts<G>,
    mv: &G::Move,
    place: Place,
) -> Result<(), LawBroken> {
    let (key, plies) = (state.key(), state.plies());
    let next = state.apply(mv);
    if next.plies() != plies + 1 {
        let found = format!("{} after {mv:?}", next.plies());
        return Err(place.broken(Law::Plies, format!("{} plies", plies + 1), found));
    }
    if state.key() != key || state.plies() != plies {
        let found = format!("another after {mv:?}");
        return Err(place.broken(Law::Unchanged, "the same key and plies", found));
    }
    before.compare(&Facts::of(state), Law::Unchanged, place)?;
    let mut moved = state.clone();
    moved.apply_in_place(mv);
    if moved.key() != next.key() || moved.plies() != next.plies() {
        let found = format!("another after {mv:?}");
        return Err(place.broken(Law::ApplyInPlace, "the same key and plies", found));
    }
    Facts::of(&next).compare(&Facts::of(&moved), Law::ApplyInPlace, place)
}

/// One random move: its index among the legal ones.
fn draw<G: GameState>(
    state: &G,
    moves: &[G::Move],
    buffer: &mut Vec<G::Move>,
    place: Place,
    rng: &mut Rng,
) -> Result<usize, LawBroken> {
    let mv = state.random_move(rng, buffer);
    let index = mv.as_ref().and_then(|mv| moves.iter().position(|legal| legal == mv));
    index.ok_or_else(|| place.broken(Law::RandomMove, "a legal move", format!("{mv:?}")))
}

/// Compares how often each move is drawn.
fn check_uniform<G: GameState>(
    state: &G,
    moves: &[G::Move],
    buffer: &mut Vec<G::Move>,
    place: Place,
    rng: &mut Rng,
) -> Result<(), LawBroken> {
    let mut counts = vec![0u32; moves.len()];
    let trials = DRAWS_PER_MOVE as usize * moves.len();
    for _ in 0..trials {
        counts[draw(state, moves, buffer, place, rng)?] += 1;
    }
    let mean = f64::from(DRAWS_PER_MOVE);
    for (mv, &count) in moves.iter().zip(&counts) {
        if (f64::from(count) - mean).abs() > DEVIATIONS * mean.sqrt() {
            let expected = format!("{mv:?} about {DRAWS_PER_MOVE} times in {trials}");
            return Err(place.broken(Law::RandomMove, expected, format!("{count} times")));
        }
    }
    Ok(())
}

/// Compares how rollouts and random moves end: the mean score of the side to move, and
/// the mean of its square, which tells draws from as many wins as losses.
fn check_rollouts<G: GameState>(
    state: &G,
    trials: usize,
    place: Place,
    rng: &mut Rng,
    mut rollout: impl FnMut(&mut Rng) -> Result<Option<Outcome>, LawBroken>,
) -> Result<(), LawBroken> {
    let (mut pairs, mut differences) = (0.0, [0.0; 2]);
    for _ in 0..trials {
        let Some(rollout) = rollout(rng)? else { return Ok(()) };
        check_scores::<G>(&rollout, place)?;
        if let Some(walked) = walk(state, rng) {
            check_scores::<G>(&walked, place)?;
            let [a, b] = [rollout, walked].map(|outcome| outcome.score(state.mover()));
            pairs += 1.0;
            differences[0] += a - b;
            differences[1] += a * a - b * b;
        }
    }
    // A score has a variance of at most 1/4, a difference of two twice that.
    let allowed = DEVIATIONS * f64::sqrt(pairs / 2.0);
    for (name, difference) in ["score", "squared score"].iter().zip(differences) {
        if difference.abs() > allowed {
            let bound = allowed / pairs;
            let expected = format!("the mover's mean {name} within {bound:.3} of random moves'");
            let found = format!("{:+.3} in {pairs} rollouts", difference / pairs);
            return Err(place.broken(Law::Rollout, expected, found));
        }
    }
    Ok(())
}

/// Compares rollouts that are played side by side with random moves: those from this position, among as
/// many from the next one.
fn check_rollouts_at_once<G: GameState>(
    state: &G,
    moves: &[G::Move],
    trials: usize,
    place: Place,
    rng: &mut Rng,
) -> Result<(), LawBroken> {
    let at_once = G::ROLLOUTS_AT_ONCE.min(MOST_ROLLOUTS_AT_ONCE);
    if at_once == 0 {
        return Ok(());
    }
    let next = state.apply(&moves[rng.below(moves.len())]);
    let next = if next.outcome().is_none() { &next } else { state };
    let positions: Vec<_> = [state, next].into_iter().cycle().take(at_once).collect();
    for noting in [false, true] {
        let mut played = vec![Played::new::<G>(); if noting { at_once } else { 0 }];
        let mut outcomes = Vec::new();
        let mut number = at_once;
        check_rollouts(state, trials, place, rng, |rng| {
            if number >= at_once {
                // What is left as it was is nobody's outcome.
                outcomes = vec![Outcome::Win(usize::MAX); at_once];
                played.iter_mut().for_each(Played::clear);
                G::rollouts(&positions, rng, &mut outcomes, &mut played);
                outcomes.iter().try_for_each(|outcome| check_scores::<G>(outcome, place))?;
                number = 0;
            }
            if noting {
                check_noted(state, moves, &played[number], place)?;
            }
            number += 2;
            Ok(Some(outcomes[number - 2]))
        })?;
    }
    Ok(())
}

/// One of the legal moves was the first one, and is noted if each of them has a code.
fn check_noted<G: GameState>(
    state: &G,
    moves: &[G::Move],
    played: &Played,
    place: Place,
) -> Result<(), LawBroken> {
    let codes = || moves.iter().map(|mv| state.move_code(mv));
    let coded = codes().all(|code| code < G::MOVE_CODES);
    if coded && !codes().any(|code| played.has(state.mover(), code)) {
        let expected = format!("one of the moves {moves:?} noted for player {}", state.mover());
        return Err(place.broken(Law::Noting, expected, "none"));
    }
    Ok(())
}

/// The end of a random game that is drawn from `moves`.
fn walk<G: GameState>(state: &G, rng: &mut Rng) -> Option<Outcome> {
    let mut state = state.clone();
    let mut moves = Vec::new();
    for _ in 0..LONGEST_GAME {
        if let Some(outcome) = state.outcome() {
            return Some(outcome);
        }
        moves.clear();
        state.moves(&mut moves);
        state = state.apply(moves.get(rng.below(moves.len()))?);
    }
    None
}

#[cfg(test)]
mod tests;
