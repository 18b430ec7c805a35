//! The conformance check of a game's rules.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::game::{GameState, MOST_ROLLOUTS_AT_ONCE, Outcome};
use crate::played::Played;
use crate::repetition::Line;
use crate::rng::Rng;
use crate::testing::{
    LONGEST_GAME, Law, LawBroken, Place, guarded, legal, random_games, reversible, sample,
};

/// How often each move, or each group of moves, should come up when `random_move` is tried on a
/// position.
const DRAWS_PER_MOVE: u32 = 128;
/// Groups of moves whose draws are counted, where a position has more moves than that.
const GROUPS: usize = 64;
/// Draws are not counted on further positions after this many, each times the moves there: to draw
/// one of them mostly takes a list of all.
const DRAWN_MOVES: usize = 50_000_000;
/// Moves of a position that are compared in all that the next position says.
const COMPARED_MOVES: usize = 64;
/// Times that a move is played, or a position asked, again where chance may be the cause.
const TRIALS_OF_CHANCE: u32 = 64;
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
/// `seed` fixes the games. The laws are checked in an order in which the first one that is found
/// broken is the cause of others and not their consequence: that the game gives the same answers
/// each time, then the position as it is, then what its moves lead to, then what is random.
///
/// # What it cannot see
/// What a check of finitely many games can see is limited: that positions which are equal for all
/// future play have equal keys it cannot know. Rollouts are compared with random moves on some
/// thirty positions only, by mean scores to within `8 / sqrt(8 * games)`: give it a thousand games.
///
/// Of a position with many moves each one is played, but only 64 of the positions that they lead
/// to, drawn at random, are compared in all they say; of the others the key, the plies, the side to
/// move and the outcome. How often moves are drawn is compared for 64 groups of them, and where
/// there are thousands on fewer positions than thirty. Of two positions with equal keys one move
/// is followed.
///
/// # Errors
/// The first law found broken, with what was expected and found, and where. A panic of the game is
/// one ([`Law::NoPanic`]). So are games that do not end within 10 000 plies ([`Law::Ends`]);
/// where some do, the others are given up.
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
    guarded(&mut Place { game: 0, ply: 0 }, |place| {
        check_scores::<G>(&start.repetition(&Line::new(&[], start)), *place)
    })?;
    let mut seen: HashMap<G::Key, G> = HashMap::new();
    let (mut counted, mut drawn) = (0, 0);
    let mut line = reversible::Line::new();
    let mut buffer = Vec::new();
    random_games(start, games, &mut rng, |state, moves, place, rng| {
        let facts = check_answers(state, moves, place)?;
        check_position(state, moves, place)?;
        line.check(state, place)?;
        check_moves(state, &facts, place, rng)?;
        let full = seen.len() >= REMEMBERED;
        match seen.entry(state.key()) {
            Entry::Occupied(known) => check_keys(known.get(), state, &facts, place, rng)?,
            Entry::Vacant(new) if !full => drop(new.insert(state.clone())),
            Entry::Vacant(_) => {}
        }
        if moves.is_empty() {
            return Ok(());
        }
        draw(state, moves, &mut buffer, place, rng)?;
        if counted == 0 || counted <= COUNTED_POSITIONS && rng.below(8) == 0 {
            counted += 1;
            if drawn <= DRAWN_MOVES {
                drawn += check_uniform(state, moves, &mut buffer, place, rng)?;
            }
            let rollouts = ROLLOUTS_PER_GAME * games;
            check_rollouts(state, rollouts, place, rng, |rng| Ok(state.rollout(rng)))?;
            let mut played = Played::new(G::PLAYERS, G::MOVE_CODES);
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

    /// What differs, as expected and found, if anything does.
    fn difference(&self, found: &Self) -> Option<(String, String)> {
        if self.mover != found.mover {
            return Some((format!("side {} to move", self.mover), format!("side {}", found.mover)));
        }
        if self.outcome != found.outcome {
            let expected = format!("the outcome {:?}", self.outcome);
            return Some((expected, format!("{:?}", found.outcome)));
        }
        if self.moves != found.moves {
            return Some((format!("the moves {:?}", self.moves), format!("{:?}", found.moves)));
        }
        None
    }

    fn compare(&self, found: &Self, law: Law, place: Place) -> Result<(), LawBroken> {
        match self.difference(found) {
            Some((expected, found)) => Err(place.broken(law, expected, found)),
            None => Ok(()),
        }
    }
}

/// What two positions that should be one differ in, as expected and found: all of what they say, or
/// without the lists of moves.
fn difference<G: GameState>(expected: &G, found: &G, with_moves: bool) -> Option<(String, String)> {
    if expected.key() != found.key() {
        return Some(("the same key".into(), "another".into()));
    }
    if expected.plies() != found.plies() {
        return Some((format!("{} plies", expected.plies()), found.plies().to_string()));
    }
    let facts = |state: &G| {
        if with_moves {
            Facts::of(state)
        } else {
            Facts { mover: state.mover(), outcome: state.outcome(), moves: Vec::new() }
        }
    };
    facts(expected).difference(&facts(found))
}

/// That a position gives the same answers each time. Its facts.
fn check_answers<G: GameState>(
    state: &G,
    moves: &[G::Move],
    place: Place,
) -> Result<Facts<G>, LawBroken> {
    let law = Law::SameAnswers;
    if let Some((expected, found)) = difference(state, state, true) {
        return Err(place.broken(law, expected, format!("{found}, asked again")));
    }
    if let Some((expected, found)) = difference(state, &state.clone(), true) {
        return Err(place.broken(law, expected, format!("{found} of a clone")));
    }
    let facts = Facts::of(state);
    if facts.moves != moves {
        let found = format!("{:?}, asked again", facts.moves);
        return Err(place.broken(law, format!("the moves {moves:?}"), found));
    }
    Ok(facts)
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
    if !outcome.is_of::<G>() {
        return Err(place.broken(Law::Scores, "scores that add up to 1", found));
    }
    Ok(())
}

/// That a position gives the same answers each time, where something else seems to be wrong.
fn check_answers_again<G: GameState>(state: &G, place: Place) -> Result<(), LawBroken> {
    for _ in 0..TRIALS_OF_CHANCE {
        check_answers(state, &legal(state), place)?;
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
    let mut twice = moves.to_vec();
    state.moves(&mut twice);
    if twice.len() != 2 * moves.len() || twice[..moves.len()] != twice[moves.len()..] {
        let expected = format!("{moves:?} appended to itself");
        return Err(place.broken(Law::FixedMoves, expected, format!("{twice:?}")));
    }
    Ok(())
}

/// The laws about playing each of the moves; `before` holds the facts of the position.
fn check_moves<G: GameState>(
    state: &G,
    before: &Facts<G>,
    place: Place,
    rng: &mut Rng,
) -> Result<(), LawBroken> {
    let moves = &before.moves;
    let mut looked_into = vec![false; moves.len()];
    sample(moves, COMPARED_MOVES, rng).for_each(|(number, _)| looked_into[number] = true);
    // Moves that are equal lead to positions with equal keys: only these are compared.
    let mut by_key: HashMap<G::Key, Vec<usize>> = HashMap::new();
    for (number, mv) in moves.iter().enumerate() {
        let next = check_move(state, mv, looked_into[number], place)?;
        let alike = by_key.entry(next.key()).or_default();
        if alike.iter().rev().take(COMPARED_MOVES).any(|&other| moves[other] == *mv) {
            return Err(place.broken(Law::DistinctMoves, "each once", format!("{mv:?} twice")));
        }
        alike.push(number);
    }
    before.compare(&Facts::of(state), Law::Unchanged, place)
}

/// The laws about playing one move. The position that it leads to.
fn check_move<G: GameState>(
    state: &G,
    mv: &G::Move,
    with_moves: bool,
    place: Place,
) -> Result<G, LawBroken> {
    let (key, plies) = (state.key(), state.plies());
    let next = state.apply(mv);
    if state.key() != key || state.plies() != plies {
        let found = format!("another after {mv:?}");
        return Err(place.broken(Law::Unchanged, "the same key and plies", found));
    }
    check_same_move(state, mv, &next, with_moves, 1, place)?;
    if next.plies() != plies + 1 {
        let found = format!("{} after {mv:?}", next.plies());
        return Err(place.broken(Law::Plies, format!("{} plies", plies + 1), found));
    }
    let mut moved = state.clone();
    moved.apply_in_place(mv);
    if let Some((expected, found)) = difference(&next, &moved, with_moves) {
        // Chance may have shown here first.
        check_answers_again(&next, place)?;
        check_same_move(state, mv, &next, with_moves, TRIALS_OF_CHANCE, place)?;
        return Err(place.broken(Law::ApplyInPlace, expected, format!("{found} after {mv:?}")));
    }
    Ok(next)
}

/// That a move leads to `next` each time it is played, a number of times.
fn check_same_move<G: GameState>(
    state: &G,
    mv: &G::Move,
    next: &G,
    with_moves: bool,
    times: u32,
    place: Place,
) -> Result<(), LawBroken> {
    for _ in 0..times {
        if let Some((expected, found)) = difference(next, &state.apply(mv), with_moves) {
            check_answers_again(next, place)?;
            let found = format!("{found} after {mv:?} again");
            return Err(place.broken(Law::SameMove, expected, found));
        }
    }
    Ok(())
}

/// Compares two positions with equal keys, and what one of their moves leads to.
fn check_keys<G: GameState>(
    known: &G,
    state: &G,
    facts: &Facts<G>,
    place: Place,
    rng: &mut Rng,
) -> Result<(), LawBroken> {
    Facts::of(known).compare(facts, Law::Keys, place)?;
    let Some(mv) = facts.moves.get(rng.below(facts.moves.len())) else { return Ok(()) };
    let [expected, found] = [known, state].map(|state| Facts::of(&state.apply(mv)));
    match expected.difference(&found) {
        Some((expected, found)) => {
            [known, state]
                .map(|state| {
                    check_same_move(state, mv, &state.apply(mv), true, TRIALS_OF_CHANCE, place)
                })
                .into_iter()
                .collect::<Result<(), _>>()?;
            Err(place.broken(Law::Keys, expected, format!("{found} after {mv:?}")))
        }
        None => Ok(()),
    }
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

/// Compares how often each move is drawn, or where there are many, each of [`GROUPS`] groups of
/// them. Returns the moves that were listed for it.
fn check_uniform<G: GameState>(
    state: &G,
    moves: &[G::Move],
    buffer: &mut Vec<G::Move>,
    place: Place,
    rng: &mut Rng,
) -> Result<usize, LawBroken> {
    let groups = moves.len().min(GROUPS);
    let group = |number: usize| number * groups / moves.len();
    let (mut sizes, mut counts) = (vec![0u32; groups], vec![0u32; groups]);
    (0..moves.len()).for_each(|number| sizes[group(number)] += 1);
    let trials = DRAWS_PER_MOVE as usize * groups;
    for _ in 0..trials {
        counts[group(draw(state, moves, buffer, place, rng)?)] += 1;
    }
    for (at, (&size, &count)) in sizes.iter().zip(&counts).enumerate() {
        let mean = trials as f64 * f64::from(size) / moves.len() as f64;
        if (f64::from(count) - mean).abs() > DEVIATIONS * mean.sqrt() {
            let first = (at * moves.len()).div_ceil(groups);
            let which = &moves[first..first + size as usize];
            let which =
                if size == 1 { format!("{:?}", which[0]) } else { format!("one of {which:?}") };
            let expected = format!("{which} about {mean:.0} times in {trials}");
            return Err(place.broken(Law::RandomMove, expected, format!("{count} times")));
        }
    }
    Ok(trials * moves.len())
}

/// Compares how rollouts and random moves end: the mean score of the side to move, and the mean of
/// its square, which tells draws from wins and losses in equal number.
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

/// Compares rollouts that are played side by side with random moves: those from this position, in
/// turn with the same number from the next one.
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
        let mut played =
            vec![Played::new(G::PLAYERS, G::MOVE_CODES); if noting { at_once } else { 0 }];
        let mut outcomes = Vec::new();
        let mut number = at_once;
        check_rollouts(state, trials, place, rng, |rng| {
            if number >= at_once {
                // An outcome that was not written is no player's.
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
